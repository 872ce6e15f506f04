package comment

import (
	"iter"
	"path"
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
	case placeholder.isNew(lines, at.Lines):
		return "", false // a person has to fill it in first
	case squeezed(lines) == "", squeezed(lines) == squeezed(at.Lines):
		return "", false // it changes nothing but blanks, or deletes the lines
	case repeats(filled(lines), at), !keepsIndent(filled(lines), at), looksAlike(suggested, strings.Join(at.Lines, "\n")), edit.isNew(lines, at.Lines):
		return "", false
	case !isDocument && (drops(filled(lines), at.Lines) || endsEarly(filled(lines), at)):
		return "", false
	case !isDocument && (isForReaders(filled(lines), at) || !fitsAround(lines, at)):
		return "", false
	}
	return "\n\nSuggested change (not tested):\n\n" + offer + "\n" + suggested + "\n```\n", true
}

// looksAlike reports whether a text has a character easily taken for another one: any outside ASCII
// and not in the cited lines, a sign or blank more often than there, or a word of two scripts.
func looksAlike(text, cited string) bool {
	isStrange := func(r rune) bool {
		more := !unicode.IsLetter(r) && strings.Count(text, string(r)) > strings.Count(cited, string(r))
		return r > unicode.MaxASCII && (more || !strings.ContainsRune(cited, r))
	}
	isMixed := func(w string) bool {
		other := func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) }
		return strings.ContainsFunc(w, other) && identifier().MatchString(w) && !strings.Contains(cited, w)
	}
	notInWord := func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) && r != '_' }
	return strings.ContainsFunc(text, isStrange) || slices.ContainsFunc(strings.FieldsFunc(text, notInWord), isMixed)
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

// repeats reports whether a suggestion has lines already in the file: it ends with the lines
// after the cited ones, begins with those before them, has the next one anywhere, declares a name or a key
// again, or has a cited line twice.
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
		isNext := slices.Contains(after[:min(1, len(after))], l) || slices.Contains(before[max(0, len(before)-1):], l)
		times := func(list []string) int { return len(lists.Keep(list, func(other string) bool { return other == l })) }
		if (isNext || slices.Contains(cited, l)) && len(strings.TrimSpace(l)) > 1 && times(lines) > times(cited) {
			return true
		}
		if k := keyOf(l, at.Path); k != "" && !slices.ContainsFunc(cited, func(c string) bool { return keyOf(c, at.Path) == k }) {
			return slices.Contains(keysIn(before, indentOf(l), at.Path, slices.Backward), k) || slices.Contains(keysIn(after, indentOf(l), at.Path, slices.All), k)
		}
		return declares().MatchString(l) && !slices.Contains(cited, l) && (slices.Contains(before, l) || slices.Contains(after, l))
	})
}

// declares finds a line that a file should not have twice.
var declares = lazyregexp.New(`^\s*(?:import|from|use|using|#include|require|package|func|def|class|type|const|let|var|fn|interface|struct|enum)\b`)

// keyOf is the key of a setting, or the name in a declaration, "" if there is none.
func keyOf(line, name string) string {
	form := key()
	if settingsFile().MatchString(name) {
		form = setting()
	}
	if m := form.FindStringSubmatch(line); m != nil && !keywords[m[1]] {
		return m[1]
	}
	return ""
}

var (
	key          = lazyregexp.New(`^\s*["']?([\w-]+)["']?\s*(?::=|:(?:\s|$))`)
	setting      = lazyregexp.New(`^\s*["']?([\w.-]+)["']?\s*=`)
	settingsFile = lazyregexp.New(`(?:\.(?:toml|ini|env|properties|conf|cfg|tf)|(?:^|/)\.env)$`)
)

// keysIn has the keys of the next lines with an indent, up to the end of their block.
func keysIn(lines []string, indent, name string, inOrder func([]string) iter.Seq2[int, string]) (found []string) {
	for _, l := range inOrder(lines) {
		if len(indentOf(l)) < len(indent) || strings.HasPrefix(strings.TrimSpace(l), "[") {
			break
		}
		if indentOf(l) == indent {
			found = append(found, keyOf(l, name))
		}
	}
	return found
}

