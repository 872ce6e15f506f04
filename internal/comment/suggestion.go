package comment

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/redact"
)

// Bounds of a suggestion block.
const (
	maxSuggestion      = 4 << 10 // bytes
	maxSuggestionLines = 50
)

// offer begins a block for a person to accept.
const offer = "```suggestion"

// Cited is the place of a finding in the head of a change.
type Cited struct {
	Path          string
	Lines         []string // all cited lines and no others
	Before, After []string // the lines around them, as far as the change shows them
}

// Suggestion returns a block to replace the cited lines with one click. The program checks the
// text like a citation. If a check fails, ok is false, and the caller shows the text as text.
func Suggestion(suggested string, at Cited) (block string, ok bool) {
	suggested = strings.TrimSuffix(suggested, "\n")
	lines := strings.Split(suggested, "\n")
	cited := len(at.Lines)
	at.Lines, at.Before, at.After = filled(at.Lines), filled(at.Before), filled(at.After)
	documents := []string{".md", ".markdown", ".mdx", ".rst", ".adoc", ".asciidoc", ".txt", ".tex", ".org"}
	isDocument := slices.Contains(documents, strings.ToLower(path.Ext(at.Path)))
	switch {
	case cited == 0, len(suggested) > maxSuggestion, max(len(lines), cited) > maxSuggestionLines:
		return "", false
	case strings.Contains(suggested, "~~~"), Fence("suggestion", suggested) != "```suggestion\n"+suggested+"\n```\n":
		return "", false // a reader sees less of it than is committed, or it ends its block, or a bot obeys it
	case strings.Contains(suggested, redact.Mark):
		return "", false // it held a secret
	case hasPlaceholder(suggested, at.Lines):
		return "", false // a person has to fill it in first
	case squeezed(lines) == "", squeezed(lines) == squeezed(at.Lines):
		return "", false // it changes nothing but blanks, or deletes the lines
	case repeats(filled(lines), at), !keepsIndent(filled(lines), at), borrowsLetters(lines, at.Lines):
		return "", false
	case !isDocument && (hasNotes(filled(lines), at.Lines) || !fitsAround(lines, at.Lines)):
		return "", false
	}
	return "\n\nSuggested change (not tested):\n\n" + offer + "\n" + suggested + "\n```\n", true
}

// squeezed is a text without its white space.
func squeezed(lines []string) string {
	return strings.Join(strings.Fields(strings.Join(lines, " ")), "")
}

// filled has the lines other than blank ones, without carriage returns at their ends.
func filled(lines []string) []string {
	var all []string
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			all = append(all, strings.TrimSuffix(l, "\r"))
		}
	}
	return all
}

// hasPlaceholder reports whether a suggestion has a text that a person has to replace, and the
// cited lines do not have the same one.
func hasPlaceholder(suggested string, cited []string) bool {
	in := func(text string) []string {
		return lists.Map(placeholder().FindAllStringSubmatch(text, -1), func(m []string) string { return m[1] })
	}
	known := in(strings.Join(cited, "\n"))
	return slices.ContainsFunc(in(suggested), func(p string) bool { return !slices.Contains(known, p) })
}

// placeholder finds "TODO" (not context.TODO), "YOUR_API_KEY", "TOKEN_HERE", "changeme" and "<your name>".
var placeholder = lazyregexp.New(`(?:^|[^.\w])(TODO\b|FIXME\b|(?i:your)[-_]\w[-\w]*|[A-Z0-9_]+_HERE\b|(?i:change[-_]?me)\b|<(?i:your)\b[^<>\n]*>)`)

// repeats reports whether a suggestion has lines already in the file: it ends with the lines
// after the cited ones, begins with those before them, or declares a name again.
func repeats(lines []string, at Cited) bool {
	cited, before, after := at.Lines, at.Before, at.After
	for n := 1; n <= len(lines); n++ {
		tail := lines[len(lines)-n:]
		isKept := n <= len(cited) && slices.Equal(tail, cited[len(cited)-n:])
		if n <= len(after) && slices.Equal(tail, after[:n]) && !isKept {
			return true
		}
		isKept = n <= len(cited) && slices.Equal(lines[:n], cited[:n])
		if n <= len(before) && slices.Equal(lines[:n], before[len(before)-n:]) && !isKept {
			return true
		}
	}
	return slices.ContainsFunc(lines, func(l string) bool {
		return declares().MatchString(l) && !slices.Contains(cited, l) && (slices.Contains(before, l) || slices.Contains(after, l))
	})
}

