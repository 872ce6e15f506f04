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
	case c.Final:
		return "the dispute about " + c.ID + " is settled on this pull request"
	case s.Disputes >= maxDisputes:
		return "a pull request has three disputes"
	case ev.By.Bot || !ev.By.Author && !ev.By.Permission.AtLeast(WriteAccess):
		return ev.By.Login + " may not dispute it"
	case ev.Text == "":
		return "a dispute says why"
	}
	s.Disputes++
	c.Final = true
	s.ClockFrom = s.At
	m.happened(Fact{Kind: DisputeOpened, Who: ev.By.Login, About: c.ID, Text: clip(ev.Text, maxText)})
	m.clerk().ledger(TagUnverified, AuthorParty, ev.Text, c.ID, "")
	k := m.clerk().newChallenge(c.ID, AuthorParty, m.hearing().heir(c, AuthorParty), Skeptical, ev.Text)
	k.Strength = StrengthModerate
	m.enter(StageDispute)
	s.InDispute = k.ID
	asks := m.disputants(k)
	if len(asks) == 0 || !m.wave(CallRespond, max(s.Exchange, 1), asks).IsZero() {
		m.disputeAnswered(nil)
	}
	return ""
}

// disputants are the two parties that a dispute is put to: who defends the claim,
// and one other party, which is one that attacked it if there is one (A26).
func (m *mover) disputants(k *Challenge) []Ask {
	s := m.state
	var asks []Ask
	var others [2][]Ask // those that attacked it, and the rest
	for _, seat := range s.Seats {
		if !seat.Active() {
			continue
		}
		ask := Ask{Party: seat.Party}
		rest := 1
		for _, old := range s.Challenges {
			if old.Claim == k.Claim && old.Attacker == seat.Party && old.Kind != Reconciling {
				rest = 0
			}
		}
		if seat.Party == k.Defender {
			asks = append(asks, ask)
		} else {
			others[rest] = append(others[rest], ask)
		}
	}
	asks = append(asks, append(others[0], others[1]...)...)
	return asks[:min(len(asks), 2)]
}

// disputeAnswered settles the dispute under the evidence gate. The result is
// final for the claim. Where its defender said nothing of it, nothing was settled:
// a missing reply is no concession, and the finding stands as it did (X11, S09).
func (m *mover) disputeAnswered(all []said) {
	s := m.state
	k := s.challenge(s.InDispute)
	c := s.claim(k.Claim)
	was := cloned(s.Claims)
	known := len(s.Challenges)
	answered := c.Owner == EngineParty
	for _, x := range all {
		if x.Status != CallOK {
			continue
		}
		if x.Party == k.Defender {
			if a, named := answerTo(x.Reply, k.ID); named && valid(a) {
				answered = true
				m.hearing().settleDispute(k, x, a)
			}
			continue
		}
		for _, ev := range x.Reply.Evaluations {
			if s.survivor(ev.Claim) == c {
				m.hearing().evaluate(x.Party, max(s.Exchange, 1), ev, append([]Change{{Claim: c.ID, Because: "disputed: " + clip(k.Objection, 200)}}, x.Reply.Changes...))
				k, c = s.challenge(k.ID), s.claim(c.ID) // evaluations may have moved them
			}
		}
	}
	s.InDispute = ""
	switch {
	case k.Status != Open:
	case !answered:
		c.Final = false
		m.clerk().close(k, Resolved, because(WhyNobodyAnswered))
	default: // who disputes does not speak again; what the parties say of it now decides
		m.clerk().close(k, Resolved, because(WhyAnswered))
	}
	stands := m.clerk().confirmed(c)
	for i := known; i < len(s.Challenges); i++ { // a doubt of the other party, which nobody is asked about
		if doubt := &s.Challenges[i]; doubt.Claim == c.ID && doubt.Live() && !doubt.Qualified() && stands {
			m.clerk().close(doubt, Resolved, because(WhyVerifiedWins))
		}
	}
	m.clerk().touch(k.ID)
	m.settling().bucketAll()
	if m.rebucketed(was) {
		m.concludeAgain()
	}
	m.verdict()
	m.enter(StagePublish)
}

// settleDispute takes the answer of who defends a disputed claim. Only its owner
// can give it up.
func (h *hearing) settleDispute(k *Challenge, x said, a Answer) {
	switch {
	case a.Move == Accept && h.inherited(k):
		h.withdraw(k, a, h.book.exchange)
	case a.Move == Accept && a.Amend == nil:
		h.concede(k, a)
	default:
		k.Defence = clip(a.Text, maxText)
		found := h.book.found(x.Party, a.Refs)
		h.book.happened(Fact{Kind: ChallengeDefended, Who: x.Party, About: k.ID, Other: k.Claim, Code: string(a.Move), Text: k.Defence, Cites: found})
		h.defend(k, a, found, h.book.exchange)
	}
}

// confirmed reports whether a claim passes the gate of its kind on the word of
// somebody beside its owner.
func (b *clerk) confirmed(c *Claim) bool {
	return c.Verified() || c.Kind != Empirical && len(b.confirmers(c)) > 0
}

// rebucketed reports whether a claim is in another bucket than it was.
func (m *mover) rebucketed(was []Claim) bool {
	for i, c := range m.state.Claims {
		if i >= len(was) || c.Bucket != was[i].Bucket || c.Reason != was[i].Reason {
			return true
		}
	}
	return false
}

// concludeAgain ends the debate once more after a dispute that moved a claim. What
// waits for a person or was decided by one stays; keep is no longer settled where
// the dispute left something open (S04).
func (m *mover) concludeAgain() {
	s := m.state
	if was := s.Outcome; was == Consensus || was == Tradeoff {
		if m.outcome(); s.Outcome != was {
			s.OutcomeReason = because(WhyDisputed)
		}
	}
	blockers := m.blockers()
	for i := range s.Decisions {
		d := &s.Decisions[i]
		if d.Outcome != Settled && d.Outcome != Adopted && d.Outcome != Undecided {
			continue
		}
		if d.Outcome == Undecided && d.Recommendation == string(Keep) && (d.Settled || d.Rubric != nil && d.Rubric.Winner == string(Keep)) {
			d.Why = "" // what forbids keep is said anew
		}
		d.Triggers, _ = m.unwaived(d.Triggers)
		m.conclude(d)
		if d.disposes() && d.Outcome == Settled && d.Recommendation == string(Keep) && len(blockers) > 0 {
			d.Outcome, d.Why = Undecided, blockers[0]+" is open since a dispute, and keep is settled no more"
		}
	}
}
