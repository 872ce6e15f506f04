// Package shell finds dangerous commands in scripts, by their syntax tree. The run
// steps of workflows and the RUN instructions of Dockerfiles are scripts too.
package shell

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

const source = "mvdan.cc/sh syntax tree"

// Kind finds dangerous commands in scripts. The run steps of workflows
// and the RUN instructions of Dockerfiles are judged by the same rules.
var Kind = check.Kind{
	Rules: func() []check.Rule {
		return []check.Rule{
			{ID: "shell/pipe-to-shell", Source: source, Title: "Download is run without a check", Severity: debate.P2, Category: "security"},
			{ID: "shell/rm-rf-variable", Source: source, Title: "Recursive delete may hit the root or a home directory", Severity: debate.P1, Category: "data-loss"},
			{ID: "shell/chmod-777", Source: source, Title: "Everybody may write", Severity: debate.P3, Category: "security"},
			{ID: "shell/tls-off", Source: source, Title: "Certificate check is switched off", Severity: debate.P2, Category: "security"},
			{ID: "shell/eval-input", Source: source, Title: "Input is evaluated as code", Severity: debate.P2, Category: "security"},
			{ID: "shell/force-push", Source: source, Title: "Force push to the main branch", Severity: debate.P2, Category: "data-loss"},
			{ID: "shell/syntax", Source: source, Title: "Script does not parse", Severity: debate.P2, Category: "correctness"},
		}
	},
	Review: check.Each(isShell, reviewFile),
}

// maxScript bounds a script that is parsed, in bytes.
const maxScript = 256 << 10

// isShell accepts scripts of the Bourne family by their name or first line.
// zsh and fish have grammars of their own.
func isShell(f *check.File) bool {
	if len(f.Added) == 0 || check.InFixtures(f.NewPath) {
		return false
	}
	switch ext := path.Ext(f.NewPath); {
	case slices.Contains([]string{".sh", ".bash", ".bats", ".ksh"}, ext):
		return true
	case f.NewMode&0o111 != 0: // whatever its name, its first line says how it runs
		return Shebang(string(f.Head())) != ""
	case ext == "":
		first, _ := f.Line(1)
		return Shebang(first) != ""
	}
	return false
}

var shebangLine = lazyregexp.New(`^#!\s*(?:\S*/)?(?:env\s+(?:-S\s+)?)?(?:\S*/)?(bash|sh|dash|ash|ksh|mksh|bats)(?:\s|$)`)

// Shebang is the shell that the first line asks for, "" if none of the family.
func Shebang(text string) string {
	m := shebangLine().FindStringSubmatch(text[:min(check.LineEnd(text), 200)])
	if m == nil {
		return ""
	}
	return m[1]
}

// OfOthers reports whether the first line of a text asks for something that is no shell of
// the family: zsh, fish, or no shell at all.
func OfOthers(text string) bool { return strings.HasPrefix(text, "#!") && Shebang(text) == "" }

func reviewFile(f *check.File, out *check.Findings) {
	text, ok := f.WholeSource()
	if !ok {
		out.NotRead(f, "shell")
		if f.Head() == nil {
			reviewPart(f, out)
		}
		return
	}
	if OfOthers(text) {
		return
	}
	shell := Shebang(text)
	prog, err := parseWhole(text, shell)
	if errors.Is(err, errTooDeep{}) {
		out.NotRead(f, "shell")
		return
	}
	if err != nil {
		reportShellSyntax(f, text, shell, err, out)
		return
	}
	judgeScript(f, Script{Text: text, prog: prog}, out)
}

// ReviewScript judges a script that is a part of a file. One that does not parse
// is left alone: what holds it may make it whole.
func ReviewScript(f *check.File, s Script, out *check.Findings) {
	prog, err := parseShell(s.Text, "")
	switch {
	case err == nil:
		s.prog = prog
		judgeScript(f, s, out)
	case errors.Is(err, errTooDeep{}):
		out.NotRead(f, "shell")
	}
}

// templateMark begins what a template fills in.
var templateMark = lazyregexp.New(`\{\{|\{%|<%`)

// reportShellSyntax reports a script that no shell of its kind can read. What
// templates make of it, and what already failed at the base, is left alone.
func reportShellSyntax(f *check.File, text, shell string, err error, out *check.Findings) {
	perr, ok := err.(syntax.ParseError)
	if !ok || !slices.Contains([]string{"bash", "sh", "dash"}, shell) || templateMark().MatchString(text) {
		return
	}
	if _, err := parseWhole(string(f.Base()), shell); err != nil {
		return
	}
	line := int(perr.Pos.Line())
	out.Hit(f, "shell/syntax", line, line, debate.Hit{
		Title: "Script does not parse: " + check.Shown(perr.Text),
		Body:  "The shell stops at this line, after having run everything before it. Close or correct the construct.",
	})
}

