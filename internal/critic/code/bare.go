package code

import "strings"

// quotes are what strings of a language begin and end with, the longer first.
var quotes = map[string][]string{
	python:     {`"""`, `'''`, `"`, `'`},
	golang:     {"`", `"`, `'`},
	javascript: {"`", `"`, `'`},
	ruby:       {`"`, `'`},
}

// withoutText blanks what stands in strings and comments; the quotes stay. A
// string that a line does not end ends with the line, unless it may have several.
func withoutText(text, language string) string {
	out := []byte(text)
	for i := 0; i < len(text); {
		rest := text[i:]
		switch end := comment(rest, language); {
		case end > 0:
			blank(out[i : i+end])
			i += end
			continue
		}
		quote := ""
		for _, q := range quotes[language] {
			if strings.HasPrefix(rest, q) {
				quote = q
				break
			}
		}
		if quote == "" {
			i++
			continue
		}
		end := stringEnd(rest[len(quote):], quote, language)
		blank(out[i+len(quote) : i+len(quote)+end])
		i += len(quote) + end
		if strings.HasPrefix(text[i:], quote) {
			i += len(quote)
		}
	}
	return string(out)
}

// comment is the length of the comment that a text begins with, 0 if with none.
func comment(text, language string) int {
	hash := language == python || language == ruby
	switch {
	case hash && text[0] == '#', !hash && strings.HasPrefix(text, "//"):
		if end := strings.IndexByte(text, '\n'); end >= 0 {
			return end
		}
		return len(text)
	case !hash && strings.HasPrefix(text, "/*"):
		if end := strings.Index(text, "*/"); end >= 0 {
			return end + 2
		}
		return len(text)
	}
	return 0
}

// stringEnd is the length of the rest of a string, without its quote.
func stringEnd(text, quote, language string) int {
	several, raw := len(quote) == 3 || quote == "`", quote == "`" && language == golang
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], quote):
			return i
		case text[i] == '\\' && !raw && i+1 < len(text) && text[i+1] != '\n':
			i++
		case text[i] == '\n' && !several:
			return i
		}
	}
	return len(text)
}

func blank(b []byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}
