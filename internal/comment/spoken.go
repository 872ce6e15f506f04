package comment

import (
	"regexp"
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
	name = strings.TrimPrefix(name, "@")
	if name == "" {
		return Command{}, false
	}
	text := segment.Said(Seen(strings.ToValidUTF8(clipBytes(body, maxCommand), "\uFFFD")))
	bare := spans().ReplaceAllStringFunc(text, func(code string) string { return strings.Repeat(" ", len(code)) })
	at := mention(name).FindStringSubmatchIndex(bare)
	if at == nil {
		return Command{}, false
	}
	words := strings.Trim(text[:at[2]]+text[at[3]:], " \t\n,:;")
	if !strings.ContainsFunc(words, unicode.IsLetter) || asksWhy().MatchString(words) {
		return Command{Verb: Explain}, true
	}
	return Command{Verb: Ask, Text: words, Cut: len(body) > maxCommand}, true
}

// mention is a name with its "@" as the first group, where it is no part of another name,
// of a path or of the name of a host.
func mention(name string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\p{L}\p{Nd}_@/\\-])(@` + regexp.QuoteMeta(name) + `)(?:[^\p{L}\p{Nd}_@/\\.-]|\.\P{L}|\.?$)`)
}
