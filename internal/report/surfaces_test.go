package report

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/debatetest"
	"github.com/prdebate/debate/internal/testkit/long"
)

// TestSurfacesAgree plays random debates, lets people answer, and compares all surfaces: the check,
// the exit code, the first line, the summary, the issue and the JSON.
func TestSurfacesAgree(t *testing.T) {
	t.Parallel()
	long.Check(t, func(t *rapid.T) {
		for range 5 {
			s := life(t)
			surfaces(t, s)
			for _, d := range s.Agenda.Decisions {
				if d.Outcome != debate.AwaitingHuman || !rapid.Bool().Draw(t, "a person answers "+d.ID) {
					continue
				}
				s = decides(t, s, d)
				surfaces(t, s)
			}
		}
	})
}

// decides is a debate after a person's answer to a decision.
func decides(t *rapid.T, s debate.State, d debate.Decision) debate.State {
	option, at := rapid.SampledFrom(d.Options).Draw(t, "with").ID, s.Clock.At+300_000
	s, err := debate.Apply(s, debate.Entry{N: s.N + 1, At: at, Event: debate.Decided{
		Decision: d.ID, Fingerprint: d.Fingerprint, Option: option, Reason: "we have a backup", Head: s.Snapshot.HeadSHA, Via: debate.ViaCommand, At: at,
		By: debate.Actor{Login: "bob", Permission: debate.WriteAccess},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// life is a random debate at its end.
func life(t *rapid.T) debate.State {
	often := func(name string, oneIn int) bool { return rapid.IntRange(1, oneIn).Draw(t, name) == oneIn }
	w := debatetest.Table(rapid.IntRange(1, 3).Draw(t, "challengers"))
	w.Received.Mode = rapid.SampledFrom([]debate.Mode{debate.Standard, debate.Minimal, debate.Quick}).Draw(t, "mode")
	w.Received.Settings = debate.Settings{
		Gate:            rapid.SampledFrom([]debate.Gate{debate.Advisory, debate.Required}).Draw(t, "gate"),
		FailOn:          rapid.SampledFrom([]debate.FailOn{debate.FailNone, debate.FailP1, debate.FailP2}).Draw(t, "fail on"),
		Opening:         rapid.SampledFrom([]debate.Opening{debate.OpenPosition, debate.OpenParallel}).Draw(t, "opening"),
		MaxCalls:        rapid.SampledFrom([]int{0, 0, 0, 1, 3, 12}).Draw(t, "calls"),
		ConfigDefective: often("broken settings", 10),
		Stranger:        often("a stranger", 12),
	}
	if often("skipped", 15) {
		w.Skip = "documentation only"
	}
	if often("a trigger", 3) {
		w.Triggers = []debate.Trigger{{ID: debate.TriggerDestructiveSchema, Source: debate.FromPolicy, Class: debate.ClassContent, Path: "cart.go", Side: debate.Right, Line: 12, Detail: "it drops a table"}}
	}
	noKey := often("no key", 10)
	cast, characters := make(map[string]debatetest.Party), debatetest.Characters()
	for i, p := range w.Parties {
		if noKey && p.Debates() {
			w.Parties[i].Status = debate.PartyAuth
		}
		one := characters[0]
		if often(p.ID+" is odd", 2) {
			one = rapid.SampledFrom(characters).Draw(t, p.ID)
		}
		cast[p.ID] = one.Party(rapid.Uint64().Draw(t, "seed of "+p.ID))
	}
	if often("a question", 6) {
		w.Received.Scope, w.Received.Target, w.Received.Inquiry = debate.ScopeQuestion, debate.TargetProposal, &debate.Inquiry{Framing: debate.FramingPropose}
		if rapid.Bool().Draw(t, "with options") {
			w.Received.Inquiry.Options = []debate.Option{{ID: "one", Label: "one"}, {ID: "two", Label: "two"}}
		}
		w.Triggers, w.Skip, w.Change = nil, "", debatetest.NewChange("", "Which one?\n", nil)
	}
	s, log, err := debatetest.Play(w, cast, debatetest.Forward)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(debatetest.Transcript(log))
		}
	})
	return s
}

// surfaces compares the surfaces of one debate by their words, as a reader does.
func surfaces(t *rapid.T, s debate.State) {
	e, r, why := FromState(s), s.Conclusion(), Says(s, s.Conclusion().Why)
	p := Pull{RepositoryURL: "https://github.test/shop/shop", Number: 7, Author: "alice"}
	line, summary := Headline(e), string(Summary(e, p, r.Check, why))
	title, text, _ := CheckOutput(e, p, r.Check, why)
	says := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(line, w) {
				return true
			}
		}
		return false
	}
	question, required, skipped := e.Inquiry != nil, s.Received.Settings.Gate == debate.Required, s.Ending.Outcome == debate.Skipped
	var asked []string // decisions in an issue
	for _, d := range Awaiting(e) {
		if d.Person().Sink != debate.SinkSummary && !question {
			asked = append(asked, d.ID)
		}
	}
	_, issue := Issue(e, asked, p)
	good := says("no problems found", "no new problems found", "ready to merge", "decided: merge it as it is")
	fails, waits := strings.Contains(summary, "The check fails: "), strings.Contains(summary, "has to decide")
	noReview := says("not reviewed by a model", "not answered")

	var told struct{ Conclusion, Next, For, Recommendation string }
	data, err := JSON(e)
	if err != nil || json.Unmarshal(data, &told) != nil {
		t.Fatalf("the JSON: %v", err)
	}
	for name, broken := range map[string]bool{
		"the check and the JSON differ":                              told.Conclusion != string(r.Check),
		"the title of the check is another first line":               !strings.HasPrefix(title, strings.FieldsFunc(line, func(c rune) bool { return c == ';' })[0]),
		"the summary has another first line":                         !strings.HasPrefix(summary, "### debate: "+inline(line)+"\n"),
		"a success, and the exit code is not 0":                      r.Check == debate.Success && r.Exit != debate.ExitDone,
		"a success, and the first line is not good":                  r.Check == debate.Success && !good,
		"a success, and a merge is not the next step":                (r.Check == debate.Success) != (told.Next == "merge"),
		"a success, and something waits":                             r.Check == debate.Success && (waits || fails || len(Awaiting(e)) > 0),
		"a failure, and the exit code is 0":                          r.Check == debate.Failure && r.Exit == debate.ExitDone && !skipped,
		"a failure, and the summary does not say why":                (r.Check == debate.Failure) != fails,
		"exit code 0 of a change with a required gate":               r.Exit == debate.ExitDone && required && !question && !skipped && r.Check != debate.Success,
		"exit code 1 without a failure":                              r.Exit == debate.ExitFindings && r.Check != debate.Failure && r.Check != debate.ActionRequired,
		"a finding fails the run, and the exit code is not 1":        len(s.Failing()) > 0 && r.Exit != debate.ExitFindings,
		"a neutral check with a required gate":                       r.Check == debate.Neutral && required && !question,
		"a neutral check, and the text does not call it advisory":    (r.Check == debate.Neutral) != strings.Contains(text, "This check is advisory"),
		"a good first line, and no word about the check":             good && r.Check == debate.Neutral && !strings.Contains(summary, "does not pass") && !strings.Contains(summary, "read"),
		"a person is asked, and the check does not wait":             (len(asked) > 0) != (r.Check == debate.ActionRequired),
		"the check waits, and there is no text for an issue":         (r.Check == debate.ActionRequired) != (len(issue) > 0),
		"the check waits, and the issue names no person":             r.Check == debate.ActionRequired && !strings.Contains(string(issue), "Someone with write access, other than alice, has to decide"),
		"the check waits, and the summary names no person":           r.Check == debate.ActionRequired && !strings.Contains(summary, "**Someone with write access, other than alice,** has to decide"),
		"the check waits, and the JSON does not say for whom":        (r.Check == debate.ActionRequired) != (told.Next == "decide" && told.For == "deciders"),
		"the check waits, and so does not the exit code":             r.Check == debate.ActionRequired && r.Exit == debate.ExitDone,
		"the check waits, and the first line is another one":         r.Check == debate.ActionRequired && !says("waits for", "decided: ", "your call"),
		"a good first line, and the JSON recommends no merge":        good && told.Recommendation != "keep",
		"exit code 3 without a question":                             r.Exit == debate.ExitHuman && !waits && !question && !says("your call"),
		"the first line waits, and there is no question":             says("waits for a decision", "waits for 2 decisions") && (!waits || told.Next != "decide") && !question && len(s.Failing()) == 0,
		"nobody reviewed it, and the exit code does not say so":      noReview && s.Unanswered() && len(s.Failing()) == 0 && r.Exit != debate.ExitFailed,
		"exit code 4 of something that models debated":               r.Exit == debate.ExitFailed && HasDebate(e),
		"changes are needed, and the check succeeds":                 says("changes needed", "should not be merged", "a P1 is open", "the models disagree") && r.Check == debate.Success,
		"changes are needed, and the JSON recommends something else": says("changes needed") && told.Recommendation != "revise",
	} {
		if broken {
			t.Errorf("%s: check %s (%s), exit code %d, first line %q, next %s for %s, gate %s\n%s", name, r.Check, r.Why, r.Exit, line, told.Next, told.For, s.Received.Settings.Gate, summary)
		}
	}
}
