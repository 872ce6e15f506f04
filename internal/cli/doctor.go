package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/critic"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/lists"
	prove "github.com/prdebate/debate/internal/proof"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/terminal"
)

type doctorCmd struct {
	Config  string `placeholder:"FILE" help:"Use these settings instead of the repository's, as review --config does."`
	Online  bool   `help:"Ask each model for one word, each program for its version, and GitHub about the App. Without this nothing is sent."`
	EnvFile string `placeholder:"FILE" help:"A server's settings, written by serve --setup: NAME=VALUE lines, added to the environment."`
}

// Help shows how the command is used.
func (c *doctorCmd) Help() string {
	return `Examples:
  debate doctor                              nothing is sent
  debate doctor --online                     each model answers one word
  debate doctor --online --env-file app.env  a server and its GitHub App`
}

// diagnosis is the doctor's result: lines for people, and whether something is broken
// rather than absent.
type diagnosis struct {
	width  int // of a line, 0 for any
	lines  []string
	broken bool
}

func (d *diagnosis) ok(what, format string, args ...any)      { d.add("ok", what, format, args...) }
func (d *diagnosis) missing(what, format string, args ...any) { d.add("--", what, format, args...) }
func (d *diagnosis) fault(what, format string, args ...any) {
	d.broken = true
	d.add("!!", what, format, args...)
}

func (d *diagnosis) add(mark, what, format string, args ...any) {
	d.line(fmt.Sprintf("%s  %-14s ", mark, what), fmt.Sprintf(format, args...))
}

// line adds a text after a label. On a terminal it is broken at the width.
func (d *diagnosis) line(label, text string) {
	if d.width > 0 {
		label, text = "", strings.TrimSuffix(terminal.Paragraph(d.width, label, text), "\n")
	}
	d.lines = append(d.lines, label+text)
}

// Run reports what is configured, reachable and missing. It connects to the network only
// with --online.
func (c *doctorCmd) Run(r *run) error {
	if err := r.withFile(c.EnvFile); err != nil {
		return err
	}
	d := &diagnosis{}
	d.width, _ = r.Width(r.Stdout)
	d.ok("version", "debate %s", Version())
	repo, err := gitrepo.Open(r.ctx, r.Dir)
	switch {
	case err != nil && r.IsApp():
		d.missing("repository", "none here, and a server needs none")
	case err != nil:
		d.fault("repository", "%v", err)
	case repo.Top() != "":
		d.ok("git", "%s", repo.GitVersion())
		d.ok("repository", "%s", repo.Top())
	default:
		d.ok("git", "%s", repo.GitVersion())
		d.ok("repository", "bare, at %s: --commit, --range and --base work here", r.Dir)
	}
	e := d.settings(r, c.Config)
	dir := r.stateDir()
	records, err := os.ReadDir(dir)
	switch {
	case dir == "":
		d.missing("records", "there is no home directory, so each goes to a new directory in %s", os.TempDir())
	case errors.Is(err, fs.ErrNotExist):
		d.ok("records", "none yet; they go to %s", dir)
	case err != nil:
		d.fault("records", "cannot read %s: %v", dir, systemError(err))
	default:
		d.ok("records", "%d in %s", len(records), dir)
	}
	d.ok("built-in rules", "%d; they need no model and no network", len(critic.Rules()))
	d.execution(r, e)
	server, err := findServer()
	switch {
	case r.Server != nil: // this is debate-server
	case err != nil:
		d.missing("server", "%s is not installed; only a GitHub App needs it", serverProgram)
	default:
		d.ok("server", "%s; debate serve runs it", server)
	}
	d.app(r, c.Online)
	possible := d.parties(r, e, c.Online)
	if err := r.say("%s", strings.Join(d.lines, "\n")); err != nil {
		return err
	}
	switch {
	case d.broken:
		return &exitError{code: exitUsage}
	case c.Online && !possible:
		return &exitError{code: exitFailed}
	}
	return nil
}

