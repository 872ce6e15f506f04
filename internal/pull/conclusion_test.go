package pull

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// kept is a debate that decided to merge.
func kept() debate.State {
	return debate.State{
		Ending: debate.Ending{Outcome: debate.Consensus, Disposition: debate.Keep}, Stage: debate.StageDone,
		Split:  debate.SplitDone{Coverage: []debate.Coverage{{ID: "H1", By: []string{"P1"}}}},
		Agenda: debate.Agenda{Decisions: []debate.Decision{{ID: "D0", Outcome: debate.Settled, Recommendation: string(debate.Keep), Options: []debate.Option{{ID: "keep"}}}}},
	}
}

// TestConclude has a row for each ruling. That of the debate itself has its own.
func TestConclude(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		c    circumstances
		want debate.Conclusion
		why  string
	}{
		{"kept", circumstances{basis: debated, says: debate.Success, why: "all read"}, debate.Success, "all read"},
		{"nothing", circumstances{basis: debated, says: debate.Neutral, why: "no debate"}, debate.Neutral, "no debate"},
		{"awaiting", circumstances{basis: debated, says: debate.ActionRequired, why: "a person decides", unseen: true, earlier: debate.Failure}, debate.ActionRequired, "a person decides"},
		{"unseen, nothing before", circumstances{basis: debated, says: debate.Neutral, why: "no debate", unseen: true, earlier: debate.Success}, debate.Neutral, "no debate"},
		{"unseen, failed before", circumstances{basis: debated, says: debate.Neutral, why: "no debate", unseen: true, earlier: debate.Failure}, debate.Failure, "the result of an earlier commit holds"},
		{"seen, failed before", circumstances{basis: debated, says: debate.Success, why: "all read", earlier: debate.Failure}, debate.Success, "all read"},
		{"asked", circumstances{basis: debated, says: debate.Neutral, why: "no debate", asked: true}, debate.ActionRequired, "an earlier commit waits for a decision"},
		{"a stranger's, critical", circumstances{basis: debated, says: debate.Neutral, why: "no debate", critical: "it drops a table"}, debate.ActionRequired, "it drops a table (a maintainer can"},
		{"withdrawn", circumstances{basis: debated, says: debate.Neutral, why: "no debate", withdrawn: true}, debate.ActionRequired, "the pull request was closed before a decision"},
		{"shared", circumstances{basis: debated, says: debate.Success, why: "all read", sharedWith: 8}, debate.Neutral, "pull request #8 has the same commit"},
		{"shared, required", circumstances{basis: debated, says: debate.Success, why: "all read", sharedWith: 8, required: true}, debate.Failure, "pull request #8 has the same commit"},
		{"shared, not good", circumstances{basis: debated, says: debate.Neutral, why: "no debate", sharedWith: 8}, debate.Neutral, "no debate"},
		{"merged while it waited", circumstances{basis: debated, says: debate.Success, why: "all read", merged: "bob merged it", earlier: debate.ActionRequired}, debate.ActionRequired, "bob merged it"},
		{"merged while it waited, nothing before", circumstances{basis: debated, says: debate.Success, why: "all read", merged: "bob merged it"}, debate.Success, "all read"},
		{"broken", circumstances{basis: broken}, debate.Neutral, ""},
		{"broken, required", circumstances{basis: broken, required: true}, debate.Failure, ""},
		{"broken, stopped before", circumstances{basis: broken, required: true, before: debate.ActionRequired}, debate.ActionRequired, ""},
		{"broken, good before", circumstances{basis: broken, before: debate.Success}, debate.Neutral, ""},
		{"silenced", circumstances{basis: silenced, earlier: debate.Success}, debate.ActionRequired, "This commit is not reviewed"},
		{"silenced, failed before", circumstances{basis: silenced, earlier: debate.Failure}, debate.Failure, "The result of the latest review"},
		{"paused", circumstances{basis: paused, earlier: debate.Success}, debate.Neutral, "Automatic reviews are paused"},
		{"paused, critical", circumstances{basis: paused, critical: "it drops a table"}, debate.ActionRequired, "Automatic reviews are paused"},
		{"paused, required", circumstances{basis: paused, required: true}, debate.ActionRequired, "Automatic reviews are paused"},
		{"paused, failed before", circumstances{basis: paused, required: true, earlier: debate.Failure}, debate.Failure, "Automatic reviews are paused"},
		{"remembered, failed, shared", circumstances{basis: remembered, earlier: debate.Failure, sharedWith: 8}, debate.Failure, "The check did not show"},
		{"remembered", circumstances{basis: remembered, earlier: debate.Success, required: true}, debate.Success, "The check did not show"},
		{"remembered, shared", circumstances{basis: remembered, earlier: debate.Success, sharedWith: 8}, debate.Neutral, "The check did not show"},
		{"remembered, the gate is shut since", circumstances{basis: remembered, earlier: debate.Neutral, required: true}, debate.Failure, "The review of this commit left something open"},
		{"remembered, neutral", circumstances{basis: remembered, earlier: debate.Neutral}, debate.Neutral, "The check did not show"},
		{"unsealed", circumstances{basis: unsealed, earlier: debate.Success}, debate.ActionRequired, "no signed summary has it"},
		{"unsealed, failed", circumstances{basis: unsealed, earlier: debate.Failure}, debate.Failure, "The summary comment has it"},
	}
	for _, row := range rows {
		got, why := conclude(row.c)
		if got != row.want || !strings.Contains(why, row.why) {
			t.Errorf("%s: %s, %q; want %s, %q", row.name, got, why, row.want, row.why)
		}
	}
}

