package main

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// TestTwoRunsMeet: a second run that does all of its work while the first one is
// under way takes nothing from it and doubles nothing (R22).
func TestTwoRunsMeet(t *testing.T) {
	t.Parallel()
	t.Run("on a new head", func(t *testing.T) {
		t.Parallel()
		h := host(t)
		p := h.open("ada", map[string]string{"ratio.go": divides})
		second := h.meets(func(other *hosted) ran { return other.on(p, "opened") })
		first := h.on(p, "opened").good(t)
		second().good(t)
		want(t, "summaries", len(summaries(p)), 1)
		want(t, "inline comments", len(p.Inline()), 1)
		want(t, "reviews", len(p.Reviews()), 1)
		want(t, "check", h.check(p.Head()), "neutral")
		wantText(t, "log", first.log, "another run reviews this head; looking again")
	})
	t.Run("a decision is not lost to an order", func(t *testing.T) {
		t.Parallel()
		h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides, "db/migrations/0002_b.up.sql": drop["db/migrations/0002_b.up.sql"]})
		want(t, "check", h.check(p.Head()), "action_required")
		second := h.meets(func(other *hosted) ran {
			_, o := other.say(p.Issue, "root", "/debate decide D0 keep reviewed by hand")
			return o
		})
		_, dismissed := h.say(p.Issue, "mona", "/debate dismiss F2 callers check")
		dismissed.good(t)
		second().good(t)
		want(t, "issue open", h.issue().Open(), false)
		want(t, "check", h.check(p.Head()) != "action_required", true)
		wantText(t, "summary", summaries(p)[0], "root")
		want(t, "inline comments", len(p.Inline()) > 0, true)
	})
	t.Run("a decision about an earlier commit is not recorded", func(t *testing.T) {
		t.Parallel()
		h, p := reviewedPull(t, "ada", map[string]string{"db/migrations/0002_b.up.sql": drop["db/migrations/0002_b.up.sql"]})
		second := h.meets(func(other *hosted) ran {
			return other.push(p, map[string]string{"db/migrations/0003_c.up.sql": "DROP TABLE more;\n"})
		})
		answer, decided := h.say(p.Issue, "root", "/debate decide D0 keep reviewed by hand")
		decided.good(t)
		second().good(t)
		want(t, "issue open", h.issue().Open(), true)
		wantText(t, "reactions", strings.Join(answer.Reactions(ourselves), " "), "confused")
		want(t, "recorded", strings.Contains(strings.Join(words(h.issue()), "\n"), "Recorded"), false)
	})
}

// meets has a second run do all of its work while the next one reads the change, and returns what
// came of the second.
func (h *hosted) meets(do func(other *hosted) ran) (second func() ran) {
	other := *h
	other.dir, other.env = h.t.TempDir(), map[string]string{}
	var met *ran
	h.between(func(_ int, r *http.Request) {
		if met == nil && strings.Contains(r.URL.Path, "/compare/") {
			met = &ran{}
			*met = do(&other)
		}
	})
	return func() ran {
		h.t.Helper()
		if met == nil {
			h.t.Fatal("the second run met no other one")
		}
		return *met
	}
}

// What other tools find while the models speak is read before the debate is summed
// up (R147).
func TestAToolThatFailsDuringTheDebateIsEvidence(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"] = parties(t, "bugs", "bugs")
	p := h.open("ada", map[string]string{"ratio.go": divides})
	h.between(func(_ int, r *http.Request) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/check-runs") {
			h.repo.AddCheckRun(ghtest.CheckRun{App: ghtest.ActionsApp, Name: "tests", HeadSHA: p.Head(), Conclusion: "failure", Title: "TestRatio panics", Summary: "divide by zero"})
		}
	})
	o := h.on(p, "opened").good(t)
	reads := 0
	for _, r := range o.requests {
		if r.Method == http.MethodGet && strings.HasSuffix(r.Path, "/check-runs") && !strings.Contains(r.Query, "check_name=") {
			reads++
		}
	}
	if reads < 2 {
		t.Errorf("the check runs were read %d times", reads)
	}
}

// A pull request that is merged or closed while it is debated gets what it was
// reviewed for, and no check stays in progress.
func TestAPullRequestThatEndsDuringItsDebate(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(p *ghtest.Pull){
		"merged": func(p *ghtest.Pull) { p.Merge("mona") }, "closed": func(p *ghtest.Pull) { p.Close("ada", "") },
	} {
		for _, again := range []bool{false, true} {
			t.Run(fmt.Sprint(name, again), func(t *testing.T) {
				t.Parallel()
				h := host(t)
				p := h.open("ada", map[string]string{"ratio.go": divides})
				if again {
					h.on(p, "opened").good(t)
				}
				begun, ended := false, false
				h.between(func(_ int, r *http.Request) {
					if begun && !ended {
						ended = true
						end(p)
						h.server.Advance(10 * time.Second)
					}
					begun = begun || r.Method != http.MethodGet && strings.Contains(r.URL.Path, "/check-runs")
				})
				if again {
					h.say(p.Issue, "mona", "/debate run")
				} else {
					h.on(p, "opened").good(t)
				}
				h.env = map[string]string{}
				want(t, "summaries", len(summaries(p)), 1)
				want(t, "check", h.check(p.Head()), "neutral")
				h.on(p, "closed").good(t)
				h.sweep().good(t)
				want(t, "writes of the second sweep", h.sweep().good(t).writes, 0)
				want(t, "check", h.check(p.Head()), "neutral")
			})
		}
	}
}

