package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// app reports whether the GitHub App of the environment can do its work. It asks GitHub
// only if online is set.
func (d *diagnosis) app(r *run, online bool) {
	if !r.IsApp() {
		return
	}
	app, err := r.App(r.GitHub, nil)
	switch {
	case err != nil:
		d.fault("GitHub App", "%s", oneLine(err))
		return
	case !online:
		d.ok("GitHub App", "%s %s, with its private key; --online asks GitHub about it", appID, strings.TrimSpace(r.Getenv(appID)))
		return
	}
	ctx, cancel := context.WithTimeout(r.ctx, probeLimit)
	defer cancel()
	known, err := app.Registration(ctx)
	if err != nil {
		d.fault("GitHub App", "%s", oneLine(err))
		return
	}
	d.ok("GitHub App", "%s (%s, id %d)", comment.Line(known.Name), comment.Line(known.URL), known.ID)
	installed, more, err := app.Installations(ctx)
	if err != nil {
		d.fault("installed", "%s", oneLine(err))
		return
	}
	if len(installed) == 0 {
		d.missing("installed", "nowhere yet; install it at %s/installations/new", comment.Line(known.URL))
	} else {
		names := lists.Map(installed, func(in gh.Installation) string {
			return fmt.Sprintf("%s (id %d)", comment.Line(in.Account), in.AccountID)
		})
		if more {
			names = append(names, "and more")
		}
		d.ok("installed", "on %s", report.Capped(names, ", "))
	}
	for _, gap := range gh.Gaps(known, installed) {
		tell := d.missing
		if gap.Missing {
			tell = d.fault
		}
		tell("GitHub App", "%s; see %s", gap.Text, comment.Line(gap.Link))
	}
}
