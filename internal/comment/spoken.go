package comment

import (
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/segment"
)

var (
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
	text := segment.Said(Seen(strings.ToValidUTF8(clipBytes(body, maxCommand), "\uFFFD")))
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
	isPart := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_@/\\", r)
	}
	for at := 0; at+len(name) < len(text); at++ {
		end := at + 1 + len(name)
		if text[at] != '@' || !strings.EqualFold(text[at+1:end], name) {
			continue
		}
		before, after := strings.TrimRightFunc(text[:at], isPart), strings.TrimLeftFunc(text[end:], isPart)
		isHost := strings.HasPrefix(after, ".") && strings.IndexFunc(after[1:], unicode.IsLetter) == 0
		if len(before) == at && len(after) == len(text)-end && !isHost {
			return at
		}
	}
	return -1
}
