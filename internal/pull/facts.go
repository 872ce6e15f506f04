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
	"github.com/prdebate/debate/internal/lists"
)

// Facts are the reads of GitHub by one job, for another without a token.
type Facts struct {
	Version  int                          `json:"version"`
	Trigger  Trigger                      `json:"trigger"`
	At       int64                        `json:"at"` // Unix milliseconds
	Pull     gh.Pull                      `json:"pull"`
	Issues   []gh.Issue                   `json:"issues"`
	Access   map[string]Allowed           `json:"access"`
	Files    map[string]map[string][]byte `json:"files"` // by commit and path; null: there is none
	Large    map[string]map[string]int    `json:"large"` // sizes of files too large to read, in bytes
	Checks   []gh.CheckRun                `json:"checks"`
	Failed   []debate.Run                 `json:"failed"`
	Fork     string                       `json:"fork,omitempty"` // the merge base, if it was read
	Snapshot []byte                       `json:"-"`              // as gh.Snapshot.Encode writes it
}

// Allowed are the rights of an account.
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

// DecodeFacts reads the output of Encode, and a snapshot.
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

// factsKeeper passes reads through and keeps their results.
type factsKeeper struct {
	Reader
	facts  *Facts
	change *gh.Snapshot
}

func (k *factsKeeper) Pull(ctx context.Context, number int) (gh.Pull, error) {
	p, err := k.Reader.Pull(ctx, number)
	k.facts.Pull = p
	return p, err
}

func (k *factsKeeper) Permission(ctx context.Context, login string) (debate.Permission, bool, error) {
	permission, bot, err := k.Reader.Permission(ctx, login)
	if err == nil {
		k.facts.Access[login] = Allowed{permission, bot}
	}
	return permission, bot, err
}

func (k *factsKeeper) Snapshot(ctx context.Context, base, head string, number int) (*gh.Snapshot, error) {
	s, err := k.Reader.Snapshot(ctx, base, head, number)
	k.change = s
	return s, err
}

func (k *factsKeeper) MergeBase(ctx context.Context, base, head string) (string, error) {
	fork, err := k.Reader.MergeBase(ctx, base, head)
	k.facts.Fork = fork
	return fork, err
}

func (k *factsKeeper) Files(ctx context.Context, sha string, paths []string) (map[string][]byte, error) {
	files, err := k.Reader.Files(ctx, sha, paths)
	large := tooLarge(err)
	if err != nil && len(large) == 0 {
		return files, err
	}
	if k.facts.Files[sha] == nil {
		k.facts.Files[sha], k.facts.Large[sha] = make(map[string][]byte), make(map[string]int)
	}
	for _, path := range paths {
		k.facts.Files[sha][path] = files[path]
	}
	for _, l := range large {
		k.facts.Large[sha][l.Path] = l.Size
	}
	return files, err
}

// tooLarge are the files in an error of Reader.Files.
func tooLarge(err error) []*gh.LargeFileError {
	var all interface{ Unwrap() []error }
	if !errors.As(err, &all) {
		return nil
	}
	var large []*gh.LargeFileError
	for _, err := range all.Unwrap() {
		var one *gh.LargeFileError
		if errors.As(err, &one) {
			large = append(large, one)
		}
	}
	return large
}

func (k *factsKeeper) CheckRuns(ctx context.Context, sha string) ([]gh.CheckRun, error) {
	runs, err := k.Reader.CheckRuns(ctx, sha)
	k.facts.Checks = runs
	return runs, err
}

func (k *factsKeeper) FailedRuns(ctx context.Context, list []gh.CheckRun, own string) ([]debate.Run, error) {
	runs, err := k.Reader.FailedRuns(ctx, list, own)
	k.facts.Failed = runs
	return runs, err
}

func (k *factsKeeper) Issues(ctx context.Context, label string, since time.Time) ([]gh.Issue, error) {
	issues, err := k.Reader.Issues(ctx, label, since)
	k.facts.Issues = append(k.facts.Issues, issues...)
	return issues, err
}

