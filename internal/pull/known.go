package pull

import (
	"slices"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
)

// proposedDays is for how long a proposed entry accepts a finding.
const proposedDays = 180

// proposal answers a dismissal that is new with the settings that would accept the
// finding everywhere, "" where none may.
func (w settlement) proposal(a request) string {
	at := slices.IndexFunc(w.commands.dismissed, func(d Dismissed) bool { return d.Comment == a.comment.ID })
	if at < 0 {
		return ""
	}
	f := w.commands.dismissed[at].F
	book := debate.Book{Claims: w.snap.checkpoint.Debate.Claims}
	is := slices.IndexFunc(book.Claims, func(c debate.Claim) bool { return c.ID == w.snap.checkpoint.claim(f) })
	if is < 0 {
		return ""
	}
	k, ok := book.Accepting(&book.Claims[is])
	if !ok {
		return ""
	}
	entry := config.Known{
		Rule: k.Rule, Snippet: k.Snippet, Below: k.Below, Reason: comment.Clip(comment.Line(a.command.Text), 300), By: a.comment.Author.Login,
		Until: w.at.UTC().AddDate(0, 0, proposedDays).Format(time.DateOnly),
	}
	settings, err := config.Show(config.Config{Known: []config.Known{entry}})
	if err != nil || entry.Reason == "" {
		return ""
	}
	return string(report.ProposeKnown(f, w.snap.clean(string(settings))))
}
