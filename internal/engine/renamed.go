package engine

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/redact"
)

// renamed is a change whose paths show no secret: a file with one in its path has
// another name everywhere, and is read by its own. Most changes stay as they are.
func (s *Subject) renamed(change patch.Change) patch.Change {
	secrets, own := s.hiding(nil, nil), make(map[string]string) // by the other name
	taken := make(map[string]bool)
	for _, f := range change.Set.Files {
		taken[f.OldPath], taken[f.NewPath] = true, true
	}
	other := make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(taken)) {
		shown := showable(secrets, name)
		if shown == name {
			continue
		}
		for taken[shown] { // as if two files had one name
			shown = path.Join(path.Dir(shown), "_"+path.Base(shown))
		}
		taken[shown], own[shown], other[name] = true, name, shown
	}
	if len(own) == 0 {
		return change
	}
	change.Set = &patch.Set{Files: lists.Map(change.Set.Files, func(f *patch.File) *patch.File {
		named := *f
		named.OldPath, named.NewPath = cmp.Or(other[f.OldPath], f.OldPath), cmp.Or(other[f.NewPath], f.NewPath)
		return &named
	})}
	blob, has := change.Blob, change.BaseHas
	change.Blob = func(path string, side debate.Side) ([]byte, bool) { return blob(cmp.Or(own[path], path), side) }
	change.BaseHas = func(path string) bool { return has(cmp.Or(own[path], path)) }
	return change
}

// showable is a path without secrets. Its directories and its extension stay, since rules
// and settings go by them.
func showable(secrets *redact.Redactor, name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		extension := ""
		if i == len(parts)-1 {
			extension = shortExtension().FindString(part)
		}
		if len(part) >= leastSecret {
			parts[i] = secrets.Text(strings.TrimSuffix(part, extension)) + extension
		}
	}
	return strings.Join(parts, "/")
}

// leastSecret is the length, in bytes, of the shortest name that is searched.
const leastSecret = 16

var shortExtension = lazyregexp.New(`\.\w{1,8}$`)
