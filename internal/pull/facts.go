package pull

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// Facts is what one job read of GitHub, for another that has no token.
type Facts struct {
	Version  int                          `json:"version"`
	Trigger  Trigger                      `json:"trigger"`
	At       int64                        `json:"at"` // Unix milliseconds
	Pull     gh.Pull                      `json:"pull"`
	Issues   []gh.Issue                   `json:"issues"`
	Access   map[string]Allowed           `json:"access"`
	Files    map[string]map[string][]byte `json:"files"` // by commit and path; null: there is none
	Checks   []gh.CheckRun                `json:"checks"`
	Failed   []debate.Run                 `json:"failed"`
	Snapshot []byte                       `json:"-"` // as gh.Snapshot.Encode writes it
}

// Allowed is what an account may do.
type Allowed struct {
	Permission debate.Permission `json:"permission"`
	Bot        bool              `json:"bot"`
}

const factsVersion = 1

// Encode writes the facts without their snapshot.
func (f *Facts) Encode() ([]byte, error) {
	data, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("encode what was collected: %w", err)
	}
	return data, nil
}

// DecodeFacts reads what Encode wrote, and a snapshot.
func DecodeFacts(data, snapshot []byte) (*Facts, error) {
	f := &Facts{Snapshot: snapshot}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(f); err != nil {
		return nil, fmt.Errorf("read what was collected: %w", err)
	}
	if f.Version != factsVersion {
		return nil, fmt.Errorf("read what was collected: version %d, this is version %d", f.Version, factsVersion)
	}
	return f, nil
}

// gatherer reads through a hub and keeps what it read. It writes nothing.
type gatherer struct {
	noWriter
	hub      Reader
	facts    *Facts
	snapshot *gh.Snapshot
}

func (g *gatherer) Pull(ctx context.Context, number int) (gh.Pull, error) {
	p, err := g.hub.Pull(ctx, number)
	g.facts.Pull = p
	return p, err
}

func (g *gatherer) Glance(ctx context.Context, number int, watched string) (gh.Glance, error) {
	return g.hub.Glance(ctx, number, watched)
}

func (g *gatherer) Permission(ctx context.Context, login string) (debate.Permission, bool, error) {
	permission, bot, err := g.hub.Permission(ctx, login)
	if err == nil {
		g.facts.Access[login] = Allowed{permission, bot}
	}
	return permission, bot, err
}

func (g *gatherer) Snapshot(ctx context.Context, base, head string, number int) (*gh.Snapshot, error) {
	s, err := g.hub.Snapshot(ctx, base, head, number)
	g.snapshot = s
	return s, err
}

func (g *gatherer) Files(ctx context.Context, sha string, paths []string) (map[string][]byte, error) {
	files, err := g.hub.Files(ctx, sha, paths)
	if err == nil {
		if g.facts.Files[sha] == nil {
			g.facts.Files[sha] = make(map[string][]byte)
		}
		for _, path := range paths {
			g.facts.Files[sha][path] = files[path]
		}
	}
	return files, err
}

func (g *gatherer) CheckRuns(ctx context.Context, sha string) ([]gh.CheckRun, error) {
	runs, err := g.hub.CheckRuns(ctx, sha)
	g.facts.Checks = runs
	return runs, err
}

func (g *gatherer) FailedRuns(ctx context.Context, sha, own string) ([]debate.Run, error) {
	runs, err := g.hub.FailedRuns(ctx, sha, own)
	g.facts.Failed = runs
	return runs, err
}

func (g *gatherer) Issues(ctx context.Context, label string, since time.Time) ([]gh.Issue, error) {
	issues, err := g.hub.Issues(ctx, label, since)
	g.facts.Issues = append(g.facts.Issues, issues...)
	return issues, err
}

func (g *gatherer) Issue(ctx context.Context, number int) (gh.Issue, error) {
	issue, err := g.hub.Issue(ctx, number)
	if err == nil {
		g.facts.Issues = append(g.facts.Issues, issue)
	}
	return issue, err
}

