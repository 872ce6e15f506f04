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

// document is a reply in Markdown (R058, M11).
type document struct {
	members map[string]json.RawMessage // answers in words, and entries about ids of the debate
	claims  []debate.NewClaim
	loose   []debate.NewClaim // without a level, under no heading of findings: cases that were checked, if the reply approves
}

// markdown reads a reply line by line.
type markdown struct {
	section section
	file    file
	open    *draft
	gap     bool     // the line before is blank
	fence   string   // the mark of the open block of code, "" outside of one
	margin  int      // its indentation
	header  []string // the columns of the open table
	field   string   // the open field without a value: the block of code after it is its value

	texts   map[string][]string
	entries map[string][]map[string]any
	doc     document
}

// section is a part of a reply under a heading: a member, or findings of one level or of any.
type section struct {
	rank   int
	name   string // of the member, "" outside of all
	level  debate.Severity
	inline bool // it began with a field: a blank line ends it
}

// isText reports whether a section has words for one member, and no findings.
func (s section) isText() bool { return s.name != "" && s.name != "claims" }

// untilFinding is the section for a finding after its lines: one of words ends.
func (s section) untilFinding() section {
	if s.isText() {
		return section{}
	}
	return s
}

// file is a heading or an entry of a list that is only a path. Lines below it name its lines.
type file struct {
	rank int
	path string
}

// The ranks of what is no heading; a heading has 1 to 6. The indentation of a list comes on top.
const (
	boldRank      = 7
	listRank      = 8
	paragraphRank = 1 << 20
)

// readMarkdown reads the answers and the findings of a text. Its bounds are those of JSON.
func readMarkdown(text string) (document, error) {
	m := &markdown{texts: make(map[string][]string), entries: make(map[string][]map[string]any)}
	lines := 0
	for line := range strings.SplitSeq(withoutElements(text), "\n") {
		if len(line) > maxString {
			return document{}, unfit("a string in it has more than %d bytes", maxString)
		}
		if lines++; lines > maxList {
			return document{}, unfit("it has more than %d lines", maxList)
		}
		m.line(strings.TrimRight(line, " \t\r"))
	}
	m.close()
	doc := m.doc
	doc.members = make(map[string]json.RawMessage)
	for name, list := range m.texts {
		var v any = list
		switch {
		case name == "summary":
			v = strings.Join(list, "\n")
		case saysWord(name):
			v = wordOf(list[max(slices.IndexFunc(list, isDecision), 0)])
		}
		doc.members[name], _ = json.Marshal(v) // strings always marshal
	}
	if len(doc.members["summary"]) > maxString {
		return document{}, unfit("a string in it has more than %d bytes", maxString)
	}
	for name, list := range m.entries {
		doc.members[name], _ = json.Marshal(list) // and so do maps of them
	}
	return doc, nil
}

// line takes one line. A line of code is no heading and no entry of a list.
func (m *markdown) line(line string) {
	trimmed := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "> "))
	isFence := strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")
	switch {
	case isFence && m.fence == "":
		m.fence, m.margin = trimmed[:3], indentOf(line)
		switch {
		case strings.Contains(trimmed, "suggestion"):
			m.field = "suggestion"
		case m.field == "ref": // evidence in a block is a quote
			m.field = ""
		}
		if m.open != nil && m.field == "" {
			m.open.code = append(m.open.code, "")
		}
	case isFence && strings.HasPrefix(trimmed, m.fence):
		m.fence, m.field = "", ""
	case m.fence != "":
		m.codeLine(line[min(m.margin, indentOf(line)):])
	case trimmed == "", fold().MatchString(trimmed):
		m.gap, m.header = true, nil
		return
	case strings.Trim(trimmed, "-*_=") == "" && len(trimmed) > 2: // a rule
		if m.open != nil && m.open.rank >= boldRank {
			m.close()
		}
	case strings.HasPrefix(trimmed, "|") && strings.Count(trimmed, "|") > 2:
		m.row(cellsOf(trimmed))
	default:
		m.textLine(trimmed, indentOf(line))
	}
	m.gap = false
}

