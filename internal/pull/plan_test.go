package pull

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// TestPlan has a row for each rule that chooses what a run does.
func TestPlan(t *testing.T) {
	t.Parallel()
	otherHead := func(s *Snapshot) { s.checkpoint.Debate.HeadSHA = head0 }
	noSummary := func(s *Snapshot) { s.summary = gh.Comment{} }
	stranger := func(s *Snapshot) {
		s.checkpoint.Stranger, s.Access["alice"] = true, access{Permission: debate.ReadAccess}
	}
	inVain := func(s *Snapshot) {
		s.Issue = (scene{s}).question(5, "f0")
		s.Issue.Labels = []string{s.config.Escalation.Label}
	}
	goesOn := fmt.Sprintf("pr-7/x@%d", at(-1).Unix())
	rows := []struct {
		name string
		s    scene
		want action
		why  string
	}{
		{"new", unreviewed(), fresh, "this head is not reviewed yet"},
		{"pushed", reviewed().set(otherHead), fresh, "this head is not reviewed yet"},
		{"retargeted", reviewed().set(func(s *Snapshot) { s.Pull.BaseRef = "next" }), fresh, "this head is not reviewed yet"},
		{"merged", reviewed().set(ended(gh.Merged)), idle, "the pull request is merged"},
		{"closed while it asks", asking().set(ended(gh.Closed)), recalled, "the pull request is closed"},
		{"closed while it asks, not remembered", asking().forgotten().set(ended(gh.Closed)), withdraw, "the pull request is closed"},
		{"ordered", reviewed().says("bob", 1, "/debate run"), fresh, "by order of bob"},
		{"ordered and done", reviewed().says("bob", 1, "/debate run").reacted(), idle, "this head is reviewed, and nothing new was said"},
		{"ordered by somebody unknown", unreviewed().cause(Said).says("dave", 1, "/debate run"), fresh, "this head is not reviewed yet"},
		{"ordered and stopped", unreviewed().says("bob", 1, "/debate run").says("bob", 2, "/debate stop"), idle, "a person ordered a stop"},
		{"asked for", reviewed().cause(Asked), fresh, "it was asked for"},
		{"reviewed", reviewed(), idle, "this head is reviewed, and nothing new was said"},
		{"answered", asking().closes("bob", 1), recalled, "there is something new about the reviewed head"},
		{"disputed", reviewed().says("bob", 1, "/debate dispute F1 no"), recalled, "there is something new about the reviewed head"},
		{"dismissed", reviewed().says("bob", 1, "/debate dismiss F1 no"), recalled, "there is something new about the reviewed head"},
		{"met", reviewed().set(func(s *Snapshot) { s.trigger.again = true }), recalled, "another run reviewed this head meanwhile"},
		{"deleted", asking().set(func(s *Snapshot) { s.Issue = gh.Issue{} }), recalled, "a question to people is gone"},
		{"deleted again", asking().set(func(s *Snapshot) { s.Issue, s.checkpoint.Recreated = gh.Issue{}, true }), idle, "this head is reviewed, and nothing new was said"},
		{"an issue of a run that was overtaken", reviewed().set(inVain), recalled, "an issue asks a question that the review of this head does not ask"},
		{"a closed one", reviewed().set(inVain).closes("bob", 1), recalled, "an issue asks a question that the review of this head does not ask"},
		{"an issue, and no model read this head", reviewed().set(inVain).set(func(s *Snapshot) { s.checkpoint.Debate.Ending.Outcome = debate.Skipped }), idle, "this head is reviewed, and nothing new was said"},
		{"a question", reviewed().says("carol", 1, "/debate status"), recalled, "a person asks about the reviewed head"},
		{"a finding explained", reviewed().says("bob", 1, "/debate explain F1"), recalled, "a person asks about the reviewed head"},
		{"astray", reviewed().checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "one")), recalled, "the check and the summary differ"},
		{"reopened", decided().set(func(s *Snapshot) { s.checkpoint.Debate.Agenda.Decisions[0].Outcome = debate.Withdrawn }), recalled, "a question to people was withdrawn, and the pull request is open again"},
		{"no stranger any more", reviewed().set(func(s *Snapshot) { s.checkpoint.Stranger = true }), fresh, "the author may start a review by now"},
		{"reviewed in part", reviewed().set(func(s *Snapshot) { s.checkpoint.Narrow = true }), fresh, "an order had only a part of this head reviewed"},
		{"reviewed in part, said", reviewed().cause(Said).set(func(s *Snapshot) { s.checkpoint.Narrow = true }), idle, "this head is reviewed, and nothing new was said"},
		{"reviewed in part, resumed", reviewed().cause(Said).set(func(s *Snapshot) { s.checkpoint.Narrow = true }).says("bob", 1, "/debate resume"), fresh, "an order had only a part of this head reviewed"},
		{"reviewed in part, paused", reviewed().set(func(s *Snapshot) { s.checkpoint.Narrow = true }).says("bob", 1, "/debate pause"), idle, "this head is reviewed, and nothing new was said"},
		{"answered, not sealed", asking().forgotten().closes("bob", 1), fresh, "a decision was answered, and no sealed summary says which"},
		{"disputed, a stub", reviewed().stub().says("bob", 1, "/debate dispute F1 no"), fresh, "there is something new, and no sealed summary tells the debate"},
		{"withdrawn and reopened, a stub", asking().stub().closes(bot.Login, 1), fresh, "a question to people was withdrawn, and the pull request is open again"},
		{"a stub", reviewed().stub(), idle, "this head is reviewed, and nothing new was said"},
		{"a stub that asks", asking().stub(), idle, "this head is reviewed, and nothing new was said"},
		{"a stub, asked for", reviewed().stub().cause(Asked), fresh, "this head is not reviewed yet"},
		{"begun and lost", unreviewed().cause(Swept).set(func(s *Snapshot) { s.now = at(60) }).checked("", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "x")), fresh, "a review of this head was begun, and did not end"},
		{"opened and lost", unreviewed().cause(Swept), fresh, "it was opened lately, and no run for it left anything"},
		{"opened long ago", unreviewed().cause(Swept).set(func(s *Snapshot) { s.Pull.CreatedAt = at(-9000) }), idle, "no review of this head was asked for"},
		{"lost, paused", unreviewed().cause(Swept).says("bob", 1, "/debate pause"), idle, "no review of this head was asked for"},
		{"lost, no checks to be read", unreviewed().cause(Swept).set(func(s *Snapshot) { s.Checks.Denied = errDenied.Error() }), idle, "no review of this head was asked for"},
		{"said", unreviewed().cause(Said), fresh, "this head is not reviewed yet"},
		{"answered on an issue", unreviewed().cause(Said), fresh, "this head is not reviewed yet"},
		{"said, and a review goes on", unreviewed().cause(Said).checked("", fmt.Sprintf("pr-7/x@%d", at(-1).Unix())), idle, "a review of this head is under way"},
		{"said, and a review goes on of another pull request", unreviewed().cause(Said).checked("", fmt.Sprintf("pr-8/x@%d", at(-1).Unix())), fresh, "this head is not reviewed yet"},
		{"said after a stop", unreviewed().cause(Said).says("bob", 1, "/debate stop").reacted(), idle, "a person ordered a stop"},
		{"ordered, and a review goes on", unreviewed().cause(Said).checked("", "pr-7/x~@").says("bob", 1, "/debate run"), fresh, "by order of bob"},
		{"ordered, and lost to another run", unreviewed().cause(Said).checked("", "pr-7/x~@").says("bob", 1, "/debate run").set(func(s *Snapshot) { s.trigger.lost = true }), idle, "a review of this head is under way"},
		{"lost to another run that is about to end", unreviewed().checked("success", "pr-7/x~").set(func(s *Snapshot) { s.trigger.lost = true }), idle, "a review of this head is under way"},
		{"lost to another run that came to nothing", unreviewed().checked("neutral", "pr-7/x~").set(func(s *Snapshot) { s.trigger.lost, s.Checks.Own.Title = true, titleNone }), fresh, "this head is not reviewed yet"},
		{"lost to another run that ended", unreviewed().set(func(s *Snapshot) { s.trigger.lost = true }), fresh, "this head is not reviewed yet"},
		{"its own check was left", unreviewed().checked("", "pr-7/x~b").set(func(s *Snapshot) { s.trigger.left = "x" }), fresh, "this head is not reviewed yet"},
		{"stopped", unreviewed().says("bob", 1, "/debate stop"), idle, "a person ordered a stop"},
		{"stopped, asked for", unreviewed().cause(Asked).says("bob", 1, "/debate stop"), fresh, "this head is not reviewed yet"},
		{"stopped long ago, swept", reviewed().cause(Swept).set(otherHead).says("bob", 1, "/debate stop").reacted(), idle, "a person ordered a stop"},
		{"paused", unreviewed().says("bob", 1, "/debate pause"), idle, "automatic runs are paused on this pull request"},
		{"paused for another base", reviewed().set(func(s *Snapshot) { s.Pull.BaseRef = "next" }).says("bob", 1, "/debate pause"), fresh, "this head is not reviewed yet"},
		{"resumed", unreviewed().says("bob", 1, "/debate pause").says("bob", 2, "/debate resume"), fresh, "automatic runs go on"},
		{"still a stranger", reviewed().set(stranger), idle, "this head is reviewed, and nothing new was said"},
		{"help", reviewed().says("carol", 1, "/debate help"), idle, "this head is reviewed, and nothing new was said"},
		{"edited", asking().edits("carol", 1), idle, "this head is reviewed, and nothing new was said"},
		{"a comment asks", asking().set(func(s *Snapshot) {
			s.Issue, s.checkpoint.Debate.Agenda.Decisions[0].Human.Sink = gh.Issue{}, debate.SinkComment
		}), idle, "this head is reviewed, and nothing new was said"},
		{"answered about an earlier head", asking().set(otherHead).closes("bob", 1), fresh, "this head is not reviewed yet"},
		{"approved, not sealed, and nothing asks", asking().forgotten().set(func(s *Snapshot) { s.Issue = gh.Issue{} }).approves("bob", 1, gh.Approved), idle, "this head is reviewed, and nothing new was said"},
		{"dismissed, a stub", reviewed().stub().says("bob", 1, "/debate dismiss F1 no"), fresh, "there is something new, and no sealed summary tells the debate"},
		{"withdrawn, a stub, and somebody says something", asking().stub().cause(Said).closes(bot.Login, 1), idle, "this head is reviewed, and nothing new was said"},
		{"withdrawn and opened again, a stub", asking().stub().closes(bot.Login, 1).happens(gh.IssueReopened, bot.Login, 2, ""), idle, "this head is reviewed, and nothing new was said"},
		{"a question waits, and the summary is lost", unreviewed().cause(Swept).set(func(s *Snapshot) { s.Issue = gh.Issue{Number: 5, Open: true}; s.Pull.CreatedAt = noon.Add(-lately) }), idle, "no review of this head was asked for"},
		{"a question was answered, and the summary is lost", unreviewed().cause(Swept).set(func(s *Snapshot) { s.Issue = gh.Issue{Number: 5}; s.Pull.CreatedAt = noon.Add(-lately) }), fresh, "this head is not reviewed yet"},
		{"opened two days ago and lost", unreviewed().cause(Swept).set(func(s *Snapshot) { s.Pull.CreatedAt = noon.Add(-lately) }), idle, "no review of this head was asked for"},
		{"begun, ended, and left no summary", unreviewed().cause(Swept).checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "x")), idle, "no review of this head was asked for"},
		{"asked for, and a review goes on", unreviewed().cause(Asked).checked("", goesOn), fresh, "this head is not reviewed yet"},
		{"a question, and a review goes on", unreviewed().cause(Said).says("bob", 1, "/debate status").checked("", goesOn), fresh, "this head is not reviewed yet"},
		{"a question, and a review goes on that knows of it", reviewed().set(otherHead).cause(Said).says("bob", 1, "/debate status").checked("", goesOn), idle, "a review of this head is under way"},
		{"swept, a review goes on of another pull request", reviewed().set(otherHead).cause(Swept).checked("", fmt.Sprintf("pr-8/x@%d", at(-1).Unix())), idle, "a review of this head is under way"},
		{"resumed and paused", unreviewed().says("bob", 1, "/debate resume").says("bob", 2, "/debate pause"), idle, "automatic runs are paused on this pull request"},
		{"stopped before the last review, and nobody answered", reviewed().set(otherHead).cause(Said).says("bob", -70, "/debate stop"), idle, "a person ordered a stop"},
		{"swept, a review goes on", reviewed().cause(Swept).set(otherHead).checked("", "pr-7/x@1763812700"), fresh, "this head is not reviewed yet"},
		{"swept, a review goes on since a minute", reviewed().cause(Swept).set(otherHead).checked("", fmt.Sprintf("pr-7/x@%d", at(-1).Unix())), idle, "a review of this head is under way"},
		{"swept, a review goes on, and it is met", unreviewed().cause(Swept).set(noSummary).set(func(s *Snapshot) { s.trigger.again = true }).checked("", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "x")), idle, "a review of this head is under way"},
	}
	for _, row := range rows {
		if p := plan(row.s.Snapshot); p.action != row.want || p.why != row.why {
			t.Errorf("%s: %s, %q; want %s, %q", row.name, p.action, p.why, row.want, row.why)
		}
	}
}

