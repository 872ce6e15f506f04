package gh

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/google/go-github/v62/github"
)

const (
	annotationsAtOnce = 50  // the API takes no more in one request
	maxAnnotations    = 200 // of one check
	maxDescription    = 140 // characters of a commit status
)

// CreateCheck makes the check run of a head. More than 50 annotations follow in
// further writes, up to 200.
func (w *Writer) CreateCheck(ctx context.Context, check Check) (int64, error) {
	what := "make the check " + oneLine(check.Name)
	if err := commitIDs(what, check.HeadSHA); err != nil {
		return 0, err
	}
	status, conclusion := check.state()
	annotations := check.annotations()
	now := annotations[:min(len(annotations), annotationsAtOnce)]
	options := github.CreateCheckRunOptions{
		Name: check.Name, HeadSHA: check.HeadSHA, DetailsURL: set(check.DetailsURL), ExternalID: set(check.ExternalID),
		Status: &status, Conclusion: conclusion, Output: check.output(now),
	}
	id, err := createOnce(ctx, w.sender, what, func(ctx context.Context, api api) (int64, *github.Response, error) {
		made, resp, err := api.Checks.CreateCheckRun(ctx, api.owner, api.name, options)
		return made.GetID(), resp, err
	}, func() (newest *int64, err error) {
		runs, err := checkRuns(ctx, w.sender, what, check.HeadSHA, check.Name)
		slices.SortFunc(runs, func(a, b *github.CheckRun) int { return cmp.Compare(a.GetID(), b.GetID()) })
		for _, run := range runs {
			if run.GetName() == check.Name && run.GetExternalID() == check.ExternalID {
				newest = run.ID
			}
		}
		return newest, err
	})
	if err != nil || len(annotations) == len(now) {
		return id, err
	}
	return id, w.annotate(ctx, what, id, check, annotations[len(now):])
}

// UpdateCheck changes a check run. GitHub adds its annotations to the existing ones. If
// GitHub took them but its answer was lost, they are added twice.
func (w *Writer) UpdateCheck(ctx context.Context, id int64, check Check) error {
	return w.annotate(ctx, "update the check "+oneLine(check.Name), id, check, check.annotations())
}

// annotate updates a check once for each part of the annotations, at least once.
func (w *Writer) annotate(ctx context.Context, what string, id int64, check Check, annotations []*github.CheckRunAnnotation) error {
	status, conclusion := check.state()
	for {
		now := annotations[:min(len(annotations), annotationsAtOnce)]
		annotations = annotations[len(now):]
		_, err := send(ctx, w.sender, request{what, edit}, func(ctx context.Context, api api) (*github.CheckRun, *github.Response, error) {
			return api.Checks.UpdateCheckRun(ctx, api.owner, api.name, id, github.UpdateCheckRunOptions{
				Name: check.Name, DetailsURL: set(check.DetailsURL), ExternalID: set(check.ExternalID),
				Status: &status, Conclusion: conclusion, Output: check.output(now),
			})
		})
		if err != nil || len(annotations) == 0 {
			return err
		}
	}
}

func (check *Check) state() (status string, conclusion *string) {
	if check.Conclusion == "" {
		return "in_progress", nil
	}
	return "completed", github.String(string(check.Conclusion))
}

// output returns nil if there is no text; the API wants both texts or none.
func (check *Check) output(annotations []*github.CheckRunAnnotation) *github.CheckRunOutput {
	if check.Title == "" && check.Summary == "" && len(annotations) == 0 {
		return nil
	}
	return &github.CheckRunOutput{Title: github.String(cmp.Or(check.Title, check.Name)), Summary: &check.Summary, Annotations: annotations}
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

// SetStatus sets a commit status. It cuts a description at 140 characters.
func (w *Writer) SetStatus(ctx context.Context, status Status) error {
	what := "set the status " + oneLine(status.Context)
	if err := commitIDs(what, status.HeadSHA); err != nil {
		return err
	}
	if words := []rune(status.Description); len(words) > maxDescription {
		status.Description = string(words[:maxDescription-1]) + "…"
	}
	_, err := send(ctx, w.sender, request{what, edit}, func(ctx context.Context, api api) (*github.RepoStatus, *github.Response, error) {
		return api.Repositories.CreateStatus(ctx, api.owner, api.name, status.HeadSHA, &github.RepoStatus{
			State: github.String(string(status.State)), Context: &status.Context, Description: &status.Description, TargetURL: set(status.TargetURL),
		})
	})
	if errors.As(err, new(*NotFoundError)) {
		return &PermissionError{What: what, Why: "GitHub finds no such commit that this token may write to"}
	}
	return err
}

// set returns nil for "", since the API would take "" for a value.
func set(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
