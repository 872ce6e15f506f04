package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// Acceptance is a finding that a person decided to merge with. It is bound to the cited lines,
// like a dismissal: a finding of the same kind on the same text, no more severe, is accepted
// too, on any head (M20).
type Acceptance struct {
	Key      string   `json:"key"` // see Key
	Category Category `json:"category,omitempty"`
	AtMost   Severity `json:"at_most"`
	Copies   int      `json:"copies,omitempty"` // see Evidence.Copies
	// Shown: the person could read it, but the answer does not name it. It is accepted unless it
	// keeps a change from being merged by itself: see Settings.blocks.
	Shown bool `json:"shown,omitempty"`
}

// The bounds of the findings in one question and in one answer.
const (
	maxQuoted   = 20
	maxAccepted = 40
)

// quoted are the claims in the question about the merge, the most severe first: open ones, and
// each P1 without a quote against it, unless a trigger already states it. A confirmed P1 is not
// among them: no decision to merge replaces it.
func (s *State) quoted(d *Decision) []string {
	if !d.disposes() || s.Received.Inquiry != nil {
		return nil
	}
	list := lists.Keep(s.Book.severe(), func(c *Claim) bool {
		return (c.open() || c.looms()) && c.Cite().Path != "" && !d.states(c) && !c.confirmedP1()
	})

	slices.SortStableFunc(list, func(a, b *Claim) int { return cmp.Compare(a.Severity.rank(), b.Severity.rank()) })
	return lists.Map(lists.First(list, maxQuoted), func(c *Claim) string { return c.ID })
}

func (c *Claim) confirmedP1() bool { return c.Severity == P1 && c.Bucket == Agreed }

// states reports whether a claim states the trigger of a decision: the critic's own finding
// about it, with everything merged into that.
func (d *Decision) states(c *Claim) bool {
	triggered := func(t Trigger) bool { return t.ID == c.Trigger && t.Path == c.Cite().Path }
	return c.Owner == EngineParty && slices.ContainsFunc(d.Triggers, triggered)
}

// Accepts are the findings that an answer to merge accepts, the most severe first: every visible
// P1 and P2. A command accepts the quoted ones by name. A confirmed P1 is not among them: no
// decision to merge replaces it.
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
	return lists.Map(lists.First(stood, maxAccepted), func(c *Claim) Acceptance {
		return Acceptance{Key: Key(*c), Category: c.Category, AtMost: c.Severity, Copies: c.Copies(), Shown: !byName || !d.item().quotes(c)}
	})
}

// includes reports whether an acceptance is about a claim: the same text and kind, no more
// severe, and at no more places. A confirmed P1 has to be fixed or dismissed.
func (a Acceptance) includes(c *Claim) bool {
	return !c.confirmedP1() && a.Category == c.Category && c.Severity.rank() >= a.AtMost.rank() && a.Key == Key(*c) && c.Copies() <= a.Copies
}

// accepted reports whether the person's decision to merge covers a claim: the question was
// about it, or the answer names it.
func (a *Agenda) accepted(c *Claim) bool {
	d := a.d0()
	return a.personal() == Keep && (d.states(c) || d.item().accepts(c))
}

// quotes reports whether a question quotes a claim, so its answer can accept it by name.
func (h *Human) quotes(c *Claim) bool { return slices.Contains(h.Quoted, c.ID) && !c.confirmedP1() }

// accepts reports whether an answer accepted a claim by name, on this head or on an
// earlier one.
func (h *Human) accepts(c *Claim) bool {
	return slices.ContainsFunc(h.Accepted, func(a Acceptance) bool { return !a.Shown && a.includes(c) })
}

// AcceptedBy is the person who decided to merge with a claim: the question was about it, or the
// answer names it. "" if there is no such answer, or the claim fell.
func (s *State) AcceptedBy(c *Claim) string {
	if c.Bucket == Dismissed || !s.Agenda.accepted(c) {
		return ""
	}
	return s.Agenda.d0().Human.By
}

// AcceptedBy is the person who decided on an earlier head to merge with one of its findings, ""
// if its lines have changed since, or if an answer to the same question asks for more.
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

// AcceptedByName are the findings of this head accepted by name.
func (s *State) AcceptedByName() []string {
	if s.Agenda.personal() != Keep {
		return nil
	}
	return s.Book.claimsThat(s.Agenda.d0().item().accepts)
}

// decidedElsewhere reports whether a person took a decision on another head than this one.
func decidedElsewhere(head string, d *Decision) bool {
	return d.byHuman() && d.Human.Head != head
}

