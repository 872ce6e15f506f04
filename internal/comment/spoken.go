package comment

import (
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/lazyregexp"
)

var (
	fenced  = lazyregexp.New("(?s)(?:^|\n)[ \t]*(?:```|~~~).*?(?:\n[ \t]*(?:```|~~~)[^\n]*|$)")
	spans   = lazyregexp.New("`[^`\n]*`")
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
	var said []string
	for _, line := range strings.Split(fenced().ReplaceAllString(seen, "\n"), "\n") {
		if !strings.HasPrefix(strings.TrimLeft(line, " "), ">") {
			said = append(said, line)
		}
	}
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

// mentioned is where a text mentions a name in small letters, -1 if it does not.
func mentioned(text, name string) int {
	isPart := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_@/", r) }
	for at := 0; at+len(name) < len(text); at++ {
		end := at + 1 + len(name)
		if text[at] != '@' || !strings.EqualFold(text[at+1:end], name) {
			continue
		}
		before, after := strings.TrimRightFunc(text[:at], isPart), strings.TrimLeftFunc(text[end:], isPart)
		if len(before) == at && len(after) == len(text)-end {
			return at
		}
	}
	return -1
}
