package report

import (
	"slices"
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

// TestAgainst: an objection has its answer and its end, and none of another one.
func TestAgainst(t *testing.T) {
	t.Parallel()
	f := Finding{Bucket: debate.Agreed, Challenges: []Challenge{{ID: "K1"}, {ID: "K2", Strength: debate.StrengthStrong}}, Conversation: []Line{
		{Who: "gemini", Act: DidObject, Words: "a typo", Objection: "K1"}, {Who: "gpt", Act: DidObject, Words: "is it reached?", Objection: "K2"},
		{Who: "claude", Act: DidAnswer, Words: "line 3 calls it.", Objection: "K2"}, {Who: "gpt", Act: DidAccept, Words: "Right: nothing checks it.", Objection: "K2"},
	}}
	if got, want := Against(f), `gpt objects: "is it reached?"; claude answers: "line 3 calls it."; gpt accepts the answer: "Right: nothing checks it."`; got != want {
		t.Errorf("Against = %s, want %s", got, want)
	}
}

// TestMeasurements: the measurements that the sides of open objections need are told once, with the
// models that name them.
func TestMeasurements(t *testing.T) {
	t.Parallel()
	carts := Missing{Party: "gpt", Measurement: "carts a second", Threshold: "1,000", Effect: "take B"}
	same := carts
	same.Party = "claude"
	other := Missing{Party: "claude", Measurement: "p99", Threshold: "1 ms", Effect: "take A"}
	objections := []Challenge{
		{ID: "K1", Status: debate.Dissent, Missing: []Missing{carts, same}},
		{ID: "K2", Status: debate.Upheld, Missing: []Missing{carts, other}},
		{ID: "K3", Status: debate.Resolved, Missing: []Missing{{Party: "gpt", Measurement: "nothing any more"}}},
	}
	want := []string{"measure carts a second; threshold 1,000: take B (gpt, claude)", "measure p99; threshold 1 ms: take A (claude)"}
	if diff := cmp.Diff(want, Measurements(objections)); diff != "" {
		t.Error(diff)
	}
	disputed := Finding{Bucket: debate.Unresolved, Crux: "they are never negative", Challenges: objections}
	if got := Crux(disputed); got != want[0]+"; or "+want[1] {
		t.Errorf("a disputed finding: %q", got)
	}
	if got := History(Envelope{Objections: objections}); len(got) == 0 || !slices.Contains(got[0].Lines, "To settle it: "+want[0]) {
		t.Errorf("a report: %v", got)
	}
	question := Envelope{Outcome: debate.Tradeoff, Inquiry: &Inquiry{Question: "Which?", Answer: "A."}, Objections: objections}
	if got := Answered(question); !slices.Contains(got, Titled{"To settle it", want[0] + ".\n" + want[1] + "."}) {
		t.Errorf("a question: %v", got)
	}
}

// TestCruxIsNoSide: the words of a side are no way to settle a finding, on every page.
func TestCruxIsNoSide(t *testing.T) {
	t.Parallel()
	f := Finding{
		ID: "F1", Title: "a race", Path: "a.go", Line: 3, Bucket: debate.Unresolved, Crux: "a lock is held",
		Challenges: []Challenge{{By: "gpt", Objection: "a lock is held", Status: debate.Open}},
	}
	e := Envelope{Outcome: debate.Consensus, Unresolved: []Finding{f}}
	for name, page := range map[string][]byte{"HTML": HTML(e), "Markdown": Markdown(e), "terminal": Text(e, TextOptions{Width: 100})} {
		if !strings.Contains(string(page), "a race") || strings.Contains(string(page), "settle it") {
			t.Errorf("%s:\n%s", name, page)
		}
	}
}

// TestWhoAnswered: an answer has the name of its model, even if another model found the
// problem.
func TestWhoAnswered(t *testing.T) {
	t.Parallel()
	k := debate.Challenge{ID: "K1", Claim: "F1", Attacker: "gpt", Defender: "claude", Spoke: "gemini", Objection: "it is locked", Defence: "not here", Status: debate.Defended}
	f := Finding{Challenges: []Challenge{challenge(k, names{})}}
	if diff := cmp.Diff([]Side{{"gpt", "it is locked"}, {"gemini", "not here"}}, Sides(f)); diff != "" {
		t.Error(diff)
	}
}
