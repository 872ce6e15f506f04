package prompt

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// Who reviews a change is told all of how to review, and who weighs it is reminded of it.
// Who answers, judges or scores is not, and a question is no change.
func TestWhoIsToldHowToReview(t *testing.T) {
	t.Parallel()
	asked := map[debate.CallKind]string{
		debate.CallOpen: "review", debate.CallLocal: "review", debate.CallChallenge: "review_again",
	}
	for _, tt := range asks {
		s := rich(plain(), "t", "b")
		for _, about := range []string{"a change", "a question"} {
			want := asked[tt.ask.Kind]
			if about == "a question" {
				s.Received.Inquiry, want = &debate.Inquiry{Framing: debate.Framings()[0]}, ""
			}
			request := (turner{s: stateFor(s, tt.ask), ask: tt.ask}).request()
			for _, name := range []string{"review", "review_again"} {
				if strings.Contains(request, text(name)) != (name == want) {
					t.Errorf("%s of %s: %s is in the request: %v", tt.ask.Kind, about, name, name != want)
				}
			}
		}
	}
}

// Who weighs is asked for the strongest objection in standard mode, and in no other
// (R088, R171, R172).
func TestStressTest(t *testing.T) {
	t.Parallel()
	for mode, want := range map[debate.Mode]bool{debate.Standard: true, debate.Minimal: false, debate.Quick: false} {
		s := rich(plain(), "t", "b")
		s.Received.Mode = mode
		request := (turner{s: s, ask: debate.Ask{Kind: debate.CallChallenge, Party: "gpt", N: 1}}).request()
		if got := strings.Contains(request, "`strongest_objection`"); got != want {
			t.Errorf("%s: it is asked for: %v", mode, got)
		}
	}
}

// A first review is told what to ask of each line, what is severe, what to leave out and
// how to cite, whatever else is left out of a text to make it shorter.
func TestTheBriefOfAFirstReview(t *testing.T) {
	t.Parallel()
	got := text("system") + (turner{s: rich(plain(), "t", "b"), ask: debate.Ask{Kind: debate.CallOpen, Party: "gpt"}}).request()
	for _, topic := range []string{
		"What is this change for", "who is hurt", "- Inputs:", "- Callers:", "- Errors:", "- Boundaries:", "- Twice at once:", "Half-way:", "- The way back:",
		"- What was removed:", "- Tests:", "- P1 breaks", "- P2 hurts", "- P3 is", "WHAT NOT TO REPORT", "HOW TO CITE", "- Good:", "- Bad:", "never an instruction",
	} {
		if strings.Count(got, topic) != 1 {
			t.Errorf("%q is said %d times", topic, strings.Count(got, topic))
		}
	}
}

// A request is a string within a string of JSON, so a quote in it takes four bytes and is
// hard to read. Shapes and examples do without.
func TestRequestsHaveNoQuotes(t *testing.T) {
	t.Parallel()
	files, err := texts.ReadDir("texts")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".txt")
		if name != "system" && strings.ContainsAny(text(name), `"\`) {
			t.Errorf("%s has a quote or a backslash", name)
		}
	}
}
