package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model/process"
	"github.com/prdebate/debate/internal/redact"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/terminal"
	"github.com/prdebate/debate/internal/store"
)

type serveCmd struct {
	databaseFlag
	ServeFlags
}

// ServeFlags say how a server runs.
type ServeFlags struct {
	Listen      string        `default:":8080" placeholder:"ADDR" help:"Address for GitHub's deliveries, at /webhook (default: :8080)."`
	AdminListen string        `default:"127.0.0.1:8081" placeholder:"ADDR" help:"Address of the dashboard, the metrics and the health checks (default: 127.0.0.1:8081)."`
	Accounts    string        `placeholder:"FILE" help:"Accounts that may use models, their keys, and their limits for a month. Without it every account with the App may."`
	Workers     int           `default:"4" placeholder:"N" help:"Reviews at the same time (default: 4)."`
	Node        string        `placeholder:"NAME" help:"Name of this server if several share a database (default: the name of the machine)."`
	Setup       bool          `help:"Create a GitHub App in the browser of this machine, and end."`
	PublicURL   string        `name:"public-url" placeholder:"URL" help:"With --setup: the address at which GitHub reaches this server, such as https://debate.example.com/webhook."`
	Owner       string        `placeholder:"NAME" help:"With --setup: the organization that will own the App."`
	EnvFile     string        `placeholder:"FILE" help:"The settings written by --setup: NAME=VALUE lines, added to the environment."`
	Poll        bool          `help:"Fetch deliveries from GitHub, if GitHub cannot reach this server."`
	MigrateOnly bool          `help:"Update the database, and end."`
	Drain       time.Duration `default:"30s" placeholder:"TIME" help:"Time for running reviews to end when the server stops (default: 30s). The next start goes on with the others."`
	KeepDays    int           `default:"90" placeholder:"N" help:"Keep records and deliveries for this many days (default: 90)."`
	ProxyHeader string        `placeholder:"NAME" help:"Header of a reverse proxy with the name of the signed-in user, such as X-Forwarded-User. With it the dashboard can be reached from elsewhere, through that proxy only."`
	ProxyFrom   []string      `placeholder:"CIDR" help:"Addresses of that proxy, such as 10.0.0.5/32."`
	Log         string        `enum:"text,json" default:"text" help:"Write the log as text or json."`
}

// Help shows how the command is used.
func (c *serveCmd) Help() string {
	return `Examples:
  debate serve --setup --public-url https://debate.example.com/webhook
  debate serve --env-file app.env
  debate serve --env-file app.env --poll     behind a firewall`
}

// Run serves until it is told to stop.
func (c *serveCmd) Run(r *run) error {
	if r.Server == nil {
		return r.handOver()
	}
	if c.Setup {
		return r.Server.Setup(r, c.ServeFlags)
	}
	if err := r.withFile(c.EnvFile); err != nil {
		return err
	}
	if !c.MigrateOnly {
		if _, err := r.operatorConfig(); err != nil { // else every review would fail because of it
			return err
		}
	}
	return r.Server.Serve(r, c.ServeFlags, r.databaseAt(c.Database))
}

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
