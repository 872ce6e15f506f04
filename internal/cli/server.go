package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model/process"
	"github.com/prdebate/debate/internal/redact"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/terminal"
	"github.com/prdebate/debate/internal/store"
)

// Server is the server of a GitHub App and its database. The program debate has none, so it
// builds without databases and tracing; debate-server has one.
type Server interface {
	// Setup makes a GitHub App.
	Setup(r *Run, flags ServeFlags) error
	// Serve serves it until the context of the run ends.
	Serve(r *Run, flags ServeFlags, database string) error
	// Record reads a review from the database.
	Record(r *Run, database, id string) (store.Record, error)
	// Backup copies the database to a file and returns its source for people.
	Backup(r *Run, database, file string) (from string, err error)
	// Move copies everything to another database and returns a report.
	Move(r *Run, from, to string) (said string, err error)
}

// serverProgram is the program with a Server.
const serverProgram = "debate-server"

// handOver runs the same command line by debate-server: the one in the directory of this
// program, else the one on PATH.
func (r *run) handOver() error {
	path, err := findServer()
	if err != nil {
		return fmt.Errorf("this needs the program %s, and %s", serverProgram, noServer())
	}
	return runInstead(path, append([]string{path}, r.args...), r.Environ())
}

// noServer explains how to get debate-server.
func noServer() string {
	version, _, _ := strings.Cut(Version(), "+")
	if !strings.HasPrefix(version, "v") {
		version = cmp.Or(revision(), "latest")
	}
	return fmt.Sprintf("there is none in the directory of this program or on PATH: run go install github.com/%s/%s/cmd/%s@%s, or take it from the release; the image has it",
		ownOwner, ownName, serverProgram, version)
}

func findServer() (string, error) {
	if self, err := os.Executable(); err == nil {
		if path, err := process.Resolve(filepath.Join(filepath.Dir(self), serverProgram)); err == nil {
			return path, nil
		}
	}
	return process.Resolve(serverProgram)
}

// Run is one run of the program, for its Server.
type Run = run

// Context ends when the run is interrupted.
func (r *run) Context() context.Context { return r.ctx }

// Progress prints a line on standard error, unless the run is quiet.
func (r *run) Progress(format string, args ...any) { r.progress(format, args...) }

// Hiding removes secrets from the logs and pages of a server: those of the environment, of
// these variables, and more.
func Hiding(e Env, variables []string, more ...string) *redact.Redactor {
	return hiding(append(ownSecrets(e.Environ(), variables), more...))
}

// Usage marks an error as one of the caller.
func Usage(err error) error { return usage(err) }

// CallName returns a call's name for people.
func CallName(kind debate.CallKind) string { return callNames[kind] }

// Page returns the HTML page of an ended review.
func Page(rec store.Record, state debate.State) ([]byte, error) {
	return render(withCode(report.FromState(state), state, rec.Entries), "html", terminal.Options{})
}

// Web returns the address of GitHub's pages.
func Web(getenv func(string) string) string {
	return "https://" + cmp.Or((finder{getenv: getenv}).server(), publicHost)
}
