package gitrepo

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/prdebate/debate/internal/patch"
)

// shadow is a short-lived git directory of our own with the objects of the user's
// repository (see the package comment).
type shadow struct {
	repo  *Repo
	dir   string
	notes []string // about the frozen work tree
}

// bigFile is the size in bytes from which git lists a file as binary instead of reading
// it as text. It limits the memory of git and of this program.
const bigFile = 16 << 20

// The attributes of a shadow have the highest priority: they overrule each
// .gitattributes in the work tree, so no driver and no filter is chosen by name, and
// the bytes decide whether a file is text. Line endings and encodings stay with the
// work tree's attributes, because they decide the content of a commit.
const (
	attributes     = "* !diff !filter\n"
	attributesAsIs = "* !diff !filter !working-tree-encoding\n"
)

// newShadow makes a shadow; remove deletes it.
func (r *Repo) newShadow() (*shadow, error) {
	dir, err := os.MkdirTemp("", "debate-git-")
	if err != nil {
		return nil, noTemporary(err)
	}
	s := &shadow{repo: r, dir: dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		s.dir = real // the form in which git writes paths
	}
	if err := s.fill(); err != nil {
		s.remove()
		return nil, noTemporary(err)
	}
	return s, nil
}

// noTemporary is the error if a repository cannot be read because no temporary file can
// be made.
func noTemporary(err error) error {
	return fmt.Errorf("git needs a place for temporary files: %w; set TMPDIR to a directory that can be written", err)
}

func (s *shadow) remove() { _ = os.RemoveAll(s.dir) }

func (s *shadow) fill() error {
	for _, dir := range []string{"refs", "info", "objects/info", "objects/pack"} {
		if err := os.MkdirAll(filepath.Join(s.dir, dir), 0o700); err != nil {
			return err
		}
	}
	files := map[string]string{
		"HEAD":            "ref: refs/heads/frozen\n",
		"config":          s.config(),
		"info/attributes": attributes,
	}
	if s.repo.objects != "" { // there is a repository to borrow from
		files["objects/info/alternates"] = patch.Quote(s.repo.objects) + "\n"
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(content), 0o600); err != nil {
			return err
		}
	}
	for _, file := range []struct{ from, to string }{{s.repo.shallow, "shallow"}, {s.repo.exclude, "info/exclude"}} {
		if err := copyFile(file.from, filepath.Join(s.dir, file.to)); err != nil {
			return err
		}
	}
	return nil
}

// config is the whole configuration of the shadow.
func (s *shadow) config() string {
	var b strings.Builder
	b.WriteString("[core]\n\trepositoryformatversion = 1\n")
	fmt.Fprintf(&b, "\tbare = %t\n", s.repo.top == "")
	fmt.Fprintf(&b, "\tbigFileThreshold = %d\n", bigFile)
	fmt.Fprintf(&b, "\thooksPath = %s\n\tattributesFile = %s\n", quoteConfig(os.DevNull), quoteConfig(os.DevNull))
	b.WriteString("\tfsmonitor = false\n\tuntrackedCache = false\n\tsafecrlf = false\n")
	// Objects of uncommitted files live as long as the shadow: neither small nor safe
	// against a power cut is worth the time.
	b.WriteString("\tcompression = 0\n\tfsync = none\n")
	for _, set := range s.repo.settings {
		_, name, _ := strings.Cut(set.key, ".")
		fmt.Fprintf(&b, "\t%s = %s\n", name, quoteConfig(set.value))
	}
	fmt.Fprintf(&b, "[extensions]\n\tobjectFormat = %s\n", s.repo.format.name)
	b.WriteString("[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n")
	return b.String()
}

// run runs git in the shadow without the user's configuration. It does not see the work
// tree, since git would read its attributes. The error names a missing object.
func (s *shadow) run(ctx context.Context, stdin io.Reader, limit int64, args ...string) (output, error) {
	return s.start(ctx, s.command(stdin, limit, args...))
}

// runInWorkTree is run for the few commands that need the work tree.
func (s *shadow) runInWorkTree(ctx context.Context, stdin io.Reader, args ...string) (output, error) {
	c := s.command(stdin, listingLimit, args...)
	c.dir, c.env = s.repo.top, append(c.env, "GIT_WORK_TREE="+s.repo.top)
	return s.start(ctx, c)
}

func (s *shadow) start(ctx context.Context, c command) (output, error) {
	out, err := s.repo.git.run(ctx, c)
	if id, ok := missingObject(err, out.stderr); ok {
		return out, s.repo.missingObjectError(id)
	}
	return out, err
}

func (s *shadow) command(stdin io.Reader, limit int64, args ...string) command {
	env := append(baseEnv(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_DIR="+s.dir)
	return command{dir: s.dir, env: env, args: args, stdin: stdin, limit: limit}
}

// copyFile copies a regular file with its times, if it exists. The time of an index
// matters: git takes a file changed after it for possibly changed.
func copyFile(from, to string) error {
	info, err := os.Stat(from)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &FileError{Path: from, Reason: "is no regular file"}
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := cmp.Or(err, out.Close()); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

var configEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)

// quoteConfig quotes a value for a configuration file.
func quoteConfig(s string) string { return `"` + configEscapes.Replace(s) + `"` }
