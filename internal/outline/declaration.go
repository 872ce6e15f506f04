package outline

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// span is a run of lines, by their index.
type span struct{ first, last int }

// names matches first lines of declarations with a keyword, in any language. callables matches
// those of C and its heirs, known by their shape alone.
var (
	names = lazyregexp.New(`^\s*(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\([^)]*\))?|unsafe|inline|virtual|override|open|sealed|suspend|extern|partial|declare|data|case)\s+)*` +
		`(?:func|function\*?|fn|fun|def|defp|class|interface|struct|enum|trait|impl|module|namespace|object|record|protocol|extension|sub|procedure|mod|type|union|service|message|resource|contract)\b[\s(]*[\w\$*&<]`)
	values    = lazyregexp.New(`^(?:export\s+)?(?:const|let|var|static)\b`)
	callables = lazyregexp.New(`^\s*[\w<>\[\],.&*:~@#$?\s]*[\w>)]\s*\([^;]*(?:\{|\()\s*$`)
	arrows    = lazyregexp.New(`^\s*(?:[\w.]+|(?:public|private|static|readonly)\s+[\w.]+)\s*[:=]\s*(?:async\s*)?(?:function\b|\(?[\w\s,:]*\)?\s*=>)`)
	controls  = lazyregexp.New(`^\s*[})]*\s*(?:if|else|for|foreach|while|do|switch|match|when|catch|try|return|with|using|lock|synchronized|unless|until|case|go|defer|select|await|yield|throw|raise|print|new|super|this|assert)\b`)
)

// declarations finds the declarations in some lines, in the order of their first lines. A
// declaration takes the lines below with more indentation, and its closing line.
func declarations(lines []string, code map[int]bool) []span {
	var all []span
	for i, line := range lines {
		braced := code[i] && i+1 < len(lines) && strings.TrimSpace(lines[i+1]) == "{" // on a line of its own
		if code[i] && declares(line) || braced && declares(strings.TrimRight(line, " \t\r")+" {") {
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

// maxDeclaring is how long the first line of a declaration may be, in bytes.
const maxDeclaring = 400

// end is the last line of a declaration.
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

// closing begins the closing line of a declaration; reopening is a closing line that continues
// below.
var (
	closing   = lazyregexp.New(closes)
	reopening = lazyregexp.New(closes + `(?s:.*)[{(\[:]$`)
)
