package comment

import (
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/lazyregexp"
)

var (
	fences  = lazyregexp.New("^[ \\t>*+-]*(`{3,}|~{3,})")
	spans   = lazyregexp.New("``[^\n]*``|`[^`\n]*`")
	asksWhy = lazyregexp.New(`(?i)^(?:please )?(?:why|how so|explain|why is (?:this|that|it)(?: so)?|can you explain|what do you mean)(?: (?:this|that|it))?(?:,? please)?\W*$`)
)

// Spoken reads a comment in a thread that speaks to the debate by a name, in plain words:
// "@name why?" asks to explain the finding of the thread, any other text is a question.
// A name in code, in a quote or within a longer name is no address. The bounds of Parse
// hold; a name of "" is never spoken to.
func Spoken(body, name string) (Command, bool) {
	name = strings.ToLower(strings.TrimPrefix(name, "@"))
	if name == "" {
		return Command{}, false
	}
	seen := Seen(strings.ToValidUTF8(clipBytes(body, maxCommand), "\uFFFD"))
	said := spokenLines(strings.Split(seen, "\n"))
	text := strings.TrimSpace(strings.Join(said, "\n"))
	at := mentioned(spans().ReplaceAllStringFunc(text, func(code string) string { return strings.Repeat(" ", len(code)) }), name)
	if at < 0 {
		return Command{}, false
	}
	words := strings.Trim(text[:at]+text[at+len("@"+name):], " \t\n,:;")
	if !strings.ContainsFunc(words, unicode.IsLetter) || asksWhy().MatchString(words) {
		return Command{Verb: Explain}, true
	}
	return Command{Verb: Ask, Text: words, Cut: len(body) > maxCommand}, true
}

// spokenLines are the lines that are neither code nor a quote. A line below a quote goes on
// with it until an empty one, and code ends only where its own fence does.
func spokenLines(lines []string) (said []string) {
	fence, quoting := "", false
	for _, line := range lines {
		m := fences().FindStringSubmatch(line)
		isText := fence == "" && m == nil
		switch {
		case fence != "" && m != nil && strings.HasPrefix(m[1], fence):
			fence = ""
		case fence == "" && m != nil:
			fence = m[1]
		}
		quoting = strings.HasPrefix(strings.TrimLeft(line, " \t*+-"), ">") || quoting && strings.TrimSpace(line) != ""
		isCode := strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
		if isText && !quoting && !isCode {
			said = append(said, line)
		}
	}
	return said
}

// mentioned is where a text mentions a name in small letters, -1 if it does not.
func mentioned(text, name string) int {
	isPart := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_@/", r) }
	for at := 0; at+len(name) < len(text); at++ {
		end := at + 1 + len(name)
		if text[at] != '@' || !strings.EqualFold(text[at+1:end], name) {
			continue
		}
		before, after := strings.TrimRightFunc(text[:at], isPart), strings.TrimLeftFunc(text[end:], isPart)
		isHost := strings.HasPrefix(after, ".") && strings.IndexFunc(after[1:], unicode.IsLetter) == 0
		isEscaped := strings.HasSuffix(before, "\\")
		if len(before) == at && len(after) == len(text)-end && !isHost && !isEscaped {
			return at
		}
	}
	return -1
}