func (m *markdown) codeLine(line string) {
	switch d := m.open; {
	case d == nil:
	case m.field != "":
		d.fields[m.field] = strings.TrimPrefix(d.fields[m.field]+"\n"+line, "\n")
	case len(d.code) > 0:
		d.code[len(d.code)-1] = strings.TrimPrefix(d.code[len(d.code)-1]+"\n"+line, "\n")
	}
}

// textLine takes a line outside of code and tables.
func (m *markdown) textLine(line string, indent int) {
	m.field = ""
	if m.gap && m.section.inline {
		m.section = section{}
	}
	entry, rank := entryOf(line), paragraphRank
	label, value := fieldOf(entry)
	switch mark := headingMark().FindString(line); {
	case mark != "":
		entry, rank = line[len(mark):], len(strings.TrimSpace(mark))
	case entry != line:
		rank = listRank + indent
	case label == "" && startsFinding(entry):
		rank = boldRank
	}
	if pieces := strings.Split(entry, " | "); len(pieces) > 1 && allFields(pieces) { // "Severity: high | File: a.go"
		for _, piece := range pieces {
			m.textLine(piece, indent)
		}
		return
	}
	s, rest, isSection := sectionOf(entry, rank <= boldRank)
	levelled := hasLevel(entry)
	switch {
	case rank > 6 && m.holds(label, value, rank, indent):
		m.open.set(label, value)
		if value == "" {
			m.field = labels[label]
		}
	case isSection && (rank <= boldRank || rank == paragraphRank || s.isText() && rest != ""):
		m.begin(min(rank, boldRank), "")
		m.open, m.section, m.file = nil, s, file{}
		m.section.rank, m.section.inline = min(rank, boldRank), rank > 6 && rest != ""
		m.answer(rest, boldRank)
	case rank != paragraphRank && isPath(entry), rank <= 6 && labels[label] == "path" && isPath(value):
		m.begin(rank, "")
		m.open, m.file = nil, file{rank, strings.Trim(cmp.Or(value, entry), "*_`: ")}
	case isClaimLabel(label):
		m.section = m.section.untilFinding()
		if rank == paragraphRank {
			rank = boldRank + indent
		}
		m.begin(rank, "")
		m.open.set(label, value)
	case m.belongs(entry, rank, indent, levelled):
		m.open.body = append(m.open.body, line)
		m.open.placed = m.open.placed || m.places(entry)
	case rank > 6 && m.section.isText() && !levelled:
		m.answer(entry, rank)
	default:
		m.begin(rank, entry)
	}
}

// holds reports whether a field belongs to the open draft. A draft without a title has each of
// its main fields once.
func (m *markdown) holds(label, value string, rank, indent int) bool {
	d := m.open
	switch {
	case label == "", d == nil, rank < d.rank && d.rank != paragraphRank:
		return false
	case d.id() != "" && (headings[label] == "" || d.fields["class"] == "" && !m.gap):
		return true
	case labels[label] == "", label == "recommendation" && isDecision(value):
		return false
	case headings[label] != "": // the whole reply may have such a field, too
		return indent > 0 || !m.gap || d.rank < listRank
	case d.title != "":
		return labels[label] != "title" || rank != d.rank
	}
	return d.fields[labels[label]] == "" || !slices.Contains([]string{"title", "severity", "path", "segment"}, labels[label])
}

