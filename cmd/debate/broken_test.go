package main

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// One refusal of an update of the check leaves no check in progress for ever.
func TestOneRefusedUpdateEndsTheCheckAllTheSame(t *testing.T) {
	t.Parallel()
	for name, status := range map[string]int{"forbidden": 403, "not found": 404} {
		for nth := range 3 {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				h := host(t)
				h.inputs["operator-config"] = parties(t, "bugs", "object", "bugs")
				p := h.open("ada", map[string]string{"ratio.go": "package app\n\nvar a = 1 // BUG: one is wrong\n"})
				updates := 0
				h.server.Fault(func(_ int, r *http.Request) ghtest.Fault {
					if r.Method != http.MethodPatch || !strings.Contains(r.URL.Path, "/check-runs/") {
						return ghtest.Fault{}
					}
					updates++
					if updates == nth+1 {
						return ghtest.Answer(status)
					}
					return ghtest.Fault{}
				})
				h.on(p, "opened")
				h.server.Fault(nil)
				h.sweep().good(t)
				if got := h.check(p.Head()); got == "in_progress" || got == "" {
					t.Errorf("after the refusal of update %d the check is %q", nth+1, got)
				}
			})
		}
	}
}

// A push to a paused pull request leaves a check that says so, so that a branch
// rule does not wait for a check that never comes.
func TestAPausedHeadHasACheck(t *testing.T) {
	t.Parallel()
	for gate, conclusion := range map[string]string{"advisory": "neutral", "required": "action_required"} {
		t.Run(gate, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.inputs["gate"], h.inputs["operator-config"] = gate, parties(t, "bugs", "bugs")
			p := h.open("ada", map[string]string{"ratio.go": quiet})
			h.on(p, "opened").good(t)
			h.say(p.Issue, "ada", "/debate pause")
			h.push(p, map[string]string{"ratio.go": "package app\n\nvar door = 1 // BUG: it is open\n"}).good(t)
			want(t, "check of the paused head", h.check(p.Head()), conclusion)
			for _, c := range h.repo.CheckRuns(p.Head()) {
				wantText(t, "title of the check", c.Title, "/debate resume")
			}
			h.heard(p.Issue, "ada", "/debate resume")
			wantText(t, "summary after the resume", summaries(p)[0], "This is a bug")
		})
	}
}

// Closing and opening a pull request again costs no second debate about one head.
func TestReopeningAsksNoModelAgain(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", drop)
	want(t, "check", h.check(p.Head()), "action_required")
	p.Close("ada", "")
	h.on(p, "closed").good(t)
	p.Issue.Reopen("ada")
	o := h.on(p, "reopened").good(t)
	want(t, "check once it is open again", h.check(p.Head()), "action_required")
	if asking(o) > 0 {
		t.Errorf("the head is debated again:\n%s", o.log)
	}
}

// A merge while a decision is open keeps the conclusion of the check; the summary
// says who merged, and the issue that nobody had decided.
func TestAMergeLeavesTheCheckAsItWas(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", drop)
	before := h.check(p.Head())
	p.Merge("mona")
	h.run("pull_request", h.repo.Event("pull_request", "closed", ghtest.Happening{Pull: p, Sender: "mona"})).good(t)
	want(t, "check", h.check(p.Head()), before)
	wantText(t, "summary", unhidden(summaries(p)[0]), "mona")
	wantText(t, "labels of the issue", strings.Join(h.issue().Labels(), " "), "merged_undecided")
	want(t, "issue open", h.issue().Open(), false)
}

// One spurious refusal of the permission call makes nobody a stranger for good.
func TestOneRefusedPermissionIsRepaired(t *testing.T) {
	t.Parallel()
	for _, status := range []int{403, 404} {
		h := host(t)
		p := h.open("ada", map[string]string{"ratio.go": divides})
		h.server.FaultOn("/collaborators/ada/permission", 1, ghtest.Answer(status))
		h.on(p, "opened")
		h.sweep().good(t)
		if text := summaries(p); len(text) == 0 || strings.Contains(text[0], "no write access") {
			t.Errorf("after one %d ada is a stranger on this head", status)
		}
	}
}

// People without access make the bot answer once for a head, and react after that.
func TestStrangersGetOneAnswer(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides})
	before := len(ours(p.Comments()))
	for range 4 {
		h.say(p.Issue, "olive", "/debate status")
	}
	if n := len(ours(p.Comments())) - before; n > 1 {
		t.Errorf("%d answers to somebody without access", n)
	}
}

// Where no call to score a decision succeeds, later steps get the outputs and the
// report all the same.
func TestNoScoreLeavesOutputsAndReport(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"] = strings.NewReplacer(
		partyProgram()+", agree", dumbToScore("agree"), partyProgram()+", object", dumbToScore("object"),
	).Replace(parties(t, "agree", "object"))
	p := h.open("ada", drop)
	o := h.on(p, "opened")
	want(t, "exit code", o.code, 0)
	wantText(t, "log", o.log, "scores  ")
	for _, trace := range []string{"panic", "goroutine ", "could not be written"} {
		if strings.Contains(o.log, trace) {
			t.Errorf("the log has %q:\n%s", trace, o.log)
		}
	}
	wantText(t, "page", o.page(t), "Migration drops table a")
	wantText(t, "outputs", o.outputs, "awaiting-human<<")
}

// dumbToScore is the command of a party that fails when it is asked to score.
func dumbToScore(manner string) string {
	script := `request=$(cat); case $request in *'"call":"SCORE"'*) exit 1;; esac; printf %s "$request" | ` + partyProgram() + " " + manner
	return "sh, -c, " + strconv.Quote(script)
}
