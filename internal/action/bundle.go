package action

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/prdebate/debate/internal/event"
)

// Stage is a part of a run that can be a job of its own: a reader without model keys, a
// debate without a token of GitHub, tests without any secret, and a publisher that trusts
// only facts that it can check.
type Stage string

// The stages, in their order.
const (
	Collect Stage = "collect"
	Debate  Stage = "debate"
	Test    Stage = "test" // only if a debate waits for tests; the debate continues afterwards
	Publish Stage = "publish"
)

const (
	bundleVersion = 3
	bundleName    = "bundle.json"
	maxBundle     = 96 << 20 // bytes of the file
)

// Bundle passes one stage's result to the next as an artifact. Jobs of any author's change
// may have made it: a reader gets a claim and bytes to check, and no proof. Only the stages know
// the content of its parts.
type Bundle struct {
	Version    int    `json:"schema_version"`
	Stage      Stage  `json:"stage"`        // the writer
	Repository string `json:"repository"`   // owner/name
	Number     int    `json:"pull_request"` // 0 for none
	HeadSHA    string `json:"head"`

	Facts    []byte `json:"facts,omitempty"`    // collect: the pull request with the comments of people
	Snapshot []byte `json:"snapshot,omitempty"` // collect: the change at fixed commits
	Record   []byte `json:"record,omitempty"`   // debate: the log of the session
	Replies  []byte `json:"replies,omitempty"`  // debate: the replies of the models, as a tape
	Results  []byte `json:"results,omitempty"`  // test: how the tests ended
}

// WriteBundle writes b into the directory of its stage under dir, and makes the directory
// if it is missing.
func WriteBundle(dir string, b Bundle) error {
	b.Version = bundleVersion
	data, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	if len(data) > maxBundle {
		return fmt.Errorf("write the bundle: it is too large: %d bytes, and at most %d are read", len(data), maxBundle)
	}
	path := filepath.Join(dir, string(b.Stage), bundleName)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, data, 0o600)); err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	return nil
}

// ReadBundle reads the bundle of a stage for repository under dir. It opens only that file, never
// through a link or outside the directory. Without a bundle the error is fs.ErrNotExist.
func ReadBundle(dir string, stage Stage, repository string) (Bundle, error) {
	b, err := readBundle(filepath.Join(dir, string(stage)))
	switch {
	case err != nil:
	case b.Version != bundleVersion:
		err = fmt.Errorf("its version is %d, not %d", b.Version, bundleVersion)
	case b.Stage != stage:
		err = fmt.Errorf("the stage %q wrote it, not %s", b.Stage, stage)
	case b.Repository != repository:
		err = fmt.Errorf("it is of repository %q, not %s", b.Repository, repository)
	case b.Number != 0 && !event.IsNumber(b.Number):
		err = errors.New("it names no pull request")
	case b.HeadSHA != "" && !event.IsCommit(b.HeadSHA):
		err = errors.New("it names no commit")
	}
	if err != nil {
		return Bundle{}, fmt.Errorf("read the bundle: %w", err)
	}
	return b, nil
}

func readBundle(dir string) (b Bundle, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return b, err
	}
	defer root.Close()
	info, err := root.Lstat(bundleName)
	switch {
	case err != nil:
		return b, err
	case !info.Mode().IsRegular():
		return b, fmt.Errorf("%s is no regular file", bundleName)
	case info.Size() > maxBundle:
		return b, fmt.Errorf("%s has more than %d bytes", bundleName, maxBundle)
	}
	data, err := root.ReadFile(bundleName)
	if err != nil {
		return b, err
	}
	return b, json.Unmarshal(data, &b)
}
