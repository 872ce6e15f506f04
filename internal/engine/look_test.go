package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/debate"
)

// TestHeadMoves: a new head ends the debate before its next wave.
func TestHeadMoves(t *testing.T) {
	t.Parallel()
	p := &table{answer: dispute}
	r, log := newDebate(t, p)
	r.Subject.Frozen.Event.HeadSHA = "aaaa"
	looks := 0
	r.Look = func(context.Context, debate.State) (Sight, error) {
		looks++
		switch looks {
		case 1:
			return Sight{Head: "aaaa"}, nil
		case 2:
			return Sight{}, errors.New("the network is gone")
		}
		return Sight{Head: "bbbb", Stop: &debate.Actor{Login: "ann", Permission: debate.WriteAccess}}, nil
	}
	var told []error
	r.Tell = func(p Progress) {
		if p.Err != nil {
			told = append(told, p.Err)
		}
	}
	state, err := r.Start(t.Context(), first())
	ended(t, state, log, err)
	if state.Ending.Outcome != debate.Superseded || looks != 3 || len(told) != 1 {
		t.Errorf("outcome %s after %d looks, told %v", state.Ending.Outcome, looks, told)
	}
	if got := len(repliesOf(log)); got != 3 { // OPEN and two CHALLENGE
		t.Errorf("%d replies", got)
	}
}

// TestLastLook: before anything is published the engine looks once more, however
// young the last look is. What it sees then is not published over, and a
// look that fails publishes nothing.
func TestLastLook(t *testing.T) {
	t.Parallel()
	merged := &debate.WithdrawnEvent{Reason: "merged_undecided", By: "ann"}
	for name, c := range map[string]struct {
		last      Sight
		err       error
		outcome   debate.Outcome
		stage     debate.Stage
		published int
	}{
		"nothing new":  {Sight{Head: "aaaa"}, nil, debate.Consensus, debate.StageAwaitingHuman, 1},
		"the head":     {Sight{Head: "bbbb"}, nil, debate.Superseded, debate.StageSuperseded, 0},
		"it is merged": {Sight{Head: "aaaa", Closed: merged}, nil, debate.Consensus, debate.StageDone, 1},
		"an order": {Sight{Head: "aaaa", Stop: &debate.Actor{Login: "ann", Permission: debate.WriteAccess}}, nil,
			debate.Consensus, debate.StageAwaitingHuman, 1},
		"no answer": {Sight{}, errFull, debate.Consensus, debate.StagePublish, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, log := newDebate(t, &table{answer: agree})
			r.Subject.Frozen.Event.HeadSHA = "aaaa"
			r.LookEvery = time.Hour
			looks, published := 0, 0
			r.Look = func(context.Context, debate.State) (Sight, error) {
				if looks++; looks == 1 {
					return Sight{Head: "aaaa"}, nil
				}
				return c.last, c.err
			}
			r.Publish = func(context.Context, debate.State) ([]string, []debate.SinkFailed, error) {
				published++
				return []string{"test"}, nil, nil
			}
			state, err := r.Start(t.Context(), first())
			if !errors.Is(err, c.err) {
				t.Fatalf("got %v", err)
			}
			if c.err == nil {
				ended(t, state, log, err)
			}
			if state.Ending.Outcome != c.outcome || state.Stage != c.stage || looks != 2 || published != c.published || state.Asking.Stopped {
				t.Errorf("%s in stage %s (%s), %d looks, published %d times", state.Ending.Outcome, state.Stage, state.Ending.OutcomeReason, looks, published)
			}
		})
	}
}

// TestLookEvery: a look holds for as long as it is said to; only publishing always
// looks.
func TestLookEvery(t *testing.T) {
	t.Parallel()
	looks := func(every time.Duration) (n int) {
		r, log := newDebate(t, &table{answer: dispute})
		r.Now, r.LookEvery = ticking(), every // by a second each time
		r.Look = func(context.Context, debate.State) (Sight, error) { n++; return Sight{}, nil }
		state, err := r.Start(t.Context(), first())
		ended(t, state, log, err)
		return n
	}
	always, often, once := looks(0), looks(15*time.Second), looks(time.Hour)
	if once != 2 || often <= once || often >= always {
		t.Errorf("%d looks, %d, and %d", always, often, once)
	}
}

