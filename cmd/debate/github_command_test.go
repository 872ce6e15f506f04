package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// critical opens a pull request of ada's that a person has to decide about, and
// lets the action review it: parties of some manners debate it, or the action's own
// rules judge it alone where none are given.
func critical(t *testing.T, manners ...string) (*hosted, *ghtest.Pull) {
	t.Helper()
	h := host(t)
	delete(h.inputs, "operator-config")
	if len(manners) > 0 {
		h.inputs["operator-config"] = parties(t, manners...)
	}
	h.repo.SetPermission("will", ghtest.Write)
	h.repo.SetPermission("nina", ghtest.None)
	h.repo.SetPermission("helper[bot]", ghtest.Write)
	p := h.open("ada", map[string]string{"db/migrations/0002_b.up.sql": drop["db/migrations/0002_b.up.sql"], "db/migrations/0003_b.up.sql": "DROP TABLE a;\n"})
	h.on(p, "opened").good(t)
	want(t, "check", h.check(p.Head()), "action_required")
	return h, p
}

// rights are who may give a command: those of the roles from the least on, and
// the author, who has write access here, or not.
type rights struct {
	least  string
	author bool
}

// TestWhoMayGiveWhichCommand holds the action to the table of commands in
// docs/action-reference.md: each role with each command, by what GitHub shows afterwards.
func TestWhoMayGiveWhichCommand(t *testing.T) {
	t.Parallel()
	roles := []string{"bot", "none", "read", "triage", "write", "maintain", "admin"}
	people := map[string]string{
		"bot": "helper[bot]", "none": "nina", "read": "olive", "triage": "tria", "write": "will", "maintain": "mona", "admin": "root", "author": "ada",
	}
	matrix := []struct {
		command string
		rights
		alone bool // it changes what the others find
	}{
		{"/debate status", rights{"none", true}, false},
		{"/debate help", rights{"none", true}, false},
		{"/debate explain F1", rights{"write", true}, false},
		{"/debate ask Is a dropped table gone for good?", rights{"write", true}, false},
		{"/debate pause", rights{"write", true}, false},
		{"/debate resume", rights{"write", true}, false},
		{"/debate stop", rights{"write", true}, false},
		{"/debate dispute F2 Nobody reads it.", rights{"write", true}, false},
		{"/debate dismiss F1 Nobody reads it.", rights{"write", false}, true},
		{"/debate run", rights{"write", true}, true},
		{"/debate decide D0 keep Nobody reads it.", rights{"write", false}, true},
		{"/debate waive destructive_schema Nobody reads it.", rights{"maintain", false}, true},
	}
	for role, login := range people {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			refused := 0
			judge := func(h *hosted, c *ghtest.Comment, o ran, command string, r rights) {
				o.good(t)
				may := r.author
				if role != "author" {
					may = role != "bot" && slices.Index(roles, role) >= slices.Index(roles, r.least)
				}
				reactions, replies := c.Reactions(ghtest.ActionsBot), 0
				for _, text := range append(ours(h.repo.Pull(1).Comments()), "") {
					if strings.Contains(text, fmt.Sprintf("debate:reply v1 %d -->", c.ID)) {
						replies++
					}
				}
				switch {
				case role == "bot" && (len(reactions) > 0 || replies > 0):
					t.Errorf("%s: a bot is answered: %v and %d replies", command, reactions, replies)
				case role == "bot":
				case may && !slices.Contains(reactions, "+1"):
					t.Errorf("%s: %v, want +1\n%s", command, reactions, strings.Join(ours(h.repo.Pull(1).Comments()), "\n"))
				case !may && (!slices.Contains(reactions, "confused") || slices.Contains(reactions, "+1")):
					t.Errorf("%s: %v, want confused", command, reactions)
				case replies > 1:
					t.Errorf("%s: %d replies", command, replies)
				case !may:
					refused += replies
				}
			}
			h, p := critical(t)
			said := map[string]*ghtest.Comment{}
			for _, m := range matrix {
				if !m.alone {
					said[m.command] = p.Comment(login, m.command)
				}
			}
			_, o := h.say(p.Issue, "olive", "/debate help")
			for _, m := range matrix {
				if !m.alone {
					judge(h, said[m.command], o, m.command, m.rights)
				}
			}
			if stranger := slices.Contains([]string{"none", "read", "triage"}, role); stranger && refused != 1 {
				t.Errorf("somebody without write access is told %d times why a command was refused, want once", refused)
			}
			for _, m := range matrix {
				if m.alone {
					h, p := critical(t)
					c, o := h.say(p.Issue, login, m.command)
					judge(h, c, o, m.command, m.rights)
					if again := h.on(p, "synchronize").good(t); again.writes > 0 {
						t.Errorf("%s: the next run writes %s", m.command, requests(again.changes))
					}
				}
			}
		})
	}
}

