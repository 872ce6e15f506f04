package comment

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// Markdown returns s as plain text for GitHub-flavoured Markdown: it renders as
// what it says and as nothing else. No mention, issue reference, link, image,
// HTML, heading, list or table comes out of it, and no line of it is a command
// for a bot or the runner. Words that GitHub would turn into
// links or notifications become code spans, since GitHub looks for those after
// the Markdown is rendered, where a backslash no longer shows. Line breaks are
// kept; white space at both ends of a line is not. What stands between single backticks
// is code, where they are balanced.
func Markdown(s string) string {
	lines := strings.Split(visible(s), "\n")
	for i, line := range lines {
		lines[i] = markdownLine(line)
	}
	return strings.Join(lines, "\n")
}

// MarkdownLine is Markdown for a field that must stay on one line, such as a
// title in a list item.
func MarkdownLine(s string) string { return markdownLine(Line(s)) }

func markdownLine(line string) string {
	var at lead
	if !holdsCode(line) {
		return plainText(line, true, &at)
	}
	var b strings.Builder
	for i, part := range strings.Split(line, "`") {
		if i%2 == 1 {
			b.WriteString(Code(part))
			at = past
			continue
		}
		text := plainText(part, i == 0, &at)
		first, _ := utf8.DecodeRuneInString(part)
		last, _ := utf8.DecodeLastRuneInString(part)
		if unicode.IsSpace(first) {
			b.WriteByte(' ')
		}
		b.WriteString(text)
		if text != "" && unicode.IsSpace(last) {
			b.WriteByte(' ')
		}
	}
	return strings.Trim(b.String(), " ")
}

// balanced is a line in which all backticks stand around code, without a blank at its
// ends, and apart from one another.
var balanced = lazyregexp.New("^[^`]*`" + codeSpan + "`(?:[^`]+`" + codeSpan + "`)*[^`]*$")

const codeSpan = "[^`\\s\\p{Zs}](?:[^`]*[^`\\s\\p{Zs}])?"

// holdsCode reports whether what stands between the backticks of a line can be shown as
// code: they are balanced, and no word that must be made code itself touches them.
func holdsCode(line string) bool {
	return balanced().MatchString(line) && !isLive(spans().ReplaceAllString(line, " "))
}

// plainText is a line, or a part of one, as text and nothing else. Starts: it is the
// beginning of the line.
func plainText(line string, starts bool, at *lead) string {
	words := strings.FieldsFunc(line, unicode.IsSpace)
	for i, word := range words {
		if isLive(word) {
			live := strings.TrimRight(word, ",.!?") // what ends a clause is no part of it
			words[i] = Code(live) + word[len(live):]
			*at = past
		} else {
			words[i] = escape(word, starts, at)
		}
		if *at == number {
			*at = past
		}
		starts = false
	}
	return strings.Join(words, " ")
}

// live are the words that GitHub turns into links, notifications or pictures
// wherever they stand: mentions and mail addresses in any width, addresses,
// issue, commit and advisory references, and names of emoji. A closing keyword
// without its reference closes nothing.
var live = lazyregexp.New(`(?i)[@\x{FF20}\x{FE6B}]|://|www\.|[#\x{FF03}\x{FE5F}][0-9]|\bgh-[0-9]|\bghsa-|\b[0-9a-f]{7,40}\b` +
	`|:(\+1|-1|100|1234|[a-z0-9_+-]*[a-z][a-z0-9_+-]*):`)

func isLive(word string) bool { return live().MatchString(word) }

// lead is where a reader of a line stands: bots look for a command behind the
// marks of quotes and lists too.
type lead int

const (
	marks  lead = iota // nothing but marks so far: a slash here starts a command
	number             // in the number of a list item
	past               // in the text
)

// endsNumber reports whether r makes what was read the number of a list item.
func (l lead) endsNumber(r rune) bool { return l == number && strings.ContainsRune(".)", r) }

// startsCommand reports whether r makes what follows a command for a bot.
func (l lead) startsCommand(r rune) bool { return l == marks && r == '/' }

// after is where the reader stands once it read r.
func (l lead) after(r rune) lead {
	switch {
	case l == past:
		return past
	case l == marks && unicode.IsSpace(r), l.endsNumber(r), strings.ContainsRune(">*+-•[]", r):
		return marks
	case strings.ContainsRune("0123456789", r):
		return number
	}
	return past
}