// drops reports whether a suggestion changes one of several cited lines and loses others: its writer
// means them to stay.
func drops(lines, cited []string) bool {
	if len(lines) >= len(cited) {
		return false
	}
	changes := func(old string) bool {
		return slices.ContainsFunc(lines, func(l string) bool { return isChangeOf(strings.TrimSpace(l), strings.TrimSpace(old)) })
	}
	isLost := func(old string) bool {
		return identifier().MatchString(old) && !commentLine().MatchString(old) && !slices.Contains(lines, old) && !changes(old)
	}
	return slices.ContainsFunc(cited, func(old string) bool { return !slices.Contains(lines, old) && changes(old) }) && slices.ContainsFunc(cited, isLost)
}

// isChangeOf reports whether two statements begin with the same word and differ in less than half of
// their text.
func isChangeOf(a, b string) bool {
	word := identifier().FindString(a)
	if word == "" || word != identifier().FindString(b) || len(word) > 1 && keywords[word] && !slices.Contains([]string{"const", "let", "var"}, word) {
		return false
	}
	same, most := 0, min(len(a), len(b))
	for same < most && a[same] == b[same] {
		same++
	}
	for end := 1; same < most && a[len(a)-end] == b[len(b)-end]; end++ {
		same++
	}
	return 2*same >= max(len(a), len(b))
}

// endsEarly reports whether a suggestion leaves its block before the lines after it, and the cited
// lines do not.
func endsEarly(lines []string, at Cited) bool {
	leaves := func(list []string) bool { return leaving().MatchString(list[len(list)-1]) }
	return len(at.After) > 0 && len(at.Lines) > 0 && leaves(lines) && !leaves(at.Lines) &&
		indentOf(at.After[0]) == indentOf(lines[len(lines)-1]) && !branch().MatchString(at.After[0])
}

var (
	leaving = lazyregexp.New(`^\s*(?:return|throw|raise|panic|break|continue|exit)\b[^?]*$`)
	branch  = lazyregexp.New(`^\s*(?:[)}\]]|(?:case|default|end|else|elif|elsif|when|except|rescue|catch|finally|ensure|fi|done|esac|def|class|func|function)\b|@)`)
)

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

// isForReaders reports whether a suggestion is written for a reader instead of a compiler, and the
// cited lines are not.
func isForReaders(lines []string, at Cited) bool {
	someLine := func(is func(string) bool) bool { return slices.ContainsFunc(lines, is) }
	starts := func(mark string) func(string) bool {
		return func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), mark) }
	}
	isCode := func(l string) bool { return !commentLine().MatchString(l) }
	namesFile := func(l string) bool {
		name := strings.Trim(l, " \t/#*-")
		return !isCode(l) && name != "" && (name == at.Path || name == path.Base(at.Path))
	}
	explains := func(l string) bool { // it has words behind a cited line, or "old -> new"
		return slices.ContainsFunc(at.Lines, func(cited string) bool {
			word, _, more := strings.Cut(strings.TrimLeft(strings.TrimPrefix(l, cited+" "), " ("), " ")
			isWord := more && len(word) > 1 && plainWord().MatchString(word) && !keywords[strings.ToLower(word)]
			old := strings.TrimSpace(cited)
			return strings.HasPrefix(l, cited+" ") && isWord || len(old) > 1 && (strings.Contains(l, old+" -> ") || strings.Contains(l, old+" => "))
		})
	}
	switch {
	case someLine(isSentence) && !slices.ContainsFunc(at.Lines, isSentence):
	case !someLine(isCode) && slices.ContainsFunc(at.Lines, isCode): // comments alone
	case someLine(starts("- ")) && someLine(starts("+ ")): // the two sides of a diff
	case someLine(namesFile), someLine(explains), hasOnlyWords(lines, at):
	default:
		return slices.ContainsFunc(signs, func(s sign) bool {
			return (s.files == nil || s.files().MatchString(at.Path)) && s.isNew(lines, at.Lines)
		})
	}
	return true
}

