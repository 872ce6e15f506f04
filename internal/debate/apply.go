package debate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/lists"
)

// OrderError reports an event that the protocol does not allow in this state.
type OrderError struct {
	N     int
	Kind  EventKind
	Stage Stage
	Why   string
}

func (e *OrderError) Error() string {
	return fmt.Sprintf("event %d (%s) in stage %s: %s", e.N, e.Kind, e.Stage, e.Why)
}

// Apply folds one entry into a state. It knows all events: an event at a wrong time gives an
// *OrderError and changes nothing.
func Apply(s State, e Entry) (State, error) {
	kind := KindOf(e.Event)
	rule := rules[kind]
	refuse := func(why string) (State, error) {
		return s, &OrderError{N: e.N, Kind: kind, Stage: s.Stage, Why: why}
	}
	// One guard before any rule: the number, the clock, the end and the stage.
	switch untimely := rule.untimely(s.Stage); {
	case e.N != s.N+1:
		return refuse("expected event " + strconv.Itoa(s.N+1))
	case e.At < s.Clock.At:
		return refuse("time runs backwards")
	case s.Ending.Closing != nil && !rule.reopens:
		return refuse("the record is closed")
	case untimely != "":
		return refuse(untimely)
	}
	next := s.clone()
	next.N, next.Clock.At, next.Ending.Closing = e.N, e.At, nil
	step := Step{N: e.N, Kind: kind}
	move := &reducer{State: &next, step: &step, since: e.At - s.Clock.At}
	if why := rule.does(move, e.Event); why != "" {
		return refuse(why)
	}
	next.Steps = append(next.Steps, step)
	return next, nil
}

// Fold applies entries in order, starting before the first event.
func Fold(entries []Entry) (State, error) {
	var s State
	for _, e := range entries {
		var err error
		if s, err = Apply(s, e); err != nil {
			return s, err
		}
	}
	return s, nil
}

// reducer moves one state by one event. Its methods return the reason why an event may not
// come now, or "".
type reducer struct {
	*State
	step  *Step
	since int64 // milliseconds since the last event
}

// transition is the only place that changes a stage.
func (m *reducer) transition(stage Stage) {
	m.Stage = stage
	m.step.Stages = append(m.step.Stages, stage)
	switch stage {
	case StagePublish, StageAborted, StageSuperseded:
		m.Clock.EndedAt = cmp.Or(m.Clock.EndedAt, m.Clock.At)
		m.happened(Fact{Kind: ReviewEnded, Who: EngineParty, Code: string(m.Ending.Outcome), Other: string(m.Ending.Disposition), Why: m.Ending.OutcomeReason})
	}
}

// goes leads the debate through stages. After GATE there are no more calls.
func (m *reducer) goes(through []Stage) {
	for _, stage := range through {
		if stage == StageGate {
			m.gate()
			continue
		}
		m.transition(stage)
	}
}

func (m *reducer) received(ev Received) string {
	if m.N != 1 {
		return "a debate is received once"
	}
	if ev.Protocol != ProtocolVersion {
		return fmt.Sprintf("protocol version %s, this is version %s", ev.Protocol, ProtocolVersion)
	}
	if q := ev.Inquiry; q != nil && !slices.Contains(Framings(), q.Framing) {
		return "there is no framing " + strconv.Quote(clip(string(q.Framing), 100))
	}
	m.Received = ev
	m.Clock.StartedAt = m.Clock.At
	m.Ending.Disposition = Continue
	m.Disputes = ev.Previous.Disputes
	m.transition(StageReceived)
	return ""
}

func (m *reducer) split(ev SplitDone) string {
	if why := ev.checkSums(); why != "" {
		return why
	}
	ev.Coverage = append([]Coverage(nil), ev.Coverage...)
	m.Split = ev
	m.transition(StageSplit)
	if m.Received.Recall != nil {
		m.recall()
	}
	return ""
}

