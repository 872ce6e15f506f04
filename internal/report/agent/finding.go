package agent

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// Finding is a finding to hand over. Its texts may come from anywhere.
type Finding struct {
	ID       string // such as F1; may be ""
	Severity debate.Severity
	Standing Standing
	Category debate.Category // "" or an unknown one counts as correctness

	Path    string // "": it is about the whole change
	Line    int    // 0: about no line
	EndLine int
	Before  bool // the lines are those of the file before the change

	Title, Body string
	Suggestion  string // a model's text to replace the lines, "" for none
	TestPath    string // of a test that fails because of it, "" for none
	Test        string
	Against     []Objection // open objections to it
	Also        []string    // further places of its evidence, as path:line
}

// Standing is the state of a finding.
type Standing string

// The states of current findings.
const (
	Confirmed   Standing = "confirmed"
	Unconfirmed Standing = "not confirmed" // no other model weighed it, or none was sure
	Disputed    Standing = "disputed"
)

// Objection is one objection to a finding.
type Objection struct{ By, Says string }

// The bounds of quoted text, in characters and in entries.
const (
	maxLine       = 300
	maxBody       = 2000
	maxTest       = 16_000
	maxObjections = 5
	maxPlaces     = 5
)

// block is one finding.
func (f Finding) block() string {
	var b strings.Builder
	parts := []string{oneLine(f.ID), severities[f.Severity], string(f.Standing)} // another severity could be any text
	head := slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	fmt.Fprintf(&b, "## %s\n\n", strings.Join(head, ", "))
	fmt.Fprintf(&b, "Where: %s\n", f.where())
	b.WriteString("What is wrong, in the words of the review:\n" + quoted(oneLine(f.Title)))
	if f.Body != "" {
		b.WriteString(">\n" + quoted(comment.Clip(f.Body, maxBody)))
	}
	if len(f.Against) > 0 {
		b.WriteString("What is said against it:\n")
	}
	for _, o := range f.Against[:min(len(f.Against), maxObjections)] {
		b.WriteString(quoted(oneLine(o.By) + ": " + comment.Clip(o.Says, maxBody)))
	}
	if f.Suggestion != "" {
		b.WriteString("Suggested change (not tested):\n" + quoted(comment.Clip(f.Suggestion, maxBody)))
	}
	if f.TestPath != "" {
		b.WriteString("A test that fails because of it, to be written to " + place(f.TestPath) + ":\n" + quoted(comment.Clip(f.Test, maxTest)))
	}
	fmt.Fprintf(&b, "What must hold: %s\n", f.mustHold())
	fmt.Fprintf(&b, "How to check: %s\n", f.check())
	return b.String()
}

// severities has the known severities.
var severities = map[debate.Severity]string{debate.P1: "P1", debate.P2: "P2", debate.P3: "P3"}

// where is the place of a finding.
func (f Finding) where() string {
	lines := ""
	switch {
	case f.Line <= 0:
	case f.EndLine > f.Line:
		lines = fmt.Sprintf(", lines %d-%d", f.Line, f.EndLine)
	default:
		lines = fmt.Sprintf(", line %d", f.Line)
	}
	if f.Before {
		lines += " of the file before the change"
	}
	switch f.Path {
	case "":
		return "the whole change"
	case debate.BodyPath:
		return "the text of the pull request" + lines
	}
	return place(f.Path) + lines
}

// mustHold is the goal of a repair.
func (f Finding) mustHold() string {
	says := cmp.Or(holds[f.Category], holds[debate.Correctness])
	isText := f.Path == debate.BodyPath || isDocument(f.Path)
	if isText && f.Category != debate.Docs {
		says = "the text answers what is described, and claims nothing that is not true."
	}
	return fmt.Sprintf(cmp.Or(findOut[f.Standing], "%s"), says)
}

// findOut comes before the goal if a finding was not confirmed.
var findOut = map[Standing]string{
	Disputed:    "find out first who is right. If it is a defect: %s If it is none: the code stays as it is, and you say why.",
	Unconfirmed: "find out first whether it is true. If it is: %s If it is not: the code stays as it is, and you say why.",
}

// holds has the goal of a repair for each category.
var holds = map[debate.Category]string{
	debate.Correctness:     "the result is right in the case that is described, and the same as before in every other case.",
	debate.Security:        "what is described cannot be done any more, by this way or a similar one, and people with permission can still do their work.",
	debate.DataLoss:        "no stored data is lost in the case that is described, also where the program stops half way.",
	debate.Reliability:     "the program goes on, or fails as its callers expect, in the case that is described.",
	debate.Performance:     "the case that is described costs no more than it has to, and every result is the same as before.",
	debate.Compatibility:   "who uses the interface or the data as they were before can still do so.",
	debate.Maintainability: "the code misleads no reader, and does exactly what it did before.",
	debate.Design:          "the weakness that is described is gone, and what the change is for still works.",
	debate.Docs:            "the text says what the code does.",
}

// check says how to find out whether a repair holds. It names tests and files, and never
// a command or an address: the agent knows how tests are run here.
func (f Finding) check() string {
	var again []string
	for _, at := range f.Also[:min(len(f.Also), maxPlaces)] {
		again = append(again, place(at))
	}
	says := ""
	switch {
	case f.TestPath != "":
		says = "the test above passes."
	case f.Path == "":
		says = "read the whole change again."
	case f.Path == debate.BodyPath:
		says = "read the text of the pull request again."
	case isDocument(f.Path):
		says = "read " + place(f.Path) + " again from its beginning to its end."
	case isTest(f.Path):
		says = "the test in " + place(f.Path) + " fails where the code that it tests is wrong."
	default:
		says = "a test of " + place(f.Path) + " fails without your change and succeeds with it. If it cannot be tested, read the file again around your change."
	}
	if len(again) > 0 {
		says += " Then look at " + strings.Join(again, ", ") + "."
	}
	return says
}

// isDocument reports whether a file is a text for people.
func isDocument(name string) bool {
	return slices.Contains([]string{".md", ".markdown", ".rst", ".adoc", ".txt"}, strings.ToLower(path.Ext(name)))
}

// isTest reports whether a file has tests, by the naming rules of its language.
func isTest(name string) bool {
	base := strings.ToLower(path.Base(name))
	return testName().MatchString(strings.TrimSuffix(base, path.Ext(base)))
}

// testName is the name of a test file without its extension.
var testName = lazyregexp.New(`^test_|[._-](test|spec)$`)

// place is a file, or lines of one, as code: it cannot be taken for a sentence.
func place(name string) string { return comment.Code(oneLine(name)) }

func oneLine(s string) string {
	return comment.Clip(comment.Line(comment.Clip(s, maxLine)), maxLine)
}

// quoted is text with the mark of a quotation before each line. Characters that could end a line
// unseen are shown as code points.
func quoted(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(comment.Terminal(text), "\n"), "\n") {
		b.WriteString(strings.TrimRight("> "+line, " ") + "\n")
	}
	return b.String()
}
