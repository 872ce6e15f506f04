package debate

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/lists"
)

// succession replaces a failed party at any stage: the next healthy party becomes primary, and
// if no other party is left to challenge it, a second context of its own model does
// (M19). A lost party never returns and a second context is seated once, so every succession
// ends.
type succession struct {
	table *Table
	talk  *Talk
	book  *Book
	clerk *clerk
	desk  *desk
	split *SplitDone
}

// lose takes a party from the table. Its claims stay, and so do its objections with quotes;
// its objections in words need no answer any more.
func (t succession) lose(party string) {
	if !t.table.sits(party) {
		return
	}
	p := t.table.party(party)
	t.table.seat(party).Lost = true
	t.clerk.happened(Fact{Kind: PartyLost, Who: p.ID, Code: string(p.Status), Text: p.Detail})
	for _, k := range lists.Keep(t.book.attacksBy(party), func(k *Challenge) bool { return k.Live() && !k.Shown }) {
		t.clerk.close(k, Dissent, because(WhyAttackerGone, party))
	}
	for _, judge := range t.table.reserve(party) {
		t.clerk.happened(Fact{Kind: PartyServed, Who: judge.ID, Other: judge.Debater})
	}
}

// families keeps challengers of the primary's own family out, unless the settings
// allow them or no other family is left (R063, M19).
func (t succession) families(alone bool) {
	own := t.table.party(t.table.Primary).Family
	same := func(seat *Seat) bool { return t.table.party(seat.Party).Family == own }
	rest := t.table.challengers()
	others := slices.ContainsFunc(rest, func(seat *Seat) bool { return !same(seat) })
	may := t.desk.received.Settings.AllowSameFamily || alone && !others
	t.table.SameFamily = false
	for _, seat := range rest {
		switch p := t.table.party(seat.Party); {
		case !same(seat):
		case may:
			t.table.SameFamily = true
		default:
			p.Status, p.Detail = PartySameFamily, "it has the same maker as the model that reviews first, which allow_same_family does not allow"
			t.lose(p.ID)
		}
	}
}

// promote replaces a failed primary by the next healthy party, and reports whether there
// is one.
func (t succession) promote() bool {
	if t.desk.asking.Stopped {
		return false
	}
	t.lose(t.table.Primary)
	rest := t.table.challengers()
	if len(rest) == 0 {
		return false
	}
	next := rest[max(0, slices.IndexFunc(rest, (*Seat).healthy))]
	was := t.table.Primary
	t.table.Primary = next.Party
	next.Engagement = "" // it holds the position now, so it agrees with no other
	t.clerk.happened(Fact{Kind: PrimaryReplaced, Who: next.Party, Other: was})
	for i := range t.book.Claims { // the new primary's words on claims count again, if it abstained
		t.clerk.verify(&t.book.Claims[i])
	}
	t.families(true)
	return true
}

// inherit lets the next healthy party continue in place of a primary that failed after it took
// a position: with its own view, and with the open answers. It reports whether there is such a
// party.
func (t succession) inherit() bool {
	was := t.table.Primary
	if !t.promote() {
		return false
	}
	next := t.nextPosition()
	t.talk.Positions = append(t.talk.Positions, next)
	t.table.seat(next.By).Option = "" // the position speaks for it
	t.clerk.happened(Fact{Kind: PositionTaken, Who: next.By, About: "v" + strconv.Itoa(next.Version), Code: string(next.Disposition), Text: next.Summary})
	for _, k := range t.book.attacks(PositionSubject) {
		switch {
		case !k.Live():
		case k.Attacker == next.By, k.Option == next.Disposition: // the position is now as the attacker wants
			t.clerk.close(k, Resolved, because(WhyTakenOver, next.By))
		case k.Defender == was:
			k.Defender = next.By
			t.clerk.happened(Fact{Kind: DefenderReplaced, Who: next.By, About: k.ID, Other: was})
		}
	}
	return true
}

