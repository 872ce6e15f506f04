package action

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/sethvargo/go-githubactions"

	"github.com/prdebate/debate/internal/event"
)

// Runner is the GitHub runner around this process: its environment, its command
// files and its log.
type Runner struct {
	getenv func(string) string
	lib    *githubactions.Action
	log    *logWriter
}

// New returns the runner with the environment getenv and the log out. Nothing else may
// write to the process's output: it would bypass Log.
func New(out io.Writer, getenv func(string) string) *Runner {
	w := &logWriter{out: out}
	return &Runner{
		getenv: getenv,
		lib:    githubactions.New(githubactions.WithWriter(commandWriter{w}), githubactions.WithGetenv(getenv)),
		log:    w,
	}
}

// guarded calls the library, which panics if it cannot write, and returns the panic as an
// error.
func guarded(what string, call func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: %v", what, p)
		}
	}()
	call()
	return nil
}

// token returns a random end for a block without commands.
func token() string { return "debate-" + rand.Text() }

// Event reads the event of the job. It fails with *Ignored for an event that asks for
// nothing. Dispatched is the pull request in the input of a workflow_dispatch, 0 for none;
// a dispatch without one is a sweep.
func (r *Runner) Event(dispatched int) (event.Trigger, error) {
	name := r.getenv("GITHUB_EVENT_NAME")
	path := r.getenv("GITHUB_EVENT_PATH")
	if name == "" || path == "" {
		return event.Trigger{}, errors.New("GITHUB_EVENT_NAME and GITHUB_EVENT_PATH are not set: this is not a job of GitHub Actions")
	}
	f, err := os.Open(path)
	if err != nil {
		return event.Trigger{}, fmt.Errorf("open the event: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, event.MaxBytes+1))
	if err != nil {
		return event.Trigger{}, fmt.Errorf("read the event: %w", err)
	}
	if len(data) > event.MaxBytes {
		return event.Trigger{}, fmt.Errorf("the event is larger than %d bytes", event.MaxBytes)
	}
	return event.Read(name, data, r.getenv("GITHUB_REPOSITORY"), dispatched)
}
