package pull

import (
	"context"
	"fmt"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// Queue concludes the check of a merge group without asking a model: it succeeds
// if the check of every member's head did.
func (r *Runner) Queue(ctx context.Context, branch, baseSHA, headSHA string) (debate.Conclusion, string, error) {
	list, err := r.Reader.QueueMembers(ctx, branch, baseSHA, headSHA)
	if err := unlessGone(err); err != nil {
		return "", "", fmt.Errorf("read the members of the merge group: %w", err)
	}
	conclusion, why, err := r.concludeQueue(ctx, list)
	if err != nil {
		return "", "", err
	}
	read, err := r.readChecks(ctx, headSHA)
	if err := unlessRefused(err); err != nil {
		return "", "", err
	}
	p := posts{runner: r, pull: gh.Pull{HeadSHA: headSHA}, own: read.Own, denied: map[string]bool{checks: isRefusal(err)}}
	check := gh.Check{Conclusion: conclusion, Title: "merge group", Summary: why, ExternalID: "merge-group"}
	if err := p.writeCheck(ctx, check, true); err != nil {
		return "", "", fmt.Errorf("write the check of the merge group: %w", err)
	}
	return conclusion, why, nil
}

// concludeQueue is the conclusion from the checks of the members of a merge group.
func (r *Runner) concludeQueue(ctx context.Context, list []gh.Member) (debate.Conclusion, string, error) {
	if len(list) == 0 {
		return debate.Failure, "GitHub does not say which pull requests are in the group", nil
	}
	for _, m := range list {
		read, err := r.readChecks(ctx, m.HeadSHA)
		if err != nil {
			return "", "", err
		}
		run := read.Own
		ours := ownerOf(run).pull == m.Number // else we did not write it for this pull request
		switch {
		case !run.Done, !ours:
			return debate.Failure, fmt.Sprintf("the head of #%d has no finished check", m.Number), nil
		case run.Conclusion != string(debate.Success):
			return debate.Failure, fmt.Sprintf("the check of #%d says %s", m.Number, run.Conclusion), nil
		}
	}
	return debate.Success, fmt.Sprintf("the check of all %d pull requests in the group succeeded", len(list)), nil
}
