package debate

import (
	"strconv"
	"testing"
)

// world is a random debate: its settings, its parties, and how they behave. What
// it draws for one purpose depends on its seed and the purpose alone, so that two
// worlds of one seed can be played with one difference.
type world struct {
	*dice    // draws the order of arrival, the clock, and what comes from outside
	seed     int
	first    Received
	head     string
	split    SplitDone
	hits     []CheckedHit
	triggers []Trigger
	skip     string
	parties  []Party
	runs     []Run
	styles   map[string]style
	titles   int           // how many different titles claims have
	creed    DeadlockClass // what most parties say of a deadlock
	pace     int           // most milliseconds between two waves

	calm   bool                        // nothing comes from outside, and the replies of a wave come at one time
	script map[string]Replied          // what is replied to an ask, whatever the style
	edit   func(ask Ask, r *Replied)   // changes a reply before it is given
	now    State                       // when edit is called
	strip  func(s *State, after Event) // changes the state after an event; the log no longer folds to it
}

func newWorld(seed int) *world {
	d := &dice{x: uint64(seed)}
	w := &world{dice: d, seed: seed, first: received(), split: splitDone(), styles: make(map[string]style)}
	w.settings(&w.first.Settings)
	w.first.Mode = pick(d, Standard, Standard, Standard, Minimal, Quick)
	w.first.Anchor.Title = pick(d, "", "make it faster")
	w.head = pick(d, "h0", "h1", "h1")
	w.titles = pick(d, 4, 12, 40)
	w.creed = pick(d, MissingData, Definitional, Definitional, Definitional, Definitional, Definitional, Criteria)
	w.pace = pick(d, 1_000, 20_000, 20_000, 200_000)
	w.history()
	w.change()
	w.table()
	for range d.n(3) {
		w.hits = append(w.hits, hit(pick(d, P1, P2, P3), "", d.chance(90)))
	}
	if d.chance(25) {
		w.triggers = append(w.triggers, Trigger{
			ID: pick(d, TriggerSecurity, TriggerDeploy, TriggerArchitecture), Source: FromPolicy, Class: pick(d, ClassPath, ClassContent), Path: "a.go", Side: Right, Line: 3,
		})
	}
	if d.chance(3) {
		w.skip = "draft"
	}
	if d.chance(30) {
		w.runs = []Run{
			{Ref: "check:1", Name: "tests", Failed: d.chance(80), Path: "a.go", StartLine: 2, EndLine: 2, Changed: d.chance(80), Hash: "x"},
		}
	}
	return w
}

func (w *world) settings(s *Settings) {
	d := w.dice
	s.Opening = pick(d, OpenPosition, OpenParallel, OpenParallel)
	s.MaxRounds = pick(d, 0, 1, 2, 7, 7)
	s.MaxCalls = pick(d, 0, 0, 300, 300, 12)
	s.MaxClaims = pick(d, 0, 0, 2)
	s.MaxDecisions = pick(d, 0, 0, 1)
	s.AllowSameFamily = d.chance(20)
	s.Gate = pick(d, Advisory, Required)
	s.FailOn = pick(d, FailNone, FailP1, FailP2)
	s.AuthorMayDecide = d.chance(10)
	s.AbortIfNoParty = d.chance(10)
	s.Stranger = d.chance(2)
	s.ConfigDefective = d.chance(2)
	s.MaxCostMicro = pick[int64](d, 0, 0, 0, 2_000)
	if d.chance(30) {
		margin := pick(d, 0, 10_000)
		s.TieMarginBP = &margin
	}
}

// history is what earlier heads left, and what people ordered.
func (w *world) history() {
	d := w.dice
	if d.chance(20) {
		w.first.Previous = Previous{
			Head: "h0", Heads: 1 + d.n(3), Segments: []SegmentKey{{Path: "a.go", TextHash: pick(d, "t0", "t1")}},
			Findings: []Carried{{
				ID: "F91", Severity: pick(d, P1, P2), Title: "old one", Present: d.chance(80), Owner: pick(d, "gpt", ""),
				Cite: Citation{Path: "a.go", Side: Right, StartLine: 3, EndLine: 3, Quote: "old one here"},
			}},
		}
	}
	if d.chance(30) {
		w.first.Orders = []Order{{
			Kind: pick(d, OrderDismiss, OrderWaive, OrderReframe, OrderArbiter), Target: pick(d, "F91", "F91", "security", "F90"), Reason: "because",
			By: w.actor(),
		}}
	}
}

