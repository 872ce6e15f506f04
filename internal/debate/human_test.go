package debate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// asksBob is a state that waits for a person about the merge, on the head h1, since 100.
func asksBob() State {
	return State{
		Stage:    StageAwaitingHuman,
		Snapshot: Snapshotted{HeadSHA: "h1"},
		Agenda: Agenda{Decisions: []Decision{{
			ID: "D0", Options: dispositionOptions(), Fingerprint: "f", Outcome: AwaitingHuman,
			Human: &Human{Status: ItemAwaiting, Sink: SinkIssue, AskedAt: 100},
		}}},
	}
}

// TestWhichAnswersCount: an answer counts that somebody with the right gives to this very
// question, on this head, and that nothing later of theirs replaces.
func TestWhichAnswersCount(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		change func(*State, *Decided)
		why    string // why it does not count, "" where it does
	}{
		"a command":                        {func(*State, *Decided) {}, ""},
		"of somebody who may not write":    {func(_ *State, ev *Decided) { ev.By.Permission = ReadAccess }, "bob"},
		"of a bot":                         {func(_ *State, ev *Decided) { ev.By.Bot = true }, "bob"},
		"the question is another one":      {func(_ *State, ev *Decided) { ev.Fingerprint = "g" }, StaleAnswer},
		"the head is another one":          {func(_ *State, ev *Decided) { ev.Head = "h0" }, StaleAnswer},
		"the comment was edited":           {func(_ *State, ev *Decided) { ev.Edited = true }, "the comment was edited"},
		"there is no such option":          {func(_ *State, ev *Decided) { ev.Option = "later" }, "there is no option later. The options: "},
		"it was withdrawn before":          {func(s *State, _ *Decided) { s.Agenda.Decisions[0].Outcome = Withdrawn }, NothingOpen},
		"a later answer of bob stands":     {func(s *State, _ *Decided) { answeredBy(s, "bob", 300) }, NothingOpen},
		"an earlier answer of bob stands":  {func(s *State, _ *Decided) { answeredBy(s, "bob", 150) }, ""},
		"a later answer of ann stands":     {func(s *State, _ *Decided) { answeredBy(s, "ann", 300) }, ""},
		"an issue closed as done":          {func(_ *State, ev *Decided) { ev.Via, ev.Option = ViaCompleted, "" }, ""},
		"an issue closed as duplicate":     {func(_ *State, ev *Decided) { ev.Via, ev.Option = ViaDuplicate, "" }, "it does not say which option of D0"},
		"an issue reopened":                {func(_ *State, ev *Decided) { ev.Via, ev.Option = ViaReopened, "" }, NothingOpen},
		"a review after it was asked":      {func(_ *State, ev *Decided) { ev.Via = ViaReview }, ""},
		"a review before it was asked":     {func(_ *State, ev *Decided) { ev.Via, ev.At = ViaReview, 99 }, StaleAnswer},
		"a review as it was asked":         {func(_ *State, ev *Decided) { ev.Via, ev.At = ViaReview, 100 }, StaleAnswer},
		"a review after an earlier asking": {func(_ *State, ev *Decided) { ev.Via, ev.At, ev.Asked = ViaReview, 60, 50 }, ""},
		"a review before that":             {func(_ *State, ev *Decided) { ev.Via, ev.At, ev.Asked = ViaReview, 50, 50 }, StaleAnswer},
		"a review, and it was asked again": {func(_ *State, ev *Decided) { ev.Via, ev.At, ev.Asked = ViaReview, 150, 900 }, ""},
		"a command before it was asked":    {func(_ *State, ev *Decided) { ev.At = 99 }, ""},
		"a review of another decision": {func(s *State, ev *Decided) { s.Agenda.Decisions[0].Options, ev.Via = claimOptions(), ViaReview },
			"it does not say which option of D0"},
		"a click on another decision": {func(s *State, ev *Decided) {
			s.Agenda.Decisions[0].Options, ev.Via, ev.Option = claimOptions(), ViaCompleted, ""
		},
			"it does not say which option of D0"},
	} {
		t.Run(name, func(t *testing.T) {
			s := asksBob()
			ev := Decided{Decision: "D0", Fingerprint: "f", Option: string(Keep), Head: "h1", Via: ViaCommand, At: 200, By: Actor{Login: "bob", Permission: WriteAccess}}
			row.change(&s, &ev)
			m := (&reducer{State: &s, step: &Step{}})
			if refused := m.decided(ev); refused != "" {
				t.Fatal(refused)
			}
			refused := fmt.Sprint(s.Agenda.Decisions[0].Human.Void)
			counts := slices.ContainsFunc(s.Agenda.Decisions[0].Human.Answers(), func(a PersonAnswer) bool { return a.By == "bob" && a.At == ev.At })
			if counts != (row.why == "") || !strings.Contains(refused, row.why) || counts && refused != "[]" {
				t.Errorf("it counts: %v; refused: %q", counts, refused)
			}
		})
	}
}