// nextPosition is the position of a new primary: its own words, and the old position for the
// rest.
func (t succession) nextPosition() Position {
	was, by := t.talk.Position(), t.table.Primary
	next := was
	next.Version, next.AfterN, next.By, next.Because = was.Version+1, t.talk.Exchange, by, nil
	next.Disposition = cmp.Or(t.table.seat(by).Option, was.Disposition)
	next.Claims = t.book.owned(by)
	moves := next.Disposition != was.Disposition
	if moves { // the words of the lost one say something else
		next.Summary, next.Confidence, next.Weaknesses, next.Assumptions = "", "", nil, nil
		for _, k := range t.book.attacks(PositionSubject).by(by) {
			next.Summary = k.Objection
		}
	}
	if o := find(t.talk.Openings, func(o *Opened) bool { return o.Party == by && o.Disposition == next.Disposition }); o != nil {
		next.Summary, next.Confidence, next.Weaknesses, next.Assumptions = o.Summary, o.Confidence, o.Weaknesses, o.Assumptions
	}
	if moves {
		next.Because = []Because{{Challenge: PositionSubject, Party: by, Reason: clip(next.Summary, 1000)}}
	}
	return next
}

// second seats a second context of the primary's model as its challenger, and
// returns its id.
func (t succession) second() string {
	p := *t.table.party(t.table.Primary)
	of := cmp.Or(p.Debater, p.ID)
	for n := 2; t.table.party(p.ID) != nil; n++ {
		p.ID = of + "-" + strconv.Itoa(n)
	}
	p.Role, p.Persona, p.Debater, p.Status, p.Detail = Challenger, "skeptic", of, PartyOK, ""
	t.table.Parties = append(t.table.Parties, p)
	t.table.Seats = append(t.table.Seats, Seat{Party: p.ID})
	t.table.SameFamily = true
	t.clerk.happened(Fact{Kind: PartySeated, Who: p.ID, Other: of})
	return p.ID
}

// maySecond reports whether a second context of a party may be seated: no other healthy party
// is left to challenge it, its family has not failed yet, there was no second context before,
// and the settings require neither another family nor an abort.
func (t succession) maySecond(of string) bool {
	switch set := t.desk.received.Settings; {
	case t.desk.asking.Stopped, set.Stranger, set.AbortIfNoParty, !t.table.sits(of):
		return false
	}
	answers := func(seat *Seat) bool { return seat.Party != of && seat.healthy() }
	if slices.ContainsFunc(t.table.challengers(), answers) {
		return false
	}
	family := t.table.party(of).Family
	spent := func(p Party) bool {
		return p.ID != of && (p.failed() && p.Family == family || p.debates() && p.Debater != "")
	}
	return !slices.ContainsFunc(t.table.Parties, spent)
}

// secondAsks returns the asks for a second context of a party, if it may be seated and the
// budgets allow them: it opens like the replaced party if all parties open and no other has
// yet, else it weighs everything.
func (t succession) secondAsks(of string) (kind CallKind, n int, asks []Ask, may bool) {
	if !t.maySecond(of) {
		return "", 0, nil, false
	}
	kind, n, asks = CallChallenge, max(1, t.talk.lastExchange().N), t.split.perChunk([]string{of})
	opened := slices.ContainsFunc(t.talk.Openings, func(o Opened) bool { return o.Party != of })
	switch blind := t.desk.received.blind(); {
	case blind && opened:
		asks = one([]string{of})
	case blind:
		kind, n = CallOpen, 0
	}
	for i := range asks {
		asks[i].Kind = kind
	}
	return kind, n, asks, t.desk.broke(asks).IsZero()
}

// alone continues with a second context of the primary if no other challenger is left. It
// reports whether it asks one.
func (m *reducer) alone() bool {
	t := m.listener.succession()
	kind, n, asks, may := t.secondAsks(t.table.Primary)
	if !may {
		return false
	}
	for _, seat := range t.table.challengers() {
		t.lose(seat.Party)
	}
	id := t.second()
	for i := range asks {
		asks[i].Party = id
	}
	if kind == CallOpen {
		m.transition(StageOpening)
	} else {
		m.transition(StageChallenge)
	}
	return m.desk.ask(kind, n, asks).IsZero()
}

// bereft lets the last healthy party inherit if the primary failed its last call and the talk
// would end: with the working keys alone, it can debate a second context of its own (M19). It
// reports whether there is such a party.
func (t succession) bereft() bool {
	left := lists.Keep(t.table.challengers(), (*Seat).healthy)
	if primary := t.table.seat(t.table.Primary); len(left) != 1 || primary.healthy() {
		return false
	}
	if _, _, _, may := t.secondAsks(left[0].Party); !may {
		return false
	}
	t.clerk.route(because(WhyPrimarySilent, string(t.table.party(t.table.Primary).Status)))
	return t.inherit()
}
