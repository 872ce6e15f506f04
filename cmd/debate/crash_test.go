package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// end is how the process of a job ends before its time.
type ending struct {
	name string
	// last is the fate of the request at which it ends.
	last ghtest.Fault
	// warned: the process is told to stop, and makes that many requests more.
	warned int
}

var endings = []ending{
	{name: "gone before a request", last: ghtest.Reset()},
	{name: "gone before the answer", last: ghtest.Lost()},
	{name: "interrupted", warned: 1000},
	{name: "interrupted and gone soon", warned: 1},
}

// TestCrashes: whenever the process of a job ends, the next run comes to the end
// of an undisturbed tale, and no check stays in progress (R29).
func TestCrashes(t *testing.T) {
	t.Parallel()
	end := undisturbed(t)
	var cases []func(*testing.T)
	for _, how := range endings {
		for scene, requests := range end.requests {
			for n := range requests {
				cases = append(cases, func(t *testing.T) { end.crashes(t, scene, n+1, how) })
			}
		}
	}
	tryAll(t, sample(cases))
}

func (end told) crashes(t *testing.T, scene, n int, how ending) {
	what := fmt.Sprintf("%s at request %d while %s: ", how.name, n, scenes[scene].name)
	ta := begin(t)
	for i, sc := range scenes {
		e := sc.act(ta)
		if i != scene {
			if code, log := ta.act(e); code != 0 {
				t.Errorf("%s%s: code %d\n%s", what, sc.name, code, log)
				return
			}
			continue
		}
		before := ta.published()
		_, log := ta.dies(e, n, how)
		published, calls := ta.published() != before, ta.calls()
		ta.server.Advance(time.Hour) // no check is taken for that of a living run
		if code, more := ta.act(e); code != 0 {
			t.Errorf("%sthe run after it fails: code %d\n%s\n--- before\n%s", what, code, more, log)
			return
		}
		if published && ta.calls() != calls {
			t.Errorf("%smodels were asked %d times again for what was published\n%s", what, ta.calls()-calls, log)
		}
	}
	if diff := cmp.Diff(end.state, ta.state()); diff != "" {
		t.Errorf("%sthe end is another one: %s", what, diff)
	}
	if problems := ta.doubled(); len(problems) > 0 {
		t.Errorf("%s%v", what, problems)
	}
}

// dies runs the action until it ends before its time.
func (ta *tale) dies(e event, at int, how ending) (code int, log string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ta.interrupted = func() (context.Context, context.CancelFunc) { return ctx, cancel }
	ta.server.Fault(func(n int, _ *http.Request) ghtest.Fault {
		switch {
		case n < at:
			return ghtest.Fault{}
		case n == at:
			cancel()
			return how.last
		case n <= at+how.warned:
			return ghtest.Fault{}
		}
		return ghtest.Reset()
	})
	code, log = ta.act(e)
	ta.server.Fault(nil)
	ta.interrupted = nil
	return code, log
}

// TestTwoFaults: two things go wrong in one tale.
func TestTwoFaults(t *testing.T) {
	t.Parallel()
	end := undisturbed(t)
	random := rand.New(rand.NewPCG(1, 2))
	tales := 2
	if *faultsFlag == "all" {
		tales = 500
	}
	var cases []func(*testing.T)
	for range tales {
		at := map[int][]int{}
		for len(at) < 2 {
			scene := random.IntN(len(scenes))
			first := 1 + random.IntN(end.requests[scene])
			at[scene] = append(at[scene], first, first+1+random.IntN(4))
		}
		m := misfortunes[random.IntN(len(misfortunes))]
		cases = append(cases, func(t *testing.T) { end.suffers(t, at, m) })
	}
	tryAll(t, cases)
}