// declares finds a line that a file should not have twice.
var declares = lazyregexp.New(`^\s*(?:import|from|use|using|#include|require|package|func|def|class|type|const|let|var|fn|interface|struct|enum)\b`)

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// keepsIndent reports whether a suggestion begins at the indent of the cited lines, has no line
// left of all of them, and indents with the same characters.
func keepsIndent(lines []string, at Cited) bool {
	if len(at.Lines) == 0 {
		return true
	}
	least, blanks := indentOf(at.Lines[0]), ""
	for _, l := range at.Lines {
		blanks += indentOf(l)
		if len(indentOf(l)) < len(least) {
			least = indentOf(l)
		}
	}
	if blanks == "" {
		for _, l := range slices.Concat(at.Before, at.After) {
			blanks += indentOf(l)
		}
	}
	isStrange := func(l string) bool {
		indent := indentOf(l)
		return !strings.HasPrefix(indent, least) || blanks != "" && strings.Trim(indent, blanks) != ""
	}
	return indentOf(lines[0]) == indentOf(at.Lines[0]) && !slices.ContainsFunc(lines, isStrange)
}

// borrowsLetters reports whether a suggestion has a character easily mistaken for another one,
// and missing in the cited lines: a blank that is none, a letter of another script, a letter in
// another form. Latin letters with accents are safe, and so are words of a script of the cited
// lines if all their letters are of it.
func borrowsLetters(lines, cited []string) bool {
	known := strings.Join(cited, "\n")
	for _, l := range lines {
		for _, word := range strings.FieldsFunc(l, func(r rune) bool { return !isWordRune(r) }) {
			if !strings.Contains(known, word) && !isHonest(word, known) {
				return true
			}
		}
		if strings.ContainsFunc(l, func(r rune) bool { return r > unicode.MaxASCII && !isWordRune(r) && !strings.ContainsRune(known, r) }) {
			return true
		}
	}
	return false
}

func isWordRune(r rune) bool {
	return r == '_' || unicode.In(r, unicode.Letter, unicode.Mark, unicode.Number)
}

// isHonest reports whether a word is Latin, or all of one script of known and not only of letters
// that look Latin.
func isHonest(word, known string) bool {
	isAccented := func(r rune) bool { return r >= 'À' && r <= 'ž' && !strings.ContainsRune("×÷ıĸŀŉ", r) }
	isLatin := func(r rune) bool { return r <= unicode.MaxASCII || isAccented(r) }
	if !strings.ContainsFunc(word, func(r rune) bool { return !isLatin(r) }) {
		return true
	}
	for _, script := range scripts {
		isOther := func(r rune) bool { return !unicode.In(r, script...) }
		isHere := strings.ContainsFunc(known, func(r rune) bool { return !isOther(r) })
		if isHere && !strings.ContainsFunc(word, isOther) {
			return strings.Trim(word, lookLatin) != ""
		}
	}
	return false
}

// scripts has the scripts of comments and texts, apart from Latin.
var scripts = [][]*unicode.RangeTable{
	{unicode.Cyrillic}, {unicode.Greek}, {unicode.Han, unicode.Hiragana, unicode.Katakana}, {unicode.Hangul}, {unicode.Arabic}, {unicode.Hebrew},
	{unicode.Devanagari}, {unicode.Thai},
}

// lookLatin has the letters of Cyrillic and Greek that look like Latin ones.
const lookLatin = "АВЕЅІЈКМНОРСТХУаеѕіјорсухԁһԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹανοριυϲκηω"

// isSentence reports whether a line of code is a sentence: words with blanks between them,
// beginning with an order to the reader or with a word in them that no program has.
func isSentence(line string) bool {
	line = strings.TrimSpace(quoted().ReplaceAllString(trailingNote().ReplaceAllString(line, ""), "x"))
	words := strings.Fields(line)
	if len(words) < 2 || !letterFirst().MatchString(line) || strings.ContainsAny(line[len(line)-1:], ";{}[(,") {
		return false
	}
	plain := len(lists.Keep(words, plainWord().MatchString))
	isEnglish := func(w string) bool { return english[strings.ToLower(strings.Trim(w, ".,:;!?"))] }
	order := strings.TrimRight(words[0], ":,")
	if orders[order] && plain*2 > len(words) || requests[order] && len(words) >= 3 && plain == len(words) {
		return true
	}
	return len(words) >= 3 && plain*3 >= len(words)*2 && slices.ContainsFunc(words[1:], isEnglish)
}

