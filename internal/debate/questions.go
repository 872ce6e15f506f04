package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// voice is the final choice of one party in one decision.
type voice struct {
	Party  string
	Family string // of its model
	Option string // "": it holds none
	// Dissent: only words that were answered support its choice.
	Dissent bool
}

// voices are the choices of the debaters in a decision, in party order. A lost party has
// none, and one that abstains chooses nothing (R093, M19).
func (s *State) voices(d *Decision) []voice {
	var list []voice
	for i := range s.Table.Seats {
		seat := &s.Table.Seats[i]
		if seat.Lost && seat.Party != s.Table.Primary {
			continue
		}
		v := voice{Party: seat.Party, Family: s.Table.party(seat.Party).Family, Option: s.holds(d, seat)}
		v.Dissent = d.disposes() && !s.Book.grounded(seat.Party)
		list = append(list, v)
	}
	return list
}

// holds is the choice of a party in a decision, "" for none. The first case that holds wins.
func (s *State) holds(d *Decision, seat *Seat) string {
	option := seat.Option
	switch {
	// It names no check of its own, so its word counts for nothing (R093).
	case seat.Engagement == Abstains:
		return ""
	// Another question than the merge: the last option that it named.
	case !d.disposes():
		return seat.chosen(d)
	// It has no option of its own: it holds the position, or follows it.
	case option == "" && (seat.Party == s.Table.Primary || s.follows(seat)):
		option = s.Talk.Position().Disposition
	}
	// People took out all its reasons for a change, or it withdrew them and has asked for none since.
	if worse(option, Keep) && (s.peopleAnswered(seat.Party) || s.withdrew(seat)) {
		return string(Keep)
	}
	return string(option)
}

// chosen is the last option that a party named for a decision other than D0.
func (s *Seat) chosen(d *Decision) string {
	named := lists.Keep(s.Options, func(f FinalOption) bool { return f.Decision == d.ID && d.Offers(f.Option) })
	if len(named) == 0 {
		return ""
	}
	return named[len(named)-1].Option
}

// peopleAnswered reports whether people have answered every reason of a party against a change.
// All its P1 and P2 that did not fall are taken out, at least one is, and it objects to nothing
// else: each objection of its own only names its choice, and quotes no other lines. After a
// person decided on an earlier head, words alone are no reason, unless the primary accepted
// them.
func (s *State) peopleAnswered(party string) bool {
	var out []Evidence
	taken, kept := false, s.keptBefore() != nil
	for _, c := range s.Book.severe() {
		holds := c.Owner == party || slices.Contains(c.ReportedBy, party) || c.agreedBy(party)
		switch {
		case !holds:
		case s.takenOut(c):
			out, taken = append(out, c.Evidence...), true
		case c.Bucket != Dismissed:
			return false
		}
	}
	objects := func(k *Challenge) bool {
		holds := k.unsettled() || k.Status == Conceded
		says := k.Option == "" && (!kept || k.Status == Conceded)
		return holds && (says || fresh(quotes(k.Evidence), quotes(out)))
	}
	return (taken || kept) && !s.Book.attacks(PositionSubject).by(party).any(objects)
}

// withdrew reports whether a party gave up every reason for a change after it last asked for one:
// it conceded all its P1 and P2 to quotes, at least one, and supports and objects to nothing else.
// No stance outlives its reason.
func (s *State) withdrew(seat *Seat) bool {
	last := 0 // the event of its last concession
	for _, c := range s.Book.severe() {
		switch owns := c.Owner == seat.Party || slices.Contains(c.ReportedBy, seat.Party); {
		case owns && c.Reason == ReasonConceded:
			for _, k := range s.Book.attacks(c.ID) {
				for _, t := range k.Thread {
					if t.Who == seat.Party && t.Act == Act(Accept) {
						last = max(last, t.At)
					}
				}
			}
		case owns, c.agreedBy(seat.Party) && c.Bucket != Dismissed:
			return false
		}
	}
	return last > seat.OptionAt && !s.Book.attacks(PositionSubject).by(seat.Party).any((*Challenge).unsettled)
}

