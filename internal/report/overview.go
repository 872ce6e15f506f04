package report

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// OverviewTitle is the title of the overview.
const OverviewTitle = "What this change does"

// The bounds of the order of reading.
const (
	smallChange = 5 // files: a small change has no order, and its overview is folded
	maxTopics   = 10
	maxPlaced   = 60  // files in all topics together
	maxPathKept = 300 // of a longer path only the file list of the report speaks
)

// overview is the overview of a debate, nil if no model wrote one. Files outside the change
// are removed from its order, and missing ones come last.
func overview(s debate.State, n names) *Overview {
	said := s.Overview()
	if said == nil {
		return nil
	}
	v := &Overview{By: n.of(said.By), Head: said.Head, Does: said.Does, Misses: said.Misses, Order: []Topic{}}
	var files []string
	left := make(map[string]bool)
	noFiles := []string{debate.BodyPath, debate.IssuePath, ""}
	for _, c := range s.Split.Coverage {
		if !left[c.Path] && !slices.Contains(noFiles, c.Path) {
			left[c.Path] = true
			files = append(files, c.Path)
		}
	}
	if len(files) <= smallChange {
		return v
	}
	placed := 0
	take := func(topic string, among []string) {
		var kept []string
		for _, f := range among {
			if left[f] && placed < maxPlaced && len(f) <= maxPathKept {
				delete(left, f)
				kept = append(kept, f)
				placed++
			}
		}
		if len(kept) > 0 {
			v.Order = append(v.Order, Topic{Topic: topic, Files: kept})
		}
	}
	for _, t := range lists.First(said.Order, maxTopics) {
		if t.Topic != "" { // else it held the rest of an earlier order
			take(t.Topic, t.Files)
		}
	}
	if len(v.Order) > 0 {
		take("", files)
		v.Others = len(left)
	}
	return v
}

// OverviewLines describes the change in the words of a model, the parts of the linked issue
// missing in it, and the best order to read its files. It is empty without an overview.
func OverviewLines(e Envelope) []string {
	v := e.Overview
	if v == nil {
		return nil
	}
	by := OneLine(v.By)
	if v.Head != "" && v.Head != e.About.Head {
		by += ", as of " + shortCommit(v.Head)
	}
	lines := []string{OneLine(v.Does) + " — " + by}
	if v.Misses != "" {
		lines = append(lines, "The linked issue asks for more: "+OneLine(v.Misses))
	}
	for i, t := range v.Order {
		start := "Then "
		if i == 0 {
			start = "Read first "
		}
		start += OneLine(t.Topic)
		if t.Topic == "" {
			start = "Other files"
		}
		lines = append(lines, start+": "+strings.Join(lists.Map(t.Files, OneLine), ", "))
	}
	if v.Others > 0 {
		lines = append(lines, Count(v.Others, "more file"))
	}
	return lines
}
