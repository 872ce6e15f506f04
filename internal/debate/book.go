package debate

import (
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/lists"
)

// Book holds the claims about a change, the challenges to them, and the source of each
// statement. It knows neither stages nor decisions, and never reuses an id.
type Book struct {
	Claims     []Claim
	Challenges []Challenge
	Ledger     []LedgerEntry
	Evidences  int // items of evidence so far
}

// Tag is the provenance of a ledger entry (R120-R123).
type Tag string

const (
	TagUser       Tag = "user"       // authoritative: base-branch policy and authorised people
	TagVerified   Tag = "verified"   // the engine looked, and it is there
	TagUnverified Tag = "unverified" // a party or the author says so
	TagRevision   Tag = "revision"   // a change of position
)

// LedgerEntry is one entry of the provenance ledger. The ledger only grows; a superseded entry
// stays (R119).
type LedgerEntry struct {
	ID          string // L1, L2, ...
	Tag         Tag
	Source      string
	Text        string
	Ref         string // its subject: a claim, a path and line, a decision; "" for none
	Alternative bool   // another way to reach the goal of the change
	Supersedes  string // id of the replaced entry: only the engine's look replaces one, and only an opinion (R120, R125)
}

// provenance opens the ledger with the facts known before the debate: the policy of the base
// branch, the engine's findings, and the author's words (R119-R122, X19).
func (m *reducer) provenance() {
	for _, text := range m.Received.Guidance {
		m.ledger(TagUser, "policy", text, "")
	}
	for _, c := range m.Book.Claims {
		if c.Owner == EngineParty && c.Verified() {
			m.ledger(TagVerified, EngineParty, c.Title, c.Cite().String())
		}
	}
	if a := m.Received.Anchor; a.Title+a.Intent != "" {
		text := joined(clip(a.Title, 500), clip(a.Intent, 1400))
		if m.Received.Inquiry != nil { // its title is its own first line
			text = clip(a.Intent, 1400)
		}
		m.ledger(TagUnverified, "author", text, BodyPath)
	}
	if m.Split.Assumption != "" {
		m.ledger(TagUnverified, EngineParty, m.Split.Assumption, "")
	}
	m.obey()
}

func (m *reducer) ledger(tag Tag, source, text, ref string) *LedgerEntry {
	id := "L" + strconv.Itoa(len(m.Book.Ledger)+1)
	m.Book.Ledger = append(m.Book.Ledger, LedgerEntry{ID: id, Tag: tag, Source: source, Text: clip(text, 2000), Ref: ref})
	return &m.Book.Ledger[len(m.Book.Ledger)-1]
}

// opinion is the id of the newest unverified entry about a claim.
func (b *Book) opinion(claim string) string {
	for _, e := range slices.Backward(b.Ledger) {
		if e.Ref == claim && e.Tag == TagUnverified {
			return e.ID
		}
	}
	return ""
}

// clone copies everything that an event may change. Lists that only grow are shared, without
// spare capacity, so that append copies them.
func (b Book) clone() Book {
	b.Claims = lists.Changed(b.Claims, func(c *Claim) {
		c.Evidence = slices.Clone(c.Evidence)
		c.Evaluations = slices.Clone(c.Evaluations)
		c.ReportedBy = slices.Clone(c.ReportedBy)
		c.ConfirmedBy = slices.Clone(c.ConfirmedBy)
		c.Thread = slices.Clip(c.Thread)
	})
	b.Challenges = lists.Changed(b.Challenges, func(k *Challenge) {
		k.Views, k.Yielded, k.Thread = slices.Clone(k.Views), slices.Clone(k.Yielded), slices.Clip(k.Thread)
	})
	b.Ledger = slices.Clip(b.Ledger)
	return b
}
