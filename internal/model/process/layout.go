package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"

	"github.com/prdebate/debate/internal/model"
)

// LayOut writes files into the directory repo below a directory, for a command that may
// read them. All are regular read-only files: no link, no program. It leaves out a file if
// its name differs from another one only in case.
func LayOut(dir string, files []model.File) error {
	if len(files) == 0 {
		return nil
	}
	if err := os.Mkdir(filepath.Join(dir, "repo"), 0o700); err != nil {
		return fmt.Errorf("lay out files: %w", err)
	}
	root, err := os.OpenRoot(filepath.Join(dir, "repo"))
	if err != nil {
		return fmt.Errorf("lay out files: %w", err)
	}
	defer root.Close()
	for _, f := range files {
		if err := layOut(root, f); err != nil {
			return fmt.Errorf("lay out %s: %w", Line(f.Path), err)
		}
	}
	return nil
}

func layOut(root *os.Root, f model.File) error {
	name := filepath.FromSlash(f.Path)
	if !filepath.IsLocal(name) {
		return nil
	}
	if dir := path.Dir(f.Path); dir != "." {
		if err := root.MkdirAll(filepath.FromSlash(dir), 0o700); err != nil {
			return unlessTaken(err)
		}
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o400)
	if err != nil {
		return unlessTaken(err)
	}
	_, err = file.WriteString(f.Text)
	return errors.Join(err, file.Close())
}

// unlessTaken returns an error, except for a name that another file has.
func unlessTaken(err error) error {
	if errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return err
}
