package debate

import "fmt"

// naiveGate is what a decision comes to, by the row GATE of Part 4 and S03, S05,
// X02, X10 and X17, in a second implementation that looks at nothing but the
// decision and what the debate came to. The second value is the recommendation,
// "" where it does not matter.
func naiveGate(s State, d Decision) (outcome DecisionOutcome, recommended string) {
	procedural, inherent := 0, 0
	for _, t := range d.Triggers {
		if t.Source == FromProcedure {
			procedural++
		} else {
			inherent++
		}
	}
	if naiveProcedural(s, d, inherent) != (procedural > 0) {
		return "", fmt.Sprintf("%d procedural triggers", procedural)
	}
	if procedural+inherent > 0 {
		return AwaitingHuman, ""
	}
	if noDebate(s) {
		return Undecided, ""
	}
	choice, how := "", Undecided
	switch {
	case d.Settled:
		for _, o := range d.FinalOptions {
			if o.Party == s.Primary {
				choice, how = o.Option, Settled
			}
		}
	case d.Rubric != nil && d.Rubric.Winner != "":
		choice, how = d.Rubric.Winner, Adopted
	}
	if d.Question == DispositionQuestion && choice == "keep" {
		for _, c := range s.Claims {
			if c.SameAs == "" && c.Severity == P1 && stillOpen(c) {
				return Undecided, ""
			}
		}
	}
	return how, choice
}

// stillOpen reports whether a claim was agreed on, or is unresolved although it
// cites something: verified, or because the sides differ.
func stillOpen(c Claim) bool {
	cites := false
	for _, e := range c.Evidence {
		cites = cites || e.CitationOK
	}
	differ := map[Reason]bool{ReasonOpen: true, ReasonTradeoff: true, ReasonBlocked: true, ReasonDefinition: true, ReasonUnexplained: true}
	return c.Bucket == Agreed || c.Bucket == Unresolved && cites && (differ[c.Reason] || c.Verified())
}

// noDebate reports whether what was said decides nothing (X02, X05).
func noDebate(s State) bool {
	return s.PrimaryLost || s.Outcome == DegradedLocal || s.Outcome == Unchallenged
}

// naiveProcedural reports whether how a decision went makes it critical: a tie, a
// divergence, no winner although somebody must choose, a grouped question that
// nobody settled and nobody could score, or a panel that contradicts the scores or
// came to nothing.
func naiveProcedural(s State, d Decision, inherent int) bool {
	if noDebate(s) {
		return false
	}
	winner := ""
	if d.Rubric != nil {
		winner = d.Rubric.Winner
	}
	unscored := d.Rubric == nil
	switch {
	case d.Rubric != nil && (d.Rubric.Tie || d.Rubric.Diverging):
		return true
	case !d.Settled && !s.Stopped && winner == "" && (!unscored || inherent == 0): // who stops a debate asks nobody to decide
		return true
	case !s.Stopped && len(d.Unanswered) > 0:
		return true
	case d.Panel != nil && d.Panel.Outcome == Contested:
		return true
	case d.Panel != nil && winner != "" && d.Panel.Option != winner:
		return true
	}
	return false
}

// gateTwin compares the outcome of every decision, where the gate has made it,
// with that of the naive implementation.
func gateTwin(p played) string {
	for _, s := range p.states[1:] {
		if !stepEnters(s, StageGate) {
			continue
		}
		for _, d := range s.Decisions {
			want, recommended := naiveGate(s, d)
			got := d.Outcome
			if got == HumanDecided && priorAnswer(s, d) {
				got = AwaitingHuman
			}
			if got != want || want != AwaitingHuman && recommended != "" && recommended != d.Recommendation {
				return fmt.Sprintf("event %d: %s is %s (%q), the twin says %s (%q): settled %v, triggers %v", s.N, d.ID, d.Outcome, d.Recommendation, want, recommended, d.Settled, d.Triggers)
			}
		}
	}
	return ""
}

// priorAnswer reports whether a person decided this very question about this very
// text on an earlier head (A14).
func priorAnswer(s State, d Decision) bool {
	for _, was := range s.Received.Previous.Decisions {
		if was.Fingerprint == d.Fingerprint && was.LinkedHash == d.LinkedHash {
			return true
		}
	}
	return false
}
