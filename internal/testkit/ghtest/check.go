package ghtest

import (
	"cmp"
	"slices"
	"time"
)

// CheckRun is a check run.
type CheckRun struct {
	ID                    int64
	App                   int64
	Name, HeadSHA         string
	Status, Conclusion    string
	DetailsURL            string
	ExternalID            string
	Title, Summary, Text  string
	Annotations           []Annotation
	StartedAt, FinishedAt time.Time
}

// Annotation marks lines in a check run.
type Annotation struct {
	Path               string
	StartLine, EndLine int
	Level              string // notice, warning or failure
	Title, Message     string
}

func (c *CheckRun) serial() int64 { return c.ID }

// Status is a commit status.
type Status struct {
	ID                                                 int64
	SHA, Context, State, Description, TargetURL, Login string
	At                                                 time.Time
}

// checks are what was reported on the commits of a repository, oldest first.
type checks struct {
	clock    *clock
	runs     []*CheckRun
	statuses []*Status
}

// add keeps a check run that starts now.
func (all *checks) add(run *CheckRun) {
	run.ID, run.StartedAt = all.clock.next(), all.clock.tick()
	all.runs = append(all.runs, run)
}

// find is the check run of an id, nil for none.
func (all *checks) find(id int64) *CheckRun {
	for _, run := range all.runs {
		if run.ID == id {
			return run
		}
	}
	return nil
}

// statusesOf are the statuses of a commit.
func (all *checks) statusesOf(sha string) []*Status {
	return slices.DeleteFunc(slices.Clone(all.statuses), func(st *Status) bool { return st.SHA != sha })
}

// AddCheckRun lets an app or a workflow report on a commit, as of now.
func (r *Repo) AddCheckRun(c CheckRun) CheckRun {
	defer r.lock()()
	c.App, c.Status = cmp.Or(c.App, ActionsApp), cmp.Or(c.Status, "completed")
	r.checks.add(&c)
	if c.Status == "completed" {
		c.FinishedAt = c.StartedAt
	}
	return c
}

// CheckRuns are the check runs of a commit, oldest first.
func (r *Repo) CheckRuns(sha string) []CheckRun {
	defer r.lock()()
	var found []CheckRun
	for _, c := range r.checks.runs {
		if c.HeadSHA == sha {
			run := *c
			run.Annotations = slices.Clone(c.Annotations)
			found = append(found, run)
		}
	}
	return found
}

// Statuses are the statuses of a commit, oldest first.
func (r *Repo) Statuses(sha string) []Status {
	defer r.lock()()
	var found []Status
	for _, st := range r.checks.statusesOf(sha) {
		found = append(found, *st)
	}
	return found
}