// belongs reports whether a line is more of the open draft.
func (m *markdown) belongs(entry string, rank, indent int, levelled bool) bool {
	d := m.open
	if d == nil || rank <= 6 {
		return false
	}
	isPlaced := m.places(entry)
	if levelled { // the level of the heading above it
		return d.rank <= 6 && d.placed && !isPlaced && !hasLevel(d.title)
	}
	isList := rank != paragraphRank && rank != boldRank
	switch {
	case startsWithPlace(entry) && !isList && (startsWithPlace(d.title) || d.rank == paragraphRank):
		return false
	case rank == boldRank: // "**Why it matters**" in a finding with its place
		return d.rank <= 6 && d.placed && !isPlaced
	case d.rank < listRank && isList:
		return !isPlaced || !d.contains()
	case d.rank < listRank: // in bold may be its place alone
		return m.gap || !isPlaced || !startsWithPlace(d.title)
	case isList:
		return rank > d.rank
	case d.rank != paragraphRank:
		return !m.gap || indent > d.rank-listRank
	case m.gap:
		return false
	case d.section.level == "":
		return true
	}
	return !isPlaced && (d.placed || strings.ContainsAny(entry[:1], small))
}

// places reports whether a line names lines of a file.
func (m *markdown) places(line string) bool {
	return len(placesIn(line)) > 0 || m.file.path != "" && lineForm().MatchString(line)
}

// row takes a row of a table. The first one names the columns, unless the rows are fields.
func (m *markdown) row(cells []string) {
	switch {
	case strings.Trim(strings.Join(cells, ""), ":- ") == "":
		return
	case m.header == nil:
		m.header = cells
		m.close()
		return
	}
	if label := labels[bareLabel(cells[0])]; label != "" && len(cells) == 2 {
		if !m.holds(bareLabel(cells[0]), cells[1], listRank, 0) {
			m.begin(listRank, "")
		}
		m.open.set(bareLabel(cells[0]), cells[1])
		return
	}
	m.section = m.section.untilFinding()
	m.begin(listRank, "")
	for i, cell := range cells[:min(len(cells), len(m.header))] {
		switch label := bareLabel(m.header[i]); {
		case recordID().MatchString(cell) && m.open.title == "":
			m.open.title = cell
		case labels[label] != "", m.open.id() != "" && headings[label] != "":
			m.open.set(label, cell)
		case strings.Trim(cell, "0123456789#. ") != "":
			m.open.body = append(m.open.body, cell)
		}
	}
}

// cellsOf returns the cells of a row of a table.
func cellsOf(row string) []string {
	row = strings.ReplaceAll(row, `\|`, "\x00")
	var cells []string
	for cell := range strings.SplitSeq(strings.Trim(row, "|"), "|") {
		cells = append(cells, strings.TrimSpace(strings.ReplaceAll(cell, "\x00", "|")))
	}
	return cells
}

// answer takes a line of a section: words for its member, or a finding.
func (m *markdown) answer(line string, rank int) {
	switch {
	case line == "", m.section.name == notFindings:
	case !m.section.isText():
		m.begin(rank, line)
	case !decorates(line) || saysWord(m.section.name):
		m.texts[m.section.name] = append(m.texts[m.section.name], line)
	}
}

// begin opens a draft. A heading of the same rank ends a section.
func (m *markdown) begin(rank int, title string) {
	if d := m.open; d != nil && d.rank < rank && rank != paragraphRank && d.contains() {
		m.open = nil // it is only the heading of this one
	}
	m.close()
	if rank <= 6 && (rank <= m.section.rank || m.section.isText()) {
		m.section = section{}
	}
	if rank <= m.file.rank {
		m.file = file{}
	}
	m.open = &draft{rank: rank, section: m.section, file: m.file, title: title, fields: make(map[string]string), placed: m.places(title)}
}

// close reads the open draft.
func (m *markdown) close() {
	d := m.open
	m.open = nil
	if d == nil {
		return
	}
	if name, entry := d.entry(); name != "" {
		m.entries[name] = append(m.entries[name], entry)
		return
	}
	switch c, ok := d.finding(); {
	case !ok:
	case c.Severity == "" && d.section.name == "":
		m.doc.loose = append(m.doc.loose, c)
	default:
		m.doc.claims = append(m.doc.claims, c)
	}
}

