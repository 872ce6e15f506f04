//go:build unix

package sandbox

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// unprivileged is the user of commands if this process is root: a command must never be root.
const unprivileged = 65534

func uid() int {
	if os.Geteuid() == 0 {
		return unprivileged
	}
	return os.Geteuid()
}

func gid() int {
	if os.Geteuid() == 0 {
		return unprivileged
	}
	return os.Getegid()
}

// own gives a directory of root to the user for commands.
func own(dir string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, unprivileged, unprivileged)
	})
}

// writeFiles makes a directory with the files of a job and a list of users.
func writeFiles(job Job) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "debate-run-"); err != nil {
		return "", err
	}
	files := filepath.Join(dir, "files")
	users := "debate:x:" + strconv.Itoa(uid()) + ":" + strconv.Itoa(gid()) + "::/home/debate:/bin/sh\n"
	for _, step := range []func() error{
		func() error { return os.Mkdir(files, 0o755) },
		func() error { return job.lay(files) },
		func() error { return os.WriteFile(filepath.Join(dir, "passwd"), []byte(users), 0o644) },
		func() error { return own(dir) },
	} {
		if err := step(); err != nil {
			return "", errors.Join(err, os.RemoveAll(dir))
		}
	}
	return dir, nil
}

// try runs an empty command.
func try(ctx context.Context, b Box) error {
	dir, err := os.MkdirTemp("", "debate-try-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := b.Own(dir); err != nil {
		return err
	}
	r, err := b.Run(ctx, Job{
		Tree: dir, Home: dir, Argv: []string{"true"}, Word: "works",
		Limits: Limits{Time: time.Minute, Memory: 64 << 20, Processes: 64, Output: 2048},
	})
	if err == nil && (!r.Ended || r.Exit != 0) {
		err = errors.New(cmp.Or(strings.TrimSpace(string(r.Output)), "the trial run was stopped, by the limit of "+string(r.Stop)))
	}
	return err
}
