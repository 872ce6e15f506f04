package debate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// DispositionQuestion is the question of D0 about a change.
const DispositionQuestion = "May this change be merged as proposed?"

// frame makes the decisions for the parties: D0, and the questions of the openings. Ids
// are given once and never reused.
func (m *reducer) frame() {
	a := &m.Agenda
	a.Decisions = m.Received.Framed()
	for _, q := range joinQuestions(a.Asked) {
		d := newDecision(len(a.Decisions), q)
		asked := lists.Pointer(a.Decisions, func(d *Decision) bool { return sameQuestion(d.Question, q.Question) })
		switch {
		case asked != nil: // its options are fixed
			asked.ScopeCritical = asked.ScopeCritical || q.ScopeCritical
		case len(d.Options) >= 2 && d.Question != "" && len(a.Decisions) <= maxFramed:
			a.Decisions = append(a.Decisions, d)
		}
	}
	a.Framed = slices.Clone(a.Decisions)
	a.NextDecision = len(a.Decisions)
}

// maxFramed bounds the questions of parties.
const maxFramed = 20

// joinQuestions joins equal questions of several openings.
func joinQuestions(asked []Question) []Question {
	var list []Question
	for _, q := range asked {
		have := lists.Pointer(list, func(have *Question) bool { return sameQuestion(have.Question, q.Question) })
		if have == nil {
			list = append(list, q)
			continue
		}
		have.Options = append(slices.Clone(have.Options), q.Options...)
		have.ScopeCritical = have.ScopeCritical || q.ScopeCritical
	}
	return list
}

// newDecision makes decision number n of a question. It adds the status quo to two or more
// options without one (R017).
func newDecision(n int, q Question) Decision {
	d := Decision{ID: "D" + strconv.Itoa(n), Question: clip(q.Question, 500), ScopeCritical: q.ScopeCritical}
	for _, o := range q.Options {
		if o.ID != "" && !d.Offers(o.ID) {
			d.Options = append(d.Options, Option{ID: o.ID, Label: clip(o.Label, 200), Description: clip(o.Description, 1000), StatusQuo: o.StatusQuo || o.ID == StatusQuoOption})
		}
	}
	d.Options = lists.First(d.Options, MaxOptions)
	quo := func(o Option) bool { return o.StatusQuo }
	if at := slices.IndexFunc(d.Options, quo); at >= 0 {
		for i := at + 1; i < len(d.Options); i++ { // there is one
			d.Options[i].StatusQuo = false
		}
		return d
	}
	if len(d.Options) < 2 {
		return d
	}
	d.Options = append(d.Options, Option{ID: StatusQuoOption, Label: "status quo", Description: "everything stays as it is", StatusQuo: true})
	return d
}

// decisions weighs the questions of this change after the debate: D0, the framed questions
// worth an answer, and each claim with different criteria on the two sides.
func (m *reducer) decisions() {
	silent := func(seat Seat) bool { return m.Table.abstains(seat.Party) } // unknown when its reading was noted
	if slices.ContainsFunc(m.Table.Seats, silent) {
		m.review()
	}
	for i := range m.Split.Coverage { // no part waits for a party that left later
		c := &m.Split.Coverage[i]
		c.Owed = lists.Keep(c.Owed, m.Table.sits)
	}
	list := append(m.takenUp(), m.tradeoffs(m.Agenda.Decisions)...)
	// D0 rests on the agreed P1 claims, and on every trigger of policy and of parties that no
	// other decision has (R030-R038).
	d0, rests := &list[0], lists.Keep(m.Book.Agreed(), func(c Claim) bool { return c.Severity == P1 || c.Trigger != "" })
	d0.Claims = append(d0.Claims, lists.Map(rests, func(c Claim) string { return c.ID })...)
	d0.Triggers = append(m.Agenda.policy(), m.asserted(*d0, list)...)
	m.Agenda.Decisions = m.grouped(list)
	for i := range m.Agenda.Decisions {
		d := &m.Agenda.Decisions[i]
		d.Critical = len(d.Triggers) > 0
		d.Fingerprint = fingerprint(m.Received.Anchor, *d)
		d.LinkedHash = m.linkedHash(*d) // these two find an earlier answer
		m.settleDecision(d)
	}
}

// settleDecision notes the choices of the parties for a decision, and the settled option.
func (m *reducer) settleDecision(d *Decision) {
	m.choices(d)
	d.Held, d.Common = m.settles(d)
	d.Settled = d.Held != "" && len(d.Unanswered) == 0
	if d.Held != "" || len(d.Unanswered) > 0 {
		d.Common = ""
	}
}

// takenUp are the framed decisions that a party took up, always with D0.
func (m *reducer) takenUp() []Decision {
	var list []Decision
	for _, d := range m.Agenda.Framed {
		m.choices(&d)
		if !d.disposes() {
			d.Triggers = m.asserted(d, nil)
		}
		switch {
		case d.disposes(), d.ScopeCritical, len(d.FinalOptions) > 0, len(d.Triggers) > 0:
			list = append(list, d)
		}
	}
	return list
}