// settings reports which settings files exist and can be read. It returns the settings in
// force.
func (d *diagnosis) settings(r *run, named string) config.Config {
	operator := r.operatorFile()
	own, err := r.operatorConfig()
	switch {
	case operator == "":
		d.missing("your settings", "there is no home directory to look in")
	case err != nil:
		d.fault("your settings", "%s", oneLine(err))
	case exists(operator):
		d.ok("your settings", "%s", operator)
	default:
		d.missing("your settings", "none; their place is %s", operator)
	}
	if named != "" {
		first, err := r.namedConfig(named)
		if err != nil {
			d.fault("--config", "%s", oneLine(err))
		} else {
			d.ok("--config", "%s, used instead of the repository's", named)
		}
		return config.Merge(first, own)
	}
	_, path := r.settingsFile("")
	if other := strings.TrimSuffix(r.path(path), ".yml") + ".yaml"; exists(other) {
		d.fault("repository's", ".github/debate.yaml is not read: rename it to %s", debate.SettingsFile)
	}
	repository, err := r.repositoryConfig("")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.missing("repository's", "there is no %s, so the defaults hold (debate init writes one)", debate.SettingsFile)
	case err != nil:
		d.fault("repository's", "%s", oneLine(err))
	default:
		d.ok("repository's", "%s; it holds for a change once it is on the branch that the change goes to", debate.SettingsFile)
	}
	return config.Merge(own, repository)
}

// execution tries a passing and a failing test on the last commit.
func (d *diagnosis) execution(r *run, c config.Config) {
	if c.Execution == nil {
		return
	}
	box, err := sandboxOf(r.ctx, *c.Execution)
	if err != nil {
		d.missing("tests", "models may write tests, and none is run here: %s", oneLine(err))
		return
	}
	frozen, err := scopeFlags{Commit: "HEAD"}.snapshot(r)
	if err == nil {
		defer frozen.close()
		if tree := frozen.snapshot.Tree(); tree == nil {
			err = errors.New("there is no commit to run them on")
		} else {
			runner := prove.New(box, testSettings(c), tree)
			defer runner.Close()
			ctx, cancel := context.WithTimeout(r.ctx, 20*time.Minute)
			defer cancel()
			for _, glob := range c.Execution.Files {
				if failed := runner.Try(ctx, string(glob)); failed != nil {
					err = errors.Join(err, fmt.Errorf("%s: %w", glob, failed))
				}
			}
		}
	}
	if err != nil {
		d.fault("tests", "the command of execution.run does not work in the sandbox: %s", oneLine(err))
		return
	}
	d.ok("tests", "models may write tests; a test that passes and one that fails were told apart in %s", box.Kind())
}

// app reports whether the GitHub App of the environment can do its work. It asks GitHub
// only if online is set.
func (d *diagnosis) app(r *run, online bool) {
	if !r.IsApp() {
		return
	}
	app, err := r.App(r.GitHub, nil)
	switch {
	case err != nil:
		d.fault("GitHub App", "%s", oneLine(err))
		return
	case !online:
		d.ok("GitHub App", "%s %s, with its private key; --online asks GitHub about it", appID, strings.TrimSpace(r.Getenv(appID)))
		return
	}
	ctx, cancel := context.WithTimeout(r.ctx, probeLimit)
	defer cancel()
	known, err := app.Registration(ctx)
	if err != nil {
		d.fault("GitHub App", "%s", oneLine(err))
		return
	}
	d.ok("GitHub App", "%s (%s, id %d)", comment.Line(known.Name), comment.Line(known.URL), known.ID)
	installed, more, err := app.Installations(ctx)
	if err != nil {
		d.fault("installed", "%s", oneLine(err))
		return
	}
	if len(installed) == 0 {
		d.missing("installed", "nowhere yet; install it at %s/installations/new", comment.Line(known.URL))
	} else {
		names := lists.Map(installed, func(in gh.Installation) string {
			return fmt.Sprintf("%s (id %d)", comment.Line(in.Account.Login), in.Account.ID)
		})
		if more {
			names = append(names, "and more")
		}
		d.ok("installed", "on %s", report.Capped(names, ", "))
	}
	for _, gap := range gh.Gaps(known, installed) {
		tell := d.missing
		if gap.Missing {
			tell = d.fault
		}
		tell("GitHub App", "%s; see %s", gap.Text, comment.Line(gap.Link))
	}
}
