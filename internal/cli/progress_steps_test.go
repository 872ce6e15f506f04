package cli

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/report"
)

func did(event debate.Event) engine.Progress { return engine.Progress{Done: true, Event: event} }

func calls(ask debate.Ask) engine.Progress { return engine.Progress{Work: debate.Work{Ask: &ask}} }

func answers(ask debate.Ask, seconds int64, claims int, more ...func(*debate.Replied)) engine.Progress {
	ev := debate.Replied{Ask: ask.ID, Status: debate.CallOK, Reply: &debate.Reply{Claims: make([]debate.NewClaim, claims)}, Started: 5_000, Ended: 5_000 + 1000*seconds}
	ev.Usage.CostMicro = 20_000
	for _, change := range more {
		change(&ev)
	}
	return engine.Progress{Work: debate.Work{Ask: &ask}, Done: true, Event: ev}
}

// TestSteps: each step that a person wants to hear of is one line, and says what came of it.
func TestSteps(t *testing.T) {
	t.Parallel()
	open := debate.Ask{ID: "OPEN/0/claude/X2", Kind: debate.CallOpen, Party: "claude", Chunk: "X2"}
	weigh := debate.Ask{ID: "CHALLENGE/1/gpt", Kind: debate.CallChallenge, Party: "gpt"}
	again := debate.Ask{ID: "CHALLENGE/1/gpt/format", Kind: debate.CallChallenge, Party: "gpt", Format: "no JSON"}
	vote := debate.Ask{ID: "JUDGE1/D1/risk", Kind: debate.CallJudge1, Party: "risk", Decision: "D1"}
	failed := func(ev *debate.Replied) {
		ev.Status, ev.Detail, ev.Reply, ev.Usage = debate.CallAuth, "401\n::error::x", nil, debate.Usage{CostUnknown: true}
	}
	// A resumed debate does not say again who takes part.
	l := progress{set: settings{panel: panel{parties: []debate.Party{{ID: "claude"}, {ID: "gpt"}, {ID: "risk", Debater: "gpt"}}}}}
	l.set.config.Limits.MaxCostUSD = 2 * config.Dollar
	var lines []string
	for _, p := range []engine.Progress{
		did(debate.Snapshotted{Scope: "range:a..b"}),
		did(debate.SplitDone{Totals: debate.Totals{Files: 4, Additions: 291, Deletions: 1}, Chunks: []debate.Chunk{{ID: "X1"}, {ID: "X2"}}}),
		did(debate.Critiqued{Hits: make([]debate.CheckedHit, 1)}),
		did(debate.Policed{}),
		did(debate.Checked{}), did(debate.Checked{Runs: make([]debate.Run, 3)}),
		calls(open), {Work: debate.Work{Ask: &open}, Looks: 2, Began: 2_000}, {Work: debate.Work{Ask: &open}, Looks: 1, Began: 4_000}, answers(open, 12, 5),
		calls(weigh), answers(weigh, 0, 0, failed), calls(again), answers(again, 130, 0),
		calls(vote), answers(vote, 9, 0),
		{Err: errors.New("the network is gone")},
		did(debate.Published{}),
	} {
		if done, ok := l.enter(p, time.Time{}); ok {
			lines = append(lines, done.plain())
		}
	}
	want := []string{
		"read the change  4 files, +291 -1", "built-in rules  1 finding", "other checks  3 results",
		"opening, part 2 of 2  claude  15 s  5 findings, looked at 3 things",
		"challenge  gpt  0 s  the API key or its account was refused: 401<U+000A>::error::x", "challenge again  gpt  2 min",
		"vote  gpt  9 s", "debate: the network is gone",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	if len(l.pending) != 0 || l.calls != 4 || l.costText() != "at least $0.06 of $2.00" {
		t.Errorf("%v, %d, %s", l.pending, l.calls, l.costText())
	}
	free := progress{unknown: true}
	if free.costText() != "cost unknown" {
		t.Errorf("%s", free.costText())
	}
	free.set.config.Limits.MaxCostUSD = 1
	if free.costText() != "cost unknown of $0.001" {
		t.Errorf("%s", free.costText())
	}
}

// TestStepsOfAQuestion: nothing is said of changes where there is none.
func TestStepsOfAQuestion(t *testing.T) {
	t.Parallel()
	var l progress
	var lines []string
	for _, event := range []debate.Event{debate.Snapshotted{Scope: debate.ScopeQuestion}, debate.SplitDone{Totals: debate.Totals{Files: 1}}, debate.Critiqued{}} {
		if done, ok := l.enter(did(event), time.Time{}); ok {
			lines = append(lines, done.plain())
		}
	}
	if diff := cmp.Diff([]string{"read the question  1 file"}, lines); diff != "" {
		t.Error(diff)
	}
}

// TestEveryCallHasAName: no call is without a word, and no failure either.
func TestEveryCallHasAName(t *testing.T) {
	t.Parallel()
	for _, kind := range []debate.CallKind{
		debate.CallOpen, debate.CallLocal, debate.CallChallenge, debate.CallRespond, debate.CallRebut,
		debate.CallArbiter, debate.CallJudge1, debate.CallJudge2, debate.CallScore, debate.CallSumUp,
	} {
		if report.CallNames[kind] == "" {
			t.Errorf("%s has no name", kind)
		}
	}
	for _, status := range []debate.CallStatus{
		debate.CallTimeout, debate.CallAuth, debate.CallNotFound, debate.CallRate, debate.CallOverloaded, debate.CallTooLong,
		debate.CallRefused, debate.CallMalformed, debate.CallError,
	} {
		if report.Failures[status] == "" {
			t.Errorf("%s has no words", status)
		}
	}
}

// TestResumedParts: a resumed debate numbers the parts of its change, too.
func TestResumedParts(t *testing.T) {
	t.Parallel()
	r := &run{Env: newWorld(t).env(), ctx: t.Context()}
	r.watch(debateRun{review: &engine.Review{}}, []debate.Entry{{Event: debate.SplitDone{Chunks: []debate.Chunk{{ID: "X1"}, {ID: "X2"}}}}})
	p := r.shown
	r.unwatch()
	ask := debate.Ask{ID: "OPEN/0/claude/X2", Kind: debate.CallOpen, Party: "claude", Chunk: "X2"}
	p.enter(calls(ask), time.Time{})
	if done, _ := p.enter(answers(ask, 1, 0), time.Time{}); done.name != "opening, part 2 of 2" {
		t.Errorf("%q", done.name)
	}
}