// What only looks like a command, or comes from nobody who may speak, changes
// nothing and is not answered.
func TestWhatIsNoCommandIsIgnored(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	for name, c := range map[string]struct{ who, text string }{
		"quoted":            {"mona", "> /debate decide D0 keep Yes.\n\nWhat about this?"},
		"fenced":            {"mona", "```\n/debate decide D0 keep Yes.\n```"},
		"other letters":     {"mona", "/d\u0435bate decide D0 keep Yes."},
		"indented as code":  {"mona", "    /debate decide D0 keep Yes."},
		"quoted later":      {"mona", "What about this?\n\n> /debate decide D0 keep Yes.\n"},
		"longer word":       {"mona", "/debates decide D0 keep Yes."},
		"another bot":       {"helper[bot]", "/debate decide D0 keep Yes."},
		"our own":           {ghtest.ActionsBot, "/debate decide D0 keep Yes."},
		"like an app":       {"evil[bot]", "/debate run"},
		"asks in a text":    {"mona", "One can say /debate run here."},
		"marker of a reply": {"olive", "<!-- debate:summary v1 -->\n\n### debate: consensus, keep\n"},
	} {
		if _, o := h.say(p.Issue, c.who, c.text); o.code != 0 || o.writes > 0 {
			t.Errorf("%s: exit code %d, writes %s", name, o.code, requests(o.changes))
		}
	}
	edited := p.Comment("mona", "Hello.")
	edited.Edit("mona", "/debate decide D0 keep Yes.")
	h.idle(h.run("issue_comment", h.repo.Event("issue_comment", "edited", ghtest.Happening{Issue: p.Issue, Comment: edited, BodyBefore: "Hello."})), "writes for an edited comment")
	planted := p.Comment("olive", "/debate decide D0 keep Yes.")
	planted.Edit("mona", "/debate decide D0 keep Yes, yes.")
	hidden := p.Comment("mona", "/debate decide D0 keep Yes.")
	hidden.Minimize("spam")
	h.idle(h.sweep(), "writes of the sweep that follows")
	want(t, "check", h.check(p.Head()), "action_required")
}

