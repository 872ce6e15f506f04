package pull

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// ranAgain is a settlement in which bob ordered a part of a head that was reviewed
// before, dismissed a finding, waived a trigger and disputed another finding.
func ranAgain(state debate.State) settlement {
	s := reviewed().says("bob", 1, "/debate run code").says("bob", 1, "/debate dismiss F1 no").says("bob", 1, "/debate waive security fine").says("bob", 1, "/debate dispute F1 no")
	m := &s.checkpoint
	m.Micro, m.Debate.Asking.Calls, m.Handled = 10, cents(5, -1), ids(8)
	m.Stub, m.Stranger, m.BaseRef, m.Base, m.Target, m.Items = true, true, "main", "base0", debate.TargetMixed, []Item{{Decision: "D0"}}
	m.Dismissed = []Dismissed{{By: CommandID{50}}}
	s.heard()
	w := settled(s, state)
	w.outcomes.carriedOut = ids(103)
	w.ledger.unbooked = cost{Micro: 3}
	w.ledger.left.Names, w.ledger.left.NextF = append(slices.Clone(m.Names), Name{F: "F3", Key: "cc-0", Gone: true}), 4
	return w
}

// debatedAgain is what that debate came to.
func debatedAgain() debate.State {
	final := found("F1", "a.go", "line 4", 4, "F1")
	final.Final = true
	return debate.State{
		Received: debate.Received{SessionID: "two", Mode: debate.Standard, Target: debate.TargetCode, Settings: debate.Settings{Stranger: false}},
		Book:     debate.Book{Claims: []debate.Claim{final, {ID: "F2"}}},
	}
}

// TestNext: the next checkpoint holds what this debate came to, and what earlier runs left.
func TestNext(t *testing.T) {
	t.Parallel()
	w := ranAgain(debatedAgain())
	before := w.snap.checkpoint
	m := w.next()
	if m.Debate.SessionID != "two" || m.Micro != 18 || !m.Unpriced || m.Stub || m.At != 0 || m.Stranger || m.Base != "base1" || m.BaseRef != "main" || m.Target != debate.TargetCode || !m.Narrow {
		t.Errorf("a new debate: %+v", m)
	}
	if got := names(m); got != "F1 F2=gone F3=gone " || m.NextF != 4 {
		t.Errorf("names: %s, F%d is next", got, m.NextF)
	}
	if !slices.Equal(m.Waived, []Waived{{By: CommandID{102}, Head: head1}}) || len(m.Dismissed) != 2 || m.Dismissed[0].By[0] != 50 || m.Dismissed[1].By[0] != 101 {
		t.Errorf("waived %+v, dismissed %+v", m.Waived, m.Dismissed)
	}
	if !slices.Equal(m.Handled, ids(8, 103, 100, 101, 102)) || len(m.Items) != 1 {
		t.Errorf("handled %v, %d items", m.Handled, len(m.Items))
	}
	if !w.ledger.left.Names[2].Gone || w.ledger.left.Names[0].Gone || len(before.Handled) != 1 {
		t.Errorf("what was known has changed: %+v, %v", w.ledger.left.Names, before.Handled)
	}

	for head, at := range map[string]int64{head1: before.At, head2: 0} { // a commit that still waits for a maintainer, and a new one
		waits := debatedAgain()
		waits.Received.Settings.Stranger = true
		w := ranAgain(waits)
		w.snap.checkpoint.Stranger, w.snap.checkpoint.Debate.HeadSHA, w.snap.Pull.HeadSHA = true, head1, head
		if m := w.next(); m.At != at || at == 0 && before.At == 0 || !m.Stranger {
			t.Errorf("%s waits: since %d, want %d", head, m.At, at)
		}
	}
	again := debatedAgain()
	again.Received.Recall, again.Received.Settings.Stranger = &debate.Memory{}, false
	m = ranAgain(again).next()
	if m.Micro != 13 || m.Unpriced || m.Stub || m.At != millis(at(-60)) || !m.Stranger || m.Base != "base0" || m.Target != debate.TargetMixed || m.Narrow {
		t.Errorf("a recalled debate: %+v", m)
	}

	w = ranAgain(debatedAgain())
	w.snap.sealed = false
	w.state.Received.Settings.Stranger = true
	m = w.next()
	if m.Micro != 3 || len(m.Dismissed) != 1 || !slices.Equal(m.Handled, ids(103, 100, 101, 102)) || len(m.Items) != 1 || names(m) != "F1 F2=gone F3=gone " || !m.Stranger {
		t.Errorf("nothing was sealed: %+v", m)
	}
	for id := range int64(maxHandled) {
		w.plan.commands.dismissed = append(w.plan.commands.dismissed, Dismissed{By: CommandID{id}})
	}
	if m = w.next(); len(m.Dismissed) != maxHandled {
		t.Errorf("%d dismissals are kept", len(m.Dismissed))
	}
}

