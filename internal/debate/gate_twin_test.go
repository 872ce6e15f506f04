package debate

import (
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/debate/jury"
)

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
			if o.Party == s.Table.Primary {
				choice, how = o.Option, Settled
			}
		}
	case d.Rubric != nil && d.Rubric.Winner != "":
		choice, how = d.Rubric.Winner, Adopted
	}
	if d.Question == DispositionQuestion && choice == "keep" && (openP1(s) || failsAgain(s) || grantedMore(s)) {
		return Undecided, ""
	}
	return how, choice
}

// openP1 reports whether a P1 stands in the way of keep (S05).
func openP1(s State) bool {
	for _, c := range s.Book.Claims {
		if c.SameAs == "" && c.Severity == P1 && stillOpen(c) {
			return true
		}
	}
	return false
}

// failsAgain reports whether a finding that failed the check before on this very
// head is unresolved now (S11).
func failsAgain(s State) bool {
	set := s.Received.Settings
	fails := map[FailOn][]Severity{FailP1: {P1}, FailP2: {P1, P2}, FailP3: {P1, P2, P3}}[set.FailOn]
	if set.Gate == Required && len(fails) == 0 {
		fails = []Severity{P1}
	}
	for _, c := range s.Book.Claims {
		if c.SameAs == "" && c.Carried != "" && c.Bucket == Unresolved && slices.Contains(fails, c.Severity) && s.Received.Previous.Head == s.Snapshot.HeadSHA {
			return true
		}
	}
	return false
}

// grantedMore reports whether the primary granted an objection to its position that
// is more than minor and names nothing that it wants (R095, X09).
func grantedMore(s State) bool {
	for _, k := range s.Book.Challenges {
		if k.Claim == PositionSubject && k.Status == Conceded && k.Option == "" && k.Kind != Reconciling && k.Strength != StrengthMinor {
			return true
		}
	}
	return false
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
	return s.Table.PrimaryLost || s.Ending.Outcome == DegradedLocal || s.Ending.Outcome == Unchallenged
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
	case !d.Settled && !s.Asking.Stopped && winner == "" && (!unscored || inherent == 0): // who stops a debate asks nobody to decide
		return true
	case !s.Asking.Stopped && len(d.Unanswered) > 0:
		return true
	case d.Panel != nil && d.Panel.Outcome == jury.Contested:
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
		for _, d := range s.Agenda.Decisions {
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
