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

// Server is the server of a GitHub App and its database. The program debate has none, so
// that it is built without databases and tracing; debate-server has one.
type Server interface {
	// Setup makes a GitHub App.
	Setup(r *Run, flags ServeFlags) error
	// Serve serves it until the context of the run ends.
	Serve(r *Run, flags ServeFlags, database string) error
	// Record reads a review that the database keeps.
	Record(r *Run, database, id string) (store.Record, error)
	// Backup copies the database to a file, and says from where.
	Backup(r *Run, database, file string) (from string, err error)
	// Move copies everything to another database, and says what it did.
	Move(r *Run, from, to string) (said string, err error)
}

// serverProgram is the program that has a Server.
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

// noServer says that there is no debate-server here, and how to get it.
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

// Progress says on standard error what happens, unless it is not wanted.
func (r *run) Progress(format string, args ...any) { r.progress(format, args...) }

// Hiding takes out of texts what no log and no page of a server may show: what the environment
// holds by its names, what these variables hold, and more of its own.
func Hiding(e Env, variables []string, more ...string) *redact.Redactor {
	return hiding(append(ownSecrets(e.Environ(), variables), more...))
}

// Usage marks an error as one of the caller.
func Usage(err error) error { return usage(err) }

// CallName says in words what a model is asked for.
func CallName(kind debate.CallKind) string { return callNames[kind] }

// Page is the page of a review that ended.
func Page(rec store.Record, state debate.State) ([]byte, error) {
	return render(withCode(report.FromState(state), state, rec.Entries), "html", terminal.Options{})
}

// Web is where the pages of GitHub are.
func Web(getenv func(string) string) string {
	return "https://" + cmp.Or((finder{getenv: getenv}).server(), publicHost)
}
