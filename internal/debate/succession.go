package debate

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/lists"
)

// lose takes a party from the table. Its claims stay, and so do its objections with quotes;
// its objections in words need no answer any more.
func (m *reducer) lose(party string) {
	if !m.Table.sits(party) {
		return
	}
	p := m.Table.party(party)
	m.Table.seat(party).Lost = true
	m.happened(Fact{Kind: PartyLost, Who: p.ID, Code: string(p.Status), Text: p.Detail})
	for _, k := range lists.Keep(m.Book.attacksBy(party), func(k *Challenge) bool { return k.Live() && !k.Shown }) {
		m.close(k, Dissent, because(WhyAttackerGone, party))
	}
	for _, judge := range m.Table.reserve(party) {
		m.happened(Fact{Kind: PartyServed, Who: judge.ID, Other: judge.Debater})
	}
}

// families keeps challengers of the primary's own family out, unless the settings
// allow them or no other family is left (R063, M19).
func (m *reducer) families(alone bool) {
	own := m.Table.party(m.Table.Primary).Family
	same := func(seat *Seat) bool { return m.Table.party(seat.Party).Family == own }
	rest := m.Table.challengers()
	others := slices.ContainsFunc(rest, func(seat *Seat) bool { return !same(seat) })
	may := m.Received.Settings.AllowSameFamily || alone && !others
	m.Table.SameFamily = false
	for _, seat := range rest {
		switch p := m.Table.party(seat.Party); {
		case !same(seat):
		case may:
			m.Table.SameFamily = true
		default:
			p.Status, p.Detail = PartySameFamily, "it has the same maker as the model that reviews first, which allow_same_family does not allow"
			m.lose(p.ID)
		}
	}
}

// promote replaces a failed primary by the next healthy party, and reports whether there
// is one.
func (m *reducer) promote() bool {
	if m.Asking.Stopped {
		return false
	}
	m.lose(m.Table.Primary)
	rest := m.Table.challengers()
	if len(rest) == 0 {
		return false
	}
	next := rest[max(0, slices.IndexFunc(rest, (*Seat).healthy))]
	was := m.Table.Primary
	m.Table.Primary = next.Party
	next.Engagement = "" // it holds the position now, so it agrees with no other
	m.happened(Fact{Kind: PrimaryReplaced, Who: next.Party, Other: was})
	for i := range m.Book.Claims { // the new primary's words on claims count again, if it abstained
		m.verify(&m.Book.Claims[i])
	}
	m.families(true)
	return true
}

// inherit lets the next healthy party continue in place of a primary that failed after it took
// a position: with its own view, and with the open answers. It reports whether there is such a
// party.
func (m *reducer) inherit() bool {
	was := m.Table.Primary
	if !m.promote() {
		return false
	}
	next := m.nextPosition()
	m.takes(next, m.Talk.Exchange)
	m.Table.seat(next.By).Option = "" // the position speaks for it
	for _, k := range m.Book.attacks(PositionSubject) {
		switch {
		case !k.Live():
		case k.Attacker == next.By, k.Option == next.Disposition: // the position is now as the attacker wants
			m.close(k, Resolved, because(WhyTakenOver, next.By))
		default:
			k.Defender = next.By
			m.happened(Fact{Kind: DefenderReplaced, Who: next.By, About: k.ID, Other: was})
		}
	}
	return true
}

// nextPosition is the position of a new primary: its own words, and the old position for the
// rest.
func (m *reducer) nextPosition() Position {
	was, by := m.Talk.Position(), m.Table.Primary
	next := was
	next.By, next.Because = by, nil
	next.Disposition = cmp.Or(m.Table.seat(by).Option, was.Disposition)
	moves := next.Disposition != was.Disposition
	if moves { // the words of the lost one say something else
		next.Summary, next.Confidence, next.Weaknesses, next.Assumptions = "", "", nil, nil
		next.Summary = m.Book.argument(by)
	}
	if o := lists.Pointer(m.Talk.Openings, func(o *Opened) bool { return o.Party == by && o.Disposition == next.Disposition }); o != nil {
		next.Summary, next.Confidence, next.Weaknesses, next.Assumptions = o.Summary, o.Confidence, o.Weaknesses, o.Assumptions
	}
	if moves {
		next.Because = []Because{{Challenge: PositionSubject, Party: by, Reason: clip(next.Summary, 1000)}}
	}
	return next
}

