package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// challengeWave asks all challengers at once about the same position (R078, R084). After blind
// openings, all parties, the primary too, weigh the claims of the others in this wave: one
// call for each party over all claims (M01).
func (m *reducer) challengeWave() {
	m.ration()
	parties := lists.Map(m.Table.challengers(), (*Seat).party)
	if len(parties) == 0 {
		if !m.alone() {
			m.degrade(because(WhyNobodyLeft))
		}
		return
	}
	asks := m.Split.perChunk(parties)
	if m.Received.blind() {
		asks = one(append([]string{m.Table.Primary}, parties...))
	}
	m.transition(StageChallenge)
	m.askFirst(CallChallenge, 1, asks)
}

// one makes one ask for each party.
func one(parties []string) []Ask {
	return lists.Map(parties, func(p string) Ask { return Ask{Party: p} })
}

// challenged reduces the verdicts, challenges and new claims of the challengers in party order
// (R085), after the new position of a primary that was asked with them.
func (m *reducer) challenged(n int, all []said) {
	m.round(n, all)
	known := len(m.Book.Claims) // shown to the challengers
	valid := 0
	weighs := m.reconsiders(n, all)
	for _, seat := range m.Table.challengers() {
		if own := by(all, seat.Party); m.heard(seat.Party, n, own) {
			valid++
			m.engage(seat.Party, own)
		}
	}
	if valid == 0 {
		m.unchallenged()
		return
	}
	if weighs {
		m.passedOver(known)
	}
	m.Talk.Exchange = n // it counts only exchanges with a valid reply (R136)
	m.merge()
	m.ration()
	m.review()
	m.consensus()
}

// unchallenged goes on without a reply of a challenger: with a second context of the primary,
// or without a debate, or with the end of an earlier one.
func (m *reducer) unchallenged() {
	switch {
	case m.alone():
	case m.Talk.Exchange > 0:
		m.exit(ExitNoReply, because(WhyNoReply))
	default:
		m.degrade(because(WhyNobodyReplied))
	}
}

// reconsiders takes the new position of the primary, or of the next healthy party in its place,
// if the wave asked the primary too. It reports whether the wave did.
func (m *reducer) reconsiders(n int, all []said) bool {
	own := by(all, m.Table.Primary)
	asked := len(own) > 0
	for m.reconsider(n, own); m.Table.seat(m.Table.Primary).Lost && m.inherit(); m.reconsider(n, own) {
		own = by(all, m.Table.Primary)
	}
	return asked
}

// heard takes a party's words about the claims of others. It reports whether any of its replies
// is usable.
func (m *reducer) heard(party string, n int, own []said) bool {
	usable := valid(own)
	m.attendance(party, own, len(usable))
	for _, x := range usable {
		m.examine(party, n, x)
	}
	return len(usable) > 0
}

// reconsider takes the primary's words about the claims of the others, and its new position. No
// party has answered the first one yet, so no earlier word binds it (M01).
func (m *reducer) reconsider(n int, own []said) {
	primary := m.Table.Primary
	if !m.heard(primary, n, own) {
		return
	}
	r := own[0].Reply
	was := m.Talk.Position()
	next := was
	next.Because = m.Book.persuaded(primary, r, n)
	next.Disposition = cmp.Or(statedOption(r), was.Disposition)
	said := cmp.Or(r.Position, &Restated{})
	next.Summary, next.Confidence = cmp.Or(clip(said.Summary, maxText), was.Summary), cmp.Or(said.Confidence, was.Confidence)
	moves := next.Disposition != was.Disposition
	if moves {
		next.Because = append(next.Because, Because{Challenge: PositionSubject, Party: primary, Reason: clip(r.Summary, 1000)})
		m.ledger(TagRevision, primary, string(was.Disposition)+" became "+string(next.Disposition), PositionSubject)
	}
	if moves || next.Summary != was.Summary {
		m.takes(next, n)
	}
	m.comparePosition(statedOption(r))
}

// examine takes the evaluations, claims and options of one CHALLENGE reply.
func (m *reducer) examine(party string, n int, x said) {
	m.hear(party, x.Reply)
	if party != m.Table.Primary { // the primary's choice becomes the position
		m.takeStance(party, x.Reply)
	}
	m.evaluateAll(party, n, x.Reply)
	m.claims(party, n, x)
	m.trials(party, n, x.Reply.Checked)
	if o := x.Reply.Strongest; o != nil {
		m.object(party, n, *o)
	}
	for _, text := range x.Reply.AssumptionsChallenged {
		m.ledger(TagUnverified, party, "assumption challenged: "+clip(text, 500), PositionSubject)
	}
	if x.Reply.Alternative != "" {
		m.ledger(TagUnverified, party, x.Reply.Alternative, PositionSubject).Alternative = true
	}
}