// follows reports whether a challenger without its own option follows the position. The first
// case that holds wins.
func (s *State) follows(seat *Seat) bool {
	at := s.Talk.Position().Disposition
	attacks := s.Book.attacksBy(seat.Party)
	granted := func(k *Challenge) bool { return k.toPosition() && k.Status == Conceded && !worse(k.wants(), at) }
	taken := func(c Claim) bool { return c.Owner == seat.Party && c.severe() && c.agreedBy(s.Table.Primary) }
	moved := slices.ContainsFunc(s.Talk.Positions, func(p Position) bool { return p.Disposition != at })
	weighs := func(k *Challenge) bool {
		c := cmp.Or(s.Book.survivor(k.Claim), &Claim{})
		return k.unsettled() && (c.severe() || k.Strength != StrengthMinor)
	}
	unsupported := func(c *Claim) bool { return c.Owner == seat.Party && c.Bucket != Agreed }
	switch {
	case seat.Engagement == "": // it has not spoken
		return false
	// The primary granted its objection, or took over its finding.
	case attacks.any(granted), slices.ContainsFunc(s.Book.Claims, taken):
		return true
	// It agreed to another position than this one.
	case moved:
		return false
	// It agrees and names its checks.
	case seat.Engagement == Agrees:
		return seat.Substance
	}
	// It agrees in part, objects to nothing of weight, and its claims are supported (R087).
	partial := seat.Engagement == Partially && seat.Verdict == VerdictPartial
	return partial && !attacks.any(weighs) && !slices.ContainsFunc(s.Book.severe(), unsupported)
}

// settles is the option that the parties settle for a decision, "" if they leave it open (M09).
// Of D0, common is the option that they hold all the same if only a finding keeps it open. Any
// other question takes one option for all.
func (s *State) settles(d *Decision) (held, common string) {
	voices := s.voices(d)
	if !d.disposes() && !s.Table.PrimaryLost {
		voices = slices.DeleteFunc(voices, func(v voice) bool { return s.Table.abstains(v.Party) })
		differs := func(v voice) bool { return v.Option != voices[0].Option }
		if len(voices) < 2 || slices.ContainsFunc(voices, differs) {
			return "", ""
		}
		return voices[0].Option, voices[0].Option
	}
	option := majority(voices)
	by, primary := Disposition(option), s.Table.fares(s.Table.Primary)
	grantedInWords := func(k *Challenge) bool {
		return worse(k.wants(), by) && (k.Status == Conceded || k.Unexplained) && !s.peopleAnswered(k.Attacker)
	}
	switch {
	// The primary is lost, or it contradicts its own position.
	case s.Table.PrimaryLost, primary.differs(s.Talk.Position().Disposition) && !s.peopleAnswered(primary.Party):
		return "", ""
	// A party was not heard. Two that hold revise at the end agree on it all the same.
	case by == Keep && s.unheard():
		return "", ""
	// An objection was granted, and the option does not do what it asks for.
	case s.Book.attacks(PositionSubject).any(grantedInWords):
		return "", ""
	}
	held = option
	for _, id := range s.blockers() {
		k := cmp.Or(s.Book.challenge(id), &Challenge{Claim: id}) // a claim without an evaluation
		c := s.Book.survivor(k.Claim)
		switch {
		// It asks for this very option, is words that were answered, or people answered it.
		case k.toPosition() && (k.wants() == by || !s.Book.grounded(k.Attacker) || s.peopleAnswered(k.Attacker)):
		// People took the claim out.
		case c != nil && s.takenOut(c):
		// None of its lines was found, so a party that did not weigh it missed nothing.
		case k.ID == "" && c.Severity != P1 && len(c.Evidence) > 0 && !qualified(c.Evidence):
		// No party is left to defend the claim: it stays open, which asks for no more than a change (M19).
		case by != Keep && k.ID != "" && len(s.Defenders(*k)) == 0:
		// An objection to the position itself.
		case c == nil:
			return "", ""
		// A finding.
		default:
			held = ""
		}
	}
	return held, option
}

