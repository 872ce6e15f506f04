package prompt

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// sections is a reply in Markdown: the entries under each heading with the name of a member,
// and the findings elsewhere with their level before them (R058, M11).
type sections map[string][]string

// headings are the names of headings, with the members that they mean.
var headings = map[string]string{
	"summary": "summary", "p0": "p0", "p1": "p1", "p2": "p2", "p3": "p3", "missing": "missing", "evidence": "evidence",
	"recommendation": "recommendation", "recommended decision": "recommendation", "decision": "recommendation", "disposition": "recommendation",
	"verdict": "verdict", "confidence": "confidence", "reasoning": "reasoning",
	"findings": "claims", "claims": "claims", "issues": "claims", "problems": "claims", "defects": "claims", "bugs": "claims", "concerns": "claims",
}

// collector reads the sections of a text line by line.
type collector struct {
	found   sections
	section string // the open one, "" outside of all
	entry   bool   // the section is a list of findings, and one of them is open
	whole   bool   // the open entry is a heading: the next lines belong to it
	listed  bool   // the open entry has the mark of a list, or a level
	indent  int    // of the open entry
	gap     bool   // there is a blank line after it
	lines   int
}

// readSections collects the sections of a text, none if no line has the name of one. A line
// is too long at the same length as a JSON string.
func readSections(text string) (sections, error) {
	c := collector{found: make(sections)}
	for line := range strings.SplitSeq(text, "\n") {
		if err := c.line(strings.TrimRight(line, " \t\r")); err != nil {
			return nil, err
		}
	}
	if len(strings.Join(c.found["summary"], "\n")) > maxString {
		return nil, unfit("a string in it has more than %d bytes", maxString)
	}
	return c.found, nil
}

// saysWord reports whether the answer of a section is one word.
func saysWord(name string) bool {
	return slices.Contains([]string{"recommendation", "verdict", "confidence"}, name)
}

// line takes one line. A heading with another name ends the section before it.
func (c *collector) line(line string) error {
	trimmed := strings.TrimSpace(line)
	if trimmed == "" {
		c.gap = true
		return nil
	}
	if name, rest, is := headingOf(trimmed); is {
		c.open(name)
		if name == "" || decorates(rest) && !saysWord(name) {
			return nil
		}
		c.whole = strings.HasPrefix(trimmed, "#")
		return c.add(rest, 0, true)
	}
	if name, rest, is := levelOf(trimmed); is {
		within := c.section
		if listed := entryOf(trimmed) != trimmed; !listed || within == "" {
			within = name
		}
		c.open(name)
		err := c.add(rest, indentOf(line), true)
		c.section = within
		return err
	}
	if c.section == "" {
		return nil
	}
	entry := entryOf(trimmed)
	return c.add(entry, indentOf(line), entry != trimmed)
}

// open begins a section, or ends the one before it if the name is "".
func (c *collector) open(name string) {
	c.section, c.entry, c.whole, c.gap = name, false, false, false
	if name != "" && c.found[name] == nil {
		c.found[name] = []string{}
	}
}

// add takes a line of the open section: another entry, or more of the last one.
func (c *collector) add(text string, indent int, listed bool) error {
	if text == "" {
		return nil
	}
	if len(text) > maxString {
		return unfit("a string in it has more than %d bytes", maxString)
	}
	if c.lines++; c.lines > maxList {
		return unfit("its sections have more than %d entries", maxList)
	}
	list := c.found[c.section]
	if c.continues(text, indent, listed) && len(list) > 0 {
		if last := &list[len(list)-1]; len(*last)+len(text) < maxString {
			*last += "\n" + text
		}
		c.gap = false
		return nil
	}
	c.found[c.section] = append(list, text)
	c.entry, c.listed, c.indent, c.gap = strings.HasPrefix(c.section, "p") || c.section == "claims", listed, indent, false
	return nil
}

// continues reports whether a line belongs to the open finding.
func (c *collector) continues(text string, indent int, listed bool) bool {
	switch {
	case !c.entry:
		return false
	case c.whole, indent > c.indent:
		return true
	case listed:
		return false
	case c.listed:
		return true
	case c.gap:
		return false
	}
	return strings.ContainsAny(text[:1], small) && len(placesIn(text)) == 0
}

// headingOf reads "## P1", "**P1:** text" or "P1: text".
func headingOf(line string) (name, rest string, ok bool) {
	marked := strings.HasPrefix(line, "#")
	bare := strings.TrimLeftFunc(strings.TrimLeft(line, "#"), func(r rune) bool { return strings.ContainsRune(" \t*_", r) || isSymbol(r) })
	word := bare
	if i := strings.IndexAny(bare, ":*"); i >= 0 {
		word, rest = bare[:i], strings.TrimLeft(bare[i:], ":*_ \t")
	}
	word = strings.ToLower(strings.Trim(word, " \t_"))
	if known := headings[word]; known != "" && (marked || len(bare) > len(word) || line == bare) {
		return known, rest, true
	}
	level := levelWords[strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })]
	if bold := line != bare && (rest == "" || strings.Contains(bare, ":")); bold && level != "" {
		return strings.ToLower(string(level)), rest, true // "**High:** text"
	}
	if !marked {
		return "", "", false
	}
	if name, rest, ok = levelOf(bare); ok {
		return name, rest, true
	}
	first := strings.FieldsFunc(word, func(r rune) bool { return !unicode.In(r, unicode.Letter, unicode.Digit) })
	if len(first) > 0 && levelWords[first[0]] != "" && decorates(word) {
		return strings.ToLower(string(levelWords[first[0]])), "", true // "## P1 findings"
	}
	return "", "", true
}