// TestPlanOfADebate has a row for each thing that a plan says about a debate.
func TestPlanOfADebate(t *testing.T) {
	t.Parallel()
	stranger := func(s *Snapshot) { s.Access["alice"] = access{Permission: debate.ReadAccess} }
	rows := []struct {
		name               string
		s                  scene
		asks, later, again bool
		happenings         int
	}{
		{name: "new", s: unreviewed(), asks: true},
		{name: "by a stranger", s: unreviewed().set(stranger)},
		{name: "by a stranger, ordered", s: unreviewed().set(stranger).says("bob", 1, "/debate run"), asks: true},
		{name: "answered without a memory", s: asking().forgotten().closes("bob", 1), asks: true, later: true},
		{name: "decided by a command without a memory", s: unreviewed().says("bob", 1, "/debate decide D0 keep fine"), asks: true, later: true},
		{name: "discussed without a memory", s: asking().forgotten().saysOn("carol", 1, "why?").says("bob", 2, "/debate run"), asks: true, later: true},
		{name: "approved without a memory", s: asking().forgotten().approves("bob", 1, gh.Approved), asks: true, later: true},
		{name: "asked and not discussed, without a memory", s: asking().forgotten().says("bob", 1, "/debate run"), asks: true, later: true},
		{name: "a question without a memory", s: unreviewed().says("bob", 1, "/debate status"), asks: true},
		{name: "answered", s: asking().closes("bob", 1), happenings: 1},
		{name: "answered, and asked for", s: asking().cause(Asked).closes("bob", 1), asks: true},
		{name: "reopened", s: decided().set(func(s *Snapshot) { s.checkpoint.Debate.Agenda.Decisions[0].Outcome = debate.Withdrawn }), again: true},
		{name: "answered too early", s: asking().closes("bob", -70), happenings: 1},
		{name: "answered and disputed", s: asking().closes("bob", 1).says("bob", 1, "/debate dispute F1 no"), asks: true, happenings: 2},
		{name: "closed", s: asking().closes("bob", 1).set(ended(gh.Closed)), happenings: 2},
		{name: "a question", s: reviewed().says("carol", 1, "/debate status")},
		{name: "met", s: reviewed().set(func(s *Snapshot) { s.trigger.again = true }), again: true},
		{name: "astray", s: reviewed().checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "one")), again: true},
		{name: "asked", s: reviewed().says("bob", 1, "/debate status")},
		{name: "astray, and asked", s: reviewed().says("bob", 1, "/debate status").checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "one")), again: true},
		{name: "dismissed", s: reviewed().says("bob", 1, "/debate dismiss F1 no"), again: true},
		{name: "waived", s: reviewed().says("bob", 1, "/debate waive security no"), again: true},
		{name: "deleted", s: asking().set(func(s *Snapshot) { s.Issue = gh.Issue{} }), again: true},
	}
	for _, row := range rows {
		p := plan(row.s.Snapshot)
		if p.asksModels != row.asks || p.deferred != row.later || p.rewrite != row.again || len(p.happenings) != row.happenings {
			t.Errorf("%s: asks models %t, deferred %t, rewrite %t, %d happenings", row.name, p.asksModels, p.deferred, p.rewrite, len(p.happenings))
		}
	}
}

