package gh

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

const (
	perPage         = 100
	maxCheckPages   = 10
	maxFailedRuns   = 10
	maxRunNotes     = 50   // annotations of one failed run
	maxEvidenceText = 2000 // bytes of one piece of evidence
)

// pages reads at most most pages of a list of the REST API. More is true if the list
// goes on.
func pages[T any](ctx context.Context, s *sender, what string, most int, get func(context.Context, api, github.ListOptions) ([]*T, *github.Response, error)) (all []*T, more bool, err error) {
	at := github.ListOptions{PerPage: perPage}
	for range most {
		part, err := send(ctx, s, request{what: what}, func(ctx context.Context, api api) ([]*T, *github.Response, error) {
			part, resp, err := get(ctx, api, at)
			if err == nil {
				at.Page = resp.NextPage
			}
			return part, resp, err
		})
		if err != nil {
			return nil, false, err
		}
		all = append(all, part...)
		if at.Page == 0 {
			break
		}
	}
	return slices.DeleteFunc(all, func(one *T) bool { return one == nil }), at.Page != 0, nil
}

// checkRuns reads all check runs of a commit with a name, or the newest of each name
// for "", the oldest first.
func checkRuns(ctx context.Context, s *sender, what, sha, name string) ([]*github.CheckRun, error) {
	if err := commitIDs(what, sha); err != nil {
		return nil, err
	}
	options := github.ListCheckRunsOptions{CheckName: set(name)}
	if name != "" {
		options.Filter = github.String("all")
	}
	all, _, err := pages(ctx, s, what, maxCheckPages, func(ctx context.Context, api api, at github.ListOptions) ([]*github.CheckRun, *github.Response, error) {
		options.ListOptions = at
		page, resp, err := api.Checks.ListCheckRunsForRef(ctx, api.owner, api.name, sha, &options)
		if err != nil {
			return nil, resp, err
		}
		return page.CheckRuns, resp, nil
	})
	slices.SortFunc(all, func(a, b *github.CheckRun) int { return cmp.Compare(a.GetID(), b.GetID()) })
	return all, err
}

// Checks reads all check runs of a commit with a name, or the newest of each name and app
// for "", the oldest first.
func (r *Reader) Checks(ctx context.Context, sha, name string) ([]CheckRun, error) {
	runs, err := checkRuns(ctx, r.sender, fmt.Sprintf("read the checks of %.12s", sha), sha, name)
	if err != nil {
		return nil, err
	}
	login, err := r.Viewer(ctx)
	if err != nil {
		return nil, err
	}
	app, isApp := strings.CutSuffix(login, "[bot]")
	all := make([]CheckRun, 0, len(runs))
	for _, run := range runs {
		all = append(all, CheckRun{
			ID: run.GetID(), Name: run.GetName(), Done: run.GetStatus() == "completed", Conclusion: run.GetConclusion(),
			Title: run.GetOutput().GetTitle(), Summary: run.GetOutput().GetSummary(), ExternalID: run.GetExternalID(),
			StartedAt: run.GetStartedAt().Time, Notes: run.GetOutput().GetAnnotationsCount(),
			Mine: isApp && run.GetApp().GetSlug() == app,
		})
	}
	return all, nil
}

// Viewer returns the login of the token's owner. Pull already reads it.
func (r *Reader) Viewer(ctx context.Context) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.viewer == "" {
		var reply struct{ Viewer struct{ Login string } }
		if err := r.sender.query(ctx, "read the login of the token", `query Viewer { viewer { login } }`, nil, &reply); err != nil {
			return "", err
		}
		r.viewer = reply.Viewer.Login
	}
	return r.viewer, nil
}

// FailedRuns returns the failed ones of check runs as evidence, in their order: at most 10 runs, one
// piece for the run and one for each of its first 50 annotations. It leaves out the run
// named own and its jobs named own-something. A failed run with annotations is one request.
// Callers set Changed, because it depends on the difference.
func (r *Reader) FailedRuns(ctx context.Context, runs []CheckRun, own string) ([]debate.Run, error) {
	runs = lists.Keep(runs, func(run CheckRun) bool {
		ours := run.Name == own || strings.HasPrefix(run.Name, own+"-")
		return !ours && slices.Contains(failures, run.Conclusion)
	})
	var all []debate.Run
	for _, run := range runs[:min(len(runs), maxFailedRuns)] {
		text := strings.TrimSpace(run.Title + "\n" + run.Summary)
		all = append(all, evidence(debate.Run{Ref: fmt.Sprintf("check:%d", run.ID), Name: run.Name, Text: cmp.Or(text, run.Conclusion)}))
		if run.Notes == 0 {
			continue
		}
		what := "read the annotations of the check " + oneLine(run.Name)
		notes, err := send(ctx, r.sender, request{what: what}, func(ctx context.Context, api api) ([]*github.CheckRunAnnotation, *github.Response, error) {
			return api.Checks.ListCheckRunAnnotations(ctx, api.owner, api.name, run.ID, &github.ListOptions{PerPage: maxRunNotes})
		})
		if err != nil {
			return nil, err
		}
		for i, n := range notes[:min(len(notes), maxRunNotes)] {
			if n == nil || n.GetAnnotationLevel() == "notice" {
				continue
			}
			all = append(all, evidence(debate.Run{
				Ref: fmt.Sprintf("check:%d/%d", run.ID, i+1), Name: run.Name, Path: n.GetPath(),
				StartLine: n.GetStartLine(), EndLine: n.GetEndLine(), Text: strings.TrimSpace(n.GetTitle() + "\n" + n.GetMessage()),
			}))
		}
	}
	return all, nil
}

