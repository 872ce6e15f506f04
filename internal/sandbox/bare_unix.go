//go:build unix

package sandbox

import (
	"context"
	"os"
	"path/filepath"
)

// bare runs commands like any other process.
type bare struct{}

// WithoutSandbox returns a box without protection.
func WithoutSandbox() (Box, error) { return bare{}, nil }

// Name implements Box.
func (bare) Name() string { return unsafe }

// Kind implements Box.
func (bare) Kind() string { return "no sandbox" }

// Own implements Box.
func (bare) Own(string) error { return nil }

// Run implements Box.
func (bare) Run(ctx context.Context, job Job) (Result, error) {
	root, err := os.MkdirTemp("", "debate-run-")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(root)
	files := filepath.Join(root, "files")
	for _, dir := range []string{files, filepath.Join(root, "tmp"), filepath.Join(root, filepath.Dir(home))} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return Result{}, err
		}
	}
	if err := job.lay(files); err != nil {
		return Result{}, err
	}
	if err := os.Symlink(job.Home, filepath.Join(root, home)); err != nil {
		return Result{}, err
	}
	env := append(environment(root, os.Getenv("PATH"), job.KeepHome), "ROOT="+root, "FILES="+files)
	if job.KeepHome {
		env = append(env, "KEEP=home")
	}
	if job.KeepTree {
		err = os.Symlink(job.Tree, filepath.Join(root, work))
	} else {
		err = os.Mkdir(filepath.Join(root, work), 0o755)
		env = append(env, "TREE="+job.Tree)
	}
	if err != nil {
		return Result{}, err
	}
	return run(ctx, started{argv: append([]string{"/bin/sh"}, arguments(job)...), env: env}, job)
}
