package pull

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// Facts are the reads of GitHub by one job, for another without a token.
type Facts struct {
	Version  int             `json:"version"`
	Trigger  Trigger         `json:"trigger"`
	Pull     gh.Pull         `json:"pull"`
	Reads    map[string]fact `json:"reads"` // by the words for the read
	Snapshot []byte          `json:"-"`     // as gh.Snapshot.Encode writes it
}

// fact is the result of one read, or GitHub's reason to give none.
type fact struct {
	Value   json.RawMessage     `json:"value,omitempty"`
	Refused *gh.PermissionError `json:"refused,omitempty"`
	Missing *gh.NotFoundError   `json:"missing,omitempty"`
}

const factsVersion = 3

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

// once is the result of one read: it is kept for another job, or was kept by one.
func once[T any](r *factsReader, what string, read func() (T, error)) (value T, err error) {
	var f fact
	if r.Reader != nil {
		value, err = read()
		if isDenied := errors.As(err, &f.Refused) || errors.As(err, &f.Missing); err != nil && !isDenied {
			return value, err
		}
		var failed error
		f.Value, failed = json.Marshal(value)
		r.facts.Reads[what] = f
		return value, cmp.Or(err, failed)
	}
	f, isKept := r.facts.Reads[what]
	if !isKept {
		return value, &gh.PermissionError{What: what, Why: "it was not collected"}
	}
	err = json.Unmarshal(f.Value, &value)
	switch {
	case f.Refused != nil:
		return value, f.Refused
	case f.Missing != nil:
		return value, f.Missing
	}
	return value, err
}

func (r *factsReader) Pull(ctx context.Context, number int) (p gh.Pull, err error) {
	if r.Reader != nil {
		r.facts.Pull, err = r.Reader.Pull(ctx, number)
	} else if number != r.facts.Pull.Number {
		return p, fmt.Errorf("pull request #%d was not collected", number)
	}
	return r.facts.Pull, err
}

func (r *factsReader) Glance(context.Context, int, string, int) (gh.Glance, error) {
	p := r.facts.Pull
	return gh.Glance{State: p.State, HeadSHA: p.HeadSHA, BaseRef: p.BaseRef, BaseSHA: p.BaseSHA, Settings: p.Settings, Siblings: p.Siblings}, nil
}

func (r *factsReader) Permission(ctx context.Context, login string) (debate.Permission, bool, error) {
	may, err := once(r, "the rights of "+login, func() (may access, err error) {
		may.Permission, may.Bot, err = r.Reader.Permission(ctx, login)
		return may, err
	})
	return may.Permission, may.Bot, err
}

func (r *factsReader) Pushers(ctx context.Context, p gh.Pull) ([]gh.Account, error) {
	return once(r, "the pushers", func() ([]gh.Account, error) { return r.Reader.Pushers(ctx, p) })
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

func (r *factsReader) MergeBase(ctx context.Context, base, head string) (string, error) {
	return once(r, "the merge base", func() (string, error) { return r.Reader.MergeBase(ctx, base, head) })
}

func (r *factsReader) Files(ctx context.Context, sha string, paths []string) (files map[string][]byte, err error) {
	if r.Reader != nil {
		if files, err = r.Reader.Files(ctx, sha, paths); err != nil {
			return nil, err
		}
	}
	all := make(map[string][]byte)
	for _, path := range paths {
		if all[path], err = once(r, path+" of "+sha, func() ([]byte, error) { return files[path], nil }); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (r *factsReader) CheckRuns(ctx context.Context, sha string) ([]gh.CheckRun, error) {
	return once(r, "the check runs", func() ([]gh.CheckRun, error) { return r.Reader.CheckRuns(ctx, sha) })
}

func (r *factsReader) FailedRuns(ctx context.Context, list []gh.CheckRun, own string) ([]debate.Run, error) {
	return once(r, "the failed check runs", func() ([]debate.Run, error) { return r.Reader.FailedRuns(ctx, list, own) })
}

func (r *factsReader) Issues(ctx context.Context, label string, since time.Time) ([]gh.Issue, error) {
	return once(r, "the issues", func() ([]gh.Issue, error) { return r.Reader.Issues(ctx, label, since) })
}

func (r *factsReader) Issue(ctx context.Context, number int) (gh.Issue, error) {
	return once(r, fmt.Sprintf("issue #%d", number), func() (gh.Issue, error) { return r.Reader.Issue(ctx, number) })
}
