// Package shell finds dangerous commands in scripts, by their syntax tree. Run steps of workflows
// and RUN instructions of Dockerfiles are scripts too.
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

// Kind finds dangerous commands in scripts. The same rules judge the run steps of workflows and the
// RUN instructions of Dockerfiles.
var Kind = check.Kind{
	Rules: []check.Rule{
		{ID: "shell/pipe-to-shell", Source: source, Title: "Download is run without a check", Severity: debate.P2, Category: "security"},
		{ID: "shell/rm-rf-variable", Source: source, Title: "Recursive delete may hit the root or a home directory", Severity: debate.P1, Category: "data-loss"},
		{ID: "shell/chmod-777", Source: source, Title: "Everybody may write", Severity: debate.P3, Category: "security"},
		{ID: "shell/tls-off", Source: source, Title: "Certificate check is switched off", Severity: debate.P2, Category: "security"},
		{ID: "shell/eval-input", Source: source, Title: "Input is evaluated as code", Severity: debate.P2, Category: "security"},
		{ID: "shell/force-push", Source: source, Title: "Force push to the main branch", Severity: debate.P2, Category: "data-loss"},
		{ID: "shell/syntax", Source: source, Title: "Script does not parse", Severity: debate.P2, Category: "correctness"},
	},
	Review: check.Each(isShell, reviewFile),
}

// maxScript bounds a script to parse, in bytes.
const maxScript = 256 << 10

// isShell accepts scripts of the Bourne family by their name or first line. zsh and fish have
// grammars of their own.
func isShell(f *check.File) bool {
	if len(f.Added) == 0 || check.InFixtures(f.NewPath) {
		return false
	}
	switch ext := path.Ext(f.NewPath); {
	case slices.Contains([]string{".sh", ".bash", ".bats", ".ksh"}, ext):
		return true
	case f.NewMode&0o111 != 0: // its first line tells how it runs
		return Shebang(string(f.Head())) != ""
	case ext == "":
		first, _ := f.Line(1)
		return Shebang(first) != ""
	}
	return false
}

var shebangLine = lazyregexp.New(`^#!\s*(?:\S*/)?(?:env\s+(?:-S\s+)?)?(?:\S*/)?(bash|sh|dash|ash|ksh|mksh|bats)(?:\s|$)`)

// Shebang returns the shell of the first line, "" if it names none of the family.
func Shebang(text string) string {
	m := shebangLine().FindStringSubmatch(text[:min(check.LineEnd(text), 200)])
	if m == nil {
		return ""
	}
	return m[1]
}

// OtherInterpreter reports whether the first line names an interpreter outside the family: zsh,
// fish, or no shell at all.
func OtherInterpreter(text string) bool { return strings.HasPrefix(text, "#!") && Shebang(text) == "" }

func reviewFile(f *check.File, out *check.Findings) {
	text, ok := f.WholeSource()
	if !ok {
		out.NotRead(f, "shell")
		if f.Head() == nil {
			reviewPart(f, out)
		}
		return
	}
	if OtherInterpreter(text) {
		return
	}
	shell := Shebang(text)
	prog, err := parseWhole(text, shell)
	if errors.Is(err, errTooDeep) {
		out.NotRead(f, "shell")
		return
	}
	if err != nil {
		reportShellSyntax(f, text, shell, err, out)
		return
	}
	judgeScript(f, Script{Text: text, prog: prog}, out)
}

// ReviewScript judges a script in a part of a file. It ignores one that does not parse: the file
// around it may complete it.
func ReviewScript(f *check.File, s Script, out *check.Findings) {
	prog, err := parseShell(s.Text, "")
	switch {
	case err == nil:
		s.prog = prog
		judgeScript(f, s, out)
	case errors.Is(err, errTooDeep):
		out.NotRead(f, "shell")
	}
}

// templateMark matches the start of a template's placeholder.
var templateMark = lazyregexp.New(`\{\{|\{%|<%`)

// reportShellSyntax reports a script that no shell of its kind can read. It ignores templates, and
// scripts that already failed at the base.
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

// errTooDeep refuses scripts with a nesting that would exhaust the parser's stack.
var errTooDeep = errors.New("script is too large or nested too deeply")

// parseWhole parses a script in a file of its own. Two opening parentheses without a matching pair
// of closing ones are no sum: all shells but dash take the second for a subshell, `$((make) 2>&1)`,
// but the library demands a blank between them.
func parseWhole(text, shell string) (*syntax.File, error) {
	prog, err := parseShell(text, shell)
	if err != nil && shell != "dash" {
		return parseShell(spaced(text), shell)
	}
	return prog, err
}

// spaced puts a blank between two parentheses if they open together but do not close together.
func spaced(text string) string {
	var opened []int
	closed := make(map[int]int) // opening offsets to closing offsets
	apart := make(map[int]bool) // offsets of the second ones
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

// parseShell parses a script for the shell it names. It also tries sh as bash, since it often is.
func parseShell(text, shell string) (*syntax.File, error) {
	if len(text) > maxScript || TooDeep(text) {
		return nil, errTooDeep
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

// variants are the possible languages of a script of each shell.
var variants = map[string][]syntax.LangVariant{
	"": {syntax.LangBash}, "bash": {syntax.LangBash},
	"ksh": {syntax.LangMirBSDKorn, syntax.LangBash}, "mksh": {syntax.LangMirBSDKorn, syntax.LangBash}, "bats": {syntax.LangBats},
	"sh": {syntax.LangBash, syntax.LangPOSIX}, "dash": {syntax.LangBash, syntax.LangPOSIX}, "ash": {syntax.LangBash, syntax.LangPOSIX},
}

// maxShellNesting is far beyond the nesting of scripts by people.
const maxShellNesting = 400

// Openers and closers count +1 and -1.
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
	Places  []Place         // of its parts in the file, ascending by offset; nil: the script is the file
	Set     map[string]bool // variables with a value at the start
	Partial bool            // the rest of the script is unknown
	nounset bool            // an unset variable ends it, as the rest says
}

// Place is the head line of the text from an offset on.
type Place struct {
	Offset int
	Line   int
}

// headLine returns the head line of a position in the script.
func (s Script) headLine(pos syntax.Pos) int {
	if s.Places == nil {
		return int(pos.Line())
	}
	return LineAt(s.Places, int(pos.Offset()))
}

// LineAt returns the head line of an offset into a script with these places.
func LineAt(places []Place, offset int) int {
	after, _ := slices.BinarySearchFunc(places, offset+1, func(p Place, offset int) int { return p.Offset - offset })
	return places[max(after-1, 0)].Line
}
