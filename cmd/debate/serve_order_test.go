package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/bot"
	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/long"
)

var (
	ordersFlag = flag.Int("orders", long.Pick(1, 6), "in how many orders deliveries come to the App")
	ordersSeed = flag.Uint64("orders-seed", 1, "of the first order; each has the next one")
)

// fate counts what became of deliveries.
type fate struct{ delivered, repeated, dropped, midway atomic.Int64 }

// TestOrderOfDeliveriesToTheApp: what is delivered in any order, twice, during a job or
// never comes to the same end as what the Action makes of the events in their order. A
// sweep makes up for what never came.
func TestOrderOfDeliveriesToTheApp(t *testing.T) {
	t.Parallel()
	want := inAnyOrder(delivered(t, nil).byAnybody())
	var f fate
	var cases []func(*testing.T)
	for n := range *ordersFlag {
		seed := *ordersSeed + uint64(n)
		cases = append(cases, func(t *testing.T) {
			t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
				if diff := cmp.Diff(want, f.deliver(t, rand.New(rand.NewPCG(seed, 16)))); diff != "" {
					t.Errorf("the end is another one: %s", diff)
				}
			})
		})
	}
	tryAll(t, cases)
	t.Logf("%d orders from seed %d: %d deliveries, %d of them repeated, %d during a job; %d dropped",
		*ordersFlag, *ordersSeed, f.delivered.Load(), f.repeated.Load(), f.midway.Load(), f.dropped.Load())
}

// deliver lets ten things happen and delivers them by chance. It returns what people see
// at the end.
func (f *fate) deliver(t *testing.T, random *rand.Rand) []string {
	s := serveApp(t)
	events := s.happenings(func(e event) { s.happened(t, e) })
	var list []event
	for _, e := range events {
		switch random.IntN(4) {
		case 0:
			f.dropped.Add(1)
		case 1:
			f.repeated.Add(1)
			list = append(list, e, e)
		default:
			list = append(list, e)
		}
	}
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for _, e := range list {
		f.pass(t, s, e, random)
	}
	s.rest(t)
	s.server.Advance(2 * time.Hour)
	s.sweep(t)
	s.check(t)
	s.end(t)
	return inAnyOrder(s.byAnybody())
}

// pass delivers one event, perhaps twice under one id, and waits for what follows from it
// or not.
func (f *fate) pass(t *testing.T, s *appServer, e event, random *rand.Rand) {
	d := s.app.SendEvent(s.repo, e.kind, e.payload)
	f.delivered.Add(1)
	if random.IntN(4) == 0 && d.Status == 202 {
		d = s.app.Again(d)
		f.delivered.Add(1)
		f.repeated.Add(1)
	}
	if d.Status != 202 {
		t.Errorf("%s was answered with %d:\n%s", e.kind, d.Status, s.log)
	}
	if random.IntN(2) == 0 {
		f.midway.Add(1) // the next one comes while this one is worked on
		return
	}
	s.rest(t)
	s.server.Advance(3 * time.Minute)
}

// sweep has the server look at all repositories, as it does every hour.
func (s *appServer) sweep(t *testing.T) {
	t.Helper()
	if d := s.installed.Tell("installation", "created", s.repo); d.Status != 202 { // it may not have read the list yet
		t.Fatalf("the installation was answered with %d:\n%s", d.Status, s.log)
	}
	if err := bot.WantSweeps(context.Background(), s.kept(t), s.server.Now()); err != nil {
		t.Fatal(err)
	}
	s.rest(t)
}

// check fails where something was given up, or stands twice on GitHub.
func (s *appServer) check(t *testing.T) {
	t.Helper()
	if parked, err := s.kept(t).Tasks(t.Context(), database.TaskFilter{Parked: true}); err != nil || len(parked) > 0 {
		t.Errorf("given up: %+v, %v\n%s", parked, err, s.log)
	}
	if problems := s.doubled(); len(problems) > 0 {
		t.Errorf("%v\n%s", problems, s.log)
	}
}
