package prompt

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// document is a reply in Markdown: sections with the names of the members (R058), and findings
// as entries of a section or as lines that begin with a level (M11).
type document struct {
	members map[string]json.RawMessage
	claims  []debate.NewClaim
	unread  bool // it has a finding or an evaluation in another form, such as a table
	loose   bool // a line outside of the findings names a place
}

// markdown reads a reply line by line.
type markdown struct {
	document
	section section
	rank    int      // of its heading, 0 if it has no mark
	open    []string // the lines of the open finding
	indent  int      // of its mark in a list; -1 if it is a heading or a paragraph with a level
	fenced  bool
	gap     bool // the line before is blank
	texts   map[string][]string
}

// section is a part of a reply under a heading.
type section struct {
	name  string          // of the member, "" outside of all
	level debate.Severity // of its findings, "" for any
}

// The names of the sections for findings, and for everything that needs no answer.
const (
	findings    = "claims"
	notFindings = "-"
)

// readMarkdown reads the answers and the findings of a text. Its bounds are those of JSON.
func readMarkdown(text string) (document, error) {
	m := &markdown{texts: make(map[string][]string)}
	lines := 0
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) > maxString {
			return document{}, unfit("a string in it has more than %d bytes", maxString)
		}
		if lines++; lines > maxList {
			return document{}, unfit("it has more than %d lines", maxList)
		}
		m.line(strings.TrimRight(line, " \t\r"))
	}
	m.close()
	m.members = make(map[string]json.RawMessage)
	for name, list := range m.texts {
		var v any = list
		switch {
		case name == "summary":
			v = strings.Join(list, "\n")
		case saysWord(name):
			v = wordOf(list[0])
		}
		m.members[name], _ = json.Marshal(v) // strings always marshal
	}
	if len(m.members["summary"]) > maxString {
		return document{}, unfit("a string in it has more than %d bytes", maxString)
	}
	return m.document, nil
}

// line takes one line.
func (m *markdown) line(line string) {
	text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "> "))
	gap := m.gap
	m.gap = text == ""
	if isFence := strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~"); isFence || m.fenced {
		m.fenced = m.fenced != isFence
		if m.open != nil {
			m.open = append(m.open, line)
		}
		return
	}
	mark := headingMark().FindString(text)
	entry := entryOf(text[len(mark):])
	rank, isList, indent := len(strings.TrimSpace(mark)), mark == "" && listMark().MatchString(text), len(line)-len(strings.TrimLeft(line, " \t"))
	isPlaced := len(placesIn(entry)) > 0
	s, rest, isSection := sectionOf(entry, rank > 0 || boldLine().MatchString(text))
	switch {
	case text == "", fold().MatchString(text):
	case strings.Trim(text, "-*_=") == "" && len(text) > 2: // a rule
		m.close()
	case isSection && !isList:
		m.close()
		m.section, m.rank = s, rank
		m.answer(rest)
	case m.section.name == notFindings && rank == 0:
	case hasLevel(entry):
		m.begin(entry, -1)
		if isList {
			m.indent = indent
		}
	case rank > 0: // in a section of findings it begins one of them
		m.close()
		m.unread = m.unread || m.section.name == findings && rank > m.rank
		m.section = section{}
		m.stray(entry)
	case m.open != nil && (indent > m.indent || !isList && !gap && !isPlaced):
		m.open = append(m.open, entry)
		m.unread = m.unread || otherForm().MatchString(entry) || levelAtEnd().MatchString(entry)
	case m.section.name == findings && (isList || isPlaced || m.section.level != "" || saysNothing(entry)):
		m.begin(entry, indent)
		m.unread = m.unread || otherForm().MatchString(entry)
	case m.section.name != findings && m.section.name != "":
		m.answer(entry)
	default:
		m.close()
		m.unread = m.unread || m.section.name == findings && !strings.HasSuffix(entry, ":")
		m.stray(entry)
	}
}

