package policy

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// Accept adds the findings that the base side accepts. Each entry names a rule, or lines of code;
// their white space does not matter.
func (r *Rules) Accept(list []debate.Known) {
	for _, k := range list {
		k.Snippet = strings.Join(strings.Fields(k.Snippet), " ")
		r.known = append(r.known, k)
	}
}

// Known returns the accepted findings about files of a change, in the order of the settings. An
// entry has expired if its last day is before day, such as 2026-11-23.
func (r *Rules) Known(set *patch.Set, day string) []debate.Known {
	var list []debate.Known
	for _, k := range r.known {
		covers := func(f *patch.File) bool { return slices.ContainsFunc(f.Names(), k.Covers) }
		if slices.ContainsFunc(set.Files, covers) {
			k.Expired = k.Until < day
			list = append(list, k)
		}
	}
	return list
}
