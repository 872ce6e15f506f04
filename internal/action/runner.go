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

// New returns the runner whose environment is getenv and whose log is out.
// Nothing else may write to the process's output: what does, bypasses Log.
func New(out io.Writer, getenv func(string) string) *Runner {
	w := &logWriter{out: out}
	return &Runner{
		getenv: getenv,
		lib:    githubactions.New(githubactions.WithWriter(commandWriter{w}), githubactions.WithGetenv(getenv)),
		log:    w,
	}
}

// guarded runs a call of the library, which panics where it cannot write, and
// returns the panic as an error.
func guarded(what string, call func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: %v", what, p)
		}
	}()
	call()
	return nil
}

// token is what ends a block in which the runner reads no commands. Nobody can
// guess it.
func token() string { return "debate-" + rand.Text() }
