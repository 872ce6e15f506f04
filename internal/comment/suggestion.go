package comment

import (
	"regexp"
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
	Shown         []string // the lines of such files in the change, on both sides
}

// Suggestion returns a block to replace the cited lines with one click. The program checks its text like a
// citation, and no model does: the change has all its words, it adds nothing that is there already, and it fits
// between the lines around it. If one check fails, ok is false, and the caller shows the text as text. So some
// good code is only text, but no sentence, no placeholder and no invented name is committed by a click.
func Suggestion(suggested string, at Cited) (block string, ok bool) {
	suggested = strings.TrimSuffix(suggested, "\n")
	all := strings.Split(suggested, "\n")
	lines := filled(all)
	at.Lines, at.Before, at.After, at.Shown = filled(at.Lines), filled(at.Before), filled(at.After), filled(at.Shown)
	fits := fitsCode
	if document().MatchString(at.Path) {
		fits = fitsDocument
	}
	switch {
	case len(at.Lines) == 0, len(suggested) > maxSuggestion, max(len(all), len(at.Lines)) > maxSuggestionLines:
		return "", false
	case strings.Contains(suggested, "~~~"), Fence("suggestion", suggested) != "```suggestion\n"+suggested+"\n```\n":
		return "", false // a reader sees less of it than is committed, or it ends its block, or a bot obeys it
	case strings.Contains(suggested, redact.Mark):
		return "", false // it held a secret
	case squeezed(lines) == "", squeezed(lines) == squeezed(at.Lines):
		return "", false // it changes nothing but blanks, or deletes the lines
	case hasNewSign(suggested, strings.Join(at.Lines, "\n")), !keepsIndent(lines, at), repeats(lines, at), !fits(lines, at):
		return "", false
	}
	return "\n\nSuggested change (not tested):\n\n" + offer + "\n" + suggested + "\n```\n", true
}

// document finds files with text for people.
var document = lazyregexp.New(`(?i)\.(?:md|markdown|mdx|rst|adoc|asciidoc|txt|tex|org)$`)

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

// squeezed is a text without its white space.
func squeezed(lines []string) string {
	return strings.Join(strings.Fields(strings.Join(lines, " ")), "")
}

// hasNewSign reports whether a text has a sign or a blank outside ASCII more often than the cited lines.
func hasNewSign(text, cited string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r > unicode.MaxASCII && !unicode.IsLetter(r) && strings.Count(text, string(r)) > strings.Count(cited, string(r))
	})
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// keepsIndent reports whether a suggestion begins at the indent of the cited lines, ends there or at the least
// of them if indents alone make no blocks, has no line left of that, and indents with the characters there.
func keepsIndent(lines []string, at Cited) bool {
	least, blanks := indentOf(at.Lines[0]), strings.Join(lists.Map(slices.Concat(at.Lines, at.Before, at.After), indentOf), "")
	for _, l := range at.Lines {
		if len(indentOf(l)) < len(least) {
			least = indentOf(l)
		}
	}
	strange := func(l string) bool {
		return !strings.HasPrefix(indentOf(l), least) || blanks != "" && strings.Trim(indentOf(l), blanks) != ""
	}
	last := indentOf(lines[len(lines)-1])
	ends := last == least || last == indentOf(at.Lines[len(at.Lines)-1]) || indentBlocks().MatchString(at.Path)
	return ends && indentOf(lines[0]) == indentOf(at.Lines[0]) && !slices.ContainsFunc(lines, strange)
}

var indentBlocks = lazyregexp.New(`\.(?:py|ya?ml)$`)

// repeats reports whether a suggestion has what the file has: the line before or after the cited ones, a cited
// line twice, or, at their depth, a statement, a name or a key of another line there.
func repeats(lines []string, at Cited) bool {
	around := slices.Concat(at.Before, at.After)
	once := slices.Concat(at.Lines, at.Before[max(0, len(at.Before)-1):], at.After[:min(1, len(at.After))])
	return slices.ContainsFunc(lines, func(l string) bool {
		times := func(list []string) int { return len(lists.Keep(list, func(o string) bool { return o == l })) }
		alike := func(o string) bool { return head(o) == head(l) }
		switch {
		case len(strings.TrimSpace(l)) > 1 && slices.Contains(once, l) && times(lines) > times(at.Lines):
			return true
		case indentOf(l) != indentOf(at.Lines[0]), opens().MatchString(l), strings.TrimFunc(l, notInWord) == "", slices.ContainsFunc(at.Lines, alike):
			return false
		}
		return slices.ContainsFunc(around, alike)
	})
}

