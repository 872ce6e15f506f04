package patch

import "strings"

// HasWord reports whether a text has a name as a word, without a letter, digit or underscore next
// to it.
func HasWord(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 || name == "" {
			return false
		}
		begin, end := from+i, from+i+len(name)
		before := begin > 0 && isWord(name[0]) && isWord(text[begin-1])
		after := end < len(text) && isWord(name[len(name)-1]) && isWord(text[end])
		if !before && !after {
			return true
		}
		from = begin + 1
	}
}

func isWord(c byte) bool { return c >= 0x80 || strings.IndexByte(wordBytes, c) >= 0 }

const wordBytes = "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
