package debate

import (
	"fmt"
	"slices"
	"testing"
)

// TestCouncilProperty checks, over random debates of parties that hold opinions,
// what the debate comes to, and that a party that joins with nothing but bad faith
// does not change it.
//
// The invariants of the protocol and what shows them:
//
//  1. no success over a P1: here, "no success over a P1"
//  2. no keep by order, tie, default or silence: here, "keep is held"
//  3. no HIGH and no "confirmed" without reasons: here, "HIGH has reasons" and "confirmed by another"
//  4. a party in bad faith removes and adds nothing: here, "bad faith changes nothing", with each of conducts
//  5. failing keys that are left in do no harm: TestFailingProperty
//  6. what a person decided lets no other head pass: keepCoversItsTriggers, TestKeepOverP1Property
//  7. plain text loses nothing: TestPlainRepliesLoseNothing in internal/prompt, TestPlainWordsSettleTheSame in debatetest
//  8. names change nothing: namesChangeNothing
func TestCouncilProperty(t *testing.T) {
	t.Parallel()
	var reached reach
	each(t, []property{
		{"no success over a P1", noSuccessOverP1}, {"keep is held", keepIsHeld}, {"HIGH has reasons", highNames}, {"confirmed by another", confirmedByAnother},
		{"bad faith changes nothing", func(p played) string { return badFaith(p, &reached) }},
	}, func(seed int) *world { return convene(seed).world })
	for _, how := range conducts() {
		if reached.of[string(how)] == 0 {
			t.Errorf("nobody who %s met a confirmed finding", how)
		}
	}
}

// badFaith: one more party confirms nothing by saying yes, and unsettles nothing
// that is confirmed by saying no, by quoting the line of the finding itself or
// comments of the change, or by nonsense that it concedes. With other lines of the
// declaration it unsettles nothing that whoever holds it answers with a quote;
// where nobody answers, the finding is disputed and still fails a run. One more party
// makes the debate longer, so that others may weigh what they had not weighed, such as
// a P3, and quote lines against it themselves.
func badFaith(p played, reached *reach) string {
	d := diceOf(p.seed, "bad faith")
	how := pick(d, conducts()...)
	x := convene(p.seed).with("mistral", "mistral", how)
	x.silent = how == quotesNear && d.chance(50)
	alone, joined := p.end(), x.outcome()
	for _, c := range alone.Book.Claims {
		before, after := c.Bucket == Agreed, findingOf(joined, c.Title)
		if before {
			reached.count(string(how))
		}
		switch {
		case before && after.Bucket == Agreed:
		case before && shownSince(alone, joined, c.ID, after.ID): // who had not weighed it yet quotes lines
		case before && silentSince(alone, joined, c.ConfirmedBy): // it agreed in words, and spoke up only where it was asked once more
		case before && how == quotesNear && (!answered(joined, after.ID) || x.outweighs(c)):
			if conclusion, why := checkOf(joined); c.Severity == P1 && (after.Bucket != Unresolved || conclusion != Failure && conclusion != ActionRequired) {
				return fmt.Sprintf("one who %s and is not answered: %s is %s (%s), and the check is %s (%s)", how, c.ID, after.Bucket, after.Reason, conclusion, why)
			}
		case before:
			return fmt.Sprintf("one who %s makes %s of %s %s (%s)", how, c.ID, c.Owner, after.Bucket, after.Reason)
		case how == saysYes && after.Bucket == Agreed && slices.Equal(after.ConfirmedBy, []string{"mistral"}):
			return fmt.Sprintf("one who %s makes %s of %s agreed, which was %s (%s)", how, c.ID, c.Owner, c.Bucket, c.Reason)
		}
	}
	return ""
}

// shownSince reports whether one of the others quotes lines against a finding that did
// not while they were alone.
func shownSince(alone, joined State, was, is string) bool {
	shows := func(s State, claim, party string) bool {
		return slices.ContainsFunc(s.Book.Challenges, func(k Challenge) bool { return k.Claim == claim && k.Attacker == party && k.Shown })
	}
	return slices.ContainsFunc(alone.Table.Seats, func(seat Seat) bool {
		return shows(joined, is, seat.Party) && !shows(alone, was, seat.Party)
	})
}

// silentSince reports whether one of some parties abstains that did not while the others
// were alone.
func silentSince(alone, joined State, parties []string) bool {
	return slices.ContainsFunc(parties, func(party string) bool { return joined.Table.abstains(party) && !alone.Table.abstains(party) })
}

// answered reports whether somebody quotes lines for a claim that the party that
// joined quotes lines against.
func answered(s State, claim string) bool {
	return slices.ContainsFunc(s.Book.Challenges, func(k Challenge) bool {
		return k.Claim == claim && k.Attacker == "mistral" && quotesChange(k.DefenceBy, k.Defender)
	})
}

// outweighs reports whether, with the party that joins, as many quote lines against
// a finding as hold it.
func (x *council) outweighs(c Claim) bool {
	objectors := 1
	for party, o := range x.of(&c).opinions {
		objectors += b2i(o == refutes && party != c.Owner)
	}
	return objectors > len(c.ConfirmedBy)
}

// findingOf is the claim that stands for a finding.
func findingOf(s State, title string) Claim {
	for _, c := range s.Book.Claims {
		if c.Title == title {
			return *s.Book.survivor(c.ID)
		}
	}
	return Claim{}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
