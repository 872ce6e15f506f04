package gitrepo

import (
	"context"
	"io/fs"
	"os"
	"path"
	"time"
)

// patience is how long freezing may take before a pipe is looked for.
const patience = time.Second

// watchPipes ends the context if git waits for a while and the work tree has a pipe
// with one of the names that git opens unchecked, since git would wait without end. The
// check walks over the work tree, so it runs only if git is slow. The caller calls done
// at the end.
func (s *shadow) watchPipes(ctx context.Context) (watched context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(patience, func() {
		if name, found := findPipe(ctx, os.DirFS(s.repo.top)); found {
			cancel(&UnreadableError{Path: name, Reason: "it is a pipe, not a file: remove it"})
		}
	})
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}

// opened are the names that git opens unchecked.
var opened = map[string]bool{".gitignore": true, ".gitattributes": true}

// findPipe looks for a .gitignore or .gitattributes that can block.
func findPipe(ctx context.Context, tree fs.FS) (name string, found bool) {
	_ = fs.WalkDir(tree, ".", func(at string, d fs.DirEntry, err error) error {
		base := path.Base(at)
		switch {
		case ctx.Err() != nil:
			return fs.SkipAll
		case err != nil:
			return nil // an unreadable file cannot block
		case d.IsDir() && base == ".git":
			return fs.SkipDir
		case !opened[base]:
		case d.Type()&(fs.ModeNamedPipe|fs.ModeDevice) != 0:
			name, found = at, true
			return fs.SkipAll
		}
		return nil
	})
	return name, found
}