// answeredBy has somebody answer the question of a state.
func answeredBy(s *State, login string, at int64) {
	d := &s.Agenda.Decisions[0]
	d.Outcome = HumanDecided
	d.Human.Status, d.Human.By, d.Human.Option, d.Human.At = ItemDecided, login, string(Keep), at
}

// TestNobodyIsAsked: an answer to a decision that nobody is asked about changes nothing.
func TestNobodyIsAsked(t *testing.T) {
	t.Parallel()
	s := asksBob()
	s.Agenda.Decisions[0].Outcome, s.Agenda.Decisions[0].Human = Settled, nil
	for _, id := range []string{"D0", "D9"} {
		m := (&reducer{State: &s, step: &Step{}})
		if refused := m.decided(Decided{Decision: id, Via: ViaCommand, Option: string(Keep)}); refused != "decision "+id+" is not for a human" {
			t.Errorf("%s: %q", id, refused)
		}
	}
	if s.Agenda.Decisions[0].Outcome != Settled {
		t.Error(s.Agenda.Decisions[0].Outcome)
	}
}

// TestOneOfTwoIsAnswered: a debate that asks two things waits until both are answered.
func TestOneOfTwoIsAnswered(t *testing.T) {
	t.Parallel()
	s := asksBob()
	second := s.Agenda.Decisions[0]
	second.ID, second.Human = "D1", &Human{Status: ItemAwaiting, Sink: SinkIssue, AskedAt: 100}
	s.Agenda.Decisions = append(s.Agenda.Decisions, second)
	for i, want := range []Stage{StageAwaitingHuman, StagePublish} {
		(&reducer{State: &s, step: &Step{}}).decided(Decided{
			Decision: s.Agenda.Decisions[i].ID, Fingerprint: "f", Option: string(Keep), Head: "h1", Via: ViaCommand, At: 200,
			By: Actor{Login: "bob", Permission: WriteAccess},
		})
		if s.Stage != want {
			t.Errorf("after answer %d it is in %s, want %s", i+1, s.Stage, want)
		}
	}
}

// TestRefusedAnswersAreBounded: whoever answers without the right a thousand times fills no
// record.
func TestRefusedAnswersAreBounded(t *testing.T) {
	t.Parallel()
	s := asksBob()
	for i := range 60 {
		(&reducer{State: &s, step: &Step{}}).decided(Decided{Decision: "D0", Fingerprint: "f", Option: string(Keep), Head: "h1", Via: ViaCommand, By: Actor{Login: fmt.Sprint("eve", i)}})
	}
	if n := len(s.Agenda.Decisions[0].Human.Void); n != 50 {
		t.Errorf("%d refused answers are kept", n)
	}
}

// TestSinkFailed: a question goes into the summary comment if there can be no issue. The last sink,
// and one that does not have the question, cannot fail (R041-R043).
func TestSinkFailed(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ at, failed, want Sink }{
		{SinkIssue, SinkIssue, SinkComment},
		{SinkComment, SinkComment, SinkComment},
		{SinkComment, SinkIssue, SinkComment},
		{SinkSummary, SinkSummary, SinkSummary},
	} {
		s := asksBob()
		s.Agenda.Decisions[0].Human.Sink = row.at
		step := &Step{}
		if refused := (&reducer{State: &s, step: step}).sinkFailed(SinkFailed{Decision: "D0", Sink: row.failed}); (refused == "") != (row.want != row.at) {
			t.Errorf("%s failed at %s: refused: %q", row.failed, row.at, refused)
		}
		if d := s.Agenda.Decisions[0]; d.Human.Sink != row.want || d.Outcome != AwaitingHuman || (len(step.Facts) > 0) != (row.want != row.at) {
			t.Errorf("%s failed at %s: it is at %s, %s, with %d facts", row.failed, row.at, d.Human.Sink, d.Outcome, len(step.Facts))
		}
	}
}

