package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

// TestSides: the words of each side are one line and are there once.
func TestSides(t *testing.T) {
	t.Parallel()
	objection := func(words, answer string) Challenge {
		return Challenge{By: "gpt", Objection: words, Defender: "claude", Defence: answer, Status: debate.Defended}
	}
	f := Finding{
		ReportedBy: []string{"claude"}, Body: "A negative sum returns 0.\nNobody sees it.\n\n```go\nreturn 0\n```",
		Crux: "a caller\nthat reads it",
		Challenges: []Challenge{
			objection("the cited line\nshows it", "it does not"), objection("the cited line\nshows it", "it does not"), objection("see line 3", "it does not"),
		},
	}
	want := []Side{
		{"claude", "A negative sum returns 0. Nobody sees it. return 0"},
		{"gpt", "the cited line shows it"}, {"claude", "it does not"}, {"gpt", "see line 3"},
	}
	if diff := cmp.Diff(want, Sides(f)); diff != "" {
		t.Error(diff)
	}
	if got := Crux(f); got != "a caller that reads it" {
		t.Errorf("Crux = %q", got)
	}
}

// TestUnresolvedOnce: a disputed finding is whole in its paragraph, and the details do not repeat it.
func TestUnresolvedOnce(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("Two requests end the process. ", 15) + "It stops."
	e := Envelope{Outcome: debate.Consensus, Unresolved: []Finding{{
		ID: "F1", Severity: debate.P2, Title: "a race", Path: "a.go", Line: 3, Quote: "x := m[k]", ReportedBy: []string{"claude"}, Body: body,
		Challenges: []Challenge{{By: "gpt", Objection: "a lock is held", Status: debate.Open}},
	}}}
	page := string(Summary(e, Pull{Number: 7, RepositoryURL: "https://git.test/a/b", Head: "0123456789abcdef"}, debate.Neutral, ""))
	if n := strings.Count(page, "It stops."); n != 1 {
		t.Errorf("the end of the text is there %d times:\n%s", n, page)
	}
	if strings.Contains(page, "<summary>Details") {
		t.Errorf("details repeat the finding:\n%s", page)
	}
}

// TestAgainst: the words of the last answer are a quotation, and a sentence has one end.
func TestAgainst(t *testing.T) {
	t.Parallel()
	f := Finding{Bucket: debate.Agreed, Challenges: []Challenge{{
		By: "gpt", Objection: "is it reached?", Defender: "claude", Defence: "line 3 calls it.", Status: debate.Resolved, ResolvedWith: "Right: nothing checks it.",
	}}}
	if got, want := Against(f), `gpt objected: "is it reached?"; claude answered: "line 3 calls it"; that settled it: "Right: nothing checks it".`; got != want {
		t.Errorf("Against = %s, want %s", got, want)
	}
}
