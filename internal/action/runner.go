package action

import (
	"crypto/rand"
	"fmt"
	"io"

	"github.com/sethvargo/go-githubactions"
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
