package debate

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/lists"
)

// happened adds a fact to the step. A fact without an exchange belongs to the current one.
func (m *reducer) happened(f Fact) {
	f.N = cmp.Or(f.N, m.Talk.Exchange)
	m.step.Facts = append(m.step.Facts, f)
}

func (m *reducer) ledger(tag Tag, source, text, ref string) *LedgerEntry {
	id := "L" + strconv.Itoa(len(m.Book.Ledger)+1)
	m.Book.Ledger = append(m.Book.Ledger, LedgerEntry{ID: id, Tag: tag, Source: source, Text: clip(text, 2000), Ref: ref})
	return &m.Book.Ledger[len(m.Book.Ledger)-1]
}

func (m *reducer) newChallenge(claim, attacker, defender string, kind ChallengeKind, objection string, found ...Evidence) *Challenge {
	m.Book.Challenges = append(m.Book.Challenges, Challenge{
		ID: "K" + strconv.Itoa(len(m.Book.Challenges)+1), Claim: claim, Attacker: attacker, Defender: defender, Kind: kind,
		Strength: StrengthMinor, Objection: clip(objection, maxText), Status: Open,
		Evidence: found, Shown: m.Book.shows(claim, found), RaisedAt: m.N,
	})
	k := &m.Book.Challenges[len(m.Book.Challenges)-1]
	m.said(&k.Thread, claim, Turn{Who: attacker, Act: Object, Text: objection, Cites: found})
	m.happened(Fact{Kind: ChallengeOpened, Who: attacker, About: k.ID, Other: claim, Code: string(kind), Text: k.Objection, Cites: found})
	return k
}

// close ends a challenge: it fell, was conceded, or is over. An open reminder about it is used
// (R149).
func (m *reducer) close(k *Challenge, status ChallengeStatus, with Why) {
	k.useReminder()
	k.Status, k.ResolvedWith = status, with
	m.happened(Fact{Kind: ChallengeClosed, Who: EngineParty, About: k.ID, Other: k.Claim, Code: string(status), Why: with})
}

// verify sets the verified evidence of a claim: the engine found it, a party other than the
// owner says with a reason that it supports the claim, and no evidence against the claim
// unsettles it (A03, R121, M02). Evidence that begs the question never is.
func (m *reducer) verify(c *Claim) {
	if c.Owner == EngineParty {
		return
	}
	m.Book.strengthen(c)
	backed := func(e Evaluation) bool { return e.backs(Empirical) }
	held := m.holding(c)
	supported := c.Carried != "" || slices.ContainsFunc(held.words, backed) // verified on an earlier head, until it is contradicted
	holds := supported && held.standing != contested
	for i := range c.Evidence {
		e := &c.Evidence[i]
		was := e.Verified
		// The person who asks is unverified, even if many agree (R124, X19). A claim about a passage
		// of the question is a proposal.
		begs := m.Received.Inquiry != nil && c.Kind == Empirical && e.Cite.Path == BodyPath
		e.Verified = holds && e.CitationOK && !begs
		if e.Verified && !was {
			m.happened(Fact{Kind: CitationChecked, Who: EngineParty, About: c.ID, Code: "verified", Cites: []Evidence{*e}})
			opinion := m.Book.opinion(c.ID)
			m.ledger(TagVerified, EngineParty, c.Title, e.Cite.String()).Supersedes = opinion
		}
	}
}

// abstain removes the word of challengers that name none of their checks. Their evaluation of a
// claim without lines no longer supports it (R093, M02).
func (m *reducer) abstain() {
	silent := findAll(m.Table.Seats, func(seat *Seat) bool {
		return seat.Party != m.Table.Primary && m.Book.silent(seat, m.Talk.Position().Disposition)
	})
	if len(silent) == 0 {
		return
	}
	for _, seat := range silent {
		seat.Engagement = Abstains
	}
	for i := range m.Book.Claims {
		m.verify(&m.Book.Claims[i])
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
