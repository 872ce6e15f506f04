package check

import "strings"

// Redactions are the parts of a secret that must never be stored or shown: each
// of its lines but the label that says what it is.
func Redactions(value string) []string {
	var parts []string
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == '\n' || r == '\r' }) {
		part = strings.Trim(part, " \t\"'`")
		if len(part) < 4 || strings.HasPrefix(part, "-----") && strings.HasSuffix(part, "-----") && strings.Count(part, "-----") == 2 {
			continue
		}
		parts = append(parts, part)
	}
	return parts
}

// Shown bounds a name of the change for a title.
func Shown(name string) string {
	if len(name) > 60 {
		return strings.ToValidUTF8(name[:60], "") + "..."
	}
	return name
}

func LineEnd(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 {
		return n
	}
	return len(s)
}

// MaxCodeLine is the longest line that is looked at, in bytes: people write no
// longer ones.
const MaxCodeLine = 4096

// Indent counts the blanks that a line begins with.
func Indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

func IsDigit(c byte) bool { return c >= '0' && c <= '9' }
func IsIdentStart(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
func IsIdentPart(c byte) bool { return IsIdentStart(c) || IsDigit(c) || c == '$' }