// answer takes words for the member of the section.
func (m *markdown) answer(line string) {
	name := m.section.name
	switch {
	case line == "", name == notFindings, decorates(line) && !saysWord(name):
	case name == findings:
		m.begin(line, 0)
	default:
		m.texts[name] = append(m.texts[name], line)
		m.unread = m.unread || saysWord(name) && recordID().MatchString(strings.TrimLeft(line, "*_`[( "))
	}
}

// begin opens a finding.
func (m *markdown) begin(line string, indent int) {
	m.close()
	m.open, m.indent = []string{line}, indent
}

// stray takes a line outside of all sections and findings.
func (m *markdown) stray(line string) {
	m.loose = m.loose || len(placesIn(line)) > 0
	m.unread = m.unread || otherForm().MatchString(line) || recordID().MatchString(strings.TrimLeft(line, "*_`[( "))
}

// close reads the open finding.
func (m *markdown) close() {
	c, says := plainClaim("", strings.Join(m.open, "\n"))
	if len(m.open) > 1 && len(m.open[0]) <= maxTitle { // its title is the first line
		c.Body = strings.Join(m.open[1:], "\n")
	}
	if m.open = nil; says {
		c.Title, c.Severity = strings.ReplaceAll(c.Title, "**", ""), cmp.Or(c.Severity, m.section.level)
		m.claims = append(m.claims, c)
	}
}

var (
	headingMark = lazyregexp.New(`^#{1,6}\s+`)
	// boldLine is a line in bold, perhaps with more words behind a sign.
	boldLine = lazyregexp.New(`^[^\pL\pN*_<]*(?:\*\*|__)[^*]+(?:\*\*|__)\s*(?:[-–—:(\x60\[].*)?$`)
	// listMark is the mark of an entry of a list, with a model's own number of its finding.
	listMark = lazyregexp.New(`^(?:[-*+•]|[0-9]{1,9}[.)]) (?:\[[ xX]\] )?`)
	// recordID matches an id of the record before its words.
	recordID = lazyregexp.New(`(?i)^[CFK][0-9]{1,9}\b`)
	// fold is a line with the tag of an HTML fold alone.
	fold = lazyregexp.New(`(?i)^</?details[^<>]*>$`)
	// otherForm is a line about a finding in a form that is not read: a field or an element of
	// it, a row of a table, the lines of a file above it, or a member in JSON or YAML.
	otherForm = lazyregexp.New(`(?i)^[^\pL|]*(?:(?:severity|priority|risk|file|path|location|lines?|title|issue|problem|finding|claims|findings|new_claims)\b[^\pL\pN\s]{0,4}[:>]|lines? [0-9]|L[0-9])|^\|.*\|.*\|`)
)

// entryOf strips the mark of a list and blanks from a line.
func entryOf(line string) string {
	line = strings.TrimSpace(line)
	return strings.TrimSpace(strings.TrimPrefix(line, listMark().FindString(line)))
}

// headings are the names of headings, with the members that they mean.
var headings = map[string]string{
	"summary": "summary", "missing": "missing", "evidence": "evidence",
	"recommendation": "recommendation", "recommended decision": "recommendation", "decision": "recommendation", "disposition": "recommendation",
	"position": "recommendation", "overall": "recommendation", "overall assessment": "recommendation", "assessment": "recommendation", "conclusion": "recommendation", "recommended action": "recommendation",
	"final option": "final_option",
	"verdict":      "verdict", "confidence": "confidence", "reasoning": "reasoning",
	"findings": "claims", "claims": "claims", "issues": "claims", "problems": "claims", "defects": "claims", "bugs": "claims", "concerns": "claims",
	"new claims": "claims", "new findings": "claims",
}

// saysWord reports whether the answer of a section is one word.
func saysWord(name string) bool {
	return slices.Contains([]string{"recommendation", "verdict", "confidence", "final_option"}, name)
}

