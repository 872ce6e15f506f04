package report

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// Decision is one question, answered by the run or left to a person.
type Decision struct {
	ID             string                 `json:"id"`
	Fingerprint    string                 `json:"fingerprint"`
	Question       string                 `json:"question"`
	Options        []debate.Option        `json:"options"`
	Triggers       []DecisionTrigger      `json:"triggers"`
	Critical       bool                   `json:"critical"`
	Outcome        debate.DecisionOutcome `json:"outcome"`
	Recommendation string                 `json:"recommendation"` // an option id; "" or continue: none
	Rubric         *Rubric                `json:"rubric"`
	Panel          *Panel                 `json:"panel"`
	Human          *Human                 `json:"human"`
	Claims         []string               `json:"linked_claims"`
	Grouped        []string               `json:"grouped"` // further questions in this item (A20)
	FinalOptions   []PartyOption          `json:"final_options"`
	Settled        bool                   `json:"settled"`
	ScopeCritical  bool                   `json:"scope_critical"`
	Why            string                 `json:"why"` // why the rubric or the outcome differs from the normal case
	LinkedHash     string                 `json:"linked_hash"`

	Basis debate.WhyCode `json:"-"` // the code of Why

	Asked bool `json:"-"` // it asks whether an answer holds, and about no merge
}

// PartyOption is the option of one party.
type PartyOption struct {
	Party  string `json:"party"`
	Option string `json:"option"`
	Needs  string `json:"-"` // what the party would need to see to choose otherwise
}

// DecisionTrigger says why a decision is critical.
type DecisionTrigger struct {
	ID     debate.TriggerID `json:"id"`
	Source string           `json:"source"`
	Detail string           `json:"detail"`
	Waived string           `json:"waived"` // by whom and why, "" if it is not waived

	Path string `json:"-"` // the place of Detail, and the text there
	Line int    `json:"-"`
	Says string `json:"-"`
	Asks string `json:"-"` // the further question, if people are asked because of it
}

// Human is the answer of a person, or the wait for it.
type Human struct {
	Status    debate.HumanStatus `json:"status"`
	Sink      debate.Sink        `json:"sink"`
	AskedAt   int64              `json:"asked_at"` // Unix milliseconds
	Reminded  bool               `json:"reminded"`
	By        string             `json:"by"`
	Option    string             `json:"option"`
	Reason    string             `json:"reason"`
	At        int64              `json:"at"` // Unix milliseconds
	Head      string             `json:"head_sha"`
	Self      bool               `json:"self_decided"` // by the author
	Local     bool               `json:"local"`        // on the command line, for this machine only
	Refused   []string           `json:"refused"`      // answers without effect, and why
	Quoted    []string           `json:"quoted"`       // ids of the findings quoted in the question about the merge
	Accepted  []string           `json:"accepted"`     // ids of the findings accepted by name in the answer
	Before    string             `json:"before"`       // the person who decided to merge an earlier commit, if something new makes us ask again
	New       []string           `json:"new"`          // ids of the findings newer than this decision
	StillOpen []string           `json:"still_open"`   // ids of the findings that block a merge under any answer
}

// Person is the answer of a person to a decision, or the wait for it; an empty one if no person
// was asked.
func (d Decision) Person() Human {
	if d.Human == nil {
		return Human{}
	}
	return *d.Human
}

