package patch

import (
	"strconv"
	"strings"
)

// headerName reads a name from a header line: quoted as in C, or plain up to a tab. Git ends a
// plain name with blanks with a tab, and other tools put a time stamp after the name; a name with a
// tab of its own is quoted.
func headerName(value string) string {
	value, _, _ = strings.Cut(strings.TrimSuffix(value, "\r"), "\t")
	if name, ok := wholeName(value); ok {
		return name
	}
	return value
}

// wholeName returns a name, quoted or not.
func wholeName(s string) (name string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		return s, true
	}
	name, rest, ok := unquote(s)
	return name, ok && rest == ""
}

// gitName finds the one name in "a/NAME b/NAME", the text after "diff --git" for a file that was
// not renamed.
func gitName(pair string) (name string, ok bool) {
	at := strings.IndexByte(pair, ' ')
	switch {
	case strings.HasPrefix(pair, `"`):
		_, rest, _ := unquote(pair)
		at = len(pair) - len(rest)
	case strings.HasSuffix(pair, `"`):
		at = strings.Index(pair, ` "`)
	case len(pair)%2 == 1 && pair[len(pair)/2] == ' ':
		// The prefixes have one length, so a name with blanks can only be cut in the middle.
		at = len(pair) / 2
	}
	switch {
	case at < 0, at == len(pair), pair[at] != ' ':
		return "", false
	}
	oldName, first := wholeName(pair[:at])
	newName, second := wholeName(pair[at+1:])
	name, ok = pairName(oldName, newName)
	return name, ok && first && second
}

// pairName returns the common name of a file's two sides, with or without the prefixes of diffs.
func pairName(oldName, newName string) (name string, ok bool) {
	if oldName == newName {
		return strings.TrimPrefix(newName, "./"), newName != ""
	}
	name = withoutPrefix(newName)
	return name, name != newName && name != "" && withoutPrefix(oldName) == name
}

// withoutPrefix cuts the first element of a path.
func withoutPrefix(path string) string {
	if i := strings.IndexByte(path, '/'); i > 0 {
		return path[i+1:]
	}
	return path
}

var nameQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// Quote writes a name in git's quotes.
func Quote(name string) string { return `"` + nameQuotes.Replace(name) + `"` }

// unquote reads a name quoted by git. Its bytes need not be UTF-8, so strconv cannot read it.
func unquote(s string) (name, rest string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); {
		switch c := s[i]; c {
		case '"':
			return b.String(), s[i+1:], true
		case '\\':
			char, size := escaped(s[i+1:])
			if size == 0 {
				return "", "", false
			}
			b.WriteByte(char)
			i += 1 + size
		default:
			b.WriteByte(c)
			i++
		}
	}
	return "", "", false
}

// escaped reads the escape after a backslash, with size 0 if git has no such escape.
func escaped(s string) (char byte, size int) {
	if s == "" {
		return 0, 0
	}
	if at := strings.IndexByte(`abtnvfr"\`, s[0]); at >= 0 {
		return "\a\b\t\n\v\f\r\"\\"[at], 1
	}
	octal, err := strconv.ParseUint(s[:min(3, len(s))], 8, 8)
	if err != nil || len(s) < 3 {
		return 0, 0
	}
	return byte(octal), 3
}