// opens finds a line that begins a block.
var opens = lazyregexp.New(`[{(\[:]\s*$`)

// head is a line up to its first "=" or ":".
func head(line string) string {
	if i := strings.IndexAny(line, "=:"); i >= 0 {
		line = line[:i]
	}
	return strings.TrimRight(line, " ")
}

// fitsDocument reports whether a suggestion is the cited text in other words: it begins with the same word,
// and fewer than half of its words are new.
func fitsDocument(lines []string, at Cited) bool {
	was, now := wordsOf(at.Lines), wordsOf(lines)
	kept := lists.Keep(now, func(w string) bool { return slices.Contains(was, w) })
	return len(was) > 0 && len(kept) > 0 && was[0] == now[0] && 2*len(kept) > len(now)
}

// wordsOf has the words of some lines, without numbers and versions.
func wordsOf(lines []string) []string {
	return lists.Keep(strings.FieldsFunc(strings.Join(lines, "\n"), notInWord), func(w string) bool {
		w = strings.TrimPrefix(w, "v")
		return w == "" || w[0] < '0' || w[0] > '9'
	})
}

func notInWord(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) && r != '_' }

// fitsCode reports whether a suggestion is code for this file, and leaves the lines around it whole.
func fitsCode(lines []string, at Cited) bool {
	shown := slices.Concat(at.Lines, at.Before, at.After, at.Shown)
	there, now, was := strings.Join(shown, "\n"), strings.Join(lines, "\n"), strings.Join(at.Lines, "\n")
	known := lists.Words(strings.Join(wordsOf(shown), " "))
	isNew := func(w string) bool { return !known[w] && !keywords[w] && !sqlWords[w] }
	begin := func(l string) string { return string([]rune(strings.TrimSpace(l))[:1]) }
	begins := strings.Join(lists.Map(shown, begin), "") + ")]}"
	isStrange := func(l string) bool { return !name().MatchString(begin(l)) && !strings.Contains(begins, begin(l)) }
	blocks := lists.Find(blockKinds, func(k blockKind) bool { return k.files().MatchString(at.Path) }).words
	switch {
	case slices.ContainsFunc(wordsOf(lines), isNew):
		return false // a sentence, a value to fill in, or an invented name
	case slices.ContainsFunc(pairs(lines), func(p string) bool { return !strings.Contains(there, p) }):
		return false // a sentence with words of the file
	case slices.ContainsFunc(sign().FindAllString(now, -1), func(s string) bool { return !strings.Contains(there, s) }):
		return false // a remark, an arrow, or dots for more code
	case slices.ContainsFunc(lines, isStrange):
		return false // the mark of a diff, of a quote, of a list or of a prompt
	case begin(lines[0]) != begin(at.Lines[0]) && !(name().MatchString(begin(lines[0])) && name().MatchString(begin(at.Lines[0]))):
		return false // an item of a list, or none
	case len(lines) < len(at.Lines) && slices.ContainsFunc(lines, func(l string) bool { return !slices.Contains(at.Lines, l) }):
		return false // one new line for several: its writer may mean the others to stay
	case !slices.Equal(blocks().FindAllString(now, -1), blocks().FindAllString(was, -1)):
		return false // it opens a block or closes one
	case slices.ContainsFunc([]string{"()", "[]", "{}"}, func(pair string) bool { return depth(now, pair) != depth(was, pair) }):
		return false
	case slices.ContainsFunc([]string{`"`, "`", "'"}, func(quote string) bool { return (strings.Count(now, quote)+strings.Count(was, quote))%2 != 0 }):
		return false
	case len(at.After) > 0 && leaving().MatchString(lines[len(lines)-1]) && !leaving().MatchString(at.Lines[len(at.Lines)-1]) &&
		indentOf(at.After[0]) == indentOf(lines[len(lines)-1]):
		return false // the lines after it would never run
	}
	got, want := ending(lines), ending(at.Lines)
	return got == want || end().MatchString(got) && end().MatchString(want) || want == ";" && got == "}"
}

