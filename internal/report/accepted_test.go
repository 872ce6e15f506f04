package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestAcceptedFindings: every page of a decided review says at a finding who accepted it,
// and says nothing at one that no person accepted.
func TestAcceptedFindings(t *testing.T) {
	t.Parallel()
	e := decidedIn(debated(debate.Keep, string(debate.Revise), string(debate.Revise)), debate.HumanDecided, &Human{By: "bob", Option: string(debate.Keep), Accepted: []string{"F1", "F2"}})
	e.P1 = []Finding{{ID: "F1", Severity: debate.P1, Title: "It drops a table", Bucket: debate.Agreed, AcceptedBy: "bob"}}
	e.Unresolved = []Finding{{ID: "F2", Severity: debate.P2, Title: "It is slow", Bucket: debate.Unresolved, AcceptedBy: "bob"}}
	e.P3 = []Finding{{ID: "F3", Severity: debate.P3, Title: "It is long", Bucket: debate.Agreed}}
	data, err := json.Marshal(e.P1[0])
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		page string
		says []string
	}{
		"summary":  {string(Summary(e, Pull{Number: 7}, debate.Neutral, "")), []string{"| It drops a table **(accepted by bob)** |", "It is slow (accepted by bob)."}},
		"terminal": {string(Text(e, TextOptions{Width: 120})), []string{"It drops a table (accepted by bob)\n", "It is slow (not confirmed, accepted by bob)\n"}},
		"HTML":     {string(HTML(e)), []string{"confirmed, accepted by bob", "not confirmed, accepted by bob"}},
		"JSON":     {string(data), []string{`"accepted_by":"bob"`}},
	} {
		for _, says := range c.says {
			if !strings.Contains(c.page, says) {
				t.Errorf("the %s does not say %q:\n%s", name, says, c.page)
			}
		}
		if at := strings.Index(c.page, "It is long"); at >= 0 {
			if line, _, _ := strings.Cut(c.page[at:], "\n"); strings.Contains(line, "accepted") {
				t.Errorf("the %s: %q", name, line)
			}
		}
	}
}
