package pull

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// Members reads who is in a merge group.
type Members interface {
	QueueMembers(ctx context.Context, branch, baseSHA, headSHA string) ([]gh.Member, error)
}

// Queue concludes the check of a merge group without asking a model: it succeeds
// if the check of every member's head did (S23).
func (r *Runner) Queue(ctx context.Context, members Members, branch, baseSHA, headSHA string) (debate.Conclusion, string, error) {
	list, err := members.QueueMembers(ctx, branch, baseSHA, headSHA)
	var unknown *gh.NotFoundError
	if err != nil && !errors.As(err, &unknown) {
		return "", "", fmt.Errorf("read the members of the merge group: %w", err)
	}
	conclusion, why := debate.Success, fmt.Sprintf("the check of all %d pull requests in the group succeeded", len(list))
	if len(list) == 0 {
		conclusion, why = debate.Failure, "GitHub does not say which pull requests are in the group"
	}
	for _, m := range list {
		run, err := r.ownCheck(ctx, m.HeadSHA)
		if err != nil {
			return "", "", err
		}
		switch {
		case run == nil || !run.Done || !strings.HasPrefix(run.ExternalID, external(m.Number)): // or it is not what we wrote for it
			conclusion, why = debate.Failure, fmt.Sprintf("the head of #%d has no finished check", m.Number)
		case run.Conclusion != string(debate.Success):
			conclusion, why = debate.Failure, fmt.Sprintf("the check of #%d says %s", m.Number, run.Conclusion)
		default:
			continue
		}
		break
	}
	check := gh.Check{
		Name: CheckName, HeadSHA: headSHA, DetailsURL: r.DetailsURL, Conclusion: conclusion, Title: "merge group", Summary: why,
	}
	before, err := r.ownCheck(ctx, headSHA)
	switch {
	case err != nil:
	case before == nil:
		_, err = r.Hub.CreateCheck(ctx, check)
	case !before.Done || before.Conclusion != string(conclusion) || before.Summary != why:
		err = r.Hub.UpdateCheck(ctx, before.ID, check)
	}
	if isRefusal(err) {
		status := gh.Status{HeadSHA: headSHA, Context: CheckName, State: gh.StatusFailure, Description: "merge group", TargetURL: r.DetailsURL}
		if conclusion == debate.Success {
			status.State = gh.StatusSuccess
		}
		err = r.Hub.SetStatus(ctx, status)
	}
	if err != nil {
		return "", "", fmt.Errorf("write the check of the merge group: %w", err)
	}
	return conclusion, why, nil
}

// ownCheck is our check run of a head, nil if there is none.
func (r *Runner) ownCheck(ctx context.Context, sha string) (*gh.CheckRun, error) {
	runs, err := r.Hub.CheckRuns(ctx, sha)
	if err != nil {
		return nil, fmt.Errorf("read the check runs of %s: %w", short(sha), err)
	}
	var newest *gh.CheckRun
	for i := range runs {
		if runs[i].Name == CheckName && runs[i].Mine && (newest == nil || runs[i].ID > newest.ID) {
			newest = &runs[i]
		}
	}
	return newest, nil
}
