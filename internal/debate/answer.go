package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/debate/likeness"
	"github.com/prdebate/debate/internal/lists"
)

// answer takes a party's answers to the challenges that it must answer, by their ids
// (R148-R152, R168): those that were open in its packet. It returns the changes.
func (m *reducer) answer(party string, r *Reply, shown []Challenge, n int) []Because {
	var because []Because
	for i := range shown {
		k := &m.Book.Challenges[i]
		if k.Defender != party || !k.AwaitsDefence() || shown[i].Status == Defended {
			continue
		}
		a := r.answerTo(k, party)
		switch {
		case k.Kind == Reconciling:
			m.reconcile(k, r)
		case a.says():
			k.useReminder()
			because = append(because, m.take(k, a, n)...)
		case m.passed(k):
			m.handBack(k, m.Book.claim(k.Claim).Owner)
		case m.inherited(k):
			k.Status, k.Defender = Open, EngineParty
		default:
			m.unanswered(k)
		}
	}
	return because
}

// take takes one answer to a challenge and returns the change.
func (m *reducer) take(k *Challenge, a Answer, n int) []Because {
	party := k.Defender
	found := m.found(party, a.Refs)
	m.proven(m.Book.claim(k.Claim), found, a.Move == Accept) // a concession shows that the objection holds
	m.said(&k.Thread, k.Claim, Turn{Who: party, Act: Act(a.Move), Text: joined(a.Text, a.Limit), Cites: found})
	granted := Because{Challenge: k.ID, Party: k.Attacker, Move: a.Move}
	switch {
	case m.withdraws(k, a):
		m.withdraw(k, a, n)
		return nil
	case a.concedes() && m.InDispute == "" && m.bequeath(k, a, found): // a dispute asks no other party
		return nil
	case a.concedes():
		m.concede(k, a, found)
		granted.Reason = clip(a.Text, 1000)
		if k.Claim == PositionSubject && k.Option == "" { // no option says what was granted (R095)
			granted.Granted = clip(k.Objection, 500)
		}
		return []Because{granted}
	}
	k.Status, k.Move = Defended, a.Move
	k.Defence, k.DefenceBy = clip(a.Text, maxText), found
	m.happened(Fact{Kind: ChallengeDefended, N: n, Who: party, About: k.ID, Other: k.Claim, Code: string(a.Move), Text: k.Defence, Cites: found})
	m.checkedCites(party, k.ID, found)
	if showsCode(found) {
		k.Answered = true
	}
	m.defend(k, a, found)
	if !a.grants() {
		return nil
	}
	granted.Reason = clip(joined(a.Limit, a.Text), 1000)
	return []Because{granted}
}

// answerTo is the last answer of a party to a challenge, the zero answer if the reply names
// neither it nor its claim. Both sides answer in one list with one set of moves: the attacker accepts the
// defense or maintains, the defender accepts the objection, perhaps in part, or rejects it.
// Any other move keeps up the party's earlier word.
func (r *Reply) answerTo(k *Challenge, party string) Answer {
	attacks := party == k.Attacker
	about := func(id string) []Answer {
		return lists.Keep(r.Answers, func(a Answer) bool { return a.Challenge == id && (a.says() || attacks && a.Move != "") })
	}
	said := about(k.ID)
	if len(said) == 0 { // "accept F1" of its defender may mean the claim or the objection
		said = lists.Keep(about(k.Claim), func(a Answer) bool { return attacks || a.Move != Accept })
	}
	if len(said) == 0 {
		return Answer{}
	}
	a := said[len(said)-1]
	switch {
	case a.Move == Accept:
	case attacks && a.Move != Escalate:
		a.Move = Maintain
	case !attacks && a.Move != Partial:
		a.Move = Rebuff
	}
	return a
}

// says reports whether an answer has content (R094): an acceptance may be bare, a defense may
// not.
func (a Answer) says() bool {
	switch {
	case a.Move == Accept, a.Text != "", a.Limit != "", len(a.Refs) > 0, a.Amend != nil:
		return true
	}
	return false
}

// concedes reports whether an answer gives up the attacked claim as it is.
func (a Answer) concedes() bool { return a.Move == Accept && a.Amend == nil }

// withdraws reports whether a party takes back its word for the claim of another party.
func (m *reducer) withdraws(k *Challenge, a Answer) bool { return a.Move == Accept && m.inherited(k) }

func (a Answer) grants() bool { return slices.Contains([]Move{Accept, Partial}, a.Move) }

func (m *reducer) found(party string, refs []Ref) []Evidence {
	return lists.Map(lists.First(refs, maxRefs), func(ref Ref) Evidence { return m.evidence(party, ref) })
}

// concede ends a challenge in favor of its attacker (R095, R151). A claim with valid lines
// falls only if the challenge shows something and the owner gives a reason, or if the owner
// quotes a new line (M03).
func (m *reducer) concede(k *Challenge, a Answer, found []Evidence) {
	k.Status, k.Move, k.ResolvedWith = Conceded, Accept, told(clip(a.Text, 1000))
	m.happened(Fact{Kind: ChallengeConceded, Who: k.Defender, About: k.ID, Other: k.Claim, Code: string(Accept), Text: k.ResolvedWith.Words, Cites: found})
	c := m.Book.named(k.Claim)
	if !qualified(c.Evidence) {
		return
	}
	if a.Text == "" {
		k.Unexplained = true
	}
	m.Book.gaveInTo(k, c, a, found)
}