// errTooDeep refuses scripts whose nesting would cost the parser its stack.
type errTooDeep struct{}

func (errTooDeep) Error() string { return "script is too large or nested too deeply" }

// parseWhole parses a script that is a file. Two parentheses that do not close as two hold
// no sum: the shells but dash take the second for a subshell, `$((make) 2>&1)`, where the
// library wants a blank between them.
func parseWhole(text, shell string) (*syntax.File, error) {
	prog, err := parseShell(text, shell)
	if err != nil && shell != "dash" {
		return parseShell(spaced(text), shell)
	}
	return prog, err
}

// spaced is a script with a blank between two parentheses that open together and do not
// close together.
func spaced(text string) string {
	var opened []int
	closed := make(map[int]int) // where each opened, and where it closed
	apart := make(map[int]bool) // the second ones
	for i, c := range []byte(text) {
		switch {
		case c == '(':
			opened = append(opened, i)
		case c == ')' && len(opened) > 0:
			at := opened[len(opened)-1]
			opened = opened[:len(opened)-1]
			closed[at] = i
			if second, follows := closed[at+1]; follows && second+1 < i {
				apart[at+1] = true
			}
		}
	}
	var b strings.Builder
	for i := range len(text) {
		if apart[i] {
			b.WriteByte(' ')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// parseShell parses a script as the shell that it names; sh is tried as bash
// too, which is what it often is.
func parseShell(text, shell string) (*syntax.File, error) {
	if len(text) > maxScript || TooDeep(text) {
		return nil, errTooDeep{}
	}
	var first error
	for _, lang := range variants[shell] {
		prog, err := syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(text), "")
		if err == nil {
			return prog, nil
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

// variants are the languages that a script of each shell may be written in.
var variants = map[string][]syntax.LangVariant{
	"": {syntax.LangBash}, "bash": {syntax.LangBash},
	"ksh": {syntax.LangMirBSDKorn, syntax.LangBash}, "mksh": {syntax.LangMirBSDKorn, syntax.LangBash}, "bats": {syntax.LangBats},
	"sh": {syntax.LangBash, syntax.LangPOSIX}, "dash": {syntax.LangBash, syntax.LangPOSIX}, "ash": {syntax.LangBash, syntax.LangPOSIX},
}

// maxShellNesting is far beyond what people write.
const maxShellNesting = 400

// What opens something, and what closes it.
var (
	nestingBrackets = map[string]int{"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}
	nestingWords    = map[string]int{"if": 1, "while": 1, "until": 1, "for": 1, "case": 1, "select": 1, "fi": -1, "done": -1, "esac": -1}
	nesting         = lazyregexp.New(`[(){}\[\]]|[\w$[:^ascii:]]+`)
)

// TooDeep estimates the nesting from brackets and opening words, quoted or not.
func TooDeep(text string) bool {
	brackets, words := 0, 0
	for _, token := range nesting().FindAllString(text, -1) {
		brackets = max(brackets+nestingBrackets[token], 0)
		words = max(words+nestingWords[token], 0)
		if max(brackets, words) > maxShellNesting {
			return true
		}
	}
	return false
}

// Script is shell code somewhere in a file.
type Script struct {
	Text    string
	prog    *syntax.File
	Places  []Place         // where its parts stand, ascending by offset; nil: the script is the file
	Set     map[string]bool // variables that hold something when it starts
	Partial bool            // the rest of the script is not known
	ends    bool            // an unset variable ends it, as that rest says
}

// Place says on which head line the text from an offset on stands.
type Place struct {
	Offset int
	Line   int
}

// headLine is the head line of a position in the script.
func (s Script) headLine(pos syntax.Pos) int {
	if s.Places == nil {
		return int(pos.Line())
	}
	return LineAt(s.Places, int(pos.Offset()))
}

// LineAt is the head line of an offset into a script whose parts stand at places.
func LineAt(places []Place, offset int) int {
	after, _ := slices.BinarySearchFunc(places, offset+1, func(p Place, offset int) int { return p.Offset - offset })
	return places[max(after-1, 0)].Line
}

// lines are the head lines of a node.
func (s Script) lines(n syntax.Node) (first, last int) {
	first = s.headLine(n.Pos())
	return first, max(first, s.headLine(n.End()))
}
