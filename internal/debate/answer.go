package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/debate/likeness"
	"github.com/prdebate/debate/internal/lists"
)

// takeAnswers takes the answers of a challenge's defenders in one wave, and returns the changes
// granted by the primary (R148-R152, R168). One defense is enough. Only the target of the
// challenge concedes it.
func (m *reducer) takeAnswers(k *Challenge, asked []string, heard []said, n int) []Because {
	if !k.AwaitsDefence() {
		return nil
	}
	var granted []Because
	for _, x := range heard {
		if !slices.Contains(asked, x.Party) {
			continue
		}
		a := x.Reply.answerTo(k, x.Party)
		switch {
		case k.Kind == Reconciling:
			m.reconcile(k, x.Reply)
		case a.says():
			k.useReminder()
			because := m.answer(k, x.Party, a, n)
			if x.Party == m.Table.Primary {
				granted = append(granted, because...)
			}
		}
	}
	switch {
	case !k.AwaitsDefence(), len(asked) == 0:
	case slices.Contains(k.Yielded, k.Defender):
		k.Status = Conceded
	case len(by(heard, asked[0])) > 0:
		m.unanswered(k)
	}
	return granted
}

// answer takes one party's answer to a challenge and returns the change that it grants.
func (m *reducer) answer(k *Challenge, party string, a Answer, n int) []Because {
	c := m.Book.claim(k.Claim)
	found := m.found(party, a.Refs)
	m.proven(c, found, a.Move == Accept) // a concession shows that the objection holds
	m.said(&k.Thread, k.Claim, Turn{Who: party, Act: Act(a.Move), Text: joined(a.Text, a.Limit), Cites: found})
	granted := Because{Challenge: k.ID, Party: k.Attacker, Move: a.Move}
	switch {
	case c != nil && c.Owner != party && a.Move == Accept:
		m.withdraw(k, party, a, found, n)
		return nil
	case a.Move == Accept && a.Amend == nil:
		m.concede(k, a, found)
		granted.Reason = clip(a.Text, 1000)
		if c == nil && k.Option == "" { // no option says what was granted (R095)
			granted.Granted = clip(k.Objection, 500)
		}
		return []Because{granted}
	}
	m.defend(k, party, a, found, n)
	if a.Move == Rebuff {
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

func (m *reducer) found(party string, refs []Ref) []Evidence {
	return lists.Map(lists.First(refs, maxRefs), func(ref Ref) Evidence { return m.evidence(party, ref) })
}

// withdraw takes back the word of a party for the claim of another one.
func (m *reducer) withdraw(k *Challenge, party string, a Answer, found []Evidence, n int) {
	c := m.Book.claim(k.Claim)
	c.Evaluations = append(c.Evaluations, Evaluation{Party: party, N: n, Class: ClassSkeptical, Flaw: clip(a.Text, 2000), Acknowledged: true})
	m.happened(Fact{Kind: ClaimWeighed, N: n, Who: party, About: c.ID, Code: string(ClassSkeptical), Text: clip(a.Text, 2000)})
	m.yield(k, c, party, a, found)
}

// concede takes the concession of a challenge's target (R095, R151).
func (m *reducer) concede(k *Challenge, a Answer, found []Evidence) {
	k.Move, k.ResolvedWith = Accept, told(clip(a.Text, 1000))
	m.happened(Fact{Kind: ChallengeConceded, Who: k.Defender, About: k.ID, Other: k.Claim, Code: string(Accept), Text: k.ResolvedWith.Words, Cites: found})
	c := m.Book.named(k.Claim)
	k.Unexplained = a.Text == "" && qualified(c.Evidence)
	m.yield(k, c, k.Defender, a, found)
}

// yield notes that a party gave in. A claim with valid lines falls only if the challenge shows
// something and the party gives a reason, or if the party quotes a new line (M03).
func (m *reducer) yield(k *Challenge, c *Claim, party string, a Answer, found []Evidence) {
	k.Yielded = lists.Add(k.Yielded, party)
	if k.Status != Defended { // an earlier answer of its own holds no more
		k.Answered = false
	}
	if qualified(c.Evidence) {
		k.InWords = k.InWords || !m.Book.argues(k, c, a, found)
		m.verify(c)
	}
}

// argues reports whether an answer rests on lines: it gives a reason and the challenge
// shows lines, or it quotes lines new to the thread (M03).
func (b *Book) argues(k *Challenge, c *Claim, a Answer, found []Evidence) bool {
	return k.Shown && a.Text != "" || b.newTo(c, found)
}

// defend takes a defense: its words and citations, its limit, and the amendment of the owner
// (R135). Of several defenses in one wave the owner's is shown, or else the first.
func (m *reducer) defend(k *Challenge, party string, a Answer, found []Evidence, n int) {
	if k.Status != Defended {
		k.DefenceBy = nil
	}
	if k.Status != Defended || party == k.Defender {
		k.Spoke, k.Move, k.Defence = party, a.Move, clip(a.Text, maxText)
	}
	k.Status, k.DefenceBy = Defended, slices.Concat(k.DefenceBy, found)
	m.happened(Fact{Kind: ChallengeDefended, N: n, Who: party, About: k.ID, Other: k.Claim, Code: string(a.Move), Text: clip(a.Text, maxText), Cites: found})
	m.checkedCites(party, k.ID, found)
	k.Answered = k.Answered || showsCode(found)
	c := m.Book.claim(k.Claim)
	if c == nil {
		return
	}
	argued := m.Book.argues(k, c, a, found)
	c.Evidence = joinEvidence(c.Evidence, okOnly(found))
	c.Limit = cmp.Or(clip(a.Limit, 1000), c.Limit)
	if a.Amend != nil && party == c.Owner {
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
	case next.rank() <= was.rank(), a.Move != Rebuff:
		return next
	}
	return was
}

// rephrased reports whether two texts say the same in different words, or one of them is
// empty.
func rephrased(was, is string) bool {
	return was == "" || is == "" || likeness.Of(was, is) >= likeness.LikelyHere
}

// unanswered handles a challenge without an answer: its target is reminded of it once
// (R149, R150, R152). The silence of others than the owner loses no claim.
func (m *reducer) unanswered(k *Challenge) {
	asked := slices.Contains(m.Defenders(*k), k.Defender)
	switch {
	case k.Status == Open && m.Book.named(k.Claim).Severity == P3: // a P3 is not worth a reminder
		k.Status, k.ResolvedWith = Upheld, because(WhyNotNamed)
	case k.Status == Open && !k.Reminded:
		k.Status = Dropped
	case asked:
		k.Status, k.ResolvedWith = Undefended, because(WhyNotNamed)
	}
	if asked {
		m.happened(Fact{Kind: ChallengeIgnored, Who: k.Defender, About: k.ID, Other: k.Claim, Code: string(k.Status)})
	}
}

// reconcile settles a RECONCILE challenge: its party says that it changed its mind, or that its
// first word holds (R156, R155). A stated change is no drift.
func (m *reducer) reconcile(k *Challenge, r *Reply) {
	because := admitted(r.Changes, k.Claim)
	if because == "" {
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
