package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// AuthorParty is the source of the author's words.
const AuthorParty = "author"

// maxDisputes bounds the disputes of one pull request.
const maxDisputes = 3

// disputed re-opens exactly one claim, with the text of a person as an unverified objection: its
// owner and one other party answer once each (A26).
func (m *reducer) disputed(ev Disputed) string {
	c := m.Book.survivor(ev.Claim)
	switch {
	case c == nil, !c.found():
		return "there is no open finding " + ev.Claim
	case c.Final:
		return "the dispute about " + c.ID + " is settled on this pull request"
	case m.Disputes >= maxDisputes:
		return "a pull request has three disputes"
	case ev.By.Bot, !ev.By.Author && !ev.By.Permission.AtLeast(WriteAccess):
		return ev.By.Login + " may not dispute it"
	case ev.Text == "":
		return "a dispute says why"
	}
	m.Disputes++
	c.Final = true
	m.Clock.ClockFrom = m.Clock.At
	m.happened(Fact{Kind: DisputeOpened, Who: ev.By.Login, About: c.ID, Text: clip(ev.Text, maxText)})
	m.ledger(TagUnverified, AuthorParty, ev.Text, c.ID)
	k := m.newChallenge(c.ID, AuthorParty, c.Owner, Skeptical, ev.Text)
	k.Strength = StrengthModerate
	m.transition(StageDispute)
	m.InDispute = k.ID
	if !m.ask(CallRespond, max(m.Talk.Exchange, 1), m.disputants(k)).IsZero() {
		m.disputeAnswered(nil)
	}
	return ""
}

// found reports whether a claim is a finding.
func (c Claim) found() bool { return slices.Contains([]Bucket{Agreed, Unresolved}, c.Bucket) }

// disputants are the two parties in a dispute: the defender of the claim, and one other party,
// an attacker of it if there is one (A26).
func (s *State) disputants(k *Challenge) []Ask {
	all := lists.Map(lists.Keep(s.Table.Seats, Seat.Active), func(seat Seat) string { return seat.Party })
	attacked := lists.Keep(all, func(party string) bool { return len(s.Book.attacks(k.Claim).by(party)) > 0 })
	return one(lists.First(lists.Once(slices.Concat(s.Defenders(*k), attacked, all)), 2))
}

// disputeAnswered settles the dispute under the evidence gate. The result is final for the
// claim. If its defender said nothing, nothing is settled: a missing reply is no concession,
// and the finding stays.
func (m *reducer) disputeAnswered(all []said) {
	id := m.InDispute
	was := slices.Clone(m.Book.Claims)
	known := len(m.Book.Challenges)
	asked := m.Defenders(*m.Book.challenge(id))
	answered := m.Book.claim(m.Book.challenge(id).Claim).Owner == EngineParty
	for _, x := range valid(all) {
		switch k := m.Book.challenge(id); {
		case !slices.Contains(asked, x.Party):
			m.disputant(id, x)
		case x.Reply.answerTo(k, x.Party).says():
			answered = true
			m.takeAnswers(k, asked, []said{x}, m.Talk.Exchange)
		}
	}
	m.InDispute = ""
	k := m.Book.challenge(id)
	c := m.Book.claim(k.Claim)
	switch {
	case !k.Live():
	case !answered:
		c.Final = false
		m.close(k, Resolved, because(WhyNobodyAnswered))
	default: // the person does not speak again; the parties' words decide
		m.close(k, Resolved, because(WhyAnswered))
	}
	if m.confirmed(c) { // no party is asked about its doubts without a citation
		for _, doubt := range lists.Pointers(m.Book.Challenges[known:], func(k *Challenge) bool { return k.Live() && !k.Qualified() }) {
			m.close(doubt, Resolved, because(WhyVerifiedWins))
		}
	}
	m.settleClaims()
	if lost := m.unsettle(); lost || rebucketed(m.Book.Claims, was) {
		m.outcomeSince()
		m.concludeAgain()
	}
	m.verdict()
	m.transition(StagePublish)
}

