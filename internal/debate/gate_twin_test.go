package debate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate/jury"
)

// naiveGate is what a decision comes to, by S03, X02 and
// X17, in a second implementation that looks at nothing but the
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
		choice, how = held(s, d), Settled
		if d.Question == DispositionQuestion && !naiveRests(s, choice) {
			how = Adopted
		}
	case d.Panel != nil && d.Panel.Option != "":
		choice, how = d.Panel.Option, Adopted
	case d.Rubric != nil && d.Rubric.Winner != "":
		choice, how = d.Rubric.Winner, Adopted
	case d.Common != "":
		choice, how = held(s, d), Adopted
	}
	keeps := func(o PartyOption) bool { return o.Option == "keep" }
	onlyScored := how == Adopted && !d.Settled && !slices.ContainsFunc(d.FinalOptions, keeps)
	if d.Question == DispositionQuestion && choice == "keep" && (onlyScored || openP1(s) || failsAgain(s) || grantedMore(s)) {
		return Undecided, ""
	}
	return how, choice
}

// held is what most families hold.
func held(s State, d Decision) string {
	most, n := "", 0
	for _, candidate := range d.Options {
		families := make(map[string]bool)
		for _, o := range d.FinalOptions {
			if o.Option == candidate.ID {
				families[s.Table.party(o.Party).Family+strings.Repeat(o.Party, sole(s))] = true
			}
		}
		if len(families) > n {
			most, n = candidate.ID, len(families)
		}
	}
	return most
}

// sole is 1 in a debate of one family, where each party is a voice, and else 0.
func sole(s State) int {
	families := make(map[string]bool)
	for _, seat := range s.Table.Seats {
		if !seat.Lost || seat.Party == s.Table.Primary {
			families[s.Table.party(seat.Party).Family] = true
		}
	}
	if len(families) == 1 {
		return 1
	}
	return 0
}

// naiveRests reports whether something stands behind what all hold (M16): for keep
// a challenger that shows what it looked at or whose objections were met, for more
// an agreed finding or an objection that the primary granted.
func naiveRests(s State, choice string) bool {
	if choice != "keep" {
		granted := slices.ContainsFunc(s.Book.Challenges, func(k Challenge) bool {
			return k.Claim == PositionSubject && k.Status == Conceded && k.Kind != Reconciling
		})
		agreed := slices.ContainsFunc(s.Book.Claims, func(c Claim) bool { return c.Bucket == Agreed })
		return granted || agreed
	}
	return slices.ContainsFunc(s.Table.Seats, func(seat Seat) bool {
		speaks := !seat.Lost && seat.Party != s.Table.Primary && seat.Engagement != "" && seat.Engagement != Abstains
		holds := seat.Option == Keep || seat.Option == "" || s.peopleAnswered(seat.Party)
		return speaks && holds && (seat.Substance || s.appeased(&seat))
	})
}

// openP1 reports whether a P1 stands in the way of keep.
func openP1(s State) bool {
	for _, c := range s.Book.Claims {
		if c.SameAs == "" && c.Severity == P1 && (stillOpen(c) || c.Bucket == Unresolved && (differs[c.Reason] || quotesCode(c))) {
			return true
		}
	}
	return false
}

// quotesCode reports whether a claim quotes a line of code, or a failed run (M02).
func quotesCode(c Claim) bool {
	return slices.ContainsFunc(c.Evidence, func(e Evidence) bool {
		there := e.CitationOK && !e.Bare && e.Cite.Path != BodyPath
		return there && (e.Code != 0 || e.RunRef != "")
	})
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
// is more than minor and names nothing that it wants (R095, R090).
func grantedMore(s State) bool {
	for _, k := range s.Book.Challenges {
		if k.Claim == PositionSubject && k.Status == Conceded && k.Option == "" && k.Kind != Reconciling && k.Strength != StrengthMinor {
			return true
		}
	}
	return false
}

// differs are the reasons for which a claim is unresolved because the sides differ.
var differs = map[Reason]bool{ReasonOpen: true, ReasonTradeoff: true, ReasonBlocked: true, ReasonDefinition: true, ReasonUnexplained: true}

// stillOpen reports whether a claim was agreed on, or is unresolved although it
// cites something: verified, or because the sides differ.
func stillOpen(c Claim) bool {
	cites := false
	for _, e := range c.Evidence {
		cites = cites || e.CitationOK
	}
	return c.Bucket == Agreed || c.Bucket == Unresolved && cites && (differs[c.Reason] || c.Verified())
}

// noDebate reports whether what was said decides nothing (R093).
func noDebate(s State) bool {
	return s.Table.PrimaryLost || s.Ending.Outcome == DegradedLocal || s.Ending.Outcome == Unchallenged
}

// naiveProcedural reports whether how a decision went makes it critical: a tie, a
// divergence, no winner although not all hold one option and somebody must choose, a grouped question that
// nobody settled and nobody could score, or a panel that came to nothing.
func naiveProcedural(s State, d Decision, inherent int) bool {
	if noDebate(s) {
		return false
	}
	scored := d.Rubric != nil && len(d.Rubric.Combined) > 0
	unscored := d.Rubric == nil
	switch {
	case d.Rubric != nil && (len(d.Rubric.Tied) > 0 || d.Rubric.Diverging):
		return true
	case !d.Settled && d.Common == "" && !s.Asking.Stopped && !scored && (d.Panel == nil || !unscored) && (!unscored || inherent == 0): // who stops a debate asks nobody to decide
		return true
	case !s.Asking.Stopped && len(d.Unanswered) > 0:
		return true
	case d.Panel != nil && d.Panel.Outcome == jury.Contested:
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
// text on an earlier head.
func priorAnswer(s State, d Decision) bool {
	for _, was := range s.Received.Previous.Decisions {
		if was.Fingerprint == d.Fingerprint && was.LinkedHash == d.LinkedHash {
			return true
		}
	}
	return false
}
