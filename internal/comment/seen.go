package comment

import (
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

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
