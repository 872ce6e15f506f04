package ghtest

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// change is one file that two commits differ in.
type change struct {
	path           string
	old            string // the path at the base of a renamed file, else ""
	status         string // added, removed, modified, renamed
	before, after  File
	sha            string // of the file as it is, or was before it was removed
	from, to       string // the names of both contents, "" where there is none
	patch          string // the hunks, "" for a file that is no text
	binary         bool
	added, deleted int
}

// compare lists what differs between two commits, by path. A file that was moved as it is
// shows as renamed, another one as removed and added. "" for base is nothing at all.
func (o *objects) compare(base, head string) []change {
	before, after := map[string]File{}, map[string]File{}
	if c := o.commits[base]; c != nil {
		before = c.files
	}
	if c := o.commits[head]; c != nil {
		after = c.files
	}
	all := map[string]File{}
	maps.Copy(all, before)
	maps.Copy(all, after)
	var changes []change
	for _, path := range slices.Sorted(maps.Keys(all)) {
		old, was := before[path]
		now, is := after[path]
		if was && is && old == now {
			continue
		}
		changes = append(changes, compareFile(path, old, was, now, is))
	}
	return renamed(changes)
}

// renamed makes one change of a removed and an added file with the same content.
func renamed(changes []change) []change {
	gone := map[int]bool{}
	for i := range changes {
		to := &changes[i]
		if to.status != "added" {
			continue
		}
		at := 0
		for at < len(changes) && (gone[at] || changes[at].status != "removed" || changes[at].sha != to.sha) {
			at++
		}
		if at < len(changes) {
			gone[at] = true
			*to = change{path: to.path, old: changes[at].path, status: "renamed", before: changes[at].before, after: to.after, sha: to.sha, from: to.sha, to: to.sha}
		}
	}
	var left []change
	for i, c := range changes {
		if !gone[i] {
			left = append(left, c)
		}
	}
	return left
}

func compareFile(path string, old File, was bool, now File, is bool) change {
	c := change{path: path, before: old, after: now, status: "modified"}
	if was {
		c.from = old.name()
		c.sha = c.from
	} else {
		c.status = "added"
	}
	if is {
		c.to = now.name()
		c.sha = c.to
	} else {
		c.status = "removed"
	}
	if strings.Contains(old.head()+now.head(), "\x00") {
		c.binary = c.from != c.to
		return c
	}
	text := diff.Diff("a", []byte(old.text()), "b", []byte(now.text()))
	if _, hunks, ok := bytes.Cut(text, []byte("\n@@")); ok {
		c.patch = gitHunks("@@" + string(hunks))
	}
	for line := range strings.Lines(c.patch) {
		switch line[0] {
		case '+':
			c.added++
		case '-':
			c.deleted++
		}
	}
	return c
}

// name is the git name of the content.
func (f File) name() string {
	if f.Mode == "160000" {
		return f.Content
	}
	return hash("blob", []byte(f.Content))
}

// head is what git looks at to tell whether it is a text.
func (f File) head() string { return f.Content[:min(len(f.Content), 8000)] }

// text is what a diff shows of it.
func (f File) text() string {
	if f.Mode == "160000" {
		return "Subproject commit " + f.Content + "\n"
	}
	return f.Content
}

// gitHunks writes "-1,1" as git does, "-1".
func gitHunks(hunks string) string {
	lines := strings.SplitAfter(hunks, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "@@ -") {
			lines[i] = strings.ReplaceAll(line, ",1 ", " ")
		}
	}
	return strings.Join(lines, "")
}

// diffText is the whole difference as git prints it.
func diffText(changes []change) string {
	var text strings.Builder
	for _, c := range changes {
		c.write(&text)
	}
	return text.String()
}