// TestTakenBack: the issue of a closed pull request says who ended it, and of a merged one that no person decided.
func TestTakenBack(t *testing.T) {
	t.Parallel()
	merged, closed := takenBack(asking().set(ended(gh.Merged)).Snapshot), takenBack(asking().set(ended(gh.Closed)).Snapshot)
	if merged.Status != debate.ItemWithdrawn || !slices.Equal(merged.Labels, []string{labelMerged}) || !strings.Contains(merged.Notes[0].Body, "bob") {
		t.Errorf("%+v", merged)
	}
	if closed.Labels != nil || closed.Unlabel[0] == "" || strings.Contains(closed.Notes[0].Body, "merged") {
		t.Errorf("%+v", closed)
	}
}

// TestHeard has a row for each way in which an answer without a memory is worth a
// review, or is not.
func TestHeard(t *testing.T) {
	t.Parallel()
	undone := func(s *Snapshot) { tell(&s.Issue) }
	rows := []struct {
		name string
		s    scene
		want bool
	}{
		{"closed by a decider", asking().forgotten().closes("bob", 1), true},
		{"closed by a reader", asking().forgotten().closes("carol", 1), true},
		{"closed by a reader too often", asking().forgotten().closes("carol", 1).set(undone), false},
		{"closed by a bot", asking().forgotten().happens(gh.IssueClosed, "renovate[bot]", 1, gh.Completed).set(func(s *Snapshot) {
			s.Issue.Events[0].By.Bot = true
		}), false},
		{"approved by a reader", asking().forgotten().approves("carol", 1, gh.Approved), false},
		{"approved by a decider", asking().forgotten().approves("bob", 1, gh.Approved), true},
		{"decided by a command, another decision", asking().forgotten().says("bob", 1, "/debate decide D1 keep fine"), false},
		{"closed by somebody unknown", asking().forgotten().closes("dave", 1), false},
		{"nothing happened", asking().forgotten(), false},
	}
	for _, row := range rows {
		if got := row.s.isHeard(); got != row.want {
			t.Errorf("%s: %t", row.name, got)
		}
	}
}

