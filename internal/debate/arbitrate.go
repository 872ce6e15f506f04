package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// ArbiterParty is the id of the cold reader.
const ArbiterParty = "arbiter"

// arbitrate lets a cold reader look over the buckets, where there is reason to
// (R157, X28); minimal and quick modes do without.
func (m *reducer) arbitrate() {
	s := m.state
	p := s.Table.party(ArbiterParty)
	switch {
	case !s.wantsArbiter(), p == nil, p.Status != PartyOK, s.Received.Mode != Standard:
	default:
		broke := m.desk.ask(CallArbiter, max(s.Talk.Exchange, 1), []Ask{{Party: ArbiterParty}})
		if broke.IsZero() {
			m.transition(StageArbitrate)
			return
		}
		m.docket.unaffordable(broke)
	}
	m.goes(m.bench.decide())
}

// wantsArbiter reports whether the result deserves a cold reader (R157): the stakes are
// high, a person asks for it, claims are unresolved, or early unanimity lacks evidence.
// Small points that are open in a question of fact do not (R163); what lacks evidence
// does, however simple the question.
func (s *State) wantsArbiter() bool {
	unresolved := lists.Keep(lists.Keep(s.Book.Claims, Claim.debated), func(c Claim) bool { return c.Bucket == Unresolved })
	several, early := len(unresolved) >= 2, slices.Contains([]Exit{ExitFast, ExitTrivial}, s.Talk.Exit)
	unsupported := []Reason{ReasonUnconfirmed, ReasonUnreviewed}
	switch {
	case slices.ContainsFunc(s.Agenda.Decisions, func(d Decision) bool { return d.Critical }):
		return true
	case s.Received.order(OrderArbiter, func(Order) bool { return true }) != nil:
		return true
	case slices.ContainsFunc(unresolved, func(c Claim) bool { return c.severe() && slices.Contains(unsupported, c.Reason) }):
		return several || early
	}
	return several && !newUnsaid(s).trivial()
}

// arbitrated takes the flags. They only ever lower confidence; if half of the
// claims or more are flagged, those are debated once more (R159, R160, X28).
func (m *reducer) arbitrated(all []said) {
	s := m.state
	x := all[0]
	if x.Status != CallOK {
		p := s.Table.party(x.Party)
		p.Status, p.Detail = PartyError, clip(joined(string(x.Status), x.Detail), 500)
		if x.Status == CallTimeout {
			p.Status = PartyTimeout
		}
		m.clerk.happened(Fact{Kind: PartyLost, Who: p.ID, Code: string(p.Status), Text: p.Detail})
		m.goes(m.bench.decide())
		return
	}
	a := m.clerk.flagged(x)
	broke := Why{}
	switch {
	case a.FlaggedBP < 5000:
	case s.Talk.Reexamined, s.Table.PrimaryLost, !s.Talk.mayConfront(&s.Received, reserveReexamine).IsZero():
		a.Action = ActionWarn
	default:
		a.Action = ActionReexamine
		if broke = m.desk.broke([]Ask{{Party: s.Table.Primary, Kind: CallRespond}}); !broke.IsZero() {
			a.Action = ActionWarn
		}
	}
	s.Talk.Arbitrations = append(s.Talk.Arbitrations, a)
	if a.Action == ActionReexamine {
		s.Talk.Reexamined = true
		m.clerk.reopen(a)
		s.Talk.ThinStreak = 0
		m.confront(reserveReexamine)
		return
	}
	if !broke.IsZero() {
		m.docket.unaffordable(broke)
	}
	m.goes(m.bench.decide())
}

// flagged takes the flags of the arbiter, one for each claim that parties debated,
// and how many of these claims a flag fits.
func (b *clerk) flagged(x said) Arbitration {
	a := Arbitration{Arbiter: x.Party, Action: ActionNone}
	debated := lists.Keep(b.book.live(), (*Claim).ofDebate)
	for _, c := range debated {
		about := func(f Flagged) bool { return f.Flag != "" && b.book.survivor(f.Claim) == c }
		at := slices.IndexFunc(x.Reply.Flags, about)
		if at < 0 {
			continue
		}
		f := x.Reply.Flags[at]
		f.Claim, f.Note = c.ID, clip(f.Note, 1000)
		a.Items = append(a.Items, f)
		b.happened(Fact{Kind: ClaimFlagged, Who: x.Party, About: c.ID, Code: string(f.Flag), Text: f.Note})
	}
	a.FlaggedBP = len(b.fitting(a)) * 10000 / max(len(debated), 1)
	return a
}

// unaffordable ends a debate whose buckets the budget does not let anybody look at
// again, though it is due: it settles nothing. A person who stopped it wants
// no second look.
func (dk *docket) unaffordable(why Why) {
	if dk.asking.Stopped {
		return
	}
	dk.clerk.talk.Exit, dk.clerk.talk.ExitWhy = ExitBudget, why
	dk.decisions()
	dk.outcome()
}

// fitting are the claims that are flagged, each with a flag that says something about the
// bucket that it is in.
func (b *clerk) fitting(a Arbitration) []Flagged {
	flags := map[Bucket]Flag{Agreed: FlagUnsupported, Dismissed: FlagUnjustified, Unresolved: FlagNotBlocked}
	return lists.Keep(a.Items, func(f Flagged) bool {
		c := b.book.claim(f.Claim)
		return flags[c.Bucket] == f.Flag && c.Reason != ReasonKnown // what is known no model dismissed
	})
}

// reopen lets the flagged claims be debated once more: with a challenge by the
// arbiter, or by opening again the one that felled the claim.
func (b *clerk) reopen(a Arbitration) {
	for _, f := range b.fitting(a) {
		c := b.book.claim(f.Claim)
		felled := lists.Keep(b.book.attacks(c.ID), func(k *Challenge) bool {
			own := k.Attacker == c.Owner
			return !own && k.Status != Resolved
		})
		for _, k := range felled {
			if slices.Contains([]ChallengeStatus{Dropped, Undefended}, k.Status) { // once is enough (R149)
				k.Reminded = true
			}
			k.Status, k.Deadlock, k.RoundsOpen = Open, "", deadlockRounds-1
			b.touch(k.ID)
		}
		if len(felled) > 0 {
			continue
		}
		k := b.newChallenge(c.ID, ArbiterParty, c.Owner, Skeptical, cmp.Or(f.Note, "what it says is not supported by what it cites"))
		k.Strength = StrengthModerate
	}
	for _, c := range findAll(b.book.Claims, func(c *Claim) bool { return c.Owner != EngineParty }) {
		c.Bucket, c.Reason, c.Why = "", "", Why{} // they are made anew when it is over
	}
}
