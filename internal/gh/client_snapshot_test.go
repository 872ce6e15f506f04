package gh_test

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

const rawBlob = "GET /repos/{owner}/{repo}/git/blobs/{file_sha}"

func TestSnapshot(t *testing.T) {
	t.Parallel()
	lines := func(n int) string { return strings.Repeat("line\n", n) }
	base := map[string]ghtest.File{
		"kept.go": text("kept\n"), "mod.go": text("one\ntwo\nthree\n"), "gone.go": text("gone\n"), "dir/deep/x": text("x\n"),
		"link": {Mode: "120000", Content: "mod.go"}, "pic.png": text("\x89PNG\x00\x01"), "run.sh": text("echo\n"), "sub": {Mode: "160000", Content: strings.Repeat("1", 40)},
	}
	head := map[string]ghtest.File{
		"kept.go": text("kept\n"), "mod.go": text("one\n2\nthree"), "new.go": text(lines(3)), "dir/deep/x": text("x\n"), "empty": text(""),
		"link": {Mode: "120000", Content: "new.go"}, "pic.png": text("\x89PNG\x00\x02"), "run.sh": {Mode: "100755", Content: "echo\n"},
		"sub": {Mode: "160000", Content: strings.Repeat("2", 40)}, "größe \"x\".txt": text("hi\n"), "latin.txt": text("gr\xfc\xdfe\n"),
	}
	w := newWorld(t, base, head)
	// The base goes on: what is compared is the merge base.
	tip := w.repo.Change(w.base, map[string]string{"mod.go": "else\n"})
	w.repo.SetBranch("main", tip)
	s, err := w.c.Reader.Snapshot(t.Context(), tip, w.head, w.pull.Number)
	if err != nil {
		t.Fatal(err)
	}
	if s.BaseSHA != w.base || s.PolicySHA != tip || s.HeadSHA != w.head || s.Scope != "range:"+w.base+".."+w.head || s.Notes != nil {
		t.Errorf("got %+v", s)
	}
	if n := len(w.Requests()); n > 7 { // one more for each side that is no UTF-8
		t.Errorf("%d requests: %v", n, w.operations())
	}
	kinds := map[string]string{}
	for _, f := range s.Change.Set.Files {
		kinds[f.Path()] = fmt.Sprintf("%s %s +%d-%d %s", f.Status, f.Kind, f.Additions, f.Deletions, f.Unparsed)
	}
	want := map[string]string{
		"mod.go": "modified text +2-2 ", "gone.go": "deleted text +0-1 ", "new.go": "added text +3-0 ", "empty": "added text +0-0 ",
		"link": "modified symlink +1-1 ", "pic.png": "modified binary +0-0 ", "run.sh": "modified text +1-0 ", "sub": "modified submodule +1-1 ",
		"größe \"x\".txt": "added text +1-0 ", "latin.txt": "added text +1-0 ",
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Error(diff)
	}
	same := func(s *gh.Snapshot) {
		t.Helper()
		for _, test := range []struct {
			path string
			side debate.Side
			want string
			ok   bool
		}{
			{"mod.go", debate.Left, "one\ntwo\nthree\n", true}, {"mod.go", debate.Right, "one\n2\nthree", true},
			{"gone.go", debate.Left, "gone\n", true}, {"gone.go", debate.Right, "", false}, {"new.go", debate.Left, "", false},
			{"empty", debate.Right, "", true}, {"link", debate.Right, "", false}, {"latin.txt", debate.Right, "gr\xfc\xdfe\n", true},
			{"missing", debate.Left, "", false}, {"sub", debate.Left, "", false}, {"dir/deep", debate.Left, "", false},
			{"kept.go", debate.Left, "kept\n", true}, {"../x", debate.Left, "", false},
		} {
			got, ok := s.Change.Blob(test.path, test.side)
			if string(got) != test.want || ok != test.ok {
				t.Errorf("%s %s: got %q, %t", test.side, test.path, got, ok)
			}
		}
		for path, want := range map[string]bool{"dir": true, "dir/deep": true, "mod.go": true, "new.go": false, "": false, "dir/": false} {
			if s.Change.BaseHas(path) != want {
				t.Errorf("BaseHas(%q) is not %t", path, want)
			}
		}
		for dir, want := range map[string][]string{"dir": nil, "dir/deep": {"x"}, "missing": nil, "dir/": nil, "": nil} {
			names, all := s.Change.BaseNames(dir)
			if diff := cmp.Diff(want, names); diff != "" || !all {
				t.Errorf("BaseNames(%q): all %t, %s", dir, all, diff)
			}
		}
		for dir, want := range map[string][]string{"dir": {"deep"}, "dir/deep": nil, "missing": nil} {
			names, all := s.Change.BaseFolders(dir)
			if diff := cmp.Diff(want, names); diff != "" || !all {
				t.Errorf("BaseFolders(%q): all %t, %s", dir, all, diff)
			}
		}
		if err := s.Err(); err != nil {
			t.Error(err)
		}
	}
	same(s)
	data, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := gh.DecodeSnapshot(data)
	if err != nil {
		t.Fatal(err)
	}
	same(again)
	if again.Hash != s.Hash || again.Scope != s.Scope || again.PolicySHA != s.PolicySHA {
		t.Errorf("got %+v", again)
	}
	if diff := cmp.Diff(s.Change.Set, again.Change.Set); diff != "" {
		t.Error(diff)
	}
	if _, ok := again.Change.Blob("dir/deep/x", debate.Left); ok || again.Err() == nil {
		t.Error("what was never read is there, or nobody says that it is not")
	}
	if twice, err := again.Encode(); err != nil || !bytes.Equal(twice, data) {
		t.Errorf("it is written otherwise: %v", err)
	}
	fresh, err := w.c.Reader.Snapshot(t.Context(), tip, w.head, w.pull.Number)
	if err != nil || fresh.Hash != s.Hash {
		t.Errorf("the hash is another one: %v", err)
	}
}

