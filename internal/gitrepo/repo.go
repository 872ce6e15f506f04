package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/text"
)

// Repo is an opened repository. It holds no process and no lock and needs no
// closing; it is safe for use by several goroutines.
type Repo struct {
	git     *runner
	dir     string // given by the user, absolute
	top     string // root of the work tree, "" if bare
	gitDir  string // of this work tree
	objects string // object directory
	index   string // the user's index; may not exist
	shallow string // the shallow file; may not exist
	exclude string // info/exclude; may not exist
	format  objectFormat
	// settings are the user's settings that change the content of a commit.
	settings      []setting
	defaultBranch string // init.defaultBranch, or ""
	user          string // user.name, or ""
	isShallow     bool
	isPartial     bool
}

// Open finds the repository around dir; "" is the current directory. Without git the error
// is ErrNoGit, outside a repository a NotRepositoryError.
func Open(ctx context.Context, dir string) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, &NotRepositoryError{Dir: dir}
	}
	git, err := findGit(ctx)
	if err != nil {
		return nil, err
	}
	r := &Repo{git: git, dir: dir}
	if err := r.discover(ctx); err != nil {
		return nil, err
	}
	if err := r.readSettings(ctx); err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	return r, nil
}

// front runs a command in the user's repository. Only commands that start no other
// program may run here (see the package comment).
func (r *Repo) front(ctx context.Context, args ...string) (output, error) {
	fixed := []string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.warnAmbiguousRefs=true"}
	if r.gitDir != "" {
		fixed = append(fixed, "--git-dir="+r.gitDir)
	}
	return r.git.run(ctx, command{dir: r.dir, env: frontEnv(), args: append(fixed, args...), limit: listingLimit})
}

