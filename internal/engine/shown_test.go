package engine

import (
	"context"
	"slices"
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
// sent, also of a call that did not count, each shared text once, and stays small.
func TestRecordHoldsWhatWasSent(t *testing.T) {
	t.Parallel()
	p := &table{answer: dispute}
	p.before = func(_ context.Context, t turn, times int) (string, error, bool) {
		return "no JSON at all", nil, t.Envelope.Call == "CHALLENGE" && t.Envelope.Party == "gem" && times == 1
	}
	r, log := newDebate(t, p)
	r.Subject.Frozen = frozenOf(large())
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
			system, packet, _, ok := sent.Sent(ev)
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
	if calls < 11 || uncounted != 1 || packets < 60_000 || packets > 100_000 || size > 1<<20 {
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

// TestPrompts: each text is the one that its name is the digest of, and what was sent is
// made of texts that are there.
func TestPrompts(t *testing.T) {
	t.Parallel()
	const system, packet, more, turn, looked = "be careful", "+1 a line", "+2 another", "answer", "what you asked to see"
	texts := debate.Shown{Texts: []debate.ShownText{shown(system), shown(packet), shown(more), shown(looked)}}
	sent := debate.Replied{
		PromptHash: promptDigest(system, packet+more, turn, looked), Turn: turn,
		Sent: []string{digest(system), digest(packet), digest(more)}, Looked: []string{digest(looked)},
	}
	const other = "what was sent is not what its digest names"
	for name, row := range map[string]struct {
		edit func(*debate.Replied)
		want string
	}{
		"as it was sent":           {func(*debate.Replied) {}, ""},
		"nothing was sent":         {func(ev *debate.Replied) { *ev = debate.Replied{} }, ""},
		"without what it had seen": {func(ev *debate.Replied) { ev.Looked = nil }, other},
		"nothing was seen":         {func(ev *debate.Replied) { ev.Looked = nil; ev.PromptHash = digest(system, packet+more, turn) }, ""},
		"another turn":             {func(ev *debate.Replied) { ev.Turn = "" }, other},
		"another order":            {func(ev *debate.Replied) { ev.Sent[1], ev.Sent[2] = ev.Sent[2], ev.Sent[1] }, other},
		"a part is missing":        {func(ev *debate.Replied) { ev.Sent = ev.Sent[:2] }, other},
		"no parts": {func(ev *debate.Replied) {
			ev.Sent, ev.Looked = nil, nil
			ev.PromptHash = promptDigest("", "", turn, "")
		}, other},
		"a system text nobody has": {func(ev *debate.Replied) {
			ev.Sent[0] = "x"
			ev.PromptHash = promptDigest("", packet+more, turn, looked)
		}, other},
		"a part that nobody has": {func(ev *debate.Replied) { ev.Sent[2] = "x"; ev.PromptHash = promptDigest(system, "", turn, looked) }, other},
		"a sight that nobody has": {func(ev *debate.Replied) {
			ev.Looked[0] = "x"
			ev.PromptHash = promptDigest(system, packet+more, turn, "")
		}, other},
		"a line that changed its text": {func(ev *debate.Replied) { ev.PromptHash = promptDigest(system+packet, more, turn, looked) }, other},
	} {
		var p Prompts
		if why := p.Add(texts); why != "" {
			t.Fatal(why)
		}
		ev := sent
		ev.Sent, ev.Looked = slices.Clone(sent.Sent), slices.Clone(sent.Looked)
		row.edit(&ev)
		if why := p.Add(ev); why != row.want {
			t.Errorf("%s: %q", name, why)
		}
	}
	var p Prompts
	if why := p.Add(debate.Shown{Texts: []debate.ShownText{shown(system), {Hash: digest(packet), Text: more}}}); why != "a text is not the one that its digest names" {
		t.Errorf("another text: %q", why)
	}
}

// TestShowsOnce: a text is recorded once, however often it is sent.
func TestShowsOnce(t *testing.T) {
	t.Parallel()
	debated, past := seeking(t, searching(), callers)
	if _, err := debated.Start(t.Context(), askedWithLooks(12)); err != nil {
		t.Fatal(err)
	}
	r, _ := looking(t, past.entries)
	for range 2 {
		if err := r.show([]debate.ShownText{shown("a"), shown("b"), shown("a")}); err != nil {
			t.Fatal(err)
		}
	}
	if added := r.Log.(*memory).entries; len(added) != 1 || len(added[0].Event.(debate.Shown).Texts) != 2 {
		t.Errorf("recorded %+v", added)
	}
}
