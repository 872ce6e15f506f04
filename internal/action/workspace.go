package action

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// workspacePath is the path of a file for later steps, relative to the workspace and never
// outside it.
func (in *inputs) workspacePath(name string) string {
	s := in.text(name, maxPath)
	if s == "" {
		return ""
	}
	home := in.r.getenv("GITHUB_WORKSPACE")
	if !filepath.IsAbs(home) {
		in.wrong(name, "GITHUB_WORKSPACE names no directory that it could be in")
		return ""
	}
	file := s
	if filepath.IsAbs(s) {
		file, _ = filepath.Rel(home, s) // "" on another volume
	}
	isDirectory := os.IsPathSeparator(s[len(s)-1]) || filepath.Clean(file) == "."
	if isDirectory || !filepath.IsLocal(file) || !oneLine(s) {
		in.wrong(name, "%q is no path of a file in the workspace, such as debate.sarif", s)
		return ""
	}
	return filepath.Clean(file)
}

// WriteWorkspace writes a file of the workspace with its directories, and returns its path.
// It replaces an existing file whole. The checkout may have links anywhere on the path: it
// follows none, even inside the workspace.
func (r *Runner) WriteWorkspace(name string, data []byte) (path string, err error) {
	home := r.getenv("GITHUB_WORKSPACE")
	root, err := os.OpenRoot(home)
	if err != nil {
		return "", fmt.Errorf("open the workspace: %w", err)
	}
	defer root.Close()
	if err := plainWay(root, name); err != nil {
		return "", err
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return "", err
	}
	partial := filepath.Join(filepath.Dir(name), "."+token())
	if err := root.WriteFile(partial, data, 0o644); err != nil {
		return "", errors.Join(err, root.RemoveAll(partial))
	}
	if err := root.Rename(partial, name); err != nil {
		return "", errors.Join(err, root.Remove(partial))
	}
	return filepath.Join(home, name), nil
}

// plainWay fails unless the existing parts of a path are directories, and the last one a
// regular file.
func plainWay(root *os.Root, name string) error {
	parts := strings.Split(filepath.ToSlash(name), "/")
	for i := range parts {
		at := filepath.Join(parts[:i+1]...)
		info, err := root.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case i == len(parts)-1 && !info.Mode().IsRegular():
			return fmt.Errorf("%s is there and no regular file", at)
		case i < len(parts)-1 && !info.IsDir():
			return fmt.Errorf("%s is there and no directory", at)
		}
	}
	return nil
}
