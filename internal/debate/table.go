package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// Table has the participants: the configured parties, and the seats of the debaters.
type Table struct {
	Preflighted bool // the parties are known
	Parties     []Party
	Seats       []Seat // of the debaters, in party order
	Primary     string // id of the primary; a successor may replace it
	PrimaryLost bool
	SameFamily  bool // a challenger is of the primary's family
}

func (t *Table) party(id string) *Party {
	return find(t.Parties, func(p *Party) bool { return p.ID == id })
}

// seat returns the seat of a debater, or nil.
func (t *Table) seat(party string) *Seat {
	return find(t.Seats, func(s *Seat) bool { return s.Party == party })
}

// fares is the seat of a party, the zero value if it is no debater.
func (t *Table) fares(party string) Seat { return *cmp.Or(t.seat(party), &Seat{}) }

// maxDrifts is the number of unacknowledged changes of mind at which a party is dropped (R164).
const maxDrifts = 2

// families are the families of some parties, each once.
func (t *Table) families(names []string) []string {
	named := lists.Keep(t.Parties, func(p Party) bool { return slices.Contains(names, p.ID) })
	return once(lists.Map(named, func(p Party) string { return p.Family }))
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
	families := once(lists.Map(active, func(seat Seat) string { return t.party(seat.Party).Family }))
	if p := t.party(party); p != nil && len(families) > 1 {
		return p.Family
	}
	return party
}

// debates reports whether a party takes part in the debate itself.
func (p Party) debates() bool { return slices.Contains([]Role{Primary, Challenger}, p.Role) }

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
		case p.debates(), p.Debater != lost, p.Status != PartyOK:
			continue
		}
		by := t.party(able[i%len(able)].Party)
		p.Debater = cmp.Or(by.Debater, by.ID)
		p.Provider, p.Model, p.Family, p.TimeoutS = by.Provider, by.Model, by.Family, by.TimeoutS
		moved = append(moved, *p)
	}
	return moved
}

// lacks reports whether a configured debater cannot take part.
func (t *Table) lacks() bool {
	return slices.ContainsFunc(t.Parties, Party.failed)
}

func (t Table) clone() Table {
	t.Parties = cloned(t.Parties)
	t.Seats = changed(t.Seats, func(s *Seat) { s.Options = cloned(s.Options) })
	return t
}
