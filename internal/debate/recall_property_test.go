package debate

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// ofRecall: a session that goes on from what a debate left is that debate, whatever
// happens later.
func ofRecall() []property {
	return []property{{"same", goesOnAlike}, {"short", goesOnShort}, {"orders", ordersOnlyClose}, {"terms", readOnItsTerms}}
}

// left is what a debate leaves, as GitHub gives it back; nil if it has no result.
func (p played) left() *Memory {
	s := p.end()
	if s.Stage != StageDone && s.Stage != StageAwaitingHuman {
		return nil
	}
	m := s.Memory()
	data, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	var read Memory
	if err := json.Unmarshal(data, &read); err != nil {
		panic(err)
	}
	return &read
}

// recalled plays a session that goes on from a memory, at the time at which the
// debate ended, until nothing is outstanding.
func (p played) recalled(m *Memory, orders ...Order) played {
	first := p.first
	first.SessionID, first.Recall, first.Previous = "debate-20260102-040404-8", m, Previous{}
	first.Orders = append(slices.Clone(first.Orders), orders...)
	now := p.end().Clock.At
	q := played{world: p.world, states: []State{{}}}
	for q.append(now, first); len(Outstanding(q.end())) > 0; {
		q.append(now, p.event(q.end(), Outstanding(q.end())[0]))
	}
	return q
}

// append appends an event that the reducer must take.
func (p *played) append(at int64, e Event) {
	e, err := Recorded(e)
	if err != nil {
		panic(err)
	}
	entry := Entry{N: p.end().N + 1, At: at, Event: e}
	next, err := Apply(p.end(), entry)
	if err != nil {
		panic(err)
	}
	p.log, p.states = append(p.log, entry), append(p.states, next)
}

// later lets the same things happen to two debates, and says where one takes what
// the other refuses, or asks for other work.
func later(a, b *played) string {
	d := diceOf(a.seed, "later")
	w := *a.world
	w.dice = d
	for range 1 + d.n(6) {
		e := w.outside(a.end())
		at := a.end().Clock.At + int64(d.n(100_000))
		next, err := Apply(a.end(), Entry{N: a.end().N + 1, At: at, Event: e})
		_, errB := Apply(b.end(), Entry{N: b.end().N + 1, At: at, Event: e})
		if (err == nil) != (errB == nil) {
			return fmt.Sprintf("%s: %v, recalled: %v", KindOf(e), err, errB)
		}
		if err != nil || next.Stage == StageSuperseded || next.Stage == StageAborted {
			continue
		}
		a.append(at, e)
		b.append(at, e)
		for len(Outstanding(a.end())) > 0 {
			work, workB := Outstanding(a.end()), Outstanding(b.end())
			if len(workB) == 0 || work[0].Kind != workB[0].Kind || !reflect.DeepEqual(work[0].Ask, workB[0].Ask) {
				return fmt.Sprintf("outstanding is %+v, recalled %+v", work, workB)
			}
			e := w.event(a.end(), work[0])
			a.append(at, e)
			b.append(at, e)
		}
	}
	return ""
}

// goesOnAlike: all that a debate leaves is what the recalled one leaves, before and
// after the same facts, and both say the same to a merge.
func goesOnAlike(p played) string {
	m := p.left()
	if m == nil {
		return ""
	}
	before := canonicalMemory(*m)
	q := p.recalled(m)
	if len(q.log) != 4 { // received, snapshot, split, closing
		return fmt.Sprintf("%d events, in stage %s", len(q.log), q.end().Stage)
	}
	if why := differsFrom(p.end(), q.end()); why != "" {
		return "at once: " + why
	}
	p.log, p.states = slices.Clone(p.log), slices.Clone(p.states)
	if why := later(&p, &q); why != "" {
		return why
	}
	if why := differsFrom(p.end(), q.end()); why != "" {
		return "later: " + why
	}
	if canonicalMemory(*m) != before {
		return "what was remembered has changed"
	}
	return ""
}

