package pull

import (
	"slices"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// proposedDays is for how long a proposed entry accepts a finding.
const proposedDays = 180

// maxReason bounds, in bytes, the reason of a proposed entry.
const maxReason = 300

// Proposed is an entry of the settings to accept a dismissed finding for the next half
// year.
func Proposed(k debate.Known, reason, by string, now time.Time) config.Known {
	return config.Known{
		Rule: k.Rule, Snippet: k.Snippet, Below: k.Below, Reason: comment.Clip(comment.Line(reason), maxReason), By: by,
		Until: now.UTC().AddDate(0, 0, proposedDays).Format(time.DateOnly),
	}
}

// proposal answers a new dismissal with the settings to accept the finding everywhere, ""
// if no entry may.
func (w settlement) proposal(a request) string {
	f := lists.Find(w.commands.dismissed, func(d Dismissed) bool { return d.id() == a.id() }).F
	book := debate.Book{Claims: w.snap.checkpoint.Debate.Book.Claims}
	is := slices.IndexFunc(book.Claims, func(c debate.Claim) bool { return c.ID == f })
	if is < 0 {
		return ""
	}
	k, ok := book.Accepting(&book.Claims[is])
	if !ok {
		return ""
	}
	entry := Proposed(k, a.command.Text, a.comment.Author.Login, w.at)
	settings, err := config.Show(config.Config{Known: []config.Known{entry}})
	if err != nil || entry.Reason == "" {
		return ""
	}
	return string(report.ProposeKnown(f, w.snap.clean(string(settings))))
}
