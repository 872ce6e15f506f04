package debate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// begin seats the debaters and opens the debate, or degrades it without a challenger (R079,
// R103). A configured party that cannot take part has failed before the first call (M19).
func (m *reducer) begin() {
	for _, role := range []Role{Primary, Challenger} {
		able := lists.Keep(m.Table.Parties, func(p Party) bool { return p.Role == role && p.Status == PartyOK })
		m.Table.Seats = append(m.Table.Seats, lists.Map(able, func(p Party) Seat { return Seat{Party: p.ID} })...)
	}
	if len(m.Table.Seats) > 0 {
		m.Table.Primary = m.Table.Seats[0].Party // the next one, if the primary cannot be reached
		m.families(false)
		if slices.ContainsFunc(m.Table.Parties, Party.failed) && m.maySecond(m.Table.Primary) {
			m.second()
		}
	}
	m.provenance()
	switch {
	case m.Table.Primary == "", len(m.Table.challengers()) == 0:
		m.degrade(because(WhyNoChallenger))
	case m.Received.Settings.Stranger:
		m.degrade(because(WhyStranger))
	default:
		m.open()
	}
}

// open asks for the first position: the primary alone, or all parties without a view of each
// other (R081, M01).
func (m *reducer) open() {
	parties := []string{m.Table.Primary}
	if m.Received.blind() {
		parties = append(parties, lists.Map(m.Table.challengers(), (*Seat).party)...)
	}
	m.transition(StageOpening)
	m.askFirst(CallOpen, 0, m.Split.perChunk(parties))
}

// perChunk makes one ask for each party and chunk. The calls of one chunk carry
// the whole packet and name none (S13).
func (s SplitDone) perChunk(parties []string) []Ask {
	if len(s.Chunks) < 2 {
		return one(parties)
	}
	var asks []Ask
	for _, p := range parties {
		for _, c := range s.Chunks {
			asks = append(asks, Ask{Party: p, Chunk: c.ID})
		}
	}
	return asks
}

// opened makes position v1 and the claims of all openings (R081-R083).
func (m *reducer) opened(all []said) {
	for len(m.Talk.Positions) == 0 && !m.takesPosition(all) {
		if !m.promote() {
			m.degrade(because(WhyNoPosition))
			return
		}
		next := m.Table.Primary
		if len(by(all, next)) > 0 { // it has opened already (M01)
			continue
		}
		m.askFirst(CallOpen, 0, m.Split.perChunk([]string{next}))
		return
	}
	m.describe(by(all, m.Table.Primary))
	for _, seat := range m.Table.challengers() { // the blind openings of the others
		own := by(all, seat.Party)
		usable := valid(own)
		for _, x := range usable {
			m.Talk.opens(x)
			m.claims(seat.Party, 0, x)
			m.hear(seat.Party, x.Reply)
			m.takeStance(seat.Party, x.Reply)
			m.Agenda.Asked = append(m.Agenda.Asked, x.Reply.Questions...)
			if m.Received.Inquiry != nil && x.Reply.Summary != "" {
				m.ledger(TagUnverified, seat.Party, "answer: "+x.Reply.Summary, PositionSubject)
			}
		}
		m.attendance(seat.Party, own, len(usable))
	}
	m.frame()
	m.merge()
	m.challengeWave()
}

// takesPosition makes version 1 of the position of the primary out of its
// openings, one for each chunk (S13). It reports whether there was a valid one.
func (m *reducer) takesPosition(all []said) bool {
	primary := m.Table.Primary
	own := by(all, primary)
	openings := lists.Keep(valid(own), func(x said) bool { return x.Reply.opensFor() != "" })
	m.attendance(primary, own, len(openings))
	if len(openings) == 0 {
		return false
	}
	for _, x := range openings {
		m.Talk.opens(x)
		m.claims(primary, 0, x)
		m.hear(primary, x.Reply)
		m.Agenda.Asked = append(m.Agenda.Asked, x.Reply.Questions...)
	}
	v := firstPosition(primary, openings)
	m.takes(v, 0)
	says := Disposition("")
	for _, x := range valid(own) {
		says = worst(says, statedOption(x.Reply))
	}
	m.comparePosition(says)
	m.ledger(TagUnverified, primary, "position v1: "+string(v.Disposition), PositionSubject)
	return true
}

// opensFor is the option of D0 in an opening, "" if it has none.
func (r *Reply) opensFor() Disposition { return option(r.Disposition, r.Recommendation) }

