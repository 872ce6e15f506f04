package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// Acceptance is a finding that a person decided to merge with. It is bound to the cited
// lines as a dismissal is: a finding on the same text that is of the same kind and no more
// severe is accepted too, on any head (M20).
type Acceptance struct {
	Key      string   `json:"key"` // see Key
	Category Category `json:"category,omitempty"`
	AtMost   Severity `json:"at_most"`
	Copies   int      `json:"copies,omitempty"` // see Evidence.Copies
	// Shown: it was there to be read, and the answer does not name it. It is accepted as
	// long as it does not keep a change from being merged by itself: see Settings.blocks.
	Shown bool `json:"shown,omitempty"`
}

// The bounds of the findings that one question quotes, and of those that one answer accepts.
const (
	maxQuoted   = 20
	maxAccepted = 40
)

// quoted are the claims that the question about the merge quotes, the most severe
// first: those that are open, or a P1 that nothing is quoted against, and that its triggers
// do not state already. A confirmed P1 is none: a decision to merge does not take its place.
func (book *Book) quoted(q *Inquiry, d *Decision) []string {
	if !d.disposes() || q != nil {
		return nil
	}
	list := lists.Keep(book.severe(), func(c *Claim) bool {
		return (c.open() || c.looms()) && c.Cite().Path != "" && !d.states(c) && !c.confirmedP1()
	})

	slices.SortStableFunc(list, func(a, b *Claim) int { return cmp.Compare(a.Severity.rank(), b.Severity.rank()) })
	return lists.Map(keep(list, maxQuoted), (*Claim).id)
}

// confirmedP1 reports whether a claim is a P1 that the debate confirmed.
func (c *Claim) confirmedP1() bool { return c.Severity == P1 && c.Bucket == Agreed }

// states reports whether a claim states just what triggered a decision: the critic's
// own finding about it, and what was merged into that.
func (d *Decision) states(c *Claim) bool {
	return c.Owner == EngineParty && triggeredAt(d.Triggers, c.Trigger, c.Cite().Path)
}

// triggeredAt reports whether one of some triggers is of an id and at a path.
func triggeredAt(list []Trigger, id TriggerID, path string) bool {
	return slices.ContainsFunc(list, func(t Trigger) bool { return t.ID == id && t.Path == path })
}

// Accepts are the findings that an answer to merge accepts, the most severe first: every P1
// and P2 that was there to be read. A command accepts by name those that the question
// quotes. A confirmed P1 is none: a decision to merge does not take its place.
func (d Decision) Accepts(ev Decided, claims []Claim) []Acceptance {
	byName, chosen := ev.Via == ViaCommand, d.Answered(ev)
	if ev.Via == ViaLocal {
		byName, chosen = true, ev.Option
	}
	if !d.disposes() || chosen != string(Keep) {
		return nil
	}
	book := Book{Claims: claims}
	stood := lists.Keep(book.severe(), func(c *Claim) bool { return c.Bucket != Dismissed && !c.confirmedP1() })
	slices.SortStableFunc(stood, func(a, b *Claim) int { return a.Severity.compare(b.Severity) })
	return lists.Map(keep(stood, maxAccepted), func(c *Claim) Acceptance {
		a := c.acceptance()
		a.Shown = !byName || !d.item().quotes(c)
		return a
	})
}

// acceptance is what accepts a claim by name.
func (c Claim) acceptance() Acceptance {
	return Acceptance{Key: Key(c), Category: c.Category, AtMost: c.Severity, Copies: c.Copies()}
}

// includes reports whether an acceptance is about a claim: the same text and kind, no more
// severe, and at no more places. A confirmed P1 has to be fixed or dismissed.
func (a Acceptance) includes(c *Claim) bool {
	return !c.confirmedP1() && a.Category == c.Category && c.Severity.rank() >= a.AtMost.rank() && a.Key == Key(*c) && c.Copies() <= a.Copies
}

// byName are the acceptances of findings that an answer names.
func byName(list []Acceptance) []Acceptance {
	return lists.Keep(list, func(a Acceptance) bool { return !a.Shown })
}

// accepted reports whether the person who decided to merge accepted a claim.
func (a *Agenda) accepted(c *Claim) bool { return a.personal() == Keep && a.d0().covers(c) }

// covers reports whether a person who decides a question accepts a claim with it: it
// states what was asked about, or was accepted by name.
func (d *Decision) covers(c *Claim) bool { return d.states(c) || d.item().accepts(c) }

// quotes reports whether a question quotes a claim that its answer can accept by name.
func (h *Human) quotes(c *Claim) bool { return slices.Contains(h.Quoted, c.ID) && !c.confirmedP1() }

// accepts reports whether an answer accepted a claim by name, on this head or on an
// earlier one.
func (h *Human) accepts(c *Claim) bool {
	return slices.ContainsFunc(byName(h.Accepted), func(a Acceptance) bool { return a.includes(c) })
}

// AcceptedBy is the person who decided to merge with a claim: the question was about it, or
// the answer names it. "" if no person did, or it fell.
func (s *State) AcceptedBy(c *Claim) string {
	if c.Bucket == Dismissed || !s.Agenda.accepted(c) {
		return ""
	}
	return s.Agenda.d0().Human.By
}

