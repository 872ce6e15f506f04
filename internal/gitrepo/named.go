package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
)

const (
	maxHolders = 5  // files with an identifier; with more, it names none of them
	maxGreps   = 20 // identifiers to look for
)

// Named is a file named in a text.
type Named struct {
	Path    string // from the top of the repository, with slashes
	Commit  string // "" for the work tree
	Content []byte // nil if it cannot be shown
	Reason  string // the reason in words if it cannot be shown
}

// Named finds files by their names in a text: by a path, from the top of the repository
// or from the directory it was opened in, or by an identifier that at most five tracked
// files have as a word. It looks at the work tree first and then at HEAD. It finds no
// ignored files and none behind a symbolic link. Each file comes once, files named by
// path first. A file of more than limit bytes, or one that is not text, has a reason in
// place of content.
func (r *Repo) Named(ctx context.Context, paths, identifiers []string, limit int64) ([]Named, error) {
	shadow, err := r.newShadow()
	if err != nil {
		return nil, err
	}
	defer shadow.remove()
	n := &nameSearch{repo: r, shadow: shadow, objects: shadow.objects(ctx), limit: limit, found: make(map[string]bool)}
	defer n.objects.close()
	ctx, done := shadow.watchPipes(ctx)
	defer done()
	if err := n.list(ctx); err != nil {
		return nil, err
	}
	prefix := ""
	if rel, err := filepath.Rel(r.top, r.dir); err == nil && filepath.IsLocal(rel) {
		prefix = filepath.ToSlash(rel)
	}
	var named []string
	for _, name := range paths {
		named = append(named, path.Clean(name), path.Join(prefix, name))
	}
	for _, name := range identifiers[:min(len(identifiers), maxGreps)] {
		holders, err := n.holders(ctx, name)
		if err != nil {
			return nil, err
		}
		named = append(named, holders...)
	}
	for _, at := range named {
		if err := n.add(at); err != nil {
			return nil, err
		}
	}
	return n.files, nil
}

// nameSearch is one search for named files.
type nameSearch struct {
	repo    *Repo
	shadow  *shadow
	objects *objects
	limit   int64
	known   map[string]bool // paths in the work tree, ignored ones excepted
	head    string          // commit, "" if there is none
	tree    string
	files   []Named
	found   map[string]bool
}

// list reads the lists of files.
func (n *nameSearch) list(ctx context.Context) error {
	n.known = make(map[string]bool)
	if n.repo.top != "" {
		if err := n.shadow.copyIndex(); err != nil {
			return fmt.Errorf("copy the index: %w", err)
		}
		out, err := n.shadow.runInWorkTree(ctx, nil, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
		if err != nil {
			return err
		}
		for _, name := range splitNames(out.stdout) {
			n.known[name] = true
		}
	}
	head, born, err := n.repo.head(ctx)
	if err != nil || !born {
		return err
	}
	c, err := n.objects.commit(head)
	n.head, n.tree = head, c.tree
	return err
}

// add adds the file at a path, if there is one.
func (n *nameSearch) add(at string) error {
	if n.found[at] || at == "." || !filepath.IsLocal(filepath.FromSlash(at)) {
		return nil
	}
	f := Named{Path: at}
	ok := false
	var err error
	if n.known[at] {
		ok, err = n.work(&f)
	}
	if !ok && err == nil && n.tree != "" {
		ok, err = n.committed(&f)
	}
	if err != nil || !ok {
		return err
	}
	if bytes.IndexByte(f.Content[:min(len(f.Content), binaryProbe)], 0) >= 0 {
		f.Content, f.Reason = nil, "it is no text"
	}
	n.found[at] = true
	n.files = append(n.files, f)
	return nil
}

// work reads a regular file inside the work tree.
func (n *nameSearch) work(f *Named) (ok bool, err error) {
	root, err := os.OpenRoot(n.repo.top)
	if err != nil {
		return false, fmt.Errorf("open the work tree: %w", err)
	}
	defer root.Close()
	name := filepath.FromSlash(f.Path)
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false, nil
	}
	file, err := root.Open(name)
	if err != nil {
		f.Reason = "it cannot be read"
		return true, nil
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, n.limit+1))
	switch {
	case err != nil:
		f.Reason = "it cannot be read"
	case int64(len(content)) > n.limit:
		f.Reason = tooLong(n.limit)
	default:
		f.Content = content
	}
	return true, nil
}

// committed reads a regular file at HEAD.
func (n *nameSearch) committed(f *Named) (ok bool, err error) {
	entry, err := n.objects.lookup(n.tree, f.Path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, n.objects.missingError("", err)
	}
	if entry.mode&modeTypeOfFile != modeRegular {
		return false, nil
	}
	content, err := n.objects.read(entry.id, "blob", n.limit)
	f.Commit = n.head
	switch {
	case errors.Is(err, errTooLarge):
		f.Reason = tooLong(n.limit)
	case err != nil:
		return false, n.objects.missingError(entry.id, err)
	default:
		f.Content = content
	}
	return true, nil
}

func tooLong(limit int64) string {
	return fmt.Sprintf("it has more than %d bytes", limit)
}

// holders lists the tracked files with an identifier, none if there are too many to
// mean one of them.
func (n *nameSearch) holders(ctx context.Context, identifier string) ([]string, error) {
	if n.repo.top == "" {
		return nil, nil
	}
	out, err := n.shadow.runInWorkTree(ctx, nil, "grep", "-l", "-z", "-I", "-F", "-w", "-e", identifier)
	if isNothingFound(out, err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if list := splitNames(out.stdout); len(list) <= maxHolders {
		return list, nil
	}
	return nil, nil
}