// discover asks git for the directories. It takes a bare repository only if no work
// tree encloses it: a directory in the shape of a bare repository can be committed like
// any other, and must not pass for the repository around it.
func (r *Repo) discover(ctx context.Context) error {
	err := r.locate(ctx, r.dir, "explicit")
	var failed *CommandError
	if !errors.As(err, &failed) || !strings.Contains(failed.Message, "safe.bareRepository") {
		return err
	}
	for parent := filepath.Dir(r.dir); ; parent = filepath.Dir(parent) {
		if r.locate(ctx, parent, "explicit") == nil && r.top != "" {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if parent == filepath.Dir(parent) {
			break
		}
	}
	return r.locate(ctx, r.dir, "all")
}

// locate runs git's own discovery in dir, including its check of the owner.
func (r *Repo) locate(ctx context.Context, dir, bare string) error {
	r.gitDir, r.top = "", ""
	base := []string{"-C", dir, "-c", "safe.bareRepository=" + bare, "rev-parse"}
	out, err := r.front(ctx, append(base, "--path-format=absolute", "--git-dir", "--git-path", "objects",
		"--git-path", "index", "--git-path", "shallow", "--git-path", "info/exclude",
		"--show-object-format", "--is-shallow-repository", "--is-inside-work-tree")...)
	if err != nil {
		return discoveryError(dir, err)
	}
	lines := strings.Split(strings.TrimSuffix(string(out.stdout), "\n"), "\n")
	if len(lines) != 8 {
		return fmt.Errorf("open repository: the path of %q holds a line break: move the repository", dir)
	}
	format, ok := objectFormats[lines[5]]
	if !ok {
		return fmt.Errorf("open repository: object format %q is not known", text.Message(lines[5]))
	}
	objects, index, shallow, exclude := lines[1], lines[2], lines[3], lines[4]
	top := ""
	if lines[7] == "true" {
		out, err := r.front(ctx, append(base, "--path-format=absolute", "--show-toplevel")...)
		if err != nil {
			return discoveryError(dir, err)
		}
		top = strings.TrimSuffix(string(out.stdout), "\n")
		if !leadsTo(top, lines[0]) {
			// Freezing this tree could read files unrelated to the repository.
			return fmt.Errorf("the repository %q names %q as its work tree, but that directory does not belong to it: unset core.worktree or run this in the right work tree", lines[0], top)
		}
	}
	r.gitDir, r.objects, r.index, r.shallow, r.exclude = lines[0], objects, index, shallow, exclude
	r.format, r.isShallow, r.top = format, lines[6] == "true", top
	return nil
}

// leadsTo reports whether the .git entry at top is gitDir or a file with its path.
func leadsTo(top, gitDir string) bool {
	want, err := os.Stat(gitDir)
	if err != nil {
		return false
	}
	entry := filepath.Join(top, ".git")
	info, err := os.Stat(entry)
	if err != nil {
		return false
	}
	if info.Mode().IsRegular() && info.Size() < 64<<10 {
		content, err := os.ReadFile(entry)
		if err != nil {
			return false
		}
		target, ok := strings.CutPrefix(strings.TrimRight(string(content), "\r\n"), "gitdir: ")
		if !ok {
			return false
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(top, target)
		}
		if info, err = os.Stat(target); err != nil {
			return false
		}
	}
	return os.SameFile(info, want)
}

// discoveryError adds advice to git's words about a directory.
func discoveryError(dir string, err error) error {
	var failed *CommandError
	if errors.As(err, &failed) {
		switch {
		case strings.Contains(failed.Message, "not a git repository"):
			return &NotRepositoryError{Dir: dir}
		case strings.Contains(failed.Message, "dubious ownership"), strings.Contains(failed.Message, "unsafe repository"):
			return fmt.Errorf("git refuses %q because another user owns it: if you trust it, run `git config --global --add safe.directory DIR` with its path", dir)
		}
	}
	return err
}

// setting is one line of configuration.
type setting struct{ key, value string }

// carriedSettings are the settings that decide how git stores a file, or which files it
// ignores. A shadow takes over no others: they run commands, change formats, or make
// git look less closely.
var carriedSettings = map[string]bool{
	"core.autocrlf": true, "core.eol": true, "core.filemode": true, "core.symlinks": true,
	"core.ignorecase": true, "core.precomposeunicode": true, "core.longpaths": true,
	"core.excludesfile": true, "core.sparsecheckout": true,
}

// partialSettings matches the settings of a partial clone.
var partialSettings = lazyregexp.New(`^(extensions\.partialclone|remote\.(.*\.)?promisor)$`)

// readSettings reads the carried settings from the user's and the repository's
// configuration. In the shadow too, the last value of a key counts.
func (r *Repo) readSettings(ctx context.Context) error {
	out, err := r.front(ctx, "config", "--list", "-z")
	if err != nil {
		return err
	}
	for item := range bytes.SplitSeq(out.stdout, []byte{0}) {
		key, value, hasValue := strings.Cut(string(item), "\n")
		if !hasValue {
			value = "true" // a key without "=" is a boolean
		}
		switch {
		case carriedSettings[key]:
			r.settings = append(r.settings, setting{key, value})
		case key == "init.defaultbranch":
			r.defaultBranch = value
		case key == "user.name":
			r.user = value
		case partialSettings().MatchString(key):
			r.isPartial = true
		}
	}
	return nil
}

// User returns the user's name in git's settings, "" if it is not set.
func (r *Repo) User() string { return r.user }

// objectFormat is the hash a repository names its objects by.
type objectFormat struct {
	name      string
	rawBytes  int
	emptyTree string
}

func (f objectFormat) isID(s string) bool {
	return len(s) == 2*f.rawBytes && strings.Trim(s, "0123456789abcdef") == ""
}

var objectFormats = map[string]objectFormat{
	"sha1":   {"sha1", 20, "4b825dc642cb6eb9a060e54bf8d69288fbee4904"},
	"sha256": {"sha256", 32, "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"},
}

// Top is the absolute path of the work tree, "" in a bare repository.
func (r *Repo) Top() string { return r.top }

// GitVersion returns the version that git reports.
func (r *Repo) GitVersion() string { return r.git.version }

// Knows reports whether a name is that of a commit here, such as an id, a branch or HEAD~1.
func (r *Repo) Knows(ctx context.Context, name string) bool {
	_, err := r.resolve(ctx, name)
	return err == nil
}

// Origin returns the URL to fetch the remote origin, as git resolves it; "" if there is
// no such remote.
func (r *Repo) Origin(ctx context.Context) (string, error) {
	out, err := r.front(ctx, "remote", "get-url", "origin")
	if statusOf(err) == noRemote {
		return "", nil
	}
	return text.Message(string(out.stdout)), err
}

// noRemote is the exit status of git remote for a missing remote.
const noRemote = 2