// Characters that Markdown reads as markup: everywhere, and at the start of a line.
const (
	markup      = "\\`*_[]<>#|~&!$^"
	startMarkup = "-+=:"
)

// escape puts a backslash before each character of word that Markdown would
// read as markup, some everywhere, some only at the start of a line, and before
// a slash that would start a command.
func escape(word string, first bool, at *lead) string {
	var b strings.Builder
	b.Grow(len(word) + 8)
	special := markup
	if first {
		special += startMarkup
	}
	for _, r := range word {
		switch {
		case strings.ContainsRune(special, r), first && at.endsNumber(r), at.startsCommand(r):
			b.WriteByte('\\')
		}
		*at, special = at.after(r), markup
		b.WriteRune(r)
	}
	return b.String()
}

// Code returns s as an inline code span on one line, whatever backticks it
// holds; "" gives "". It may not stand in a table cell: there a bar splits even
// a code span.
func Code(s string) string {
	if s == "" {
		return ""
	}
	s = inert(Line(s))
	ticks := strings.Repeat("`", longestRun(s)+1)
	pad := ""
	if needsPad().MatchString(s) {
		pad = " "
	}
	return ticks + pad + s + pad + ticks
}

// needsPad is a text that would end its code span too early or late, or of which Markdown
// takes a blank off each end.
var needsPad = lazyregexp.New("^`|`$|^ .*[^ ].* $")

// Fence returns s as a fenced code block that nothing in s can end, with a
// newline at its end. Info is the language; all but letters, digits and "+-"
// are left out of it. What a bot would read as a command is defused, since bots
// read the bytes and not the rendering.
func Fence(info, s string) string {
	lines := strings.Split(strings.TrimSuffix(Terminal(s), "\n"), "\n")
	for i, line := range lines {
		lines[i] = withoutSlashCommand(line)
	}
	body := inert(strings.Join(lines, "\n"))
	fence := strings.Repeat("`", max(3, longestRun(body)+1))
	return fence + noLanguage().ReplaceAllString(info, "") + "\n" + body + "\n" + fence + "\n"
}

var noLanguage = lazyregexp.New(`[^A-Za-z0-9+-]`)

// withoutSlashCommand defuses "/word" at the start of a line and behind the
// marks of quotes and lists. Comments of programming languages ("//", "/*") are
// no commands.
func withoutSlashCommand(line string) string {
	at := marks
	for i, r := range line {
		if at.startsCommand(r) {
			if rest := line[i+1:]; rest != "" && unicode.IsLetter(rune(rest[0])) {
				return line[:i] + codePoint('/') + rest
			}
			return line
		}
		if at = at.after(r); at == past {
			return line
		}
	}
	return line
}

var (
	// bots are names that bots answer to, wherever a comment holds them.
	bots = lazyregexp.New(`(?i)@(?:dependabot|mergify|renovate|bors|homu|rustbot|copilot|claude|codex|coderabbit|gemini|cursor|sourcery|greptile|` +
		`ellipsis|snyk|netlify|vercel|imgbot|pre-commit|github|gitlab|jenkins|k8s-ci|openshift|debate)[a-z-]*/?`)
	// closes are the references behind the words that close what they name, or
	// call this a duplicate of it.
	closes = lazyregexp.New(`(?i)\b((?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|duplicate\s+of)\s*:?\s*[\w./-]*)#([0-9])`)
)

// inert defuses what is harmless in rendered code, but not to whoever reads the
// bytes: markers, orders to bots, closing keywords.
func inert(s string) string {
	s = bots().ReplaceAllStringFunc(withoutMarkers(s), func(name string) string {
		if strings.HasSuffix(name, "/") {
			return name // a package, such as @vercel/analytics
		}
		return codePoint('@') + name[1:]
	})
	return closes().ReplaceAllString(s, "$1"+codePoint('#')+"$2")
}

// withoutMarkers defuses the start of an HTML comment: quoted text must never
// look like one of the hidden markers by which own comments are found again.
func withoutMarkers(s string) string {
	return strings.ReplaceAll(s, "<!--", codePoint('<')+"!--")
}

var ticks = lazyregexp.New("`+")

// longestRun is the length of the longest run of backticks in s.
func longestRun(s string) int {
	longest := 0
	for _, run := range ticks().FindAllString(s, -1) {
		longest = max(longest, len(run))
	}
	return longest
}