// pairs are words next to each other, neither a keyword nor in a string. In code few names do.
func pairs(lines []string) (found []string) {
	isName := func(w string) bool { return plain().MatchString(w) && !keywords[w] && !sqlWords[w] }
	for _, l := range lines {
		fields := strings.Fields(quoted().ReplaceAllString(l, "x"))
		for i, w := range fields[1:] {
			if isName(fields[i]) && isName(w) {
				found = append(found, fields[i]+" "+w)
			}
		}
	}
	return found
}

var (
	plain  = lazyregexp.New(`^[\pL_][\pL\pN_]*$`)
	quoted = lazyregexp.New("`[^`]*`|\"[^\"]*\"|'[^']*'")
)

// keywords are the words of programming languages and the names that they give to all programs, and
// sqlWords those of SQL in capital letters.
var (
	keywords = lists.Words("None True False and append assert async await bool break byte case catch class const continue copy def default defer del delete do elif else elsif " +
		"end ensure enum error except export extends false final finally float for from func function go if import in instanceof int interface is isinstance lambda len let list make " +
		"new next nil none not null of or pass print private protected public raise range rescue return select self set static str string struct super switch this throw throws " +
		"true try type typeof undefined unless until use using var void when where while with yield")
	sqlWords = lists.Words("ADD ALL ALTER AND AS ASC BEGIN BETWEEN BY CASE CHECK COLUMN COMMIT CONSTRAINT CREATE DEFAULT DELETE DESC DISTINCT ELSE END EXISTS FOREIGN FROM GROUP HAVING " +
		"IF IN INDEX INNER INSERT INTO IS JOIN KEY LEFT LIKE LIMIT NOT NULL ON OR ORDER OUTER PRIMARY REFERENCES RIGHT SELECT SET TABLE THEN UNION UNIQUE UPDATE USING VALUES WHEN WHERE WITH")
)

// sign is a mark for readers: a comment, an arrow, dots or a backquote. A file that has it may get it again.
var sign = lazyregexp.New("(?m)(?:^|\\s)(?://|#|/\\*|\\*/|--|<!--)(?:\\s.*|$)|[-=]>|<-+|\\.\\.\\.|`|&[a-z]+;")

var (
	name = lazyregexp.New(`^[\pL_]`)
	end  = lazyregexp.New("^[\\w\"'`)\\]}]")
	// leaving finds a line that leaves its block.
	leaving = lazyregexp.New(`^\s*(?:return|throw|raise|panic|break|continue|exit)\b[^?]*$`)
)

// blockKind is what opens and closes the blocks of some files, except brackets and indents.
type blockKind struct{ files, words func() *regexp.Regexp }

var blockKinds = []blockKind{
	{lazyregexp.New(`\.(?:rb|rake|exs?|lua|sh|bash)$`), lazyregexp.New(`\b(?:if|unless|while|until|for|case|do|def|class|module|begin|try|then|end|fi|done|esac|function|select|fn)\b:?`)},
	{lazyregexp.New(`\.py$`), lazyregexp.New(`\b(?:try|except|finally)\b`)},
	{lazyregexp.New(``), lazyregexp.New(`</?[A-Za-z]`)}, // tags
}

// depth counts the brackets of a kind: the lowest level in a text, and the last.
func depth(text, pair string) (d [2]int) {
	for i := range len(text) {
		switch text[i] {
		case pair[0]:
			d[1]++
		case pair[1]:
			d[1]--
		}
		d[0] = min(d[0], d[1])
	}
	return d
}

// ending is the last character of code in some lines, "" if there is none.
func ending(lines []string) string {
	code := strings.TrimSpace(note().ReplaceAllString(lines[len(lines)-1], ""))
	return code[max(0, len(code)-1):]
}

// note is a comment behind code, or alone on its line.
var note = lazyregexp.New(`(?:^|\s)(?://|# |/\*|-- |<!--).*$`)