// AcceptedBy is who decided on an earlier head to merge with a finding of it, "" if its lines
// have changed since, or if an answer to the same question asks for more.
func (p Previous) AcceptedBy(f Carried) string {
	c := Claim{Severity: f.Severity, Category: f.Category, Evidence: []Evidence{{Cite: f.Cite, CitationOK: true, Copies: f.Copies}}}
	for _, d := range p.Decisions {
		stricter := func(o PriorDecision) bool {
			return o.Fingerprint == d.Fingerprint && worse(Disposition(o.Option), Keep)
		}
		accepts := func(a Acceptance) bool { return a.includes(&c) }
		if d.Option == string(Keep) && !slices.ContainsFunc(p.Decisions, stricter) && slices.ContainsFunc(d.Accepted, accepts) {
			return d.By
		}
	}
	return ""
}

// AcceptedByName are the findings of this head that a person accepted by name.
func (s *State) AcceptedByName() []string {
	if s.Agenda.personal() != Keep {
		return nil
	}
	return s.Book.claimsThat(s.Agenda.d0().item().accepts)
}

// StillOpen are the findings that stand in the way of a merge although a person decided
// to merge, or will although somebody decides so by the command: a P1 that is confirmed
// or disputed on lines that are there, and what fails the check (M20).
func (s *State) StillOpen() []string {
	d := s.Agenda.d0()
	covers := d.covers
	switch {
	case s.Agenda.personal() == Keep:
	case d.Outcome == AwaitingHuman:
		covers = func(c *Claim) bool { return d.states(c) || d.item().quotes(c) }
	default:
		return nil
	}
	return s.Book.claimsThat(func(c *Claim) bool { return s.Received.Settings.blocks(c) && !covers(c) })
}

// claimsThat are the ids of the claims of which something holds.
func (b *Book) claimsThat(hold func(c *Claim) bool) []string {
	return lists.Map(lists.Keep(b.live(), hold), (*Claim).id)
}

// blocks reports whether a claim keeps a change from being merged as it is, whatever is
// decided about it as a whole: a P1 that is confirmed or that a quote shows, and what fails
// the check (M02).
func (settings *Settings) blocks(c *Claim) bool {
	switch {
	case settings.failedBy(c):
		return true
	case c.Severity != P1:
		return false
	case c.Bucket == Unresolved:
		return c.Verified() || showsCode(c.Evidence)
	}
	return c.Bucket == Agreed
}

// decidedElsewhere reports whether a person took a decision on another head than this one.
func decidedElsewhere(head string, d *Decision) bool {
	return d.byHuman() && d.Human.Head != head
}

// keptBefore is the answer of an earlier head to merge as proposed that holds for the
// question of this one, or nil.
func (s *State) keptBefore() *Human {
	d := s.Agenda.d0()
	answers := s.Received.Previous.answersTo(d)
	h := d.item()
	switch {
	case decidedElsewhere(s.Snapshot.HeadSHA, d):
	case len(answers) == 0:
		return nil
	default:
		h = Human{}.answered(d, answers)
	}
	if h.Option != string(Keep) {
		return nil
	}
	return h
}

// takenOut reports whether people took a claim out of what is weighed (M20): somebody
// dismissed it, or decided on an earlier head to merge with it. Such an answer takes out
// what the question was about, what it named, and what could be read then and does not
// keep a change from being merged by itself.
func (s *State) takenOut(c *Claim) bool {
	if c.Bucket == Dismissed {
		return c.Reason == ReasonHuman
	}
	h := s.keptBefore()
	switch {
	case h == nil:
		return false
	case s.Agenda.d0().states(c), h.accepts(c):
		return true
	}
	return !s.Received.Settings.blocks(c) && slices.ContainsFunc(h.Accepted, func(a Acceptance) bool { return a.includes(c) })
}

// news is what a head brings beside what a person decided on an earlier one to merge with.
type news struct {
	party     *PartyOption // asks for something else, for a reason that is left
	claims    []string     // open ones that the person did not take out
	objection *Challenge   // that was accepted
}

// asks reports whether people are asked again: what a model would choose is no problem that
// nobody has decided about.
func (n news) asks() bool { return len(n.claims) > 0 || n.objection != nil }

// newSince is what is new beside the answer of an earlier head to merge.
func (s *State) newSince() news {
	stands := func(c *Claim) bool {
		return !s.takenOut(c) && (c.severe() && c.open() || !s.Received.forbidsKeep(s.Snapshot.HeadSHA, c).IsZero())
	}
	return news{
		party:  find(s.Agenda.d0().FinalOptions, func(o *PartyOption) bool { return o.Option != string(Keep) }),
		claims: s.Book.claimsThat(stands), objection: s.Book.granted(),
	}
}

// NewSince are the findings because of which a question is asked again that a person had
// answered on an earlier head.
func (s State) NewSince() []string {
	if len(s.Agenda.d0().item().Earlier) == 0 {
		return nil
	}
	return s.newSince().claims
}

// beyondAcceptance says what stands against merging this head although a person
// decided on an earlier one to merge as proposed. What that person decided to merge
// with is taken out, also of what the models chose (see floor.answered): the rest of this
// head has to be fit to merge by its own review (M20).
func (s *State) beyondAcceptance() Why {
	d := s.Agenda.d0()
	if d.choice() != string(Keep) || !decidedElsewhere(s.Snapshot.HeadSHA, d) {
		return Why{}
	}
	switch by, n := d.Human.By, s.newSince(); {
	case n.party != nil:
		return because(WhySinceChoice, by, n.party.Party, n.party.Option)
	case len(n.claims) > 0:
		return because(WhySinceFinding, by, n.claims[0])
	case n.objection != nil:
		return because(WhySinceObjection, by, n.objection.ID)
	case !d.wouldKeep():
		return because(WhySinceReview, by)
	}
	return Why{}
}
