package debate

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
)

// TestMain lets the heap grow: random debates are short and leave nothing behind, so
// that collecting their garbage as often as usual takes longer than playing them.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	os.Exit(m.Run())
}

// property says how a debate breaks it, or "".
type property struct {
	name   string
	broken func(p played) string
}

// TestWorldsProperty checks, over random debates into which people and accidents
// break, all that can be seen of one debate alone.
func TestWorldsProperty(t *testing.T) {
	t.Parallel()
	w := walk{make: newWorld}
	w.check(1, ofReplay()...)
	w.check(1, ofClaims()...)
	w.check(1, ofDecisions()...)
	w.check(1, ofBounds()...)
	w.check(3, ofRecall()...)
	w.run(t)
}

// TestCalmWorldsProperty checks, over random debates, what becomes of each if it is
// played again with one difference.
func TestCalmWorldsProperty(t *testing.T) {
	t.Parallel()
	w := walk{make: calmWorld}
	w.check(1, property{"P30", arrivesInAnyOrder}, property{"names change nothing", namesChangeNothing})
	w.check(1, property{"P33", decisionSurvives}, property{"a keep accepts its triggers", keepCoversItsTriggers})
	w.check(1, ofHelp()...)
	w.check(3, ofIndifference()...)
	w.check(5, property{"garbled", survivesGarbled})
	w.run(t)
}

// walk plays each random debate once, and checks on it all properties that are about
// debates of its kind.
type walk struct {
	make   func(seed int) *world
	groups []group

	mu     sync.Mutex // of broken
	broken map[string][]int
}

// group are properties that are checked on one of so many debates.
type group struct {
	of         int
	properties []property
}

func (w *walk) check(of int, list ...property) { w.groups = append(w.groups, group{of, list}) }

// run plays debates on all cores and tells which seeds break a property.
func (w *walk) run(t *testing.T) {
	t.Helper()
	w.broken = make(map[string][]int)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for n := int(next.Add(1)) - 1; n < *walks; n = int(next.Add(1)) - 1 {
				w.step(t, *walkFrom+n, func(g group) bool { return n%g.of == 0 })
			}
		})
	}
	for _, seed := range brokenOnce() {
		w.step(t, seed, func(group) bool { return true })
	}
	workers.Wait()
	for name, seeds := range w.broken {
		t.Errorf("%s is broken in %d of %d debates, among them %v", name, len(seeds), *walks, seeds[:min(len(seeds), 20)])
	}
}

// brokenOnce are seeds beyond the short sample that broke a property once.
func brokenOnce() []int {
	return []int{
		1203, 1766, 2196, 2677, 2791, 2859, 3132, 3700, 3718, 3775, 3824, 4018, 4120, 4123, 4251, 4261, 4582, 4780, 4822, 5584, 5779, 6015, 6067, 6782, 6921, 7808, 9192, 9329, 9354, 9393,
		9633, 9658, 13408, 13619, 14622, 15817, 16227, 17014, 17658, 17763, 17773, 19344, 20353, 20900, 21812, 22281, 22298, 22579, 22667, 23443, 23768, 24325, 24527,
		25005, 26713, 27238, 28321, 33255, 33932, 35054, 35192, 35333, 35537, 38735, 39250, 39376, 39484, 47651, 49905, 51352, 51818, 53104, 54913, 55353, 61998,
		63271, 63817, 70642, 70781, 88690, 98506, 302287, 402772, 702440, 991038,
	}
}

// step plays one debate, and checks some groups of properties on it.
func (w *walk) step(t *testing.T, seed int, some func(group) bool) {
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("seed %d", seed)
			panic(r)
		}
	}()
	var p *played
	for _, g := range w.groups {
		if !some(g) {
			continue
		}
		if p == nil {
			whole := w.make(seed).play()
			p = &whole
		}
		for _, x := range g.properties {
			if why := x.broken(*p); why != "" {
				w.note(t, seed, x, *p, why)
			}
		}
	}
}

// note says how a debate breaks a property: three of them, and all words of the first.
func (w *walk) note(t *testing.T, seed int, x property, p played, why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken[x.name] = append(w.broken[x.name], seed)
	if len(w.broken[x.name]) <= 3 {
		t.Errorf("seed %d: %s: %s", seed, x.name, why)
	}
	if len(w.broken[x.name]) == 1 {
		t.Logf("the debate of seed %d:\n%s", seed, p.script())
	}
}

// each checks properties on debates of a kind of their own. A share of 3 plays one
// of three.
func each(t *testing.T, properties []property, make func(seed int) *world, share ...int) {
	t.Helper()
	w := walk{make: make}
	w.check(append(share, 1)[0], properties...)
	w.run(t)
}

// reach counts what random debates come to.
type reach struct {
	mu sync.Mutex
	of map[string]int
}

func (r *reach) count(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = make(map[string]int)
	}
	r.of[what]++
}
