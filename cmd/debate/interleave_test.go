package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// gate lets the requests of several runs through one at a time, in an order that
// a seed decides.
type gate struct {
	to      http.Handler
	random  *rand.Rand
	mu      sync.Mutex
	live    map[string]bool // runs that have not ended
	waiting []waiting
	busy    bool // a request is answered
}

type waiting struct {
	run  string
	turn chan struct{}
}

// next lets a request through once every run waits for one.
func (g *gate) next() {
	for run := range g.live {
		if g.busy || !slices.ContainsFunc(g.waiting, func(w waiting) bool { return w.run == run }) {
			return
		}
	}
	if len(g.waiting) == 0 {
		return
	}
	slices.SortStableFunc(g.waiting, func(a, b waiting) int { return strings.Compare(a.run, b.run) })
	i := g.random.IntN(len(g.waiting))
	g.busy = true
	close(g.waiting[i].turn)
	g.waiting = slices.Delete(g.waiting, i, i+1)
}

// ServeHTTP takes the first part of the path for the run.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	run, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	r.URL.Path, r.URL.RawPath = "/"+path, ""
	turn := make(chan struct{})
	g.do(func() { g.waiting = append(g.waiting, waiting{run, turn}) })
	<-turn
	defer g.do(func() { g.busy = false })
	g.to.ServeHTTP(w, r)
}

func (g *gate) do(change func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change()
	g.next()
}

// TestInterleavedRuns: two runs for the same event at the same time, their requests
// mixed at random. After one more run there is one summary, one issue for each
// decision and one answer to each command; what was posted twice says so (R22).
func TestInterleavedRuns(t *testing.T) {
	t.Parallel()
	tales := 3
	if *faultsFlag == "all" {
		tales = 200
	}
	var cases []func(*testing.T)
	var twice atomic.Int64
	for seed := range tales {
		cases = append(cases, func(t *testing.T) { interleaved(t, uint64(seed), &twice) })
	}
	tryAll(t, cases)
	// GitHub creates nothing on condition: between a look and an answer, another run
	// can answer.
	if n := twice.Load(); n > int64(tales)/20 {
		t.Errorf("a command was answered twice in %d of %d tales", n, tales)
	}
}

func interleaved(t *testing.T, seed uint64, twice *atomic.Int64) {
	ta := begin(t)
	random := rand.New(rand.NewPCG(seed, 22))
	at := []int{0, 1, 2, 4, 5, 6, 7}[seed%7]
	what := fmt.Sprintf("seed %d, two runs when %s: ", seed, scenes[at].name)
	for i, sc := range scenes {
		e := sc.act(ta)
		if i == at {
			ta.both(t, e, random)
			ta.server.Advance(time.Hour)
		}
		if code, log := ta.act(e); code != 0 {
			t.Errorf("%s%s: code %d\n%s", what, sc.name, code, log)
			return
		}
		if i != at {
			continue
		}
		problems := slices.DeleteFunc(ta.doubled(), func(p string) bool {
			return strings.Contains(p, " stands ") && (strings.HasPrefix(p, "review ") || strings.HasPrefix(p, "check ") || strings.Contains(p, " note ")) // none can be taken back
		})
		problems = slices.DeleteFunc(problems, func(p string) bool {
			again := strings.HasPrefix(p, "conversation reply ")
			if again {
				twice.Add(1)
			}
			return again
		})
		if len(problems) > 0 {
			t.Errorf("%s%v\n%s", what, problems, strings.Join(ta.state(), "\n"))
		}
	}
	for _, i := range ta.repo.Issues() {
		if i.Open() {
			t.Errorf("%sissue %d is open at the end", what, i.Number)
		}
	}
}

// both runs the action twice at the same time for an event.
func (ta *tale) both(t *testing.T, e event, random *rand.Rand) {
	runs := []string{"one", "two"}
	g := &gate{to: ta.server, random: random, live: map[string]bool{}}
	server := httptest.NewServer(g)
	defer server.Close()
	var all sync.WaitGroup
	for _, run := range runs {
		g.live[run] = true
	}
	for i, run := range runs {
		own := *ta
		own.api = server.URL + "/" + run
		system, log := own.system(e, filepath.Join(ta.dir, run), 100+i)
		all.Go(func() {
			if code := cli.Main([]string{"action"}, system); code != 0 {
				t.Logf("run %s: code %d\n%s", run, code, log)
			}
			g.do(func() { delete(g.live, run) })
		})
	}
	all.Wait()
}

// TestOrderOfDeliveries: events come late, twice, or in another order than what
// they tell of happened: they only name the pull request, and the end is the same
// (R07).
func TestOrderOfDeliveries(t *testing.T) {
	t.Parallel()
	tales := 3
	if *faultsFlag == "all" {
		tales = 200
	}
	want := inAnyOrder(delivered(t, nil).state())
	var cases []func(*testing.T)
	for seed := range tales {
		cases = append(cases, func(t *testing.T) {
			got := inAnyOrder(delivered(t, rand.New(rand.NewPCG(uint64(seed), 7))).state())
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("seed %d: the end is another one: %s", seed, diff)
			}
		})
	}
	tryAll(t, cases)
}

// delivered lets ten things happen one after the other, and delivers their events
// in another order, each once or twice.
func delivered(t *testing.T, random *rand.Rand) *tale {
	ta := begin(t)
	events := ta.happenings(func(e event) {
		if code, log := ta.act(e); code != 0 {
			t.Fatalf("code %d\n%s", code, log)
		}
	})
	if random != nil {
		again := slices.DeleteFunc(slices.Clone(events), func(event) bool { return random.IntN(3) > 0 })
		events = append(events, again...)
		random.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
	}
	for i, e := range events {
		if code, log := ta.act(e); code != 0 {
			t.Errorf("event %d (%s): code %d\n%s", i, e.kind, code, log)
		}
	}
	if problems := ta.doubled(); len(problems) > 0 {
		t.Errorf("%v", problems)
	}
	return ta
}

// happenings are ten things that happen one after the other. What follows from the first
// happens before the second, so that there are findings to speak of, and an issue.
func (ta *tale) happenings(first func(event)) (events []event) {
	happen := func(act func(*tale) event) { events = append(events, act(ta)) }
	say := func(who, text string) func(*tale) event {
		return func(ta *tale) event {
			c := ta.pull.Comment(who, text)
			return ta.event("issue_comment", "created", ghtest.Happening{Issue: ta.pull.Issue, Comment: c})
		}
	}
	happen(scenes[0].act)
	first(events[0])
	happen(scenes[2].act)
	happen(say("ada", "/debate dispute F3 The list is never empty here."))
	happen(say("olive", "/debate dismiss F2 I do not care."))
	happen(say("olive", "/debate decide D0 keep It is fine."))
	happen(scenes[4].act)
	happen(say("ada", "What do you think of it?"))
	happen(scenes[6].act)
	happen(say("mona", "/debate help"))
	happen(say("mona", "/debate dismiss F1 Callers check it."))
	return events
}

// inAnyOrder is a state whose answers stand in the order of neither the questions nor the
// runs.
func inAnyOrder(state []string) []string {
	state = withoutEyes(state)
	slices.Sort(state)
	return state
}

// withoutEyes is a state without the reactions that say that an answer takes long.
func withoutEyes(state []string) []string {
	without := slices.Clone(state)
	for i := range without {
		without[i] = strings.Replace(without[i], " eyes]", "]", 1)
	}
	return without
}