// TestClosedWhileDebated: nobody is asked about a pull request that was closed.
func TestClosedWhileDebated(t *testing.T) {
	t.Parallel()
	p := &table{answer: dispute}
	r, log := newDebate(t, p)
	r.Look = func(context.Context, debate.State) (Sight, error) {
		return Sight{Closed: &debate.WithdrawnEvent{Reason: "closed", By: "ann"}, Stop: &debate.Actor{Login: "ann", Permission: debate.WriteAccess}}, nil
	}
	state, err := r.Start(t.Context(), first())
	ended(t, state, log, err)
	if state.Ending.Outcome != debate.Aborted || len(p.made()) != 0 {
		t.Errorf("%s, asked %v", state.Ending.Outcome, p.made())
	}
}

// TestStopOrder: somebody stops the debate; what there is gets published.
func TestStopOrder(t *testing.T) {
	t.Parallel()
	r, log := newDebate(t, &table{answer: dispute})
	looks := 0
	r.Look = func(context.Context, debate.State) (Sight, error) {
		if looks++; looks < 3 {
			return Sight{}, nil
		}
		return Sight{Stop: &debate.Actor{Login: "ann", Permission: debate.WriteAccess}}, nil
	}
	state, err := r.Start(t.Context(), first())
	ended(t, state, log, err)
	if state.Talk.Exit != debate.ExitStopped || len(repliesOf(log)) != 3 || looks != 4 { // the last look is that before publishing
		t.Errorf("exit %s after %v and %d looks", state.Talk.Exit, keys(repliesOf(log)), looks)
	}

	// An order that the protocol refuses stops nothing, the review least of all.
	r, log = newDebate(t, &table{answer: agree})
	r.Look = func(context.Context, debate.State) (Sight, error) {
		return Sight{Stop: &debate.Actor{Login: "eve", Permission: debate.ReadAccess}}, nil
	}
	told := 0
	r.Tell = func(p Progress) {
		if p.Err != nil {
			told++
		}
	}
	state, err = r.Start(t.Context(), first())
	ended(t, state, log, err)
	if state.Asking.Stopped || told == 0 {
		t.Errorf("stopped %v, told %d times", state.Asking.Stopped, told)
	}
}

// TestChecksAreRead: what finished check runs say enters the record, without
// secrets.
func TestChecksAreRead(t *testing.T) {
	t.Parallel()
	r, log := newDebate(t, &table{answer: dispute})
	read := 0
	r.Checks = func(context.Context) ([]debate.Run, error) {
		read++
		return []debate.Run{{Ref: fmt.Sprintf("check:%d", read), Name: "build", Failed: true, Text: "hunter2 is refused"}}, nil
	}
	state, err := r.Start(t.Context(), first())
	ended(t, state, log, err)
	if read == 0 || len(state.Checks.Runs) == 0 || state.Checks.Runs[0].Text != "[redacted] is refused" {
		t.Errorf("read %d times: %+v", read, state.Checks.Runs)
	}

	broken, log := newDebate(t, &table{answer: dispute})
	broken.Checks = func(context.Context) ([]debate.Run, error) { return nil, errFull }
	if _, err := broken.Start(t.Context(), first()); !errors.Is(err, errFull) {
		t.Errorf("got %v after %d events", err, len(log.entries))
	}
}

// TestAnswerComesLater: a person's answer is one more fact of a debate that
// waits for it.
func TestAnswerComesLater(t *testing.T) {
	t.Parallel()
	r, log := newDebate(t, &table{answer: dispute})
	state, err := r.Start(t.Context(), first())
	ended(t, state, log, err)
	if state.Stage != debate.StageAwaitingHuman {
		t.Fatalf("stage %s", state.Stage)
	}
	p := &table{answer: dispute}
	again, _ := newDebate(t, p)
	again.Log = log
	d := state.Agenda.Decisions[0]
	state, err = again.Resume(t.Context(), log.entries, debate.Decided{
		Decision: d.ID, Fingerprint: d.Fingerprint, Option: string(debate.Reject), Reason: "not now",
		By: debate.Actor{Login: "ann", Permission: debate.WriteAccess}, Via: debate.ViaCommand, At: 1,
	})
	ended(t, state, log, err)
	if got := state.Agenda.Decisions[0]; got.Outcome != debate.HumanDecided || got.Human.By != "ann" || len(p.made()) != 0 {
		t.Errorf("%s: %+v, asked %v", got.Outcome, got.Human, p.made())
	}

	var order *debate.OrderError
	if _, err := again.Resume(t.Context(), log.entries, debate.Published{}); !errors.As(err, &order) {
		t.Errorf("what may not come now gives %v", err)
	}
}