// Files of the base that were announced are one query to GitHub, but for those that are no
// UTF-8.
func TestReadTogether(t *testing.T) {
	t.Parallel()
	base := map[string]ghtest.File{"db/latin.sql": text("-- gr\xfc\xdfe\n")}
	var names []string
	for i := range 30 {
		name := fmt.Sprintf("db/%02d.sql", i)
		base[name] = text(fmt.Sprintf("-- %d\n", i))
		names = append(names, name)
	}
	head := maps.Clone(base)
	head["db/99.sql"] = text("-- new\n")
	w := newWorld(t, base, head)
	s, err := w.c.Reader.Snapshot(t.Context(), w.base, w.head, w.pull.Number)
	if err != nil {
		t.Fatal(err)
	}
	before := len(w.Requests())
	names = append(names, "db/latin.sql")
	s.Change.Together(names)
	for _, name := range names {
		if got, ok := s.Change.Blob(name, debate.Left); !ok || string(got) != base[name].Content {
			t.Errorf("%s: %q, %t, %v", name, got, ok, s.Err())
		}
	}
	if diff := cmp.Diff([]string{"GET /repos/{owner}/{repo}/git/trees/{tree_sha}", "Files", rawBlob}, w.operations()[before:]); diff != "" {
		t.Error(diff)
	}
}

