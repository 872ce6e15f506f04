package proof

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// The bounds of one side on disk.
const (
	laidFiles = 200_000
	laidBytes = 2 << 30
)

// lay writes one side into an empty directory, without private files: a test could print
// them. Links are written last, so that no file is written through one.
func (r *Runner) lay(ctx context.Context, side debate.Side, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	links := make(map[string]string)
	files, bytes := 0, 0
	wanted := func(name string) bool {
		git := slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.EqualFold(part, ".git") }) // git checks out no such path
		return !git && (r.settings.Private == nil || !r.settings.Private(name))
	}
	err = r.tree.Each(ctx, side, wanted, func(name string, mode uint32, content []byte) error {
		files, bytes = files+1, bytes+len(content)
		switch {
		case files > laidFiles, bytes > laidBytes:
			return errors.New("it has too many files, or they are too large")
		case mode&0o170000 == 0o120000:
			links[name] = string(content)
			return nil
		}
		if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return err
		}
		return root.WriteFile(name, content, os.FileMode(mode&0o111|0o644))
	})
	if err != nil {
		return err
	}
	for name, target := range links {
		if err := cmp.Or(root.MkdirAll(path.Dir(name), 0o755), root.Symlink(target, name)); err != nil {
			return err
		}
	}
	return nil
}
