package terminal

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/testkit/debatetest"
)

// TestWhatWasNotCheckedIsShown: a file that some rules could not read is named on the first
// screen, and other notices are only counted there.
func TestWhatWasNotCheckedIsShown(t *testing.T) {
	t.Parallel()
	e := report.Envelope{Outcome: debate.DegradedLocal, Notices: []debate.Notice{{Rule: "infra/terraform", Path: "x.tf", Text: "Terraform file changed."}}}
	for _, path := range []string{"a.sh", "b.sh", "c.sh", "d.sh", "e.sh"} {
		e.Notices = append(e.Notices, debate.Notice{Rule: "critic/not-read", Path: path, Text: "The shell checks did not read this file: it is too large or nested too deeply."})
	}
	text := string(Text(e, Options{Width: 120}))
	for _, want := range []string{
		"\nNot checked: a.sh. The shell checks did not read this file: it is too large or nested too deeply.\n",
		"\nand 2 more\n", "\nNot shown: Notices (1).",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "d.sh") || strings.Contains(text, "x.tf") {
		t.Errorf("too much for a screen:\n%s", text)
	}
	e.Notices = e.Notices[:1]
	if text := string(Text(e, Options{Width: 120})); strings.Contains(text, "Not checked") {
		t.Errorf("all was checked:\n%s", text)
	}
}

// TestDissentIsShown: a confirmed finding names the model that disagrees, in its words.
func TestDissentIsShown(t *testing.T) {
	t.Parallel()
	played, err := debatetest.Load("contrarian_words")
	if err != nil {
		t.Fatal(err)
	}
	state, _, err := debatetest.Run(played, debatetest.Forward)
	if err != nil {
		t.Fatal(err)
	}
	want := "Found by claude, confirmed by gemini. gpt objects: \"not shown\"; claude answers: \"the index reaches the length\" — cites cart.go:13 ✓ quote found.\n"
	if text := string(Text(report.FromState(state), Options{Width: 200})); !strings.Contains(text, want) {
		t.Errorf("%q is not in\n%s", want, text)
	}
}

// TestFurtherQuestionsAreCounted: the questions that are not listed are counted without
// those that a reason names already.
func TestFurtherQuestionsAreCounted(t *testing.T) {
	t.Parallel()
	d := report.Decision{ID: "D0", Question: "Merge?", Outcome: debate.AwaitingHuman}
	for i := range report.MaxSides + 3 {
		d.Grouped = append(d.Grouped, "Is part "+string(rune('A'+i))+" meant?")
	}
	d.Triggers = []report.DecisionTrigger{{Detail: "one", Asks: d.Grouped[0]}, {Detail: "another", Asks: d.Grouped[1]}}
	text := string(Text(report.Envelope{Outcome: debate.Consensus, Decisions: []report.Decision{d}}, Options{Width: 120}))
	if !strings.Contains(text, "    and 1 more\n") {
		t.Errorf("another number is said:\n%s", text)
	}
}

// An empty change has nothing that another target would review.
func TestNothingToReviewNamesNoTarget(t *testing.T) {
	t.Parallel()
	for head, named := range map[debate.Headline]bool{debate.HeadSkipped: true, debate.HeadEmpty: false} {
		text := string(Text(report.Envelope{Head: head, Outcome: debate.Skipped}, Options{}))
		if strings.Contains(text, "--target") != named {
			t.Errorf("%s:\n%s", head, text)
		}
	}
}