// TestRemindedOnce: who waits is reminded once, and only while somebody is waited for.
func TestRemindedOnce(t *testing.T) {
	t.Parallel()
	s := asksBob()
	remind := func() string { return (&reducer{State: &s, step: &Step{}}).reminded(Reminded{Decision: "D0"}) }
	for i, want := range []string{"", "one reminder is all there is"} {
		if got := remind(); got != want || !s.Agenda.Decisions[0].Human.Reminded {
			t.Errorf("reminder %d: %q", i+1, got)
		}
	}
	s = asksBob()
	s.Agenda.Decisions[0].Outcome = HumanDecided
	if got := remind(); got != nobodyWaits {
		t.Errorf("after it was decided: %q", got)
	}
	s.Agenda.Decisions[0].Human = nil
	if got := remind(); got != nobodyWaits {
		t.Errorf("where nobody was asked: %q", got)
	}
}

// TestWithdrawn: what waits for a person ends with the pull request, and a debate that goes
// on is given up.
func TestWithdrawn(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		stage   Stage
		outcome DecisionOutcome
		after   Stage
		then    DecisionOutcome
		refused bool
	}{
		"a person is waited for":         {StageAwaitingHuman, AwaitingHuman, StageDone, Withdrawn, false},
		"it is about to be published":    {StagePublish, AwaitingHuman, StagePublish, Withdrawn, false},
		"another decision ended already": {StageAwaitingHuman, Settled, StageDone, Settled, false},
		"it is debated":                  {StageRebut, "", StageAborted, "", false},
		"it is over":                     {StageDone, AwaitingHuman, StageDone, AwaitingHuman, true},
		"it has not begun":               {StageNone, "", StageNone, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := asksBob()
			s.Stage, s.Agenda.Decisions[0].Outcome = row.stage, row.outcome
			refused := (&reducer{State: &s, step: &Step{}}).withdrawn(WithdrawnEvent{Reason: "merged_undecided", By: "ann"})
			if d := s.Agenda.d0(); s.Stage != row.after || d.Outcome != row.then || (refused != "") != row.refused {
				t.Errorf("it is in %s, the decision is %s, refused %q", s.Stage, d.Outcome, refused)
			}
		})
	}
}

// TestHeadMoved: a result about a head that is gone is not published, and what a person
// decided stays.
func TestHeadMoved(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		outcome DecisionOutcome
		head    string
		then    DecisionOutcome
		stage   Stage
	}{
		"a newer head":                {AwaitingHuman, "h2", DecisionSuperseded, StageSuperseded},
		"a head that nobody can name": {AwaitingHuman, "", DecisionSuperseded, StageSuperseded},
		"a person decided":            {HumanDecided, "h2", HumanDecided, StageSuperseded},
		"the same head":               {AwaitingHuman, "h1", AwaitingHuman, StageAwaitingHuman},
	} {
		t.Run(name, func(t *testing.T) {
			s := asksBob()
			s.Agenda.Decisions[0].Outcome = row.outcome
			refused := (&reducer{State: &s, step: &Step{}}).headMoved(HeadMoved{Head: row.head})
			if got := s.Agenda.Decisions[0].Outcome; got != row.then || s.Stage != row.stage || (refused != "") != (row.stage == StageAwaitingHuman) {
				t.Errorf("the decision is %s, the debate in %s, refused %q", got, s.Stage, refused)
			}
		})
	}
	s := asksBob()
	s.Snapshot.HeadSHA = ""
	if refused := (&reducer{State: &s, step: &Step{}}).headMoved(HeadMoved{}); refused != "" || s.Stage != StageSuperseded {
		t.Errorf("no head is no head that is known: %q, %s", refused, s.Stage)
	}
}

// TestWhoMayStop: a person who may write stops a debate, once.
func TestWhoMayStop(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		by      Actor
		stopped bool // before
		refused string
	}{
		"who may write":         {Actor{Login: "bob", Permission: WriteAccess}, false, ""},
		"who may only read":     {Actor{Login: "eve", Permission: ReadAccess}, false, "eve may not stop it"},
		"a bot that may write":  {Actor{Login: "ci", Permission: WriteAccess, Bot: true}, false, "ci may not stop it"},
		"it is stopped already": {Actor{Login: "bob", Permission: WriteAccess}, true, "it is stopped"},
	} {
		t.Run(name, func(t *testing.T) {
			s := State{Stage: StageRebut, Asking: Asking{Stopped: row.stopped}}
			if got := (&reducer{State: &s, step: &Step{}}).stopped(Stopped{By: row.by}); got != row.refused {
				t.Errorf("%q, want %q", got, row.refused)
			}
			if stops := row.refused == "" || row.stopped; s.Asking.Stopped != stops {
				t.Errorf("stopped: %v", s.Asking.Stopped)
			}
		})
	}
}