// failures are the conclusions of failed runs.
var failures = []string{"failure", "timed_out", "startup_failure"}

// evidence marks a run as failed, limits its text and hashes its facts.
func evidence(run debate.Run) debate.Run {
	run.Failed = true
	text, _ := json.Marshal([]any{run.Name, run.Path, run.StartLine, run.EndLine, run.Text})
	sum := sha256.Sum256(text)
	run.Hash = hex.EncodeToString(sum[:])
	if len(run.Text) > maxEvidenceText {
		run.Text = strings.ToValidUTF8(run.Text[:maxEvidenceText], "") + "..."
	}
	return run
}

const (
	maxAnnotations = 50 // of one check: the API takes no more in one request
)

// CreateCheck makes the check run of a head.
func (w *Writer) CreateCheck(ctx context.Context, check Check) (int64, error) {
	what := "make the check " + oneLine(check.Name)
	if err := commitIDs(what, check.HeadSHA); err != nil {
		return 0, err
	}
	status, conclusion := check.state()
	options := github.CreateCheckRunOptions{
		Name: check.Name, HeadSHA: check.HeadSHA, DetailsURL: set(check.DetailsURL), ExternalID: set(check.ExternalID),
		Status: &status, Conclusion: conclusion, Output: check.output(),
	}
	return createOnce(ctx, w.sender, what, func(ctx context.Context, api api) (int64, *github.Response, error) {
		made, resp, err := api.Checks.CreateCheckRun(ctx, api.owner, api.name, options)
		return made.GetID(), resp, err
	}, func() (newest *int64, err error) {
		runs, err := checkRuns(ctx, w.sender, what, check.HeadSHA, check.Name)
		for _, run := range runs {
			if run.GetName() == check.Name && run.GetExternalID() == check.ExternalID {
				newest = run.ID
			}
		}
		return newest, err
	})
}

// UpdateCheck changes a check run. GitHub adds its annotations to the existing ones. If
// GitHub took them but its answer was lost, they are added twice.
func (w *Writer) UpdateCheck(ctx context.Context, id int64, check Check) error {
	status, conclusion := check.state()
	_, err := send(ctx, w.sender, request{"update the check " + oneLine(check.Name), edit}, func(ctx context.Context, api api) (*github.CheckRun, *github.Response, error) {
		return api.Checks.UpdateCheckRun(ctx, api.owner, api.name, id, github.UpdateCheckRunOptions{
			Name: check.Name, DetailsURL: set(check.DetailsURL), ExternalID: set(check.ExternalID),
			Status: &status, Conclusion: conclusion, Output: check.output(),
		})
	})
	return err
}

func (check *Check) state() (status string, conclusion *string) {
	if check.Conclusion == "" {
		return "in_progress", nil
	}
	return "completed", github.String(string(check.Conclusion))
}

// output returns nil if there is no text; the API wants both texts or none.
func (check *Check) output() *github.CheckRunOutput {
	if check.Title == "" && check.Summary == "" && len(check.Annotations) == 0 {
		return nil
	}
	out := &github.CheckRunOutput{Title: github.String(cmp.Or(check.Title, check.Name)), Summary: &check.Summary}
	for i := range check.Annotations[:min(len(check.Annotations), maxAnnotations)] {
		a := &check.Annotations[i]
		end := max(a.EndLine, a.StartLine)
		out.Annotations = append(out.Annotations, &github.CheckRunAnnotation{
			Path: &a.Path, StartLine: &a.StartLine, EndLine: &end, AnnotationLevel: &a.Level, Title: set(a.Title), Message: &a.Message,
		})
	}
	return out
}

// set returns nil for "", since the API would take "" for a value.
func set(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