// isSentence reports whether a line of code reads as a sentence: words with blanks between
// them, and one of them is in no program.
func isSentence(line string) bool {
	if inside, ok := strings.CutPrefix(strings.TrimSpace(line), "("); ok {
		line = strings.TrimSuffix(inside, ")")
	}
	words, plain := wordsOf(line)
	isProse := func(w string) bool { return sentenceWords[strings.ToLower(strings.Trim(w, ".,:;!?"))] }
	return len(words) >= 2 && plain*3 >= len(words)*2 && slices.ContainsFunc(words, isProse)
}

// wordsOf has the words of a line without its comment, with one word for each string in it, and how
// many are plain words.
func wordsOf(line string) (words []string, plain int) {
	words = strings.Fields(quoted().ReplaceAllString(trailingNote().ReplaceAllString(line, ""), "x"))
	return words, len(lists.Keep(words, plainWord().MatchString))
}

var (
	quoted    = lazyregexp.New("`[^`]*`|\"[^\"]*\"|'[^']*'")
	plainWord = lazyregexp.New(`^[A-Za-z][A-Za-z'’-]*[.,:;!?]*$`)
)

// sentenceWords has words of sentences and orders that no programming language has.
var sentenceWords = lists.Words("the an instead without should shouldn't here because must rather than also these those that which would could so before after " +
	"adding it its it's you your we they can cannot can't don't doesn't isn't aren't will might only already otherwise directly " +
	"remove replace handle rename wrap consider ensure validate avoid parameterized please")

// hasOnlyWords reports whether a line of a suggestion has words alone, and one of them is no keyword
// and not among the words of the lines there: "guard against zero" is for a reader. A single letter
// is a name.
func hasOnlyWords(lines []string, at Cited) bool {
	there := strings.Join(slices.Concat(at.Before, at.Lines, at.After), "\n")
	known := identifier().FindAllString(there, -1)
	isUnknown := func(w string) bool {
		w = strings.Trim(w, ".,:;!?")
		isConstant := w == "None" || w == "True" || w == "False"
		isKeyword := keywords[strings.ToLower(w)] && (w == strings.ToLower(w) || w == strings.ToUpper(w) || isConstant)
		return len(w) > 1 && !isKeyword && !slices.Contains(known, w)
	}
	return !slices.ContainsFunc(at.Lines, isSentence) && slices.ContainsFunc(lines, func(l string) bool {
		words, plain := wordsOf(l)
		if note := bracketed().FindStringSubmatch(l); note != nil { // "return y (no addition)"
			words, plain = wordsOf(note[1])
		}
		isPair := isYAML(at.Path) && len(words) == 2 && strings.HasSuffix(words[0], ":")
		return len(words) > 1 && plain == len(words) && !isPair && slices.ContainsFunc(words, isUnknown)
	})
}

// bracketed is a note in brackets behind code.
var bracketed = lazyregexp.New(`[\w)\]"';] +\(([A-Za-z][^()]*)\)$`)

var identifier = lazyregexp.New(`[A-Za-z][A-Za-z'’-]*`)

// keywords are the words of programming languages.
var keywords = lists.Words("a abstract alter and as asc assert async await begin break by case cascade catch class cmd column const continue copy create declare def default " +
	"defer del delete desc distinct do drop echo elif else elsif end ensure entrypoint env except exists exit export extends extern false final finally fn for foreach " +
	"from func function global go goto group having i if implements import in index inner insert inline instanceof int interface into is join key left let limit " +
	"module mut namespace new next nil none not null of offset on or order outer override package pass primary print private protected pub public puts raise " +
	"readonly ref require rescue return returns right run select self set shift static string struct super switch table task tasks test then this throw throws " +
	"transaction true try type typeof unique union unless unset until update use user using values var virtual void volatile when where while with workdir x yield")

var commentLine = lazyregexp.New(`^\s*(?://|# |#$|/\*|\*|-- |<!--)`)

