package outline

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// span is a run of lines, by their index.
type span struct{ first, last int }

// names are the first lines of declarations that a word announces, in any of the
// languages that have such words; callables are those of C and its heirs, that
// only look like one.
var (
	names = lazyregexp.New(`^\s*(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\([^)]*\))?|unsafe|inline|virtual|override|open|sealed|suspend|extern|partial|declare|data|case)\s+)*` +
		`(?:func|function\*?|fn|fun|def|defp|class|interface|struct|enum|trait|impl|module|namespace|object|record|protocol|extension|sub|procedure|mod|type|union|service|message|resource|contract)\b[\s(]*[\w\$*&<]`)
	values    = lazyregexp.New(`^(?:export\s+)?(?:const|let|var|static)\b`)
	callables = lazyregexp.New(`^\s*[\w<>\[\],.&*:~@#$?\s]*[\w>)]\s*\([^;]*(?:\{|\()\s*$`)
	arrows    = lazyregexp.New(`^\s*(?:[\w.]+|(?:public|private|static|readonly)\s+[\w.]+)\s*[:=]\s*(?:async\s*)?(?:function\b|\(?[\w\s,:]*\)?\s*=>)`)
	controls  = lazyregexp.New(`^\s*[})]*\s*(?:if|else|for|foreach|while|do|switch|match|when|catch|try|return|with|using|lock|synchronized|unless|until|case|go|defer|select|await|yield|throw|raise|print|new|super|this|assert)\b`)
)

// declarations finds what is declared in some lines, in the order of the first
// lines. One takes the lines below that are indented more than its first one, and
// the line that closes it.
func declarations(lines []string, code map[int]bool) []span {
	var all []span
	for i, line := range lines {
		if code[i] && (declares(line) || bracedBelow(lines[i:])) {
			all = append(all, span{i, end(lines, code, i)})
		}
	}
	return all
}

func declares(line string) bool {
	if len(line) > maxDeclaring || controls().MatchString(line) {
		return false
	}
	return slices.ContainsFunc([]lazyregexp.Regexp{names, values, callables, arrows}, func(form lazyregexp.Regexp) bool {
		return form().MatchString(line)
	})
}

// bracedBelow reports whether some lines begin with one that declares something
// once the brace of the line below stands beside it.
func bracedBelow(lines []string) bool {
	if len(lines) < 2 || strings.TrimSpace(lines[1]) != "{" {
		return false
	}
	return declares(strings.TrimRight(lines[0], " \t\r") + " {")
}

// maxDeclaring is how long the first line of a declaration may be, in bytes.
const maxDeclaring = 400

// end is the last line of the declaration that begins at a line.
func end(lines []string, code map[int]bool, begin int) int {
	depth, last := indent(lines[begin]), begin
	for i := begin + 1; i < len(lines); i++ {
		trimmed := strings.TrimSpace(lines[i])
		switch {
		case trimmed == "":
		case indent(lines[i]) > depth:
			last = i
		case trimmed[0] == '{' && last == begin, reopening().MatchString(trimmed):
			last = i // the signature goes on
		case closing().MatchString(trimmed) && indent(lines[i]) == depth:
			return i
		case code[i]:
			return last
		}
	}
	return last
}

// indent measures the blanks before a line; a tab is four.
func indent(line string) int {
	blanks := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return len(blanks) + 3*strings.Count(blanks, "\t")
}

const closes = `^(?:[)\]}]|end[;,.]*(?: |$))`

// closing begins a line that closes a declaration, reopening is such a line that goes on
// below.
var (
	closing   = lazyregexp.New(closes)
	reopening = lazyregexp.New(closes + `(?s:.*)[{(\[:]$`)
)
