// Package process runs a command of the operator for one call: without a shell, with a few
// variables of the environment, with bounded output, and in a process group that is killed
// at the end of the call. Systems other than Unix have no process groups; only the command
// itself is killed there.
package process

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/prdebate/debate/internal/child"
	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

const (
	notesLimit = 4 << 10 // bytes kept of standard error
	shownLimit = 300     // characters shown of it
)

// killDelay bounds the wait for the output of an ended command: a process that left its group
// may hold it open.
const killDelay = time.Second

// Command is a command to run.
type Command struct {
	Path  string   // absolute
	Args  []string // without the program
	Dir   string
	Env   []string // the whole environment
	Input []byte   // its standard input; it need not read it
	Most  int      // bytes of standard output
	Notes int      // bytes to keep of the end of standard error; 0: 4096
	Keys  []string // values to remove from all shown texts
}

// Result is the output of a command.
type Result struct {
	Stdout string // as it was written, keys included
	Stderr string // "exit status 3", for example; "" for success
	Exit   string // how it failed, such as "exit status 3"; "" if it did not
}

// Run runs a command until it ends or ctx does, and kills all its remaining processes. A command
// that fails is no error. Errors are *model.Error: of class debate.CallTimeout if its time
// ran out, debate.CallMalformed if it wrote too much, debate.CallNotFound if it cannot
// start.
func Run(ctx context.Context, c Command) (Result, error) {
	conceal()
	cmd := osexec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.Dir, c.Env, bytes.NewReader(c.Input)
	cmd.WaitDelay = killDelay
	out, err := child.Run(cmd, int64(c.Most), cmp.Or(c.Notes, notesLimit))
	child.KillGroup(cmd) // the remaining processes of the command
	notes := string(out.Stderr)
	if out.Cut { // the first line may begin inside a key
		_, notes, _ = strings.Cut(notes, "\n")
	}
	result := Result{Stdout: string(out.Stdout), Stderr: model.Redactor(c.Keys...).Replace(notes)}
	var exit *osexec.ExitError
	switch {
	case out.TooMuch:
		return Result{}, &model.Error{Class: debate.CallMalformed, Detail: fmt.Sprintf("the command wrote more than %d bytes", c.Most)}
	case err == nil, errors.Is(err, osexec.ErrWaitDelay) && ctx.Err() == nil:
		return result, nil
	case ctx.Err() != nil:
		return Result{}, model.Classify(ctx.Err())
	case errors.As(err, &exit):
		result.Exit = exit.String()
		return result, nil
	}
	return Result{}, unstarted(c.Path, err)
}

// unstarted returns the reason why a program could not start.
func unstarted(path string, err error) *model.Error {
	var failed *fs.PathError
	if errors.As(err, &failed) { // in the system's words
		err = failed.Err
	}
	hint := ""
	if _, statErr := os.Stat(path); errors.Is(err, syscall.ENOEXEC) || errors.Is(err, fs.ErrNotExist) && statErr == nil {
		hint = "; the first line of a script has to name a program that is there, such as #!/bin/sh"
	}
	why := fmt.Errorf("%q cannot be run: %w%s", path, err, hint)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return missing(why)
	}
	return &model.Error{Class: debate.CallError, Detail: Line(why.Error())}
}

// Failure returns the failure of a command, with the last line of its standard error.
func (r Result) Failure() *model.Error {
	detail := "the command ended with " + r.Exit
	lines := strings.Split(strings.TrimSpace(r.Stderr), "\n")
	if words := Line(lines[len(lines)-1]); words != "" {
		detail += ": " + words
	}
	return &model.Error{Class: debate.CallError, Detail: detail}
}

// Resolve returns the path of a program: it takes an absolute path, or a name on the PATH of
// this process. It refuses a relative path, which could mean a file of the reviewed directory.
// The error is a *model.Error of class debate.CallNotFound.
func Resolve(program string) (path string, err error) {
	if filepath.Base(program) != program && !filepath.IsAbs(program) {
		return "", missing(fmt.Errorf("%q is a relative path: give an absolute one, or a name that is on PATH", program))
	}
	path, err = osexec.LookPath(program)
	switch {
	case errors.Is(err, osexec.ErrNotFound):
		return "", missing(fmt.Errorf("there is no program %q on PATH", program))
	case errors.Is(err, osexec.ErrDot):
		return "", missing(fmt.Errorf("%q is found only by a relative entry of PATH, which is not followed", program))
	case err != nil:
		var failed *osexec.Error
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return "", missing(fmt.Errorf("%q cannot be run: %w", program, err))
	}
	return path, nil
}

func missing(why error) *model.Error {
	return &model.Error{Class: debate.CallNotFound, Detail: Line(why.Error())}
}

// Line clips text of a command for a message.
func Line(s string) string { return comment.Clip(comment.Line(strings.TrimSpace(s)), shownLimit) }
