package bench

import (
	"fmt"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

const goodCase = `name: A change
about: what it is
body: text
expect:
  - what: it stops
    path: a/b.go
    lines: 3-5
    or:
      - {path: c.go, lines: 7, side: LEFT}
    severity: P2
    words: [deadlock]
  - {what: it is slow, path: a/b.go, lines: 9}
`

func TestLoad(t *testing.T) {
	t.Parallel()
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	dir := fstest.MapFS{
		"README.md":          file("no case"),
		"empty/notes":        file("no case"),
		"two/case.yml":       file("name: Two\nclean: true\nrepository: ../..\nrange: a..b\n"),
		"one/case.yml":       file(goodCase),
		"one/change.patch":   file("the patch"),
		"one/repo.txtar":     file("a comment\n-- a/b.go --\npackage b\n-- c.go --\n"),
		"three/case.yml":     file("name: Three\nclean: true\n"),
		"three/change.patch": file("the patch"),
		"three/repo.txtar":   file("-- a/b.go --\npackage b\n"),
	}
	got, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []Case{
		{
			ID: "one", Name: "A change", Body: "text",
			Expected: []Expected{
				{What: "it stops", Places: []Place{at("a/b.go", 3, 5), {"c.go", debate.Left, 7, 7}}, Severity: debate.P2, Words: []string{"deadlock"}},
				{What: "it is slow", Places: []Place{at("a/b.go", 9, 9)}, Severity: debate.P3},
			},
			Change: Change{Patch: []byte("the patch"), Files: map[string][]byte{"a/b.go": []byte("package b\n"), "c.go": {}}},
		},
		{ID: "three", Name: "Three", Clean: true, Change: Change{Patch: []byte("the patch"), Files: map[string][]byte{"a/b.go": []byte("package b\n")}}},
		{ID: "two", Name: "Two", Clean: true, Change: Change{Repository: "../..", Range: "a..b"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestLoadRefuses: each mistake is named with the file that it stands in.
func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	with := func(old, new string) string { return strings.Replace(goodCase, old, new, 1) }
	for want, text := range map[string]string{
		"name is missing":                with("name: A change", "name: ''"),
		"expect is missing":              "name: A\n",
		"clean: true means":              goodCase + "clean: true\n",
		"unknown field \"expects\"":      with("expect:", "expects:"),
		"lines is \"5-3\"":               with("3-5", "5-3"),
		"lines is \"0\"":                 with("lines: 9", "lines: 0"),
		"lines is \"a-b\"":               with("3-5", "a-b"),
		"path is \"../b.go\"":            with("path: a/b.go", "path: ../b.go"),
		"path is \"\"":                   with("path: c.go, ", ""),
		"side is \"BOTH\"":               with("LEFT", "BOTH"),
		"severity is \"P9\"":             with("P2", "P9"),
		"entry 2 of expect: what is":     with("what: it is slow", "what: ''"),
		"repository and range belong":    goodCase + "range: a..b\n",
		"entry 1 of expect: 21 words":    with("deadlock", strings.Repeat("w, ", 20)+"w"),
		"x has no change.patch":          goodCase,
		"expect has 51 entries, at most": "name: A\nexpect:\n" + strings.Repeat("  - {what: w, path: a, lines: 1}\n", 51),
	} {
		_, err := Load(fstest.MapFS{"x/case.yml": &fstest.MapFile{Data: []byte(text)}})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "x") {
			t.Errorf("%s: %v", want, err)
		}
	}
	for want, dir := range map[string]fstest.MapFS{
		"there is no case":  {"a/b": {}},
		"has no repo.txtar": {"x/case.yml": {Data: []byte("name: A\nclean: true\n")}, "x/change.patch": {}},
		"has a twice":       {"x/case.yml": {Data: []byte("name: A\nclean: true\n")}, "x/change.patch": {}, "x/repo.txtar": {Data: []byte("-- a --\n-- a --\n")}},
	} {
		if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestShippedCases: twelve cases in five languages, four of them clean, and in half of all
// something of the proof stands in a file that the patch does not touch.
func TestShippedCases(t *testing.T) {
	t.Parallel()
	cases, err := Load(os.DirFS("../../testdata/bench/cases"))
	if err != nil {
		t.Fatal(err)
	}
	clean, outside := 0, 0
	languages := make(map[string]bool)
	for _, c := range cases {
		if c.Clean {
			clean++
		}
		out := false
		for line := range strings.Lines(string(c.Change.Patch)) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "+++ b/"); ok {
				languages[path.Ext(name)] = true
			}
		}
		for _, e := range c.Expected {
			for _, p := range e.Places {
				out = out || !patched(c, p)
			}
		}
		if out {
			outside++
		}
	}
	if len(cases) != 12 || clean != 4 || outside != 6 || len(languages) != 5 {
		t.Errorf("%d cases, %d clean, %d with a proof outside the hunks, in %v", len(cases), clean, outside, languages)
	}
}

// patched reports whether a place is a changed file, near to a line that the patch adds.
func patched(c Case, p Place) bool {
	text := string(c.Change.Patch)
	_, of, touched := strings.Cut(text, "+++ b/"+p.Path+"\n")
	of, _, _ = strings.Cut(of, "\ndiff --git ")
	if !touched {
		return false
	}
	for _, l := range hunks(of) {
		if p.Start <= l[1] && l[0] <= p.End {
			return true
		}
	}
	return false
}

// hunks are the first and last lines of the head side in the hunks of a file.
func hunks(of string) (lines [][2]int) {
	for line := range strings.Lines(of) {
		var a, b, c, d int
		if n, _ := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &a, &b, &c, &d); n == 4 {
			lines = append(lines, [2]int{c, c + d - 1})
		}
	}
	return lines
}
