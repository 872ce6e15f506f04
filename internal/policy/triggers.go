package policy

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// maxTriggers bounds the list of triggers. Beyond it, one more entry for each trigger id counts the
// others, so that no id is lost, and none stops being critical.
const maxTriggers = 200

// Triggers returns the triggers of a change, the critical ones first, then by path. Hits of the
// critic with a trigger are content hits (S03). There is one trigger for each id and path, the
// strongest and then the first. More hits never remove a trigger or make it weaker, and their order
// does not matter.
func (r *Rules) Triggers(change patch.Change, hits []debate.Hit) []debate.Trigger {
	found := make(map[place]debate.Trigger)
	add := func(t debate.Trigger) {
		t.Source = "policy"
		at := place{t.ID, t.Path}
		if old, ok := found[at]; !ok || stronger(t, old) < 0 {
			found[at] = t
		}
	}
	for _, h := range hits {
		if h.Trigger != "" {
			add(debate.Trigger{
				ID: h.Trigger, Class: debate.ClassContent, Path: h.Cite.Path, Side: h.Cite.Side, Line: h.Cite.StartLine, Detail: h.Title,
			})
		}
	}
	workflows := 0
	for _, f := range change.Set.Files {
		all := slices.Concat(pathHits(f), r.configured(change, f))
		if !r.expects(change, f) {
			all = append(all, governance(change, f)...)
			if workflowPath().MatchString(f.NewPath) {
				workflows++
				all = append(all, workflowGains(change, f, workflows <= maxWorkflows)...)
			}
		}
		for _, t := range all {
			add(t)
		}
	}
	return ordered(found)
}

// place has at most one trigger.
type place struct {
	id   debate.TriggerID
	path string
}

// stronger orders the triggers of one place: content before configuration before path, then by
// line, the head's lines first.
func stronger(a, b debate.Trigger) int {
	return cmp.Or(
		cmp.Compare(slices.Index(classes, a.Class), slices.Index(classes, b.Class)),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(b.Side, a.Side),
		cmp.Compare(a.Detail, b.Detail),
	)
}

// classes are the kinds of triggers, the strongest first.
var classes = []debate.TriggerClass{debate.ClassContent, debate.ClassConfigured, debate.ClassPath}

// ordered sorts and bounds the triggers.
func ordered(found map[place]debate.Trigger) []debate.Trigger {
	all := slices.AppendSeq(make([]debate.Trigger, 0, len(found)), maps.Values(found))
	slices.SortFunc(all, func(a, b debate.Trigger) int {
		if a.Critical() != b.Critical() {
			if a.Critical() {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.ID, b.ID))
	})
	if len(all) <= maxTriggers {
		return all
	}
	kept, dropped := all[:maxTriggers:maxTriggers], all[maxTriggers:]
	counts := make(map[debate.TriggerID]int)
	var rest []debate.Trigger // the first, and so the strongest, of each id
	for _, t := range dropped {
		if counts[t.ID]++; counts[t.ID] == 1 {
			rest = append(rest, debate.Trigger{ID: t.ID, Source: t.Source, Class: t.Class})
		}
	}
	for _, t := range rest {
		t.Detail = strconv.Itoa(counts[t.ID]) + " more files with this trigger"
		kept = append(kept, t)
	}
	return kept
}