// A difference that GitHub gives only in parts is the same as its whole text, and the tree
// is read when a name in it is asked for.
func TestPartsOfADifference(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("line\n", 300)
	for name, test := range map[string]struct {
		before, after ghtest.File // none if there is no mode
	}{
		"a line":           {text("a\nb\nc\n"), text("a\nB\nc\n")},
		"far apart":        {text("a\n" + long + "b\n"), text("A\n" + long + "B\n")},
		"added":            {ghtest.File{}, text("a\n")},
		"added, empty":     {ghtest.File{}, text("")},
		"removed":          {text("a\n"), ghtest.File{}},
		"emptied":          {text("a\n"), text("")},
		"without its end":  {text("a\nb\n"), text("a\nB")},
		"with its end":     {text("a\nb"), text("a\nb\n")},
		"carriage returns": {text("a\r\nb\r\n"), text("a\r\nB\r\n")},
		"only its mode":    {text("a\n"), ghtest.File{Mode: "100755", Content: "a\n"}},
		"mode and lines":   {text("a\n"), ghtest.File{Mode: "100755", Content: "b\n"}},
		"added to run":     {ghtest.File{}, ghtest.File{Mode: "100755", Content: "a\n"}},
		"binary":           {text("\x00\x01"), text("\x00\x02")},
		"a link":           {ghtest.File{Mode: "120000", Content: "a"}, ghtest.File{Mode: "120000", Content: "b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, head := map[string]ghtest.File{"x": text("x\n"), "far/z": text("z\n")}, map[string]ghtest.File{"x": text("y\n"), "far/z": text("z\n")}
			if test.before != (ghtest.File{}) {
				base["größe \"f\".go"] = test.before
			}
			if test.after != (ghtest.File{}) {
				head["größe \"f\".go"] = test.after
			}
			w := newWorld(t, base, head)
			s, err := w.c.Reader.Snapshot(t.Context(), w.base, w.head, w.pull.Number)
			if err != nil {
				t.Fatal(err)
			}
			before := len(w.Requests())
			has := s.Change.BaseHas("x") && s.Change.BaseHas("far") && s.Change.BaseHas("far/z")
			hasMore := s.Change.BaseHas("y") || s.Change.BaseHas("x/y") || s.Change.BaseHas(".github/y/z") || s.Change.BaseHas("far/y")
			if diff := cmp.Diff([]string{"GET /repos/{owner}/{repo}/git/trees/{tree_sha}"}, w.operations()[before:]); !has || hasMore || diff != "" {
				t.Errorf("has all: %t, has more: %t, %s", has, hasMore, diff)
			}
			head["zz"] = text(strings.Repeat("x\n", 21_000)) // too much for one text
			other := newWorld(t, base, head)
			by, err := other.c.Reader.Snapshot(t.Context(), other.base, other.head, other.pull.Number)
			if err != nil || len(by.Notes) != 1 {
				t.Fatal(err, by.Notes)
			}
			if diff := cmp.Diff(by.Change.Set.Files[:len(by.Change.Set.Files)-1], s.Change.Set.Files); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestManyFiles: GitHub lists more than 300 files only for the pull request, and
// no more than 3,000.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	base, head := map[string]ghtest.File{"link": {Mode: "120000", Content: "a"}}, map[string]ghtest.File{"link": {Mode: "120000", Content: "b"}}
	for i := range 420 {
		name := fmt.Sprintf("d%d/ä %03d.txt", i%7, i)
		if i%3 != 0 {
			base[name] = text("one\ntwo\n")
		}
		if i%3 != 1 {
			head[name] = text(fmt.Sprintf("one\n%d", i))
		}
	}
	base["pic"], head["pic"] = text("\x00\x01"), text("\x00\x02")
	head["run"], head["empty"], head["alink"] = ghtest.File{Mode: "100755", Content: "x\n"}, text(""), ghtest.File{Mode: "120000", Content: "run"}
	w := newWorld(t, base, head)
	s, err := w.c.Reader.Snapshot(t.Context(), w.base, w.head, w.pull.Number)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(s.Change.Set.Files); got != 425 || len(s.Notes) != 1 {
		t.Errorf("got %d files, notes %q", got, s.Notes)
	}
	for _, f := range s.Change.Set.Files {
		want := patch.Text
		switch f.Path() {
		case "link", "alink":
			want = patch.Symlink
		case "pic":
			want = patch.Binary
		}
		if f.Unparsed != "" || f.Kind != want || f.Kind == patch.Text && f.Path() != "empty" && len(f.Hunks) != 1 {
			t.Errorf("%s: %+v", f.Path(), f)
		}
	}
	if _, err := w.c.Reader.Snapshot(t.Context(), w.base, w.base, w.pull.Number); err != nil {
		t.Errorf("an empty change: %v", err)
	}
	w.pull.Push(w.repo.Change(w.head, map[string]string{"x": "y"}))
	if _, err := w.c.Reader.Snapshot(t.Context(), w.base, w.head, w.pull.Number); err == nil || !strings.Contains(err.Error(), "by now") {
		t.Errorf("got %v, want that the head moved", err)
	}
}

// TestLongDiff: a difference that GitHub does not show whole is read file by file
// at the fixed commits.
func TestLongDiff(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]ghtest.File{"a": text("a\n")}, map[string]ghtest.File{
		"a": text("b\n"), "long": text(strings.Repeat("x\n", 21_000)), "huge": text(strings.Repeat("some line\n", 20_000)),
	})
	s, err := w.c.Reader.Snapshot(t.Context(), w.base, w.head, w.pull.Number)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range s.Change.Set.Files {
		switch {
		case f.Path() == "huge" && (f.Unparsed == "" || f.Hunks != nil):
			t.Errorf("a file that GitHub does not show passes for read")
		case f.Path() != "huge" && (f.Unparsed != "" || len(f.Hunks) != 1):
			t.Errorf("%s: %q", f.Path(), f.Unparsed)
		}
	}
}
