package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestKnownIsCounted: what the settings accept is counted in the first lines, listed in a
// fold, known to the JSON, and no inline comment or annotation; and an entry that has
// expired is told of once.
func TestKnownIsCounted(t *testing.T) {
	t.Parallel()
	e := FromState(played(t, "known"))
	if got, want := e.Summary, "1 finding confirmed, 2 known. claude and gpt read the whole change and ask for changes."; got != want {
		t.Errorf("the lead is %q, want %q", got, want)
	}
	if len(e.Known) != 2 || len(e.Dismissed) != 0 {
		t.Fatalf("%d known, %d dismissed, want 2 and 0", len(e.Known), len(e.Dismissed))
	}
	page := string(Markdown(e))
	first, _, _ := strings.Cut(page, "<details>")
	for _, want := range []string{"2 known", "Nobody reads the counter"} {
		if !strings.Contains(first, want) {
			t.Errorf("above the folds there is no %q:\n%s", want, first)
		}
	}
	for _, hidden := range []string{"The number of a card is logged", "one replica"} {
		if strings.Contains(first, hidden) || strings.Count(page, hidden) != 1 {
			t.Errorf("%q does not stand once, in a fold:\n%s", hidden, page)
		}
	}
	if want := ": bob accepts it until 2027-01-01: it was looked at"; strings.Count(page, want) != 2 {
		t.Errorf("it does not say who accepts the two:\n%s", page)
	}
	if want := "expired on 2025-12-31"; strings.Count(page, want) != 1 {
		t.Errorf("the expired entry is not told of once:\n%s", page)
	}
	text, err := JSON(e)
	if err != nil {
		t.Fatal(err)
	}
	var out struct {
		Known []struct {
			Title        string        `json:"title"`
			Bucket       debate.Bucket `json:"bucket"`
			BucketReason debate.Reason `json:"bucket_reason"`
		} `json:"known"`
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	for _, f := range out.Known {
		if f.Bucket != debate.Dismissed || f.BucketReason != debate.ReasonKnown {
			t.Errorf("%q is %s (%s) in the JSON", f.Title, f.Bucket, f.BucketReason)
		}
	}
	_, summary, notes := CheckOutput(e, Pull{}, debate.Neutral, "")
	if !strings.Contains(summary, "2 known") {
		t.Errorf("the check does not count them: %s", summary)
	}
	for _, n := range notes {
		if strings.Contains(n.Message+n.Title, "card") {
			t.Errorf("a known finding is annotated: %v", n)
		}
	}
}

// TestNothingNew: a review that found nothing but what is known does not say that there is
// nothing.
func TestNothingNew(t *testing.T) {
	t.Parallel()
	keep := string(debate.Keep)
	known := []Finding{{ID: "F1", Severity: debate.P3, Title: "a", Bucket: debate.Dismissed, BucketReason: string(debate.ReasonKnown)}}
	e := debated(debate.Keep, keep, keep)
	e.Known = known
	if got, want := Headline(e)+" / "+Lead(e, Counted(e)), "no new problems found / 1 finding known. claude and gpt read the whole change and would merge it as it is."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	alone := Envelope{Outcome: debate.DegradedLocal, Known: known}
	if got, want := Lead(alone, Counted(alone)), "The built-in rules, which need no model, found nothing, 1 known."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	alone.P2 = []Finding{{ID: "F2", Severity: debate.P2, Title: "b"}}
	if got, want := Lead(alone, Counted(alone)), "The built-in rules, which need no model, found 1 problem, 1 known."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if page := Markdown(e); !bytes.Contains(page, []byte("Known (1)")) {
		t.Errorf("the known finding is in no fold:\n%s", page)
	}
}
