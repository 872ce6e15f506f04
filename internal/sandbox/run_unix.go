//go:build unix

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// started is the command of a box for a job.
type started struct {
	argv  []string
	env   []string
	files []*os.File          // from number 3 on
	as    *syscall.Credential // nil: as this process
}

// run runs a command within the limits of its job, and kills its group with it.
func run(ctx context.Context, c started, job Job) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, job.Time)
	defer cancel()
	out := &tail{most: max(2048, job.Output/2)}
	cmd := exec.CommandContext(ctx, c.argv[0], c.argv[1:]...)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = c.env, "/", out, out
	cmd.ExtraFiles = c.files
	cmd.Stdin = strings.NewReader(job.Word + "\n")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: c.as}
	kill := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Cancel, cmd.WaitDelay = kill, 2*time.Second
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return Result{}, fmt.Errorf("start the sandbox: %w", err)
	}
	watched := watch(cmd.Process.Pid, job.Limits, kill)
	err := cmd.Wait()
	_ = kill() // processes that the command left running
	r := Result{Stop: watched(), Took: time.Since(began)}
	r.Output, r.Marks, r.Ended = ended(out.bytes(), job.Word)
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		r.Stop = StopTime
	case ctx.Err() != nil:
		return r, ctx.Err()
	case errors.As(err, &exit), errors.Is(err, exec.ErrWaitDelay), err == nil:
	default:
		return r, fmt.Errorf("wait for the sandbox: %w", err)
	}
	r.Exit = cmd.ProcessState.ExitCode()
	return r, nil
}

// arguments are the arguments of the shell for a job.
func arguments(job Job) []string {
	return append([]string{"-c", script, "sh", strconv.Itoa(job.Processes)}, job.Argv...)
}

// lay writes the files of a job below a new directory.
func (job Job) lay(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for name, content := range job.Files {
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := root.WriteFile(name, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}