// TestNextTakesUp: a name in a comment of ours keeps its meaning, unless somebody edited
// the comment.
func TestNextTakesUp(t *testing.T) {
	t.Parallel()
	w := settled(reviewed().set(threaded(thread("dd-0", "F7", "it said", false), thread("ee-0", "F9", "it said", true))), debate.State{})
	if m := w.next(); names(m) != "F1=gone F2=gone F7=gone " || m.NextF != 8 {
		t.Errorf("%s, F%d is next", names(m), m.NextF)
	}
}

// TestInIssue: only open questions of an issue, in their order.
func TestInIssue(t *testing.T) {
	t.Parallel()
	asked := func(id string, change func(*debate.Decision)) debate.Decision {
		d := debate.Decision{ID: id, Outcome: debate.AwaitingHuman, Human: &debate.Human{Sink: debate.SinkIssue}}
		change(&d)
		return d
	}
	as := func(*debate.Decision) {}
	list := []debate.Decision{
		asked("D0", as), asked("D1", as), asked("D2", func(d *debate.Decision) { d.Outcome = debate.HumanDecided }),
		asked("D3", func(d *debate.Decision) { d.Human.Sink = debate.SinkComment }), asked("D4", func(d *debate.Decision) { d.Human = nil }), asked("D5", as),
	}
	if got := strings.Join(idsOf(inIssue(list)), " "); got != "D0 D1 D5" {
		t.Errorf("in the issue: %s", got)
	}
}

// TestVerdicts: the conclusion that is remembered is not that of a shared check.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	w := settled(reviewed().set(func(s *Snapshot) { s.Pull.Siblings = []int{8} }), kept())
	alone, _ := conclude(w.snap.circumstancesOf(w.state, w.posts.issue, nil))
	if says, _ := w.verdict(); says != debate.Neutral || alone != debate.Success {
		t.Errorf("%s, alone %s", says, alone)
	}
}

// TestWantCheck has a row for each check that a debate leaves.
func TestWantCheck(t *testing.T) {
	t.Parallel()
	withdrawn := debate.State{Stage: debate.StageDone, Agenda: debate.Agenda{Decisions: []debate.Decision{{ID: "D0", Outcome: debate.Withdrawn}}}}
	critical := debate.State{
		Received: debate.Received{Settings: debate.Settings{Stranger: true}}, Ending: debate.Ending{Outcome: debate.DegradedLocal},
		Agenda: debate.Agenda{Triggers: []debate.Trigger{{Detail: "it drops a table"}}},
	}
	agreed := kept()
	agreed.Book.Claims = []debate.Claim{found("F1", "a.go", "line 4", 4, "")}
	agreed.Book.Claims[0].Title = "a leak"
	noIssue := merging(debate.AwaitingHuman, debate.Human{AskedAt: millis(at(-60))})
	noIssue.Human.Sink = debate.SinkComment
	asks := debate.State{Agenda: debate.Agenda{Decisions: []debate.Decision{noIssue}}}
	skipped := debate.State{Ending: debate.Ending{Outcome: debate.Skipped}}
	stood := gh.CheckRun{Done: true, Conclusion: "action_required", Title: "as it stood", Summary: "summary", ExternalID: "pr-7/x"}
	waited := func(s *Snapshot) { s.checkpoint.Conclusion = debate.ActionRequired }
	rows := []struct {
		name  string
		s     scene
		state debate.State
		stood gh.CheckRun
		want  string // how the title begins
		says  []string
		not   []string
		lines int // of annotations
	}{
		{"a finding without a comment", reviewed(), agreed, gh.CheckRun{}, "success ready to merge", nil, []string{"hash"}, 4},
		{"a finding with a comment", reviewed().set(threaded(thread("aa-0", "F1", "it said", false))), agreed, gh.CheckRun{}, "success ", nil, nil, 0},
		{"a stranger's, critical", reviewed(), critical, gh.CheckRun{}, "action_required it drops a table; a maintainer can start the review with /debate run", nil, nil, 0},
		{"there is no issue", reviewed(), asks, gh.CheckRun{}, "action_required ", []string{"drops table a", "/debate decide keep WHY"}, nil, 0},
		{"skipped", reviewed(), skipped, gh.CheckRun{}, "neutral ", nil, []string{"hash"}, 0},
		{"merged while it waited", reviewed().set(waited).set(ended(gh.Merged)), withdrawn, stood, "action_required as it stood", nil, nil, 0},
		{"merged while it waited, the check said something else", reviewed().set(waited).set(ended(gh.Merged)), withdrawn, gh.CheckRun{Done: true, Conclusion: "success", Title: "as it stood"}, "action_required ", []string{"bob merged"}, nil, 0},
		{"closed while it waited", reviewed().set(waited).set(ended(gh.Closed)), withdrawn, stood, "action_required ", []string{"bob closed"}, nil, 0},
		{"merged, and nothing waited", reviewed().set(ended(gh.Merged)), critical, stood, "action_required it drops a table", nil, nil, 0},
	}
	for _, row := range rows {
		w := settled(row.s, row.state)
		w.log, w.posts.stood = hashed{}, row.stood
		w.ledger.left.Names = []Name{{F: "F1", Key: "aa-0"}}
		check := w.wantCheck()
		if got := fmt.Sprintf("%s %s", check.Conclusion, check.Title); !strings.HasPrefix(got, row.want) {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
		for _, text := range row.says {
			if !strings.Contains(check.Summary, text) {
				t.Errorf("%s: %q is not said in %q", row.name, text, check.Summary)
			}
		}
		if n := strings.Count(check.Summary, "| Your answer |"); n > 1 {
			t.Errorf("%s: %d tables of answers in %q", row.name, n, check.Summary)
		}
		for _, text := range row.not {
			if strings.Contains(check.Summary, text) {
				t.Errorf("%s: %q is said in %q", row.name, text, check.Summary)
			}
		}
		if row.lines == 0 && len(check.Annotations) > 0 || row.lines > 0 && (len(check.Annotations) != 1 || check.Annotations[0].StartLine != row.lines || check.Annotations[0].Path != "a.go") {
			t.Errorf("%s: %+v", row.name, check.Annotations)
		}
		if asItStands := check.ExternalID != ""; asItStands != (check.Title == "as it stood") || asItStands && check.Summary != "summary" {
			t.Errorf("%s: %+v", row.name, check)
		}
	}
}

// TestNoResult has a row for each check that a debate leaves which came to nothing.
func TestNoResult(t *testing.T) {
	t.Parallel()
	stood := func(conclusion string) gh.CheckRun {
		return gh.CheckRun{Done: conclusion != "", Conclusion: conclusion, Title: "as it stood", Summary: "summary", ExternalID: "pr-7/x"}
	}
	none := func(c debate.Conclusion) gh.Check {
		return gh.Check{Conclusion: c, Title: titleNone, Summary: comment.MarkdownLine("it broke")}
	}
	rows := []struct {
		name  string
		s     scene
		stood gh.CheckRun
		want  gh.Check
	}{
		{"nothing stood", unreviewed(), gh.CheckRun{}, none(debate.Neutral)},
		{"required", unreviewed().set(required), gh.CheckRun{}, none(debate.Failure)},
		{"a check let it through", unreviewed(), stood("success"), none(debate.Neutral)},
		{"a check stopped it", unreviewed(), stood("failure"), gh.Check{Conclusion: debate.Failure, Title: "as it stood", Summary: "summary", ExternalID: "pr-7/x"}},
		{"a question waits", asking(), gh.CheckRun{}, none(debate.ActionRequired)},
	}
	for _, row := range rows {
		w := settled(row.s, debate.State{})
		w.posts.stood = row.stood
		if got := w.noResult("it broke"); !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s: %+v, want %+v", row.name, got, row.want)
		}
	}
}

