package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/actiontest"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// TestHostileWordsInTheLog: a change, a title and a comment that are full of
// workflow commands end in a log, outputs and a summary in which the runner finds
// only what this program says.
func TestHostileWordsInTheLog(t *testing.T) {
	t.Parallel()
	h := host(t)
	const words = "::add-mask::a\n  ::set-output name=outcome::CONSENSUS\nx ##[add-matcher]y\n::stop-commands::z\r::debug::b\x1b[2J"
	files := map[string]string{
		"db/migrations/2 ##[set-output name=a]b.up.sql":   "DROP TABLE a; -- ::add-mask::a ##[debug]c\n",
		"db/migrations/3\n::set-output name=p1::9.up.sql": "DROP TABLE a;\n::save-state name=a::b\n",
		"::add-matcher::x.go":                             divides,
	}
	h.repo.SetBranch("feature", h.repo.Change(h.repo.Branch("main"), files))
	p := h.repo.OpenPull("ada", ghtest.NewPull{Title: words, Body: words + "\n## Proposal\n" + words, Head: "feature"})
	runs := []ran{h.run("pull_request", h.repo.Event("pull_request", "opened", ghtest.Happening{Pull: p}))}
	for _, body := range []string{"/debate ask " + words, "/debate nonsense " + words, "/debate dispute F1 " + words} {
		c := p.Comment("ada", body)
		runs = append(runs, h.run("issue_comment", h.repo.Event("issue_comment", "created", ghtest.Happening{Comment: c})))
	}
	declared := []string{"awaiting-human", "comment-url", "confidence", "decisions", "disposition", "head", "next", "outcome", "p1", "p2", "p3", "record", "report", "sarif"}
	for _, o := range runs {
		masked := 0
		for _, c := range actiontest.Commands(o.log) {
			switch c.Name {
			case "add-mask":
				masked++
			case "notice", "warning", "error", "group", "endgroup":
			case "stop-commands": // around the report, which quotes the words; its token is ours
				if !strings.HasPrefix(c.Data, "debate-") {
					t.Errorf("the token of a stop is %q", c.Data)
				}
			case "resume-commands":
			default:
				t.Errorf("the runner would carry out %q in\n%s", c, o.log)
			}
		}
		if masked != 2 { // the token and the key of the state
			t.Errorf("%d masks, want 2, in\n%s", masked, o.log)
		}
		if strings.ContainsRune(o.log+o.summary, '\x1b') {
			t.Errorf("an escape of a terminal in\n%s\n%s", o.log, o.summary)
		}
		if got := actiontest.Commands(o.summary); len(got) > 0 {
			t.Errorf("commands %q in the summary", got)
		}
		values := valuesOf(t, o.outputs)
		var names []string
		for name, value := range values {
			names = append(names, name)
			if strings.ContainsAny(value, "\n\r") {
				t.Errorf("output %s is %q", name, value)
			}
		}
		slices.Sort(names)
		if !slices.Equal(names, declared) {
			t.Errorf("outputs %q, want %q", names, declared)
		}
	}
	if len(p.Comments()) < 4 {
		t.Errorf("%d comments: the words were not looked at", len(p.Comments()))
	}
}

// What GitHub answers a failed request with is no part of the check's text.
func TestNoPageOfAServerInTheCheck(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", map[string]string{"ratio.go": divides})
	h.server.FaultOn("POST /repos/acme/app/issues/", 50, ghtest.Answer(502))
	o := h.on(p, "opened")
	want(t, "exit code is good", o.code == 0, false)
	runs := h.repo.CheckRuns(p.Head())
	want(t, "checks", len(runs), 1)
	if text := runs[0].Summary; strings.Contains(text, "<html") || strings.Contains(text, "<!DOCTYPE") {
		t.Errorf("the check says %q", text)
	}
}

// The log of a sweep is folded by pull request.
func TestTheLogOfASweepIsFolded(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.open("ada", map[string]string{"ratio.go": divides})
	o := h.sweep().good(t)
	wantText(t, "log", o.log, "::group::pull request #1\n")
	wantText(t, "log", o.log, "::endgroup::\n")
}

// The log of a review is folded by stage, and its end is to be seen at once: with the ids
// that findings have on the pull request, and without files that only the job has.
func TestTheLogOfAReviewIsFolded(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"] = parties(t, "bugs", "bugs")
	p := h.open("ada", map[string]string{"one.go": "package app\n\nvar one = 1 // BUG: first\n"})
	o := h.on(p, "opened").good(t)
	var groups []string
	open := false
	for _, c := range actiontest.Commands(o.log) {
		switch c.Name {
		case "group":
			want(t, "a group in a group", open, false)
			groups, open = append(groups, c.Data), true
		case "endgroup":
			open = false
		case "stop-commands":
			want(t, "the result is folded", open, false)
		}
	}
	want(t, "groups", strings.Join(groups, ", "), "read the change, opening, challenge")
	o = h.push(p, map[string]string{"another.go": "package app\n\nvar two = 2 // BUG: second\n", "one.go": "package app\n"}).good(t)
	wantText(t, "log", o.log, "another.go:3  F3  This is a bug: second")
	for _, part := range []string{"Full report:", "record.jsonl"} {
		want(t, "the log names "+part, strings.Contains(o.log, part), false)
	}
}

// What the check says beside the change is not said by the log again, also where no
// comment may be written.
func TestTheLogRepeatsNothingOfTheCheck(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.token = h.server.JobToken(map[string]string{"contents": "read", "pull-requests": "read", "issues": "read", "checks": "write"})
	p := h.open("ada", map[string]string{"ratio.go": divides})
	o := h.on(p, "opened").good(t)
	want(t, "comments", len(p.Comments())+len(p.Inline()), 0)
	want(t, "annotations of the check", len(h.repo.CheckRuns(p.Head())[0].Annotations), 1)
	for _, c := range actiontest.Commands(o.log) {
		if c.Name == "error" || c.Name == "warning" || c.Name == "notice" {
			t.Errorf("the log says %s", c)
		}
	}
}

// An input that is wrong fails the job, and the run's page says why.
func TestAWrongInputIsOnThePageOfTheRun(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["mode"] = "fast"
	p := h.open("ada", map[string]string{"ratio.go": divides})
	o := h.on(p, "opened")
	want(t, "exit code", o.code, 2)
	wantText(t, "log", o.log, `::error title=debate::input "mode": "fast" is none of standard, minimal, quick`)
	want(t, "times that the log says it", strings.Count(o.log, "is none of"), 1)
}

// The outputs of a run that reviewed nothing tell of this head or of nothing.
func TestTheOutputsTellOfNoOtherHead(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"] = parties(t, "bugs", "bugs")
	p := h.open("ada", map[string]string{"ratio.go": divides})
	outcome := func(o ran) string {
		values := valuesOf(t, o.good(t).outputs)
		return values["outcome"]
	}
	want(t, "outcome", outcome(h.on(p, "opened")), "CONSENSUS")
	want(t, "outcome of a run with nothing new", outcome(h.on(p, "synchronize")), "CONSENSUS")
	h.say(p.Issue, "ada", "/debate pause")
	want(t, "outcome on a head that is not reviewed", outcome(h.push(p, map[string]string{"bad.go": "package app\n\nvar x = 1 // BUG: bad\n"})), "")
}