func differsFrom(a, b State) string {
	if x, why := checkOf(a); true {
		if y, whyB := checkOf(b); x != y || why.String() != whyB.String() {
			return fmt.Sprintf("%s (%s), recalled %s (%s)", x, why, y, whyB)
		}
	}
	x, y := a.Memory(), b.Memory()
	y.SessionID = x.SessionID
	if i, j := canonicalMemory(x), canonicalMemory(y); i != j {
		return "left is\n" + i + "\nrecalled\n" + j
	}
	if a.Stage != b.Stage || a.Coverage() != b.Coverage() {
		return fmt.Sprintf("stage %s, recalled %s; coverage %s, recalled %s", a.Stage, b.Stage, a.Coverage(), b.Coverage())
	}
	return ""
}

func canonicalMemory(m Memory) string {
	data, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// goesOnShort: with less prose, the same is decided, now and later.
func goesOnShort(p played) string {
	whole := p.left()
	if whole == nil {
		return ""
	}
	m := whole.Short()
	if !reflect.DeepEqual(m, m.Short()) {
		return "it shortens what is short"
	}
	q := p.recalled(&m)
	if why := decidesAlike(p.end(), q.end()); why != "" {
		return "at once: " + why
	}
	if m.Forgotten > 0 { // disputes about what is forgotten find nothing
		return ""
	}
	p.log, p.states = slices.Clone(p.log), slices.Clone(p.states)
	if why := later(&p, &q); why != "" {
		return why
	}
	if why := decidesAlike(p.end(), q.end()); why != "" {
		return "later: " + why
	}
	return ""
}

// decidesAlike compares what is no prose.
func decidesAlike(a, b State) string {
	verdict := func(s State) string {
		conclusion := s.Conclusion().Check
		micro, unknown := s.Asking.Spent()
		text := fmt.Sprintln(conclusion, s.Ending.Outcome, s.Ending.Confidence, s.Ending.Disposition, s.Coverage(), s.Stage, s.Disputes, len(s.Asking.Calls), micro, unknown)
		for _, c := range s.Book.Claims {
			if b.Book.claim(c.ID) != nil {
				text += fmt.Sprintln(c.ID, s.Book.survivor(c.ID).ID, c.Bucket, c.Reason, c.Severity, c.Final, c.Verified(), c.Cite().String(), c.ConfirmedBy)
			}
		}
		for _, d := range s.Agenda.Decisions {
			text += fmt.Sprintln(d.ID, d.Fingerprint, d.Outcome, d.Critical, d.Recommendation, len(d.Triggers), len(d.Options), len(d.Claims), len(d.Grouped))
			if h := d.Human; h != nil {
				text += fmt.Sprintln(h.Status, h.Sink, h.AskedAt, h.Reminded, h.By, h.Option, h.At, h.Head, h.Self)
			}
		}
		return text
	}
	if x, y := verdict(a), verdict(b); x != y {
		return x + "\nrecalled\n" + y
	}
	return ""
}

// ordersOnlyClose: an order that is in force closes the finding that it names, and
// takes the triggers that it waives from what waits for a human; one that is not
// changes nothing. Neither moves anything else, nor makes a keep that was not there.
func ordersOnlyClose(p played) string {
	m := p.left()
	if m == nil {
		return ""
	}
	stand := lists.Keep(m.Book.live(), func(c *Claim) bool { return c.Bucket != Dismissed })
	if len(stand) == 0 && len(m.Agenda.Triggers) == 0 {
		return ""
	}
	d := diceOf(p.seed, "orders")
	w := *p.world
	w.dice = d
	o := Order{Kind: OrderWaive, Target: string(TriggerSecurity), Reason: "because", By: w.actor()}
	claim := ""
	if len(stand) > 0 && d.chance(60) {
		claim = stand[d.n(len(stand))].ID
		o.Kind, o.Target = OrderDismiss, claim
	}
	s, r := p.end(), p.recalled(m, o).end()
	least := WriteAccess
	if o.Kind == OrderWaive {
		least = MaintainRole
	}
	obeyed := r.Received.Settings.authority(o.By, least) == ""
	for i, c := range s.Book.Claims {
		is := r.Book.Claims[i]
		switch {
		case obeyed && c.ID == claim:
			if is.Bucket != Dismissed || is.Reason != ReasonHuman {
				return c.ID + " was dismissed and is " + string(is.Bucket)
			}
		case c.Bucket != is.Bucket || c.Reason != is.Reason || c.Severity != is.Severity:
			return fmt.Sprintf("%s %s moves %s from %s to %s", o.Kind, o.Target, c.ID, c.Bucket, is.Bucket)
		}
	}
	for i, was := range s.Agenda.Decisions {
		is := r.Agenda.Decisions[i]
		waits := slices.ContainsFunc(is.Triggers, func(t Trigger) bool { return t.Source == FromPolicy && string(t.ID) == o.Target })
		switch {
		case was.Outcome == is.Outcome && was.Outcome != AwaitingHuman:
		case obeyed && o.Kind == OrderWaive && was.Outcome == AwaitingHuman:
			if waits || is.Critical != (is.Outcome == AwaitingHuman) || is.Outcome == HumanDecided {
				return fmt.Sprintf("%s with a waived trigger is %s (%v)", is.ID, is.Outcome, is.Triggers)
			}
			bare := is.Outcome == Adopted && is.Why.Code == WhyBare // settled on nothing that was confirmed (M16)
			if (is.Outcome == Settled) != (was.Settled && is.Outcome != AwaitingHuman) && is.Outcome != Undecided && !bare {
				return fmt.Sprintf("%s became %s; settled: %v", is.ID, is.Outcome, was.Settled)
			}
		case obeyed && claim != "" && was.Outcome == Undecided && (is.Outcome == Settled && was.Settled || is.Outcome == Adopted && (was.Settled || was.Rubric != nil && was.Rubric.Winner == is.Recommendation)):
		case obeyed && claim != "" && was.disposes() && onlyHoldersTurned(s, r, claim) && keepsTriggers(was, is):
		case !reflect.DeepEqual(was, is):
			return fmt.Sprintf("%s %s makes of %s, %s: %s, %s", o.Kind, o.Target, was.ID, was.Outcome, is.ID, is.Outcome)
		}
	}
	if s.Coverage() != r.Coverage() || s.Ending.Outcome != r.Ending.Outcome || confidenceRank(r.Ending.Confidence) > confidenceRank(s.Ending.Confidence) && claim == "" {
		return fmt.Sprintf("coverage %s, outcome %s and confidence %s become %s, %s, %s", s.Coverage(), s.Ending.Outcome, s.Ending.Confidence, r.Coverage(), r.Ending.Outcome, r.Ending.Confidence)
	}
	return ""
}

// onlyHoldersTurned reports whether a dismissal settles keep, with no choice about D0 changed but
// to keep, of a party that held the dismissed finding.
func onlyHoldersTurned(s, r State, claim string) bool {
	before, after := s.voices(s.Agenda.d0()), r.voices(r.Agenda.d0())
	c := s.Book.claim(claim)
	turned := 0
	for i, v := range after {
		if v.Option == before[i].Option {
			continue
		}
		held := c.Owner == v.Party || slices.Contains(c.ReportedBy, v.Party) || c.agreedBy(v.Party)
		if v.Option != string(Keep) || !held {
			return false
		}
		turned++
	}
	settles := func(s State) bool {
		d := s.Agenda.d0()
		return d.Held == string(Keep) || d.Outcome == Adopted && d.Rubric == nil && d.Recommendation == string(Keep) // all left hold it
	}
	// If no model turned, the claim itself was in the way, or an open objection to it.
	inTheWay := !s.forbidsKeep(c).IsZero() || c.severe() && (c.open() || c.divides()) || s.Book.attacks(c.ID).any((*Challenge).unsettled)
	return turned > 0 || inTheWay && settles(r) && !settles(s)
}

// keepsTriggers reports whether a decision still has all triggers that are not about the
// course of the debate, and waits for a person if it has any.
func keepsTriggers(was, is Decision) bool {
	for _, t := range was.Triggers {
		kept := slices.ContainsFunc(is.Triggers, func(x Trigger) bool { return reflect.DeepEqual(x, t) })
		if t.Source != FromProcedure && (!kept || is.Outcome != AwaitingHuman) {
			return false
		}
	}
	return true
}

// readOnItsTerms: what was read was read on the terms of then, whatever the settings of
// the run are that goes on.
func readOnItsTerms(p played) string {
	m := p.left()
	if m == nil {
		return ""
	}
	w := *p.world
	w.first.Settings.ConfigHash = "of other settings"
	p.world = &w
	if got := p.recalled(m).end().Memory().ReadBefore; !reflect.DeepEqual(got, m.ReadBefore) {
		return fmt.Sprintf("read before is %+v, recalled under other settings %+v", m.ReadBefore, got)
	}
	return ""
}

// garbled is a memory with some of its members changed, nil if none can be read.
func garbled(m *Memory, d *dice) *Memory {
	var tree any
	if err := json.Unmarshal([]byte(canonicalMemory(*m)), &tree); err != nil {
		panic(err)
	}
	for range 1 + d.n(4) {
		tree = garble(tree, d)
	}
	data, err := json.Marshal(tree)
	if err != nil {
		panic(err)
	}
	var read Memory
	if err := json.Unmarshal(data, &read); err != nil {
		return nil
	}
	return &read
}

// garble changes one value of a tree.
func garble(tree any, d *dice) any {
	switch v := tree.(type) {
	case map[string]any:
		if len(v) == 0 {
			return v
		}
		keys := slices.Sorted(maps.Keys(v))
		key := pick(d, keys...)
		if d.chance(10) {
			delete(v, key)
		} else {
			v[key] = garble(v[key], d)
		}
		return v
	case []any:
		if len(v) == 0 {
			return v
		}
		i := d.n(len(v))
		switch {
		case d.chance(10):
			return slices.Delete(v, i, i+1)
		case d.chance(10):
			return append(v, v[i])
		}
		v[i] = garble(v[i], d)
		return v
	case string:
		return pick(d, "", "F1", "F2", "K1", "D0", "claude", "gpt", "engine", "position", string(AwaitingHuman), string(HumanDecided), string(Agreed), string(Unresolved), string(Consensus))
	case float64:
		return pick[any](d, 0, -1, 1, 1_000_000_000)
	case bool:
		return !v
	}
	return tree
}

// survivesGarbled: whatever a memory was made into, a session refuses it or goes on
// from it, and survives what people do then.
func survivesGarbled(p played) string {
	m := p.left()
	if m == nil {
		return ""
	}
	d := diceOf(p.seed, "garbled")
	if m = garbled(m, d); m == nil {
		return ""
	}
	m.Short()
	m.Previous()
	q := p.recalled(m, Order{Kind: OrderDismiss, Target: "F1", By: Actor{Login: "ada", Permission: AdminRole}})
	w := *p.world
	w.dice = d
	for range 6 {
		e, s := w.outside(q.end()), q.end()
		if _, err := Apply(s, Entry{N: s.N + 1, At: s.Clock.At, Event: e}); err != nil {
			continue
		}
		q.append(s.Clock.At, e)
		for len(q.log) < 60 && len(Outstanding(q.end())) > 0 {
			q.append(q.end().Clock.At, w.event(q.end(), Outstanding(q.end())[0]))
		}
	}
	q.end().Conclusion()
	return ""
}