// firstPosition is version 1 of a position, out of openings about all chunks.
func firstPosition(by string, openings []said) Position {
	v := Position{Version: 1, By: by}
	for _, x := range openings {
		v.Disposition = worst(v.Disposition, x.Reply.opensFor())
		v.Summary = joined(v.Summary, clip(x.Reply.Summary, maxText))
		v.Confidence = cmp.Or(v.Confidence, x.Reply.Confidence)
		if x.Reply.Confidence == DeclaredLow {
			v.Confidence = DeclaredLow
		}
		v.Weaknesses = append(v.Weaknesses, x.Reply.Weaknesses...)
		v.Assumptions = append(v.Assumptions, x.Reply.Assumptions...)
	}
	return v
}

// option returns the first of some dispositions that is an option of D0.
func option(list ...Disposition) Disposition {
	for _, d := range list {
		if slices.Contains([]Disposition{Keep, Revise, Reject}, d) {
			return d
		}
	}
	return ""
}

// worst is the option that lets less of the change through.
func worst(a, b Disposition) Disposition {
	if worse(b, a) {
		return b
	}
	return a
}

func joined(a, b string) string {
	switch {
	case a == "":
		return b
	case strings.Contains(a, b): // several chunks often draw the same words
		return a
	}
	return clip(a+" "+b, maxText)
}

// attendance notes whether a party took part in an exchange, and drops one that cannot
// (R109-R113).
func (m *reducer) attendance(party string, own []said, valid int) {
	seat, p := m.Table.seat(party), m.Table.party(party)
	switch {
	case len(own) == 0:
		return
	case valid > 0:
		seat.Failures = 0
		seat.SpokeAt = m.N
		return
	case m.Asking.Stopped: // a party that a stop cut off failed nothing
		return
	}
	seat.Failures++
	last := own[len(own)-1]
	p.Status, p.Detail = last.Status.ofParty(), clip(last.Detail, 500)
	switch {
	case p.Status == PartyAuth, p.Status == PartyNotFound:
		m.lose(party)
	case last.Retried:
		p.Status = PartyQuality
		m.lose(party)
	case seat.Failures >= 2:
		m.lose(party)
	}
}

// hear takes the members that every reply may have: missing items, asserted triggers, options
// and assumptions.
func (m *reducer) hear(party string, r *Reply) {
	for _, text := range r.Missing {
		if text != "" && len(m.Critique.Missing) < 50 {
			m.Critique.Missing = lists.Add(m.Critique.Missing, clip(text, 500))
		}
	}
	m.assert(party, "", r.Critical)
	for _, q := range r.Questions {
		m.assert(party, clip(q.Question, 500), q.Critical) // in the words of the decision
	}
	seat := m.Table.seat(party)
	for _, f := range r.FinalOptions {
		if seat.choose(f) {
			m.happened(Fact{Kind: StanceTaken, Who: party, About: f.Decision, Code: clip(f.Option, 100)})
		}
	}
	seat.WhyDisagree = cmp.Or(clip(r.WhyDisagree, maxText), seat.WhyDisagree)
	seat.RightIf = cmp.Or(clip(r.RightIf, maxText), seat.RightIf)
	seat.CoreAssumption = cmp.Or(clip(r.CoreAssumption, maxText), seat.CoreAssumption)
	seat.TestableBy = cmp.Or(clip(r.TestableBy, maxText), seat.TestableBy)
}

// choose keeps the last option of a party for a decision other than D0. It reports whether the
// option is new.
func (s *Seat) choose(f FinalOption) bool {
	have := lists.Pointer(s.Options, func(have *FinalOption) bool { return have.Decision == f.Decision })
	f.Needs = clip(f.Needs, 1000)
	switch {
	case f.Decision == "D0", f.Decision == "", f.Option == "":
		return false
	case have == nil && len(s.Options) >= 20:
		return false
	case have == nil:
		s.Options = append(s.Options, f)
		return true
	case have.Option == f.Option:
		have.Needs = cmp.Or(f.Needs, have.Needs)
		return false
	}
	*have = f
	return true
}

// assert keeps the triggers that a party asserts with verified lines of the change (S03, A12).
// They are weighed when decisions are built. A flood of assertions pushes out no other
// party's, and repetitions not even those of its own party.
func (m *reducer) assert(party, decision string, list []Assertion) {
	for _, a := range list {
		if a.Trigger == "" {
			continue
		}
		x := Asserted{Party: party, Trigger: a.Trigger, Decision: decision, Reason: clip(a.Reason, 1000), Evidence: m.found(party, a.Refs)}
		if !m.Agenda.asserts(x) {
			m.Agenda.Assertions = append(m.Agenda.Assertions, x)
			m.happened(Fact{Kind: TriggerAsserted, Who: party, About: string(x.Trigger), Other: decision, Text: x.Reason, Cites: x.Evidence})
		}
	}
}

// changedFiles are the files with changed lines in some evidence.
func changedFiles(list []Evidence) []string {
	shown := lists.Keep(list, func(e Evidence) bool { return e.CitationOK && e.Changed })
	return lists.Map(shown, func(e Evidence) string { return e.Cite.Path })
}