func (c change) write(text *strings.Builder) {
	old, now := quote("a/"+cmp.Or(c.old, c.path)), quote("b/"+c.path)
	fmt.Fprintf(text, "diff --git %s %s\n", old, now)
	before, after := cmp.Or(c.before.Mode, "100644"), cmp.Or(c.after.Mode, "100644")
	from, to := cmp.Or(c.from, strings.Repeat("0", 40))[:7], cmp.Or(c.to, strings.Repeat("0", 40))[:7]
	index := fmt.Sprintf("index %s..%s", from, to)
	switch {
	case c.status == "added":
		fmt.Fprintf(text, "new file mode %s\n", after)
		old = "/dev/null"
	case c.status == "removed":
		fmt.Fprintf(text, "deleted file mode %s\n", before)
		now = "/dev/null"
	case before != after:
		fmt.Fprintf(text, "old mode %s\nnew mode %s\n", before, after)
	default:
		index += " " + after
	}
	if c.old != "" {
		fmt.Fprintf(text, "similarity index 100%%\nrename from %s\nrename to %s\n", quote(c.old), quote(c.path))
	}
	if c.from != c.to {
		text.WriteString(index + "\n")
	}
	if c.binary {
		fmt.Fprintf(text, "Binary files %s and %s differ\n", old, now)
		return
	}
	if c.patch != "" {
		tab := ""
		if strings.Contains(c.path, " ") {
			tab = "\t"
		}
		fmt.Fprintf(text, "--- %s\n+++ %s\n%s", tabbed(old, tab), tabbed(now, tab), c.patch)
	}
}

func tabbed(name, tab string) string {
	if name == "/dev/null" || strings.HasPrefix(name, `"`) {
		return name
	}
	return name + tab
}

// quote writes a name as git does: in quotes where it holds bytes that are not
// printable ASCII.
func quote(name string) string {
	plain := true
	var text strings.Builder
	for i := range len(name) {
		b := name[i]
		switch {
		case b == '"', b == '\\':
			plain = false
			text.WriteString(`\` + string(b))
		case b == '\n', b == '\t', b == '\r', b == '\a', b == '\b', b == '\f', b == '\v':
			plain = false
			text.WriteString(strings.Trim(strconv.QuoteRune(rune(b)), "'"))
		case b < 0x20, b >= 0x7f:
			plain = false
			fmt.Fprintf(&text, `\%03o`, b)
		default:
			text.WriteByte(b)
		}
	}
	if plain {
		return name
	}
	return `"` + text.String() + `"`
}

// span is a hunk's lines on both sides.
type span struct {
	oldStart, oldLines, newStart, newLines int
	text                                   string
}

// spans reads the hunks of a patch.
func spans(patch string) []span {
	var list []span
	at, from := 0, 0 // of the line and of its hunk
	for line := range strings.Lines(patch) {
		if strings.HasPrefix(line, "@@ -") {
			fields := strings.Fields(line)
			var s span
			s.oldStart, s.oldLines = readRange(fields[1])
			s.newStart, s.newLines = readRange(fields[2])
			list, from = append(list, s), at
		}
		at += len(line)
		if len(list) > 0 {
			list[len(list)-1].text = patch[from:at]
		}
	}
	return list
}

func readRange(field string) (start, lines int) {
	first, count, ok := strings.Cut(field[1:], ",")
	start, _ = strconv.Atoi(first)
	lines = 1
	if ok {
		lines, _ = strconv.Atoi(count)
	}
	return start, lines
}

// hunkOf is the index of the hunk that shows the line on a side, -1 for none.
func hunkOf(list []span, side string, line int) int {
	return slices.IndexFunc(list, func(s span) bool {
		start, lines := s.newStart, s.newLines
		if side == "LEFT" {
			start, lines = s.oldStart, s.oldLines
		}
		return line >= start && line < start+lines
	})
}

// follow finds where a line of one text is in another, 0 where it is gone.
func follow(before, after string, line int) int {
	if before == after {
		return line
	}
	text := diff.Diff("a", []byte(before), "b", []byte(after))
	_, hunks, _ := strings.Cut(string(text), "\n@@")
	shift := 0
	for _, s := range spans(gitHunks("@@" + hunks)) {
		if line < s.oldStart || s.oldLines == 0 && line == s.oldStart {
			break
		}
		if line >= s.oldStart+s.oldLines {
			shift = s.newStart + s.newLines - s.oldStart - s.oldLines
			continue
		}
		old, now := s.oldStart, s.newStart
		for text := range strings.Lines(s.text) {
			switch text[0] {
			case ' ':
				if old == line {
					return now
				}
				old, now = old+1, now+1
			case '-':
				if old == line {
					return 0
				}
				old++
			case '+':
				now++
			}
		}
	}
	return line + shift
}

// isSHA tells whether a text is the full name of a git object.
func isSHA(text string) bool {
	_, err := hex.DecodeString(text)
	return err == nil && len(text) == 40
}
