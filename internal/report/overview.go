package report

import (
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// OverviewTitle is the title of the overview.
const OverviewTitle = "What this change does"

// overview is the overview of a debate, nil if no model wrote one.
func overview(s debate.State) *Overview {
	said := s.Overview()
	if said == nil {
		return nil
	}
	v := &Overview{By: said.By, Head: said.Head, Does: said.Does, Misses: said.Misses, Order: []Topic{}, Others: said.Others}
	for _, t := range said.Order {
		v.Order = append(v.Order, Topic(t))
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

// smallChange is the largest number of files with a folded overview in the summary.
const smallChange = 5

// overviewMarkdown is the overview for a comment, folded if the change is small.
func overviewMarkdown(e Envelope) string {
	lines := OverviewLines(e)
	switch {
	case len(lines) == 0:
		return ""
	case e.Stats.Files <= smallChange:
		return detailsMarkdown(Section{Title: OverviewTitle, Lines: lines})
	}
	return "**" + OverviewTitle + "**\n\n" + strings.TrimSuffix(bullets(lines), "\n")
}
