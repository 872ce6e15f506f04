package pull

import (
	"context"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// Reader reads GitHub.
type Reader interface {
	Pull(ctx context.Context, number int) (gh.Pull, error)
	Glance(ctx context.Context, number int, watched string) (gh.Glance, error)
	Permission(ctx context.Context, login string) (debate.Permission, bool, error)
	Reviewers(ctx context.Context, number int) ([]gh.Account, error)
	Snapshot(ctx context.Context, base, head string, number int) (*gh.Snapshot, error)
	MergeBase(ctx context.Context, base, head string) (string, error)
	Files(ctx context.Context, sha string, paths []string) (map[string][]byte, error)
	CheckRuns(ctx context.Context, sha string) ([]gh.CheckRun, error)
	ChecksNamed(ctx context.Context, sha, name string) ([]gh.CheckRun, error)
	FailedRuns(ctx context.Context, sha, own string) ([]debate.Run, error)
	Issues(ctx context.Context, label string, since time.Time) ([]gh.Issue, error)
	Issue(ctx context.Context, number int) (gh.Issue, error)
}

// Writer writes on GitHub. It has no way to approve, to merge or to push.
type Writer interface {
	PostReview(ctx context.Context, number int, r gh.NewReview) (int64, error)
	ReviewComments(ctx context.Context, number int, review int64) ([]gh.Comment, error)
	EditReviewComment(ctx context.Context, id int64, body string) error
	Resolve(ctx context.Context, threads []string, resolved bool) error
	Minimize(ctx context.Context, comments []string, minimized bool) error
	Reply(ctx context.Context, number int, to int64, body, marker string) error
	CreateComment(ctx context.Context, number int, body, marker string) (gh.Comment, error)
	EditComment(ctx context.Context, id int64, body string) error
	CreateIssue(ctx context.Context, issue gh.NewIssue) (gh.Issue, error)
	EditIssue(ctx context.Context, number int, change gh.IssueChange) error
	React(ctx context.Context, id int64, inThread bool, reaction gh.Reaction) error
	CreateCheck(ctx context.Context, check gh.Check) (int64, error)
	UpdateCheck(ctx context.Context, id int64, check gh.Check) error
	SetStatus(ctx context.Context, status gh.Status) error
}
