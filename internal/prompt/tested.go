package prompt

import (
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// tested is how a test ended, and what its party can do with it.
func (p *Packet) tested(t debate.TestRun) string {
	var b strings.Builder
	if len(t.Runs) > 0 {
		b.WriteString("ended: " + endings(t) + "\n")
	}
	b.WriteString("[" + meaning(t) + "]\n")
	for _, run := range t.Runs[:min(len(t.Runs), 1)] {
		if run.Output == "" {
			continue
		}
		b.WriteString("output on the head:\n")
		for line := range strings.SplitSeq(run.Output, "\n") {
			b.WriteString(" " + p.line(line) + "\n")
		}
	}
	return b.String()
}

// endings is how each run of a test ended.
func endings(t debate.TestRun) string {
	var all []string
	for _, run := range t.Runs {
		side := "head "
		if run.Side == debate.Left {
			side = "base "
		}
		all = append(all, side+ending[run.Outcome])
	}
	return strings.Join(all, ", ")
}

var ending = map[debate.TestOutcome]string{
	debate.TestPasses:   "passes",
	debate.TestFails:    "fails",
	debate.TestNotBuilt: "does not build, or did not run to its end",
	debate.TestTimeout:  "took too long",
	debate.TestLimit:    "needed too much memory or too many processes",
	debate.TestBroken:   "cannot run any test",
}

// meaning is what a test shows, or why it shows nothing.
func meaning(t debate.TestRun) string {
	cite := "{\"run_ref\": \"" + t.Ref + "\"}"
	if len(t.Runs) == 0 {
		return "it runs later, and all see how it ends: cite " + cite + " now in the ref[] of what it should show, after the changed line"
	}
	switch proof, doubt := t.Proves(); {
	case proof == debate.ProvesRegression:
		return "the change breaks this: cite " + cite + " in the ref[] of the claim, after the changed line"
	case proof == debate.ProvesNew:
		return "the new code behaves so: cite " + cite + " in the ref[] of the claim, after the changed line"
	case proof == debate.ProvesOlder:
		return "it was so before the change: a claim that cites " + cite + " is out of scope, unless it quotes from @pr that the change repairs this"
	case proof == debate.ProvesContrary:
		return "the code passes: cite " + cite + " in the ref[] of what you say against the claim"
	case doubt == debate.TestFlaky:
		return "two runs on the head differ, so it shows nothing"
	}
	return "it shows nothing"
}

// test is a cited test, as the other parties see it.
type test struct {
	Path    string `json:"path"`
	Content string `json:"content"`
	Ended   string `json:"ended"`
	Output  string `json:"output,omitempty"`
}

// test shows the test of some evidence, so that others weigh what it asserts.
func (t turner) test(e debate.Evidence) *test {
	if e.Test == nil || !e.CitationOK {
		return nil
	}
	shown := &test{Path: t.name(e.Test.Path), Content: t.say(e.Test.Content, debate.MostTestBytes), Ended: endings(*e.Test)}
	if len(e.Test.Runs) > 0 {
		shown.Output = t.say(e.Test.Runs[0].Output, longText)
	}
	return shown
}
