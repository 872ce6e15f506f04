package debate

import (
	"cmp"
	"slices"
)

// statedOption is the disposition that a reply names last: its final option, else
// what it opens with or gives the position, else its recommendation.
func statedOption(r *Reply) Disposition {
	last := Disposition("")
	for _, f := range r.FinalOptions {
		if f.Decision == "D0" {
			last = Disposition(f.Option)
		}
	}
	return option(last, r.Disposition, cmp.Or(r.Position, &Restated{}).Disposition, r.Recommendation)
}

// takeStance notes the choice of a party for D0. Of its replies about several chunks the
// worst counts (S13).
func (m *reducer) takeStance(party string, r *Reply) {
	seat, stated := m.Table.seat(party), statedOption(r)
	if party == m.Table.Primary {
		m.comparePosition(stated)
		return
	}
	was, again := seat.Option, seat.OptionAt == m.N
	switch {
	case stated == "", again && !worse(stated, was):
		return
	}
	seat.Option, seat.OptionAt = stated, m.N
	if was == stated {
		return
	}
	why := clip(admitted(r.Changes, PositionSubject, "D0"), 1000)
	m.happened(Fact{Kind: StanceTaken, Who: party, About: "D0", Code: string(stated), Text: why})
	argued := func(a Answer) bool { return a.Move == Accept && a.Text != "" }
	moved := slices.ContainsFunc(r.Changes, Change.admits) || slices.ContainsFunc(r.Answers, argued) // with a reason
	if was != "" && !again && !moved {
		m.ledger(TagRevision, party, string(was)+" became "+string(stated), PositionSubject)
	}
}

// comparePosition compares the primary's last word with its position, which speaks for it. A
// contradiction does not move the position; but it settles nothing, and the primary is asked
// once to explain (R155).
func (m *reducer) comparePosition(stated Disposition) {
	seat, at := m.Table.seat(m.Table.Primary), m.Talk.Position().Disposition
	if stated != "" {
		seat.OptionAt = m.N
	}
	last := len(m.Talk.Positions) - 1 // the last version may recommend something else than the one before
	moved := last > 0 && m.Talk.Positions[last].Disposition != m.Talk.Positions[last-1].Disposition
	switch {
	case stated == "" && !moved:
		return
	case stated == "", stated == at, moved && worse(at, stated): // its concession moved the position further than it says (R095)
		seat.Option = ""
		return
	}
	seat.Option = stated
	m.happened(Fact{Kind: StanceTaken, Who: m.Table.Primary, About: "D0", Code: string(stated)})
	asked := func(k Challenge) bool { return k.reconciles(m.Table.Primary, PositionSubject) && k.Live() }
	if slices.ContainsFunc(m.Book.Challenges, asked) {
		return
	}
	m.drift(m.Table.Primary, PositionSubject, string(at)+" became "+string(stated), "the position was "+string(at))
}
