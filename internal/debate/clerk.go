package debate

import (
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/debate/holding"
)

// clerk writes into the book in the name of one event: what parties claim and
// cite, what the engine finds there, and what becomes of it. Of the debate it
// sees the change and who sits at the table.
type clerk struct {
	*Book
	step     *Step
	event    int
	exchange int
	extended bool // CONSTRUCTIVE lasts an exchange longer
	split    *SplitDone
	runs     []Run
	received *Received
	parties  []Party
	seats    []Seat
}

// clerk returns the clerk of the event, who sees the debate as it is now.
func (m *reducer) clerk() *clerk {
	s := m.state
	return &clerk{
		Book: &s.Book, step: m.step, event: s.N, exchange: s.Talk.Exchange, extended: s.Talk.Extended,
		split: &s.Split, runs: s.Checks.Runs, received: &s.Received, parties: s.Table.Parties, seats: s.Table.Seats,
	}
}

// happened adds a fact to the step that is being made.
func (b *clerk) happened(f Fact) { b.step.add(f, b.exchange) }

func (b *clerk) seat(party string) *Seat { return seatOf(b.seats, party) }

func (b *clerk) party(id string) *Party { return partyOf(b.parties, id) }

// dropped reports whether a party was dropped for contradicting itself: it confirms
// nothing any more (M14c).
func (b *clerk) dropped(party string) bool {
	seat := b.seat(party)
	return seat != nil && seat.Lost && seat.Drifts >= 2
}

// unheld reports whether the words of a party count for nothing: it says nothing of
// what it looked at, or it was lost (X05, M19).
func (b *clerk) unheld(party string) bool {
	seat := b.seat(party)
	return seat != nil && (seat.Engagement == Abstains || seat.Lost)
}

// touch notes that an object changed (X04).
func (b *clerk) touch(id string) {
	b.Touched = append(b.Touched, Touch{ID: id, N: b.event})
}

func (b *clerk) ledger(tag Tag, source, text, ref, supersedes string) string {
	if supersedes != "" && !b.maySupersede(tag, supersedes) {
		supersedes = ""
	}
	id := "L" + strconv.Itoa(len(b.Ledger)+1)
	b.Ledger = append(b.Ledger, LedgerEntry{
		ID: id, N: b.exchange, Tag: tag, Source: source, Text: clip(text, 2000), Ref: ref, Supersedes: supersedes,
	})
	return id
}

func (b *clerk) newChallenge(claim, attacker, defender string, kind ChallengeKind, objection string, found ...Evidence) *Challenge {
	b.Challenges = append(b.Challenges, Challenge{
		ID: "K" + strconv.Itoa(len(b.Challenges)+1), Claim: claim, Attacker: attacker, Defender: defender, Kind: kind,
		Strength: StrengthMinor, Objection: clip(objection, maxText), RaisedN: b.exchange, Status: Open,
		Evidence: found, Shown: b.shows(claim, found), RaisedAt: b.event,
	})
	k := &b.Challenges[len(b.Challenges)-1]
	b.said(&k.Thread, claim, Turn{Who: attacker, Act: Object, Text: objection, Cites: found})
	if k.toPosition() || k.Thread[0].Fresh { // against a claim words alone gain nothing (M09)
		b.touch(k.ID)
	}
	b.happened(Fact{Kind: ChallengeOpened, Who: attacker, About: k.ID, Other: claim, Code: string(kind), Text: k.Objection, Cites: found})
	return k
}

// close ends a challenge: it fell, was conceded, or is heard no more.
func (b *clerk) close(k *Challenge, status ChallengeStatus, with Why) {
	k.Status, k.ResolvedWith = status, with
	b.happened(Fact{Kind: ChallengeClosed, Who: EngineParty, About: k.ID, Other: k.Claim, Code: string(status), Why: with})
}

// verify sets which evidence of a claim is verified: the engine found it, a
// party other than the owner says with a reason that it supports the claim, and
// nothing that is shown against the claim unsettles it (A03, R121, M02). What begs
// the question is none.
func (b *clerk) verify(c *Claim) {
	if c.Owner == EngineParty {
		return
	}
	if c.Kind == Value {
		b.strengthen(c)
	}
	backed := func(e Evaluation) bool { return e.supports() && e.Reasoned }
	supported := c.Carried != "" || slices.ContainsFunc(b.voices(c), backed) // what an earlier head verified stays so until it is contradicted
	holds := supported && b.standing(c) != holding.Unsettled
	for i := range c.Evidence {
		e := &c.Evidence[i]
		was := e.Verified
		e.Verified = holds && e.CitationOK && !b.begs(c, *e)
		if !e.Verified || was {
			continue
		}
		b.happened(Fact{Kind: CitationChecked, Who: EngineParty, About: c.ID, Code: "verified", Cites: []Evidence{*e}})
		b.ledger(TagVerified, EngineParty, c.Title, e.Cite.String(), b.entryOf(c.ID))
		b.touch(c.ID)
		b.touch("L" + strconv.Itoa(len(b.Ledger)))
	}
}

// voices are the last words on a claim of the parties other than its owner. Of who
// abstains, or was lost, only what it cites counts (M02, M19): that says what it
// looked at, whatever else it left unsaid.
func (b *clerk) voices(c *Claim) []Evaluation {
	var list []Evaluation
	for i, e := range c.Evaluations {
		superseded := c.last(e.Party) != &c.Evaluations[i]
		switch {
		case superseded, e.Party == c.Owner, b.dropped(e.Party), !e.Qualified && b.unheld(e.Party):
			continue
		}
		list = append(list, e)
	}
	return list
}

// admissible leaves out what says nothing about a claim: the author's own text
// decides no question of fact (X19).
func (b *clerk) admissible(c *Claim, list []Evidence) []Evidence {
	switch {
	case c.Kind == Proposal, b.received.Inquiry != nil, c.stands().Path == BodyPath:
		return list
	}
	return kept(list, func(e Evidence) bool { return e.Cite.Path != BodyPath })
}

// begs reports whether evidence for a claim of fact is only that the question says
// so: who asks is not verified, however many agree (R124, X19). What a passage of
// the question says is a claim of kind proposal.
func (b *clerk) begs(c *Claim, e Evidence) bool {
	if b.received.Inquiry == nil || c.Kind != Empirical {
		return false
	}
	return e.Cite.Path == BodyPath
}

// sits reports whether a party is still at the table.
func (b *clerk) sits(party string) bool {
	seat := b.seat(party)
	return seat != nil && seat.Active()
}
