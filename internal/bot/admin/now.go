package admin

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store/database"
)

// nowPage lists the running and the waiting jobs.
func (d *Dashboard) nowPage(ctx context.Context, _ part) (page, error) {
	live, err := d.now(ctx)
	live.Title, live.Live = "Now", true
	if d.Warning != "" {
		live.Notice = "Warning: " + d.Warning
	}
	return live, err
}

// now returns the part of the page with live updates.
func (d *Dashboard) now(ctx context.Context) (page, error) {
	begun, err := d.Database.Sessions(ctx, database.SessionFilter{Running: true, Limit: pageRows + 1})
	if err != nil {
		return page{}, fmt.Errorf("read the running reviews: %w", err)
	}
	open, err := d.Database.Tasks(ctx, database.TaskFilter{Limit: 2*pageRows + 1})
	if err != nil {
		return page{}, fmt.Errorf("read the waiting jobs: %w", err)
	}
	backlog, err := d.Database.Backlog(ctx)
	if err != nil {
		return page{}, fmt.Errorf("count the waiting jobs: %w", err)
	}
	wanted, waiting := splitTasks(open, begun)
	running := 0
	for _, one := range begun {
		if d.runs(one, wanted) {
			running++
		}
	}
	p := page{Lead: summary(len(begun), running, max(0, backlog.Open-len(open)+len(waiting)), backlog)}
	if len(begun) == 0 && len(waiting) == 0 {
		p.Sections = []section{{ID: "running", Empty: d.idle(ctx)}}
		return p, nil
	}
	if len(begun) > 0 {
		title := "Running"
		if running == 0 {
			title = "Interrupted"
		}
		p.Sections = append(p.Sections, section{ID: "running", Title: title, Table: d.runningTable(shown(begun), wanted), Note: cutNote(len(begun), "newest")})
	}
	if len(waiting) > 0 {
		p.Sections = append(p.Sections, section{ID: "waiting", Title: "Next in line", Table: d.waitingTable(shown(waiting)), Note: cutNote(len(waiting), "oldest")})
	}
	return p, nil
}

// splitTasks returns the subjects with an open task, and the tasks without a review.
func splitTasks(open []database.Task, begun []database.Session) (wanted map[string]bool, waiting []database.Task) {
	held := make(map[string]bool)
	for _, s := range begun {
		held[subjectOf(s)] = true
	}
	wanted = make(map[string]bool)
	for _, t := range open {
		wanted[t.Subject] = true
		if !held[t.Subject] {
			waiting = append(waiting, t)
		}
	}
	return wanted, waiting
}

// runs reports whether an open review is in progress: in this process, or in another one
// with an open task. Otherwise it was interrupted.
func (d *Dashboard) runs(s database.Session, wanted map[string]bool) bool {
	_, here := d.Board.step(s.ID)
	return here || wanted[subjectOf(s)]
}

// subjectOf returns the task's subject of a review.
func subjectOf(s database.Session) string {
	return cmp.Or(s.Subject, database.Subject(s.Repo, event.Trigger{Number: s.Pull}))
}

// cutNote notes that a list without pages is cut.
func cutNote(found int, which string) string {
	if found > pageRows {
		return fmt.Sprintf("There are more; the %s %d are shown.", which, pageRows)
	}
	return ""
}

// summary describes the running reviews and the open work, a sentence each. running of the
// begun reviews are in progress.
func summary(begun, running, waiting int, b database.Backlog) string {
	text := plural(running, "review is running.", "reviews are running.")
	switch {
	case begun > pageRows:
		text = fmt.Sprintf("More than %d reviews have begun and not ended.", pageRows)
	case running == 0:
		text = "No review is running."
	}
	if n := begun - running; n > 0 && begun <= pageRows {
		text += " " + plural(n, "review was interrupted.", "reviews were interrupted.")
	}
	if waiting > 0 {
		text += " " + plural(waiting, "job waits for its turn.", "jobs wait for their turn.")
	}
	if b.Decisions > 0 {
		text += " " + plural(b.Decisions, "decision waits for a person.", "decisions wait for a person.")
	}
	if b.Parked > 0 {
		text += " " + plural(b.Parked, "job stopped after repeated errors.", "jobs stopped after repeated errors.")
	}
	return text
}

// plural returns a number with the singular or the plural.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

func (d *Dashboard) runningTable(running []database.Session, wanted map[string]bool) *table {
	t := &table{Caption: "Running reviews", Head: []column{{Name: "Pull request"}, {Name: "Step"}, {Name: "Running for"}, {Name: "Calls", Number: true}, {Name: "Cost", Number: true}}}
	for _, s := range running {
		step, here := d.Board.step(s.ID)
		if !here {
			step = Step{Text: "interrupted; the next event goes on with it", Calls: s.Calls, Micro: s.Micro, Unpriced: s.Unpriced}
			if d.runs(s, wanted) {
				step.Text = "under way"
			}
		}
		t.add(
			d.pull(s.Repo, s.Pull, s.Title),
			cell{Text: report.OneLine(step.Text), URL: reviewURL(s)},
			moment(s.Started, d.since(s.Started)),
			cell{Text: strconv.Itoa(step.Calls)},
			dollars(step.Micro, step.Unpriced),
		)
	}
	return t
}

func (d *Dashboard) waitingTable(waiting []database.Task) *table {
	t := &table{Caption: "What waits for its turn", Head: []column{{Name: "Look at"}, {Name: "Wanted"}, {Name: "State"}}}
	for _, task := range waiting {
		t.add(d.subject(task), moment(task.Since, d.since(task.Since)+" ago"), d.state(task))
	}
	return t
}

// state returns the reason why an open task does not run.
func (d *Dashboard) state(t database.Task) cell {
	if t.Attempts == 0 {
		return cell{Text: "waits for its turn"}
	}
	c := cell{Text: "tries again now", Sub: report.OneLine(d.Secrets.Text(t.Error))}
	if left := t.RetryAt - d.Now().UnixMilli(); left > 0 {
		c.Text = "tries again in " + lasted(time.Duration(left)*time.Millisecond)
	}
	return c
}

// idle is the advice if nothing runs.
func (d *Dashboard) idle(ctx context.Context) *empty {
	installed, err := d.Database.Installations(ctx)
	if err == nil && len(installed) == 0 {
		return d.uninstalled()
	}
	return &empty{
		Text: "Nothing to do at the moment.",
		Next: "A review starts by itself when a pull request is opened or gets a new commit. To start one by hand, write /debate run in a comment on the pull request.",
		Link: &tab{Text: "See finished reviews", URL: "/reviews"},
	}
}