// TestCircumstances has a row for each fact that a conclusion follows from.
func TestCircumstances(t *testing.T) {
	t.Parallel()
	skipped := debate.State{Ending: debate.Ending{Outcome: debate.Skipped}}
	strangers := debate.State{Received: debate.Received{Settings: debate.Settings{Stranger: true}}}
	withdrawn := debate.State{Agenda: debate.Agenda{Decisions: []debate.Decision{{Outcome: debate.Withdrawn}}}}
	pushed := func(s *Snapshot) { s.Pull.HeadSHA = head2 }
	critical := strangers
	critical.Ending.Outcome, critical.Agenda.Triggers = debate.DegradedLocal, []debate.Trigger{{Detail: "it drops a table"}}
	noIssue := func(s *Snapshot) { s.Issue = gh.Issue{} }
	show := func(c circumstances) string {
		var facts []string
		for _, fact := range []struct {
			is   bool
			says string
		}{
			{c.unseen, "unseen"}, {c.asked, "asked"}, {c.withdrawn, "withdrawn"}, {c.before != "", "before " + string(c.before)},
			{c.sharedWith != 0, fmt.Sprintf("shared with %d", c.sharedWith)}, {c.critical != "", c.critical}, {c.merged != "", c.merged},
		} {
			if fact.is {
				facts = append(facts, fact.says)
			}
		}
		return strings.Join(facts, ", ")
	}
	debates := []struct {
		name     string
		s        scene
		state    debate.State
		siblings []int
		want     string
	}{
		{"kept", reviewed(), kept(), nil, ""},
		{"kept, nothing is sealed", reviewed().forgotten(), kept(), nil, ""},
		{"kept, asked before", asking().set(pushed), kept(), nil, ""},
		{"shared", reviewed(), kept(), []int{8, 9}, "shared with 8"},
		{"skipped", reviewed().set(pushed), skipped, nil, "unseen"},
		{"skipped, asked before", asking().set(pushed), skipped, nil, "unseen, asked"},
		{"skipped, asked before, the issue is gone", asking().set(pushed).set(noIssue), skipped, nil, "unseen, asked"},
		{"skipped, asked before, not sealed", asking().forgotten().set(pushed), skipped, nil, "unseen, asked"},
		{"skipped, asked and closed before, not sealed", asking().forgotten().set(pushed).closes("bob", 1), skipped, nil, "unseen"},
		{"skipped, asked about this head", asking(), skipped, nil, "unseen"},
		{"skipped, closed", asking().set(pushed).set(ended(gh.Closed)), skipped, nil, ""},
		{"a stranger's, sealed", reviewed(), strangers, nil, ""},
		{"a stranger's, asked before", asking().set(pushed), strangers, nil, "asked"},
		{"a stranger's", reviewed().forgotten(), strangers, nil, "unseen"},
		{"a stranger's, critical", reviewed(), critical, nil, "it drops a table"},
		{"withdrawn", reviewed().set(ended(gh.Closed)), withdrawn, nil, "withdrawn"},
		{"merged", reviewed().set(ended(gh.Merged)), withdrawn, nil, "bob merged the pull request before a person decided"},
		{"merged by nobody knows whom", reviewed().set(func(s *Snapshot) { s.Pull.State = gh.Merged }), withdrawn, nil, "someone merged the pull request before a person decided"},
	}
	for _, row := range debates {
		c := row.s.circumstancesOf(row.state, row.s.Issue, row.siblings)
		if says := row.state.Conclusion().Check; show(c) != row.want || c.says != says {
			t.Errorf("%s: %s, %q, want %q", row.name, c.says, show(c), row.want)
		}
	}
	breaks := []struct {
		name  string
		s     scene
		stood gh.CheckRun
		want  debate.Conclusion
	}{
		{"nothing stood", unreviewed(), gh.CheckRun{}, ""},
		{"a check stood", asking(), gh.CheckRun{Done: true, Conclusion: "success"}, debate.Success},
		{"a review is remembered", reviewed(), gh.CheckRun{}, debate.Success},
		{"a review of an earlier head is remembered", reviewed().set(pushed), gh.CheckRun{}, ""},
		{"a question waits", asking().set(pushed), gh.CheckRun{}, debate.ActionRequired},
		{"a question waits, and it failed", asking().set(func(s *Snapshot) { s.checkpoint.Conclusion = debate.Failure }), gh.CheckRun{}, debate.Failure},
	}
	for _, row := range breaks {
		if got := row.s.circumstancesOfNone(row.stood, row.s.Issue).before; got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// TestIdleCheck has a row for each way in which the check of a head is set right, or
// left alone, that nothing is done about.
func TestIdleCheck(t *testing.T) {
	t.Parallel()
	pushed := func(s *Snapshot) { s.Pull.HeadSHA = head2 }
	concluded := func(c debate.Conclusion) func(*Snapshot) { return func(s *Snapshot) { s.checkpoint.Conclusion = c } }
	siblings := func(s *Snapshot) { s.Pull.Siblings = []int{8} }
	paused := func() scene {
		return reviewed().set(pushed).says("bob", 1, "/debate pause").checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "x"))
	}
	unchecked := func(s *Snapshot) { s.Checks.Own = gh.CheckRun{} }
	noKey := func() scene { return reviewed().forgotten() }
	rows := []struct {
		name string
		s    scene
		want string
	}{
		{"remembered", reviewed(), ""},
		{"closed", paused().set(ended(gh.Closed)), ""},
		{"not to be read", paused().set(func(s *Snapshot) { s.Checks.Denied = errDenied.Error() }), ""},
		{"paused", paused(), "action_required not reviewed"},
		{"stopped", reviewed().set(pushed).says("bob", 1, "/debate stop").checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "x")), "action_required not reviewed"},
		{"paused, no check", reviewed().set(pushed).says("bob", 1, "/debate pause").set(unchecked), "neutral paused; /debate resume"},
		{"paused, no check, required", reviewed().set(pushed).says("bob", 1, "/debate pause").set(unchecked).set(required), "action_required paused; /debate resume"},
		{"paused, no check, after a failure", reviewed().set(pushed).says("bob", 1, "/debate pause").set(unchecked).set(concluded(debate.Failure)), "failure paused; /debate resume"},
		{"paused, after a failure", paused().set(concluded(debate.Failure)), "failure not reviewed"},
		{"paused, its check says so", paused().set(func(s *Snapshot) { s.Checks.Own.Title = titlePaused }), "neutral paused; /debate resume"},
		{"paused, and reviewed", reviewed().says("bob", 1, "/debate pause").checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "x")), ""},
		{"stopped, and its check is about another base branch", reviewed().set(pushed).says("bob", 1, "/debate stop").set(concluded(debate.ActionRequired)).checked("action_required", checkID(gh.Pull{Number: 7, BaseRef: "old"}, "x")), "action_required not reviewed"},
		{"stopped, no check", reviewed().set(pushed).says("bob", 1, "/debate stop").set(unchecked), ""},
		{"paused, in progress", paused().checked("", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "x")), ""},
		{"paused, in progress because this run looks again", paused().checked("", "pr-7/x~b").set(func(s *Snapshot) { s.trigger.left = "x" }), "action_required not reviewed"},
		{"stopped, in progress because this run looks again", reviewed().set(pushed).says("bob", 1, "/debate stop").checked("", "pr-7/x~b").set(func(s *Snapshot) { s.trigger.left = "x" }), "action_required not reviewed"},
		{"paused, and stopped by the check", paused().checked("failure", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "x")), ""},
		{"paused, reviewed before", paused().checked("success", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "x")), ""},
		{"paused, reviewed before, after a failure", paused().checked("success", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "x")).set(concluded(debate.Failure)), "failure not reviewed"},
		{"paused, a draft", paused().set(func(s *Snapshot) { s.Pull.Draft = true }), ""},
		{"paused, said", paused().cause(Said), "action_required not reviewed"},
		{"paused, swept", paused().cause(Swept), "action_required not reviewed"},
		{"not paused", reviewed().set(pushed).checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "x")), ""},
		{"a stub", reviewed().stub(), ""},
		{"a stub, astray", reviewed().stub().checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "one")), "success as reviewed of its review"},
		{"a stub, of another session", reviewed().stub().checked("success", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "two")), "success as reviewed of its review"},
		{"a stub, under way", reviewed().stub().checked("", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "two")), ""},
		{"a stub, the check was not written", reviewed().stub().checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "one")).set(func(s *Snapshot) { s.checkpoint.Unchecked = true }), ""},
		{"a stub that says nothing", reviewed().stub().set(concluded("")).checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "one")), ""},
		{"a stub, the gate is shut since", reviewed().stub().set(concluded(debate.Neutral)).set(required).checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "one")), "failure not passed of its review"},
		{"a stub, shared, a stricter one stands", reviewed().stub().set(siblings).checked("failure", "pr-8/x"), ""},
		{"a stub, shared, a lenient one stands", reviewed().stub().set(siblings).checked("success", "pr-8/x"), "neutral as reviewed of its review"},
		{"not sealed", noKey(), ""},
		{"not sealed, a stricter one stands", noKey().checked("failure", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "one")), ""},
		{"not sealed, astray", noKey().checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "two")), "action_required not known of its review"},
		{"not sealed, and says nothing", noKey().set(concluded("")).checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "two")), "action_required not known of its review"},
		{"not sealed, failed, a lenient one stands", noKey().set(concluded(debate.Failure)).checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "one")), "failure as reviewed of its review"},
		{"not sealed, failed, astray", noKey().set(concluded(debate.Failure)).checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "two")), "failure as reviewed of its review"},
	}
	for _, row := range rows {
		got := ""
		if check := idleCheck(row.s.Snapshot, commandsOf(row.s.Snapshot)); check != nil {
			restored := map[bool]string{true: " of its review"}[check.ExternalID == checkID(row.s.Pull, "one")]
			got = fmt.Sprintf("%s %s%s", check.Conclusion, check.Title, restored)
			if check.Summary == "" {
				t.Errorf("%s: %+v", row.name, check)
			}
		}
		if got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// TestUnasked has a row for each reason why a person was asked about what policy found, or
// why nothing stands in the way of a merge for it.
func TestUnasked(t *testing.T) {
	t.Parallel()
	strangers := func(change func(*debate.State), found ...debate.Trigger) debate.State {
		state := debate.State{
			Received: debate.Received{Settings: debate.Settings{Stranger: true}}, Ending: debate.Ending{Outcome: debate.DegradedLocal},
			Agenda: debate.Agenda{Triggers: found},
		}
		change(&state)
		return state
	}
	as := func(*debate.State) {}
	asked := func(human *debate.Human) func(*debate.State) {
		return func(s *debate.State) { s.Agenda.Decisions = []debate.Decision{{ID: "D0", Human: human}} }
	}
	known := func(s *debate.State) { s.Received.Settings.Stranger = false }
	reviewed := func(s *debate.State) { s.Ending.Outcome = debate.Consensus }
	drops := debate.Trigger{Class: debate.ClassContent, Detail: "it drops a table"}
	path := debate.Trigger{Class: debate.ClassPath, Detail: "it is about a sensitive path"}
	waived := debate.Trigger{Waived: "bob", Detail: "it opens a port"}
	rows := []struct {
		name  string
		state debate.State
		want  string
	}{
		{"nothing was found", strangers(as), ""},
		{"something critical", strangers(as, drops), "it drops a table"},
		{"the first that is critical", strangers(as, path, waived, drops), "it drops a table"},
		{"only what is waived, or about a path", strangers(as, path, waived), ""},
		{"something long", strangers(as, debate.Trigger{Detail: strings.Repeat("word ", 50)}), comment.Clip(strings.Repeat("word ", 50), 120)},
		{"a person is asked", strangers(asked(&debate.Human{}), drops), ""},
		{"a decision of models", strangers(asked(nil), drops), "it drops a table"},
		{"of somebody who may write", strangers(known, drops), ""},
		{"models reviewed it", strangers(reviewed, drops), ""},
	}
	for _, row := range rows {
		if got := unasked(row.state); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// TestPausedCheck: what the critic finds in a head that was pushed during a pause stands
// first, and holds a merge up.
func TestPausedCheck(t *testing.T) {
	t.Parallel()
	why := "Automatic reviews are paused, and this commit is not reviewed. Someone with write access can comment /debate resume."
	rows := []struct {
		name, critical string
		s              scene
		want           gh.Check
	}{
		{"nothing", "", unreviewed(), gh.Check{Conclusion: debate.Neutral, Title: titlePaused, Summary: comment.MarkdownLine(why)}},
		{"nothing, required", "", unreviewed().set(required), gh.Check{Conclusion: debate.ActionRequired, Title: titlePaused, Summary: comment.MarkdownLine(why)}},
		{"something", "it drops a table", unreviewed(), gh.Check{
			Conclusion: debate.ActionRequired, Title: "it drops a table; " + titlePaused, Summary: comment.MarkdownLine("it drops a table. " + why),
		}},
	}
	for _, row := range rows {
		got := pausedCheck(row.s.Snapshot, row.critical)
		if got.Conclusion != row.want.Conclusion || got.Title != row.want.Title || got.Summary != row.want.Summary {
			t.Errorf("%s: %+v, want %+v", row.name, got, row.want)
		}
	}
}

// TestElsewhere has a row for each thing that a check was concluded for.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name     string
		external string
		done     bool
		siblings []int
		want     string
	}{
		{"this change", "pr-7/x~" + baseMark(gh.Pull{BaseRef: "main"}), true, nil, ""},
		{"another base branch", "pr-7/x~" + baseMark(gh.Pull{BaseRef: "next"}), true, nil, "the review for another base branch"},
		{"another base branch, in progress", "pr-7/x~" + baseMark(gh.Pull{BaseRef: "next"}), false, nil, ""},
		{"no base branch", "pr-7/x", true, nil, ""},
		{"another pull request that is open", "pr-9/x~" + baseMark(gh.Pull{BaseRef: "main"}), true, []int{8, 9}, "pull request #9"},
		{"another pull request that is not", "pr-9/x~" + baseMark(gh.Pull{BaseRef: "next"}), true, []int{8}, ""},
		{"this change, beside another pull request", "pr-7/x~" + baseMark(gh.Pull{BaseRef: "main"}), true, []int{8}, ""},
	}
	for _, row := range rows {
		run := gh.CheckRun{Done: row.done, ExternalID: row.external}
		if got := elsewhere(run, gh.Pull{Number: 7, BaseRef: "main"}, row.siblings); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// TestAstray has a row for each way in which a check does not say what the summary says.
func TestAstray(t *testing.T) {
	t.Parallel()
	siblings := func(s *Snapshot) { s.Pull.Siblings = []int{8} }
	neutral := func(s *Snapshot) { s.checkpoint.Conclusion = debate.Neutral }
	rows := []struct {
		name string
		s    scene
		want bool
	}{
		{"as it is", reviewed(), false},
		{"none", reviewed().set(func(s *Snapshot) { s.Checks.Own = gh.CheckRun{} }), true},
		{"another session", reviewed().checked("success", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "two")), true},
		{"under way", reviewed().checked("", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "two")), false},
		{"not to be read", reviewed().checked("failure", "").set(func(s *Snapshot) { s.Checks.Denied = errDenied.Error() }), false},
		{"not written", reviewed().checked("failure", "").set(func(s *Snapshot) { s.checkpoint.Unchecked = true }), false},
		{"closed", reviewed().checked("failure", "").set(ended(gh.Closed)), false},
		{"the gate is shut since, and the check says so", reviewed().set(neutral).set(required).checked("failure", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "one")), false},
		{"the gate is shut since", reviewed().set(neutral).set(required).checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "one")), true},
		{"shared, another's", reviewed().set(siblings).checked("neutral", "pr-8/x"), false},
		{"for another base", reviewed().checked("failure", checkID(gh.Pull{Number: 7, BaseRef: "next"}, "x")), false},
		{"for another base, as strict", reviewed().checked("success", checkID(gh.Pull{Number: 7, BaseRef: "next"}, "x")), true},
		{"for another base, better", reviewed().set(func(s *Snapshot) { s.checkpoint.Conclusion = debate.Failure }).checked("neutral", checkID(gh.Pull{Number: 7, BaseRef: "next"}, "x")), true},
		{"shared, another's is better", reviewed().set(siblings).checked("success", "pr-8/x"), true},
	}
	for _, row := range rows {
		if got := restoredCheck(row.s.Snapshot) != nil; got != row.want {
			t.Errorf("%s: %t", row.name, got)
		}
	}
}

