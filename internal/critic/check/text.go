package check

import (
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// Redactions returns the parts of a secret that must never be stored or shown: each of its lines
// except the label of a key.
func Redactions(value string) []string {
	var parts []string
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune("\r\n", r) }) {
		part = strings.Trim(part, " \t\"'`")
		if len(part) >= minRedaction && !keyLabel().MatchString(part) {
			parts = append(parts, part)
		}
	}
	return parts
}

// minRedaction is the shortest hidden part, in bytes. Shorter texts occur everywhere.
const minRedaction = 4

// keyLabel matches the line before and after a key.
var keyLabel = lazyregexp.New(`^-----(?:[^-]|-{1,4}[^-])*-----$`)

// Shown shortens a name from the change for a title.
func Shown(name string) string { return Bounded(name, 60) }

// Bounded cuts a text to at most so many bytes and adds dots if it was longer.
func Bounded(text string, most int) string {
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}

// LineEnd returns the length of the first line without its line end.
func LineEnd(s string) int {
	line, _, _ := strings.Cut(s, "\n")
	return len(line)
}

// MaxCodeLine is the longest line that the checks read, in bytes: people write no longer ones.
const MaxCodeLine = 4096

// Indent counts the blanks at the beginning of a line.
func Indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// IsIdentStart reports whether an identifier may begin with the byte.
func IsIdentStart(c byte) bool {
	return c >= 0x80 || strings.IndexByte("_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", c) >= 0
}

// IsIdentPart reports whether an identifier may continue with the byte.
func IsIdentPart(c byte) bool { return IsIdentStart(c) || strings.IndexByte("0123456789$", c) >= 0 }
