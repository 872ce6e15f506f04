package debate

import (
	"cmp"
	"slices"
	"strconv"
)

// ArbiterParty is the id of the cold reader.
const ArbiterParty = "arbiter"

// arbitrate lets a cold reader look over the buckets, where there is reason to
// (R157, X28); minimal and quick modes do without.
func (m *reducer) arbitrate() {
	s := m.state
	why := s.wantsArbiter()
	p := s.Table.party(ArbiterParty)
	switch {
	case why == "" || p == nil || p.Status != PartyOK:
	case s.Received.Mode != Standard:
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

// wantsArbiter says why the result deserves a cold reader, or "" (R157). Small
// points that are open in a question of fact do not (R163); what lacks evidence
// does, however simple the question.
func (s *State) wantsArbiter() string {
	unresolved, unsupported := 0, 0
	unsupportedBy := []Reason{ReasonUnconfirmed, ReasonUnreviewed}
	for _, c := range s.Book.Claims {
		if c.Bucket != Unresolved || !c.debated() {
			continue
		}
		unresolved++
		if c.severe() && slices.Contains(unsupportedBy, c.Reason) {
			unsupported++
		}
	}
	for _, d := range s.Agenda.Decisions {
		if d.Critical {
			return "the stakes are high"
		}
	}
	switch {
	case unresolved >= 2 && !(unsupported == 0 && newUnsaid(s).trivial()):
		return strconv.Itoa(unresolved) + " claims are unresolved"
	case (s.Talk.Exit == ExitFast || s.Talk.Exit == ExitTrivial) && unsupported > 0:
		return "early unanimity lacks evidence"
	case s.Received.order(OrderArbiter, func(Order) bool { return true }) != nil:
		return "a person asked for it"
	}
	return ""
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
	half := a.FlaggedBP >= 5000
	due := half && !s.Talk.Reexamined && s.Talk.mayConfront(&s.Received, reserveReexamine).IsZero() && !s.Table.PrimaryLost
	broke := Why{}
	if due {
		broke = m.desk.broke([]Ask{{Party: s.Table.Primary, Kind: CallRespond}})
	}
	switch {
	case due && broke.IsZero():
		a.Action = ActionReexamine
	case half:
		a.Action = ActionWarn
	}
	s.Talk.Arbitrations = append(s.Talk.Arbitrations, a)
	if !broke.IsZero() {
		m.docket.unaffordable(broke)
	}
	if a.Action == ActionReexamine {
		s.Talk.Reexamined = true
		m.clerk.reopen(a)
		s.Talk.ThinStreak = 0
		m.confront(reserveReexamine)
		return
	}
	m.goes(m.bench.decide())
}

// flagged takes the flags of the arbiter, one for each claim that parties debated,
// and how many of these claims a flag fits.
func (b *clerk) flagged(x said) Arbitration {
	a := Arbitration{Arbiter: x.Party, Action: ActionNone}
	total, fitting := 0, 0
	for _, c := range b.book.live() {
		if c.Bucket == "" || c.ofCritic() {
			continue
		}
		total++
		about := func(f Flagged) bool { return f.Flag != "" && b.book.survivor(f.Claim) == c }
		at := slices.IndexFunc(x.Reply.Flags, about)
		if at < 0 {
			continue
		}
		f := x.Reply.Flags[at]
		f.Claim, f.Note = c.ID, clip(f.Note, 1000)
		a.Items = append(a.Items, f)
		b.happened(Fact{Kind: ClaimFlagged, Who: x.Party, About: c.ID, Code: string(f.Flag), Text: f.Note})
		if fits(f.Flag, *c) {
			fitting++
		}
	}
	if total > 0 {
		a.FlaggedBP = fitting * 10000 / total
	}
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

// fits reports whether a flag says something about the bucket that a claim is
// in.
func fits(f Flag, c Claim) bool {
	of := map[Flag]Bucket{FlagUnsupported: Agreed, FlagUnjustified: Dismissed, FlagNotBlocked: Unresolved}
	bucket, flags := of[f]
	return flags && bucket == c.Bucket && c.Reason != ReasonKnown // what is known no model dismissed
}

// reopen lets the flagged claims be debated once more: with a challenge by the
// arbiter, or by opening again the one that felled the claim.
func (b *clerk) reopen(a Arbitration) {
	for _, f := range a.Items {
		c := b.book.claim(f.Claim)
		if !fits(f.Flag, *c) {
			continue
		}
		felled := false
		for i := range b.book.Challenges {
			k := &b.book.Challenges[i]
			if k.Claim != c.ID || k.Kind == Reconciling || k.Status == Resolved {
				continue
			}
			k.Reminded = k.Reminded || k.Status == Dropped || k.Status == Undefended // once is enough (R149)
			k.Status, k.Deadlock, k.RoundsOpen, felled = Open, "", deadlockRounds-1, true
			b.touch(k.ID)
		}
		if felled {
			continue
		}
		k := b.newChallenge(c.ID, ArbiterParty, c.Owner, Skeptical, cmp.Or(f.Note, "what it says is not supported by what it cites"))
		k.Strength = StrengthModerate
	}
	for i := range b.book.Claims { // the buckets are made anew when it is over
		if b.book.Claims[i].Owner != EngineParty {
			b.book.Claims[i].Bucket, b.book.Claims[i].Reason, b.book.Claims[i].Why = "", "", Why{}
		}
	}
}