var (
	headingMark = lazyregexp.New(`^#{1,6}\s+`)
	// boldLine is a line in bold, perhaps with a place or more words behind a sign.
	boldLine = lazyregexp.New(`^[^\pL\pN*_<]*(?:\*\*|__)[^*]+(?:\*\*|__)\s*(?:[-–—:(\x60\[].*)?$`)
	inBold   = lazyregexp.New(`\*\*([^*]+)\*\*`)
	// listMark is the mark of an entry of a list. A number has at most maxDigits digits.
	listMark = lazyregexp.New(`^(?:[-*+•]|[0-9]{1,9}[.)]) (?:\[[ xX]\] )?`)
	// numbered is a model's own number of a finding before its words.
	numbered  = lazyregexp.New(`(?i)^(?:(?:finding|issue|problem|bug|concern|comment|claim)\s*)?#?[0-9]{1,3}(?:(?:\.[0-9]{1,2})+\s|\s*[:.)–—-]\s+)`)
	leadingID = lazyregexp.New(`(?i)^[CFK][0-9]{1,9}\b`)
	// fieldForm is a label and its value, such as "**Severity:** high".
	fieldForm = lazyregexp.New(`^[^\pL\pN*_\[(\x60<]*[*_]{0,3}(\pL[\pL ()_-]{1,30}?)[*_]{0,3}:[*_]{0,3}(?:\s+(.*))?$`)
	// lineForm is a line of the file of a heading above it, numbersForm the value of a field.
	lineForm    = lazyregexp.New(`(?i)\b(?:lines? |L)([0-9]+(?:\s?[-–—]\s?L?[0-9]+)?)\b`)
	numbersForm = lazyregexp.New(`[0-9]+(?:\s?[-–—]\s?L?[0-9]+)?`)
	// fold is a line with the tag of an HTML fold alone.
	fold = lazyregexp.New(`(?i)^</?details[^<>]*>$`)
	// elementTag is the tag of an element.
	elementTag = lazyregexp.New(`(?i)<(/?)([a-z][a-z_]{2,20})>`)
)

// withoutElements writes elements such as <finding><severity>high</severity></finding> as
// headings and fields.
func withoutElements(text string) string {
	if !strings.Contains(text, "</") || strings.Contains(text, "<details>") { // these are HTML
		return text
	}
	return elementTag().ReplaceAllStringFunc(text, func(tag string) string {
		parts := elementTag().FindStringSubmatch(tag)
		name := bareLabel(parts[2])
		switch {
		case labels[name] == "" && headings[name] == "":
			return tag
		case parts[1] != "":
			return "\n"
		case headings[name] == "claims":
			return "\n## " + name + "\n"
		case labels[name] == "title" && name != "title":
			return "\n### " + name + "\n" // the element of one finding
		}
		return "\n" + name + ": "
	})
}

// entryOf strips the mark of a list and blanks from a line.
func entryOf(line string) string {
	line = strings.TrimSpace(line)
	return strings.TrimSpace(strings.TrimPrefix(line, listMark().FindString(line)))
}

// indentOf is the number of blanks at the start of a line.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// fieldOf reads a line with a known label, "" for another line.
func fieldOf(line string) (label, value string) {
	parts := fieldForm().FindStringSubmatch(line)
	if parts == nil || labels[bareLabel(parts[1])]+headings[bareLabel(parts[1])] == "" {
		return "", ""
	}
	return bareLabel(parts[1]), strings.TrimSpace(parts[2])
}

func allFields(lines []string) bool {
	return !slices.ContainsFunc(lines, func(line string) bool {
		label, _ := fieldOf(line)
		return label == ""
	})
}

// bareLabel is a label in small letters, without signs: "Line(s)" is "lines".
func bareLabel(label string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == '_' || r == '-' {
			return ' '
		}
		if unicode.IsLetter(r) || r == ' ' {
			return unicode.ToLower(r)
		}
		return -1
	}, label))
}
