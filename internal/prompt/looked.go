package prompt

import (
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// Looked returns the results of the looks of a party, one text for each look. After the last
// one is the number of looks left.
func (p *Packet) Looked(seen []debate.Seen, left int) []string {
	parts := make([]string, len(seen))
	for i, s := range seen {
		parts[i] = p.fenced(p.seen(s))
	}
	if left > 0 {
		parts[len(seen)-1] += "This is what you asked to see. Answer now, or look at up to " + strconv.Itoa(left) + " more things.\n"
	} else {
		parts[len(seen)-1] += "This is what you asked to see. You cannot look any further: answer now, without \"look\".\n"
	}
	return parts
}

// seen is one look with its result.
func (p *Packet) seen(s debate.Seen) string {
	var b strings.Builder
	b.WriteString("look: " + p.Line(clip(wished(s.Look), maxHeading)) + "\n")
	mark := " "
	if s.Side == debate.Left {
		mark = "-"
	}
	for _, run := range s.Runs {
		last := run.First + len(run.Lines) - 1
		b.WriteString("context " + p.Line(clip(run.Path, maxHeading)) + " " + strconv.Itoa(run.First) + "-" + strconv.Itoa(last) + "\n")
		for i, line := range run.Lines {
			b.WriteString(mark + strconv.Itoa(run.First+i) + " " + p.Line(line) + "\n")
		}
	}
	for _, name := range s.Names {
		b.WriteString(" " + p.Line(name) + "\n")
	}
	if s.Test != nil {
		b.WriteString(p.tested(*s.Test))
		return b.String()
	}
	switch {
	case s.Why != "":
		b.WriteString("[" + withheld[s.Why] + "]\n")
	case s.Cut != "":
		b.WriteString("[" + shortened[s.Cut] + "]\n")
	case len(s.Runs)+len(s.Names) == 0:
		b.WriteString("[nothing is found]\n")
	}
	return b.String()
}

// wished is a look in the words of its party.
func wished(l debate.Look) string {
	text := string(l.Kind)
	switch {
	case l.Kind == debate.LookGrep:
		text += " " + l.Pattern
		if len(l.Paths) > 0 {
			text += " in " + strings.Join(l.Paths, ", ")
		}
	case l.Path != "":
		text += " " + l.Path
	}
	if l.EndLine > 0 {
		text += " " + strconv.Itoa(max(1, l.StartLine)) + "-" + strconv.Itoa(l.EndLine)
	}
	if l.Side == debate.Left {
		text += " at the base"
	}
	return text
}

// withheld has the reasons for a look without a result.
var withheld = map[debate.Withheld]string{
	debate.LookUnclear:    "not understood: ask for read, grep or list",
	debate.LookOutside:    "refused: the path is no path inside the repository",
	debate.LookMissing:    "there is nothing of this name, or no such line",
	debate.LookDirectory:  "this is a directory: use list",
	debate.LookNoDir:      "this is no directory: use read",
	debate.LookSymlink:    "refused: this is a symbolic link, and links are not followed",
	debate.LookSubmodule:  "refused: this is a submodule, which is another repository",
	debate.LookLFS:        "refused: git has only a pointer to this file (git-lfs)",
	debate.LookSecret:     "refused: by its name this file holds secrets",
	debate.LookPrivate:    "refused: the settings keep this path private",
	debate.LookBinary:     "this is no text",
	debate.LookTooLarge:   "not shown: it is too large",
	debate.LookUnreadable: "it could not be read",
	debate.LookBadPattern: "the expression is not one in RE2 syntax, or the paths are no simple globs",
	debate.LookNoSearch:   "search is not available here: use read and list",
	debate.LookNoTests:    "tests are not run here",
	debate.LookTestPath:   "not run: no test may be written at this path; give it the name of a test file that the request allows",
	debate.LookTestTaken:  "not run: a file of this name is there; choose another one",
	debate.LookTestText:   "not run: a test has at most 200 lines and a name that the command can take",
	debate.LookUsedUp:     "not shown: what you may look at is used up",
}

// shortened has the reasons for a result with missing parts.
var shortened = map[debate.Cut]string{
	debate.CutLines: "there is more: ask for other lines, or search for something more special",
	debate.CutBytes: "there is more, but no room for it in this turn",
	debate.CutTime:  "the search took too long and is not complete: name paths, or a longer text",
	debate.CutTree:  "there may be more: a part of the repository cannot be reached from here",
}

// tested is the result of a test, with its use for the party.
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
			b.WriteString(" " + p.Line(line) + "\n")
		}
	}
	return b.String()
}

// endings lists the outcome of each run of a test.
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

// meaning says what a test proves, or why it proves nothing.
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

// test is a cited test for the other parties.
type test struct {
	Path    string `json:"path"`
	Content string `json:"content"`
	Ended   string `json:"ended"`
	Output  string `json:"output,omitempty"`
}

// test shows the test of some evidence, so that other parties can weigh it.
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
