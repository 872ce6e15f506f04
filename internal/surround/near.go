package surround

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Candidate is a file that could be searched.
type Candidate struct {
	Path string
	Size int // bytes
}

// The bounds of what the distance of files is measured to, and of a file that is worth
// searching.
const (
	mostDirs    = 50
	largeSource = 64 << 10
)

// sources are endings of files that programs and their settings are written in.
var sources = wordSet(`.go .js .mjs .cjs .jsx .ts .mts .cts .tsx .py .pyi .rb .rake .php .java .kt .kts .scala .groovy .cs .fs .vb .c .h .cc .cpp .cxx .hpp .hh
	.rs .swift .m .mm .dart .ex .exs .erl .hrl .clj .cljs .lua .pl .pm .r .jl .nim .zig .hs .ml .mli .sql .proto .graphql .tf .hcl .yml .yaml .toml .ini .properties .cfg .conf
	.sh .bash .zsh .ps1 .html .htm .vue .svelte .erb .tmpl .jsp`)

// Nearest chooses the files that are searched where not all can be: those next to the
// changed ones in the tree first. All is true where none had to be left out.
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
			away = min(away, 2*distance(path.Dir(f.Path), dir))
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

// distance is how many steps lead from one directory to another.
func distance(a, b string) int {
	from, to := strings.Split(a, "/"), strings.Split(b, "/")
	same := 0
	for same < min(len(from), len(to)) && from[same] == to[same] {
		same++
	}
	return len(from) + len(to) - 2*same
}
