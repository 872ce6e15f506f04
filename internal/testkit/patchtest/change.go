// Package patchtest makes changes out of texts for the tests of the packages
// that read changes. The diff is made line by line and read by patch itself, so
// that a test sees what it would see of git.
package patchtest

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// Edit is one file before and after. An empty name means that the file does not
// exist on that side. A file that stays as it is belongs to the base and to the
// head, not to the diff. Names hold no characters that git would quote.
type Edit struct{ Old, New, Before, After string }

// Move is a file that has another name afterwards.
func Move(old, name, before, after string) Edit {
	return Edit{Old: old, New: name, Before: before, After: after}
}

// Modify is an edit of one file in place.
func Modify(name, before, after string) Edit { return Move(name, name, before, after) }

// Add is a new file.
func Add(name, after string) Edit { return Move("", name, "", after) }

// Remove is a deleted file.
func Remove(name, before string) Edit { return Move(name, "", before, "") }

// Touch is an edit of one file in which nothing matters.
func Touch(name string) Edit { return Modify(name, "a\n", "b\n") }

// Change is the change of some edits, in their order, with the bytes of both
// sides at hand.
func Change(edits ...Edit) patch.Change {
	var text bytes.Buffer
	base, head := map[string]string{}, map[string]string{}
	for _, e := range edits {
		e.write(&text)
		base[e.Old], head[e.New] = e.Before, e.After
	}
	delete(base, "") // of added files
	delete(head, "") // of deleted ones
	sides := map[debate.Side]map[string]string{debate.Left: base, debate.Right: head}
	return patch.Change{
		Set: patch.Parse(text.Bytes(), nil),
		Blob: func(name string, side debate.Side) ([]byte, bool) {
			content, ok := sides[side][name]
			return []byte(content), ok
		},
		Search: func(names []string) ([]patch.Use, patch.Reach) { return search(head, names), patch.Everywhere },
		BaseHas: func(name string) bool {
			isOrHolds := func(file string) bool { return strings.HasPrefix(file+"/", path.Clean(name)+"/") }
			return slices.ContainsFunc(slices.Collect(maps.Keys(base)), isOrHolds)
		},
		BaseNames: func(dir string) (names []string, all bool) {
			for _, file := range slices.Sorted(maps.Keys(base)) {
				if path.Dir(file) == dir {
					names = append(names, path.Base(file))
				}
			}
			return names, true
		},
		BaseFolders: func(dir string) (names []string, all bool) {
			for file := range base {
				for at := path.Dir(file); at != "."; at = path.Dir(at) {
					if path.Dir(at) == dir {
						names = append(names, path.Base(at))
					}
				}
			}
			slices.Sort(names)
			return slices.Compact(names), true
		},
	}
}

// write writes the section of the edit as git writes it.
func (e Edit) write(text *bytes.Buffer) {
	if e.Old == e.New && e.Before == e.After {
		return
	}
	fmt.Fprintf(text, "diff --git a/%s b/%s\n", cmp.Or(e.Old, e.New), cmp.Or(e.New, e.Old))
	from, to := "a/"+e.Old, "b/"+e.New
	switch {
	case e.Old == "":
		from = "/dev/null"
		text.WriteString("new file mode 100644\n")
	case e.New == "":
		to = "/dev/null"
		text.WriteString("deleted file mode 100644\n")
	case e.Old != e.New:
		fmt.Fprintf(text, "rename from %s\nrename to %s\n", e.Old, e.New)
	}
	body := diff.Diff(from, []byte(e.Before), to, []byte(e.After))
	if _, hunks, ok := bytes.Cut(body, []byte("\n")); ok { // without its own first line
		text.Write(hunks)
	}
}

// search finds the lines of files that have a name as a word.
func search(files map[string]string, names []string) []patch.Use {
	var found []patch.Use
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for i, line := range strings.Split(files[name], "\n") {
			has := func(word string) bool {
				return regexp.MustCompile(`(^|\W)` + regexp.QuoteMeta(word) + `(\W|$)`).MatchString(line)
			}
			if slices.ContainsFunc(names, has) {
				found = append(found, patch.Use{Path: name, Line: i + 1, Text: line})
			}
		}
	}
	return found
}
