package surround

import (
	"path"
	"strings"

	outlines "github.com/prdebate/debate/internal/outline"
	"github.com/prdebate/debate/internal/patch"
)

// The bounds of the outlines of moved files.
const (
	mostOutlined = 24_000 // bytes of all
	outlineLines = 60     // of one file
	firstLines   = 10     // shown of a file without declarations
)

// moved returns the outlines of the files that were only moved, and the uses of old names.
func (in Input) moved(found *finder) (moved Chunk) {
	room := mostOutlined
	var changed []string
	var shown []*file
	for _, f := range in.Change.Set.Files {
		if f.Status != patch.Renamed {
			continue
		}
		changed = append(changed, f.NewPath)
		if len(f.Hunks) > 0 || f.Kind != patch.Text || f.Unparsed != "" || in.Skip(f.NewPath) || room < longUse {
			continue
		}
		one := in.read(f)
		var heads []int // the first lines of its declarations, or of the file
		for _, d := range outlines.Of(one.path, 1, one.lines).Declarations() {
			heads = append(heads, d.First)
		}
		if len(heads) == 0 {
			for n := range min(len(one.lines), firstLines) {
				heads = append(heads, n+1)
			}
		}
		for _, n := range heads[:min(len(heads), outlineLines)] {
			one.take(span{n, n}, &room)
		}
		if b, any := one.block(); any {
			moved.Blocks, shown = append(moved.Blocks, b), append(shown, one)
		}
	}
	moved.Uses = found.of(Moved, changed, shown)
	return moved
}

// oldNames are the names of a file by its old path in other files: its name without the
// ending, and with its folder, as in paths and modules.
func oldNames(f *patch.File) []string {
	if f.Status != patch.Renamed {
		return nil
	}
	name, folder := stem(f.OldPath), path.Base(path.Dir(f.OldPath))
	says := len(name) >= shortestName && !common[name]
	switch {
	case len(folder)+len(name) > longestName:
		return nil
	case says && (folder == "." || name != stem(f.NewPath)):
		return []string{name}
	case folder == ".":
		return nil
	}
	return []string{folder + "/" + name, folder + "." + name}
}

// stem is the name of a file without its ending.
func stem(name string) string {
	base := path.Base(name)
	return strings.TrimSuffix(base, path.Ext(base))
}
