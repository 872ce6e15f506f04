package debatetest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/prompt"
)

// The clock of every world: it starts at a fixed instant and ticks once for each
// event.
const (
	start    = 1_767_348_900_000 // 2026-01-02 10:15:00 UTC, Unix milliseconds
	tick     = 1000
	maxSteps = 2000 // events of one debate
)

// The commits of every world.
const (
	Base = "1111111111111111111111111111111111111111"
	Head = "2222222222222222222222222222222222222222"
)

// Party answers what it is asked. It may look at the whole state; a party that
// is honest looks only at what its prompt would show.
type Party func(s debate.State, ask debate.Ask) debate.Replied

// World is everything that happens in a debate except what its parties say. The
// zero value is a first review of Cart by nobody.
type World struct {
	Received   debate.Received // what is not set gets a usual value
	Change     *Change         // nil: Cart
	ChunkBytes int             // of one chunk; 0: everything is one
	Hits       []debate.Hit
	Triggers   []debate.Trigger
	Known      []debate.Known
	Skip       string
	Runs       []debate.Run
	Parties    []debate.Party
	Cost       int64 // of each call, in millionths of a US dollar
	Then       []Occurrence
}

// Occurrence is something that happens after an event: after the next one of
// its kind, or after the reply to an ask. Of several that wait for the same,
// each takes one.
type Occurrence struct {
	After   string // kind of an event, or id of an ask
	Seconds int64  // that pass before it
	Event   func(debate.State) debate.Event
}

// Order is the order in which replies of one wave arrive.
type Order uint64

// The orders beside the shuffled ones: every other number is the seed of one.
const (
	Forward Order = 0
	Reverse Order = 1
)

// Play plays a debate to its end and returns the last state and its log. Parties
// are found by their ids.
func Play(w World, cast map[string]Party, order Order) (debate.State, []debate.Entry, error) {
	return w.play(order, func(s debate.State, ask debate.Ask) (debate.Replied, error) {
		party, ok := cast[ask.Party]
		if !ok { // a second context is played by who serves it
			party, ok = cast[server(s, ask.Party)]
		}
		if !ok {
			return debate.Replied{}, fmt.Errorf("nobody plays %s", ask.Party)
		}
		return party(s, ask), nil
	})
}

// server is the debater that serves a party.
func server(s debate.State, party string) string {
	for _, p := range s.Table.Parties {
		if p.ID == party {
			return p.Debater
		}
	}
	return ""
}

type answers func(debate.State, debate.Ask) (debate.Replied, error)

// player is one debate that is being played.
type player struct {
	World
	order  random
	turned Order
	fired  []bool // of Then
	at     int64
	state  debate.State
	log    []debate.Entry
}

func (w World) play(order Order, answer answers) (debate.State, []debate.Entry, error) {
	if w.Change == nil {
		w.Change = Cart()
	}
	p := &player{World: w, order: random(order), turned: order, fired: make([]bool, len(w.Then)), at: start}
	err := p.run(answer)
	return p.state, p.log, err
}

func (p *player) run(answer answers) error {
	if err := p.happens("received", p.received()); err != nil {
		return err
	}
	for len(p.log) < maxSteps {
		work := debate.Outstanding(p.state)
		if len(work) == 0 {
			return p.unfired()
		}
		event, name, err := p.work(work[p.pick(len(work))], answer)
		if err != nil {
			return err
		}
		if err := p.happens(name, event); err != nil {
			return err
		}
	}
	return errors.New("the debate does not end")
}

func (p *player) pick(n int) int {
	switch p.turned {
	case Forward:
		return 0
	case Reverse:
		return n - 1
	}
	return p.order.below(n)
}

// happens folds one event, as a record would give it back, and what follows it.
func (p *player) happens(name string, event debate.Event) error {
	recorded, err := debate.Recorded(event)
	if err != nil {
		return err
	}
	entry := debate.Entry{N: p.state.N + 1, At: p.at, Event: recorded}
	next, err := debate.Apply(p.state, entry)
	if err != nil {
		return err
	}
	p.state, p.log = next, append(p.log, entry)
	p.at += tick
	for i, o := range p.Then {
		if p.fired[i] || o.After != name {
			continue
		}
		p.fired[i] = true
		p.at += o.Seconds * 1000
		if o.Event == nil {
			return nil
		}
		event := o.Event(p.state)
		return p.happens(string(debate.KindOf(event)), event)
	}
	return nil
}

