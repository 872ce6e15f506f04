package ghtest

import (
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

// AddCheckRun lets an app or a workflow report on a commit, as of now.
func (r *Repo) AddCheckRun(c CheckRun) CheckRun {
	defer r.lock()()
	c.ID, c.StartedAt = r.world.clock.next(), r.world.clock.tick()
	if c.App == 0 {
		c.App = ActionsApp
	}
	if c.Status == "" {
		c.Status = "completed"
	}
	if c.Status == "completed" {
		c.FinishedAt = c.StartedAt
	}
	r.checks = append(r.checks, &c)
	return c
}

// CheckRuns are the check runs of a commit, oldest first.
func (r *Repo) CheckRuns(sha string) []CheckRun {
	defer r.lock()()
	var found []CheckRun
	for _, c := range r.checks {
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
	for _, st := range r.statuses {
		if st.SHA == sha {
			found = append(found, *st)
		}
	}
	return found
}
