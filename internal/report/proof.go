package report

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
)

// Proof is a test for a finding or against it.
type Proof struct {
	Shows   debate.Proof `json:"shows"`   // regression, new, older, or contrary
	Path    string       `json:"path"`    // of the test; neither side has this file
	Content string       `json:"content"` // the test, a whole file
	Command []string     `json:"command"` // of its run, one word each
	Output  string       `json:"output"`  // on the head, its last lines
	Sandbox string       `json:"sandbox"` // bubblewrap, container, workflow, or none
}

// proofIn is the strongest test among some evidence, nil if there is none.
func proofIn(list []debate.Evidence) *Proof {
	order := []debate.Proof{debate.ProvesRegression, debate.ProvesNew, debate.ProvesContrary, debate.ProvesOlder}
	var best *Proof
	for _, e := range list {
		if e.Test == nil || !e.CitationOK {
			continue
		}
		shows, _ := e.Test.Proves()
		if best == nil || slices.Index(order, shows) < slices.Index(order, best.Shows) {
			best = &Proof{Shows: shows, Path: e.Test.Path, Content: e.Test.Content, Command: slices.Concat([]string{}, e.Test.Command), Sandbox: e.Test.Sandbox}
			for _, run := range e.Test.Runs[:min(len(e.Test.Runs), 1)] {
				best.Output = run.Output
			}
		}
	}
	return best
}

// Proofs has the tests of a finding and of the objections to it.
func Proofs(f Finding) []Proof {
	var list []Proof
	if f.Proof != nil {
		list = append(list, *f.Proof)
	}
	for _, k := range f.Challenges {
		if k.Proof != nil && k.Proof.Shows == debate.ProvesContrary {
			list = append(list, *k.Proof)
		}
	}
	return list
}

// Says is the result of a test in a sentence.
func (p Proof) Says() string {
	text := map[debate.Proof]string{
		debate.ProvesRegression: "Proven: this test fails on the pull request and passes before it",
		debate.ProvesNew:        "Proven: this test fails on the pull request, and tests code that is new",
		debate.ProvesOlder:      "This test fails on the pull request and before it, so the defect is older",
		debate.ProvesContrary:   "Against it: this test passes on the pull request",
	}[p.Shows]
	switch p.Sandbox {
	case debate.NoSandbox:
		text += " (run without a sandbox)"
	case debate.ByWorkflow:
		text += " (run by the workflow)"
	}
	return text + "."
}

// Ran is the command of a test, as one line.
func (p Proof) Ran() string { return OneLine(strings.Join(p.Command, " ")) }

// proofMarkdown is a test with its command and output, folded.
func proofMarkdown(p Proof) string {
	text := comment.Code(OneLine(p.Path)) + "\n\n" + comment.Fence("", Bounded(p.Content)) + "\n" + comment.Code(p.Ran())
	if p.Output != "" {
		text += "\n\n" + comment.Fence("", Bounded(p.Output))
	}
	return comment.MarkdownLine(p.Says()) + "\n\n" + fold("The test", text)
}
