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
	Pushers  []gh.Account                 `json:"pushers,omitempty"`
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

// factsReader passes reads through and keeps their results. Without a Reader, for a job
// without a token, it has only the kept ones, and the files of both sides if there is a
// reader of archives.
type factsReader struct {
	Reader
	facts    *Facts
	change   *gh.Snapshot
	archives *gh.Reader
}

func (r *factsReader) Pull(ctx context.Context, number int) (p gh.Pull, err error) {
	if r.Reader != nil {
		r.facts.Pull, err = r.Reader.Pull(ctx, number)
	} else if number != r.facts.Pull.Number {
		return p, fmt.Errorf("pull request #%d was not collected", number)
	}
	return r.facts.Pull, err
}

func (r *factsReader) Glance(context.Context, int, string) (gh.Glance, error) {
	p := r.facts.Pull
	return gh.Glance{State: p.State, HeadSHA: p.HeadSHA, BaseRef: p.BaseRef, BaseSHA: p.BaseSHA, Settings: p.Settings, Siblings: p.Siblings}, nil
}

func (r *factsReader) Permission(ctx context.Context, login string) (debate.Permission, bool, error) {
	if r.Reader != nil {
		permission, bot, err := r.Reader.Permission(ctx, login)
		if err == nil {
			r.facts.Access[login] = Allowed{permission, bot}
		}
		return permission, bot, err
	}
	a, ok := r.facts.Access[login]
	if !ok {
		return "", false, &gh.PermissionError{What: "ask what " + login + " may do: it was not collected"}
	}
	return a.Permission, a.Bot, nil
}

func (r *factsReader) Pushers(ctx context.Context, p gh.Pull) (list []gh.Account, err error) {
	if r.Reader != nil {
		r.facts.Pushers, err = r.Reader.Pushers(ctx, p)
	}
	return r.facts.Pushers, err
}

func (r *factsReader) ChecksNamed(context.Context, string, string) ([]gh.CheckRun, error) {
	return nil, errors.New("a job that writes nothing claims nothing")
}

func (r *factsReader) Snapshot(ctx context.Context, base, head string, number int) (s *gh.Snapshot, err error) {
	if r.Reader != nil {
		r.change, err = r.Reader.Snapshot(ctx, base, head, number)
		return r.change, err
	}
	if len(r.facts.Snapshot) == 0 {
		return nil, errors.New("it was not collected")
	}
	if s, err = gh.DecodeSnapshot(r.facts.Snapshot); err == nil && s.HeadSHA != head {
		err = fmt.Errorf("the collected change is that of head %s", short(s.HeadSHA))
	}
	if err == nil && r.archives != nil {
		s.ReadBy(r.archives)
	}
	return s, err
}

func (r *factsReader) MergeBase(ctx context.Context, base, head string) (_ string, err error) {
	if r.Reader != nil {
		r.facts.Fork, err = r.Reader.MergeBase(ctx, base, head)
	} else if r.facts.Fork == "" {
		err = errors.New("the merge base was not collected")
	}
	return r.facts.Fork, err
}

func (r *factsReader) Files(ctx context.Context, sha string, paths []string) (map[string][]byte, error) {
	files, sizes := r.facts.Files[sha], r.facts.Large[sha]
	if r.Reader != nil {
		read, err := r.Reader.Files(ctx, sha, paths)
		large := tooLarge(err)
		if err != nil && len(large) == 0 {
			return read, err
		}
		if files == nil {
			files, sizes = make(map[string][]byte), make(map[string]int)
			r.facts.Files[sha], r.facts.Large[sha] = files, sizes
		}
		for _, path := range paths {
			files[path] = read[path]
		}
		for _, l := range large {
			sizes[l.Path] = l.Size
		}
		return read, err
	}
	wanted := make(map[string][]byte)
	var large []error
	for _, path := range paths {
		content, ok := files[path]
		if !ok {
			return nil, fmt.Errorf("%s was not collected", path)
		}
		wanted[path] = content
		if size, ok := sizes[path]; ok {
			large = append(large, &gh.LargeFileError{Path: path, Size: size})
		}
	}
	return wanted, errors.Join(large...)
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

func (r *factsReader) CheckRuns(ctx context.Context, sha string) (_ []gh.CheckRun, err error) {
	if r.Reader != nil {
		r.facts.Checks, err = r.Reader.CheckRuns(ctx, sha)
	}
	return r.facts.Checks, err
}

func (r *factsReader) FailedRuns(ctx context.Context, list []gh.CheckRun, own string) (_ []debate.Run, err error) {
	if r.Reader != nil {
		r.facts.Failed, err = r.Reader.FailedRuns(ctx, list, own)
	}
	return r.facts.Failed, err
}

func (r *factsReader) Issues(ctx context.Context, label string, since time.Time) ([]gh.Issue, error) {
	if r.Reader == nil {
		return r.facts.Issues, nil
	}
	issues, err := r.Reader.Issues(ctx, label, since)
	r.facts.Issues = append(r.facts.Issues, issues...)
	return issues, err
}

func (r *factsReader) Issue(ctx context.Context, number int) (issue gh.Issue, err error) {
	if r.Reader != nil {
		if issue, err = r.Reader.Issue(ctx, number); err == nil {
			r.facts.Issues = append(r.facts.Issues, issue)
		}
		return issue, err
	}
	if issue = lists.Find(r.facts.Issues, func(i gh.Issue) bool { return i.Number == number }); issue.Number != number {
		err = &gh.NotFoundError{What: fmt.Sprintf("read issue #%d: it was not collected", number)}
	}
	return issue, err
}
