package gh

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/debate"
)

const (
	perPage         = 100
	maxCheckPages   = 10
	maxFailedRuns   = 10
	maxRunNotes     = 50   // annotations of one failed run
	maxEvidenceText = 2000 // bytes of one piece of evidence
)

// checkRuns reads the newest check runs of a commit with a name, or all for "".
func (c *Client) checkRuns(ctx context.Context, what, sha, name string) ([]*github.CheckRun, error) {
	if err := commitID(sha); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	query := url.Values{"per_page": {strconv.Itoa(perPage)}}
	if name != "" {
		query.Set("check_name", name)
	}
	var all []*github.CheckRun
	path := c.repo("commits/%s/check-runs?%s", sha, query.Encode())
	for range maxCheckPages {
		var reply github.ListCheckRunsResults
		got, err := c.send(ctx, call{what: what, method: http.MethodGet, path: path}, &reply)
		if err != nil {
			return nil, err
		}
		all = append(all, reply.CheckRuns...)
		if path = c.nextPage(got.header); path == "" {
			break
		}
	}
	return slices.DeleteFunc(all, func(r *github.CheckRun) bool { return r == nil }), nil
}

// nextPage is where the Link header says that a list goes on; "" at its end, and
// where it points anywhere but into the API.
func (c *Client) nextPage(h http.Header) string {
	for part := range strings.SplitSeq(h.Get("Link"), ",") {
		target, params, ok := strings.Cut(strings.TrimSpace(part), ">")
		if !ok || !strings.Contains(params, `rel="next"`) {
			continue
		}
		u, err := url.Parse(strings.TrimPrefix(target, "<"))
		if err != nil || u.Host != c.api.BaseURL.Host || u.Scheme != c.api.BaseURL.Scheme {
			return ""
		}
		return u.String()
	}
	return ""
}

// CheckRuns reads the newest check run of each name and app of a commit.
func (c *Client) CheckRuns(ctx context.Context, sha string) ([]CheckRun, error) {
	what := fmt.Sprintf("read the checks of %.12s", sha)
	runs, err := c.checkRuns(ctx, what, sha, "")
	if err != nil {
		return nil, err
	}
	app, err := c.app(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]CheckRun, 0, len(runs))
	for _, r := range runs {
		all = append(all, CheckRun{
			ID: r.GetID(), Name: r.GetName(), Done: r.GetStatus() == "completed", Conclusion: r.GetConclusion(),
			Title: r.GetOutput().GetTitle(), Summary: r.GetOutput().GetSummary(), ExternalID: r.GetExternalID(),
			StartedAt: r.GetStartedAt().Time,
			Mine:      app != "" && r.GetApp().GetSlug() == app,
		})
	}
	return all, nil
}

// app is the slug of the app that the token belongs to, "" where it is a person's.
// Pull reads it along.
func (c *Client) app(ctx context.Context) (string, error) {
	c.mu.Lock()
	login := c.viewer
	c.mu.Unlock()
	if login == "" {
		var reply struct{ Viewer struct{ Login string } }
		if err := c.query(ctx, "read whose token this is", `query Viewer { viewer { login } }`, nil, &reply); err != nil {
			return "", err
		}
		login = reply.Viewer.Login
		c.sawViewer(login)
	}
	slug, isApp := strings.CutSuffix(login, "[bot]")
	if !isApp {
		return "", nil
	}
	return slug, nil
}

func (c *Client) sawViewer(login string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.viewer = login
}

// FailedRuns reads what failed on a commit, as evidence (S12): of at most 10 runs,
// a piece for the run and one for each of up to 50 annotations. The run named own,
// and the jobs own-something that make it, are left out. It is one request where
// nothing failed. Changed is not set: only who has the difference knows.
func (c *Client) FailedRuns(ctx context.Context, sha, own string) ([]debate.Run, error) {
	what := fmt.Sprintf("read the failed checks of %.12s", sha)
	runs, err := c.checkRuns(ctx, what, sha, "")
	if err != nil {
		return nil, err
	}
	runs = slices.DeleteFunc(runs, func(r *github.CheckRun) bool {
		return r.GetName() == own || strings.HasPrefix(r.GetName(), own+"-") || !failed(r.GetConclusion())
	})
	slices.SortFunc(runs, func(a, b *github.CheckRun) int { return cmp.Compare(a.GetID(), b.GetID()) })
	var all []debate.Run
	for _, r := range runs[:min(len(runs), maxFailedRuns)] {
		text := strings.TrimSpace(r.GetOutput().GetTitle() + "\n" + r.GetOutput().GetSummary())
		all = append(all, evidence(debate.Run{Ref: fmt.Sprintf("check:%d", r.GetID()), Name: r.GetName(), Text: first(text, r.GetConclusion())}))
		if r.GetOutput().GetAnnotationsCount() == 0 {
			continue
		}
		var notes []*github.CheckRunAnnotation
		path := c.repo("check-runs/%d/annotations?per_page=%d", r.GetID(), maxRunNotes)
		if _, err := c.send(ctx, call{what: what, method: http.MethodGet, path: path}, &notes); err != nil {
			return nil, err
		}
		for i, n := range notes[:min(len(notes), maxRunNotes)] {
			if n == nil || n.GetAnnotationLevel() == "notice" {
				continue
			}
			all = append(all, evidence(debate.Run{
				Ref: fmt.Sprintf("check:%d/%d", r.GetID(), i+1), Name: r.GetName(), Path: n.GetPath(),
				StartLine: n.GetStartLine(), EndLine: n.GetEndLine(), Text: strings.TrimSpace(n.GetTitle() + "\n" + n.GetMessage()),
			}))
		}
	}
	return all, nil
}

func failed(conclusion string) bool {
	switch conclusion {
	case "failure", "timed_out", "startup_failure":
		return true
	}
	return false
}

// evidence marks a run as failed, bounds its text and hashes what it says.
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