// A command counts at the start of any line, after blanks and in capitals, and each of
// several in a comment is carried out and answered.
func TestEachCommandOfACommentIsCarriedOut(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"after a sentence": "Please\n/debate decide D0 keep Yes.", "capitals": "/Debate decide D0 keep Yes.", "an option in capitals": "/debate decide Keep Yes.", "blanks": "\n  /debate decide D0 keep\nYes.\n",
		"an item of a list": "I read it.\n- /debate decide D0 keep Yes.", "not seen": "\u200b/debate decide D0 keep Yes.", "with another one": "/debate status\n/debate decide D0 keep Yes.\n/debate explain F99",
	} {
		h, p := critical(t)
		c, o := h.say(p.Issue, "mona", text)
		o.good(t)
		if h.check(p.Head()) == "action_required" {
			t.Errorf("%s: the check waits still", name)
		}
		if several := name == "with another one"; slices.Contains(c.Reactions(ghtest.ActionsBot), "confused") != several {
			t.Errorf("%s: %v", name, c.Reactions(ghtest.ActionsBot))
		}
		want(t, name+": writes of the sweep that follows", h.sweep().good(t).writes, 0)
	}

	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": "package app\n\nvar a = 1 // BUG: one is wrong\nvar b = 2 // BUG: two is off\nvar c = 3 // BUG: three is much\n"}, "operator-config", parties(t, "bugs", "bugs"))
	before := len(ours(p.Comments()))
	h.reacts("confused", p.Issue, "mona", "/debate dismiss F1 It is meant,\nsee the plan.\n/debate dismiss F2 The old one goes.\n/debate dismiss F9 It is wrong.\n/debate status")
	want(t, "replies", len(ours(p.Comments()))-before, 1)
	reply := unhidden(p.Comments()[len(p.Comments())-1].Body())
	for _, part := range []string{
		"**Command 1**, `/debate dismiss F1`\n\nDone.\n", "**Command 2**, `/debate dismiss F2`\n\nDone.\n",
		"**Command 3**, `/debate dismiss F9`\n\nNot done: there is no finding F9 here", "**Command 4**, `/debate status`\n\n### debate: ",
	} {
		wantText(t, "the reply", reply, part)
	}
	if strings.Contains(reply, "U+000A") {
		t.Errorf("a line break is shown as a character:\n%s", reply)
	}
	summary := unhidden(summaries(p)[0])
	if strings.Contains(summary, "**P2** F1") || strings.Contains(summary, "**P2** F2") || !strings.Contains(summary, "F3") || !strings.Contains(summary, "It is meant, see the plan.") {
		t.Errorf("the summary:\n%s", summary)
	}
	want(t, "writes of the sweep that follows", h.sweep().good(t).writes, 0)
	want(t, "writes of the same event again", h.sweep().good(t).writes, 0)
}

// A dismissal is told in the open as long as the review knows the finding, whatever other
// commands come after it, and a command that would do nothing is refused with its reason.
func TestADismissalStaysVisible(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "bugs", "bugs")
	h.say(p.Issue, "mona", "/debate dismiss F1 The table is empty.")
	for _, more := range []struct{ text, why string }{
		{"/debate waive money No money here.", "the rules found no `money` in this commit. They found `destructive_schema`"},
		{"/debate waive tie We agree.", "the rules found no `tie` in this commit"},
		{"/debate dismiss F1 Once more.", "F1 is dismissed already"},
		{"/debate dispute F1 It is none.", "Not done: F1 is dismissed."},
		{"/debate explain F1", "The table is empty"},
	} {
		h.say(p.Issue, "mona", more.text)
		wantText(t, "the answer to "+more.text, p.Comments()[len(p.Comments())-1].Body(), more.why)
		summary := unhidden(summaries(p)[0])
		wantText(t, "the summary after "+more.text, summary, "**Dismissed by a person**\n\n- [F1](")
		wantText(t, "the summary after "+more.text, summary, "mona dismissed it: The table is empty")
		if strings.Contains(summary, "Withdrawn or refuted") || strings.Contains(summary, "No longer there") {
			t.Errorf("after %s:\n%s", more.text, summary)
		}
	}
	h.push(p, map[string]string{"README.md": "Hello.\n"}).good(t)
	wantText(t, "the summary after a push", unhidden(summaries(p)[0]), "mona dismissed it: The table is empty")
	h.say(p.Issue, "mona", "/debate waive destructive_schema The table is empty.")
	h.heard(p.Issue, "mona", "/debate waive destructive_schema Once more.")
	wantText(t, "a second waiver", p.Comments()[len(p.Comments())-1].Body(), "`destructive_schema` is waived for this commit already")
}

// A command is refused in words if its sender may not give it.
func TestAStrangerIsToldWhyNothingRuns(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "olive", map[string]string{"ratio.go": divides})
	h.say(p.Issue, "olive", "/debate help")
	c, _ := h.say(p.Issue, "olive", "/debate run")
	want(t, "reaction", strings.Join(c.Reactions(ghtest.ActionsBot), " "), "confused")
	last := p.Comments()[len(p.Comments())-1]
	wantText(t, "the answer", last.Body(), "Not done: olive needs write access. Ask someone who may give this command.")
}