// trials keeps a party's tests of claims and segments, for the parties that weigh them.
func (m *reducer) trials(party string, n int, list []Check) {
	for _, ch := range list[:min(len(list), maxTried)] {
		about, found := ch.Segment, m.found(party, ch.Refs)
		if c := m.Book.survivor(ch.Claim); c != nil {
			about = c.ID
			m.said(&c.Thread, c.ID, Turn{Who: party, Act: Try, Text: ch.Scenario, Cites: found})
		} else if ch.Scenario != "" {
			m.ledger(TagUnverified, party, "tried: "+clip(ch.Scenario, 500), ch.Segment)
		}
		m.happened(Fact{Kind: CaseTried, N: n, Who: party, About: about, Text: clip(ch.Scenario, maxSpoken), Cites: found})
	}
}

// round opens the record of one exchange, with the outcomes of its calls (R044, R075, R077).
func (m *reducer) round(n int, all []said) *Round {
	t := &m.Talk
	if last := t.lastExchange(); last.N != n || !last.Route.IsZero() {
		t.Rounds = append(t.Rounds, Round{N: n, Phase: phaseOf(n, t.Extended)})
		if n == 1 {
			gone := lists.Keep(m.Table.Parties, func(p Party) bool { return p.Status != PartyOK })
			t.Rounds[0].Unavailable = append(t.Rounds[0].Unavailable, lists.Map(gone, func(p Party) string { return p.ID })...)
		}
	}
	r := &t.Rounds[len(t.Rounds)-1]
	for _, x := range all {
		if x.Retried {
			r.Retries = append(r.Retries, x.Party)
		}
		if x.Status != CallOK {
			how := map[CallStatus]*[]string{CallTimeout: &r.Timeouts, CallAuth: &r.AuthFailures, CallMalformed: &r.ParseFailures}
			failed := cmp.Or(how[x.Status], &r.OtherFailures)
			*failed = append(*failed, x.Party)
		}
	}
	return r
}

// lastExchange is the record of the last exchange, the zero one before the first.
func (t *Talk) lastExchange() Round {
	if len(t.Rounds) == 0 {
		return Round{}
	}
	return t.Rounds[len(t.Rounds)-1]
}

// review notes the readers of each part, and the debaters that owe an answer about it.
func (m *reducer) review() {
	for i := range m.Split.Coverage {
		c := &m.Split.Coverage[i]
		switch {
		case !c.readable():
			continue
		case c.Carried != "":
			c.By = slices.Clone(m.Received.Previous.ReadBefore.By)
		default:
			c.By = m.reviewers(m.Split.chunkOf(c.Segments))
		}
		c.Owed = nil
		for _, seat := range m.Table.Seats { // a lost party gets no more calls, and one that abstains owes no word (M24)
			if len(c.By) > 0 && !seat.Lost && seat.Engagement != Abstains && !slices.Contains(c.By, seat.Party) {
				c.Owed = append(c.Owed, seat.Party)
			}
		}
	}
}

// reviewers are the parties that reviewed a chunk: it takes one that opened on it, and another
// one that opened on it or challenged those claims (S13). A party that abstains has shown
// nothing of its reading, so it does not count (R093).
func (s *State) reviewers(chunk string) []string {
	// A call over a change in one chunk names none. A call to weigh claims of several chunks
	// carries only their citations.
	carries := func(c Call) bool { return chunk == "" || c.Chunk == chunk }
	counting := lists.Keep(s.Asking.Calls, func(c Call) bool { return c.reads() && carries(c) && !s.Table.abstains(c.Party) })
	opened := slices.ContainsFunc(counting, func(c Call) bool { return c.Kind == CallOpen })
	list := lists.Once(lists.Map(counting, func(c Call) string { return c.Party }))
	if !opened || len(list) < 2 {
		return nil
	}
	return list
}

// chunkOf returns the chunk of the first of some segments with one. A segment in no chunk is in
// every call.
func (s SplitDone) chunkOf(segments []string) string {
	if len(s.Chunks) < 2 {
		return ""
	}
	carries := func(x *Chunk) bool {
		return slices.ContainsFunc(segments, func(id string) bool { return slices.Contains(x.Segments, id) })
	}
	return cmp.Or(lists.Pointer(s.Chunks, carries), &Chunk{}).ID
}
