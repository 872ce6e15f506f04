package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// Agenda has the decisions and everything said about them.
type Agenda struct {
	Triggers     []Trigger  // of policy
	Assertions   []Asserted // triggers by parties
	Asked        []Question // decisions of the openings
	Framed       []Decision // the decisions that the parties were asked about, before anything was weighed
	Decisions    []Decision
	NextDecision int      // number of the next decision; ids are never reused
	Reviews      []Review // of proposals, in the order of their arrival
}

// Decision is a question with enumerated options.
type Decision struct {
	ID             string
	Fingerprint    string
	Question       string
	Options        []Option
	Claims         []string      // linked claims
	Grouped        []string      // questions beyond max_decisions in this item (A20)
	Unanswered     []string      `json:",omitempty"` // the grouped questions without a settlement
	FinalOptions   []PartyOption // in party order
	Held           string        `json:",omitempty"` // the option settled by the parties, "" if none
	Common         string        `json:",omitempty"` // the option that all hold although a finding keeps the decision open
	Settled        bool
	ScopeCritical  bool
	Triggers       []Trigger
	Critical       bool
	Panel          *Panel
	Rubric         *Rubric
	Why            Why    `json:",omitzero"` // the reason for an unexpected outcome
	Unscored       Why    `json:",omitzero"` // the reason for missing sheets
	NoPanel        Why    `json:",omitzero"` // the reason for missing judges
	Recommendation string // an option id, or "" or continue: none
	Outcome        DecisionOutcome
	LinkedHash     string // SHA-256 over the linked segments of this head
	Human          *Human
}

// PartyOption is the option of one party.
type PartyOption struct {
	Party  string
	Option string
}

// HumanStatus is the stage of a human item.
type HumanStatus string

const (
	ItemAwaiting   HumanStatus = "awaiting_human"
	ItemDecided    HumanStatus = "decided"
	ItemSuperseded HumanStatus = "superseded"
	ItemWithdrawn  HumanStatus = "withdrawn"
)

// VoidAnswer is a person's answer without effect.
type VoidAnswer struct{ By, Why string }

// Human is the human item of a critical decision, with the answer that counts.
type Human struct {
	Status   HumanStatus
	Sink     Sink // the best one that accepted it
	AskedAt  int64
	Reminded bool
	PersonAnswer
	Void   []VoidAnswer `json:",omitempty"`
	Quoted []string     `json:",omitempty"` // the claims in the question about the merge (M20)
	// Earlier are answers of earlier heads to merge while this head brings something new: the
	// question is asked again, and they hold once more when that is gone (M20).
	Earlier []PersonAnswer `json:",omitempty"`
	// Others are the answers of other people. The answer above counts: it is more careful, or
	// equally careful and earlier (M22).
	Others []PersonAnswer `json:",omitempty"`
}

// dispositionOptions are the options of D0; rejecting is the status quo.
func dispositionOptions() []Option {
	return []Option{
		{ID: string(Keep), Label: "keep", Description: "merge the change as proposed"},
		{ID: string(Revise), Label: "revise", Description: "merge after named changes"},
		{ID: string(Reject), Label: "reject", Description: "do not merge; everything stays as it is", StatusQuo: true},
	}
}

// Clickable reports whether a click names an option: the decision has exactly the options of a
// merge, so an approval has one meaning.
func (d Decision) Clickable() bool {
	merge := dispositionOptions()
	lacks := func(o Option) bool {
		return !slices.ContainsFunc(d.Options, func(has Option) bool { return has.ID == o.ID && has.StatusQuo == o.StatusQuo })
	}
	return len(d.Options) == len(merge) && !slices.ContainsFunc(merge, lacks)
}

// optionIDs are the ids of the options in their order.
func (d Decision) optionIDs() []string {
	return lists.Map(d.Options, func(o Option) string { return o.ID })
}

// settled is the option settled by the parties, "" if they left anything open.
func (d *Decision) settled() string {
	if d.Settled {
		return d.Held
	}
	return ""
}

// item is the human item of a decision, the zero one if no person was asked.
func (d *Decision) item() *Human { return cmp.Or(d.Human, &Human{}) }

// ForPeople reports whether a decision waits for a person, or was taken by one.
func (d Decision) ForPeople() bool {
	return slices.Contains([]DecisionOutcome{AwaitingHuman, HumanDecided}, d.Outcome)
}