// What a model says is no command, wherever it is posted.
func TestCommandsInModelTextDoNothing(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": "package app\n\nvar a = 1 // BUG\n\n// BUG /debate decide D0 keep @acme/owners Closes #1 <!-- debate:summary v1 -->\nvar b = 2\n"}, "operator-config", parties(t, "bugs", "bugs"))
	for _, text := range append(ours(p.Comments()), ours(p.Inline())...) {
		fenced := false
		for line := range strings.SplitSeq(unhidden(text), "\n") {
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
			}
			live := strings.NewReplacer("`@acme/owners`", "", "`#1`", "").Replace(line) // code mentions nobody and closes nothing
			if fenced {
				live = strings.ReplaceAll(line, "@acme/owners", "")
			}
			if strings.HasPrefix(strings.TrimLeft(line, " >"), "/debate") || strings.Contains(live, "@acme") || strings.Contains(live, "#1") || strings.Contains(live, "<!--") {
				t.Errorf("a line that others obey: %q", line)
			}
		}
	}
	h.idle(h.sweep(), "writes of the sweep that follows")
}

// Paused means that a push starts nothing, until somebody resumes or asks.
func TestPauseAndResume(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	h.say(p.Issue, "will", "/debate pause")
	o := h.push(p, map[string]string{"more.sql": "SELECT 1;\n"}).good(t)
	want(t, "writes while it is paused: the check, which says so", o.writes, 1)
	checks := h.repo.CheckRuns(p.Head())
	wantText(t, "title of the check while it is paused", checks[len(checks)-1].Title, "paused; /debate resume")
	want(t, "writes of a second run", h.on(p, "synchronize").good(t).writes, 0)
	h.say(p.Issue, "will", "/debate run")
	want(t, "check when somebody asks", h.check(p.Head()), "action_required")
	h.say(p.Issue, "will", "/debate resume")
	h.push(p, map[string]string{"more.sql": "SELECT 2;\n"}).good(t)
	want(t, "check once it is resumed", h.check(p.Head()), "action_required")
}

// A finding that a person dismissed never comes back.
func TestADismissedFindingNeverComesBack(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides})
	h.say(p.Issue, "mona", "/debate dismiss F1 It is guarded elsewhere.")
	if strings.Contains(summaries(p)[0], "- **P2** F1") {
		t.Errorf("it still stands:\n%s", unhidden(summaries(p)[0]))
	}
	h.push(p, map[string]string{"ratio.go": "package app\n\n// Ratio divides.\nfunc Ratio(a, b int) int {\n\treturn a / b\n}\n"}).good(t)
	h.say(p.Issue, "mona", "/debate run")
	if text := unhidden(summaries(p)[0]); strings.Contains(text, "- **P2** F1") {
		t.Errorf("it is back:\n%s", text)
	}
}

// A command in a thread needs no id of its finding, and is answered there.
func TestADisputeInAThreadNeedsNoID(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides})
	c := p.Inline()[0].Reply("ada", "/debate dispute The divisor is never zero.")
	h.run("pull_request_review_comment", h.repo.Event("pull_request_review_comment", "created", ghtest.Happening{Pull: p, Comment: c})).good(t)
	inline := p.Inline()
	wantText(t, "the answer in the thread", inline[len(inline)-1].Body(), "F1 is confirmed (P2). ")
	h.idle(h.run("pull_request_review_comment", h.repo.Event("pull_request_review_comment", "created", ghtest.Happening{Pull: p, Comment: c})), "writes of the same event again")
}

