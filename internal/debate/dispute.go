package debate

// AuthorParty is the source of what the author of the change says.
const AuthorParty = "author"

// maxDisputes bounds the disputes of one pull request (S19).
const maxDisputes = 3

// disputed re-opens exactly one claim with the text of a person as an unverified
// objection: its owner and one other party answer once each (A26).
func (m *mover) disputed(ev Disputed) string {
	s := m.state
	if s.Stage != StageDone && s.Stage != StageAwaitingHuman {
		return "nothing is published yet"
	}
	c := s.survivor(ev.Claim)
	switch {
	case c == nil || c.Bucket == Dismissed || c.Bucket == "":
		return "there is no open finding " + ev.Claim
	case c.Final && m.applies("A26"):
		return "the dispute about " + c.ID + " is settled on this pull request"
	case s.Disputes >= maxDisputes && m.applies("S19"):
		return "a pull request has three disputes"
	case ev.By.Bot || !ev.By.Author && !ev.By.Permission.AtLeast(WriteAccess):
		return ev.By.Login + " may not dispute it"
	case ev.Text == "":
		return "a dispute says why"
	}
	s.Disputes++
	c.Final = true
	s.ClockFrom = s.At
	m.ledger(TagUnverified, AuthorParty, ev.Text, c.ID, "")
	k := m.newChallenge(c.ID, AuthorParty, c.Owner, Skeptical, ev.Text)
	k.Strength = StrengthModerate
	m.enter(StageDispute, "A26", "X19")
	var asks []Ask
	if seat := s.seat(c.Owner); seat != nil && seat.Active() {
		asks = append(asks, Ask{Party: c.Owner})
	}
	for _, seat := range s.Seats {
		if seat.Party != c.Owner && seat.Active() && len(asks) < 2 {
			asks = append(asks, Ask{Party: seat.Party})
		}
	}
	s.InDispute = k.ID
	if len(asks) == 0 || m.wave(CallRespond, max(s.Exchange, 1), asks) != "" {
		m.disputeAnswered(nil)
	}
	return ""
}

// disputeAnswered settles the dispute under the evidence gate. The result is
// final for the claim.
func (m *mover) disputeAnswered(all []said) {
	s := m.state
	k := s.challenge(s.InDispute)
	c := s.claim(k.Claim)
	s.InDispute = ""
	answered, heard := false, 0
	for _, x := range all {
		if x.Status != CallOK {
			continue
		}
		heard++
		if x.Party == c.Owner {
			if a, named := answerTo(x.Reply, k.ID); named && valid(a) {
				answered = true
				if a.Move == Accept && a.Amend == nil {
					m.concede(k, a)
				} else {
					k.Defence = clip(a.Text, maxText)
					m.defend(k, a, m.found(x.Party, a.Refs), s.Exchange)
				}
			}
			continue
		}
		for _, ev := range x.Reply.Evaluations {
			if s.survivor(ev.Claim) == c {
				m.evaluate(x.Party, max(s.Exchange, 1), ev, append([]Change{{Claim: c.ID, Because: "disputed: " + clip(k.Objection, 200)}}, x.Reply.Changes...))
			}
		}
	}
	k, c = s.challenge(k.ID), s.claim(c.ID) // evaluations may have moved them
	if heard == 0 {                         // nobody could answer: the finding stands, and may be disputed again
		c.Final = false
	}
	if k.Status == Open && c.Verified() && (answered || heard == 0 || c.Owner == EngineParty) {
		k.Status, k.ResolvedWith = Resolved, "the evidence of the claim is verified"
	}
	m.touch(k.ID)
	m.bucketAll()
	m.verdict()
	m.enter(StagePublish)
}
