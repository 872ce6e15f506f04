package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/testkit/exectest"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// TestPairsThatBeginTogether: two runs that begin at the same time, their requests
// mixed at random. One of them asks the models and writes everything, the other one
// nothing, and the check of the head is at its end.
func TestPairsThatBeginTogether(t *testing.T) {
	t.Parallel()
	pairs := 10
	if *faultsFlag == "all" {
		pairs = 1000
	}
	alone := begin(t)
	if code, log := alone.act(scenes[0].act(alone)); code != 0 {
		t.Fatalf("code %d\n%s", code, log)
	}
	for _, models := range []bool{true, false} {
		var cases []func(*testing.T)
		for seed := range pairs {
			cases = append(cases, func(t *testing.T) {
				what := fmt.Sprintf("seed %d, models %v", seed, models)
				ta := begin(t)
				if !models {
					maps.DeleteFunc(ta.env, func(name, _ string) bool { return strings.HasSuffix(name, "_API_KEY") })
				}
				ta.both(t, scenes[0].act(ta), rand.New(rand.NewPCG(uint64(seed), 8)))
				for _, problem := range ta.doubled() {
					if !strings.HasPrefix(problem, "check "+ta.pull.Head()+" stands") { // none can be taken back
						t.Errorf("%s: %s", what, problem)
					}
				}
				if n := ta.calls(); models && n != alone.calls() {
					t.Errorf("%s: %d calls, one run makes %d", what, n, alone.calls())
				}
			})
		}
		tryAll(t, cases)
	}
}

// A debate looks for a newer head before each wave of calls, and ends where there is
// one. Of the runs that waited meanwhile GitHub keeps the latest: it reviews the newest
// head, and carries out what all of them were started for.
func TestTheRunThatSurvivesDoesTheWorkOfAll(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{"count.go": count}))
	p := h.open("ada", map[string]string{"count.go": weigh})
	var said []*ghtest.Comment
	var meanwhile sync.Once
	move := false
	minds := vendors(t, func(name string, turn exectest.Turn, packet, key string) string {
		if move {
			meanwhile.Do(func() {
				said = append(said, p.Issue.Comment("mona", "/debate explain F1"), p.Issue.Comment("ada", "/debate dispute F1 nobody counts"))
				p.Push(h.repo.Change(p.Head(), map[string]string{"count.go": weigh + "\nvar b = 2\n"}))
				h.server.Advance(10 * time.Second) // so long a model takes
			})
		}
		return replying(name, turn, packet, key)
	})[:2]
	asked := func() (n int) {
		for _, m := range minds {
			n += len(m.asked())
		}
		return n
	}
	delete(h.inputs, "operator-config")
	h.env = environment(minds)
	h.on(p, "opened").good(t)
	first := asked()
	p.Push(h.repo.Change(p.Head(), map[string]string{"count.go": weigh + "\nvar a = 1\n"}))
	begun, before := p.Head(), first
	move = true
	h.on(p, "synchronize").good(t)
	move = false
	want(t, "questions about a head that moved", asked()-before, len(minds)) // the openings
	want(t, "check of that head", h.check(begun), "neutral")
	h.heard(p.Issue, "olive", "/debate status")
	want(t, "check of the newest head", h.check(p.Head()), "neutral")
	wantText(t, "summary", summaries(p)[0], p.Head()[:12])
	for _, c := range said {
		if got := c.Reactions(ghtest.ActionsBot); !slices.Contains(got, "+1") {
			t.Errorf("%q is answered by %v", c.Body(), got)
		}
	}
	before = asked()
	h.sweep().good(t)
	want(t, "questions of a sweep", asked()-before, 0)
}