func (w *world) actor() Actor {
	return Actor{
		Login: pick(w.dice, "bob", "eve"), Permission: pick(w.dice, NoPermission, ReadAccess, WriteAccess, WriteAccess, MaintainRole, AdminRole),
		Bot: w.chance(10), Author: w.chance(20), OwnsRepo: w.chance(10),
	}
}

func (w *world) change() {
	w.split.Target = pick(w.dice, TargetCode, TargetMixed)
	w.split.Segments = []Segment{
		{ID: "S1", Kind: CodeSegment, Path: "a.go", Side: Right, StartLine: 1, EndLine: 9, TextHash: "t1"},
		{ID: "S2", Kind: CodeSegment, Path: "b.go", Side: Right, StartLine: 1, EndLine: 9, TextHash: "t2"},
		{ID: "S3", Kind: ProposalSegment, Path: BodyPath, Side: Right, StartLine: 1, EndLine: 5, TextHash: "t3"},
	}
	w.split.Coverage = []Coverage{
		{ID: "H1", Path: "a.go", Side: Right, StartLine: 1, EndLine: 9, Additions: 2, Deletions: 1, Segments: []string{"S1"}},
		{ID: "H2", Path: "b.go", Side: Right, StartLine: 1, EndLine: 9, Additions: 1, Segments: []string{"S2"}},
		{ID: "H3", Path: "c.png", Excluded: Media},
		{ID: "H4", Path: BodyPath, Segments: []string{"S3"}},
	}
	w.split.Totals = Totals{Files: 3, Additions: 3, Deletions: 1, Parts: 4}
	w.split.Files = []FileKey{{"a.go", "1"}, {"b.go", "2"}}
	w.split.Chunks = []Chunk{{ID: "X1", Segments: []string{"S1", "S2"}}}
	if w.chance(20) {
		w.split.Chunks = []Chunk{{ID: "X1", Segments: []string{"S1"}}, {ID: "X2", Segments: []string{"S2"}}}
	}
	if w.chance(5) {
		w.split.Coverage[1].Excluded = TooLarge
	}
}

// table seats the parties: all honest, all honest but one, mostly stubborn, or
// anybody.
func (w *world) table() {
	d := w.dice
	families := []string{"anthropic", "openai", "google", "meta"}
	w.parties = append(w.parties, Party{ID: "claude", Role: Primary, Family: "anthropic", Status: PartyOK})
	for i := range 1 + d.n(3) {
		family := families[i+1]
		if d.chance(10) {
			family = "anthropic"
		}
		w.parties = append(w.parties, Party{ID: []string{"gpt", "gemini", "llama"}[i], Role: Challenger, Family: family, Status: PartyOK})
	}
	all := styles()
	odd, temper := d.n(len(w.parties)), d.n(5)
	for i, p := range w.parties {
		switch {
		case temper == 0 || temper == 1 && i != odd:
			w.styles[p.ID] = styleNamed("honest")
		case temper == 4 && d.chance(80):
			w.styles[p.ID] = styleNamed("stubborn")
		case temper == 2 && d.chance(50):
			w.styles[p.ID] = styleNamed("plain")
		default:
			w.styles[p.ID] = all[d.n(len(all))]
		}
	}
	if d.chance(5) {
		w.parties[d.n(len(w.parties))].Status = PartyNotFound
	}
	if d.chance(80) {
		for _, stance := range []Stance{StanceRisk, StanceValue, StanceEffort} {
			w.parties = append(w.parties, Party{ID: string(stance), Role: Judge, Family: "openai", Status: PartyOK})
			w.styles[string(stance)] = pick(d, styleNamed("plain"), styleNamed("honest"), styleNamed("plain"), styleNamed("honest"), styleNamed("silent"))
		}
	}
	if d.chance(80) {
		w.parties = append(w.parties, Party{ID: ArbiterParty, Role: Arbiter, Family: "meta", Status: PartyOK})
		w.styles[ArbiterParty] = styleNamed("plain")
	}
}

