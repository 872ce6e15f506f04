package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/lists"
)

// TestReasonsAreShown: the words that a model was asked for reach people and scripts, from the log
// of a whole debate.
func TestReasonsAreShown(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"blind_missed":           {"claude: the discount is applied once", "gpt: line 16 prints the card as it is", "gemini: the log is read by support"},
		"blind_clean":            {`gpt tried this case: "an empty cart: nothing is logged" in cart.go`, `gemini tried this case: "one item: the total is its price" in cart.go`},
		"degraded_no_challenger": {"claude: Checkout prints the card of every large cart"}, // asked alone
	} {
		e := FromState(played(t, name))
		var got []string
		for _, part := range Reasoned(e) {
			got = append(got, part.Lines...)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got): %s", name, diff)
		}
		for kind, page := range map[string][]byte{"verbose": Text(e, TextOptions{Width: 200, Verbose: true}), "markdown": Markdown(e), "html": bytes.ReplaceAll(HTML(e), []byte("&#34;"), []byte(`"`))} {
			for _, line := range want {
				if !bytes.Contains(bytes.ReplaceAll(page, []byte(`\`), nil), []byte(line)) {
					t.Errorf("%s, %s: %q is missing in\n%s", name, kind, line, page)
				}
			}
		}
	}
}

// TestTriedOnAFinding: a case tried on a finding is in its thread, and not a second time elsewhere
// on the page. Scripts find it with its party, too.
func TestTriedOnAFinding(t *testing.T) {
	t.Parallel()
	e := FromState(played(t, "consensus"))
	scenario := "an empty cart: i = 0 is not less than the length, and the loop indexes it all the same"
	thread := lists.Map(Thread(all(e)[0]), Side.line)
	if !slices.ContainsFunc(thread, func(line string) bool { return strings.HasPrefix(line, `gpt tried this case: "`+scenario+`"`) }) {
		t.Errorf("it is not in %q", thread)
	}
	if n := strings.Count(string(HTML(e)), scenario); n != 1 {
		t.Errorf("the page has it %d times", n)
	}
	gpt := lists.Find(e.Parties, func(p Party) bool { return p.ID == "gpt" })
	if len(gpt.Checked) != 1 || gpt.Checked[0].Finding != "F1" || gpt.Checked[0].Scenario != scenario {
		t.Errorf("for scripts: %+v", gpt.Checked)
	}
}
