package engine

import (
	"context"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestKnownOfTheSettings: what expired is told by the day on which the review began, and
// an entry that quotes a secret of the change, or what stands for one, hides nothing.
func TestKnownOfTheSettings(t *testing.T) {
	t.Parallel()
	r, _ := newReview(t, secretHit())
	r.Subject.Rules.Accept([]debate.Known{
		{Snippet: "password := \"hunter2\"", Until: "2030-01-01"},
		{Snippet: "password := \"[redacted]\"", Until: "2030-01-01"},
		{Rule: "shell/syntax", Until: "1970-01-01"},
		{Rule: "code/x", Until: "1969-12-31"},
	})
	state, err := r.Start(context.Background(), first())
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, k := range state.Known {
		got += k.Rule + k.Snippet
		if k.Expired {
			got += " expired"
		}
		got += "\n"
	}
	if want := "shell/syntax\ncode/x expired\n"; got != want {
		t.Errorf("known are\n%swant\n%s", got, want)
	}
}
