package comment

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/segment"
)

var (
	questionMark = lazyregexp.New(`[?？؟](?:[\s"'”’»*_)!?？]|$)`)
	anyone       = lazyregexp.New(`(?:^|[^\p{L}\p{Nd}_@/\\-])@[A-Za-z0-9]`)

	spans   = lazyregexp.New("``[^\n]*``|`[^`\n]*`")
	asksWhy = lazyregexp.New(`(?i)^(?:please )?(?:why|how so|explain|why is (?:this|that|it)(?: so)?|can you explain|what do you mean)(?: (?:this|that|it))?(?:,? please)?\W*$`)
)

// Spoken reads a comment in a thread that calls the debate by a name, in plain words: "@name
// why?" asks to explain the finding of the thread, any other text is a question. A name in code,
// in a quote or within a longer name does not count. The bounds of Parse hold; a name of "" never
// matches.
func Spoken(body, name string) (Command, bool) {
	name = strings.TrimPrefix(name, "@")
	if name == "" {
		return Command{}, false
	}
	text, bare := prose(body)
	// The first group is the name with its "@", outside another name, a path or a host name.
	mention := regexp.MustCompile(`(?i)(?:^|[^\p{L}\p{Nd}_@/\\-])(@` + regexp.QuoteMeta(name) + `)(?:[^\p{L}\p{Nd}_@/\\.-]|\.\P{L}|\.?$)`)
	at := mention.FindStringSubmatchIndex(bare)
	if at == nil {
		return Command{}, false
	}
	return asking(text[:at[2]] + text[at[3]:]), true
}

// Question reads a reply that asks something without a name: "why?" asks to explain the finding
// of the thread, any other text with a question mark is a question. A mark in code, in a quote or
// within a word does not count.
func Question(body string) (Command, bool) {
	text, bare := prose(body)
	if !questionMark().MatchString(bare) || anyone().MatchString(bare) {
		return Command{}, false
	}
	return asking(text), true
}

// prose is the text of a comment as people wrote it, and the same with blanks for code.
func prose(body string) (text, bare string) {
	text = segment.Said(Seen(strings.ToValidUTF8(clipBytes(body, maxCommand), "\uFFFD")))
	return text, spans().ReplaceAllStringFunc(text, func(code string) string { return strings.Repeat(" ", len(code)) })
}

// asking is the command for the words of a question.
func asking(words string) Command {
	words = strings.Trim(words, " \t\n,:;")
	if !strings.ContainsFunc(words, unicode.IsLetter) || asksWhy().MatchString(words) {
		return Command{Verb: Explain}
	}
	return Command{Verb: Ask, Text: words}
}

var (
	hiddenText = lazyregexp.New(`(?s)<!--.*?(-->|$)`)
	pictures   = lazyregexp.New(`(?is)!\[(?:[^\[\]]|\[[^\[\]]*\])*\](?:\((?:[^()]|\([^()]*\))*\)|\[[^\[\]]*\])|</?(?:img|picture|source|video|svg|image)\b(?:"[^"]*"|'[^']*'|[^"'>])*>`)
	emptyLines = lazyregexp.New(`\n[ \t]*(?:\n[ \t]*)+\n`)
)

// Seen is the visible text of Markdown: without HTML comments, and without pictures, since a
// picture as text is only an address and invisible words.
func Seen(markdown string) string {
	seen := strings.ReplaceAll(markdown, "\r\n", "\n")
	seen = hiddenText().ReplaceAllString(seen, " ") // the words on both sides of one stay apart
	seen = pictures().ReplaceAllString(seen, " ")
	lines := strings.Split(seen, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return strings.TrimSpace(emptyLines().ReplaceAllString(strings.Join(lines, "\n"), "\n\n"))
}
