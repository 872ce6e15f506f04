package gh_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/look"
	"github.com/prdebate/debate/internal/testkit/ghtest"
	"github.com/prdebate/debate/internal/testkit/long"
)

var passwd = ghtest.File{Mode: "120000", Content: "../../etc/passwd"}

// wide is a repository of which one file changes.
func wide() (base, head map[string]ghtest.File) {
	base = map[string]ghtest.File{
		"a.go": text("package a\n\nfunc A() int { return 1 }\n"), "lib/b.go": text("package lib\n\nvar B = a.A()\n"), "lib/deep/c.go": text("package deep\n"), "empty.txt": text(""),
		"link": passwd, "sub": {Mode: "160000", Content: strings.Repeat("1", 40)}, ".env": text("A()=canary\n"), "pic.png": text("\x89PNG\x00\x01A()"),
		"hidden.go": text("package a // hidden A()\n"), "version.go": text("package a // A() at $Format:%H$\n"), "latin.txt": text("A() gr\xfc\xdfe\n"),
		".gitattributes": text("hidden.go export-ignore\nversion.go export-subst\n"), "huge.txt": text(strings.Repeat("A() is called here\n", 300_000)),
		"long.txt": text(strings.Repeat("A long text.\n", 60_000)),
	}
	for i := range 120 { // more than are read beside a change
		base[fmt.Sprintf("many/%03d.txt", i)] = text(fmt.Sprintf("this is %d\n", i))
	}
	head = make(map[string]ghtest.File)
	for path, f := range base {
		head[path] = f
	}
	head["a.go"], head["new.go"] = text("package a\n\nfunc A() int { return 2 }\n"), text("package a // new A()\n")
	delete(head, "lib/deep/c.go")
	return base, head
}

// looker is a change whose sides are looked at.
type looker struct {
	*world
	tree *gh.Tree
	s    *gh.Snapshot
}

func newLooker(t *testing.T, base, head map[string]ghtest.File) *looker {
	t.Helper()
	w := newWorld(t, base, head)
	s, err := w.c.Reader.Snapshot(t.Context(), w.base, w.head, w.pull.Number)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	w.Forget()
	return &looker{world: w, tree: s.Tree(), s: s}
}

func wideLooker(t *testing.T) *looker {
	t.Helper()
	base, head := wide()
	return newLooker(t, base, head)
}

func (l *looker) fetch(looks ...debate.Look) {
	for i := range looks {
		if looks[i].Side == "" {
			looks[i].Side = debate.Right
		}
	}
	l.tree.Fetch(context.Background(), looks)
}

// read reads a file as a look does.
func (l *looker) read(path string, side debate.Side) string {
	l.fetch(debate.Look{Kind: debate.LookRead, Path: path, Side: side})
	content, why := l.tree.Read(path, side)
	if why != "" {
		return "[" + string(why) + "]"
	}
	return string(content)
}

func (l *looker) list(path string, side debate.Side) string {
	l.fetch(debate.Look{Kind: debate.LookList, Path: path, Side: side})
	names, why := l.tree.List(path, side)
	if why != "" {
		return "[" + string(why) + "]"
	}
	return strings.Join(names, " ")
}

// grep names the files that hold a text, as a search does.
func (l *looker) grep(text string, side debate.Side) string {
	l.fetch(debate.Look{Kind: debate.LookGrep, Pattern: text, Side: side})
	paths, err := l.tree.Files(context.Background(), side, text, nil)
	if err != nil {
		return "[" + err.Error() + "]"
	}
	return strings.Join(paths, " ")
}

// budget holds GitHub to so many requests.
func (l *looker) budget(t *testing.T, most int) {
	t.Helper()
	if n := len(l.Requests()); n > most {
		t.Errorf("%d requests, at most %d: %v", n, most, l.operations())
	}
}