// majority is the option that the voices settle, "" if they settle none (M09): at least two
// voices and more than half of them hold it, and all others only dissent. A voice without a
// choice counts against keep alone: silence never settles it. If there are two families, each
// has one voice (M02).
func majority(voices []voice) string {
	words := byFamily(voices)
	holders := make(map[string]int)
	for _, v := range words {
		holders[v.Option]++
	}
	option := ""
	for _, v := range words {
		all := len(words)
		if v.Option != string(Keep) {
			all -= holders[""]
		}
		if v.Option != "" && holders[v.Option] >= max(2, all/2+1) {
			option = v.Option
		}
	}
	differs := func(v voice) bool { return v.Option != "" && v.Option != option && !v.Dissent }
	if slices.ContainsFunc(voices, differs) {
		return ""
	}
	return option
}

// byFamily joins the voices of each family if there are two families or more. A family that is
// divided beyond dissent holds nothing.
func byFamily(voices []voice) []voice {
	if !slices.ContainsFunc(voices, func(v voice) bool { return v.Family != voices[0].Family }) {
		return voices
	}
	var joint []voice
	for _, v := range voices {
		have := lists.Pointer(joint, func(have *voice) bool { return have.Family == v.Family })
		switch {
		case have == nil:
			joint = append(joint, v)
		case have.Option == v.Option:
			have.Dissent = have.Dissent && v.Dissent
		case have.weight() < v.weight():
			*have = v
		case have.weight() == v.weight():
			have.Option = ""
		}
	}
	return joint
}

// weight ranks a voice within its family: no choice, mere dissent, or a choice with a reason.
func (v voice) weight() int {
	switch {
	case v.Option == "":
		return 0
	case v.Dissent:
		return 1
	}
	return 2
}

// blockers are the reasons against an exit without confrontation (M07b): a strong or moderate
// objection, an open challenge to a P1 or P2 claim, and a P1 or P2 claim of a challenger that
// has to be weighed. A challenge that only the engine could answer waits for no party.
func (s *State) blockers() []string {
	blocking := s.Book.attacksThat(func(k *Challenge) bool {
		c := s.Book.named(k.Claim)
		idle := c.Owner == EngineParty
		return k.Live() && !idle && c.debated() && (c.severe() || k.Strength != StrengthMinor)
	})
	return append(lists.Map(blocking, func(k *Challenge) string { return k.ID }), s.Book.claimsThat(s.unweighed)...)
}

// unweighed reports whether the primary still has to evaluate a P1 or P2 claim of a challenger,
// because only its owner has (M07b), or because the owner argues with it against the position
// that the primary alone has taken. A bare agreement of another challenger does not count.
func (s *State) unweighed(c *Claim) bool {
	if c.Owner == s.Table.Primary || !c.weighty() || c.Passed > 1 {
		return false
	}
	owner := s.Table.fares(c.Owner)
	argues := !s.Received.blind() && owner.differs(s.Talk.Position().Disposition)
	weighs := func(e Evaluation) bool {
		heard := e.Qualified || e.Reasoned || e.Class != ClassAgree
		return e.Party == s.Table.Primary || e.Party != c.Owner && heard && !argues
	}
	return !slices.ContainsFunc(c.Evaluations, weighs)
}

// unheard reports whether the debate ended before everyone had spoken: a person stopped it, or
// the budget was too small for an exchange or a retry. A further challenger that costs money
// and says nothing must not settle a question against the word of the others.
func (s *State) unheard() bool {
	if s.Talk.Exit == ExitBudget {
		return true
	}
	cutOff := func(seat *Seat) bool { return s.Asking.Stopped && seat.Engagement == "" }
	if slices.ContainsFunc(s.Table.challengers(), cutOff) {
		return true
	}
	unrepeated := func(c Call) bool {
		again := c.Retry || s.Asking.asked(c.Ask+formatRetry)
		return c.Status == CallMalformed && !again && c.Kind.debates()
	}
	return slices.ContainsFunc(s.Asking.Calls, unrepeated)
}