// isHeard reports whether an answer is worth a review.
func (s scene) isHeard() bool {
	c := commandsOf(s.Snapshot)
	return s.Snapshot.heard(answersTo(s.Snapshot, c.asked))
}

// TestCommands has a row for each way in which a command counts or is refused.
func TestCommands(t *testing.T) {
	t.Parallel()
	bound := func(s *Snapshot) {
		s.checkpoint.Dismissed = []Dismissed{{By: CommandID{100}, F: "F9", Text: "aa", Severity: debate.P1}}
		s.checkpoint.Waived = []Waived{{By: CommandID{100}, Head: head1}}
	}
	boundElsewhere := func(s *Snapshot) { s.checkpoint.Waived = []Waived{{By: CommandID{100}, Head: head0}} }
	others := func(s *Snapshot) {
		s.checkpoint.Dismissed = []Dismissed{{By: CommandID{99}, F: "F9", Text: "cc", Severity: debate.P1}}
		s.checkpoint.Waived = []Waived{{By: CommandID{99}, Head: head0}}
	}
	twin := func(s *Snapshot) {
		s.checkpoint.Names = append(s.checkpoint.Names, Name{F: "F3", Key: "aa-1"})
	}
	otherHead := func(s *Snapshot) { s.Pull.HeadSHA = head2 }
	rows := []struct {
		name string
		s    scene
		want string
	}{
		{"pause", unreviewed().says("bob", 1, "/debate pause"), "paused obeyed=1"},
		{"pause, answered", unreviewed().says("bob", 1, "/debate pause").reacted(), "paused"},
		{"pause, by a reader", unreviewed().says("carol", 1, "/debate pause"), "refused: carol needs write access. Ask someone who may give this command"},
		{"pause, refused before", unreviewed().says("carol", 1, "/debate pause").reacted(), ""},
		{"nonsense", unreviewed().says("bob", 1, "/debate runn"), "refused: there is no such command. Did you mean `/debate run`?"},
		{"run", unreviewed().says("bob", 1, "/debate run"), "run obeyed=1"},
		{"run, answered", unreviewed().says("bob", 1, "/debate run").reacted(), ""},
		{"run, by somebody unknown", unreviewed().says("dave", 1, "/debate run"), ""},
		{"stop", unreviewed().says("bob", 1, "/debate stop"), "stop stopped obeyed=1"},
		{"stop, answered", unreviewed().says("bob", 1, "/debate stop").reacted(), "stopped"},
		{"run on an issue", asking().saysOn("bob", 1, "/debate run"), "refused: on this issue only `/debate decide` counts. Write other commands on the pull request"},
		{"help on an issue", asking().saysOn("bob", 1, "/debate help"), "asked=1"},
		{"help, answered", unreviewed().says("bob", 1, "/debate help").reacted(), ""},
		{"dismiss", reviewed().says("bob", 1, "/debate dismiss F1 wrong"), "obeyed=1 dismissed=1 dismiss F1 P2 (bob: wrong) dismiss aa P2 (bob: wrong)"},
		{"dismiss, unknown", reviewed().says("bob", 1, "/debate dismiss F8 wrong"), "refused: there is no finding F8 here. There are F1"},
		{"dismiss, bound", reviewed().set(bound).says("bob", 1, "/debate dismiss F1 wrong"), "obeyed=1 dismiss F9 P1 (bob: wrong) dismiss aa P1 (bob: wrong)"},
		{"dismiss, not sealed", reviewed().set(bound).forgotten().says("bob", 1, "/debate dismiss F1 wrong").reacted(), ""},
		{"dismiss, another one is bound", reviewed().set(others).says("bob", 1, "/debate dismiss F1 wrong"), "obeyed=1 dismissed=1 dismiss F1 P2 (bob: wrong) dismiss aa P2 (bob: wrong)"},
		{"dismiss, another finding is on its text", reviewed().set(twin).says("bob", 1, "/debate dismiss F1 wrong"), "obeyed=1 dismissed=1 dismiss F1 P2 (bob: wrong)"},
		{"waive", reviewed().says("bob", 1, "/debate waive security fine"), "obeyed=1 waived=100@111111111111 waive security (bob: fine)"},
		{"waive, bound", reviewed().set(bound).says("bob", 1, "/debate waive security fine").reacted(), "waived=100@111111111111 waive security (bob: fine)"},
		{"waive, bound to another head", reviewed().set(boundElsewhere).says("bob", 1, "/debate waive security fine"), "obeyed=1 waived=100@000000000000"},
		{"waive, another one is bound", reviewed().set(others).says("bob", 1, "/debate waive security fine"), "obeyed=1 waived=100@111111111111 waive security (bob: fine)"},
		{"waive, what is remembered only to be reviewed", reviewed().stub().says("bob", 1, "/debate waive security fine"), "obeyed=1 waived=100@111111111111 waive security (bob: fine)"},
		{"waive, in the moment of the review", reviewed().says("bob", -60, "/debate waive security fine"), "obeyed=1 waived=100@111111111111 waive security (bob: fine)"},
		{"waive, not sealed", reviewed().set(bound).forgotten().says("bob", 1, "/debate waive security fine").reacted(), ""},
		{"waive, not reviewed", unreviewed().says("bob", 1, "/debate waive security fine"), "refused: a waiver is about the review of the newest commit, `111111111111`, and counts after it"},
		{"waive, of another head", reviewed().set(otherHead).says("bob", 1, "/debate waive security fine"), "refused: a waiver is about the review of the newest commit, `222222222222`, and counts after it"},
		{"waive, too early", reviewed().says("bob", -90, "/debate waive security fine"), "refused: a waiver is about the review of the newest commit, `111111111111`, and counts after it"},
		{"waive, by a writer", reviewed().says("alice", 1, "/debate waive security fine"), "refused: alice needs maintain access. Ask someone who may give this command"},
		{"waive what the rules did not find", reviewed().says("bob", 1, "/debate waive money fine"), "refused: the rules found no `money` in this commit. They found `security`"},
		{"waive what needs no decision", reviewed().says("bob", 1, "/debate waive deploy fine"), "refused: the rules found no `deploy` in this commit. They found `security`"},
		{"waive, and there is nothing", reviewed().set(func(s *Snapshot) { s.checkpoint.Debate.Agenda.Triggers = nil }).says("bob", 1, "/debate waive security fine"), "refused: the rules found no `security` in this commit"},
		{"waive once more", reviewed().set(func(s *Snapshot) { s.checkpoint.Debate.Agenda.Triggers[0].Waived = "bob: fine" }).says("bob", 1, "/debate waive security fine"), "refused: `security` is waived for this commit already"},
		{"dismiss once more", reviewed().set(func(s *Snapshot) {
			s.checkpoint.Debate.Book.Claims = []debate.Claim{{ID: "F2", Reason: debate.ReasonHuman}}
		}).says("bob", 1, "/debate dismiss F2 wrong"), "refused: F2 is dismissed already"},
	}
	for _, row := range rows {
		if got := shownCommands(commandsOf(row.s.Snapshot)); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

func shownCommands(c commands) string {
	var text []string
	add := func(is bool, format string, args ...any) {
		if is {
			text = append(text, fmt.Sprintf(format, args...))
		}
	}
	for _, r := range c.refused {
		add(true, "refused: %s", r.refused)
	}
	add(c.paused, "paused")
	add(c.run != nil, "run")
	add(c.stop != nil, "stop")
	add(c.stopped != 0, "stopped")
	add(len(c.asked) > 0, "asked=%d", len(c.asked))
	add(len(c.obeyed) > 0, "obeyed=%d", len(c.obeyed))
	add(len(c.dismissed) > 0, "dismissed=%d", len(c.dismissed))
	for _, w := range c.waived {
		add(true, "waived=%d@%s", w.By[0], short(w.Head))
	}
	for _, o := range c.orders {
		add(true, "%s (%s: %s)", strings.TrimSpace(fmt.Sprintf("%s %s %s", o.Kind, o.Target, o.AtMost)), o.By.Login, o.Reason)
	}
	return strings.Join(text, " ")
}

// TestAnswers has a row for each way in which somebody answers a decision.
func TestAnswers(t *testing.T) {
	t.Parallel()
	byCode := func(s *Snapshot) { s.Issue.Events[0].ByCode = true }
	unlike := func(s *Snapshot) { s.checkpoint.Debate.Agenda.Decisions[0].Options[0].ID = "accept" }
	otherIssue := func(s *Snapshot) {
		issue := scene{s}.question(9, "f9")
		issue.Open, issue.Comments = false, []gh.Comment{{ID: 200, Author: gh.Account{Login: "bob"}, Body: "/debate decide D0 keep fine", CreatedAt: at(1)}}
		s.Issue = issue
		scene{s}.heard()
	}
	another := func(s *Snapshot) {
		s.checkpoint.Debate.Agenda.Decisions = append(s.checkpoint.Debate.Agenda.Decisions, debate.Decision{
			ID: "D1", Fingerprint: "f1", Outcome: debate.AwaitingHuman, Human: &debate.Human{Sink: debate.SinkSummary},
		})
	}
	rows := []struct {
		name string
		s    scene
		want string
	}{
		{"nobody", asking(), ""},
		{"a decision that nobody remembers", asking().closes("bob", 1).set(func(s *Snapshot) { s.checkpoint.Debate.Agenda.Decisions = nil }), ""},
		{"closed", asking().closes("bob", 1), "bob issue_completed "},
		{"closed as not planned", asking().happens(gh.IssueClosed, "bob", 1, gh.NotPlanned), "bob issue_not_planned "},
		{"closed as duplicate", asking().happens(gh.IssueClosed, "bob", 1, gh.Duplicate), "bob issue_duplicate "},
		{"closed by a commit", asking().closes("bob", 1).set(byCode), "a commit or a merge issue_completed "},
		{"closed by a commit, by us", asking().closes(bot.Login, 1).set(byCode), "a commit or a merge issue_completed "},
		{"closed by a commit, as not planned", asking().happens(gh.IssueClosed, "bob", 1, gh.NotPlanned).set(byCode), "a commit or a merge issue_completed "},
		{"closed by somebody unknown", asking().closes("dave", 1), ""},
		{"closed by ourselves", asking().closes(bot.Login, 1), bot.Login + " issue_completed void: no person gave it"},
		{"closed by ourselves, not sealed", asking().forgotten().closes(bot.Login, 1), ""},
		{"closed by ourselves after a command", asking().closes(bot.Login, 2).says("bob", 1, "/debate decide D0 keep fine"), "bob command keep"},
		{"closed before it was asked", asking().closes("bob", -70), "bob issue_completed void: the question changed just before this answer, or after it. Please read it and answer again"},
		{"closed and answered before", asking().closes("bob", 1).set(func(s *Snapshot) { s.checkpoint.Items[0].Answered = millis(at(2)) }), ""},
		{"closed in the moment that was answered", asking().closes("bob", 1).set(func(s *Snapshot) { s.checkpoint.Items[0].Answered = millis(at(1)) }), ""},
		{"closed after it was edited by ourselves", asking().edits(bot.Login, 3).closes("bob", 2), "bob issue_completed void: the question changed just before this answer, or after it. Please read it and answer again"},
		{"closed with another text", asking().edits("carol", 1).closes("bob", 2), "bob issue_completed void: the issue was edited by carol. The next review writes it again"},
		{"reopened while it waits", asking().happens(gh.IssueReopened, "bob", 1, ""), ""},
		{"reopened", decided().happens(gh.IssueReopened, "bob", 1, ""), "bob issue_reopened "},
		{"reopened and closed in another way", decided().happens(gh.IssueReopened, "bob", 1, "").happens(gh.IssueClosed, "bob", 2, gh.NotPlanned), "bob issue_reopened ; bob issue_not_planned "},
		{"reopened and closed twice", decided().happens(gh.IssueReopened, "bob", 1, "").closes("bob", 2).happens(gh.IssueReopened, "alice", 3, "").happens(gh.IssueClosed, "bob", 4, gh.NotPlanned), "alice issue_reopened ; bob issue_not_planned "},
		{"reopened, closed, and reopened by ourselves", decided().happens(gh.IssueReopened, "bob", 1, "").closes("carol", 2).happens(gh.IssueReopened, bot.Login, 3, ""), "bob issue_reopened "},
		{"reopened with another text", decided().edits("carol", 1).happens(gh.IssueReopened, "bob", 2, ""), "bob issue_reopened "},
		{"closed again", decided().closes("bob", 1), ""},
		{"reopened by ourselves", decided().happens(gh.IssueReopened, bot.Login, 1, ""), ""},
		{"commanded", asking().says("bob", 1, "/debate decide D0 keep fine"), "bob command keep"},
		{"commanded on the issue", asking().saysOn("bob", 1, "/debate decide D0 keep fine"), "bob command keep"},
		{"commanded without an id, on a decision that nobody remembers", asking().says("bob", 1, "/debate decide keep fine").set(func(s *Snapshot) { s.checkpoint.Debate.Agenda.Decisions = nil }), ""},
		{"commanded on its issue, on a decision that nobody remembers", asking().saysOn("bob", 1, "/debate decide keep fine").set(func(s *Snapshot) { s.checkpoint.Debate.Agenda.Decisions = nil }), ""},
		{"commanded on another decision", asking().says("bob", 1, "/debate decide D1 keep fine"), ""},
		{"commanded without an id", asking().says("bob", 1, "/debate decide keep fine"), "bob command keep"},
		{"commanded on the issue without an id", asking().saysOn("bob", 1, "/debate decide keep fine"), "bob command keep"},
		{"commanded without an id, of two", asking().set(another).says("bob", 1, "/debate decide keep fine"), ""},
		{"commanded without an id, and decided before", decided().says("bob", 1, "/debate decide revise no"), "bob command revise"},
		{"commanded without an id, decided before, and another one waits", decided().set(another).says("bob", 1, "/debate decide revise no"), ""},
		{"commanded without an id, of two, on its issue", asking().set(another).saysOn("bob", 1, "/debate decide keep fine"), "bob command keep"},
		{"approved what no click answers", asking().set(unlike).approves("bob", 1, gh.Approved), ""},
		{"commanded on an issue that asks something else", asking().set(otherIssue), ""},
		{"commanded without an issue", asking().says("bob", 1, "/debate decide D0 keep fine").set(func(s *Snapshot) { s.Issue = gh.Issue{} }), "bob command keep"},
		{"approved", asking().approves("bob", 1, gh.Approved), "bob review keep"},
		{"approved without a memory", asking().forgotten().approves("bob", 1, gh.Approved), "bob review keep"},
		{"approved, then not", asking().approves("bob", 1, gh.Approved).approves("bob", 2, gh.ChangesRequested), "bob review revise"},
		{"commented in a review", asking().approves("bob", 1, "COMMENTED"), ""},
		{"approved in the moment in which it was asked", asking().approves("bob", -60, gh.Approved), ""},
		{"approved before the issue was written anew", asking().edits(bot.Login, 3).approves("bob", 2, gh.Approved), ""},
		{"approved before it was asked again", asking().set(func(s *Snapshot) { s.checkpoint.Items[0].AskedAt = millis(at(3)) }).approves("bob", 2, gh.Approved), ""},
		{"approved, and answered before", asking().approves("bob", 1, gh.Approved).set(func(s *Snapshot) { s.checkpoint.Items[0].Answered = millis(at(2)) }), ""},
		{"approved what models settled", asking().set(func(s *Snapshot) { s.checkpoint.Debate.Agenda.Decisions[0].Outcome = debate.Settled }).approves("bob", 1, gh.Approved), ""},
		{"approved by two", asking().approves("bob", 1, gh.Approved).approves("alice", 2, gh.ChangesRequested), "bob review keep; alice review revise"},
		{"approved by two, the first one again", asking().approves("bob", 1, gh.Approved).approves("alice", 2, gh.Approved).approves("bob", 3, gh.ChangesRequested), "alice review keep; bob review revise"},
		{"approved before it was asked", asking().approves("bob", -90, gh.Approved), ""},
		{"two of them", asking().approves("bob", 2, gh.Approved).says("alice", 1, "/debate status").closes("bob", 1), "bob issue_completed ; bob review keep"},
	}
	for _, row := range rows {
		var got []string
		for _, a := range answersTo(row.s.Snapshot, commandsOf(row.s.Snapshot).asked) {
			text := fmt.Sprintf("%s %s %s", a.event.By.Login, a.event.Via, a.event.Option)
			if a.void != "" {
				text += "void: " + a.void
			}
			got = append(got, text)
		}
		if text := strings.Join(got, "; "); text != row.want {
			t.Errorf("%s: %q, want %q", row.name, text, row.want)
		}
	}
}

// TestDisputes has a row for each way in which a dispute asks models or does not.
func TestDisputes(t *testing.T) {
	t.Parallel()
	stranger := func(s *Snapshot) {
		s.Access["alice"] = access{Permission: debate.ReadAccess}
		s.checkpoint.Stranger = true
	}
	rows := []struct {
		name string
		s    scene
		want []string
	}{
		{"by number", reviewed().says("bob", 1, "/debate dispute F1 no"), []string{"F1"}},
		{"in its thread", reviewed().saysIn("aa-0", "bob", 1, "/debate dispute no"), []string{"F1"}},
		{"of nothing", reviewed().says("bob", 1, "/debate dispute no"), nil},
		{"of what is gone", reviewed().says("bob", 1, "/debate dispute F2 no"), nil},
		{"by a stranger", reviewed().set(stranger).says("alice", 1, "/debate dispute F1 no"), nil},
		{"by a stranger, ordered", reviewed().set(stranger).says("alice", 1, "/debate dispute F1 no").says("bob", 1, "/debate run"), []string{"F1"}},
		{"no dispute", reviewed().says("bob", 1, "/debate explain F1"), nil},
	}
	for _, row := range rows {
		var got []string
		for _, d := range disputesOf(row.s.Snapshot, &row.s.checkpoint, commandsOf(row.s.Snapshot)) {
			got = append(got, d.event.(debate.Disputed).Claim)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
	list := plan(asking().closes("bob", 1).says("bob", 1, "/debate dispute F1 no").Snapshot).happenings
	if len(list) != 2 || list[0].answer == nil || list[1].dispute == nil {
		t.Errorf("%+v", list)
	}
}
