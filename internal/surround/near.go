package surround

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// Candidate is a file for a search.
type Candidate struct {
	Path string
	Size int // bytes
}

// The bounds of the directories to measure a distance to, and of a file worth a search.
const (
	mostDirs    = 50
	largeSource = 64 << 10
)

// sources are endings of source files and of their settings.
var sources = lists.Words(`.go .js .mjs .cjs .jsx .ts .mts .cts .tsx .py .pyi .rb .rake .php .java .kt .kts .scala .groovy .cs .fs .vb .c .h .cc .cpp .cxx .hpp .hh
	.rs .swift .m .mm .dart .ex .exs .erl .hrl .clj .cljs .lua .pl .pm .r .jl .nim .zig .hs .ml .mli .sql .proto .graphql .tf .hcl .yml .yaml .toml .ini .properties .cfg .conf
	.sh .bash .zsh .ps1 .html .htm .vue .svelte .erb .tmpl .jsp`)

// Nearest chooses the files for a search within bounds: the nearest to the changed ones in the
// tree first. All is true if it left none out.
func Nearest(files []Candidate, changed []string, most, bytes int) (chosen []string, all bool) {
	var dirs []string
	kinds := make(map[string]bool)
	for _, name := range changed {
		kinds[path.Ext(name)] = true
		if dir := path.Dir(name); !slices.Contains(dirs, dir) && len(dirs) < mostDirs {
			dirs = append(dirs, dir)
		}
	}
	type ranked struct {
		Candidate
		away int
	}
	var list []ranked
	for _, f := range files {
		isSource := sources[strings.ToLower(path.Ext(f.Path))] && f.Size <= largeSource
		if !isSource || Secret(f.Path) || thirdParty(f.Path) {
			continue
		}
		away := 1 << 20
		for _, dir := range dirs {
			from, to, same := strings.Split(path.Dir(f.Path), "/"), strings.Split(dir, "/"), 0
			for same < min(len(from), len(to)) && from[same] == to[same] {
				same++
			}
			away = min(away, 2*(len(from)+len(to)-2*same)) // steps from one directory to the other
		}
		if !kinds[path.Ext(f.Path)] {
			away++
		}
		list = append(list, ranked{f, away})
	}
	slices.SortFunc(list, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.away, b.away), strings.Compare(a.Path, b.Path))
	})
	for _, f := range list {
		if len(chosen) == most || f.Size > bytes {
			return chosen, false
		}
		bytes -= f.Size
		chosen = append(chosen, f.Path)
	}
	return chosen, true
}
