package ghtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// clone is a repository of git itself with the same files.
type clone struct {
	t   *testing.T
	dir string
}

func newClone(t *testing.T) clone {
	t.Helper()
	c := clone{t, t.TempDir()}
	c.git("init", "-q", "-b", "main")
	return c
}

func (c clone) git(args ...string) string {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), "git", args...)
	cmd.Dir = c.dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + c.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "LC_ALL=C",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// commit makes the files those of the index and returns the tree's name.
func (c clone) commit(files map[string]ghtest.File) string {
	c.t.Helper()
	c.git("read-tree", "--empty")
	for name, file := range files {
		mode, sha := file.Mode, file.Content
		if mode == "" {
			mode = "100644"
		}
		if mode != "160000" {
			temp := filepath.Join(c.t.TempDir(), "content")
			if err := os.WriteFile(temp, []byte(file.Content), 0o600); err != nil {
				c.t.Fatal(err)
			}
			sha = c.git("hash-object", "-w", "--no-filters", temp)
		}
		c.git("update-index", "--add", "--cacheinfo", mode+","+sha+","+name)
	}
	return c.git("write-tree")
}

// TestAgainstGit compares names, headers and hunks with those of git.
func TestAgainstGit(t *testing.T) {
	t.Parallel()
	var top, bottom strings.Builder // lines that differ: which of equal ones changed is a matter of taste
	for i := range 30 {
		top.WriteString("top " + itoa(int64(i)) + "\n")
		bottom.WriteString("bottom " + itoa(int64(i)) + "\n")
	}
	before := map[string]ghtest.File{
		"same.txt": {Content: "same\n"}, "changed.txt": {Content: top.String() + "old\n" + bottom.String()}, "gone.txt": {Content: "a\nb\n"},
		"dir/x": {Content: "x\n"}, "dir.txt": {Content: "sorted before dir\n"}, "mode.sh": {Content: "echo\n"}, "empty": {},
		"no newline": {Content: "a\nb"}, "bin": {Content: "a\x00b"}, "héé.txt": {Content: "u\n"}, "link": {Mode: "120000", Content: "same.txt"},
		"sub": {Mode: "160000", Content: strings.Repeat("1", 40)},
	}
	after := map[string]ghtest.File{
		"same.txt": {Content: "same\n"}, "changed.txt": {Content: "new\n" + top.String() + "newer\n" + bottom.String()}, "added.txt": {Content: "a\n"},
		"dir/x": {Content: "y\n"}, "dir.txt": {Content: "sorted before dir\n"}, "mode.sh": {Mode: "100755", Content: "echo\nmore\n"},
		"no newline": {Content: "a\nc"}, "bin": {Content: "a\x00c"}, "héé.txt": {Content: "v\n"}, "link": {Mode: "120000", Content: "dir/x"},
		"sub": {Mode: "160000", Content: strings.Repeat("2", 40)}, "new empty": {}, "quote\"d": {Content: "q\n"},
	}
	gh := ghtest.New(t)
	repo := gh.Repo("acme/widgets")
	base := repo.CommitFiles(nil, before)
	repo.SetBranch("main", base)
	repo.SetBranch("topic", repo.CommitFiles([]string{base}, after))
	w := &world{t: t, gh: gh, repo: repo, token: gh.JobToken(full())}
	w.pull = repo.OpenPull("alice", ghtest.NewPull{Head: "topic"})

	git := newClone(t)
	from, to := git.commit(before), git.commit(after)
	tree := at(t, w.must("GET", repoPath+"/git/trees/"+base+"?recursive=1", nil).json(t), "sha")
	if tree != from {
		t.Errorf("the tree is %v, git says %s", tree, from)
	}
	want := git.git("-c", "core.abbrev=7", "diff", "--find-renames=100%", from, to)
	got := w.must("GET", repoPath+"/compare/"+base+"..."+w.pull.Head(), nil, "application/vnd.github.v3.diff").text
	if diff := cmp.Diff(functionless(want), strings.TrimSuffix(got, "\n")); diff != "" {
		t.Error(diff)
	}
	if again := w.must("GET", repoPath+"/pulls/1", nil, "application/vnd.github.diff").text; again != got {
		t.Error("the diff of the pull request is another one")
	}
}

// functionless drops what git writes after a hunk's header.
func functionless(diff string) string {
	lines := strings.Split(diff, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "@@ ") {
			lines[i] = line[:strings.LastIndex(line, "@@")+2]
		}
	}
	return strings.Join(lines, "\n")
}

// TestDiffApplies lets git apply what any two texts differ in.
func TestDiffApplies(t *testing.T) {
	t.Parallel()
	git := newClone(t)
	text := rapid.StringMatching(`([abc]\n){0,12}[ab]?`)
	rapid.Check(t, func(rt *rapid.T) {
		before, after := text.Draw(rt, "before"), text.Draw(rt, "after")
		gh := ghtest.New(t)
		defer gh.Close()
		repo := gh.Repo("acme/widgets")
		base := repo.Commit("", map[string]string{"f": before, "always": "1"})
		head := repo.Change(base, map[string]string{"f": after, "always": "2"})
		w := &world{t: t, gh: gh, repo: repo, token: gh.JobToken(full())}
		diff := w.must("GET", repoPath+"/compare/"+base+"..."+head, nil, "application/vnd.github.diff").text
		if err := os.WriteFile(filepath.Join(git.dir, "f"), []byte(before), 0o600); err != nil {
			rt.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(git.dir, "always"), []byte("1"), 0o600); err != nil {
			rt.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(git.dir, "diff"), []byte(diff), 0o600); err != nil {
			rt.Fatal(err)
		}
		git.git("apply", "--unidiff-zero", "diff")
		got, err := os.ReadFile(filepath.Join(git.dir, "f"))
		if err != nil || string(got) != after {
			rt.Fatalf("applied %q to %q, got %q, want %q (%v)", diff, before, got, after, err)
		}
	})
}