// A file is read by its path, all that are named at once in one query, and never what
// is no regular file. The files of the change are here already.
func TestLookRead(t *testing.T) {
	t.Parallel()
	l := wideLooker(t)
	if got := l.read("a.go", debate.Left) + l.read("a.go", debate.Right); !strings.Contains(got, "return 1") || !strings.Contains(got, "return 2") {
		t.Error(got)
	}
	l.budget(t, 0)
	want := map[string]string{
		"lib/b.go": "package lib\n\nvar B = a.A()\n", "link": "[symlink]", "sub": "[submodule]", "lib": "[directory]", "nothing": "[missing]", "huge.txt": "[too_large]",
		"new.go": "package a // new A()\n", "lib/deep/c.go": "[missing]", "hidden.go": "package a // hidden A()\n", "version.go": "package a // A() at $Format:%H$\n",
		"pic.png": "[binary]", "many/007.txt": "this is 7\n",
	}
	var looks []debate.Look
	for path := range want {
		looks = append(looks, debate.Look{Kind: debate.LookRead, Path: path})
	}
	l.fetch(looks...)
	l.budget(t, 1)
	for path, content := range want {
		if got := l.read(path, debate.Right); got != content {
			t.Errorf("%s: %.60q", path, got)
		}
	}
	l.budget(t, 1)
	if got := l.read("long.txt", debate.Right); len(got) != 13*60_000 { // a query has its beginning alone
		t.Errorf("%d bytes of a long file", len(got))
	}
	if got := l.read("new.go", debate.Left) + l.read("lib/deep/c.go", debate.Left); got != "[missing]package deep\n" {
		t.Error(got)
	}
	l.budget(t, 5)
	if l.tree.Name(debate.Left) != l.base || l.tree.Name(debate.Right) != l.head {
		t.Error("a side is not known by its commit")
	}
}

func TestLookList(t *testing.T) {
	t.Parallel()
	l := wideLooker(t)
	for _, c := range []struct {
		path string
		side debate.Side
		want string
	}{
		{"lib", debate.Right, "b.go"},
		{"lib", debate.Left, "b.go deep/"},
		{"", debate.Right, ".env .gitattributes a.go empty.txt hidden.go huge.txt latin.txt lib/ link long.txt many/ new.go pic.png sub version.go"},
		{"nothing", debate.Right, "[missing]"},
		{"a.go", debate.Right, "[no_dir]"},
		{"link", debate.Right, "[no_dir]"},
		{"sub", debate.Right, "[submodule]"},
	} {
		if got := l.list(c.path, c.side); got != c.want {
			t.Errorf("%s %s: %s", c.side, c.path, got)
		}
	}
	l.budget(t, 2)
	if l.tree.Lacks(debate.LookList, debate.Right) {
		t.Error("a whole listing lacks something")
	}
}

