package gitrepo

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// laidFile is the maximum size in bytes of a file written to disk.
const laidFile = 256 << 20

// Each calls take for the wanted regular files and links of a side, with their modes
// and contents. It skips submodules.
func (t *Tree) Each(ctx context.Context, side debate.Side, wanted func(path string) bool, take func(path string, mode uint32, content []byte) error) error {
	var directory func(at, id string) error
	directory = func(at, id string) error {
		entries, err := t.objects.tree(id)
		if err != nil {
			return err
		}
		for name, e := range entries {
			plain := name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\x00")
			name := path.Join(at, name)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case !plain, !wanted(name), e.mode&modeTypeOfFile == modeSubmodule:
				continue
			case e.mode&modeTypeOfFile == modeDirectory:
				if err := directory(name, e.id); err != nil {
					return err
				}
				continue
			}
			content, err := t.objects.read(e.id, "blob", laidFile)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if err := take(name, e.mode, content); err != nil {
				return err
			}
		}
		return nil
	}
	return directory("", t.Name(side))
}
