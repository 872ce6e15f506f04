package debate

import (
	"cmp"
	"fmt"
	"slices"
)

// The properties of this file are about what a debate comes to in the end. They are
// checked over all random debates, and over those in which parties hold opinions
// and somebody wants something (adversary_property_test.go).

// noSuccessOverP1: no check succeeds over a P1 that was quoted, unless lines are
// quoted against it, a person took it away or accepted it by name, or it is fixed. Its named adversary is
// the polite owner, who takes back what it can show as soon as somebody doubts it
// in words.
func noSuccessOverP1(p played) string {
	s := p.end()
	if conclusion := s.Conclusion().Check; conclusion != Success {
		return ""
	}
	for _, c := range s.Book.Claims {
		live := s.Book.survivor(c.ID)
		ofOpinion := c.Kind == Value && live.Severity != P1 // what a value claim weighs is the word of all (A06)
		if c.Asserted != P1 || c.OutOfScope || ofOpinion || !quotesChange(c.Evidence, c.Owner) || removed(s, *live) || s.Agenda.accepted(live) {
			continue
		}
		if !quotedAgainst(s, c.ID, live.ID) && !loweredWithLines(c) {
			return fmt.Sprintf("success over %s, a P1 of %s that %s quotes and nothing is quoted against: %s %s", c.ID, c.Owner, c.Cite(), live.Bucket, live.Reason)
		}
	}
	return ""
}

// quotesChange reports whether a party quoted, in full, lines of code of the change.
func quotesChange(list []Evidence, party string) bool {
	return slices.ContainsFunc(list, func(e Evidence) bool {
		return e.By == party && e.CitationOK && !e.Bare && e.Code != 0 && e.Cite.Path != BodyPath && (e.Changed || e.InHunk)
	})
}

// removed reports whether a person took a claim away, or it is gone from the head.
func removed(s State, c Claim) bool {
	return c.Reason == ReasonHuman || c.Reason == ReasonFixed
}

// loweredWithLines reports whether the owner of a claim made it milder with lines: its
// own, of code or of a failed check run, that it had not cited when it raised the claim,
// or those of another party that says so of the milder claim.
func loweredWithLines(c Claim) bool {
	if c.AmendedTo+c.Softer == "" || len(c.Thread) == 0 {
		return false
	}
	cited := func(e Evidence) bool {
		return slices.ContainsFunc(c.Thread[0].Cites, func(x Evidence) bool { return x.ID == e.ID })
	}
	own := slices.ContainsFunc(c.Evidence, func(e Evidence) bool {
		return e.By == c.Owner && e.CitationOK && !e.Bare && (e.Code != 0 || e.RunRef != "") && !cited(e)
	})
	return own || slices.ContainsFunc(c.Evaluations, func(e Evaluation) bool {
		return e.Party != c.Owner && e.Class == ClassAgree && e.View == Supports && e.Qualified
	})
}

// quotedAgainst reports whether somebody quoted lines against one of some claims: who
// attacks it, or who gives it up and quotes a line of code, or a failed check run, that
// it does not cite (M03).
func quotedAgainst(s State, ids ...string) bool {
	quoted := func(e Evidence) bool { return e.CitationOK && !e.Bare }
	return slices.ContainsFunc(s.Book.Challenges, func(k Challenge) bool {
		if !slices.Contains(ids, k.Claim) {
			return false
		}
		fresh := func(e Evidence) bool {
			own := func(x Evidence) bool { return x.Cite.overlaps(e.Cite) || e.RunRef != "" && x.RunRef == e.RunRef }
			return quoted(e) && (e.Code != 0 || e.RunRef != "") && !slices.ContainsFunc(s.Book.claim(k.Claim).Evidence, own)
		}
		conceded := func(t Turn) bool {
			return t.Act == Act(Accept) && t.Who == k.Defender && slices.ContainsFunc(t.Cites, fresh)
		}
		return slices.ContainsFunc(k.Evidence, quoted) || k.Status == Conceded && slices.ContainsFunc(k.Thread, conceded)
	})
}