func (p *player) unfired() error {
	if i := slices.Index(p.fired, false); i >= 0 {
		return fmt.Errorf("the debate is over, and what should follow %s did not happen", p.Then[i].After)
	}
	return nil
}

// work does one piece of outstanding work and names what came of it.
func (p *player) work(w debate.Work, answer answers) (debate.Event, string, error) {
	event := debate.Event(nil)
	switch w.Kind {
	case debate.DoSnapshot:
		event = debate.Snapshotted{Scope: p.state.Received.Scope, BaseSHA: Base, HeadSHA: Head, Hash: "00"}
	case debate.DoSplit:
		event = p.Change.split(p.state.Received, p.ChunkBytes)
	case debate.DoCritique:
		event = p.critique()
	case debate.DoPolice:
		event = debate.Policed{Triggers: p.Triggers, Skip: p.Skip, Known: p.Known}
	case debate.DoPreflight:
		event = debate.Preflighted{Parties: p.Parties}
	case debate.DoChecks:
		event = debate.Checked{Runs: p.Runs}
	case debate.DoPublish:
		event = debate.Published{Sinks: []string{"test"}}
	case debate.DoClose:
		event = debate.Closed{Outcome: json.RawMessage("{}")}
	case debate.DoCall:
		r, err := answer(p.state, *w.Ask)
		if err != nil {
			return nil, "", fmt.Errorf("%w\n%s", err, essentials(p.state, *w.Ask))
		}
		r.Ask, r.Usage.CostMicro = w.Ask.ID, p.Cost
		if r.Reply != nil {
			p.Change.resolve(r.Reply)
		}
		return r, w.Ask.ID, nil
	default:
		return nil, "", fmt.Errorf("no way to do the work %q", w.Kind)
	}
	return event, string(debate.KindOf(event)), nil
}

// received fills in what a script or a test leaves out.
func (p *player) received() debate.Received {
	r := p.Received
	r.Protocol, r.SessionID, r.Seed = debate.ProtocolVersion, "debate-20260102-101500-1", "00112233445566778899aabbccddeeff"
	r.Scope = cmp.Or(r.Scope, "range:"+Base[:7]+".."+Head[:7])
	r.Mode = cmp.Or(r.Mode, debate.Standard)
	r.Target = cmp.Or(r.Target, debate.TargetAuto)
	if r.Anchor.Repo == "" {
		r.Anchor.Repo, r.Anchor.PR = "shop/shop", 7
	}
	r.Anchor.Intent = p.Change.body
	r.Settings.Gate = cmp.Or(r.Settings.Gate, debate.Advisory)
	r.Settings.FailOn = cmp.Or(r.Settings.FailOn, debate.FailNone)
	return r
}

func (p *player) critique() debate.Critiqued {
	var hits []debate.CheckedHit
	for _, h := range p.Hits {
		hits = append(hits, debate.CheckedHit{
			Hit: h, CitationOK: p.Change.index.Verbatim(h.Cite),
		})
	}
	return debate.Critiqued{Hits: hits}
}

// Say is a reply that could be read.
func Say(r debate.Reply) debate.Replied {
	return debate.Replied{Status: debate.CallOK, Reading: debate.ReadJSON, Reply: &r}
}

// Write is a reply as a model wrote it, read by the parse ladder.
func Write(kind debate.CallKind, raw string) debate.Replied {
	r := debate.Replied{Status: debate.CallOK, Raw: raw}
	res, err := prompt.Read(kind, []byte(raw))
	var format *prompt.FormatError
	if errors.As(err, &format) {
		r.Status, r.Reading, r.Detail = debate.CallMalformed, debate.ReadWrapped, format.Why
		return r
	}
	r.Reply, r.Reading, r.Ignored, r.Dropped = res.Reply, res.Reading, res.Ignored, res.Dropped
	return r
}

// Fail is a call that came to nothing.
func Fail(status debate.CallStatus) debate.Replied { return debate.Replied{Status: status} }

// random is a small deterministic generator (splitmix64). Choices of a test come
// from the seed of the test and from nothing else.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below draws from 0 to n-1.
func (r *random) below(n int) int { return int(r.next() % uint64(n)) }