// sectionOf reads the heading of a section, such as "## P1", "**Summary:** text", "Must fix:".
// Marked says that the line is a heading or in bold.
func sectionOf(line string, marked bool) (s section, rest string, ok bool) {
	bare := strings.TrimFunc(line, func(r rune) bool { return strings.ContainsRune(" \t*_", r) || isSymbol(r) })
	words := bare
	if i := strings.IndexAny(bare, ":*"); i >= 0 {
		words, rest = bare[:i], strings.TrimLeft(bare[i:], ":*_ \t")
	}
	words = strings.ToLower(strings.Trim(words, " \t_"))
	if !marked && len(bare) == len(words) {
		return section{}, "", false
	}
	name := headings[words]
	list := strings.FieldsFunc(words, func(r rune) bool { return !unicode.In(r, unicode.Letter, unicode.Digit) })
	other := func(word string) bool { return !slices.Contains(decorations, word) && meant(word, severities...) == "" }
	if n := len(list); name == "" && 1 < n && n < 4 && slices.Contains([]string{"verdict", "recommendation", "decision", "disposition"}, list[n-1]) {
		name = headings[list[n-1]] // "Final verdict"
	}
	switch {
	case name != "":
		if decorates(rest) && !saysWord(name) {
			rest = ""
		}
		return section{name: name}, rest, true
	case rest != "" && !decorates(rest) && !saysNothing(rest):
		return section{}, "", false
	case len(list) > 0 && !slices.ContainsFunc(list, other): // it only says that findings follow, and of which level
		return section{name: findings, level: severityIn(words)}, "", true
	case slices.ContainsFunc(list, func(word string) bool { return slices.Contains(praise, word) }) && !hasLevel(line):
		return section{name: notFindings}, "", true
	}
	return section{}, "", false
}

// praise are words of headings over lines that are no findings.
var praise = []string{"good", "strengths", "positive", "positives", "praise", "well", "walkthrough", "overview", "scope", "checked", "verified", "tested", "background", "context"}

// startsWithPlace reports whether a line begins with a place, such as "cart.go:12: it leaks".
func startsWithPlace(line string) bool {
	places := placesIn(line)
	return len(places) > 0 && strings.Trim(line[:places[0].start], "`*_[( ") == ""
}

// hasLevel reports whether a line begins with a level, perhaps behind its place or before it at
// the end.
func hasLevel(line string) bool {
	t := tagsOf(line)
	return t.level != "" && (!levelAtEnd().MatchString(line) || len(placesIn(line)) > 0)
}

// isSymbol reports whether a character is a sign such as a red circle.
func isSymbol(r rune) bool { return r > unicode.MaxASCII && !unicode.IsLetter(r) }

// decorates reports whether the words of a heading only describe its section.
func decorates(words string) bool {
	list := strings.FieldsFunc(strings.ToLower(words), func(r rune) bool { return !strings.ContainsRune(small, r) })
	return !slices.ContainsFunc(list, func(word string) bool { return !slices.Contains(decorations, word) })
}

var decorations = append([]string{
	"p", "must", "should", "could", "fix", "fixed", "be", "optional", "nit", "nits", "high", "medium", "low", "breaks", "something", "nice", "have",
	"consider", "required", "before", "merge", "merging", "list",
}, fillers...)

// wordOf is the answer at the start of a line: one of our words, or all words before a sign.
// "Approve with changes" is no approval.
func wordOf(line string) string {
	words := strings.TrimSpace(firstWords().FindStringSubmatch(line)[1])
	first, _, _ := strings.Cut(words, " ")
	ours := []string{"keep", "revise", "reject", "continue", "agree", "partial", "disagree", "high", "med", "low"}
	if slices.Contains(ours, bareWord(first)) {
		return bareWord(first)
	}
	return words
}

// firstWords are the words behind the signs at the start of a line, up to the next sign.
var firstWords = lazyregexp.New("^(?:[*_`\"' ]|[^\\x00-\\x7f\\pL])*((?:[^.,:;*`\"'(\n\\x{80}-\\x{10ffff}]|\\pL)*)")
