package patch

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// Bounds of one diff. The rest of a larger change is kept as unparsed files.
const (
	rowLimit  = 1_000_000 // lines and hunks of a whole change
	lineLimit = 1 << 20   // bytes of one line
)

// form is the form of a section's beginning.
type form int

const (
	gitForm      form = iota // diff --git
	combinedForm             // diff --cc, diff --combined: a merge
	plainForm                // --- and +++ alone, as diff -u writes them
	noteForm                 // one line for a file, without any of its lines
)

// section is the part of a diff about one file, found but not yet read.
type section struct {
	form  form
	head  string // the header lines
	hunks []span
	begun bool   // a hunk was seen, kept or not
	bad   string // why the section cannot be read, or ""
	inGit bool   // a section of git is before it
}

// span is one hunk in the text, with the numbers of its header.
type span struct {
	start, end         int // from the header to the last line, in bytes
	lines              int
	longest            int // longest line, in bytes
	oldStart, oldLines int
	newStart, newLines int
}

// state is the expectation for the next line.
type state int

const (
	outside state = iota // anything: commit headers, mail headers, prose
	header               // a header line of the current section
	between              // a hunk of the current section, or its end
	lost                 // the current section is bad: look for the next one
)

// splitter cuts a diff into sections. It looks for a boundary only outside hunks, and a hunk is as
// long as its header says, so no content, not even a diff without context, can forge a boundary.
type splitter struct {
	text     string
	pos      int
	state    state
	message  bool // after a commit or mail header, outside any hunk
	git      bool // saw a section of git
	rows     int  // lines and hunks so far
	sections []section
}

func split(text string) []section {
	s := &splitter{text: text}
	for s.pos < len(text) {
		s.line()
	}
	if s.state == between && !s.current().begun {
		s.lose("its header is followed by no hunk")
	}
	if !s.git {
		return s.sections
	}
	// In a git diff, the notes of plain diffs are prose, except for a binary file behind its first one.
	return slices.DeleteFunc(s.sections, func(sec section) bool {
		n, names := noteOf(sec.head)
		return sec.form == noteForm && names != nil && !n.git && (n.kind != Binary || !sec.inGit)
	})
}

func (s *splitter) current() *section { return &s.sections[len(s.sections)-1] }

// lose marks the current section as unreadable. Only that one is lost.
func (s *splitter) lose(why string) {
	c := s.current()
	c.bad = cmp.Or(c.bad, why)
	s.state = lost
}

func (s *splitter) open(f form, to int, next state) {
	s.sections = append(s.sections, section{form: f, head: s.text[s.pos:to], inGit: s.git})
	s.pos, s.state, s.message = to, next, false
	s.git = s.git || slices.Contains([]form{gitForm, combinedForm}, f)
}

// line reads the next line or hunk, or leaves the line to another state.
func (s *splitter) line() {
	line, next := lineAt(s.text, s.pos)
	if strings.HasPrefix(line, "diff --git ") {
		s.open(gitForm, next, header)
		return
	}
	if strings.HasPrefix(line, "diff --cc ") || strings.HasPrefix(line, "diff --combined ") {
		s.open(combinedForm, next, lost)
		return
	}
	switch s.state {
	case header:
		s.header(line, next)
	case between:
		s.between(line, next)
	case lost:
		s.lost(line, next)
	case outside:
		s.outside(line, next)
	}
}

func (s *splitter) header(line string, next int) {
	c := s.current()
	switch {
	case strings.HasPrefix(line, "--- "):
		second, after := lineAt(s.text, next)
		if !strings.HasPrefix(second, "+++ ") {
			s.pos = next
			s.lose("its header names only one side")
			return
		}
		c.head, s.pos, s.state = s.text[s.pos-len(c.head):after], after, between
	case strings.HasPrefix(line, "@@ "):
		s.pos = next
		s.lose("its header has a hunk and no names")
	case slices.ContainsFunc(extended, func(key string) bool { return strings.HasPrefix(line, key) }):
		c.head, s.pos = s.text[s.pos-len(c.head):next], next
	default:
		s.state = outside
	}
}

func (s *splitter) between(line string, next int) {
	switch {
	case strings.HasPrefix(line, "@@ "):
		s.hunk(line, next)
	case !s.current().begun:
		s.lose("its header is followed by no hunk")
	case signature(line):
		s.pos, s.state, s.message = next, outside, true
	case s.plainStart():
		s.openPlain()
	case strings.IndexAny(line, " +-\\") == 0:
		s.pos = next
		s.lose("a hunk has more lines than its header says")
	default:
		s.state = outside
	}
}