// tradeoffs are decisions about claims with different criteria on the two sides. A repeated one
// keeps its id.
func (m *reducer) tradeoffs(before []Decision) []Decision {
	var list []Decision
	for _, c := range lists.Keep(m.Book.severe(), func(c *Claim) bool { return c.Reason == ReasonTradeoff }) {
		d := Decision{Options: claimOptions(), Claims: []string{c.ID}, Question: addressQuestion + c.Title}
		asked := lists.Keep(before, func(was Decision) bool { return was.Question == d.Question })
		if len(asked) > 0 {
			d.ID = asked[len(asked)-1].ID
		} else {
			d.ID = "D" + strconv.Itoa(m.Agenda.NextDecision)
			m.Agenda.NextDecision++
		}
		m.choices(&d)
		list = append(list, d)
	}
	return list
}

// grouped bounds the decisions for people. It groups the rest into the last one, and drops none
// (A20).
func (m *reducer) grouped(list []Decision) []Decision {
	most := min(len(list), m.Received.Settings.maxDecisions())
	kept := list[:most:most]
	for _, d := range list[most:] {
		last := &kept[most-1]
		last.Grouped = append(last.Grouped, d.Question)
		if held, _ := m.settles(&d); held == "" {
			last.Unanswered = append(last.Unanswered, d.Question)
		}
		last.ScopeCritical = last.ScopeCritical || d.ScopeCritical
		last.Claims = append(last.Claims, d.Claims...)
		last.Triggers = append(last.Triggers, d.Triggers...)
	}
	return kept
}

// policy are the triggers of policy that make a decision critical.
func (a *Agenda) policy() []Trigger {
	return lists.Keep(a.Triggers, Trigger.Critical)
}

// claimOptions are the options about a tradeoff claim; leaving out its part keeps the behavior of
// the base.
func claimOptions() []Option {
	return []Option{
		{ID: "address", Label: "address", Description: "change what the claim names, then merge"},
		{ID: "accept", Label: "accept", Description: "merge as it stands and live with it"},
		{ID: "leave_out", Label: "leave out", Description: "merge without this part; it stays as it is today", StatusQuo: true},
	}
}

// choices collects the choices of the parties for a decision, in party order.
func (s *State) choices(d *Decision) {
	named := lists.Keep(s.voices(d), func(v voice) bool { return v.Option != "" })
	d.FinalOptions = lists.Map(named, func(v voice) PartyOption { return PartyOption{Party: v.Party, Option: v.Option} })
}

// asserted are the triggers that parties assert for a question with verified changed lines: one
// party is enough on a path that policy knows as sensitive, else two (S03). Models add triggers
// and never remove one (A12). D0 takes the triggers of questions that are not asked, or that
// have too few parties for them, so none is lost (R039).
func (s *State) asserted(d Decision, list []Decision) []Trigger {
	var found []Trigger
	shows := func(e Evidence) bool { return e.CitationOK && (e.Changed || s.Received.Inquiry != nil) } // a question has no changed lines
	about := lists.Keep(s.Agenda.Assertions, func(a Asserted) bool {
		names := func(t Trigger) bool { return t.ID == a.Trigger }
		taken := func(o Decision) bool {
			return sameQuestion(o.Question, a.Decision) && slices.ContainsFunc(o.Triggers, names)
		}
		return sameQuestion(a.Decision, d.Question) || d.disposes() && !slices.ContainsFunc(list, taken)
	})

	for _, id := range []TriggerID{
		TriggerArchitecture, TriggerDeploy, TriggerSecurity, TriggerDestructiveSchema, TriggerMoney, TriggerGovernance, TriggerIrreversible,
	} {
		t := Trigger{ID: id, Source: FromParty, Class: ClassAsserted}
		sensitive := false
		for _, a := range lists.Keep(about, func(a Asserted) bool { return a.Trigger == id }) {
			for _, e := range lists.Keep(a.Evidence, shows) {
				t.assert(a, e, d)
				known := func(t Trigger) bool { return t.ID == id && t.Path == e.Cite.Path }
				sensitive = sensitive || slices.ContainsFunc(s.Agenda.Triggers, known)
			}
		}
		if len(t.By) > 1 || sensitive {
			found = append(found, t)
		}
	}
	return found
}

// assert adds a party to a trigger, with the place of the first one.
func (t *Trigger) assert(a Asserted, e Evidence, d Decision) {
	t.By = lists.Add(t.By, a.Party)
	if t.Path != "" {
		return
	}
	t.Path, t.Side, t.Line, t.Detail = e.Cite.Path, e.Cite.Side, e.Cite.StartLine, a.Reason
	if d.disposes() && a.Decision != "" {
		t.Detail = clip(a.Decision+" "+a.Reason, 1000)
	}
}

// normalised is a question in lower case with single blanks.
func normalised(question string) string {
	return strings.ToLower(strings.Join(strings.Fields(question), " "))
}

func sameQuestion(a, b string) bool { return normalised(a) == normalised(b) }

// fingerprint identifies a decision across runs: repository, pull request, normalized question,
// sorted option ids and sorted trigger ids. Further questions of an item are part of it
// (A20).
func fingerprint(a Anchor, d Decision) string {
	options, triggers := d.optionIDs(), lists.Once(lists.Map(d.Triggers, func(t Trigger) string { return string(t.ID) }))
	sort.Strings(options)
	sort.Strings(triggers)
	question := identity(d.Question)
	text := fmt.Sprintf("%q %d %q %q %q", a.Repo, a.PR, question, options, triggers)
	if also := d.also(); len(also) > 0 {
		text += fmt.Sprintf(" %q", also)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// also are the further questions of an item, normalized and sorted.
func (d Decision) also() []string {
	list := lists.Map(d.Grouped, identity)
	sort.Strings(list)
	return list
}
