package main

import (
	"flag"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/databasetest"
	"github.com/prdebate/debate/internal/testkit/exectest"
	"github.com/prdebate/debate/internal/testkit/long"
)

var (
	pairsFlag = flag.Int("pairs", long.Pick(0, 6), "how often to kill one of two servers, or to take its database")
	pairsSeed = flag.Uint64("pairs-seed", 1, "with which the moments are drawn")
	pairsFor  = flag.Duration("pairs-for", 1500*time.Millisecond, "how long it is away, at most; 90s shows what the other one takes over")
)

// takenWithin is how soon the work of a server that is gone has to go on elsewhere.
const takenWithin = time.Minute

// peer is one of two servers that share a database. It has models of its own, so that a test
// knows who asked.
type peer struct {
	*killable
	valve *valve
	gone  []absence
	lives []life
}

// absence is a time in which a server did nothing.
type absence struct{ from, to time.Time }

// life is a process of a server, from its start to its end.
type life struct {
	log   *lines
	ended time.Time // zero while it goes on
}

// pair is two servers with one database.
type pair struct {
	*killable // what both work on
	peers     []*peer
}

// newPair starts two servers with one PostgreSQL.
func newPair(t *testing.T, address string) *pair {
	t.Helper()
	p := &pair{killable: killableApp(t, address)}
	p.log = newLines() // each has one of its own
	for _, name := range []string{"one", "two"} {
		v, through := newValve(t, address)
		world := *p.tale
		world.providers = vendors(t, replying)[:2]
		s := &peer{killable: &killable{tale: &world, app: p.app, database: through, node: name, program: p.program}, valve: v}
		s.start(t)
		p.peers = append(p.peers, s)
	}
	p.providers = slices.Concat(p.peers[0].providers, p.peers[1].providers)
	return p
}

func (s *peer) start(t testing.TB) {
	t.Helper()
	s.killable.start(t)
	s.lives = append(s.lives, life{log: s.log})
}

// die ends the process as a power cut does.
func (s *peer) die() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait() // it says that it was killed
	s.lives[len(s.lives)-1].ended = time.Now()
}

// toEither delivers to one of the servers, whether it is there or not.
func (p *pair) toEither(random *rand.Rand) { p.app.SetHook(p.peers[random.IntN(2)].hook) }

// strike has whichever server makes a coming call of a model go away before the answer.
func (p *pair) strike(call int64, away func(s *peer)) (struck chan *peer) {
	struck = make(chan *peer, 1)
	var calls atomic.Int64
	for _, s := range p.peers {
		for _, v := range s.providers {
			v.setMind(func(name string, turn exectest.Turn, packet, key string) string {
				if calls.Add(1) == call {
					away(s)
					struck <- s
				}
				return replying(name, turn, packet, key)
			})
		}
	}
	return struck
}

