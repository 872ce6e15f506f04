package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/prompt"
)

// TestUnknownCall: who names a call that a record does not have is told those that it has.
func TestUnknownCall(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"contested-panel.jsonl": `the record has no call "REBUT"; it has OPEN/0/claude, CHALLENGE/1/gpt, `,
		"reviewed-by-nobody":    "cannot open the record",
	} {
		w := newWorld(t)
		path, err := filepath.Abs("../../testdata/replay/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if code := w.debate("prompts", "REBUT", "--record", path); code != exitUsage || !strings.Contains(w.stderr.String(), want) {
			t.Errorf("%s: exit code %d, said %q", name, code, w.stderr.String())
		}
	}
}

// TestExamplePrompts: every kind of call has an example that is whole.
func TestExamplePrompts(t *testing.T) {
	t.Parallel()
	for _, kind := range []debate.CallKind{
		debate.CallOpen, debate.CallLocal, debate.CallChallenge, debate.CallRespond, debate.CallRebut,
		debate.CallArbiter, debate.CallJudge1, debate.CallJudge2, debate.CallScore, debate.CallSumUp,
	} {
		p, ok := prompt.Example(kind)
		if !ok || !strings.Contains(p.Packet, "+88 \tl.mu.Lock()") || !strings.Contains(p.Packet, "-87 \tl.mu.Lock()") {
			t.Errorf("%s: the packet is not whole:\n%s", kind, p.Packet)
		}
		heard := strings.Contains(p.Turn, "locks after line 87")
		if hears := kind == debate.CallRespond || kind == debate.CallRebut || kind == debate.CallArbiter || kind == debate.CallScore; hears && !heard {
			t.Errorf("%s does not hear the thread", kind)
		}
	}
	if _, ok := prompt.Example("NONSENSE"); ok {
		t.Error("there is an example of a call that is none")
	}
}