// defend adds a defense to the claim: its citations, its limit and its amendment (R135).
func (m *reducer) defend(k *Challenge, a Answer, found []Evidence) {
	c := m.Book.claim(k.Claim)
	if c == nil {
		return
	}
	argued := m.Book.argues(k, c, a, found)
	c.Evidence = joinEvidence(c.Evidence, okOnly(found))
	c.Limit = cmp.Or(clip(a.Limit, 1000), c.Limit)
	if a.Amend != nil && !m.inherited(k) {
		m.amend(c, k, a, argued)
	}
	m.Book.strengthen(c)
	m.verify(c)
}

// amend rewrites a claim, which is weighed once more (R135). If only the words change, the
// evaluations stay. The owner cannot turn a claim into another one if a third party holds it
// on its evidence: that takes a new claim (R151). A fact with valid lines gets a lower severity
// by the same rule as a concession: with a reason, or with another party's lines for its new
// text (M03).
func (m *reducer) amend(c *Claim, k *Challenge, a Answer, argued bool) {
	next, was := *a.Amend, c.stated()
	severity := amendedSeverity(was, a)
	same := severity == was && rephrased(c.Title, next.Title) && rephrased(c.Body, next.Body)
	found := m.found(c.Owner, next.Refs)
	m.proven(c, found, false)
	inWords := severity.rank() > was.rank() && c.Kind != Value && qualified(c.Evidence) && !argued && !m.Book.newTo(c, found)
	c.Evidence = joinEvidence(c.Evidence, okOnly(found))
	switch {
	case !same && m.holding(c).byThird(c, k.Attacker):
		m.ledger(TagUnverified, c.Owner, "would amend it, and another party holds it as it is: "+next.Title+" "+next.Body, c.ID)
		return
	case severity == was && next.Title+next.Body == "":
		return
	}
	m.ledger(TagRevision, c.Owner, "amended: "+c.Title, c.ID)
	c.Title = cmp.Or(clip(next.Title, 300), c.Title)
	c.Body = cmp.Or(clip(next.Body, maxText), c.Body)
	switch {
	case inWords:
		c.Softer = severity
	case severity != was:
		c.AmendedTo, c.Softer = severity, ""
	}
	as := *c
	as.Asserted = c.stated()
	c.Kind = m.kindOf(c.Kind, as)
	if !same {
		c.Evaluations = nil
	}
	m.said(&c.Thread, c.ID, Turn{Who: c.Owner, Act: Rewrite, Text: joined(c.Title, c.Body)})
	m.happened(Fact{Kind: ClaimAmended, Who: c.Owner, About: c.ID, Other: k.ID, Code: string(c.stated()), Text: c.Title})
}

// amendedSeverity is the severity of an amended claim. It falls only with a challenge that the
// owner grants (A06).
func amendedSeverity(was Severity, a Answer) Severity {
	switch next := a.Amend.Severity; {
	case next.rank() > P3.rank():
		return was
	case next.rank() <= was.rank(), a.grants():
		return next
	}
	return was
}

// rephrased reports whether two texts say the same in different words, or one of them is
// empty.
func rephrased(was, is string) bool {
	return was == "" || is == "" || likeness.Of(was, is) >= likeness.LikelyHere
}

// unanswered handles a challenge that its defender did not name: it is reminded of it once
// (R149, R150, R152).
func (m *reducer) unanswered(k *Challenge) {
	switch {
	case k.Status == Open && m.Book.named(k.Claim).Severity == P3: // a P3 is not worth a reminder
		k.Status, k.ResolvedWith = Upheld, because(WhyNotNamed)
	case k.Status == Open && !k.Reminded:
		k.Status = Dropped
	default:
		k.Status, k.ResolvedWith = Undefended, because(WhyNotNamed)
	}
	m.happened(Fact{Kind: ChallengeIgnored, Who: k.Defender, About: k.ID, Other: k.Claim, Code: string(k.Status)})
}

// reconcile settles a RECONCILE challenge: its party says that it changed its mind, or that its
// first word holds (R156, R155). A stated change is no drift.
func (m *reducer) reconcile(k *Challenge, r *Reply) {
	because := admitted(r.Changes, k.Claim)
	if because == "" {
		m.unanswered(k)
		return
	}
	m.close(k, Resolved, told(clip(because, 1000)))
	seat := m.Table.seat(k.Defender)
	seat.Drifts = max(seat.Drifts-1, 0)
	for _, ch := range r.Changes {
		if ch.Claim == k.Claim && ch.From+ch.To != "" {
			m.ledger(TagRevision, k.Defender, ch.From+" became "+ch.To, k.Claim)
			return
		}
	}
}

// explained is a reply with the changes of mind from its answers to RECONCILE challenges: an
// answer to one is its acknowledgement.
func (m *reducer) explained(party string, r *Reply) *Reply {
	said := *r
	said.Changes = slices.Clone(r.Changes)
	for _, k := range lists.Pointers(m.Book.Challenges, func(k *Challenge) bool { return k.reconciles(party, k.Claim) && k.AwaitsDefence() }) {
		said.Changes = append(said.Changes, Change{Claim: k.Claim, Because: r.answerTo(k, party).Text})
	}
	return &said
}