// event answers one piece of outstanding work.
func (w *world) event(s State, work Work) Event {
	switch work.Kind {
	case DoSnapshot:
		return Snapshotted{Hash: "h", HeadSHA: w.head, BaseSHA: "b"}
	case DoSplit:
		return w.split
	case DoCritique:
		return Critiqued{Hits: w.hits}
	case DoPolice:
		return Policed{Triggers: w.triggers, Skip: w.skip}
	case DoPreflight:
		return Preflighted{Parties: append([]Party(nil), w.parties...)}
	case DoChecks:
		return Checked{Runs: w.runs}
	case DoPublish:
		return Published{}
	case DoClose:
		return Closed{Outcome: []byte(`{}`)}
	}
	r, known := w.script[work.Ask.ID]
	if !known {
		r = w.reply(s, *work.Ask)
	}
	if w.edit != nil {
		w.now = s
		w.edit(*work.Ask, &r)
	}
	return r
}

// played is a debate after its end.
type played struct {
	*world
	log    []Entry
	states []State // after each entry of the log, from the zero state on
	brief  bool    // only the last state is kept
}

// end is the state after the last event.
func (p played) end() State { return p.states[len(p.states)-1] }

// replies are the replies of a debate by their ask.
func (p played) replies() map[string]Replied {
	script := make(map[string]Replied)
	for _, e := range p.log {
		if r, ok := e.Event.(Replied); ok {
			script[r.Ask] = r
		}
	}
	return script
}

// maxEvents is more than any debate here has: 300 calls, and what is around
// them.
const maxEvents = 400

// outcome plays a world to its end and returns the last state. The ones before it are
// not kept: most debates are played for their end.
func (w *world) outcome() State {
	p := played{world: w, states: []State{{}}, brief: true}
	p.toEnd()
	return p.end()
}

// play plays a world to its end. It panics where the reducer refuses what it
// asked for, or takes what it must refuse, or does not end: the message and the
// seed are all that a test could say.
func (w *world) play() played {
	p := played{world: w, log: make([]Entry, 0, 64), states: make([]State, 1, 64)}
	p.toEnd()
	return p
}

func (p *played) toEnd() {
	w := p.world
	p.take(w.first)
	visits := 0
	if !w.calm {
		visits = pick(w.dice, 0, 0, 3, 8)
	}
	for len(p.log) < maxEvents {
		s := p.end()
		work := Outstanding(s)
		if !w.calm && w.n(40) == 0 {
			p.forge()
		}
		if len(work) == 0 || visits > 0 && w.n(60) == 0 {
			if visits == 0 && len(work) == 0 {
				return
			}
			visits = max(visits-1, 0)
			e := w.outside(s)
			if _, err := Apply(s, Entry{N: s.N + 1, At: s.Clock.At, Event: e}); err == nil {
				p.take(e)
				continue
			}
			if len(work) == 0 {
				continue
			}
		}
		p.take(w.event(s, work[w.n(len(work))]))
	}
	panic("no end after 400 events in stage " + string(p.end().Stage))
}

// take appends an event that the reducer must take.
func (p *played) take(e Event) {
	s := p.end()
	entry := Entry{N: s.N + 1, At: s.Clock.At + p.pause(s), Event: e}
	next, err := Apply(s, entry)
	if err != nil {
		panic(err)
	}
	if p.strip != nil {
		p.strip(&next, e)
	}
	p.log = append(p.log, entry)
	if p.brief {
		p.states = p.states[:0]
	}
	p.states = append(p.states, next)
}

// pause is how long the next event takes, in milliseconds.
func (w *world) pause(s State) int64 {
	if !w.calm {
		return int64(w.n(w.pace) / 2)
	}
	if s.Asking.Wave == nil {
		return 1
	}
	for _, r := range s.Asking.Wave.Replies {
		if r.Ask != "" {
			return 0
		}
	}
	return int64(diceOf(w.seed, "pause "+string(s.Asking.Wave.Kind)+strconv.Itoa(s.Asking.Wave.N)).n(w.pace))
}

func playSeed(t *testing.T, seed int, make func(seed int) *world) played {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("seed %d", seed)
			panic(r)
		}
	}()
	return make(seed).play()
}

// calmWorld is a world in which nothing comes from outside and the clock depends
// neither on how many replies a wave has nor on who is asked.
func calmWorld(seed int) *world {
	w := newWorld(seed)
	w.calm = true
	return w
}

// checkOf is the conclusion of the check with its reason.
func checkOf(s State) (Conclusion, Why) {
	r := s.Conclusion()
	return r.Check, r.Why
}