func (e *Envelope) decisions(s debate.State, n names) {
	e.Triggers = lists.Map(s.Agenda.Triggers, func(t debate.Trigger) Trigger {
		return Trigger{
			ID: t.ID, Source: t.Source, Path: t.Path, Line: t.Line, Detail: t.Detail,
			Class: string(t.Class), By: n.all(slices.Sorted(slices.Values(t.By))), Waived: t.Waived,
		}
	})
	for _, d := range s.Agenda.Decisions {
		why := n.sentence(d.Why)
		if d.Why.IsZero() {
			why = strings.TrimSpace(n.sentence(d.NoPanel) + " " + n.sentence(d.Unscored))
		}
		out := Decision{
			ID: d.ID, Fingerprint: d.Fingerprint, Question: d.Question, Options: d.Options, Critical: d.Critical, Outcome: d.Outcome,
			Recommendation: d.Recommendation, Rubric: scoring(d, n), Panel: panel(d),
			Claims: d.Claims, Grouped: d.Grouped, Settled: d.Settled, ScopeCritical: d.ScopeCritical, Why: why, LinkedHash: d.LinkedHash, Basis: d.Why.Code,
			Asked: d.ID == "D0" && s.Received.Inquiry != nil,
		}
		answered := false // by a model
		for _, o := range d.FinalOptions {
			out.FinalOptions = append(out.FinalOptions, PartyOption{Party: n.of(o.Party), Option: o.Option, Needs: seatOf(s, o.Party).Needs(d.ID)})
			answered = answered || !IsNone(o.Option)
		}
		for _, t := range d.Triggers {
			reason := DecisionTrigger{ID: t.ID, Source: t.Source, Detail: t.Detail, Waived: t.Waived, Path: t.Path, Line: t.Line, Says: t.Detail}
			switch {
			case !t.Why.IsZero():
				reason.Detail = n.sentence(t.Why)
			default:
				reason.Detail += Wrapped(" (", Spot(t.Path, t.Line), ")")
			}
			if t.Why.Code == debate.WhyAlsoAsks {
				reason.Asks = t.Why.Words
			}
			out.Triggers = append(out.Triggers, reason)
		}
		if h := d.Human; h != nil {
			out.Human = &Human{
				Status: h.Status, Sink: h.Sink, AskedAt: h.AskedAt, Reminded: h.Reminded, By: h.By, Option: h.Option, Reason: h.Reason,
				At: h.At, Head: h.Head, Self: h.Self, Local: h.Local, Quoted: h.Quoted,
				Refused: lists.Map(h.Void, func(a debate.VoidAnswer) string { return a.By + ": " + a.Why }),
			}
			if d.ID == "D0" {
				out.Human.Accepted, out.Human.StillOpen, out.Human.New = s.AcceptedByName(), s.StillOpen(), s.NewSince()
			}
			if len(h.Earlier) > 0 {
				out.Human.Before = h.Earlier[0].By
			}
		}
		if s.Ending.Outcome == debate.DegradedLocal && !answered {
			out.Recommendation = ""
		}
		e.Decisions = append(e.Decisions, out)
	}
}

// disputes has the open findings of a decision. A late P1 must not escape the deciding person
// (R128).
func disputes(e Envelope, d Decision) []Finding {
	return lists.Keep(slices.Concat(e.Unresolved, lists.Keep(e.NotEvaluated, isP1)), d.isAbout)
}

// isAbout reports whether a decision covers a finding or one merged into it, or names it as open. D0
// covers the whole change.
func (d Decision) isAbout(f Finding) bool {
	ids := slices.Concat(d.Claims, d.Person().Quoted, d.Person().StillOpen)
	return len(d.Claims) == 0 || slices.ContainsFunc(f.Claims(), func(id string) bool { return slices.Contains(ids, id) })
}

// Named is a finding on one line.
func Named(f Finding) string {
	return strings.Join(Present(OneLine(f.ID), OneLine(string(f.Severity)), OneLine(f.Title)), " ") + " (" + Place(f) + ")"
}

// namedOpen is an open finding, why it is open, and how to settle it.
func namedOpen(f Finding) string {
	return Named(f) + Wrapped(": ", f.Why, "") + Wrapped("; to settle it: ", Crux(f), "")
}

func unanimous(options []PartyOption) bool {
	return !slices.ContainsFunc(options, func(o PartyOption) bool { return o.Option != options[0].Option })
}

// decisionOf finds a decision by its id, an empty one if there is none.
func decisionOf(e Envelope, id string) Decision {
	return lists.Find(e.Decisions, func(d Decision) bool { return d.ID == id })
}

// Question is the text of a question to people.
func Question(d Decision) string {
	if d.Question == debate.DispositionQuestion {
		return "Should this be merged?"
	}
	return ClipLine(d.Question, 500)
}

// asksToMerge reports whether a question is the one about the whole change.
func asksToMerge(d Decision) bool { return d.ID == "D0" }

