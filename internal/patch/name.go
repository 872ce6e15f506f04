package patch

import "strings"

// headerName reads a name from a header line: quoted as C does, or plain up to
// a tab. Git ends a plain name that has blanks with a tab, and other tools put a
// time stamp after one; a name with a tab of its own is quoted.
func headerName(value string) string {
	value = strings.TrimSuffix(value, "\r")
	if strings.HasPrefix(value, `"`) {
		if name, rest, ok := unquote(value); ok && (rest == "" || rest[0] == '\t') {
			return name
		}
	}
	name, _, _ := strings.Cut(value, "\t")
	return name
}

// gitName finds the one name in "a/NAME b/NAME", which is what stands after
// "diff --git" for a file that was not renamed.
func gitName(pair string) (name string, ok bool) {
	var oldName, newName string
	switch {
	case strings.HasPrefix(pair, `"`):
		var rest string
		if oldName, rest, ok = unquote(pair); !ok {
			return "", false
		}
		if newName, ok = strings.CutPrefix(rest, " "); !ok {
			return "", false
		}
		if strings.HasPrefix(newName, `"`) {
			if newName, rest, ok = unquote(newName); !ok || rest != "" {
				return "", false
			}
		}
	case strings.HasSuffix(pair, `"`):
		i := strings.Index(pair, ` "`)
		if i < 0 {
			return "", false
		}
		var rest string
		if newName, rest, ok = unquote(pair[i+1:]); !ok || rest != "" {
			return "", false
		}
		oldName = pair[:i]
	case len(pair)%2 == 1 && pair[len(pair)/2] == ' ':
		// The prefixes are of one length, so the middle is the only place where a
		// name with blanks can be cut.
		oldName, newName = pair[:len(pair)/2], pair[len(pair)/2+1:]
	default:
		if oldName, newName, ok = strings.Cut(pair, " "); !ok {
			return "", false
		}
	}
	return pairName(oldName, newName)
}

// pairName is the name that two sides of one file share, with or without the
// prefixes that diffs put before it.
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

// unquote reads a name that git quoted. The bytes of a name need not be UTF-8,
// so this is not what strconv reads.
func unquote(s string) (name, rest string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; c {
		case '"':
			return b.String(), s[i+1:], true
		case '\\':
			i++
			if i == len(s) {
				return "", "", false
			}
			if at := strings.IndexByte(`abtnvfr"\`, s[i]); at >= 0 {
				b.WriteByte("\a\b\t\n\v\f\r\"\\"[at])
				continue
			}
			if i+2 >= len(s) || s[i] < '0' || s[i] > '3' || !octal(s[i+1]) || !octal(s[i+2]) {
				return "", "", false
			}
			b.WriteByte((s[i]-'0')<<6 | (s[i+1]-'0')<<3 | (s[i+2] - '0'))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}

func octal(c byte) bool { return '0' <= c && c <= '7' }
