package bench

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/rogpeppe/go-internal/txtar"
)

// The names in the folder of a case.
const (
	caseName    = "case.yml"
	patchName   = "change.patch"
	archiveName = "repo.txtar"
)

const (
	maxCases     = 500
	maxFileBytes = 4 << 20
	maxRepoBytes = 64 << 20
)

// Change is the change of a case: a patch of some files, or a range of a repository.
type Change struct {
	Files      map[string][]byte // of the base, by their paths
	Patch      []byte
	Repository string // path of a repository, from the folder of the case; "" for a patch
	Range      string
}

// Load reads the cases of a folder, one in each subfolder with a case.yml, sorted by name.
// The errors name the file and include advice.
func Load(dir fs.FS) ([]Case, error) {
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil, err
	}
	var cases []Case
	for _, entry := range entries {
		data, err := read(dir, path.Join(entry.Name(), caseName), maxFileBytes)
		switch {
		case !entry.IsDir(), errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		c, err := parse(entry.Name(), data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path.Join(entry.Name(), caseName), err)
		}
		if err := c.Change.load(dir, entry.Name()); err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	switch {
	case len(cases) == 0:
		return nil, errors.New("there is no case: each needs a folder of its own with a " + caseName)
	case len(cases) > maxCases:
		return nil, fmt.Errorf("%d cases, at most %d are held in one run", len(cases), maxCases)
	}
	return cases, nil
}

// load reads the patch and the base of a case without a range.
func (c *Change) load(dir fs.FS, folder string) error {
	if c.Range != "" {
		return nil
	}
	var err error
	if c.Patch, err = read(dir, path.Join(folder, patchName), maxFileBytes); err != nil {
		return missing(err, folder+" has no "+patchName+": write one with git diff, or name a repository and a range in "+caseName)
	}
	c.Files, err = archived(dir, path.Join(folder, archiveName))
	return missing(err, folder+" has no "+archiveName+" with the files at the base: write one, or name a repository and a range in "+caseName)
}

// missing replaces the error of a missing file by advice.
func missing(err error, do string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New(do)
	}
	return err
}

// read reads a file of bounded size.
func read(dir fs.FS, name string, most int) ([]byte, error) {
	f, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if err == nil && len(data) > most {
		err = fmt.Errorf("%s is too large, at most %d MiB are allowed", name, most>>20)
	}
	return data, err
}

// archived are the files of an archive.
func archived(dir fs.FS, name string) (map[string][]byte, error) {
	data, err := read(dir, name, maxRepoBytes)
	if err != nil {
		return nil, err
	}
	list := make(map[string][]byte)
	for _, f := range txtar.Parse(data).Files {
		if _, twice := list[f.Name]; twice {
			return nil, fmt.Errorf("%s has %s twice", name, f.Name)
		}
		list[f.Name] = f.Data
	}
	return list, nil
}