// argument is what a party said for its recommendation: its objection to the position, or else
// its first severe finding, or else its first objection to a finding.
func (b *Book) argument(party string) string {
	own := lists.Keep(b.severe(), func(c *Claim) bool { return c.Owner == party || slices.Contains(c.ReportedBy, party) })
	attacks := b.attacksBy(party)
	switch position := lists.Find(attacks, func(k *Challenge) bool { return k.toPosition() }); {
	case position != nil:
		return position.Objection
	case len(own) > 0:
		return own[0].Title
	case len(attacks) > 0:
		return attacks[0].Objection
	}
	return ""
}

// second seats a second context of the primary's model as its challenger, and
// returns its id.
func (m *reducer) second() string {
	p := *m.Table.party(m.Table.Primary)
	of := cmp.Or(p.Debater, p.ID)
	for n := 2; m.Table.party(p.ID) != nil; n++ {
		p.ID = of + "-" + strconv.Itoa(n)
	}
	p.Role, p.Persona, p.Debater, p.Status, p.Detail = Challenger, "skeptic", of, PartyOK, ""
	m.Table.Parties = append(m.Table.Parties, p)
	m.Table.Seats = append(m.Table.Seats, Seat{Party: p.ID})
	m.Table.SameFamily = true
	m.happened(Fact{Kind: PartySeated, Who: p.ID, Other: of})
	return p.ID
}

// maySecond reports whether a second context of a party may be seated: no other healthy party
// is left to challenge it, its family has not failed yet, there was no second context before,
// and the settings require neither another family nor an abort.
func (m *reducer) maySecond(of string) bool {
	switch set := m.Received.Settings; {
	case m.Asking.Stopped, set.Stranger, set.AbortIfNoParty, !m.Table.sits(of):
		return false
	}
	answers := func(seat *Seat) bool { return seat.Party != of && seat.healthy() }
	if slices.ContainsFunc(m.Table.challengers(), answers) {
		return false
	}
	family := m.Table.party(of).Family
	spent := func(p Party) bool {
		return p.ID != of && (p.failed() && p.Family == family || p.Debates() && p.Debater != "")
	}
	return !slices.ContainsFunc(m.Table.Parties, spent)
}

// secondAsks returns the asks for a second context of a party, if it may be seated and the
// budgets allow them: it opens like the replaced party if all parties open and no other has
// yet, else it weighs everything.
func (m *reducer) secondAsks(of string) (kind CallKind, n int, asks []Ask, may bool) {
	if !m.maySecond(of) {
		return "", 0, nil, false
	}
	kind, n, asks = CallChallenge, max(1, m.Talk.lastExchange().N), m.Split.perChunk([]string{of})
	opened := slices.ContainsFunc(m.Talk.Openings, func(o Opened) bool { return o.Party != of })
	switch blind := m.Received.blind(); {
	case blind && opened:
		asks = one([]string{of})
	case blind:
		kind, n = CallOpen, 0
	}
	for i := range asks {
		asks[i].Kind = kind
	}
	return kind, n, asks, m.broke(asks).IsZero()
}

// alone continues with a second context of the primary if no other challenger is left. It
// reports whether it asks one.
func (m *reducer) alone() bool {
	kind, n, asks, may := m.secondAsks(m.Table.Primary)
	if !may {
		return false
	}
	for _, seat := range m.Table.challengers() {
		m.lose(seat.Party)
	}
	id := m.second()
	for i := range asks {
		asks[i].Party = id
	}
	if kind == CallOpen {
		m.transition(StageOpening)
	} else {
		m.transition(StageChallenge)
	}
	return m.ask(kind, n, asks).IsZero()
}

// bereft reports whether the last healthy party may debate a second context of its own at the
// end of the talk, as with its key alone (M19). It takes the place of a primary without a reply
// to its last call.
func (m *reducer) bereft() bool {
	primary, left := m.Table.seat(m.Table.Primary), lists.Keep(m.Table.challengers(), (*Seat).healthy)
	last, why := primary.Party, because(WhyNobodyLeft)
	switch {
	case primary.healthy():
	case len(left) == 1:
		last, why = left[0].Party, because(WhyPrimarySilent, string(m.Table.party(primary.Party).Status))
	default:
		return false
	}
	if _, _, _, may := m.secondAsks(last); !may {
		return false
	}
	m.route(why)
	return last == primary.Party || m.inherit()
}
