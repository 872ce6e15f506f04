package prompt

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestAcceptedFindingsAreTold: before a model opens it is told which findings a person
// decided to merge with, as long as their lines are the same and no answer asks for more.
func TestAcceptedFindingsAreTold(t *testing.T) {
	t.Parallel()
	at := debate.Citation{Path: "a.go", Side: debate.Right, StartLine: 3, EndLine: 3, Quote: "func a() {}"}
	key := debate.Key(debate.Claim{Evidence: []debate.Evidence{{Cite: at, CitationOK: true}}})
	keep := debate.PriorDecision{Fingerprint: "q", PersonAnswer: debate.PersonAnswer{Option: "keep", By: "bob", Accepted: []debate.Acceptance{{Key: key, Category: debate.Correctness, AtMost: debate.P2}}}}
	revise := debate.PriorDecision{Fingerprint: "q", PersonAnswer: debate.PersonAnswer{Option: "revise", By: "ann"}}
	for name, row := range map[string]struct {
		answers []debate.PriorDecision
		quote   string
		by      string
	}{
		"bob accepted it":            {[]debate.PriorDecision{keep}, "func a() {}", "bob"},
		"its lines changed":          {[]debate.PriorDecision{keep}, "func a(n int) {}", ""},
		"ann asks for changes":       {[]debate.PriorDecision{keep, revise}, "func a() {}", ""},
		"nothing was decided before": {nil, "func a() {}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := rich(plain(), "t", "b")
			now := at
			now.Quote = row.quote
			s.Received.Previous.Findings = []debate.Carried{{ID: "F1", Severity: debate.P2, Category: debate.Correctness, Title: "it leaks", Present: true, Cite: now}}
			s.Received.Previous.Decisions = row.answers
			opening := turner{s: s, ask: debate.Ask{Kind: debate.CallOpen, Party: "gpt"}}
			if got := opening.turn().Carried[0].AcceptedBy; got != row.by {
				t.Errorf("accepted by %q, want %q", got, row.by)
			}
			if told := strings.Contains(opening.request(), text("accepted")); told != (row.by != "") {
				t.Errorf("the request explains it: %v", told)
			}
		})
	}
}
