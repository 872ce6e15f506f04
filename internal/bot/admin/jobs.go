package admin

import (
	"context"
	"fmt"
	"net/http"

	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store/database"
)

// jobsPage lists the jobs that stopped after repeated errors.
func (d *Dashboard) jobsPage(ctx context.Context, at part) (page, error) {
	found, err := d.Database.Tasks(ctx, database.TaskFilter{Parked: true, Limit: pageRows + 1, Offset: at.offset()})
	if err != nil {
		return page{}, fmt.Errorf("read the stopped jobs: %w", err)
	}
	p := page{Title: "Jobs", Sections: []section{{ID: "jobs", Pager: at.pager(len(found))}}}
	s := &p.Sections[0]
	if at.query.Get("ran") != "" {
		p.Notice = "The job runs again. The first page shows it; if it fails again, it comes back here."
	}
	if len(found) == 0 {
		s.Empty = &empty{
			Text: "No job has stopped.",
			Next: "A failed job is tried again by itself. If it keeps failing, it stops and appears here with its error.",
			Link: &tab{Text: "See what runs now", URL: "/"},
		}
		return p, nil
	}
	p.Lead = "These jobs failed again and again, and stopped. Read the error, remove its cause, then run the job again. A new commit or a command on the pull request does that too."
	t := &table{Caption: "Stopped jobs, the oldest first", Head: []column{{Name: "Job"}, {Name: "Last error"}, {Name: "Stopped"}, {Name: "Run again"}}}
	token := d.forms.token(person(ctx))
	for _, task := range shown(found) {
		what := d.subject(task)
		t.add(
			what,
			cell{Text: report.OneLine(d.Secrets.Text(task.Error)), Sub: plural(task.Attempts, "attempt", "attempts")},
			moment(task.Parked, d.since(task.Parked)+" ago"),
			cell{Again: &again{Token: token, Subject: task.Subject, What: what.Text}},
		)
	}
	s.Table = t
	return p, nil
}

// runAgain restarts a stopped job.
func (d *Dashboard) runAgain(w http.ResponseWriter, r *http.Request) {
	if why := d.forms.refuse(w, r); why != "" {
		d.write(w, r, http.StatusForbidden, page{Title: "Not done", Lead: why})
		return
	}
	ctx, done := context.WithTimeout(r.Context(), pageWithin)
	defer done()
	subject := r.PostForm.Get("subject")
	if err := d.Database.Unpark(ctx, subject); err != nil {
		d.broken(w, r, fmt.Errorf("open the job again: %w", err))
		return
	}
	d.Logger.InfoContext(r.Context(), "a job runs again because a person wants it", "subject", subject, "person", person(r.Context()))
	if d.Wake != nil {
		d.Wake()
	}
	http.Redirect(w, r, "/jobs?ran=1", http.StatusSeeOther)
}
