package critic

import (
	"errors"
	"path"
	"regexp"
	"sort"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/prdebate/debate/internal/debate"
)

const shellSource = "mvdan.cc/sh syntax tree"

// shellFamily finds dangerous commands in scripts. The run steps of workflows
// and the RUN instructions of Dockerfiles are judged by the same rules.
var shellFamily = family{
	rules: func() []Rule {
		return []Rule{
			{ID: "shell/pipe-to-shell", Source: shellSource, Title: "Download is run without a check", Severity: debate.P2, Category: "security"},
			{ID: "shell/rm-rf-variable", Source: shellSource, Title: "Recursive delete may hit the root or a home directory", Severity: debate.P1, Category: "data-loss"},
			{ID: "shell/chmod-777", Source: shellSource, Title: "Everybody may write", Severity: debate.P3, Category: "security"},
			{ID: "shell/tls-off", Source: shellSource, Title: "Certificate check is switched off", Severity: debate.P2, Category: "security"},
			{ID: "shell/eval-input", Source: shellSource, Title: "Input is evaluated as code", Severity: debate.P2, Category: "security"},
			{ID: "shell/force-push", Source: shellSource, Title: "Force push to the main branch", Severity: debate.P2, Category: "data-loss"},
			{ID: "shell/syntax", Source: shellSource, Title: "Script does not parse", Severity: debate.P2, Category: "correctness"},
		}
	},
	review: each(isShell, reviewShellFile),
}

// maxScript bounds a script that is parsed, in bytes.
const maxScript = 256 << 10

// isShell accepts scripts of the Bourne family by their name or first line.
// zsh and fish have grammars of their own.
func isShell(f *file) bool {
	if len(f.added) == 0 || inFixtures(f.NewPath) {
		return false
	}
	switch path.Ext(f.NewPath) {
	case ".sh", ".bash", ".bats", ".ksh":
		return true
	case "":
		return f.NewMode&0o111 != 0 && shebang(string(f.head())) != "" || f.added[0].New == 1 && shebang(f.added[0].Text) != ""
	}
	return false
}

// inFixtures reports whether a path lies among test data, which nothing runs.
func inFixtures(p string) bool {
	for _, d := range strings.Split(path.Dir(p), "/") {
		switch d {
		case "testdata", "fixtures", "__fixtures__", "__snapshots__", "node_modules", "vendor":
			return true
		}
	}
	return false
}

var shebangLine = regexp.MustCompile(`^#!\s*(?:\S*/)?(?:env\s+(?:-S\s+)?)?(?:\S*/)?(bash|sh|dash|ash|ksh|mksh|bats)(?:\s|$)`)

// shebang is the shell that the first line asks for, "" if none of the family.
func shebang(text string) string {
	m := shebangLine.FindStringSubmatch(text[:min(lineEnd(text), 200)])
	if m == nil {
		return ""
	}
	return m[1]
}

func reviewShellFile(f *file, out *findings) {
	text, ok := f.wholeSource()
	if !ok {
		out.notRead(f, "shell")
		return
	}
	shell := shebang(text)
	if shell == "" && strings.HasPrefix(text, "#!") {
		return // zsh, fish, or no shell at all
	}
	prog, err := parseShell(text, shell)
	if errors.Is(err, errTooDeep{}) {
		out.notRead(f, "shell")
		return
	}
	if err != nil {
		reportShellSyntax(f, text, shell, err, out)
		return
	}
	judgeScript(f, script{text: text, prog: prog}, out)
}

// reviewScript judges a script that is a part of a file. One that does not parse
// is left alone: what holds it may make it whole.
func reviewScript(f *file, s script, out *findings) {
	prog, err := parseShell(s.text, "")
	switch {
	case err == nil:
		s.prog = prog
		judgeScript(f, s, out)
	case errors.Is(err, errTooDeep{}):
		out.notRead(f, "shell")
	}
}

// reportShellSyntax reports a script that no shell of its kind can read. What
// templates make of it, and what already failed at the base, is left alone.
func reportShellSyntax(f *file, text, shell string, err error, out *findings) {
	perr, ok := err.(syntax.ParseError)
	if !ok || shell != "bash" && shell != "sh" && shell != "dash" {
		return
	}
	if strings.Contains(text, "{{") || strings.Contains(text, "{%") || strings.Contains(text, "<%") {
		return
	}
	if base := f.base(); base != nil {
		if _, err := parseShell(string(base), shell); err != nil {
			return
		}
	}
	line := int(perr.Pos.Line())
	out.hit(f, "shell/syntax", line, line, debate.Hit{
		Title: "Script does not parse: " + shown(perr.Text),
		Body:  "The shell stops at this line, after having run everything before it. Close or correct the construct.",
	})
}

// errTooDeep refuses scripts whose nesting would cost the parser its stack.
type errTooDeep struct{}

func (errTooDeep) Error() string { return "script is too large or nested too deeply" }

// parseShell parses a script as the shell that it names; sh is tried as bash
// too, which is what it often is.
func parseShell(text, shell string) (*syntax.File, error) {
	if len(text) > maxScript || tooDeep(text) {
		return nil, errTooDeep{}
	}
	langs := []syntax.LangVariant{syntax.LangBash}
	switch shell {
	case "ksh", "mksh":
		langs = []syntax.LangVariant{syntax.LangMirBSDKorn, syntax.LangBash}
	case "bats":
		langs = []syntax.LangVariant{syntax.LangBats}
	case "sh", "dash", "ash":
		langs = []syntax.LangVariant{syntax.LangBash, syntax.LangPOSIX}
	}
	var first error
	for _, lang := range langs {
		prog, err := syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(text), "")
		if err == nil {
			return prog, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// maxShellNesting is far beyond what people write.
const maxShellNesting = 400

// tooDeep estimates the nesting from brackets and opening words, quoted or not.
func tooDeep(text string) bool {
	brackets, words := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(' || c == '{' || c == '[':
			brackets++
		case c == ')' || c == '}' || c == ']':
			brackets = max(brackets-1, 0)
		case c >= 'a' && c <= 'z' && (i == 0 || !isIdentPart(text[i-1])):
			end := i
			for end < len(text) && isIdentPart(text[end]) {
				end++
			}
			switch text[i:end] {
			case "if", "while", "until", "for", "case", "select":
				words++
			case "fi", "done", "esac":
				words = max(words-1, 0)
			}
			i = end - 1
		}
		if brackets > maxShellNesting || words > maxShellNesting {
			return true
		}
	}
	return false
}

// script is shell code somewhere in a file.
type script struct {
	text   string
	prog   *syntax.File
	places []place         // where its parts stand, ascending by offset; nil: the script is the file
	set    map[string]bool // variables that hold something when it starts
}

// place says on which head line the text from an offset on stands.
type place struct {
	offset int
	line   int
}

// headLine is the head line of a position in the script.
func (s script) headLine(pos syntax.Pos) int {
	if s.places == nil {
		return int(pos.Line())
	}
	return lineAt(s.places, int(pos.Offset()))
}

// lineAt is the head line of an offset into a script whose parts stand at places.
func lineAt(places []place, offset int) int {
	i := sort.Search(len(places), func(i int) bool { return places[i].offset > offset })
	return places[max(i-1, 0)].line
}

// lines are the head lines of a node.
func (s script) lines(n syntax.Node) (first, last int) {
	first = s.headLine(n.Pos())
	return first, max(first, s.headLine(n.End()))
}
