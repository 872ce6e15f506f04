package action

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

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

// MaxBundleFile bounds one file of a bundle, in bytes.
const MaxBundleFile = 64 << 20

const (
	bundleVersion  = 1
	manifestName   = "bundle.json"
	maxManifest    = 64 << 10
	maxBundleTotal = 128 << 20 // bytes of all files
)

// The files of a bundle. Only the stages know their content.
const (
	FactsFile    = "facts.json"    // collect: the pull request with the comments of people
	SnapshotFile = "snapshot.json" // collect: the change at fixed commits
	RecordFile   = "record.jsonl"  // debate: the log of the session
	RepliesFile  = "replies.jsonl" // debate: the replies of the models, as a tape
	ReportFile   = "report.html"   // debate: for people
	ResultsFile  = "results.json"  // test: how the tests ended
)

func bundleFiles() []string {
	return []string{FactsFile, SnapshotFile, RecordFile, RepliesFile, ReportFile, ResultsFile}
}

// Bundle passes one stage's result to the next as an artifact. Jobs of any author's change
// may have made it: a reader gets a claim and bytes to check, and no proof.
type Bundle struct {
	Stage      Stage  // the writer
	Repository string // owner/name
	Number     int    // of the pull request
	HeadSHA    string
	Session    string
	Files      map[string][]byte // by one of the names above
}

// manifest is the file bundle.json.
type manifest struct {
	Version    int         `json:"schema_version"`
	Stage      Stage       `json:"stage"`
	Repository string      `json:"repository"`
	Number     int         `json:"pull_request"`
	HeadSHA    string      `json:"head"`
	Session    string      `json:"session"`
	Files      []fileEntry `json:"files"`
}

// fileEntry detects an accidental change of a file. An attacker would change the entry too.
type fileEntry struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
}

// entryOf is the entry of a file.
func entryOf(name string, data []byte) fileEntry {
	sum := sha256.Sum256(data)
	return fileEntry{Name: name, Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:])}
}

// WriteBundle writes b into the directory of its stage under dir, and makes the directory
// if it is missing. The manifest comes last: a directory without it is no bundle.
func WriteBundle(dir string, b Bundle) error {
	dir = filepath.Join(dir, string(b.Stage))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the directory of the bundle: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open the directory of the bundle: %w", err)
	}
	defer root.Close()
	m := manifest{Version: bundleVersion, Stage: b.Stage, Repository: b.Repository, Number: b.Number, HeadSHA: b.HeadSHA, Session: b.Session}
	known, total := bundleFiles(), 0
	for name := range b.Files {
		if !slices.Contains(known, name) {
			return fmt.Errorf("write the bundle: no stage reads a file %q", name)
		}
	}
	for _, name := range known {
		data, there := b.Files[name]
		if !there {
			continue
		}
		if total += len(data); len(data) > MaxBundleFile || total > maxBundleTotal {
			return fmt.Errorf("write the bundle: it is too large at %s", name)
		}
		if err := root.WriteFile(name, data, 0o600); err != nil {
			return fmt.Errorf("write the bundle: %w", err)
		}
		m.Files = append(m.Files, entryOf(name, data))
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	if err := root.WriteFile(manifestName, append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	return nil
}

// ReadBundle reads the bundle of a stage for repository under dir. It opens only files with
// known names, never through a link or outside the directory; each is bounded and must
// match the manifest. Without a bundle the error is fs.ErrNotExist.
func ReadBundle(dir string, stage Stage, repository string) (Bundle, error) {
	root, err := os.OpenRoot(filepath.Join(dir, string(stage)))
	if err != nil {
		return Bundle{}, fmt.Errorf("open the directory of the bundle: %w", err)
	}
	defer root.Close()
	data, err := readRegular(root, manifestName, maxManifest)
	if err != nil {
		return Bundle{}, fmt.Errorf("read the bundle: %w", err)
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return Bundle{}, fmt.Errorf("read the bundle's manifest: %w", err)
	}
	if err := m.check(stage, repository); err != nil {
		return Bundle{}, fmt.Errorf("read the bundle's manifest: %w", err)
	}
	b := Bundle{Stage: m.Stage, Repository: m.Repository, Number: m.Number, HeadSHA: m.HeadSHA, Session: m.Session, Files: make(map[string][]byte)}
	for _, name := range bundleFiles() {
		i := slices.IndexFunc(m.Files, func(f fileEntry) bool { return f.Name == name })
		if i < 0 {
			continue
		}
		data, err := readRegular(root, name, m.Files[i].Size)
		if err != nil {
			return Bundle{}, fmt.Errorf("read the bundle: %w", err)
		}
		if entryOf(name, data) != m.Files[i] {
			return Bundle{}, fmt.Errorf("read the bundle: %s is not the file that its manifest names", name)
		}
		b.Files[name] = data
	}
	return b, nil
}

func (m manifest) check(stage Stage, repository string) error {
	switch {
	case m.Version != bundleVersion:
		return fmt.Errorf("its version is %d, not %d", m.Version, bundleVersion)
	case m.Stage != stage:
		return fmt.Errorf("the stage %q wrote it, not %s", m.Stage, stage)
	case m.Repository != repository:
		return fmt.Errorf("it is of repository %q, not %s", m.Repository, repository)
	case m.Number != 0 && !event.IsNumber(m.Number):
		return errors.New("it names no pull request")
	case m.HeadSHA != "" && !event.IsCommit(m.HeadSHA):
		return errors.New("it names no commit")
	case len(m.Session) > 100, !oneLine(m.Session):
		return errors.New("it names no session")
	}
	return checkFiles(m.Files)
}

// checkFiles refuses a list with an unknown file, a file twice, or too many bytes.
func checkFiles(files []fileEntry) error {
	left, total := bundleFiles(), int64(0)
	if len(files) > len(left) {
		return errors.New("it lists too many files")
	}
	for _, f := range files {
		i := slices.Index(left, f.Name)
		if i < 0 {
			return fmt.Errorf("it lists a file %q", f.Name)
		}
		left = slices.Delete(left, i, i+1)
		if f.Size < 0 || f.Size > MaxBundleFile {
			return fmt.Errorf("%s has %d bytes", f.Name, f.Size)
		}
		total += f.Size
	}
	if total > maxBundleTotal {
		return fmt.Errorf("its files have %d bytes", total)
	}
	return nil
}

// readRegular reads the regular file name of at most limit bytes.
func readRegular(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s has more than %d bytes", name, limit)
	}
	return data, nil
}
