package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

const (
	untrackedLimit = 5_000     // files
	frozenLimit    = 512 << 20 // bytes of uncommitted files
)

// freeze writes the state of the work tree (staged, unstaged and untracked, not
// ignored) as a tree into the shadow, with notes. The user's index is copied, never opened
// for writing.
func (s *shadow) freeze(ctx context.Context) (tree string, err error) {
	if err := s.copyIndex(); err != nil {
		return "", fmt.Errorf("copy the index: %w", err)
	}
	// Without --ignore-submodules=dirty git would start itself inside each submodule,
	// under its configuration.
	out, err := s.runInWorkTree(ctx, nil, "diff-files", "-z", "--name-status", "--ignore-submodules=dirty")
	if err != nil {
		return "", err
	}
	changed, gone := splitStatus(out.stdout)
	out, err = s.runInWorkTree(ctx, nil, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return "", err
	}
	if bytes.Contains(out.stderr, []byte("could not open directory")) {
		return "", unreadableError(s.repo.top, strings.TrimPrefix(lastWords(out.stderr), "warning: "))
	}
	var nested []string // repositories: git lists them with a slash at the end and does not look into them
	untracked := slices.DeleteFunc(splitNames(out.stdout), func(path string) bool {
		rel, err := filepath.Rel(s.dir, filepath.Join(s.repo.top, filepath.FromSlash(path)))
		switch isOurs := err == nil && filepath.IsLocal(rel); { // the shadow may be in the work tree
		case isOurs:
			return true
		case strings.HasSuffix(path, "/"):
			nested = append(nested, path)
			return true
		}
		return false
	})
	if len(untracked) > untrackedLimit {
		return "", limitError("more than %d untracked files: ignore or remove them, or review committed work with --range", untrackedLimit)
	}
	if err := s.addFiles(ctx, append(changed, untracked...)); err != nil {
		return "", err
	}
	if len(gone) > 0 {
		// A file now behind a symbolic link is one that addFiles refuses. This runs after addFiles:
		// each command makes the index younger, and a file changed while the user's index was
		// written would then pass for unchanged.
		names := strings.NewReader(strings.Join(gone, "\x00") + "\x00")
		if _, err := s.run(ctx, names, listingLimit, "update-index", "--force-remove", "-z", "--stdin"); err != nil {
			return "", err
		}
	}
	if len(nested) > 0 {
		s.notes = append(s.notes, fmt.Sprintf("git repositories inside the work tree that are not tracked are left out: %d, the first is %q", len(nested), nested[0]))
	}
	return s.writeTree(ctx, "--missing-ok")
}

// writeTree writes the temporary index as a tree.
func (s *shadow) writeTree(ctx context.Context, options ...string) (tree string, err error) {
	out, err := s.run(ctx, nil, listingLimit, append([]string{"write-tree"}, options...)...)
	return strings.TrimSpace(string(out.stdout)), err
}

// copyIndex copies the index, and its shared part if it is split.
func (s *shadow) copyIndex() error {
	if err := copyFile(s.repo.index, filepath.Join(s.dir, "index")); err != nil {
		return err
	}
	dir := filepath.Dir(s.repo.index)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), "sharedindex.") {
			continue
		}
		if err := copyFile(filepath.Join(dir, entry.Name()), filepath.Join(s.dir, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

// addFiles updates paths in the temporary index to the work tree: content, mode or
// absence. A wrong encoding in the attributes of the work tree must not stop a review: then
// all bytes are taken unchanged.
func (s *shadow) addFiles(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	if err := s.bound(paths); err != nil {
		return err
	}
	out, err := s.updateIndex(ctx, paths)
	if err == nil || !encodingMessage().Match(out.stderr) {
		return err
	}
	s.notes = append(s.notes, "a working-tree-encoding of .gitattributes does not fit its files: all files are taken as they are")
	if err := os.WriteFile(filepath.Join(s.dir, "info", "attributes"), []byte(attributesAsIs), 0o600); err != nil {
		return fmt.Errorf("write attributes: %w", err)
	}
	_, err = s.updateIndex(ctx, paths)
	return err
}

// updateIndex adds files. Treated as big files, they go into one pack together instead
// of one file each.
func (s *shadow) updateIndex(ctx context.Context, paths []string) (output, error) {
	list := strings.Join(paths, "\x00") + "\x00"
	return s.runInWorkTree(ctx, strings.NewReader(list), "-c", "core.bigFileThreshold=1",
		"update-index", "--add", "--remove", "--replace", "-z", "--stdin")
}

// bound refuses more bytes than a snapshot may hold. It only counts; the content comes
// later from git.
func (s *shadow) bound(paths []string) error {
	root, err := os.OpenRoot(s.repo.top)
	if err != nil {
		return fmt.Errorf("open the work tree: %w", err)
	}
	defer root.Close()
	var total int64
	for _, path := range paths {
		info, err := root.Lstat(filepath.FromSlash(path))
		if errors.Is(err, fs.ErrPermission) {
			return unreadableError(path, "permission denied")
		}
		if err == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
		if total > frozenLimit {
			return limitError("more than %d MiB of uncommitted files: ignore or remove large files, or review committed work with --range", frozenLimit>>20)
		}
	}
	return nil
}

func unreadableError(path, reason string) error {
	return fmt.Errorf("cannot read %q: %s", path, reason)
}

// encodingMessage matches git's messages about a file in the wrong encoding.
var encodingMessage = lazyregexp.New(`failed to encode|BOM is `)

// splitNames reads a NUL-terminated listing.
func splitNames(listing []byte) []string {
	return strings.FieldsFunc(string(listing), func(r rune) bool { return r == 0 })
}

// splitStatus reads a NUL-terminated list of letters and names, and separates the files
// gone from the work tree. An unmerged file is listed twice; the second letter is its
// state.
func splitStatus(listing []byte) (changed, gone []string) {
	fields := splitNames(listing)
	for i := 0; i+1 < len(fields); i += 2 {
		status, name := fields[i], fields[i+1]
		switch {
		case i+3 < len(fields) && fields[i+3] == name:
		case status == "D":
			gone = append(gone, name)
		default:
			changed = append(changed, name)
		}
	}
	return changed, gone
}