func (s *splitter) lost(line string, next int) {
	// A lost plain section may end at names without `diff --git`. In a git section, the same three
	// lines can be content of the lost hunk.
	if s.current().form == plainForm && s.plainStart() {
		s.openPlain()
		return
	}
	if n, _ := noteOf(line); s.current().form != plainForm && n.git {
		s.open(noteForm, next, outside)
		return
	}
	s.pos = next
}

func (s *splitter) outside(line string, next int) {
	// A line of Subversion names a file here without names of its sides, as for a binary file.
	svn := func(then string) bool { return s.begins("Index: ", "====", then) }
	svnIndex := svn("") && !svn("--- ") && !svn("diff --git ") && !svn("RCS file: ")
	n, names := noteOf(line)
	after, _ := lineAt(s.text, next)
	isNormal := strings.HasPrefix(line, diffLine) && normalHunk().MatchString(after) // two files, and a hunk of the normal form
	switch depot := depotLine().FindStringSubmatch(line); {
	case s.plainStart(), !s.message && s.begins("--- ", "+++ "):
		s.openPlain()
	case depot != nil && !s.git: // Perforce names a file once
		s.open(plainForm, next, between)
		s.current().head = "--- " + depot[1] + "\n+++ " + depot[1] + "\n"
		for s.begins("\n") || s.begins("\r\n") {
			_, s.pos = lineAt(s.text, s.pos)
		}
	case !s.message && s.begins(contextLine, "--- ", "****"):
		_, next = lineAt(s.text, next)
		s.open(noteForm, next, outside)
	case n.git, !s.git && names != nil, !s.message && (n.kind == Binary || svnIndex || isNormal):
		s.open(noteForm, next, outside)
	case signature(line), strings.HasPrefix(line, "commit "), strings.HasPrefix(line, "From "):
		s.pos, s.message = next, true
	case s.message, len(s.sections) == 0:
		s.pos = next
	default:
		s.pos = next
		if _, isHunk := hunkHeader(line); isHunk {
			s.lose("one of its hunks is apart from the others")
		} else if strings.HasPrefix(line, "rename from ") || strings.HasPrefix(line, "old mode ") {
			s.lose("the header of the next file is in its last line")
		}
	}
}

// depotLine is the header of a file of Perforce.
var depotLine = lazyregexp.New(`^==== (//.+)#[0-9]+ .*====\r?$`)

// normalHunk matches "2,3c4", the header of a hunk in the normal form, and "2,3c" in an ed script.
var normalHunk = lazyregexp.New(`^[0-9]+(?:,[0-9]+)?[acd](?:[0-9]+(?:,[0-9]+)?)?\r?$`)

