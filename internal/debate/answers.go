package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/debate/rubric"
)

// PersonAnswer is what one person chose for a decision.
type PersonAnswer struct {
	By     string
	Option string
	Reason string `json:",omitempty"`
	At     int64
	Head   string // that the person had read
	Self   bool   `json:",omitempty"` // the author decided (S09)
	Local  bool   `json:",omitempty"` // whoever holds the record decided (M23)
	// Accepted are the findings that the answer accepts (M20).
	Accepted []Acceptance `json:",omitempty"`
}

// maxAnswers bounds the people whose answers to one decision are kept.
const maxAnswers = 20

// Answers are what people chose for a decision, one answer of each, the one that stands
// first; none where nobody decided.
func (h *Human) Answers() []PersonAnswer {
	if h == nil || h.By == "" {
		return nil
	}
	stands := PersonAnswer{
		By: h.By, Option: h.Option, Reason: h.Reason, At: h.At, Head: h.Head, Self: h.Self, Local: h.Local, Accepted: h.Accepted,
	}
	return append([]PersonAnswer{stands}, h.Others...)
}

// Lasting are the answers that may hold for a later head.
func (h *Human) Lasting() []PersonAnswer {
	if h == nil {
		return nil
	}
	return append(h.Answers(), h.Earlier...)
}

// answered is a human item with the answers of people: the most careful one stands until
// its giver changes it (M22), of equal ones that which accepts more by name, and then
// the first.
func (h Human) answered(d *Decision, list []PersonAnswer) *Human {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b PersonAnswer) int {
		return cmp.Or(cmp.Compare(d.care(b.Option), d.care(a.Option)), cmp.Compare(len(byName(b.Accepted)), len(byName(a.Accepted))), cmp.Compare(a.At, b.At), cmp.Compare(a.By, b.By))
	})
	stands := list[0]
	h.Status, h.By, h.Option, h.Reason, h.At = ItemDecided, stands.By, stands.Option, stands.Reason, stands.At
	h.Head, h.Self, h.Local, h.Accepted = stands.Head, stands.Self, stands.Local, stands.Accepted
	h.Others, h.Earlier = cloned(keep(list, maxAnswers)[1:]), nil
	return &h
}

// replaced are answers with one more: it takes the place of what the same person said
// before.
func replaced(list []PersonAnswer, a PersonAnswer) []PersonAnswer {
	return append(slices.DeleteFunc(slices.Clone(list), func(b PersonAnswer) bool { return b.By == a.By }), a)
}

// care ranks the options of a decision: a greater one is more careful. Of options that
// nobody can rank, leaving everything as it is is the most careful.
func (d *Decision) care(option string) int {
	if d.Clickable() {
		return slices.Index([]string{string(Keep), string(Revise), string(Reject)}, option)
	}
	if byID(d.Options)[option] {
		return 1
	}
	return 0
}

// answersTo are the answers to a decision that people gave about earlier heads and
// that hold for this one: its question and its text are the same. The latest of each
// person counts.
func (before *Previous) answersTo(d *Decision) []PersonAnswer {
	var list []PersonAnswer
	for _, p := range before.Decisions {
		switch {
		case p.Fingerprint != d.Fingerprint, p.LinkedHash != d.LinkedHash, !rubric.Has(d.Options, p.Option), anyLater(list, p.By, p.At):
			continue
		}
		list = replaced(list, PersonAnswer{By: p.By, Option: p.Option, Reason: p.Reason, At: p.At, Head: p.Head, Self: p.Self, Local: p.Local, Accepted: p.Accepted})
	}
	return list
}

// answeredSince reports whether whoever gives an answer gave a later one before.
func (h *Human) answeredSince(ev Decided) bool { return anyLater(h.Answers(), ev.By.Login, ev.At) }

// anyLater reports whether one of some answers is of a person and later than a moment.
func anyLater(list []PersonAnswer, by string, at int64) bool {
	return slices.ContainsFunc(list, func(a PersonAnswer) bool { return a.By == by && a.At > at })
}