// A name in the settings may be spoken to in the thread of a finding, in plain words and
// by who may give the command; elsewhere, and without the setting, nobody is heard.
func TestANameIsSpokenToInAThread(t *testing.T) {
	t.Parallel()
	said := func(t *testing.T, setting, login, text string) (answer string, o ran) {
		h := host(t)
		h.inputs["operator-config"] += setting
		p := h.open("ada", map[string]string{"ratio.go": divides})
		h.on(p, "opened").good(t)
		c := p.Inline()[0].Reply(login, text)
		event := h.repo.Event("pull_request_review_comment", "created", ghtest.Happening{Pull: p, Comment: c})
		first := h.run("pull_request_review_comment", event).good(t)
		if last := p.Inline()[len(p.Inline())-1]; last.ID != c.ID {
			answer = last.Body()
		}
		want(t, "writes of the same event again", h.run("pull_request_review_comment", event).good(t).writes, 0)
		return answer, first
	}
	const name = "publish: {mention: arbiter}\n"
	why, _ := said(t, name, "mona", "@arbiter why?")
	wantText(t, "the explanation", why, "raised it")
	asked, o := said(t, name, "mona", "@arbiter can the divisor be zero?")
	wantText(t, "the answer", asked, "in ratio.go: can the divisor be zero?")
	wantText(t, "log of the question", o.log, "opening  p0")
	for _, other := range []struct{ setting, login, text string }{{"", "mona", "@arbiter why?"}, {name, "mona", "Thanks, arbiter."}, {name, "olive", "@arbiter why?"}} {
		if text, o := said(t, other.setting, other.login, other.text); strings.Contains(text, "raised it") || asking(o) > 0 {
			t.Errorf("%q of %s is answered: %s", other.text, other.login, text)
		}
	}
}

// A question in the thread of a finding is answered in plain words, within bounds, if the
// asker may give the command. It changes no result.
func TestAQuestionInAThreadNeedsNoCommand(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides})
	say := func(login, text string) (answer string, o ran) {
		c := p.Inline()[0].Reply(login, text)
		event := h.repo.Event("pull_request_review_comment", "created", ghtest.Happening{Pull: p, Comment: c})
		o = h.run("pull_request_review_comment", event)
		if last := p.Inline()[len(p.Inline())-1]; last.ID != c.ID {
			answer = last.Body()
		}
		return answer, o
	}
	unanswered := func(what, login, text string) {
		t.Helper()
		answer, o := say(login, text)
		if answer != "" || asking(o) > 0 || o.writes > 0 {
			t.Errorf("%s is answered with %d writes: %s", what, o.writes, answer)
		}
	}
	why, o := say("mona", "why?")
	wantText(t, "the explanation", why, "raised it")
	want(t, "models asked for an explanation", asking(o), 0)
	answer, o := say("mona", "Can the divisor be zero?")
	wantText(t, "the answer", answer, "About F1 (")
	wantText(t, "the answer", answer, "in ratio.go: Can the divisor be zero?")
	wantText(t, "log of the question", o.log, "opening  p0")
	want(t, "writes of the sweep that follows", h.sweep().good(t).writes, 0)
	unanswered("a word of thanks to @bob", "mona", "Do you agree, @bob?")
	if answer, _ := say("mona", "Really?"); answer == "" {
		t.Error("the third question has no answer")
	}
	unanswered("the fourth question", "mona", "Is it?")
	wantText(t, "the result", summaries(p)[0], "F1")
	want(t, "the check", h.check(p.Head()), "neutral")
}