// critiqued turns the critic's hits into claims of owner engine. They count in every outcome,
// if their lines are there (A03).
func (m *reducer) critiqued(ev Critiqued) string {
	if m.Critique.Critiqued {
		return "the critic has answered"
	}
	m.Critique = Critique{Critiqued: true, Notices: ev.Notices, Missing: ev.Missing, Omitted: ev.Omitted}
	m.Book.Claims = nil
	for i, h := range ev.Hits {
		c := engineClaim(i+1, h, m.Split.Segments)
		c.ID = m.newID(c)
		m.Book.Claims = append(m.Book.Claims, c)
		m.happened(Fact{Kind: ClaimRaised, Who: EngineParty, About: c.ID, Code: string(c.Severity), Text: c.Title, Cites: c.Evidence})
		m.checkedCites(EngineParty, c.ID, c.Evidence)
	}
	return ""
}

// engineClaim is the claim of one critic hit after the evidence gate (R145) and
// the severity gate (A06).
func engineClaim(n int, h CheckedHit, segments []Segment) Claim {
	c := Claim{
		Segment: segmentOf(segments, h.Cite), Owner: EngineParty, Kind: Empirical, Asserted: h.Severity, Severity: h.Severity,
		Category: Category(h.Category), Rule: h.Rule, Trigger: h.Trigger, Title: h.Title, Body: h.Body, Suggestion: h.Suggestion,
		Evidence: engineEvidence(n, h.Cite, h.CitationOK, h.Copies), EvidenceType: Textual, ReportedBy: []string{EngineParty}, ConfirmedBy: []string{},
	}
	if !h.CitationOK {
		c.Severity = unproven(c.Severity)
		c.Bucket, c.Reason = Unresolved, ReasonUnconfirmed
		return c
	}
	c.Bucket, c.ConfirmedBy = Agreed, []string{EngineParty}
	return c
}

// engineEvidence is the evidence for lines that the engine itself looked for, number n of the debate.
func engineEvidence(n int, cite Citation, ok bool, copies int) []Evidence {
	return []Evidence{{
		ID: "E" + strconv.Itoa(n), Type: Textual, By: EngineParty, Cite: cite,
		CitationOK: ok, Changed: true, InHunk: true, Copies: copies, Verified: ok,
	}}
}

// segmentOf finds the segment that holds the first cited line.
func segmentOf(segments []Segment, cite Citation) string {
	return lists.Find(segments, func(s Segment) bool { return s.Path == cite.Path && s.Holds(cite.Side, cite.StartLine) }).ID
}

func (m *reducer) policed(ev Policed) string {
	if !m.Critique.Critiqued {
		return "the critic has not answered"
	}
	m.Agenda.Triggers, m.Known = ev.Triggers, ev.Known
	m.transition(StageEligible)
	if ev.Skip == "" {
		m.transition(StagePreflight)
		return ""
	}
	m.Ending.Outcome, m.Ending.OutcomeReason = Skipped, told(ev.Skip)
	m.Ending.Confidence = Low
	m.transition(StageSkipped)
	m.transition(StagePublish)
	return ""
}

// preflighted takes the table of parties. It follows from configuration; no call was made yet
// (R079).
func (m *reducer) preflighted(ev Preflighted) string {
	if m.Table.Preflighted {
		return "the parties are known"
	}
	taken := []string{"", EngineParty, AuthorParty}
	for _, p := range ev.Parties {
		if slices.Contains(taken, p.ID) {
			return "party " + strconv.Quote(p.ID) + " cannot have this name"
		}
		taken = append(taken, p.ID)
	}
	m.Table.Parties, m.Table.Preflighted = ev.Parties, true
	return ""
}

func (m *reducer) abort(reason Why) {
	m.Ending.Outcome, m.Ending.OutcomeReason = Aborted, reason
	m.Ending.Confidence = Low
	m.Asking.Wave = nil
	m.Ending.Disposition = Continue
	m.Agenda.Decisions = nil
	m.transition(StageAborted)
}