// A search reads one archive. What that leaves out or alters, because the commit itself
// says so, is read as it is; nothing of a file of secrets is kept, and links are not
// followed. From then on reading asks for nothing.
func TestLookGrep(t *testing.T) {
	t.Parallel()
	l := wideLooker(t)
	if got, want := l.grep("A()", debate.Right), "a.go hidden.go latin.txt lib/b.go new.go version.go"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	l.budget(t, 4)
	if got := l.read("version.go", debate.Right); got != "package a // A() at $Format:%H$\n" {
		t.Errorf("the archive's text is taken for the file's: %s", got)
	}
	for path, want := range map[string]string{"lib/b.go": "package lib\n\nvar B = a.A()\n", "link": "[symlink]", "nothing": "[missing]", "latin.txt": "A() gr\xfc\xdfe\n"} {
		if got := l.read(path, debate.Right); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
	if got, want := l.grep("A()", debate.Left), "a.go hidden.go latin.txt lib/b.go version.go"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := l.grep("return 1", debate.Left); got != "a.go" {
		t.Error(got)
	}
	l.budget(t, 5)
	if l.tree.Lacks(debate.LookGrep, debate.Right) {
		t.Error("something is missing")
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := l.tree.Files(ended, debate.Right, "A()", nil); err == nil {
		t.Error("a search goes on after its end")
	}
}

// Looks of one call share a request. A reviewer that goes on and on has to do without.
func TestLookBudget(t *testing.T) {
	t.Parallel()
	l := wideLooker(t)
	read := 0
	for i := range 110 {
		if got := l.read(fmt.Sprintf("many/%03d.txt", i), debate.Right); got == fmt.Sprintf("this is %d\n", i) {
			read++
		} else if got != "[used_up]" {
			t.Fatalf("file %d: %s", i, got)
		}
	}
	if read < 20 {
		t.Errorf("%d files were read", read)
	}
	l.budget(t, 24)
}

// Of a repository that GitHub lists in part only a part is listed and searched, which
// the looks say; what is read by its path is there all the same.
func TestLookTruncatedTree(t *testing.T) {
	t.Parallel()
	base, head := wide()
	w := newWorld(t, base, head)
	w.SetTreeLimit(8)
	s, err := w.c.Reader.Snapshot(t.Context(), w.base, w.head, w.pull.Number)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l := &looker{world: w, tree: s.Tree(), s: s}
	if got := l.list("many", debate.Right); got != "[unreadable]" || !l.tree.Lacks(debate.LookList, debate.Right) {
		t.Error(got)
	}
	if got := l.read("many/119.txt", debate.Right); got != "this is 119\n" {
		t.Error(got)
	}
	if got := l.grep("this is", debate.Right); got != "" || !l.tree.Lacks(debate.LookGrep, debate.Right) {
		t.Error(got)
	}
}

// What was collected can be looked at without GitHub, and nothing else can.
func TestLookCollected(t *testing.T) {
	t.Parallel()
	decoded := func(s *gh.Snapshot) *looker {
		data, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		other, err := gh.DecodeSnapshot(data)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := other.Encode(); err != nil || !bytes.Equal(again, data) {
			t.Errorf("it is written otherwise: %v", err)
		}
		return &looker{tree: other.Tree(), s: other}
	}
	l := wideLooker(t)
	bare := decoded(l.s)
	if got := bare.read("a.go", debate.Left) + bare.read("lib/b.go", debate.Right) + bare.list("lib", debate.Right); got != "package a\n\nfunc A() int { return 1 }\n[unreadable][unreadable]" {
		t.Error(got)
	}
	if got := bare.grep("A()", debate.Right); got != "[GitHub gives no archive of the commit]" {
		t.Error(got)
	}
	l.s.Collect(t.Context())
	l.budget(t, 5)
	o := decoded(l.s)
	for got, want := range map[string]string{
		o.read("lib/b.go", debate.Right): "package lib\n\nvar B = a.A()\n", o.read("lib/b.go", debate.Left): "package lib\n\nvar B = a.A()\n",
		o.read("pic.png", debate.Right): "[binary]", o.read(".env", debate.Right): "[unreadable]", o.read("link", debate.Right): "[symlink]",
		o.read("huge.txt", debate.Right): "[too_large]", o.read("nothing", debate.Right): "[missing]", o.list("lib", debate.Left): "b.go deep/",
		o.read("lib/deep/c.go", debate.Left): "package deep\n", o.grep("A()", debate.Right): "a.go hidden.go latin.txt lib/b.go new.go version.go",
		o.grep("A()", debate.Left): "a.go hidden.go latin.txt lib/b.go version.go",
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if o.tree.Lacks(debate.LookGrep, debate.Right) || o.tree.Name(debate.Right) != l.head {
		t.Error("something of the whole repository is missing")
	}
	l.budget(t, 5)
}

// All entries that GitHub lists for one commit, up to a hundred thousand, are listed and searched.
func TestLookManyFiles(t *testing.T) {
	t.Parallel()
	n := long.Pick(5_000, 99_000)
	base := map[string]ghtest.File{"a.go": text("package a\n")}
	for i := range n {
		base[fmt.Sprintf("d%d/f%d.txt", i%10, i)] = text(fmt.Sprintf("file %d\n", i))
	}
	base["z/last.txt"] = text("needle\n")
	head := map[string]ghtest.File{}
	for path, f := range base {
		head[path] = f
	}
	head["a.go"] = text("package b\n")
	l := newLooker(t, base, head)
	if got := l.grep("needle", debate.Right); got != "z/last.txt" {
		t.Error(got)
	}
	if got := l.list("d7", debate.Right); len(strings.Fields(got)) != n/10 {
		t.Errorf("%d names", len(strings.Fields(got)))
	}
	l.budget(t, 4)
}

// A test has no side, and a tree runs none: a model that asks for one all the same is
// refused.
func TestLookTest(t *testing.T) {
	t.Parallel()
	l := wideLooker(t)
	v := &look.Viewer{Tree: l.tree, Private: func(string) bool { return false }}
	seen := v.See(t.Context(), []debate.Look{{Kind: debate.LookTest, Path: "a_test.go", Content: "package a\n"}}, 1)
	if len(seen) != 1 || seen[0].Why != debate.LookNoTests || len(l.Requests()) > 0 {
		t.Errorf("%+v, %d requests", seen, len(l.Requests()))
	}
}
