package policy

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// Accept adds the findings that the base side knows of and accepts. Each entry names a
// rule, or lines with whatever white space.
func (r *Rules) Accept(list []debate.Known) {
	for _, k := range list {
		k.Snippet = strings.Join(strings.Fields(k.Snippet), " ")
		r.known = append(r.known, k)
	}
}

// Known are the accepted findings that are about files of a change, in the order of the
// settings. Those whose last day is before a day, such as 2026-11-23, have expired.
func (r *Rules) Known(set *patch.Set, day string) []debate.Known {
	var list []debate.Known
	for _, k := range r.known {
		covers := func(f *patch.File) bool { return slices.ContainsFunc(names(f), k.Covers) }
		if slices.ContainsFunc(set.Files, covers) {
			k.Expired = k.Until < day
			list = append(list, k)
		}
	}
	return list
}