// silent reports whether a challenger follows a position without a word about its checks, in
// all its replies: it weighed no claim with a reason, raised and attacked none, and none of
// its objections was granted or quotes a line. Then it agrees to nothing, even if it wanted
// something else before (R093, M03).
func (b *Book) silent(seat *Seat, at Disposition) bool {
	reasoned := func(e Evaluation) bool { return e.Party == seat.Party && e.Reasoned }
	engages := func(c Claim) bool {
		raised := c.Owner == seat.Party && seat.Engagement != Agrees
		return raised || slices.ContainsFunc(c.Evaluations, reasoned)
	}
	argues := func(k *Challenge) bool {
		kept := seat.Option == "" && k.Status != Resolved // it said what it is against, and not what it is for
		return !k.toPosition() || k.Status == Conceded || kept
	}
	switch {
	case seat.Engagement == "", seat.Substance, seat.differs(at):
		return false
	}
	return !slices.ContainsFunc(b.Claims, engages) && !b.attacksBy(seat.Party).any(argues)
}

// speaking are the challengers with a word in a decision: without an answer to CHALLENGE a
// challenger has none yet, and one that abstains has given it up.
func (s *Table) speaking() []*Seat {
	silent := func(seat *Seat) bool { return slices.Contains([]Engagement{Abstains, ""}, seat.Engagement) }
	return slices.DeleteFunc(s.challengers(), silent)
}

// rests reports whether an option of D0 has a reason (M16): for keep, a check of a party that
// holds it; else a confirmed finding or a granted objection.
func (s *State) rests(d *Decision, on string) bool {
	if on == string(Keep) {
		return slices.ContainsFunc(s.Table.speaking(), func(seat *Seat) bool {
			return s.holds(d, seat) == on && (seat.Substance || s.appeased(seat))
		})
	}
	granted := func(k *Challenge) bool { return k.Status == Conceded }
	return len(s.Book.Agreed()) > 0 || s.Book.attacks(PositionSubject).any(granted)
}

// appeased reports whether every objection of a party was accepted in full, or given up with a
// reason: its challenges and its claims.
func (s *State) appeased(seat *Seat) bool {
	kept := func(k *Challenge) bool { return !k.accepted() }
	held := func(c *Claim) bool {
		return c.Bucket != Agreed && !slices.Contains([]Reason{ReasonConceded, ReasonFixed}, c.Reason)
	}
	attacks := s.Book.attacksBy(seat.Party)
	claims := lists.Keep(s.Book.severe(), func(c *Claim) bool { return c.Owner == seat.Party })
	switch {
	case seat.differs(s.Talk.Position().Disposition), attacks.any(kept), slices.ContainsFunc(claims, held):
		return false
	}
	own := lists.Keep(claims, func(c *Claim) bool { return c.Carried == "" }) // a finding of an earlier head is no objection on this one
	return len(attacks)+len(own) > 0
}

// accepted reports whether a challenge was accepted in full, with a reason.
func (c Challenge) accepted() bool {
	switch {
	case c.Unexplained:
		return false
	case c.Status == Resolved:
		return !c.ResolvedWith.IsZero()
	}
	return c.Status == Conceded
}

// grounded reports whether a party has more than words that were answered for its view: its own
// or a supported severe claim with valid lines that was not dismissed (a hidden one counts too),
// an objection with evidence that keeps its claim from being confirmed, or one without an answer.
func (b *Book) grounded(party string) bool {
	finds := func(c *Claim) bool {
		switch {
		case c.Bucket == Dismissed && c.Reason != ReasonKnown, !qualified(c.Evidence):
			return false
		case c.Owner == party, slices.Contains(c.ReportedBy, party):
			return true
		}
		return c.agreedBy(party) && c.word(party).Qualified
	}
	objects := func(k *Challenge) bool {
		switch c := b.claim(k.Claim); {
		case k.Status == Undefended, k.Status == Dropped, k.Status == Open && k.RoundsOpen == 0: // without an answer
			return true
		case c != nil && c.Bucket == Agreed:
			return false
		}
		return k.Shown && k.unsettled()
	}
	return slices.ContainsFunc(b.severe(), finds) || b.attacksBy(party).any(objects)
}