// TestServePair: two servers with one database review each pull request once, and never both
// at the same time, however often one of them is killed or loses the database. What it was
// doing goes on within a minute.
func TestServePair(t *testing.T) {
	if *pairsFlag == 0 {
		long.Only(t)
	}
	t.Parallel()
	address := databasetest.Postgres(t)
	p := newPair(t, address)
	db, err := database.Open(t.Context(), address, database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	random := rand.New(rand.NewPCG(*pairsSeed, 7))
	killed := 0
	for range *pairsFlag {
		kill := random.IntN(2) == 0
		struck := p.strike(1+random.Int64N(fewestCalls), func(s *peer) {
			from := time.Now()
			if kill {
				s.die()
			} else {
				s.valve.begin(t)
			}
			s.gone = append(s.gone, absence{from: from})
		})
		p.someWork(t, random)
		s := within(t, p.log, struck)
		p.someWork(t, random)
		<-time.After(time.Duration(random.Int64N(int64(*pairsFor)))) // how long it is away is drawn
		s.gone[len(s.gone)-1].to = time.Now()
		if kill {
			killed++
			s.start(t)
		} else {
			s.valve.end(t)
		}
		p.redeliver(t, random)
	}
	p.inherit(t, db, random)
	for _, s := range p.peers {
		if s.lives[len(s.lives)-1].ended.IsZero() {
			s.die()
		}
	}
	p.check(t, db, *pairsFlag+1)
	longest, taken := p.takeovers(t)
	if taken == 0 {
		t.Error("nobody took anything over")
	}
	jobs := p.overlaps(t)
	t.Logf("%d kills, %d cuts, %d jobs of pull requests; %d times the other server took over, the longest %s after the end",
		killed, *pairsFlag-killed, jobs, taken, longest.Round(time.Second/10))
}

// inherit has one server do what another left that never comes back. It is made to look as if
// that had been silent for long: to wait for that takes most of a minute.
func (p *pair) inherit(t *testing.T, db *database.DB, random *rand.Rand) {
	t.Helper()
	struck := p.strike(1, func(s *peer) {
		s.gone = append(s.gone, absence{from: time.Now()})
		s.die()
	})
	p.someWork(t, random)
	s := within(t, p.log, struck)
	if err := db.Beat(t.Context(), s.node, time.Now().Add(-takenWithin).UnixMilli()); err != nil {
		t.Fatal(err)
	}
	for _, other := range p.peers {
		if other != s {
			p.app.SetHook(other.hook)
		}
	}
	p.killable.redeliver(t)
	p.finish(t, db)
	s.gone[len(s.gone)-1].to = time.Now()
}

// someWork opens a pull request and pushes to two, and tells either server.
func (p *pair) someWork(t *testing.T, random *rand.Rand) {
	t.Helper()
	p.toEither(random)
	p.open(t)
	for range 2 {
		p.toEither(random)
		p.push(t, random)
	}
}

// redeliver delivers what is owed until either takes it.
func (p *pair) redeliver(t *testing.T, random *rand.Rand) {
	t.Helper()
	p.toEither(random)
	p.killable.redeliver(t)
}

var (
	tookOver = regexp.MustCompile(`(?m)^time=(\S+) .*msg="a node is gone, its jobs run here or elsewhere" node=(\S+) jobs=(\d+)`)
	begins   = regexp.MustCompile(`^time=(\S+) level=INFO msg="pull request #(\d+) at `)
	ends     = regexp.MustCompile(`^time=(\S+) .*msg=(?:"task done"|failed|cut|gone) pull_request=acme/app#(\d+)\s`)
)

// takeovers compares when servers were gone with when the other one took over.
func (p *pair) takeovers(t *testing.T) (longest time.Duration, taken int) {
	t.Helper()
	for i, s := range p.peers {
		var log strings.Builder
		for _, l := range p.peers[1-i].lives {
			log.WriteString(l.log.String())
		}
		var at []time.Time
		for _, found := range tookOver.FindAllStringSubmatch(log.String(), -1) {
			if found[2] == s.node && found[3] != "0" {
				at = append(at, moment(t, found[1]))
			}
		}
		for _, a := range s.gone {
			n := slices.IndexFunc(at, func(when time.Time) bool { return when.After(a.from) && when.Before(a.to) })
			switch {
			case n >= 0:
				taken++
				longest = max(longest, at[n].Sub(a.from))
			case a.to.Sub(a.from) > takenWithin:
				t.Errorf("server %s was gone at %s for %s, and nobody took over:\n%s", s.node, a.from, a.to.Sub(a.from), log.String())
			}
		}
	}
	if longest > takenWithin {
		t.Errorf("a server took over %s after the end of the other", longest)
	}
	return longest, taken
}

func moment(t *testing.T, stamp string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// stint is a time in which a server worked on a pull request.
type stint struct {
	node     string
	from, to time.Time
}

// overlaps fails where both servers worked on a pull request at the same time, by their own
// words. It returns how often one did.
func (p *pair) overlaps(t *testing.T) (jobs int) {
	t.Helper()
	all := map[string][]stint{}
	for _, s := range p.peers {
		for _, l := range s.lives {
			for pull, list := range l.jobs(t, s.node) {
				all[pull] = append(all[pull], list...)
				jobs += len(list)
			}
		}
	}
	for pull, list := range all {
		slices.SortFunc(list, func(a, b stint) int { return a.from.Compare(b.from) })
		for i, j := range list[1:] {
			if before := list[i]; before.node != j.node && j.from.Before(before.to) {
				t.Errorf("#%s: server %s worked on it from %s to %s, and server %s from %s:\n%s", pull, before.node, before.from, before.to, j.node, j.from, p.about(pull))
			}
		}
	}
	return jobs
}

// about is what both servers say of a pull request.
func (p *pair) about(pull string) string {
	var b strings.Builder
	for _, s := range p.peers {
		for _, l := range s.lives {
			for line := range strings.Lines(l.log.String()) {
				if strings.Contains(line+" ", "pull_request=acme/app#"+pull) {
					b.WriteString(s.node + " " + line)
				}
			}
		}
	}
	return b.String()
}

// jobs are what a process did, by the number of the pull request.
func (l life) jobs(t *testing.T, node string) map[string][]stint {
	t.Helper()
	all, open := map[string][]stint{}, map[string]time.Time{}
	for line := range strings.Lines(l.log.String()) {
		if found := begins.FindStringSubmatch(line); found != nil && open[found[2]].IsZero() {
			open[found[2]] = moment(t, found[1])
		}
		if found := ends.FindStringSubmatch(line); found != nil && !open[found[2]].IsZero() {
			all[found[2]] = append(all[found[2]], stint{node, open[found[2]], moment(t, found[1])})
			delete(open, found[2])
		}
	}
	for pull, from := range open {
		all[pull] = append(all[pull], stint{node, from, l.ended})
	}
	return all
}