// told is the hub of a job without a token: the facts, and nothing else.
type told struct {
	noWriter
	facts *Facts
}

func (t told) Pull(_ context.Context, number int) (gh.Pull, error) {
	if number != t.facts.Pull.Number {
		return gh.Pull{}, fmt.Errorf("pull request #%d was not collected", number)
	}
	return t.facts.Pull, nil
}

func (t told) Glance(context.Context, int, string) (gh.Glance, error) {
	p := t.facts.Pull
	return gh.Glance{State: p.State, HeadSHA: p.HeadSHA, BaseRef: p.BaseRef, Siblings: p.Siblings}, nil
}

func (t told) Permission(_ context.Context, login string) (debate.Permission, bool, error) {
	a, ok := t.facts.Access[login]
	if !ok {
		return "", false, &gh.PermissionError{What: "ask what " + login + " may do: it was not collected"}
	}
	return a.Permission, a.Bot, nil
}

func (t told) Snapshot(_ context.Context, _, head string, _ int) (*gh.Snapshot, error) {
	if len(t.facts.Snapshot) == 0 {
		return nil, errors.New("it was not collected")
	}
	s, err := gh.DecodeSnapshot(t.facts.Snapshot)
	if err == nil && s.HeadSHA != head {
		err = fmt.Errorf("the collected change is that of head %s", short(s.HeadSHA))
	}
	return s, err
}

func (t told) Files(_ context.Context, sha string, paths []string) (map[string][]byte, error) {
	files := make(map[string][]byte)
	for _, path := range paths {
		content, ok := t.facts.Files[sha][path]
		if !ok {
			return nil, fmt.Errorf("%s was not collected", path)
		}
		files[path] = content
	}
	return files, nil
}

func (t told) CheckRuns(context.Context, string) ([]gh.CheckRun, error) { return t.facts.Checks, nil }

func (t told) FailedRuns(context.Context, string, string) ([]debate.Run, error) {
	return t.facts.Failed, nil
}

func (t told) Issues(context.Context, string, time.Time) ([]gh.Issue, error) {
	return t.facts.Issues, nil
}

func (t told) Issue(_ context.Context, number int) (gh.Issue, error) {
	for _, issue := range t.facts.Issues {
		if issue.Number == number {
			return issue, nil
		}
	}
	return gh.Issue{}, &gh.NotFoundError{What: fmt.Sprintf("read issue #%d: it was not collected", number)}
}

// noWriter is a job that may not write.
type noWriter struct{}

var errReadOnly = &gh.PermissionError{What: "write: this job has no permission to"}

func (noWriter) PostReview(context.Context, int, gh.NewReview) (int64, error) { return 0, errReadOnly }
func (noWriter) EditReviewComment(context.Context, int64, string) error       { return errReadOnly }
func (noWriter) Reply(context.Context, int, int64, string, string) error      { return errReadOnly }
func (noWriter) CreateComment(context.Context, int, string, string) (gh.Comment, error) {
	return gh.Comment{}, errReadOnly
}
func (noWriter) EditComment(context.Context, int64, string) error { return errReadOnly }
func (noWriter) CreateIssue(context.Context, gh.NewIssue) (gh.Issue, error) {
	return gh.Issue{}, errReadOnly
}
func (noWriter) EditIssue(context.Context, int, gh.IssueChange) error  { return errReadOnly }
func (noWriter) React(context.Context, int64, bool, gh.Reaction) error { return errReadOnly }
func (noWriter) CreateCheck(context.Context, gh.Check) (int64, error)  { return 0, errReadOnly }
func (noWriter) UpdateCheck(context.Context, int64, gh.Check) error    { return errReadOnly }
func (noWriter) SetStatus(context.Context, gh.Status) error            { return errReadOnly }
