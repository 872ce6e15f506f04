package debate

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/lists"
)

// clerk writes into the book for one event: the claims and citations of parties, the engine's
// findings, and the results. It sees the change and the table.
type clerk struct {
	book     *Book
	table    *Table
	support  support
	talk     *Talk
	split    *SplitDone
	checks   *Checks
	received *Received
	step     *Step
	event    int
}

// newClerk returns the clerk of an event, with the current debate.
func newClerk(s *State, step *Step) *clerk {
	return &clerk{
		book: &s.Book, table: &s.Table, support: support{&s.Book, &s.Table}, talk: &s.Talk, split: &s.Split, checks: &s.Checks, received: &s.Received,
		step: step, event: s.N,
	}
}

// happened adds a fact to the step. A fact without an exchange belongs to the current one.
func (b *clerk) happened(f Fact) {
	f.N = cmp.Or(f.N, b.talk.Exchange)
	b.step.Facts = append(b.step.Facts, f)
}

func (b *clerk) ledger(tag Tag, source, text, ref, supersedes string) string {
	if !maySupersede(b.book.Ledger, tag, supersedes) {
		supersedes = ""
	}
	id := "L" + strconv.Itoa(len(b.book.Ledger)+1)
	b.book.Ledger = append(b.book.Ledger, LedgerEntry{
		ID: id, N: b.talk.Exchange, Tag: tag, Source: source, Text: clip(text, 2000), Ref: ref, Supersedes: supersedes,
	})
	return id
}

func (b *clerk) newChallenge(claim, attacker, defender string, kind ChallengeKind, objection string, found ...Evidence) *Challenge {
	b.book.Challenges = append(b.book.Challenges, Challenge{
		ID: "K" + strconv.Itoa(len(b.book.Challenges)+1), Claim: claim, Attacker: attacker, Defender: defender, Kind: kind,
		Strength: StrengthMinor, Objection: clip(objection, maxText), RaisedN: b.talk.Exchange, Status: Open,
		Evidence: found, Shown: b.book.shows(claim, found), RaisedAt: b.event,
	})
	k := &b.book.Challenges[len(b.book.Challenges)-1]
	b.said(&k.Thread, claim, Turn{Who: attacker, Act: Object, Text: objection, Cites: found})
	b.happened(Fact{Kind: ChallengeOpened, Who: attacker, About: k.ID, Other: claim, Code: string(kind), Text: k.Objection, Cites: found})
	return k
}

// close ends a challenge: it fell, was conceded, or is over. An open reminder about it is used
// (R149).
func (b *clerk) close(k *Challenge, status ChallengeStatus, with Why) {
	k.useReminder()
	k.Status, k.ResolvedWith = status, with
	b.happened(Fact{Kind: ChallengeClosed, Who: EngineParty, About: k.ID, Other: k.Claim, Code: string(status), Why: with})
}

// verify sets the verified evidence of a claim: the engine found it, a party other than the
// owner says with a reason that it supports the claim, and no evidence against the claim
// unsettles it (A03, R121, M02). Evidence that begs the question never is.
func (b *clerk) verify(c *Claim) {
	if c.Owner == EngineParty {
		return
	}
	b.book.strengthen(c)
	backed := func(e Evaluation) bool { return e.backs(Empirical) }
	held := b.support.holding(c)
	supported := c.Carried != "" || slices.ContainsFunc(held.words, backed) // verified on an earlier head, until it is contradicted
	holds := supported && held.standing != contested
	for i := range c.Evidence {
		e := &c.Evidence[i]
		was := e.Verified
		e.Verified = holds && e.CitationOK && !b.received.Inquiry.begged(c, *e)
		if e.Verified && !was {
			b.happened(Fact{Kind: CitationChecked, Who: EngineParty, About: c.ID, Code: "verified", Cites: []Evidence{*e}})
			b.ledger(TagVerified, EngineParty, c.Title, e.Cite.String(), entryOf(b.book.Ledger, c.ID))
		}
	}
}

// abstain removes the word of challengers that name none of their checks. Their evaluation of a
// claim without lines no longer supports it (R093, M02).
func (b *clerk) abstain() {
	silent := findAll(b.table.Seats, func(seat *Seat) bool {
		return seat.Party != b.table.Primary && b.book.silent(seat, b.talk.Position().Disposition)
	})
	if len(silent) == 0 {
		return
	}
	for _, seat := range silent {
		seat.Engagement = Abstains
	}
	for i := range b.book.Claims {
		b.verify(&b.book.Claims[i])
	}
}

// admits leaves out evidence that says nothing about a claim: the author's own text decides no
// question of fact (X19).
func (q *Inquiry) admits(c *Claim, list []Evidence) []Evidence {
	switch {
	case c.Kind == Proposal, q != nil, c.place().Path == BodyPath:
		return list
	}
	return lists.Keep(list, func(e Evidence) bool { return e.Cite.Path != BodyPath })
}

// begged reports whether the evidence for a claim of fact is only the question itself: the
// person who asks is unverified, even if many agree (R124, X19). A claim about a passage of
// the question is a proposal.
func (q *Inquiry) begged(c *Claim, e Evidence) bool {
	if q == nil || c.Kind != Empirical {
		return false
	}
	return e.Cite.Path == BodyPath
}
