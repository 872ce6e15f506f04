package ghtest_test

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// unpacked are the entries of an archive by name, without its top directory.
func unpacked(t *testing.T, packed io.Reader) map[string]string {
	t.Helper()
	entries := map[string]string{}
	for files := tar.NewReader(packed); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return entries
		}
		if err != nil {
			t.Fatal(err)
		}
		_, name, below := strings.Cut(h.Name, "/")
		content, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		isFolder := h.Typeflag == tar.TypeDir && !strings.HasPrefix(name, "sub") // which archives need not have
		if below && !isFolder {
			entries[name] = string(h.Typeflag) + h.Linkname + string(content)
		}
	}
}

// TestArchiveAgainstGit: an archive has what git puts into one, and leaves out what the
// commit itself says.
func TestArchiveAgainstGit(t *testing.T) {
	t.Parallel()
	files := map[string]ghtest.File{
		"a.txt": {Content: "a\n"}, "dir/b.sh": {Mode: "100755", Content: "b\n"}, "link": {Mode: "120000", Content: "../../etc/passwd"},
		"sub": {Mode: "160000", Content: strings.Repeat("1", 40)}, "hidden.txt": {Content: "hidden\n"}, "version.txt": {Content: "at $Format:%H$\n"},
		".gitattributes": {Content: "hidden.txt export-ignore\nversion.txt export-subst\n"},
	}
	gh := ghtest.New(t)
	repo := gh.Repo("acme/widgets")
	head := repo.CommitFiles(nil, files)
	w := &world{t: t, gh: gh, repo: repo, token: gh.JobToken(full())}
	z, err := gzip.NewReader(strings.NewReader(w.archive(head)))
	if err != nil {
		t.Fatal(err)
	}
	got := unpacked(t, z)

	git := newClone(t)
	commit := git.git("commit-tree", "-m", "one", git.commit(files))
	out := filepath.Join(t.TempDir(), "tar")
	git.git("archive", "--format=tar", "--prefix=top/", "--output="+out, commit)
	packed, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	want := unpacked(t, packed)
	want["version.txt"] = strings.ReplaceAll(want["version.txt"], commit, head)
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 6 {
		t.Errorf("-git +ours:\n%s", diff)
	}
}

// A link to an archive has its own right, and is for one repository.
func TestArchiveIsRefused(t *testing.T) {
	t.Parallel()
	gh := ghtest.New(t)
	repo := gh.Repo("acme/widgets")
	head := repo.Commit("", map[string]string{"a": "a"})
	w := &world{t: t, gh: gh, repo: repo, token: gh.JobToken(full())}
	place := "/codeload/acme/widgets/legacy.tar.gz/"
	right := w.do("GET", repoPath+"/tarball/"+head, nil).header.Get("Location")
	for _, path := range []string{place + head, place + "main" + right[strings.Index(right, "?"):], "/codeload/acme/other/legacy.tar.gz/" + head} {
		if r := w.as("", "GET", path, nil); r.status != 404 {
			t.Errorf("%s: %d", path, r.status)
		}
	}
	if r := w.do("GET", repoPath+"/tarball/nothing", nil); r.status != 404 {
		t.Errorf("no commit: %d", r.status)
	}
	repo.SetArchive([]byte("anything"))
	if got := w.archive(head); got != "anything" {
		t.Error(got)
	}
}