var (
	quoted      = lazyregexp.New("`[^`]*`|\"[^\"]*\"|'[^']*'")
	letterFirst = lazyregexp.New(`^[A-Za-z]+[:,]? `)
	plainWord   = lazyregexp.New(`^[A-Za-z][A-Za-z'’-]*[.,:;!?]*$`)
)

// english has words of sentences that no programming language has.
var english = lists.Words("the an instead without should shouldn't here because must rather than also these those that which would could so before after " +
	"adding its it's you your we they can cannot can't don't doesn't isn't aren't will might only already otherwise directly")

// orders has words to begin an order to change code.
var orders = lists.Words("Add Use Remove Return Replace Check Handle Close Call Move Rename Wrap Consider Ensure Make Change Validate Avoid Fix Initialize Lock Unlock " +
	"Pass Keep Store Throw Catch Escape Sanitize Log Increase Decrease Compare Please Do Don't You This The Instead Either Guard Restore Revert Limit Compute " +
	"Delete Drop Update Put Write Read Rewrite Simplify Extract Inline Split Merge Document Explain Test Verify Assert Insert Swap Convert Cast Treat Prefer")

// requests has orders in small letters that are not words of a program.
var requests = lists.Words("add use remove replace check handle close rename wrap consider ensure change validate avoid fix initialize keep store escape sanitize " +
	"increase decrease compare please don't instead")

// hasNotes reports whether a suggestion is written for a reader instead of a compiler, and the
// cited lines are not: sentences, comments alone, code left out, marks of a diff, numbers of
// lines, escaped line ends or characters of a web page.
func hasNotes(lines, cited []string) bool {
	isCode := func(l string) bool { return !commentLine().MatchString(l) }
	switch {
	case slices.ContainsFunc(lines, isSentence) && !slices.ContainsFunc(cited, isSentence):
		return true
	case !slices.ContainsFunc(lines, isCode) && slices.ContainsFunc(cited, isCode):
		return true
	}
	text, known := strings.Join(lines, "\n"), strings.Join(cited, "\n")
	for _, note := range []lazyregexp.Regexp{leftOut, diffMark, lineNumber, webPage, backquoted} {
		if note().MatchString(text) && !note().MatchString(known) {
			return true
		}
	}
	return lineEnd().MatchString(quoted().ReplaceAllString(text, "")) && !lineEnd().MatchString(known)
}

var (
	commentLine = lazyregexp.New(`^\s*(?://|# |#$|/\*|\*|-- |<!--)`)
	leftOut     = lazyregexp.New(`(?m)^\s*(?://|#|/\*|--|<!--)?\s*(?:\.\.\.|…)(?:\W|$)`)
	diffMark    = lazyregexp.New(`(?m)^(?:[-+]\s*\S|@@ )`)
	lineNumber  = lazyregexp.New(`(?m)^\s*(?:L?[0-9]+\s*[:|] |[Ll]ines? [0-9]+)`)
	webPage     = lazyregexp.New(`&(?:lt|gt|amp|quot|#39|nbsp);`)
	backquoted  = lazyregexp.New("(?m)^\\s*`[^`]+`\\s*$")
	lineEnd     = lazyregexp.New(`\\n`)
)

// fitsAround reports whether the lines around a suggestion still fit: it opens as many
// brackets as the cited lines, and ends as they end.
func fitsAround(lines, cited []string) bool {
	text, known := strings.Join(lines, "\n"), strings.Join(cited, "\n")
	for _, pair := range []string{"()", "[]", "{}"} {
		open := func(s string) int { return strings.Count(s, pair[:1]) - strings.Count(s, pair[1:]) }
		if open(text) != open(known) {
			return false
		}
	}
	got, want := ending(lines), ending(cited)
	switch want {
	case ':', ',', '\\':
		return got == want
	case ';':
		return got == ';' || got == '}'
	}
	return got != ',' && got != '\\'
}

// ending is the last character of code in lines, 0 if there is none.
func ending(lines []string) byte {
	for _, l := range slices.Backward(lines) {
		if code := strings.TrimSpace(trailingNote().ReplaceAllString(l, "")); code != "" {
			return code[len(code)-1]
		}
	}
	return 0
}

// trailingNote is a comment behind code, or alone on its line.
var trailingNote = lazyregexp.New(`(?:^|\s)(?://|# |/\*|-- |<!--).*$`)