// hunk reads one hunk, with exactly as many lines as its header says.
func (s *splitter) hunk(line string, next int) {
	h, ok := hunkHeader(line)
	if !ok {
		s.pos = next
		s.lose("one of its hunk headers cannot be read")
		return
	}
	h.start = s.pos
	pos, oldLeft, newLeft := next, h.oldLines, h.newLines
	for max(oldLeft, newLeft) > 0 {
		oldLines, newLines := s.sides(pos)
		oldLeft, newLeft = oldLeft-oldLines, newLeft-newLines
		isLine := oldLines+newLines > 0
		isNote := h.lines > 0 && strings.HasPrefix(s.text[pos:], `\`)
		if min(oldLeft, newLeft) < 0 || !isLine && !isNote {
			// Its lines may have the names of the next file of a plain diff, so they are read again. A
			// hunk never reaches past the next hunk header, so no line is read more than twice.
			if s.pos = pos; s.current().form == plainForm {
				s.pos = next
			}
			s.lose("the hunk " + h.String() + " does not have the lines that its header says")
			return
		}
		if isLine {
			h.lines++
		}
		from := pos
		_, pos = lineAt(s.text, pos)
		h.longest = max(h.longest, pos-from)
	}
	if h.lines > 0 && strings.HasPrefix(s.text[pos:], `\`) {
		_, pos = lineAt(s.text, pos)
	}
	h.end = pos
	s.pos = pos
	c := s.current()
	c.begun = true
	if s.rows += h.lines + 1; s.rows > rowLimit {
		c.bad, c.hunks = "the change is too large to read all of its lines", nil
		return
	}
	c.hunks = append(c.hunks, h)
}

// sides counts the lines of each side at a position in a hunk: 0 and 0 if no line of a hunk is
// there. Mailers strip the blank of an empty context line.
func (s *splitter) sides(pos int) (oldLines, newLines int) {
	if pos == len(s.text) {
		return 0, 0
	}
	switch s.text[pos] {
	case ' ', '\n':
		return 1, 1
	case '-':
		return 1, 0
	case '+':
		return 0, 1
	}
	return 0, 0
}

func (h span) String() string {
	return "@@ -" + strconv.Itoa(h.oldStart) + "," + strconv.Itoa(h.oldLines) +
		" +" + strconv.Itoa(h.newStart) + "," + strconv.Itoa(h.newLines) + " @@"
}

// plainStart reports whether the names of a file and a hunk begin here.
func (s *splitter) plainStart() bool { return s.begins("--- ", "+++ ", "@@ ") }

// begins reports whether the next lines have these beginnings.
func (s *splitter) begins(lines ...string) bool {
	next := s.pos
	for _, begin := range lines {
		if !strings.HasPrefix(s.text[next:], begin) {
			return false
		}
		_, next = lineAt(s.text, next)
	}
	return true
}

func (s *splitter) openPlain() {
	_, next := lineAt(s.text, s.pos)
	_, next = lineAt(s.text, next)
	s.open(plainForm, next, between)
}

// lineAt returns the line at pos, without its newline, and the position of the next one.
func lineAt(text string, pos int) (line string, next int) {
	if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
		return text[pos : pos+i], pos + i + 1
	}
	return text[pos:], len(text)
}

// hunkLine matches the header of a hunk.
var hunkLine = lazyregexp.New(`^@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@(?: |\r?$)`)

// hunkHeader reads "@@ -1,2 +3,4 @@"; a single number means one line. The numbers fit in 31 bits.
func hunkHeader(line string) (h span, ok bool) {
	m := hunkLine().FindStringSubmatch(line)
	if m == nil {
		return h, false
	}
	for i, to := range []*int{&h.oldStart, &h.oldLines, &h.newStart, &h.newLines} {
		n, err := strconv.ParseInt(cmp.Or(m[i+1], "1"), 10, 32)
		if err != nil {
			return h, false
		}
		*to = int(n)
	}
	return h, true
}

// signature reports whether a line begins the tail of a mail; mailers strip its blank.
func signature(line string) bool {
	line = strings.TrimSuffix(line, "\r")
	return strings.TrimSuffix(line, " ") == "--"
}

// The beginnings of lines about a file with lines in another form.
const (
	contextLine = "*** "
	diffLine    = "diff "
	indexLine   = "Index: "
)

// note is a line about a whole file.
type note struct {
	form lazyregexp.Regexp // its group is the name, or its groups are those of both sides
	git  bool              // git writes it; in a git diff the others are prose
	kind Kind
	why  string // what it lacks, "" for nothing
}

const (
	asLog      = "git shows the submodule as a log, not as lines"
	oneSide    = "it exists on one side only and its lines are not in the diff"
	notInDiff  = "its lines are not in the diff"
	unresolved = "its merge conflict is not resolved"
)

var notes = []note{
	{lazyregexp.New(`^\* Unmerged path (.*)$`), true, Text, unresolved},
	{lazyregexp.New(`^Submodule (.+) contains (?:untracked|modified) content$`), true, Submodule, asLog},
	{lazyregexp.New(`^Submodule (.+) [0-9a-f]{4,64}\.\.\.?[0-9a-f]{4,64}(?: \(.*\))?:?$`), true, Submodule, asLog},
	{lazyregexp.New(`^Only in (?:\./)?(.*?): (.*)$`), false, Text, oneSide},
	{lazyregexp.New(`^Binary files (.+) and (.+) differ$`), false, Binary, ""},
	{lazyregexp.New(`^Binary file (.+) has changed$`), false, Binary, ""},                                                            // of Mercurial
	{lazyregexp.New(`^\.\.\. //(.+)#[0-9]+ (?:add|branch|delete|move/add|move/delete|import|purge|archive)$`), false, Text, oneSide}, // of Perforce
	{lazyregexp.New(`^(?:Files|Symbolic links) (.+) and (.+) differ$`), false, Text, notInDiff},
	{lazyregexp.New(`^File (.+) is an? .+ while file (.+) is an? .+$`), false, Text, notInDiff},
}

// noteOf reads a note. It has no names if the line is none.
func noteOf(line string) (n note, names []string) {
	line = strings.TrimRight(line, "\r\n")
	for _, n := range notes {
		if m := n.form().FindStringSubmatch(line); m != nil {
			return n, m[1:]
		}
	}
	return note{}, nil
}
