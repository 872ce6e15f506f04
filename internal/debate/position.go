package debate

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/lists"
)

// Position is one version of the primary's position. Versions are 1, 2, ... and never change
// (R106).
type Position struct {
	Version     int
	AfterN      int
	By          string // the primary at that time
	Disposition Disposition
	Summary     string
	Confidence  Declared
	Weaknesses  []string
	Assumptions []string
	Claims      []string // ids of the primary's claims
	Because     []Because
}

// Because is the reason and the source of one change of the position.
type Because struct {
	Challenge string
	Party     string
	Move      Move
	Granted   string `json:",omitempty"` // the words of the objection, if no option says what was granted
	Reason    string
}

// takes adds the next version of the position, after exchange n, with the claims of its author.
func (m *reducer) takes(p Position, n int) {
	p.Version, p.AfterN = len(m.Talk.Positions)+1, n
	p.Claims = m.Book.claimsThat(func(c *Claim) bool { return c.Owner == p.By })
	m.Talk.Positions = append(m.Talk.Positions, p)
	m.happened(Fact{Kind: PositionTaken, Who: p.By, About: "v" + strconv.Itoa(p.Version), Code: string(p.Disposition), Text: p.Summary})
}

// Opened is a party's first word about the change, or one chunk of it, before it heard others.
type Opened struct {
	Party       string
	Chunk       string
	Disposition Disposition
	Summary     string
	Confidence  Declared
	Reasoning   []string
	Weaknesses  []string
	Assumptions []string
	Looked      bool // it cites valid lines
}

const maxReasons = 20 // of one opening

// opens keeps the opening of a party.
func (t *Talk) opens(x said) {
	r := x.Reply
	t.Openings = append(t.Openings, Opened{
		Party: x.Party, Chunk: x.Chunk, Disposition: statedOption(r), Summary: clip(r.Summary, maxText), Confidence: r.Confidence,
		Reasoning: reasonsOf(r.Reasoning), Weaknesses: reasonsOf(r.Weaknesses), Assumptions: reasonsOf(r.Assumptions),
		Looked: bringsReason([]said{x}),
	})
}

func reasonsOf(list []string) []string {
	return lists.Map(lists.First(list, maxReasons), func(text string) string { return clip(text, 1000) })
}

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

// restate makes version N+1 of the position. Its disposition changes only with
// an ACCEPT or PARTIAL that says why; any other change is drift (R096, R155).
func (m *reducer) restate(party string, r *Reply, because []Because) {
	was := m.Talk.Position()
	next := was
	next.By, next.Because = party, because
	next.Disposition = m.grantedOption(because)
	if len(because) == 0 && next.Disposition != option(was.Disposition) { // an earlier primary granted what it moves by
		k := m.Book.granted()
		because = []Because{{Challenge: k.ID, Party: k.Attacker, Move: Accept, Granted: clip(k.Objection, 1000)}}
		next.Because = because
	}
	m.reword(&next, cmp.Or(r.Position, &Restated{}))
	if next.Disposition != was.Disposition {
		m.ledger(TagRevision, party, string(was.Disposition)+" became "+string(next.Disposition), PositionSubject)
		m.Table.silence(was.Disposition, next)
	}
	m.takes(next, m.Talk.Exchange)
}

// grantedOption is what the position recommends after the objections to it that
// were granted.
func (s *State) grantedOption(because []Because) Disposition {
	wants := option(s.Talk.Position().Disposition)
	for _, b := range because {
		k := cmp.Or(s.Book.challenge(b.Challenge), &Challenge{})
		if k.toPosition() && b.Move == Accept {
			wants = cmp.Or(k.Option, wants)
		}
	}
	if wants == Keep && s.Book.granted() != nil {
		return Revise
	}
	return wants
}

// reword takes the primary's own words for its new position. Those of a drift do
// not count, and neither do those of a KEEP that it holds no more.
func (m *reducer) reword(next *Position, p *Restated) {
	d := cmp.Or(option(p.Disposition), next.Disposition)
	if d != next.Disposition && len(next.Because) == 0 {
		was := string(m.Talk.Position().Disposition)
		m.drift(next.By, PositionSubject, was+" became "+string(d), "the position was "+was)
		return
	}
	if d == Keep && m.Book.granted() != nil {
		return
	}
	next.Disposition = d
	next.Summary = cmp.Or(clip(p.Summary, maxText), next.Summary)
	next.Confidence = cmp.Or(p.Confidence, next.Confidence)
}

// silence takes back what others held of the old disposition, if it is not the new
// one. A position that moves away from a party again does not silence it.
func (t *Table) silence(was Disposition, next Position) {
	loosened := worse(was, next.Disposition)
	for i := range t.Seats {
		switch seat := &t.Seats[i]; {
		case seat.Party == next.By, seat.Option == next.Disposition:
		case loosened && worse(seat.Option, next.Disposition): // it moves away from what the party holds
		default:
			seat.Option = ""
		}
	}
}

// persuaded lists the reasons of the primary for a change, other than the challenges: a change
// of the position that it admits, and a severe claim of another party if it agrees to it in
// this reply, or accepts its defense there (R155).
func (b *Book) persuaded(party string, r *Reply, n int) []Because {
	var because []Because
	if why := admitted(r.Changes, PositionSubject); why != "" {
		because = append(because, Because{Challenge: PositionSubject, Party: party, Reason: clip(why, 1000)})
	}
	for _, c := range b.severe() {
		taken := c.agreedBy(party) && c.last(party).N == n
		if c.Owner != party && taken {
			because = append(because, Because{Challenge: c.ID, Party: c.Owner, Move: Accept, Reason: clip(joined("it agrees:", c.Title), 1000)})
		}
	}
	return because
}
