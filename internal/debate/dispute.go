package debate

import (
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
	s := m.state
	c := s.Book.survivor(ev.Claim)
	switch {
	case c == nil, !c.found():
		return "there is no open finding " + ev.Claim
	case c.Final:
		return "the dispute about " + c.ID + " is settled on this pull request"
	case s.Disputes >= maxDisputes:
		return "a pull request has three disputes"
	case !ev.By.mayDispute():
		return ev.By.Login + " may not dispute it"
	case ev.Text == "":
		return "a dispute says why"
	}
	s.Disputes++
	c.Final = true
	s.Clock.ClockFrom = s.Clock.At
	m.clerk.happened(Fact{Kind: DisputeOpened, Who: ev.By.Login, About: c.ID, Text: clip(ev.Text, maxText)})
	m.clerk.ledger(TagUnverified, AuthorParty, ev.Text, c.ID, "")
	k := m.clerk.newChallenge(c.ID, AuthorParty, m.listener.hearing().substitute(c, AuthorParty), Skeptical, ev.Text)
	k.Strength = StrengthModerate
	m.transition(StageDispute)
	s.InDispute = k.ID
	if !m.desk.ask(CallRespond, max(s.Talk.Exchange, 1), s.Table.disputants(&s.Book, k)).IsZero() {
		m.disputeAnswered(nil)
	}
	return ""
}

// found reports whether a claim is a finding.
func (c Claim) found() bool { return slices.Contains([]Bucket{Agreed, Unresolved}, c.Bucket) }

// mayDispute reports whether an account may dispute a finding: the author, and people with
// write access.
func (a Actor) mayDispute() bool {
	if a.Bot {
		return false
	}
	return a.Author || a.Permission.AtLeast(WriteAccess)
}

// disputants are the two parties in a dispute: the defender of the claim, and one other party,
// an attacker of it if there is one (A26).
func (t *Table) disputants(b *Book, k *Challenge) []Ask {
	all := lists.Map(lists.Keep(t.Seats, Seat.Active), func(seat Seat) string { return seat.Party })
	defends := lists.Keep(all, func(party string) bool { return party == k.Defender })
	attacked := lists.Keep(all, func(party string) bool { return len(b.attacks(k.Claim).by(party)) > 0 })
	return one(keep(once(slices.Concat(defends, attacked, all)), 2))
}

// disputeAnswered settles the dispute under the evidence gate. The result is final for the
// claim. If its defender said nothing, nothing is settled: a missing reply is no concession,
// and the finding stays.
func (m *reducer) disputeAnswered(all []said) {
	s := m.state
	id := s.InDispute
	was := cloned(s.Book.Claims)
	known := len(s.Book.Challenges)
	answered := s.Book.claim(s.Book.challenge(id).Claim).Owner == EngineParty
	for _, x := range valid(all) {
		answered = m.listener.hearing().disputant(id, x) || answered
	}
	s.InDispute = ""
	k := s.Book.challenge(id)
	c := s.Book.claim(k.Claim)
	switch {
	case k.Status != Open:
	case !answered:
		c.Final = false
		m.clerk.close(k, Resolved, because(WhyNobodyAnswered))
	default: // the person does not speak again; the parties' words decide
		m.clerk.close(k, Resolved, because(WhyAnswered))
	}
	if m.clerk.support.confirmed(c) {
		m.clerk.dropDoubts(c, known)
	}
	newSettling(s, m.clerk).settle()
	if lost := m.docket.unsettle(); lost || rebucketed(s.Book.Claims, was) {
		m.docket.outcomeSince()
		m.docket.concludeAgain()
	}
	s.verdict()
	m.transition(StagePublish)
}

// dropDoubts closes the doubts without a citation about a claim that came after the known
// challenges: no party is asked about them.
func (b *clerk) dropDoubts(c *Claim, known int) {
	since := b.book.Challenges[known:]
	for _, doubt := range findAll(since, func(k *Challenge) bool { return k.Claim == c.ID && k.Live() && !k.Qualified() }) {
		b.close(doubt, Resolved, because(WhyVerifiedWins))
	}
}

// disputant takes one party's words about a disputed claim, and reports whether it answered for
// it.
func (h *hearing) disputant(dispute string, x said) bool {
	k := h.book.challenge(dispute)
	if x.Party == k.Defender {
		a := x.Reply.answerTo(k, x.Party)
		if a.says() {
			h.settleDispute(k, x, a)
		}
		return a.says()
	}
	changes := append([]Change{{Claim: k.Claim, Because: "disputed: " + clip(k.Objection, 200)}}, x.Reply.Changes...)
	for _, ev := range x.Reply.Evaluations {
		if h.book.is(ev.Claim, h.book.claim(k.Claim)) {
			h.evaluate(x.Party, max(h.clerk.talk.Exchange, 1), ev, changes)
			k = h.book.challenge(dispute) // the evaluation may have moved it
		}
	}
	return false
}

// settleDispute takes the answer of the defender of a disputed claim. Only its owner can give
// it up.
func (h *hearing) settleDispute(k *Challenge, x said, a Answer) {
	switch {
	case h.withdraws(k, a):
		h.withdraw(k, a, h.clerk.talk.Exchange)
	case a.concedes():
		h.concede(k, a, h.clerk.found(x.Party, a.Refs))
	default:
		k.Defence = clip(a.Text, maxText)
		found := h.clerk.found(x.Party, a.Refs)
		h.clerk.said(&k.Thread, k.Claim, Turn{Who: x.Party, Act: Act(a.Move), Text: joined(a.Text, a.Limit), Cites: found})
		h.clerk.happened(Fact{Kind: ChallengeDefended, Who: x.Party, About: k.ID, Other: k.Claim, Code: string(a.Move), Text: k.Defence, Cites: found})
		h.defend(k, a, found)
	}
}

// confirmed reports whether a claim passes the gate of its kind by the word of a party other
// than its owner.
func (w support) confirmed(c *Claim) bool {
	if c.Kind == Empirical {
		return c.Verified()
	}
	return c.Verified() || len(w.holding(c).confirmedBy) > 0
}

// rebucketed reports whether a claim has another bucket or weight than before.
func rebucketed(now, was []Claim) bool {
	return !slices.EqualFunc(now, was, func(a, b Claim) bool {
		return a.Bucket == b.Bucket && a.Reason == b.Reason && a.Severity == b.Severity
	})
}

// outcomeSince sets the outcome of the debate after a dispute that moved a claim.
func (dk *docket) outcomeSince() {
	was := dk.ending.Outcome
	if !was.debated() {
		return
	}
	if dk.outcome(); dk.ending.Outcome != was {
		dk.ending.OutcomeReason = because(WhyDisputed)
	}
}

// concludeAgain ends the debate once more after a dispute that moved a claim. Decisions that
// wait for a person or were made by one stay; keep is no longer settled if the dispute left
// something open.
func (dk *docket) concludeAgain() {
	blockers := dk.table.blockers(dk.book)
	ofDebate := []DecisionOutcome{Settled, Adopted, Undecided}
	for _, d := range dk.agenda.decisionsThat(func(d *Decision) bool { return slices.Contains(ofDebate, d.Outcome) }) {
		d.Triggers, _ = dk.agenda.unwaived(d.Triggers)
		dk.conclude(d)
		if d.disposes() && d.ended() && d.settled() == string(Keep) && len(blockers) > 0 {
			d.Outcome = Undecided
			d.Why = because(WhyOpenSince, blockers[0])
			dk.reached(d)
		}
	}
}
