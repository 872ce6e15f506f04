package policy

import (
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// triggersOf finds the triggers of a repository that configured nothing.
func triggersOf(change patch.Change, hits ...debate.Hit) []debate.Trigger {
	return (&Rules{}).Triggers(change, hits)
}

// show renders triggers as "id class path:line".
func show(triggers []debate.Trigger) []string {
	var out []string
	for _, t := range triggers {
		out = append(out, string(t.ID)+" "+string(t.Class)+" "+debate.Citation{Path: t.Path, StartLine: t.Line}.String())
	}
	return out
}
