package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/go-github/v62/github"
)

const (
	annotationsAtOnce = 50  // the API takes no more in one request
	maxAnnotations    = 200 // of one check
	maxDescription    = 140 // characters of a commit status
)

// CreateCheck makes the check run of a head. More than 50 annotations follow in
// further writes, up to 200.
func (c *Client) CreateCheck(ctx context.Context, check Check) (int64, error) {
	what := "make the check " + oneLine(check.Name)
	if err := commitID(check.HeadSHA); err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	status, conclusion := check.state()
	annotations := check.annotations()
	now := annotations[:min(len(annotations), annotationsAtOnce)]
	body := github.CreateCheckRunOptions{
		Name: check.Name, HeadSHA: check.HeadSHA, DetailsURL: set(check.DetailsURL), ExternalID: set(check.ExternalID),
		Status: &status, Conclusion: conclusion, Output: check.output(now),
	}
	var reply github.CheckRun
	var id int64
	err := c.createOnce(ctx, call{what: what, method: http.MethodPost, path: c.repo("check-runs"), body: body}, &reply, func() (bool, error) {
		runs, err := c.checkRuns(ctx, what, check.HeadSHA, check.Name)
		for _, run := range runs {
			if run.GetName() == check.Name && run.GetExternalID() == check.ExternalID {
				id = max(id, run.GetID())
			}
		}
		return id != 0, err
	})
	if err != nil {
		return 0, err
	}
	if id == 0 {
		id = reply.GetID()
	}
	return id, c.annotate(ctx, what, id, check, annotations[len(now):])
}

// UpdateCheck changes a check run. Its annotations are added to those it has, and
// once more where GitHub took them and its answer was lost.
func (c *Client) UpdateCheck(ctx context.Context, id int64, check Check) error {
	what := "update the check " + oneLine(check.Name)
	annotations := check.annotations()
	if len(annotations) == 0 {
		return c.updateCheck(ctx, what, id, check, nil)
	}
	return c.annotate(ctx, what, id, check, annotations)
}

// annotate updates a check once for each part of the annotations.
func (c *Client) annotate(ctx context.Context, what string, id int64, check Check, annotations []*github.CheckRunAnnotation) error {
	for len(annotations) > 0 {
		now := annotations[:min(len(annotations), annotationsAtOnce)]
		if err := c.updateCheck(ctx, what, id, check, now); err != nil {
			return err
		}
		annotations = annotations[len(now):]
	}
	return nil
}

func (c *Client) updateCheck(ctx context.Context, what string, id int64, check Check, annotations []*github.CheckRunAnnotation) error {
	status, conclusion := check.state()
	_, err := c.send(ctx, call{
		what: what, kind: edit, method: http.MethodPatch, path: c.repo("check-runs/%d", id),
		body: github.UpdateCheckRunOptions{
			Name: check.Name, DetailsURL: set(check.DetailsURL), ExternalID: set(check.ExternalID),
			Status: &status, Conclusion: conclusion, Output: check.output(annotations),
		},
	}, nil)
	return err
}

func (check *Check) state() (status string, conclusion *string) {
	if check.Conclusion == "" {
		return "in_progress", nil
	}
	return "completed", github.String(string(check.Conclusion))
}

// output is nil where there is nothing to say; the API wants both texts or none.
func (check *Check) output(annotations []*github.CheckRunAnnotation) *github.CheckRunOutput {
	if check.Title == "" && check.Summary == "" && len(annotations) == 0 {
		return nil
	}
	return &github.CheckRunOutput{Title: github.String(first(check.Title, check.Name)), Summary: &check.Summary, Annotations: annotations}
}

func (check *Check) annotations() []*github.CheckRunAnnotation {
	var all []*github.CheckRunAnnotation
	for i := range check.Annotations[:min(len(check.Annotations), maxAnnotations)] {
		a := &check.Annotations[i]
		end := max(a.EndLine, a.StartLine)
		all = append(all, &github.CheckRunAnnotation{
			Path: &a.Path, StartLine: &a.StartLine, EndLine: &end, AnnotationLevel: &a.Level, Title: set(a.Title), Message: &a.Message,
		})
	}
	return all
}

// SetStatus sets a commit status. What is over 140 characters of its description
// is cut.
func (c *Client) SetStatus(ctx context.Context, s Status) error {
	what := "set the status " + oneLine(s.Context)
	if err := commitID(s.HeadSHA); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if words := []rune(s.Description); len(words) > maxDescription {
		s.Description = string(words[:maxDescription-1]) + "…"
	}
	_, err := c.send(ctx, call{
		what: what, kind: edit, method: http.MethodPost, path: c.repo("statuses/%s", s.HeadSHA),
		body: github.RepoStatus{
			State: github.String(string(s.State)), Context: &s.Context, Description: &s.Description, TargetURL: set(s.TargetURL),
		},
	}, nil)
	var missing *NotFoundError
	if errors.As(err, &missing) {
		return &PermissionError{What: what, Why: "GitHub finds no such commit that this token may write to"}
	}
	return err
}

// set is nil for "", which the API would take for a value.
func set(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