// levelOf reads a finding with its level before it, in any section: "[P1] text",
// "P1 - text", "- P1 cart.go:8 text".
func levelOf(line string) (name, rest string, ok bool) {
	line = strings.TrimLeftFunc(entryOf(line), isSymbol)
	inner := strings.TrimLeft(line, "*_[(`| ")
	level := levelForm().FindStringSubmatch(inner)
	if level == nil {
		tag := levelTag().FindStringSubmatch(inner)
		if tag == nil || inner == line {
			return "", "", false
		}
		return strings.ToLower(string(levelWords[strings.ToLower(tag[1])])), afterTag(tag[2]), true
	}
	name, after := strings.ToLower(level[1]), level[2]
	rest = afterTag(after)
	separated := strings.Trim(after[:len(after)-len(rest)], " ") != ""
	named := len(rest) < len(after) && len(placesIn(rest)) > 0
	return name, rest, separated || named
}

// isSymbol reports whether a character is a sign such as a red circle.
func isSymbol(r rune) bool { return r > unicode.MaxASCII && !unicode.IsLetter(r) }

// levelTag is a word for a level in brackets or in bold, with text after it.
var levelTag = lazyregexp.New(`(?is)^(critical|blocker|blocking|high|major|medium|moderate|minor|low|nit|trivial)([\])*_|:].+)`)

// levelForm is a level with text after it.
var levelForm = lazyregexp.New(`(?s)^([Pp][0123])(.+)`)

// decorates reports whether the words of a heading only describe its section.
func decorates(words string) bool {
	list := strings.FieldsFunc(strings.ToLower(words), func(r rune) bool { return !strings.ContainsRune(small, r) })
	return !slices.ContainsFunc(list, func(word string) bool { return !slices.Contains(decorations, word) })
}

var decorations = append([]string{
	"p", "must", "should", "could", "fix", "fixed", "be", "optional", "nit", "nits", "high", "medium", "low", "breaks", "something", "nice", "have",
	"consider", "required", "before", "merge", "merging", "list",
}, fillers...)

// listMark is the mark of an entry of a list. A number has at most maxDigits digits.
var listMark = lazyregexp.New(`^(?:[-*+•]|[0-9]{1,9}[.)]) `)

// entryOf strips the mark of a list and blanks from a line.
func entryOf(line string) string {
	line = strings.TrimSpace(line)
	return strings.TrimSpace(strings.TrimPrefix(line, listMark().FindString(line)))
}

// indentOf is the number of blanks at the start of a line.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// members returns the sections as members of a JSON reply.
func (s sections) members() map[string]json.RawMessage {
	members := make(map[string]json.RawMessage)
	for _, name := range sorted(s) {
		var v any = s[name]
		switch {
		case len(s[name]) == 0:
			continue
		case name == "summary":
			v = strings.Join(s[name], "\n")
		case saysWord(name):
			v = wordOf(s[name][0])
		case name == "claims": // without a place or a level, a line is prose
			v = lists.Keep(s[name], func(line string) bool {
				c, ok := plainClaim("", line)
				return ok && (len(c.Refs) > 0 || c.Severity != "")
			})
		}
		members[name], _ = json.Marshal(v) // strings always marshal
	}
	return members
}

// wordOf is the answer at the start of a line: one of our words, or all words before a sign.
// "Approve with changes" is no approval.
func wordOf(line string) string {
	line = strings.TrimLeft(line, "*_`\"' ")
	first, _, _ := strings.Cut(line, " ")
	ours := []string{"keep", "revise", "reject", "continue", "agree", "partial", "disagree", "high", "med", "low"}
	if slices.Contains(ours, bareWord(first)) {
		return bareWord(first)
	}
	if i := strings.IndexAny(line, ".,:;*`\"'(\n"); i >= 0 {
		line = line[:i]
	}
	return strings.TrimSpace(line)
}

// inOneText are possible members for a whole reply in one text. The only member of a reply
// is one, too.
var inOneText = []string{"summary", "review", "report", "findings", "analysis", "text", "content", "response"}

// unfold reads the sections of a reply in one text, also if the reply has a verdict of its
// own. A member of the reply wins over a section.
func unfold(members map[string]json.RawMessage) error {
	if slices.ContainsFunc([]string{"p0", "p1", "p2", "p3", "claims", "new_claims", "uncovered"}, func(name string) bool { return members[name] != nil }) {
		return nil
	}
	all := make(sections)
	for _, name := range sorted(members) {
		text := ""
		if slices.Contains(inOneText, name) || len(members) == 1 {
			_ = json.Unmarshal(members[name], &text) // only a text has sections
		}
		s, err := readSections(text)
		if err != nil {
			return err
		}
		for heading, entries := range s {
			all[heading] = append(all[heading], entries...)
		}
	}
	for name, raw := range all.members() {
		if members[name] == nil {
			members[name] = raw
		}
	}
	return nil
}
