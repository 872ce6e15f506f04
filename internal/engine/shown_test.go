package engine

import (
	"context"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// large is a change whose packet is about 60 kB.
func large() string {
	var b strings.Builder
	b.WriteString("diff --git a/run.sh b/run.sh\n--- a/run.sh\n+++ b/run.sh\n@@ -1,2 +1,1502 @@\n #!/bin/sh\n+token=hunter2 deploy\n")
	for range 1499 {
		b.WriteString("+step --with the same forty bytes\n")
	}
	b.WriteString(" done\n")
	return b.String()
}

// TestRecordHoldsWhatWasSent: the record alone gives back each prompt as it was
// sent, also of a call that did not count, each shared text once, and stays small (M25).
func TestRecordHoldsWhatWasSent(t *testing.T) {
	t.Parallel()
	p := &table{answer: dispute}
	p.before = func(_ context.Context, t turn, times int) (string, error, bool) {
		return "no JSON at all", nil, t.Envelope.Call == "CHALLENGE" && t.Envelope.Party == "gem" && times == 1
	}
	r, log := newDebate(t, p)
	r.Subject.Source = &fixed{diff: large(), hash: "h"}
	state, err := r.Start(t.Context(), first())
	ended(t, state, log, err)

	var sent Prompts
	size, packets, calls, uncounted := 0, 0, 0, 0
	shown := make(map[string]bool)
	for _, e := range log.entries {
		data, err := debate.EncodeEvent(e.Event)
		if err != nil {
			t.Fatal(err)
		}
		size += len(data)
		if why := sent.Add(e.Event); why != "" {
			t.Errorf("event %d: %s", e.N, why)
		}
		switch ev := e.Event.(type) {
		case debate.Shown:
			for _, text := range ev.Texts {
				if shown[text.Hash] {
					t.Errorf("event %d shows a text again", e.N)
				}
				shown[text.Hash] = true
				packets += len(text.Text)
			}
		case debate.Replied:
			calls++
			system, packet, ok := sent.Sent(ev)
			if !ok || len(packet) < 50_000 || !strings.Contains(system, "HOW TO CITE") || !strings.Contains(ev.Turn, `"request"`) {
				t.Errorf("%s: the record does not hold what was sent", ev.Ask)
			}
			if ev.Status != debate.CallOK {
				uncounted++
				if ev.Raw != "no JSON at all" || ev.Detail == "" {
					t.Errorf("%s did not count, and the record says %q of %q", ev.Ask, ev.Detail, ev.Raw)
				}
			}
		}
	}
	t.Logf("%d calls, %d bytes of shared texts, record of %d bytes", calls, packets, size)
	if calls < 15 || uncounted != 1 || packets < 60_000 || packets > 100_000 || size > 1<<20 {
		t.Errorf("%d calls, %d did not count, %d bytes of shared texts, record of %d bytes", calls, uncounted, packets, size)
	}

	// Whoever changes what was sent, or takes it out, is found.
	for name, spoil := range map[string]func(debate.Event) debate.Event{
		"another turn": func(ev debate.Event) debate.Event {
			if said, ok := ev.(debate.Replied); ok {
				said.Turn += " "
				return said
			}
			return ev
		},
		"another packet": func(ev debate.Event) debate.Event {
			if texts, ok := ev.(debate.Shown); ok {
				return debate.Shown{Texts: []debate.ShownText{{Hash: texts.Texts[0].Hash, Text: "another"}}}
			}
			return ev
		},
		"no packet": func(ev debate.Event) debate.Event {
			if _, ok := ev.(debate.Shown); ok {
				return debate.Shown{}
			}
			return ev
		},
	} {
		var spoilt Prompts
		found := false
		for _, e := range log.entries {
			found = found || spoilt.Add(spoil(e.Event)) != ""
		}
		if !found {
			t.Errorf("nobody notices %s", name)
		}
	}
}