// A question is for other people if its asker may not ask us, if somebody else talks in the
// thread, if the thread is resolved, if it is old, or if the settings say so.
func TestAQuestionForOthers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		setting string
		before  func(h *hosted, p *ghtest.Pull, first *ghtest.Comment)
		login   string
		after   time.Duration
	}{
		"of a reader":     {login: "olive"},
		"old":             {login: "mona", after: 25 * time.Hour},
		"settings":        {setting: "publish: {questions: false}\n", login: "mona"},
		"two people talk": {login: "mona", before: func(_ *hosted, _ *ghtest.Pull, first *ghtest.Comment) { first.Reply("ada", "I shall look.") }},
		"resolved":        {login: "mona", before: func(_ *hosted, _ *ghtest.Pull, first *ghtest.Comment) { first.Resolve("mona") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.inputs["operator-config"] += c.setting
			p := h.open("ada", map[string]string{"ratio.go": divides})
			h.on(p, "opened").good(t)
			first := p.Inline()[0]
			if c.before != nil {
				c.before(h, p, first)
			}
			said := first.Reply(c.login, "Can the divisor be zero?")
			h.server.Advance(c.after)
			event := h.repo.Event("pull_request_review_comment", "created", ghtest.Happening{Pull: p, Comment: said})
			o := h.run("pull_request_review_comment", event).good(t)
			want(t, "models asked", asking(o), 0)
			want(t, "last comment", p.Inline()[len(p.Inline())-1].ID, said.ID)
			want(t, "reactions", len(said.Reactions(ghtest.ActionsBot)), 0)
		})
	}
}

// The author's commands are those of a fork's author too: no write access, and a
// dispute all the same, three in all.
func TestAnAuthorHasThreeDisputes(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "olive", map[string]string{"ratio.go": "package app\n\nvar a = 1 // BUG: one is wrong\nvar b = 2 // BUG: two is off\nvar c = 3 // BUG: three is much\nvar d = 4 // BUG: four is late\n"}, "operator-config", parties(t, "bugs", "bugs"))
	h.heard(p.Issue, "mona", "/debate run")
	reactions := map[string]int{}
	for _, f := range []string{"F1", "F2", "F3", "F4", "F1"} {
		c, o := h.say(p.Issue, "olive", "/debate dispute "+f+" I think it is right.")
		o.good(t)
		for _, r := range c.Reactions(ghtest.ActionsBot) {
			reactions[r]++
		}
	}
	want(t, "disputes that were debated", reactions["+1"], 3)
	want(t, "disputes that were refused", reactions["confused"], 2)
}

// A question is debated with the change as its context, and answered once.
func TestAQuestionIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides})
	before := len(p.Comments())
	c, o := h.say(p.Issue, "mona", "/debate ask Can the divisor be zero?")
	want(t, "new comments, the question among them", len(p.Comments())-before, 2)
	want(t, "reaction", strings.Join(slices.Sorted(slices.Values(c.Reactions(ghtest.ActionsBot))), " "), "+1 eyes")
	wantText(t, "the answer", p.Comments()[len(p.Comments())-1].Body(), "Can the divisor be zero")
	wantText(t, "log", o.log, "opening  p0")
	h.idle(h.sweep(), "writes of the sweep that follows")
	want(t, "check", h.check(p.Head()), "neutral")
}

// Of many commands one run answers the newest ten in words, and leaves the others to
// the next run.
func TestABurstOfCommandsIsAnsweredInPortions(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	var said []*ghtest.Comment
	for range 15 {
		said = append(said, p.Comment("will", "/debate help"))
	}
	before := len(ours(p.Comments()))
	for i, texts := range []int{10, 15, 15} {
		o := h.sweep().good(t)
		want(t, fmt.Sprintf("texts after sweep %d", i+1), len(ours(p.Comments()))-before, texts)
		if o.writes > 20 || i == 2 && o.writes > 0 {
			t.Errorf("sweep %d: %d writes", i+1, o.writes)
		}
	}
	for _, c := range said {
		want(t, "reaction", strings.Join(c.Reactions(ghtest.ActionsBot), " "), "+1")
	}
}

// A crowd of commands crowds out nobody who may decide, and nobody is refused whom
// nobody asked about.
func TestACrowdCrowdsOutNobodyWhoMayDecide(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "agree", "agree")
	first := p.Comment("sock0", "/debate pause")
	for i := range 60 {
		p.Comment(fmt.Sprint("sock", i+1), "/debate pause")
	}
	_, o := h.say(p.Issue, "sock61", "/debate pause")
	if o.good(t).writes > 20 {
		t.Errorf("%d writes", o.writes)
	}
	want(t, "reactions to the first one", len(first.Reactions(ghtest.ActionsBot)), 0)
	i := h.issue()
	h.shut(i, "mona", "completed").good(t)
	want(t, "issue is open once it was decided", i.Open(), false)
	want(t, "check", h.check(p.Head()) != "action_required", true)
}