// TestWantSummary: the summary keeps the checkpoint, and people are told what found no
// room in it.
func TestWantSummary(t *testing.T) {
	t.Parallel()
	whole := settled(reviewed(), kept())
	whole.ledger.left.Debate.Protocol = debate.ProtocolVersion
	tooLarge, hopeless := settled(reviewed(), kept()), settled(reviewed(), kept())
	for i := range 50 {
		c := found(fmt.Sprintf("F%d", i), "a.go", noise(fmt.Sprint(i), 4000), 4, "")
		tooLarge.ledger.left.Debate.Book.Claims = append(tooLarge.ledger.left.Debate.Book.Claims, c)
	}
	for i := range 2000 {
		hopeless.ledger.left.Names = append(hopeless.ledger.left.Names, Name{F: fmt.Sprintf("F%d", i+1), Key: noise(fmt.Sprint(i), 40)})
	}
	for _, row := range []struct {
		name  string
		w     settlement
		block bool
		note  string
	}{
		{"it fits", whole, true, ""},
		{"a stub fits", tooLarge, true, "the debate does not fit into the summary, so an answer or a command reviews this commit again"},
		{"nothing fits", hopeless, false, "the memory of the debate does not fit into the summary, so the next run reviews this commit again (the state has "},
	} {
		block, note := row.w.seal()
		if (block != "") != row.block || !strings.HasPrefix(note, row.note) || row.note == "" && note != "" {
			t.Errorf("%s: %d bytes, %q", row.name, len(block), note)
		}
	}
	block, _ := whole.seal()
	whole.snap.Pull.Comments = []gh.Comment{{ID: 1, Mine: true, Body: whole.wantSummary(block)}}
	if m, _, _ := openCheckpoint(nil, whole.snap.Pull, &whole.snap.Pull.Comments[0]); len(haveOf(whole.snap).Summaries) != 1 || m.Debate.SessionID != "one" {
		t.Errorf("%q", whole.snap.Pull.Comments[0].Body)
	}
	many := settled(reviewed(), kept())
	for i := range 200 {
		c := found(fmt.Sprintf("F%d", i+1), "a.go", fmt.Sprint(i), i+1, "")
		c.Title, c.Body = fmt.Sprintf("leak %d", i), strings.Repeat("it leaks ", 100)
		many.state.Book.Claims = append(many.state.Book.Claims, c)
	}
	many.ledger.left = many.next()
	long := strings.Repeat("x", 30_000)
	if body := many.wantSummary("<!-- " + long + " -->"); len(body) > comment.MaxBody || strings.Contains(body, "The rest was too long for a comment") {
		t.Errorf("%d bytes: %q", len(body), body[len(body)-200:])
	}
}