func (d *Decision) byHuman() bool { return d.Outcome == HumanDecided }

// Open reports whether a decision has no answer: it waits for a person, or was left open. The
// holder of the record may answer it there.
func (d *Decision) Open() bool {
	return slices.Contains([]DecisionOutcome{AwaitingHuman, Undecided}, d.Outcome)
}

func (d Decision) disposes() bool { return d.ID == "D0" }

// Offers reports whether a decision has an option.
func (d *Decision) Offers(option string) bool {
	return slices.ContainsFunc(d.Options, func(o Option) bool { return o.ID == option })
}

// choice is the id of the decided option, "" if there is none.
func (d *Decision) choice() string {
	switch d.Outcome {
	case HumanDecided:
		return d.Human.Option
	case Settled, Adopted:
		return d.Recommendation
	}
	return ""
}

// ended reports whether the debate itself decided a decision.
func (d *Decision) ended() bool { return d.Outcome == Settled || d.Outcome == Adopted }

// personal is a person's choice for D0, "" if there is none.
func (a *Agenda) personal() Disposition {
	if d := a.d0(); d.byHuman() {
		return Disposition(d.Human.Option)
	}
	return ""
}

// result is the option that a decision comes to, allowed or not: the settled one, or the winner, "" for
// neither.
func (d *Decision) result() string { return cmp.Or(d.settled(), d.winner()) }

// wouldKeep reports whether a decision came to keep, allowed or not.
func (d *Decision) wouldKeep() bool {
	return slices.Contains([]string{d.settled(), d.winner()}, string(Keep))
}

// winner is the result of a decision's judges, or else of its scores, or what all hold without
// any, "" for none.
func (d *Decision) winner() string {
	return cmp.Or(cmp.Or(d.Panel, &Panel{}).Option, d.scores().Winner, d.Common)
}

// scores is the rubric of a decision, the zero one if it has none.
func (d *Decision) scores() *Rubric { return cmp.Or(d.Rubric, &Rubric{}) }

func (a *Agenda) decision(id string) *Decision {
	return lists.Pointer(a.Decisions, func(d *Decision) bool { return d.ID == id })
}

// named is the decision with an id, the zero one if there is none.
func (a *Agenda) named(id string) *Decision { return cmp.Or(a.decision(id), &Decision{}) }

// d0 is the decision about the merge as a whole, the zero one before there is any.
func (a *Agenda) d0() *Decision { return a.named("D0") }

// AwaitsHuman reports whether any decision waits for a person.
func (a Agenda) AwaitsHuman() bool {
	return slices.ContainsFunc(a.Decisions, func(d Decision) bool { return d.Outcome == AwaitingHuman })
}

// rests is the stage of a published debate: waiting for a human, or done.
func (a Agenda) rests() Stage {
	if a.AwaitsHuman() {
		return StageAwaitingHuman
	}
	return StageDone
}

// asserts reports whether a party has asserted a trigger with lines in these files before, or
// has reached its bound.
func (a *Agenda) asserts(x Asserted) bool {
	own := lists.Keep(a.Assertions, func(have Asserted) bool { return have.Party == x.Party })
	repeats := func(have Asserted) bool { // it names no further changed file
		files := changedFiles(have.Evidence)
		adds := func(path string) bool { return !slices.Contains(files, path) }
		return have.Trigger == x.Trigger && have.Decision == x.Decision && !slices.ContainsFunc(changedFiles(x.Evidence), adds)
	}
	return len(own) >= maxAsserted || slices.ContainsFunc(own, repeats)
}

func (a Agenda) clone() Agenda {
	a.Triggers = slices.Clone(a.Triggers)
	a.Decisions = lists.Changed(a.Decisions, func(d *Decision) {
		d.Triggers = slices.Clone(d.Triggers)
		d.Human = lists.Copied(d.Human, func(h *Human) { h.Void, h.Others = slices.Clone(h.Void), slices.Clone(h.Others) })
	})
	a.Assertions = slices.Clip(a.Assertions)
	a.Reviews = slices.Clip(a.Reviews)
	a.Asked = slices.Clip(a.Asked)
	a.Framed = slices.Clip(a.Framed)
	return a
}