func (k *factsKeeper) Issue(ctx context.Context, number int) (gh.Issue, error) {
	issue, err := k.Reader.Issue(ctx, number)
	if err == nil {
		k.facts.Issues = append(k.facts.Issues, issue)
	}
	return issue, err
}

// factsReader is the Reader of a job without a token. It has only the facts, and the
// files of both sides if there is a reader of archives.
type factsReader struct {
	facts    *Facts
	archives *gh.Reader
}

func (r factsReader) Pull(_ context.Context, number int) (gh.Pull, error) {
	if number != r.facts.Pull.Number {
		return gh.Pull{}, fmt.Errorf("pull request #%d was not collected", number)
	}
	return r.facts.Pull, nil
}

func (r factsReader) Glance(context.Context, int, string) (gh.Glance, error) {
	p := r.facts.Pull
	return gh.Glance{State: p.State, HeadSHA: p.HeadSHA, BaseRef: p.BaseRef, BaseSHA: p.BaseSHA, Settings: p.Settings, Siblings: p.Siblings}, nil
}

func (r factsReader) Permission(_ context.Context, login string) (debate.Permission, bool, error) {
	a, ok := r.facts.Access[login]
	if !ok {
		return "", false, &gh.PermissionError{What: "ask what " + login + " may do: it was not collected"}
	}
	return a.Permission, a.Bot, nil
}

func (r factsReader) Reviewers(context.Context, int) ([]gh.Account, error) {
	return nil, &gh.PermissionError{What: "read who was asked to review: it was not collected"}
}

func (r factsReader) Snapshot(_ context.Context, _, head string, _ int) (*gh.Snapshot, error) {
	if len(r.facts.Snapshot) == 0 {
		return nil, errors.New("it was not collected")
	}
	s, err := gh.DecodeSnapshot(r.facts.Snapshot)
	if err == nil && s.HeadSHA != head {
		err = fmt.Errorf("the collected change is that of head %s", short(s.HeadSHA))
	}
	if err == nil && r.archives != nil {
		s.ReadBy(r.archives)
	}
	return s, err
}

func (r factsReader) MergeBase(context.Context, string, string) (string, error) {
	if r.facts.Fork == "" {
		return "", errors.New("the merge base was not collected")
	}
	return r.facts.Fork, nil
}

func (r factsReader) Files(_ context.Context, sha string, paths []string) (map[string][]byte, error) {
	files := make(map[string][]byte)
	var large []error
	for _, path := range paths {
		content, ok := r.facts.Files[sha][path]
		if !ok {
			return nil, fmt.Errorf("%s was not collected", path)
		}
		files[path] = content
		if size, ok := r.facts.Large[sha][path]; ok {
			large = append(large, &gh.LargeFileError{Path: path, Size: size})
		}
	}
	return files, errors.Join(large...)
}

func (r factsReader) CheckRuns(context.Context, string) ([]gh.CheckRun, error) {
	return r.facts.Checks, nil
}

func (r factsReader) ChecksNamed(context.Context, string, string) ([]gh.CheckRun, error) {
	return nil, errors.New("a job that writes nothing claims nothing")
}

func (r factsReader) FailedRuns(context.Context, []gh.CheckRun, string) ([]debate.Run, error) {
	return r.facts.Failed, nil
}

func (r factsReader) Issues(context.Context, string, time.Time) ([]gh.Issue, error) {
	return r.facts.Issues, nil
}

func (r factsReader) Issue(_ context.Context, number int) (gh.Issue, error) {
	issue := lists.Find(r.facts.Issues, func(i gh.Issue) bool { return i.Number == number })
	if issue.Number == number {
		return issue, nil
	}
	return issue, &gh.NotFoundError{What: fmt.Sprintf("read issue #%d: it was not collected", number)}
}