// A head that moves while its question is put takes the question with it, unless
// it asks the same.
func TestAHeadThatMovesWhileTheIssueIsOpened(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		next  map[string]string
		open  bool
		check string
	}{
		"asks nothing": {map[string]string{"db/migrations/0002_b.up.sql": "SELECT 1;\n"}, false, "neutral"},
		"asks again":   {readme, true, "action_required"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			p := h.open("ada", drop)
			old := p.Head()
			h.between(func(_ int, r *http.Request) {
				if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/app/issues") {
					p.Push(h.repo.Change(old, c.next))
					h.server.Advance(10 * time.Second)
				}
			})
			h.on(p, "opened").good(t)
			h.env = map[string]string{}
			h.on(p, "synchronize").good(t)
			open := 0
			for _, i := range h.repo.Issues() {
				if i.Open() {
					open++
				}
			}
			want(t, "open issues", open == 1, c.open)
			want(t, "more than one open issue", open > 1, false)
			want(t, "check", h.check(p.Head()), c.check)
			want(t, "writes of a sweep", h.sweep().good(t).writes, 0)
		})
	}
}

// A sweep pays for no head whose debate goes on, and takes up the one of a run that
// died.
func TestASweepLeavesADebateThatGoesOn(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides})
	before := p.Head()
	p.Push(h.repo.Change(before, readme))
	other := *h
	other.dir, other.env, other.inputs = t.TempDir(), map[string]string{}, maps.Clone(h.inputs)
	begun, swept := false, 0
	h.between(func(_ int, r *http.Request) {
		if begun && swept == 0 {
			swept++
			other.server.Advance(time.Minute)
			o := other.sweep().good(t)
			want(t, "questions by the sweep", asking(o), 0)
			want(t, "writes of the sweep", o.writes, 0)
			wantText(t, "log of the sweep", o.log, "a review of this head is under way")
		}
		begun = begun || r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/check-runs")
	})
	o := h.run("pull_request", h.repo.Event("pull_request", "synchronize", ghtest.Happening{Pull: p, Before: before})).good(t)
	want(t, "sweeps", swept, 1)
	want(t, "questions by the run", asking(o), 4)

	p.Push(h.repo.Change(p.Head(), map[string]string{"more.go": "package app\n"}))
	h.repo.AddCheckRun(ghtest.CheckRun{App: ghtest.ActionsApp, Name: "debate", HeadSHA: p.Head(), Status: "in_progress"})
	other.server.Advance(3 * time.Hour)
	want(t, "questions by the sweep hours later", asking(other.sweep().good(t)), 4)
	want(t, "check", h.check(p.Head()), "neutral")
}

// A question that is asked and paid for while a debate goes on does not have the
// debate held twice, and is counted.
func TestAQuestionMeanwhileHoldsNoDebateTwice(t *testing.T) {
	t.Parallel()
	spent := make(map[bool]int64) // before the last debate
	for _, ask := range []bool{false, true} {
		ta := begin(t)
		ta.repo.SetBranch("change", ta.repo.Change(ta.repo.Branch("main"), map[string]string{"count.go": weigh}))
		ta.pull = ta.repo.OpenPull("ada", ghtest.NewPull{Title: "Weigh items", Body: "Items are weighed.", Head: "change"})
		if code, log := ta.act(ta.event("pull_request", "opened", ghtest.Happening{Pull: ta.pull})); code != 0 {
			t.Fatal(log)
		}
		before := ta.pull.Head()
		ta.pull.Push(ta.repo.Change(before, map[string]string{"count.go": fixed}))
		event := ta.event("pull_request", "synchronize", ghtest.Happening{Pull: ta.pull, Before: before})
		h := &hosted{t: t, server: ta.server, repo: ta.repo, env: map[string]string{}}
		begun, asked := false, !ask
		h.between(func(_ int, r *http.Request) {
			if begun && !asked {
				asked = true
				other := *ta
				other.api, other.runs, other.env = "", 90, maps.Clone(ta.env)
				c := ta.pull.Comment("mona", "/debate ask Is it good?")
				if code, log := other.act(other.event("issue_comment", "created", ghtest.Happening{Issue: ta.pull.Issue, Comment: c})); code != 0 {
					t.Error(log)
				}
			}
			begun = begun || r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/check-runs")
		})
		ta.api = h.env["GITHUB_API_URL"]
		code, log := ta.act(event)
		if code != 0 || !asked || strings.Contains(log, "looking again") {
			t.Errorf("code %d, asked %v\n%s", code, asked, log)
		}
		spent[ask] = remembered(t, ta.pull).Earlier
	}
	if spent[false] == 0 || spent[true] <= spent[false] {
		t.Errorf("millionths of a dollar before the last debate: %v", spent)
	}
}

// A decision that is recorded in the issue, and whose run a push then overtakes, is no
// longer recorded anywhere else. If the push changes the question, its giver reads that it
// does not count.
func TestARecordedDecisionOfAnOvertakenRun(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "agree", "agree")
	pushed := false
	h.between(func(_ int, _ *http.Request) {
		if !pushed && strings.Contains(said(h.issue()), "Recorded: **mona decided") {
			pushed = true
			p.Push(h.repo.Change(p.Head(), map[string]string{"db/migrations/0004_b.up.sql": "DROP TABLE b;\n"}))
			h.server.Advance(10 * time.Second)
		}
	})
	h.shut(h.issue(), "mona", "completed").good(t)
	want(t, "pushed", pushed, true)
	h.env = map[string]string{}
	h.on(p, "synchronize").good(t)
	want(t, "check", h.check(p.Head()), "action_required")
	want(t, "issue open", h.issue().Open(), true)
	wantText(t, "issue", said(h.issue()), "The answer of mona does not count: the question changed")
}
