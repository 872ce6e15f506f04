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

// watchPipes ends the context when git has been waiting for a while and the work
// tree holds a pipe under one of the names that git opens without looking at what
// they are: it would wait for ever. Looking costs a walk over the work tree, so it
// is done only where git is slow. The caller calls done at the end.
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

// opened are the names that git opens without looking at what they are.
var opened = map[string]bool{".gitignore": true, ".gitattributes": true}

// findPipe looks for a .gitignore or .gitattributes that can block.
func findPipe(ctx context.Context, tree fs.FS) (name string, found bool) {
	_ = fs.WalkDir(tree, ".", func(at string, d fs.DirEntry, err error) error {
		base := path.Base(at)
		switch {
		case ctx.Err() != nil:
			return fs.SkipAll
		case err != nil:
			return nil // what cannot be read cannot block either
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