// keptBefore is the valid answer of an earlier head to merge as proposed, or nil.
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

// takenOut reports whether people removed a claim before anything is weighed (M20): by a
// dismissal, or by a decision on an earlier head to merge with it. Such an answer removes the
// subject of the question, the named claims, and visible claims that do not keep a change
// from being merged by themselves.
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

// news has everything new on a head since a person's earlier decision to merge.
type news struct {
	party     *PartyOption // asks for something else, for a remaining reason
	claims    []string     // open ones outside the person's answer
	objection *Challenge   // an accepted one
}

// newSince is the news since the answer of an earlier head to merge.
func (s *State) newSince() news {
	stands := func(c *Claim) bool {
		return !s.takenOut(c) && (c.severe() && c.open() || !s.forbidsKeep(c).IsZero())
	}
	return news{
		party:  lists.Pointer(s.Agenda.d0().FinalOptions, func(o *PartyOption) bool { return o.Option != string(Keep) }),
		claims: s.Book.claimsThat(stands), objection: s.Book.granted(),
	}
}

// NewSince are the findings that reopen a question after a person's answer on an earlier head.
func (s State) NewSince() []string {
	if len(s.Agenda.d0().item().Earlier) == 0 {
		return nil
	}
	return s.newSince().claims
}

// PersonAnswer is the answer of one person to a decision.
type PersonAnswer struct {
	By       string       `json:"by"`
	Option   string       `json:"option"`
	Reason   string       `json:"reason,omitempty"`
	At       int64        `json:"at"`                 // Unix milliseconds
	Head     string       `json:"head"`               // the person's head
	Self     bool         `json:"self,omitempty"`     // the author decided
	Local    bool         `json:"local,omitempty"`    // the holder of the record decided, on the command line
	Accepted []Acceptance `json:"accepted,omitempty"` // the findings in the answer (M20)
}

// maxAnswers bounds the kept answers to one decision.
const maxAnswers = 20

// Answers are the answers to a decision, one for each person, the valid one first.
func (h *Human) Answers() []PersonAnswer {
	if h == nil || h.By == "" {
		return nil
	}
	return append([]PersonAnswer{h.PersonAnswer}, h.Others...)
}

// Lasting are the answers with a possible effect on a later head.
func (h *Human) Lasting() []PersonAnswer {
	if h == nil {
		return nil
	}
	return append(h.Answers(), h.Earlier...)
}

// answered is a human item with the answers of people. The most careful one counts until its
// author changes it (M22). Of equal ones, the answer with more acceptances by name counts,
// then the first.
func (h Human) answered(d *Decision, list []PersonAnswer) *Human {
	care := func(option string) int { // without a rank, the status quo is the most careful
		switch {
		case d.Clickable():
			return slices.Index([]string{string(Keep), string(Revise), string(Reject)}, option)
		case lists.Find(d.Options, func(o Option) bool { return o.ID == option }).StatusQuo:
			return 1
		}
		return 0
	}
	named := func(a PersonAnswer) int {
		return len(lists.Keep(a.Accepted, func(a Acceptance) bool { return !a.Shown }))
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b PersonAnswer) int {
		return cmp.Or(cmp.Compare(care(b.Option), care(a.Option)), cmp.Compare(named(b), named(a)), cmp.Compare(a.At, b.At), cmp.Compare(a.By, b.By))
	})
	h.Status, h.PersonAnswer = ItemDecided, list[0]
	h.Others, h.Earlier = slices.Clone(lists.First(list, maxAnswers)[1:]), nil
	return &h
}

// replaced returns answers with one more, in place of the same person's earlier one.
func replaced(list []PersonAnswer, a PersonAnswer) []PersonAnswer {
	return append(slices.DeleteFunc(slices.Clone(list), func(b PersonAnswer) bool { return b.By == a.By }), a)
}

// answersTo are the answers about earlier heads that hold for a decision: its question and its
// text are the same. The latest of each person counts.
func (before *Previous) answersTo(d *Decision) []PersonAnswer {
	var list []PersonAnswer
	for _, p := range before.Decisions {
		switch {
		case p.Fingerprint != d.Fingerprint, p.LinkedHash != d.LinkedHash, !d.Offers(p.Option), anyLater(list, p.By, p.At):
			continue
		}
		list = replaced(list, p.PersonAnswer)
	}
	return list
}

// anyLater reports whether one of some answers is of a person and later than a moment.
func anyLater(list []PersonAnswer, by string, at int64) bool {
	return slices.ContainsFunc(list, func(a PersonAnswer) bool { return a.By == by && a.At > at })
}
