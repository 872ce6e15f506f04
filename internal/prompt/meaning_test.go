package prompt

import (
	"encoding/json"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

func TestSeverity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text    string
		want    debate.Severity
		unknown bool
	}{
		{"critical", debate.P1, false}, {"P2 (high)", debate.P1, false}, {"sev-1", debate.P1, false}, {"nothing special", "", true},
		{"must-fix", debate.P1, false}, {"should fix", debate.P2, false}, {"Nice to have", debate.P3, false},
		{"non-blocking", debate.P3, false}, {"Not blocking", debate.P3, false}, {"P2, non-blocking", debate.P2, false},
		{"non-blocking P2", debate.P2, false}, {"P2 - not blocking", debate.P2, false},
		{"not critical", "", true}, {"Not a blocker", "", true}, {"non-critical", "", true}, {"isn't critical", "", true}, {"isn’t critical", "", true},
		{"not a P1", "", true}, {"not very high", "", true}, {"not critical or high", "", true}, {"no blocker", "", true}, {"never critical", "", true},
		{"neither critical nor high", "", true}, {"not a blocker; cannot be critical", "", true},
		{"low, not critical", debate.P3, false}, {"not critical, low", debate.P3, false}, {"not a blocker (P2)", debate.P2, false}, {"low and not critical", debate.P3, false},
		{"not low but high", debate.P1, false}, {"not just low, critical", debate.P1, false}, {"critical, not low", debate.P1, false}, {"none", debate.P3, false},
		{"hint", debate.P3, false}, {"Negligible", debate.P3, false}, {"typo", debate.P3, false}, {"stylistic nit", debate.P3, false}, {"enhancement", debate.P3, false}, {"catastrophic", "", true},
	} {
		raw, _ := json.Marshal(c.text)
		r := &reader{}
		o, _ := r.object("", []byte(`{"severity":`+string(raw)+`}`))
		if got, unknown := severity(o); got != c.want || unknown != c.unknown {
			t.Errorf("%q is %q, unknown %v", c.text, got, unknown)
		}
		if (len(r.dropped) > 0) != c.unknown {
			t.Errorf("%q drops %q", c.text, r.dropped)
		}
	}
}
