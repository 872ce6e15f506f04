package comment

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// Markdown returns s as plain text for GitHub-flavored Markdown: it renders as itself. It never
// becomes a mention, issue reference, link, image, HTML, heading, list or table, and no line of
// it is a command for a bot or the runner. Words that GitHub would turn into links or
// notifications become code spans, since GitHub looks for them in the rendered text, after
// backslashes are gone. Line breaks are kept; white space at both ends of a line is not. Text
// between balanced single backticks is code, and a fenced block stays one.
func Markdown(s string) string {
	var blocks []string
	for _, part := range Parts(s) {
		if part.Code {
			blocks = append(blocks, strings.TrimSuffix(Fence("", part.Text), "\n"))
			continue
		}
		for line := range strings.SplitSeq(visible(part.Text), "\n") {
			blocks = append(blocks, markdownLine(line))
		}
	}
	return strings.Join(blocks, "\n")
}

// Part is a part of a text: the content of a fenced block of code, or the text between two.
type Part struct {
	Text string
	Code bool
}

// Parts splits a text at its fences. A block without an end goes on to the end of the text.
func Parts(s string) []Part {
	var all []Part
	var lines []string
	var block fence
	end := func(isCode bool) {
		if len(lines) > 0 {
			all = append(all, Part{strings.Join(lines, "\n"), isCode})
		}
		lines = nil
	}
	for line := range strings.SplitSeq(s, "\n") {
		before := block.mark
		if block.takes(strings.TrimRight(line, " \t\r")); block.mark == before {
			lines = append(lines, line)
			continue
		}
		end(before != "")
	}
	end(block.mark != "")
	return all
}

// fence follows the fenced code blocks of a body; the zero value is outside.
type fence struct{ mark string } // of the open block, "" outside

var fenceLine = lazyregexp.New("^ {0,3}(?:(`{3,})([^`]*)|(~{3,})(.*))$")

// takes reports whether a line belongs to a fenced block, its fences included.
func (f *fence) takes(line string) bool {
	m := fenceLine().FindStringSubmatch(line)
	if m == nil {
		return f.mark != ""
	}
	mark, info := m[1]+m[3], m[2]+m[4]
	switch {
	case f.mark == "":
		f.mark = mark
	case strings.HasPrefix(mark, f.mark) && strings.TrimSpace(info) == "":
		f.mark = ""
	}
	return true
}

// MarkdownLine is Markdown for a field on one line, such as a title in a list item.
func MarkdownLine(s string) string { return markdownLine(Line(s)) }