// sign is a text for readers that is no code in some files.
type sign struct {
	files     func() *regexp.Regexp // nil: all
	inStrings bool                  // a string may hold it too
	text      func() *regexp.Regexp // if it captures a text, only the same one is known
}

// isNew reports whether lines have a sign that the cited lines do not have.
func (s sign) isNew(lines, cited []string) bool {
	in := func(lines []string) (found []string) {
		for _, l := range lines {
			if !s.inStrings {
				l = quoted().ReplaceAllStringFunc(l, func(q string) string { return q[:1] + q[len(q)-1:] })
			}
			for _, m := range s.text().FindAllStringSubmatch(l, -1) {
				found = append(found, strings.Join(m[1:], ""))
			}
		}
		return found
	}
	known := in(cited)
	return slices.ContainsFunc(in(lines), func(found string) bool { return !slices.Contains(known, found) })
}

// placeholder finds "TODO" (not context.TODO), "XXX", "YOUR_API_KEY", "TOKEN_HERE", "changeme", "<your name>", "<value>" and a
// text of three dots.
var placeholder = sign{inStrings: true, text: lazyregexp.New(`(?:^|[^.\w])(TODO\b|FIXME\b|XXX+\b|(?i:your)[-_]\w[-\w]*|[A-Z0-9_]+_HERE\b|(?i:change[-_]?me)\b|` +
	`<(?i:your\b[^<>\n]*|value|token|password|secret|url|host|user|username)>|"(?:\.\.\.|…)"|'(?:\.\.\.|…)')`)}

// edit is an order to change a text, also in a document, or a command that changes one.
var edit = sign{text: lazyregexp.New(`^\s*(?:Change|Correct|Delete|Fix|Remove|Rename|Reword|Rephrase|Replace|Rewrite|Update)\s|^\s*s/[^/]+/[^/]*/g?\s*$`)}

