package pull

import (
	"slices"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// asking is the pull request as a question shows it: with the lines in question and the
// news since an earlier answer.
func (w settlement) asking(asked []debate.Decision) report.Pull {
	view := w.view()
	view.Hits, view.News = make(map[string][]report.Hit), make(map[string]report.News)
	for _, d := range asked {
		view.Hits[d.ID] = w.hits(d)
		if len(d.Human.Earlier) > 0 {
			was := d.Human.Earlier[0]
			view.News[d.ID] = report.News{By: was.By, Option: was.Option, Head: was.Head, Beside: w.beside()}
		} else if b := w.before(d); b != nil {
			further := lists.Keep(hitsOf(d), func(hit string) bool { return !slices.Contains(b.Hits, hit) })
			view.News[d.ID] = report.News{By: b.By, Option: b.Option, Head: b.Head, Hits: further}
		}
	}
	return view
}

// beside are the new findings since a person decided to merge, or else the accepted
// objection.
func (w settlement) beside() []string {
	var list []string
	for _, claim := range w.state.NewSince() {
		c := lists.Find(w.state.Book.Claims, func(c debate.Claim) bool { return c.ID == claim })
		list = append(list, claim+" "+string(c.Severity)+" "+comment.Clip(c.Title, 120)+" ("+c.Cite().String()+")")
	}
	if len(list) == 0 {
		return []string{"the models accepted an objection"}
	}
	return list[:min(len(list), maxHits)]
}

// hits are the lines of a question: one for each of its triggers, and then the critic's
// findings of the same kind elsewhere in the same files.
func (w settlement) hits(d debate.Decision) []report.Hit {
	var first, further []report.Hit
	ofCritic := lists.Keep(w.state.Book.Claims, func(c debate.Claim) bool { return c.Owner == debate.EngineParty && c.Cite().Path != "" })
	for _, t := range d.Triggers {
		first = append(first, w.hit(t.Path, t.Side, t.Line, t.Detail, t.By))
		for _, c := range ofCritic {
			at := c.Cite()
			here := at.Side == t.Side && at.StartLine == t.Line
			if c.Trigger == t.ID && at.Path == t.Path && !here {
				further = append(further, w.hit(at.Path, at.Side, at.StartLine, c.Title, nil))
			}
		}
	}
	return append(first, further...)
}

// hit is a place with its line.
func (w settlement) hit(path string, side debate.Side, line int, says string, by []string) report.Hit {
	h := report.Hit{Path: path, Side: side, Line: line, Says: says, By: by}
	if text, ok := w.lines.Line(path, side, line); ok {
		h.Text = w.snap.clean(text)
	}
	return h
}