func markdownLine(line string) string {
	// Text in backticks is shown as code if the backticks are balanced, and no word that has to
	// become code itself touches them.
	if !balanced().MatchString(line) || isLive(spans().ReplaceAllString(line, " ")) {
		return startSlash().ReplaceAllString(plainText(line, true), `$1\/`)
	}
	var b strings.Builder
	for i, part := range strings.Split(line, "`") {
		if i%2 == 1 {
			b.WriteString(Code(part))
			continue
		}
		text := plainText(part, i == 0)
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
	return startSlash().ReplaceAllString(strings.Trim(b.String(), " "), `$1\/`)
}

// balanced is a line with all its backticks around code, without a blank at the ends of the code,
// and apart from one another.
var balanced = lazyregexp.New("^[^`]*`" + codeSpan + "`(?:[^`]+`" + codeSpan + "`)*[^`]*$")

const codeSpan = "[^`\\s\\p{Zs}](?:[^`]*[^`\\s\\p{Zs}])?"

// plainText is a line, or a part of one, as text and nothing else. Starts: it is the
// beginning of the line.
func plainText(line string, starts bool) string {
	words := strings.FieldsFunc(line, unicode.IsSpace)
	for i, word := range words {
		if isLive(word) {
			live := strings.TrimRight(word, ",.!?") // the end of a clause is not part of it
			words[i] = Code(live) + word[len(live):]
		} else {
			words[i] = escape(word, starts && i == 0)
		}
	}
	return strings.Join(words, " ")
}

// live has the words that GitHub turns into links, notifications or pictures anywhere: mentions
// and mail addresses in any width, addresses, issue, commit and advisory references, and names of
// emoji. A closing keyword without its reference closes nothing.
var live = lazyregexp.New(`(?i)[@\x{FF20}\x{FE6B}]|://|www\.|[#\x{FF03}\x{FE5F}][0-9]|\bgh-[0-9]|\bghsa-|\b[0-9a-f]{7,40}\b` +
	`|:(\+1|-1|100|1234|[a-z0-9_+-]*[a-z][a-z0-9_+-]*):`)

func isLive(word string) bool { return live().MatchString(word) }

// The markup characters of Markdown: everywhere, and at the start of a line.
const (
	markup      = "\\`*_[]<>#|~&!$^"
	startMarkup = "-+=:"
)

// escape puts a backslash before each markup character of a word. First: the word begins a line,
// and could be the mark or the number of a list item.
func escape(word string, first bool) string {
	var b strings.Builder
	b.Grow(len(word) + 8)
	for i, r := range word {
		isNumber := i > 0 && strings.Trim(word[:i], "0123456789") == ""
		switch {
		case strings.ContainsRune(markup, r),
			first && i == 0 && strings.ContainsRune(startMarkup, r), first && isNumber && strings.ContainsRune(".)", r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// marks are what bots skip before a command: the marks of quotes and lists, escaped or not.
const marks = `^((?:\\?[>*+•\[\]-]|[0-9]+\\?[.)]|[\t\pZ])*)/`

// startSlash is a slash at the start of a line, and slashWord one with a word behind it. Comments
// of programming languages ("//", "/*") are no commands.
var (
	startSlash = lazyregexp.New(marks)
	slashWord  = lazyregexp.New(`(?m)` + marks + `(\pL)`)
)

// Code returns s as an inline code span on one line, with any backticks in it; "" gives "". It
// does not work in a table cell: a bar splits even a code span there.
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

// needsPad is a text that would end its code span too early or too late, or would lose a blank at
// each end.
var needsPad = lazyregexp.New("^`|`$|^ .*[^ ].* $")

// Fence returns s as a fenced code block, with a newline at its end. Nothing in s can end the
// block. Info is the language; only its letters, digits and "+-" are kept. Commands for bots are
// defused, since bots read the bytes and not the rendering.
func Fence(info, s string) string {
	body := inert(slashWord().ReplaceAllString(strings.TrimSuffix(Terminal(s), "\n"), "$1"+codePoint('/')+"$2"))
	fence := strings.Repeat("`", max(3, longestRun(body)+1))
	return fence + noLanguage().ReplaceAllString(info, "") + "\n" + body + "\n" + fence + "\n"
}

var noLanguage = lazyregexp.New(`[^A-Za-z0-9+-]`)

var (
	// bots has the names of bots. They react to a name anywhere in a comment.
	bots = lazyregexp.New(`(?i)@(?:dependabot|mergify|renovate|bors|homu|rustbot|copilot|claude|codex|coderabbit|gemini|cursor|sourcery|greptile|` +
		`ellipsis|snyk|netlify|vercel|imgbot|pre-commit|github|gitlab|jenkins|k8s-ci|openshift|debate)[a-z-]*/?`)
	// closes has the references after words that close an issue, or call this a duplicate of it.
	closes = lazyregexp.New(`(?i)\b((?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|duplicate\s+of)\s*:?\s*[\w./-]*)#([0-9])`)
)

// inert defuses text that is harmless as rendered code, but not as bytes: markers, orders to
// bots, closing keywords.
func inert(s string) string {
	s = strings.ReplaceAll(s, "<!--", codePoint('<')+"!--") // a quoted marker must not look like a hidden one of ours
	s = bots().ReplaceAllStringFunc(s, func(name string) string {
		if strings.HasSuffix(name, "/") {
			return name // a package, such as @vercel/analytics
		}
		return codePoint('@') + name[1:]
	})
	return closes().ReplaceAllString(s, "$1"+codePoint('#')+"$2")
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

// MaxBody is how many bytes the body of a comment or of an issue may have. The
// platform's own limits differ by place and server; this is below all of them.
const MaxBody = 60_000

const cutNote = "\n\n*The rest was too long for a comment and is left out here.*\n"

// ClipBody shortens Markdown to at most most bytes. It cuts between two lines if it can, closes
// the open code block and the open folds, and adds a note.
func ClipBody(body string, most int) string {
	if len(body) <= most {
		return body
	}
	for room := most - len(cutNote); room > 0; {
		kept := clipBytes(body, room)
		if i := strings.LastIndexByte(kept, '\n'); i > room/2 {
			kept = kept[:i+1]
		}
		closed := kept + closing(kept) + cutNote
		if len(closed) <= most {
			return closed
		}
		room = len(kept) - (len(closed) - most)
	}
	return ""
}

// closing ends the open blocks of cut Markdown.
func closing(kept string) string {
	var f fence
	folds := 0
	for line := range strings.SplitSeq(kept, "\n") {
		line = strings.TrimRight(line, " \t\r")
		if !f.takes(line) {
			folds += strings.Count(line, "<details") - strings.Count(line, "</details>")
		}
	}
	end := ""
	if f.mark != "" {
		end = "\n" + f.mark
	}
	return end + strings.Repeat("\n\n</details>", max(0, folds))
}

// clipBytes is the longest start of s with at most most bytes and a whole last character.
func clipBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

const maxURL = 2000

// noBlanks is visible ASCII without blanks.
var noBlanks = lazyregexp.New(`^[!-~]*$`)

// Link returns text as a link to address, if this is an absolute http or https address on one of
// the hosts, each with its port if it has one, and else as plain text. Every published link comes
// from here: we build the addresses or get them from the platform, and a text never shows another
// address than its target. Number, such as "#12 ", comes before the text of a link. Outside of one
// it would refer to an issue, and is left out.
func Link(number, text, address string, hosts []string) string {
	shown := MarkdownLine(text)
	u, err := url.Parse(address)
	switch {
	case err != nil, len(address) > maxURL, u.User != nil, u.Opaque != "",
		!slices.Contains([]string{"https", "http"}, u.Scheme), !slices.Contains(hosts, u.Host):
		return shown
	}
	safe := strings.NewReplacer("<", "%3C", ">", "%3E", "`", "%60", "\\", "%5C", "&", "&amp;").Replace(u.String())
	if !noBlanks().MatchString(safe) {
		return shown
	}
	return "[" + cmp.Or(number+shown, Code(u.Host)) + "](<" + safe + ">)"
}