var signs = []sign{
	{text: lazyregexp.New(`^\s*(?://|#|/\*|--|<!--)?\s*(?:\.\.\.|…)(?:\W|$)|[({,:]\s*(?:\.\.\.|…)\s*(?:[)},]|$)`)}, // code left out; "...rest" is a spread
	{text: lazyregexp.New(`(?i)(?:^|\s)(?://|#|/\*|--|<!--)\s*(?:\.\.\.|(?:or|alternatively)\b|.*\b(?:rest of|remaining (?:code|lines)|(?:existing|previous|other|your) code|same as (?:before|above)|unchanged|omitted|replace (?:this|with))\b)`)},
	{text: lazyregexp.New(`^(?:[-+]\s*\S|@@ )`)},                                                                 // a diff
	{text: lazyregexp.New(`^\s*(?:L?[0-9]+\s*[:|] |L?[0-9]+ +[a-z]|[Ll]ines? [0-9]+|[0-9]+[.)] \S|> )`)},         // the number of a line or a step, or a quote
	{text: lazyregexp.New("&(?:lt|gt|amp|quot|#39|nbsp);|\\\\n|^\\s*(?:\"\"|''|``)\\s*$")},                       // escaped, or all in quotes
	{text: lazyregexp.New(`^\s*(?:\$|>>>) |(?i)^\s*\(?(?:n/a|tbd|nothing|no changes?|as is|delete|remove)\W*$`)}, // a prompt, or no answer
	{text: lazyregexp.New(`\s<(?:--|==)\s|(?i)^\s*(?:e\.g\.|i\.e\.)`)},                                           // an arrow, or an example
	{text: lazyregexp.New(`^\s*(?:Add|Avoid|Bump|Call|Catch|Check|Close|Compute|Consider|Convert|Decrease|Drop|Ensure|Escape|Extract|Guard|Handle|If|In|Include|Increase|Initiali[sz]e|Insert|Instead|Keep|Limit|Lower|Make|Move|` +
		`Parameteri[sz]e|Parametri[sz]e|Pass|Perhaps|Pin|Prefer|Put|Quote|Raise|Reduce|Return|Set|Should|Simplify|Skip|Split|Store|Switch|Throw|Try|Use|Validate|Verify|Wrap)\s`)},
	{text: lazyregexp.New(`\b[xX]\.[yY]\.[zZ]\b`), inStrings: true},
	{files: lazyregexp.New(`\.(?:go|[cm]?[jt]sx?|java|kt|scala|swift|rs|c|h|cc|cpp|hpp|cs|dart|py|rb|php|sh|bash)$`), // old and new
		text: lazyregexp.New(`(?i)^\s*(?://|#|--|/\*)?\s*(?:before|after|old|new|or|original|was|fixed|suggested|alternatively|instead|option [0-9a-c])\s*:?\s*$`)},
	// A comment of another language.
	{files: lazyregexp.New(`(?:\.(?:py|rb|sh|bash|zsh|ya?ml|toml|r)|(?:^|/)(?:Docker|Make)file)$`), text: lazyregexp.New(`(?:^|\s)//(?:\s|$)`)},
	{files: lazyregexp.New(`\.(?:go|[cm]?[jt]sx?|java|kt|scala|swift|rs|c|h|cc|cpp|hpp|cs|dart)$`), text: lazyregexp.New(`(?:^|\s)# `)},
	// Code in backquotes, or a value to fill in.
	{files: lazyregexp.New(`\.(?:py|java|rs|c|h|cc|cpp|hpp|cs|json|ya?ml|toml)$`), inStrings: true, text: lazyregexp.New("`")},
	{files: lazyregexp.New(`\.(?:py|rb|sh|bash|json|ya?ml|toml|ini|env|properties|conf|tf|sql)$|(?:^|/)Dockerfile`), inStrings: true, text: lazyregexp.New(`<[A-Za-z](?:[\w .-]*[\w.-])?>[^<]*$|</(?:code|pre|strong|em)>`)},
	{files: lazyregexp.New(`\.json$`), text: lazyregexp.New(`'|//|/\*|#`)},
	{files: lazyregexp.New(`\.ya?ml$`), inStrings: true, text: lazyregexp.New(`(?:^|[^${])\{[a-z][a-z_-]*\}(?:[^}]|$)`)},
}

// fitsAround reports whether the lines around a suggestion still fit: it opens and closes as many
// brackets and quotes as the cited lines, and ends as they end.
func fitsAround(lines []string, at Cited) bool {
	cited := at.Lines
	text, known := strings.Join(lines, "\n"), strings.Join(cited, "\n")
	for _, pair := range []string{"()", "[]", "{}"} {
		depth := func(s string) (lowest, end int) {
			for i := range len(s) {
				switch s[i] {
				case pair[0]:
					end++
				case pair[1]:
					end--
				}
				lowest = min(lowest, end)
			}
			return lowest, end
		}
		lowest, end := depth(text)
		if wasLowest, wasEnd := depth(known); lowest < wasLowest || end != wasEnd {
			return false
		}
	}
	for _, quote := range []string{`"`, "`"} {
		if strings.Count(text, quote)%2 != strings.Count(known, quote)%2 {
			return false
		}
	}
	if openNotes(text) != openNotes(known) {
		return false
	}
	ext := strings.ToLower(path.Ext(at.Path))
	if openBlocks(ext, text) != openBlocks(ext, known) {
		return false
	}
	if isYAML(at.Path) && len(lines) > 0 && strings.HasPrefix(strings.TrimSpace(firstCode(lines)), "- ") != strings.HasPrefix(strings.TrimSpace(firstCode(cited)), "- ") {
		return false
	}
	isRust := ext == ".rs" // "x()?", and 'a is a lifetime
	if !isRust && singleQuotes(lines)%2 != singleQuotes(cited)%2 {
		return false
	}
	got, want := ending(lines), ending(cited)
	switch want {
	case ':', ',', '\\':
		return got == want
	case ';':
		return got == ';' || got == '}'
	}
	return got == want || got != ',' && got != '\\' && got != '.' && (got != ':' || isYAML(at.Path)) && (got != '?' || isRust || ext == ".rb")
}

