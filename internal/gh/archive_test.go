package gh_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// If GitHub has no archive, files are read in batches, and nothing can be searched.
func TestLookWithoutArchive(t *testing.T) {
	t.Parallel()
	packed := func(write func(*tar.Writer)) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		out := tar.NewWriter(z)
		write(out)
		_, _ = out.Close(), z.Close()
		return b.Bytes()
	}
	zeros := make([]byte, 1<<20)
	bomb := packed(func(out *tar.Writer) {
		for i := range 201 {
			_ = out.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: fmt.Sprintf("top/%d", i), Size: int64(len(zeros))})
			_, _ = out.Write(zeros)
		}
	})
	if len(bomb) > 1<<20 {
		t.Fatalf("the bomb has %d bytes", len(bomb))
	}
	for name, refuse := range map[string]func(l *looker){
		"not permitted":    func(l *looker) { l.FaultOn("/tarball/", 99, ghtest.Answer(http.StatusForbidden)) },
		"not there":        func(l *looker) { l.FaultOn("/tarball/", 99, ghtest.Answer(http.StatusNotFound)) },
		"no way to it":     func(l *looker) { l.FaultOn("/codeload/", 99, ghtest.Answer(http.StatusNotFound)) },
		"it fails":         func(l *looker) { l.FaultOn("/codeload/", 99, ghtest.Answer(http.StatusBadGateway)) },
		"it breaks off":    func(l *looker) { l.FaultOn("/codeload/", 99, ghtest.Truncated()) },
		"it is none":       func(l *looker) { l.repo.SetArchive([]byte("<html>")) },
		"packed nonsense":  func(l *looker) { l.repo.SetArchive(packed(func(*tar.Writer) {})[:12]) },
		"more than 200 MB": func(l *looker) { l.repo.SetArchive(bomb) },
		"it leads elsewhere": func(l *looker) {
			l.FaultOn("/tarball/", 99, ghtest.Fault{Status: 302, Header: map[string]string{"Location": "ftp://example.com/x"}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := wideLooker(t)
			refuse(l)
			if got := l.grep("A()", debate.Right); got != "[GitHub gives no archive of the commit]" {
				t.Error(got)
			}
			if n := len(l.Requests()); n > 9 { // a request that fails is made again
				t.Errorf("%d requests for the archive: %v", n, l.operations())
			}
			if err := l.tree.Err(); err == nil || strings.Contains(err.Error(), "link-of") {
				t.Errorf("it says %v", err)
			}
			l.Forget()
			read := 0
			for i := range 30 {
				switch got := l.read(fmt.Sprintf("many/%03d.txt", i), debate.Right); got {
				case fmt.Sprintf("this is %d\n", i):
					read++
				case "[used_up]":
				default:
					t.Fatal(got)
				}
			}
			n := len(l.Requests())
			if read < 20 || n != read {
				t.Errorf("%d files read with %d requests", read, n)
			}
			if got := l.grep("A()", debate.Right); got != "[GitHub gives no archive of the commit]" || len(l.Requests()) != n {
				t.Errorf("it is tried again: %s", got)
			}
		})
	}
}

// An archive that is known to be too large is not asked for.
func TestLookAtALargeRepository(t *testing.T) {
	t.Parallel()
	base, head := wide()
	picture := text(strings.Repeat("\x00", 51<<20))
	for i := range 4 {
		base[fmt.Sprintf("pictures/%d", i)] = picture
		head[fmt.Sprintf("pictures/%d", i)] = picture
	}
	w := newWorld(t, base, head)
	s, err := w.c.Reader.Snapshot(t.Context(), w.base, w.head, w.pull.Number)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l := &looker{world: w, tree: s.Tree(), s: s}
	w.Forget()
	if got := l.grep("A()", debate.Right); got != "[GitHub gives no archive of the commit]" {
		t.Error(got)
	}
	l.budget(t, 1)
	if err := l.tree.Err(); err == nil || !strings.Contains(err.Error(), "its files have 210 MiB, at most 200 are") {
		t.Error(err)
	}
}

// The archive of a repository that has another name by now is found all the same.
func TestLookAtARenamedRepository(t *testing.T) {
	t.Parallel()
	l := wideLooker(t)
	l.repo.Rename("gadgets")
	if got := l.grep("new A()", debate.Right); got != "new.go" || l.tree.Err() != nil {
		t.Errorf("%s, %v", got, l.tree.Err())
	}
}

// What an archive has beside the files of the commit is not there: names that lead
// elsewhere, links, and other texts than the listing names.
func TestLookHostileArchive(t *testing.T) {
	t.Parallel()
	l := wideLooker(t)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	out := tar.NewWriter(z)
	for _, h := range []tar.Header{
		{Typeflag: tar.TypeReg, Name: "top/../../../tmp/canary-outside"}, {Typeflag: tar.TypeReg, Name: "/etc/canary"}, {Typeflag: tar.TypeReg, Name: "top/lib/b.go"},
		{Typeflag: tar.TypeSymlink, Name: "top/many/001.txt", Linkname: "../../etc/passwd"}, {Typeflag: tar.TypeLink, Name: "top/many/002.txt", Linkname: "top/.env"},
		{Typeflag: tar.TypeReg, Name: "top/extra.txt"}, {Typeflag: tar.TypeReg, Name: "top/link"},
	} {
		content := []byte("planted A()\n")
		if h.Typeflag != tar.TypeReg {
			content = nil
		}
		h.Size = int64(len(content))
		if err := out.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = out.Close(), z.Close()
	l.repo.SetArchive(b.Bytes())
	if got := l.grep("planted", debate.Right); got != "" {
		t.Error(got)
	}
	if !l.tree.Lacks(debate.LookGrep, debate.Right) {
		t.Error("nobody says that most is missing")
	}
	if got := l.read("lib/b.go", debate.Right); strings.Contains(got, "planted") {
		t.Error(got)
	}
	if got := l.read("link", debate.Right); got != "[symlink]" {
		t.Error(got)
	}
}

// Nothing is left of an archive, and none is under its own name meanwhile.
func TestLookLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	l := wideLooker(t)
	if got := l.grep("A()", debate.Right); !strings.Contains(got, "lib/b.go") {
		t.Fatal(got)
	}
	names := func() (names []string) {
		err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
			names = append(names, filepath.Base(path))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return names[1:]
	}
	if got := names(); len(got) != 0 {
		t.Error(got)
	}
	l.s.Close()
	if got := names(); len(got) != 0 {
		t.Error(got)
	}
	l.read("many/001.txt", debate.Right)
	if got := l.grep("new", debate.Left); len(names()) != 0 {
		t.Errorf("%s, and a new file", got)
	}
}
