package code

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// maxEnclosing is how far above a line what encloses it is looked for.
const maxEnclosing = 60

// offered is a condition by which somebody asks for a check to be off, or what is named
// for that.
var offered = lazyregexp.New(`(?i)^\W*(?:else\s+)?(?:if|elif|case|when)\b.*(?:insecure|skip|verif|validat|trust|self.?sign|hostname|ignore|unsafe)|\binsecure\w*\s*(?::?=|\()|\b\w+insecure\w*\s*(?::?=|\()`)

// isOffered reports whether a line stands where somebody who runs the program asks for
// what it does: within such a condition, however deep.
func isOffered(lines []string, at int) bool {
	depth := check.Indent(lines[at])
	for _, line := range slices.Backward(lines[max(0, at-maxEnclosing):at]) {
		text, indent := strings.TrimSpace(line), check.Indent(line)
		switch {
		case text == "", indent >= depth:
			continue
		case offered().MatchString(line):
			return true
		}
		depth = indent
		if isElse := strings.HasPrefix(strings.TrimLeft(text, "} "), "else"); isElse {
			depth++ // the condition stands as deep
		}
	}
	return false
}
