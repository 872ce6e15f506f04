package look

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/policy"
)

// The bounds of the files given to a program.
const (
	mostFiles = 2000
	mostText  = 16 << 20 // bytes of all of them
	largeText = 1 << 20  // bytes of one
	headTime  = 20 * time.Second
)

// File is a file of the head as a look would show it whole.
type File struct{ Path, Text string }

// Head returns the regular files of the head side as looks show them, without files with
// instructions for agents. Files in the near directories come first. It leaves out files
// beyond the bounds or the time.
func (v *Viewer) Head(ctx context.Context, near []string) []File {
	v.Fetch(ctx, []debate.Look{{Kind: debate.LookGrep, Pattern: ".", Side: debate.Right}})
	ctx, cancel := context.WithTimeout(ctx, headTime)
	defer cancel()
	paths, err := v.Tree.Files(ctx, debate.Right, "", nil)
	if err != nil {
		return nil
	}
	paths = lists.Keep(paths, func(name string) bool { return v.forbidden(name) == "" && !policy.Obeyed(name) })
	slices.Sort(paths)
	isNear := func(name string) bool { return slices.Contains(near, path.Dir(name)) }
	t := &turn{Viewer: v}
	var files []File
	left := mostText
	for _, name := range append(lists.Keep(paths, isNear), slices.DeleteFunc(paths, isNear)...) {
		if len(files) == mostFiles || ctx.Err() != nil {
			break
		}
		lines, why := t.lines(name, debate.Right)
		text := strings.Join(lines, "\n") + "\n"
		if why != "" || len(text) > min(left, largeText) {
			continue
		}
		left -= len(text)
		files = append(files, File{Path: name, Text: text})
	}
	return files
}
