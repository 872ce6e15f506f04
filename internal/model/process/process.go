// Package process runs a command of the operator for one call: started without a
// shell, with a few variables of the environment, in a process group that is
// killed when the call ends, however it ends, and with bounded output.
// There are no process groups on systems other than Unix; there only the
// command itself is killed.
package process

import (
	"bytes"
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

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// killDelay is how long the output of a command is waited for after it has
// ended or was killed: a process that left its group may hold it open.
const killDelay = time.Second

// Command is what is run.
type Command struct {
	Path  string   // absolute
	Args  []string // without the program
	Dir   string
	Env   []string // all that it gets
	Input []byte   // its standard input; it need not read it
	Most  int      // bytes that it may write to standard output
	Notes int      // bytes that are kept of the end of its standard error; 0: 4096
	Keys  []string // values that are taken out of everything that is shown of it
}

// Result is what a command that ended by itself has left.
type Result struct {
	Stdout string // as it was written, keys included
	Stderr string // its last lines, without keys
	Exit   string // how it failed, such as "exit status 3"; "" if it did not
}

// Run runs a command until it ends or ctx does, and kills what is left of it. A
// command that ends with a failure is no error. Errors are *model.Error: of class
// debate.CallTimeout when its time ran out, debate.CallMalformed when it wrote
// too much, debate.CallNotFound when it cannot be started.
func Run(ctx context.Context, c Command) (Result, error) {
	conceal()
	limited, kill := context.WithCancel(ctx)
	defer kill()
	stdout := &capped{limit: c.Most, full: kill}
	stderr := &tail{limit: c.Notes}
	if stderr.limit <= 0 {
		stderr.limit = notesLimit
	}
	cmd := osexec.CommandContext(limited, c.Path, c.Args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(c.Input), stdout, stderr
	cmd.WaitDelay = killDelay
	ownGroup(cmd)
	err := cmd.Run()
	killGroup(cmd) // what the command left behind
	result := Result{Stdout: stdout.buf.String(), Stderr: Redact(stderr.text(), c.Keys)}
	var exit *osexec.ExitError
	switch {
	case stdout.overflow:
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

// unstarted says why a program could not be started.
func unstarted(path string, err error) *model.Error {
	var failed *fs.PathError
	if errors.As(err, &failed) { // what the system calls it
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

// Failure is the failure of a command that ended with one, with the last line
// that it wrote to standard error.
func (r Result) Failure() *model.Error {
	detail := "the command ended with " + r.Exit
	lines := strings.Split(strings.TrimSpace(r.Stderr), "\n")
	if words := Line(lines[len(lines)-1]); words != "" {
		detail += ": " + words
	}
	return &model.Error{Class: debate.CallError, Detail: detail}
}

// Resolve finds a program: an absolute path, or a name on the PATH of this
// process. A relative path is refused, since it would mean whatever lies in the
// directory that happens to be reviewed. The error is a *model.Error of class
// debate.CallNotFound.
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
