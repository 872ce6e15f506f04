package report

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// unprovedDebate is a debate in which one model holds two claims without proof, one of them
// contradicted, beside what it came to.
func unprovedDebate() debate.State {
	s := contested()
	for _, id := range []string{"F11", "F12"} {
		s.Book.Claims = append(s.Book.Claims, debate.Claim{
			ID: id, Owner: "gpt", Severity: debate.P2, Asserted: debate.P1, Title: "The vault " + id + " leaks", Body: "It logs each key.",
			Evidence:   []debate.Evidence{{Cite: debate.Citation{Path: "vault.go", StartLine: 4, EndLine: 4, Quote: "log(key)"}, NoFile: true}},
			ReportedBy: []string{"gpt"}, Bucket: debate.Unresolved, Reason: debate.ReasonUnproved, Why: debate.Why{Code: debate.WhyNoQuote},
		})
	}
	s.Book.Challenges = append(s.Book.Challenges, debate.Challenge{ID: "K90", Claim: "F11", Attacker: "gemini", Defender: "gpt", Kind: debate.Rejecting, Status: debate.Upheld, Objection: "there is no vault"})
	return s
}

// TestUnprovedIsOneLine: claims without proof change no count of a page, and stand in one
// folded line of it.
func TestUnprovedIsOneLine(t *testing.T) {
	t.Parallel()
	e, without := FromState(unprovedDebate()), FromState(contested())
	if e.Unproved == nil || len(e.Unproved) != 2 || len(e.Unresolved) != len(without.Unresolved) {
		t.Fatalf("%d are unproved and %d open, want 2 and %d", len(e.Unproved), len(e.Unresolved), len(without.Unresolved))
	}
	if f := e.Unproved[0]; f.Path != "" {
		t.Errorf("it stands at %s, where no file is", f.Path)
	}
	for name, same := range map[string][2]string{
		"headline": {Headline(e), Headline(without)}, "lead": {e.Summary, without.Summary}, "counts": {Counted(e), Counted(without)},
		"for an agent": {string(ForAgent(e)), string(ForAgent(without))},
	} {
		if same[0] != same[1] {
			t.Errorf("the %s speaks of them: %q, want %q", name, same[0], same[1])
		}
	}
	page := string(Summary(e, Pull{Number: 7}, debate.Failure, ""))
	if n := strings.Count(page, "<details><summary>Findings without proof (2)</summary>"); n != 1 {
		t.Errorf("the summary folds them %d times:\n%s", n, page)
	}
	open, _, _ := strings.Cut(page, "<details>")
	if strings.Contains(open, "vault") {
		t.Errorf("one of them stands in the open:\n%s", open)
	}
	if said := Standing(e.Unproved[0]); said != "without proof" {
		t.Errorf("the standing is %q", said)
	}
}
