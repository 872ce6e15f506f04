package debatetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/prompt"
)

// TestPrefix measures how much of each call a provider has read before: what it shares
// from its beginning with an earlier call of the same party, in the order in which a
// provider reads, the system text first and the turn last. docs/developers/protocol.md names
// the figures.
func TestPrefix(t *testing.T) {
	t.Parallel()
	var scripts reread
	for _, name := range Names() {
		script := loaded(t, name)
		change := script.World.Change
		if change == nil {
			change = Cart()
		}
		_, log := ran(t, script, Forward)
		scripts.add(t, log, change)
	}
	scripts.atLeast(t, "the scripts", 60)

	var b strings.Builder
	b.WriteString("diff --git a/stock.go b/stock.go\n--- a/stock.go\n+++ b/stock.go\n@@ -0,0 +1,500 @@\n")
	for i := range 500 {
		fmt.Fprintf(&b, "+var shelf%d = Shelf{ID: %d, Row: %d}\n", i, i, i%7)
	}
	var ordinary reread
	for families := 1; families <= 3; families++ {
		for _, cast := range []func([]string) map[string]Party{contested, deadlocked} {
			w := Table(max(families-1, 1))
			w.Change, w.Received.Settings.Opening = NewChange(cartDiff+b.String(), "", nil), debate.OpenParallel
			seats := Cast(w, Honest())
			for id, party := range cast([]string{"claude", "gpt", "gemini"}[:max(families, 2)]) {
				seats[id] = restating(party)
			}
			_, log := playedAs(t, w, seats, Forward)
			ordinary.add(t, log, w.Change)
		}
	}
	ordinary.atLeast(t, "debates about 500 lines", 80)
}

// reread counts the calls of parties that had an earlier one: their bytes, and those
// that an earlier call begins with too.
type reread struct{ calls, whole, sent, shared int }

func (r *reread) add(t *testing.T, log []debate.Entry, change *Change) {
	t.Helper()
	before := make(map[string][]string) // by party
	var s debate.State
	for _, e := range log {
		if x, replied := e.Event.(debate.Replied); replied {
			for _, w := range debate.Outstanding(s) {
				if w.Ask != nil && w.Ask.ID == x.Ask {
					p := prompt.NewPacket(s, change.set, prompt.PacketOptions{}).Render(s, *w.Ask)
					text := p.System + p.Message()
					r.count(before[w.Ask.Party], text, len(p.System)+len(p.Packet))
					before[w.Ask.Party] = append(before[w.Ask.Party], text)
				}
			}
		}
		var err error
		if s, err = debate.Apply(s, e); err != nil {
			t.Fatal(err)
		}
	}
}

func (r *reread) count(before []string, text string, stable int) {
	if len(before) == 0 {
		return
	}
	best := 0
	for _, was := range before {
		n := 0
		for n < len(was) && n < len(text) && was[n] == text[n] {
			n++
		}
		best = max(best, n)
	}
	r.calls, r.sent, r.shared = r.calls+1, r.sent+len(text), r.shared+best
	if best >= stable {
		r.whole++
	}
}

func (r *reread) atLeast(t *testing.T, what string, percent int) {
	t.Helper()
	t.Logf("%s: %d calls, %d with the whole packet, %d of %d bytes: %d %%", what, r.calls, r.whole, r.shared, r.sent, 100*r.shared/max(r.sent, 1))
	if r.calls == 0 || 100*r.shared < percent*r.sent || 100*r.whole < 95*r.calls {
		t.Errorf("%s: too little of a call was read before", what)
	}
}
