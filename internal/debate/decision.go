package debate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/prdebate/debate/internal/debate/tally"
	"github.com/prdebate/debate/internal/lists"
)

// DispositionQuestion is the question of D0 about a change.
const DispositionQuestion = "May this change be merged as proposed?"

// choiceOf is the decision between the options of a question. It adds the status quo to two or
// more options without one (R017).
func choiceOf(question string, options []Option) Decision {
	d := Decision{ID: "D1", Question: clip(question, 500)}
	for _, o := range options {
		if o.ID != "" && !d.Offers(o.ID) {
			d.Options = append(d.Options, Option{ID: o.ID, Label: clip(o.Label, 200), Description: clip(o.Description, 1000), StatusQuo: o.StatusQuo || o.ID == StatusQuoOption})
		}
	}
	d.Options = keep(d.Options, MaxOptions)
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

// decisions weighs the questions after the debate: D0, and the choice of a question.
func (m *reducer) decisions() {
	silent := func(seat Seat) bool { return m.Table.abstains(seat.Party) } // unknown when its reading was noted
	if slices.ContainsFunc(m.Table.Seats, silent) {
		m.review()
	}
	for i := range m.Split.Coverage { // no part waits for a party that left later
		c := &m.Split.Coverage[i]
		c.Owed = lists.Keep(c.Owed, m.Table.sits)
	}
	m.Agenda.Decisions = m.Received.Framed()
	// D0 rests on the agreed P1 claims, and on every trigger of policy and of parties (R030-R038).
	d0, rests := m.Agenda.d0(), lists.Keep(m.Book.Agreed(), func(c Claim) bool { return c.Severity == P1 || c.Trigger != "" })
	d0.Claims = lists.Map(rests, func(c Claim) string { return c.ID })
	d0.Triggers = append(m.Agenda.policy(), m.asserted()...)
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
	d.Held = m.settles(d)
	d.Settled = d.Held != ""
}

// policy are the triggers of policy that make a decision critical.
func (a *Agenda) policy() []Trigger {
	return lists.Keep(a.Triggers, Trigger.Critical)
}

// choices collects the choices of the parties for a decision, in party order.
func (s *State) choices(d *Decision) {
	named := lists.Keep(s.voices(d), func(v tally.Voice) bool { return v.Option != "" })
	d.FinalOptions = lists.Map(named, func(v tally.Voice) PartyOption { return PartyOption{Party: v.Party, Option: v.Option} })
}

// asserted are the triggers that parties assert with verified changed lines: one party is
// enough on a path that policy knows as sensitive, else two (S03). Models add triggers and never
// remove one (A12).
func (s *State) asserted() []Trigger {
	var found []Trigger
	shows := func(e Evidence) bool { return e.CitationOK && (e.Changed || s.Received.Inquiry != nil) } // a question has no changed lines
	for _, id := range []TriggerID{
		TriggerArchitecture, TriggerDeploy, TriggerSecurity, TriggerDestructiveSchema, TriggerMoney, TriggerGovernance, TriggerIrreversible,
	} {
		t := Trigger{ID: id, Source: FromParty, Class: ClassAsserted}
		sensitive := false
		for _, a := range lists.Keep(s.Agenda.Assertions, func(a Asserted) bool { return a.Trigger == id }) {
			for _, e := range lists.Keep(a.Evidence, shows) {
				t.assert(a, e)
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
func (t *Trigger) assert(a Asserted, e Evidence) {
	t.By = noted(t.By, a.Party)
	if t.Path == "" {
		t.Path, t.Side, t.Line, t.Detail = e.Cite.Path, e.Cite.Side, e.Cite.StartLine, a.Reason
	}
}

// normalised is a question in lower case with single blanks.
func normalised(question string) string {
	return strings.ToLower(strings.Join(strings.Fields(question), " "))
}

// fingerprint identifies a decision across runs: repository, pull request, normalized question,
// sorted option ids and sorted trigger ids.
func fingerprint(a Anchor, d Decision) string {
	options, triggers := d.optionIDs(), once(lists.Map(d.Triggers, func(t Trigger) string { return string(t.ID) }))
	sort.Strings(options)
	sort.Strings(triggers)
	question := identity(d.Question)
	text := fmt.Sprintf("%q %d %q %q %q", a.Repo, a.PR, question, options, triggers)
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
