package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// Role of a party.
type Role string

const (
	Primary    Role = "primary"
	Challenger Role = "challenger"
	Judge      Role = "judge"
	Arbiter    Role = "arbiter"
)

// PartyStatus is whether a party can take part.
type PartyStatus string

const (
	PartyOK         PartyStatus = "ok"
	PartyTimeout    PartyStatus = "timeout"
	PartyAuth       PartyStatus = "auth"
	PartyNotFound   PartyStatus = "not_found"
	PartyParse      PartyStatus = "parse"
	PartyQuality    PartyStatus = "quality"
	PartyError      PartyStatus = "error"
	PartySameFamily PartyStatus = "same_family" // may not challenge a primary of its own family
)

// Party is one participant of a debate. A judge's id is its stance; a judge and
// an arbiter may be served by the same model as a debater, in a fresh context.
type Party struct {
	ID       string      `json:"id"`
	Role     Role        `json:"role"`
	Provider string      `json:"provider,omitempty"`
	Model    string      `json:"model,omitempty"`
	Family   string      `json:"family,omitempty"`
	Persona  string      `json:"persona,omitempty"`   // e.g. skeptic
	Debater  string      `json:"debater,omitempty"`   // of a judge, an arbiter or a second context: the debater with the same model, "" for none
	TimeoutS int         `json:"timeout_s,omitempty"` // of one call; 0: the default
	Key      string      `json:"key,omitempty"`       // the variable of its key, "" if it needs none
	Status   PartyStatus `json:"status"`
	Detail   string      `json:"detail,omitempty"` // why it cannot take part
}

// failed reports whether a debater cannot take part, though it may.
func (p Party) failed() bool {
	return p.Debates() && !slices.Contains([]PartyStatus{PartyOK, PartySameFamily}, p.Status)
}

// Table has the participants: the configured parties, and the seats of the debaters.
type Table struct {
	Preflighted bool // the parties are known
	Parties     []Party
	Seats       []Seat // of the debaters, in party order
	Primary     string // id of the primary; a successor may replace it
	PrimaryLost bool
	SameFamily  bool // a challenger is of the primary's family
}

// Engagement is the attitude in a challenger's verdict (R093).
type Engagement string

// The engagements. An abstention is no agreement.
const (
	Agrees    Engagement = "agree"
	Partially Engagement = "partial"
	Disagrees Engagement = "disagree"
	Abstains  Engagement = "abstain"
)

// Seat is the progress and the view of a party in the debate.
type Seat struct {
	Party      string
	Lost       bool    // it takes no further part
	Failures   int     // failed exchanges in a row
	Verdict    Verdict // as it declared it, the harshest of its chunks
	Engagement Engagement
	Substance  bool // its replies show a look at the change (R092)
	Drifts     int  // unacknowledged changes of mind
	SpokeAt    int  // number of the event of its last valid reply

	Option   Disposition // for D0, "" if it is silent; of the primary only a contradiction of its position
	OptionAt int         // event in which it named an option last
	Options  []FinalOption

	WhyDisagree    string
	RightIf        string
	CoreAssumption string
	TestableBy     string
}

// Needs is the evidence the party would need to choose otherwise for a decision, "" if it did
// not say.
func (s Seat) Needs(decision string) string {
	for _, f := range s.Options {
		if f.Decision == decision {
			return f.Needs
		}
	}
	return ""
}

func (s *Seat) party() string { return s.Party }

// healthy reports whether the party answered when it was asked last.
func (s *Seat) healthy() bool { return s.Active() && s.Failures == 0 }

// Active reports whether the party still debates.
func (s Seat) Active() bool { return !s.Lost }

// differs reports whether a party names another option for D0 than a position.
func (s *Seat) differs(at Disposition) bool { return s.Option != "" && s.Option != at }

func (t *Table) party(id string) *Party {
	return lists.Pointer(t.Parties, func(p *Party) bool { return p.ID == id })
}

// seat returns the seat of a debater, or nil.
func (t *Table) seat(party string) *Seat {
	return lists.Pointer(t.Seats, func(s *Seat) bool { return s.Party == party })
}

// fares is the seat of a party, the zero value if it is no debater.
func (t *Table) fares(party string) Seat { return *cmp.Or(t.seat(party), &Seat{}) }

// maxDrifts is the number of unacknowledged changes of mind at which a party is dropped (R164).
const maxDrifts = 2

// families are the families of some parties, each once.
func (t *Table) families(names []string) []string {
	named := lists.Keep(t.Parties, func(p Party) bool { return slices.Contains(names, p.ID) })
	return lists.Once(lists.Map(named, func(p Party) string { return p.Family }))
}

// sits reports whether a party is still at the table.
func (t *Table) sits(party string) bool {
	seat := t.seat(party)
	return seat != nil && seat.Active()
}

// voice is the voice of a party: its family, or the party itself if there is only one family at
// the table (M02).
func (t *Table) voice(party string) string {
	active := lists.Keep(t.Seats, Seat.Active)
	families := lists.Once(lists.Map(active, func(seat Seat) string { return t.party(seat.Party).Family }))
	if p := t.party(party); p != nil && len(families) > 1 {
		return p.Family
	}
	return party
}

// Debates reports whether a party takes part in the debate itself.
func (p Party) Debates() bool { return p.Role == Primary || p.Role == Challenger }

// challengers are the debaters without the primary that still take part, in party order.
func (t *Table) challengers() []*Seat {
	var active []*Seat
	for i := range t.Seats {
		if seat := &t.Seats[i]; seat.Active() && seat.Party != t.Primary {
			active = append(active, seat)
		}
	}
	return active
}

// reserve replaces a lost party behind a judge or an arbiter by one that takes part. It returns
// them with their new parties.
func (t *Table) reserve(lost string) []Party {
	var moved []Party
	able := lists.Keep(t.Seats, Seat.Active)
	if len(able) == 0 {
		return nil
	}
	for i := range t.Parties {
		p := &t.Parties[i]
		switch {
		case p.Debates(), p.Debater != lost, p.Status != PartyOK:
			continue
		}
		by := t.party(able[i%len(able)].Party)
		p.Debater = cmp.Or(by.Debater, by.ID)
		p.Provider, p.Model, p.Family, p.TimeoutS = by.Provider, by.Model, by.Family, by.TimeoutS
		moved = append(moved, *p)
	}
	return moved
}

func (t Table) clone() Table {
	t.Parties = slices.Clone(t.Parties)
	t.Seats = lists.Changed(t.Seats, func(s *Seat) { s.Options = slices.Clone(s.Options) })
	return t
}

// abstains reports whether a party names none of its checks: its word confirms nothing (R093).
func (s *Table) abstains(party string) bool {
	return s.fares(party).Engagement == Abstains
}