// disputant takes the words of the other party about a disputed claim.
func (m *reducer) disputant(dispute string, x said) {
	k := m.Book.challenge(dispute)
	changes := append([]Change{{Claim: k.Claim, Because: "disputed: " + clip(k.Objection, 200)}}, x.Reply.Changes...)
	for _, ev := range x.Reply.Evaluations {
		if m.Book.is(ev.Claim, m.Book.claim(k.Claim)) {
			m.evaluate(x.Party, max(m.Talk.Exchange, 1), ev, &Reply{Changes: changes})
			k = m.Book.challenge(dispute) // the evaluation may have moved it
		}
	}
}

// confirmed reports whether a claim passes the gate of its kind by the word of a party other
// than its owner.
func (s *State) confirmed(c *Claim) bool {
	if c.Kind == Empirical {
		return c.Verified()
	}
	return c.Verified() || len(s.holding(c).confirmedBy) > 0
}

// rebucketed reports whether a claim has another bucket or weight than before.
func rebucketed(now, was []Claim) bool {
	return !slices.EqualFunc(now, was, func(a, b Claim) bool {
		return a.Bucket == b.Bucket && a.Reason == b.Reason && a.Severity == b.Severity
	})
}

// outcomeSince sets the outcome of the debate after a dispute that moved a claim.
func (m *reducer) outcomeSince() {
	was := m.Ending.Outcome
	if !was.debated() {
		return
	}
	if m.outcome(); m.Ending.Outcome != was {
		m.Ending.OutcomeReason = because(WhyDisputed)
	}
}

// concludeAgain ends the debate once more after a dispute that moved a claim. Decisions that
// wait for a person or were made by one stay; keep is no longer settled if the dispute left
// something open.
func (m *reducer) concludeAgain() {
	blockers := m.blockers()
	ofDebate := []DecisionOutcome{Settled, Adopted, Undecided}
	for _, d := range lists.Pointers(m.Agenda.Decisions, func(d *Decision) bool { return slices.Contains(ofDebate, d.Outcome) }) {
		d.Triggers, _ = m.Agenda.unwaived(d.Triggers)
		m.endDecision(d)
		if d.disposes() && d.ended() && d.settled() == string(Keep) && len(blockers) > 0 {
			d.Outcome = Undecided
			d.Why = because(WhyOpenSince, blockers[0])
			m.reached(d)
		}
	}
}

// saidInDisputes are the words of people and parties about the findings that were disputed on
// this head. A run may end before it answers the dispute; the next run then answers from the
// memory with the same words and lines. The list is bounded by the disputes: three on a pull
// request, two answers each (A26).
func saidInDisputes(s State) []Step {
	list := slices.Clone(cmp.Or(s.Received.Recall, &Memory{}).Said)
	opens := func(f Fact) bool { return f.Kind == DisputeOpened }
	first := slices.IndexFunc(s.Steps, func(step Step) bool { return slices.ContainsFunc(step.Facts, opens) })
	if first < 0 {
		return list
	}
	for _, step := range s.Steps[first:] {
		step.N, step.Facts = 0, lists.Keep(step.Facts, Fact.isSaid) // its number means nothing in another record
		if len(step.Facts) > 0 {
			list = append(list, step)
		}
	}
	return list
}

// isSaid reports whether a fact has words about a claim or in a challenge.
func (f Fact) isSaid() bool {
	said := []FactKind{
		DisputeOpened, ClaimWeighed, ClaimAmended, Acknowledged, Drifted, CitationChecked,
		ChallengeOpened, ChallengeDefended, ChallengeConceded, ChallengeKept, ChallengeAccepted, ChallengeIgnored,
	}
	return f.Who != EngineParty && slices.Contains(said, f.Kind)
}