// keepIsHeld: keep is recommended only where two parties hold it, of two families
// if two speak, and more than half of those that speak or scores prefer it. Its
// named adversaries are the tie, the first in the list, and the family that says
// nothing.
func keepIsHeld(p played) string {
	s := p.end()
	d := s.Agenda.decision("D0")
	if d == nil || d.Recommendation != string(Keep) || d.Outcome == HumanDecided || d.Outcome == DecisionSuperseded {
		return ""
	}
	if r := d.Rubric; r != nil && len(r.Tied) > 0 && r.Winner == "" && d.Held != string(Keep) {
		return "keep is recommended of a tie"
	}
	holders, families := 0, map[string]bool{}
	speaking := map[string]bool{}
	for _, seat := range s.Table.Seats {
		party := s.Table.party(seat.Party)
		if seat.Lost || seat.Engagement == Abstains {
			continue
		}
		speaking[party.Family] = true
		if s.holds(d, &seat) == string(Keep) {
			holders++
			families[party.Family] = true
		}
	}
	scored := d.Rubric != nil && d.Rubric.Winner == string(Keep) && len(d.Rubric.Sheets) > 1
	switch {
	case scored:
		return ""
	case holders < 2:
		return fmt.Sprintf("keep is recommended, and %d hold it", holders)
	case len(speaking) > 1 && len(families) < 2:
		return "keep is recommended on the word of one family of two"
	}
	return ""
}

// highNames: HIGH has its reasons: two families to the end, everything read, no
// disputed P1 or P2, and something that the recommendation rests on.
func highNames(p played) string {
	s := p.end()
	if s.Ending.Confidence != High {
		return ""
	}
	families := map[string]bool{}
	for _, seat := range s.Table.Seats {
		if seat.Lost {
			return "confidence is HIGH without " + seat.Party
		}
		if seat.Engagement != Abstains {
			families[s.Table.party(seat.Party).Family] = true
		}
	}
	rests := len(s.Book.Agreed()) > 0 || slices.ContainsFunc(s.Book.Challenges, func(k Challenge) bool { return k.toPosition() && k.Status == Conceded })
	on := ""
	if d := s.Agenda.decision("D0"); d != nil {
		on = cmp.Or(d.Recommendation, d.Held) // what was withdrawn recommends nothing any more
	}
	for _, seat := range s.Table.Seats {
		rests = rests || on == string(Keep) && (seat.Substance || s.appeased(&seat))
	}
	disputed := func(c Claim) bool {
		return c.SameAs == "" && c.Bucket == Unresolved && c.Severity.AtLeast(P2) && c.divides()
	}
	switch {
	case len(families) < 2:
		return "confidence is HIGH with one family"
	case s.Received.Inquiry == nil && s.Coverage() != CoverageFull:
		return "confidence is HIGH over parts that nobody read"
	case slices.ContainsFunc(s.Book.Claims, disputed):
		c := s.Book.Claims[slices.IndexFunc(s.Book.Claims, disputed)]
		return fmt.Sprintf("confidence is HIGH over %s, %s %s (%s)", c.ID, c.Severity, c.Bucket, c.Reason)
	case !rests:
		return "confidence is HIGH, and " + on + " rests on nothing"
	}
	return ""
}

// confirmedByAnother: what models confirm has lines that are there and a voice
// beside its owner's, of another family if two debate.
func confirmedByAnother(p played) string {
	s := p.end()
	if !weighedAll(s) {
		return ""
	}
	families := map[string]bool{} // of those who debate to the end
	for _, seat := range s.Table.Seats {
		if !seat.Lost {
			families[s.Table.party(seat.Party).Family] = true
		}
	}
	for _, c := range s.Book.Agreed() {
		if c.Owner == EngineParty || c.Carried != "" || c.Kind != Empirical {
			continue
		}
		others := slices.ContainsFunc(c.ConfirmedBy, func(party string) bool {
			by, owner := s.Table.party(party), s.Table.party(c.Owner)
			return party != c.Owner && (by == nil || by.Family != owner.Family || len(families) < 2)
		})
		if !c.Verified() || !others {
			return fmt.Sprintf("%s of %s is confirmed by %v, verified: %v", c.ID, c.Owner, c.ConfirmedBy, c.Verified())
		}
	}
	return ""
}