func isYAML(name string) bool {
	return strings.HasSuffix(name, ".yml") || strings.HasSuffix(name, ".yaml")
}

// firstCode is the first line that is no comment, "" if there is none.
func firstCode(lines []string) string {
	return lists.Find(lines, func(l string) bool { return !commentLine().MatchString(l) })
}

// openNotes counts the comments of several lines without an end in a text.
func openNotes(text string) (n int) {
	for _, mark := range noteMark().FindAllString(quoted().ReplaceAllString(text, ""), -1) {
		n++
		if mark = strings.TrimSpace(mark); mark == "*/" || mark == "-->" {
			n -= 2
		}
	}
	return n
}

// noteMark is "/*" behind a blank, since paths such as "lists/*" have it too.
var noteMark = lazyregexp.New(`(?m)(?:^|\s)/\*|\*/(?:\s|$)|<!--|-->`)

// openBlocks counts the blocks that a text begins and does not end: by words, or by tags.
func openBlocks(ext, text string) (n int) {
	text = quoted().ReplaceAllString(text, "x")
	switch ext {
	case ".rb", ".rake":
		return len(rubyBegin().FindAllString(text, -1)) - len(rubyEnd().FindAllString(text, -1))
	case ".ex", ".exs":
		return len(elixirBegin().FindAllString(text, -1)) - len(rubyEnd().FindAllString(text, -1))
	case ".lua":
		return len(luaBegin().FindAllString(text, -1)) - len(luaEnd().FindAllString(text, -1))
	case ".py":
		if n = len(tryBegin().FindAllString(text, -1)); n > 0 && tryEnd().MatchString(text) {
			return 0
		}
		return n
	case ".sh", ".bash":
		return len(shellBegin().FindAllString(text, -1)) - len(shellEnd().FindAllString(text, -1))
	case ".html", ".htm", ".xml", ".vue", ".svelte", ".jsx", ".tsx":
		for _, m := range tag().FindAllStringSubmatch(text, -1) {
			switch end, name, alone := m[1], m[2], m[3]; {
			case end != "":
				n--
			case alone == "" && !emptyTags[name]:
				n++
			}
		}
	}
	return n
}

var (
	elixirBegin = lazyregexp.New(`(?m)\b(?:do|fn\b.*->)\s*$`)
	luaBegin    = lazyregexp.New(`\b(?:function|if|for|while)\b`)
	luaEnd      = lazyregexp.New(`\bend\b`)
	tryBegin    = lazyregexp.New(`(?m)^\s*try:`)
	tryEnd      = lazyregexp.New(`(?m)^\s*(?:except|finally)\b`)
	rubyBegin   = lazyregexp.New(`(?m)^\s*(?:if|unless|while|until|case|def|class|module|begin|for)\b|\bdo(?:\s*\|[^|]*\|)?\s*$`)
	rubyEnd     = lazyregexp.New(`(?m)^\s*end\b`)
	shellBegin  = lazyregexp.New(`(?m)(?:^|;)\s*(?:if|for|while|until|case|select)\s`)
	shellEnd    = lazyregexp.New(`(?m)(?:^|;)\s*(?:fi|done|esac)\b`)
	tag         = lazyregexp.New(`(?:\B<|(</))([A-Za-z][\w.-]*)(?:\s[^<>]*?)?(/?)>`) // "f<T>()" has a type
	emptyTags   = lists.Words("area base br col embed hr img input link meta source track wbr")
)

// singleQuotes counts the single quotes of code: not in comments, none behind a backslash, and no apostrophe.
func singleQuotes(lines []string) int {
	n := 0
	for _, l := range lines {
		n += strings.Count(apostrophe().ReplaceAllString(trailingNote().ReplaceAllString(l, ""), ""), "'")
	}
	return n
}

var apostrophe = lazyregexp.New(`\\'|[a-z]{2}'(?:s|t|d|m|re|ve|ll)\b`)

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