// Reasons are why people are asked a question, each once, and who waived one.
func Reasons(d Decision) []string {
	return lists.Once(lists.Map(lists.Keep(d.Triggers, d.explains), func(t DecisionTrigger) string {
		return whyAsked(d, t) + Wrapped(", waived by ", OneLine(t.Waived), "")
	}))
}

// explains reports whether a trigger says more than the answers of the models, which differ, or is
// the only reason.
func (d Decision) explains(t DecisionTrigger) bool {
	return t.ID != debate.TriggerDivergence || len(d.Triggers) == 1
}

// whyAsked is why a trigger of a question asks people, as a part of a sentence.
func whyAsked(d Decision, t DecisionTrigger) string {
	switch {
	case t.ID == debate.TriggerTie && d.Rubric != nil && len(d.Rubric.Tied) > 0:
		return "the models score " + enumerated(lists.Map(d.Rubric.Tied, func(option string) string { return "\"" + Label(d, option) + "\"" })) + " the same"
	case t.ID == debate.TriggerDivergence:
		return "the models disagree"
	}
	return t.Detail
}

// hitOf is the line of a trigger of a question, as far as it is known.
func hitOf(hits []Hit, i int) Hit {
	if i < len(hits) {
		return hits[i]
	}
	return Hit{}
}

// doing has the effect of a change for each trigger about something in the change, after "it".
var doing = map[debate.TriggerID]string{
	debate.TriggerArchitecture:      "changes the architecture",
	debate.TriggerDeploy:            "changes how this is deployed",
	debate.TriggerSecurity:          "touches security",
	debate.TriggerDestructiveSchema: "changes stored data",
	debate.TriggerMoney:             "touches money",
	debate.TriggerGovernance:        "changes the rules of this project",
	debate.TriggerIrreversible:      "cannot be undone",
}

// AlsoAsks has the further questions of a decision without a trigger of their own.
func AlsoAsks(d Decision) []string {
	return lists.Keep(d.Grouped, func(q string) bool {
		return !slices.ContainsFunc(d.Triggers, func(t DecisionTrigger) bool { return t.Asks != "" && t.Asks == text.Clip(q, 500) })
	})
}

// changesMind says what would change the mind of a model, what it assumes, and how to test it,
// each as a sentence that follows another one.
func changesMind(needs, assumes, test string) string {
	return Wrapped(" It would change its mind if: ", sentence(needs), "") + Wrapped(" It assumes: ", sentence(assumes), "") + Wrapped(" To find out: ", sentence(test), "")
}

// Awaiting has the decisions left to people.
func Awaiting(e Envelope) []Decision {
	return lists.Keep(e.Decisions, Decision.awaited)
}

// Closed has the other decisions.
func Closed(e Envelope) []Decision {
	return lists.Keep(e.Decisions, func(d Decision) bool { return !d.awaited() })
}

// awaited reports whether a person has to answer a decision.
func (d Decision) awaited() bool { return d.Outcome == debate.AwaitingHuman }

// Shown has the triggers without a decision: they are only shown (S03).
func Shown(e Envelope) []Trigger {
	return lists.Keep(e.Triggers, func(t Trigger) bool {
		return !slices.ContainsFunc(e.Decisions, func(d Decision) bool {
			return slices.ContainsFunc(d.Triggers, func(by DecisionTrigger) bool {
				return by.ID == t.ID && by.Source == t.Source && by.Path == t.Path && by.Line == t.Line && by.Says == t.Detail
			})
		})
	})
}

// OptionLine is one answer on one line, after its id.
func OptionLine(o debate.Option) string {
	text := OneLine(o.ID)
	if o.Label != o.ID {
		text += ": " + OneLine(o.Label)
	}
	text += Wrapped(": ", OneLine(o.Description), "")
	if o.StatusQuo {
		text += " (nothing changes)"
	}
	return text
}

// seatOf is the seat of a party, an empty one if it has none.
func seatOf(s debate.State, party string) debate.Seat {
	return lists.Find(s.Table.Seats, func(seat debate.Seat) bool { return seat.Party == party })
}