// What is refused names what it is about.
func TestRefusalsNameWhatIsAsked(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "agree", "agree")
	for text, why := range map[string]string{
		"/debate explain F99":            "there is no finding F99 here",
		"/debate dispute F99 No.":        "there is no finding F99 here",
		"/debate dismiss F99 No.":        "there is no finding F99 here",
		"/debate decide D7 keep Why not": "it names no open question. Open: D0. Write `/debate decide D0 OPTION WHY`.",
		"/debate decide D0 maybe No.":    "there is no option maybe. The options: keep, revise, reject",
	} {
		h.say(p.Issue, "mona", text)
		said := ours(p.Comments())
		wantText(t, text, said[len(said)-1], why)
	}
	p.Push(h.repo.Change(p.Head(), map[string]string{"more.sql": "SELECT 1;\n"}))
	h.reacts("+1", p.Issue, "mona", "/debate decide D0 keep The tables are empty.")
}

// A stop that came first keeps a review from starting by itself; a push or somebody's
// order starts it all the same.
func TestAStopKeepsAReviewFromStarting(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", map[string]string{"ratio.go": divides})
	c := p.Comment("mona", "/debate stop")
	o := h.on(p, "opened").good(t)
	want(t, "questions", asking(o), 0)
	want(t, "reaction", strings.Join(c.Reactions(ghtest.ActionsBot), " "), "+1")
	wantText(t, "reply", strings.Join(ours(p.Comments()), ""), "none begins until the pull request changes")
	want(t, "questions by the sweep", asking(h.sweep().good(t)), 0)
	h.push(p, map[string]string{"more.go": "package app\n\nconst More = 1\n"}).good(t)
	want(t, "summaries once it changed", len(summaries(p)), 1)
}

// Who says run and then stop means stop, and the other way round.
func TestTheLastOfRunAndStopCounts(t *testing.T) {
	t.Parallel()
	for last, asked := range map[string]bool{"/debate run": true, "/debate stop": false} {
		h := host(t)
		p := h.open("ada", map[string]string{"ratio.go": divides})
		for _, text := range []string{"/debate stop", "/debate run", last} {
			p.Comment("mona", text)
		}
		o := h.on(p, "opened").good(t)
		want(t, last+": somebody is asked", asking(o) > 0, asked)
		for _, c := range p.Comments() {
			if c.Author() == "mona" {
				wantText(t, last+": reactions", strings.Join(c.Reactions(ghtest.ActionsBot), " "), "+1")
			}
		}
	}
}

// A review that says something that looks like a command is no command.
func TestACommandInAReviewIsNone(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides})
	r := p.Review("mona", "COMMENTED", "/debate run")
	o := h.run("pull_request_review", h.repo.Event("pull_request_review", "submitted", ghtest.Happening{Review: r})).good(t)
	want(t, "writes", o.writes, 0)
	want(t, "questions", asking(o), 0)
}

// A command about a finding that is not there any more says so, and does nothing.
func TestACommandAboutAGoneFinding(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": "package app\n\nvar a = 1 // BUG: one is wrong\nvar b = 2 // BUG: two is off\n"}, "operator-config", parties(t, "bugs", "bugs"))
	h.say(p.Issue, "mona", "/debate dismiss F1 It is meant.")
	h.push(p, map[string]string{"ratio.go": "package app\n"}).good(t)
	for text, why := range map[string]string{
		"/debate dismiss F1 Once more.": "F1 is dismissed already", "/debate dispute F1 It is none.": "F1 is not there any more", "/debate explain F1": "F1 is not there any more",
	} {
		h.say(p.Issue, "mona", text)
		wantText(t, text, p.Comments()[len(p.Comments())-1].Body(), "Not done: "+why+".")
	}
}
