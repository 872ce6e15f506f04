package main

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

var askedOne = regexp.MustCompile(`(?m)^[a-z0-9, ]+  p[0-9]\S*  [0-9.]+ s`)

// asking counts the questions to models of a run.
func asking(o ran) int { return len(askedOne.FindAllString(o.log, -1)) }

// What cannot be noted on a comment is noted in the summary: an order to run costs
// one debate, even where the token may not react.
func TestAnOrderToRunCostsOneDebateWithoutReactions(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides})
	h.server.FaultOn("reactions", 1000, ghtest.Answer(403))
	if _, o := h.say(p.Issue, "mona", "/debate run"); asking(o) == 0 {
		t.Errorf("nobody is asked: %s", o.log)
	}
	want(t, "questions by what a stranger says next", asking(func() ran { _, o := h.say(p.Issue, "olive", "/debate help"); return o }()), 0)
	want(t, "questions by the sweep", asking(h.sweep()), 0)
}

// A question is debated once, and answered once.
func TestAQuestionIsDebatedOnceWithoutReactions(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides})
	h.server.FaultOn("reactions", 1000, ghtest.Answer(403))
	if _, o := h.say(p.Issue, "mona", "/debate ask Is it good?"); asking(o) == 0 {
		t.Errorf("nobody is asked: %s", o.log)
	}
	answered := len(ours(p.Comments()))
	for range 2 {
		want(t, "questions by the sweep", asking(h.sweep().good(t)), 0)
	}
	want(t, "our comments", len(ours(p.Comments())), answered)
}

// Without any key the state in the summary suppresses repeats, and what anybody may
// say on an issue costs no review.
func TestWithoutAKeyChatCostsNoReview(t *testing.T) {
	t.Parallel()
	h := host(t)
	delete(h.inputs, "state-key")
	p := h.open("ada", drop)
	if o := h.on(p, "opened").good(t); asking(o) == 0 {
		t.Fatalf("nobody is asked: %s", o.log)
	}
	for range 2 {
		want(t, "questions by the sweep", asking(h.sweep().good(t)), 0)
		_, o := h.say(h.issue(), "stranger", "/debate decide D0 keep I like it.")
		want(t, "questions by a stranger on the issue", asking(o.good(t)), 0)
	}
}

// A debate that is too large to be remembered is not held again for nothing. What
// people order has the head reviewed anew, once.
func TestADebateThatIsTooLargeIsNotRepeated(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"db/migrations/0002_b.up.sql": tooLarge(), "ratio.go": divides})
	memo := remembered(t, p)
	want(t, "stub", memo.Stub, true)
	o := h.sweep().good(t)
	want(t, "questions by the sweep", asking(o), 0)
	want(t, "writes of the sweep", o.writes, 0)
	_, o = h.say(p.Issue, "mona", "/debate dismiss F1 It is meant to be.")
	if asking(o.good(t)) == 0 {
		t.Errorf("a dismissal has nothing reviewed: %s", o.log)
	}
	o = h.sweep().good(t)
	want(t, "questions by the next sweep", asking(o), 0)
	want(t, "heads with a price that is known", remembered(t, p).Unpriced, true)
	h.shut(h.issue(), "mona", "completed").good(t)
	if check := h.check(p.Head()); check == "action_required" {
		t.Errorf("it is decided, and the check says %s", check)
	}
	want(t, "questions by the sweep after the decision", asking(h.sweep().good(t)), 0)
}

// What questions and failed debates cost counts for the pull request too.
func TestWhatLeavesNoReviewIsCountedToo(t *testing.T) {
	t.Parallel()
	debaters := parties(t, "agree", "agree")
	for name, happen := range map[string]func(h *hosted, p *ghtest.Pull){
		"a question": func(h *hosted, p *ghtest.Pull) {
			h.inputs["operator-config"] = debaters
			_, o := h.say(p.Issue, "mona", "/debate ask Is it good?")
			o.good(h.t)
		},
		"a failed debate": func(h *hosted, p *ghtest.Pull) {
			h.inputs["operator-config"] = debaters
			h.server.FaultOn("PATCH /repos/acme/app/check-runs", 50, ghtest.Answer(500))
			if o := h.push(p, map[string]string{"more.go": "package app\n\nconst More = 1\n"}); o.code == 0 || asking(o) == 0 {
				h.t.Errorf("exit code %d: %s", o.code, o.log)
			}
			h.server.Fault(nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			delete(h.inputs, "operator-config")
			p := h.open("ada", map[string]string{"ratio.go": divides})
			h.on(p, "opened").good(t)
			h.t = t
			want(t, "unpriced before", remembered(t, p).Unpriced, false)
			head := remembered(t, p).Debate.Head
			happen(h, p)
			want(t, "unpriced", remembered(t, p).Unpriced, true)
			want(t, "reviewed head", remembered(t, p).Debate.Head, head)
			want(t, "summaries", len(summaries(p)), 1)
		})
	}
}

// memo is some of what the summary holds.
type memo struct {
	Stub     bool  `json:"stub"`
	Unpriced bool  `json:"unpriced"`
	Earlier  int64 `json:"earlier"`
	Debate   struct {
		Head string `json:"head"`
	} `json:"debate"`
}

// remembered is what the summary of a pull request holds.
func remembered(t *testing.T, p *ghtest.Pull) (m memo) {
	t.Helper()
	data, _, err := comment.Open(nil, comment.Bind{}, summaries(p)[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	return m
}