// TestLapsed has a row for each reason why an earlier decision cannot hold.
func TestLapsed(t *testing.T) {
	t.Parallel()
	reopened := func(login string, minutes int) scene { return decided().happens(gh.IssueReopened, login, minutes, "") }
	rows := []struct {
		name string
		s    scene
		by   string
		want string
	}{
		{"it holds", decided(), "bob", ""},
		{"no issue", reviewed(), "bob", ""},
		{"another base", decided().set(func(s *Snapshot) { s.Pull.BaseRef = "next" }), "bob", "it was about a change of main"},
		{"nobody who may", decided(), "carol", "carol needs write access"},
		{"a bot", decided(), "x[bot]", "x[bot] is a bot"},
		{"revoked", reopened("bob", 1), "bob", "bob revoked it"},
		{"revoked before", reopened("bob", -40), "bob", ""},
		{"revoked in the moment of the decision", reopened("bob", -30), "bob", ""},
		{"closed since", decided().closes("bob", 1), "bob", ""},
		{"revoked by a reader", reopened("carol", 1), "bob", ""},
	}
	for _, row := range rows {
		if got := row.s.lapsed(debate.PriorDecision{Fingerprint: "f0", PersonAnswer: debate.PersonAnswer{By: row.by, At: millis(at(-30))}}); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// TestDecidedSince has a row for each answer that a later head may carry on.
func TestDecidedSince(t *testing.T) {
	t.Parallel()
	bobs := debate.PriorDecision{Fingerprint: "f0", LinkedHash: "l0", PersonAnswer: debate.PersonAnswer{Option: "keep", By: "bob", At: millis(at(1)), Head: head1}}
	as := func(change func(d *debate.PriorDecision)) *debate.PriorDecision {
		d := bobs
		change(&d)
		return &d
	}
	quoting := func(s *Snapshot) {
		s.checkpoint.Debate.Book.Claims = []debate.Claim{{ID: "F1", Severity: debate.P2, Category: "security"}, {ID: "F2"}}
		s.checkpoint.Debate.Agenda.Decisions[0].Human.Quoted = []string{"F1"}
	}
	earlier := func(s *Snapshot) { s.Pull.Reviews[0].HeadSHA = head0 }
	authorMay := func(s *Snapshot) { s.config.Escalation.AuthorMayDecide = new(true) }
	settled := func(s *Snapshot) { s.checkpoint.Debate.Agenda.Decisions[0].Outcome = debate.Settled }
	rows := []struct {
		name string
		s    scene
		want *debate.PriorDecision
	}{
		{"decided", asking().closes("bob", 1), &bobs},
		{"no", asking().happens(gh.IssueClosed, "bob", 1, gh.NotPlanned), as(func(d *debate.PriorDecision) { d.Option = "reject" })},
		{"by a command", asking().set(quoting).says("bob", 1, "/debate decide D0 keep fine"), as(func(d *debate.PriorDecision) {
			d.Reason, d.Accepted = "fine", []debate.Acceptance{{Key: debate.Key(debate.Claim{}), Category: "security", AtMost: debate.P2}}
		})},
		{"by a review of an earlier head", asking().approves("bob", 1, gh.Approved).set(earlier), nil},
		{"by the author, who may", asking().set(authorMay).closes("alice", 1), as(func(d *debate.PriorDecision) { d.By, d.Self = "alice", true })},
		{"by the author, who may not", asking().closes("alice", 1), nil},
		{"by a reader", asking().closes("carol", 1), nil},
		{"void", asking().closes("bob", -70), nil},
		{"no option", asking().happens(gh.IssueClosed, "bob", 1, gh.Duplicate), nil},
		{"not for people any more", asking().set(settled).says("bob", 1, "/debate decide D0 keep fine"), nil},
		{"revoked", decided().happens(gh.IssueReopened, "bob", 1, ""), nil},
	}
	for _, row := range rows {
		row.s.checkpoint.Debate.Agenda.Decisions[0].LinkedHash = "l0"
		got := row.s.decidedSince(answersTo(row.s.Snapshot, commandsOf(row.s.Snapshot).asked))
		switch {
		case row.want == nil && len(got) > 0:
			t.Errorf("%s: %+v, want none", row.name, got)
		case row.want != nil && (len(got) != 1 || !reflect.DeepEqual(got[0], *row.want)):
			t.Errorf("%s: %+v, want %+v", row.name, got, *row.want)
		}
	}
}
