package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/critic"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/agent"
	prove "github.com/prdebate/debate/internal/proof"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/terminal"
)

type doctorCmd struct {
	Config  string `placeholder:"FILE" help:"Use these settings instead of the repository's, as review --config does."`
	Online  bool   `help:"Ask each model for one word, each program for its version, and GitHub about the App. Without this nothing is sent."`
	EnvFile string `placeholder:"FILE" help:"A server's settings, written by serve --setup: NAME=VALUE lines, added to the environment."`
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
	own, err := r.operatorConfig("")
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
	repository, err := r.repositoryConfig()
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
	change, err := scopeFlags{Commit: "HEAD"}.snapshot(r)
	if err == nil {
		defer change.Close()
		if tree := change.Tree(); tree == nil {
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
	d.ok("tests", "models may write tests; two trial tests in %s passed and failed as expected", box.Kind())
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

// parties reports the parties under the settings in force, and the kind of review that they make
// possible. It returns whether a debate is possible.
func (d *diagnosis) parties(r *run, merged config.Config, online bool) bool {
	d.ok("models see", "%s", map[config.Context]string{
		config.ContextRepository: "the change, the code around it in the changed files, uses of removed names elsewhere, and on GitHub the issues to close (context: repository)",
		config.ContextChanged:    "the change, the code around it in the changed files, and on GitHub the issues to close (context: changed)",
		config.ContextOff:        "the change alone (context: off)",
	}[merged.Context])
	mayLook := merged.Context == config.ContextRepository && *merged.Limits.Looks > 0
	private := ""
	if n := len(merged.Paths.Private); n > 0 {
		private = fmt.Sprintf(", but nothing that paths.private names (%d patterns)", n)
	}
	switch {
	case mayLook:
		d.ok("models look at", "other files of the repository: up to %d things a call (limits.looks)%s", *merged.Limits.Looks, private)
	case merged.Context != config.ContextRepository:
		d.ok("models look at", "nothing else (context: %s)", merged.Context)
	default:
		d.ok("models look at", "nothing else (limits.looks: 0)")
	}
	seated, err := participants(merged, r.Providers, r.Getenv, nil)
	if err != nil {
		d.fault("parties", "%v", err)
		return false
	}
	if merged.Parties.Primary == nil && len(merged.Parties.Challengers) == 0 {
		for _, p := range r.Providers {
			if name := p.KeyName(r.Getenv); p.Joins && r.Getenv(name) == "" {
				d.missing(p.Name, "%s is not set", name)
			}
		}
	}
	var live map[string]probeResult
	if online {
		live = probeAll(r.ctx, r.Getenv, &seated)
	}
	switch who := strings.Join(seated.files, ", "); { // programs that read the repository
	case who == "":
	case mayLook:
		d.ok("files", "%s: this program reads the repository by itself, without secrets, paths.private and instructions for agents; "+
			"everything it reads goes to its provider, and is not in the record (files: true)", who)
	default:
		d.missing("files", "%s: this program gets no files in spite of files: true, because the settings forbid looks", who)
	}
	for _, p := range seated.parties {
		d.party(p, seated.access[p.ID], seated.prices)
		a, asked := live[p.ID]
		if !asked {
			continue
		}
		said := fmt.Sprintf("answered in %s, %d tokens in, %d out", a.took.Round(time.Millisecond), a.usage.TokensIn, a.usage.TokensOut)
		if a.failed != nil {
			said = fmt.Sprintf("%s, after %s", report.Failures[a.failed.Class], a.took.Round(time.Millisecond))
		}
		d.line(fmt.Sprintf("    %-14s ", "online"), said)
		if a.agent != "" {
			d.line(fmt.Sprintf("    %-14s ", "installed"), comment.Line(a.agent))
		}
	}
	return d.level(seated, *merged.AllowSameFamily || seated.sameFamily)
}

// party reports whether a party can take part.
func (d *diagnosis) party(p debate.Party, access string, prices model.Prices) {
	switch {
	case p.Status != debate.PartyOK && p.Debater != "": // the line of its debater says why
		return
	case p.Status != debate.PartyOK:
		d.missing(p.ID, "%s cannot take part: %s", p.Provider, p.Detail)
		return
	case p.Debater != "" && p.Role == debate.Judge:
		d.ok(p.ID, "%s weighs this side of a decision that the models cannot agree on", p.Debater)
		return
	case p.Debater != "":
		d.ok(p.ID, "%s reads the outcome once more", p.Debater)
		return
	}
	said := []string{p.Provider}
	if p.Model != "" {
		said = append(said, "model "+p.Model)
	}
	said = append(said, "maker "+p.Family)
	if p.Persona != "" {
		said = append(said, "as "+p.Persona)
	}
	if access != "" {
		said = append(said, access)
	}
	d.ok(p.ID, "%s", strings.Join(said, ", "))
	if p.Family == model.UnknownFamily {
		d.missing("maker", "%s", wantsFamily)
	}
	// Programs of this machine without a model may report their cost themselves.
	if _, known := prices.Of(p.Model); p.Model != "" && !known {
		d.missing("price", "not known, so that limits of cost do not count it: "+wantsPrice, p.Model)
	}
}

// level reports the kind of review, and whether it is a debate. Any available model can
// review first.
func (d *diagnosis) level(seated panel, sameFamily bool) (possible bool) {
	debaters := lists.Keep(available(seated.parties), debate.Party.Debates)
	families := make(map[string]bool)
	for _, p := range debaters {
		families[p.Family] = true
	}
	has := func(role debate.Role, in []debate.Party) bool {
		return slices.ContainsFunc(in, func(p debate.Party) bool { return p.Role == role })
	}
	said := ""
	switch {
	case len(debaters) == 0 && slices.ContainsFunc(seated.parties, debate.Party.Debates):
		said = "No model is available, so only the built-in rules will run. Fix the problems listed above."
	case len(debaters) == 0:
		said = "No model is available, so only the built-in rules will run. Set one API key, or better two of different makers."
	case !has(debate.Primary, seated.parties) || !has(debate.Challenger, debaters) || len(debaters) < 2:
		said = "Only one model will review your changes. A debate needs a second one: set its API key, or name it under parties.challengers."
	case len(families) > 1:
		said, possible = fmt.Sprintf("%d models of %d makers will debate your changes.", len(debaters), len(families)), true
	case sameFamily:
		said, possible = "Models of one maker will debate your changes, and the result says so. A model of another maker finds more.", true
	default:
		said = "All models are of one maker. They debate only with allow_same_family: true in the settings."
	}
	d.lines = append(d.lines, "")
	d.line("", said)
	d.lines = append(d.lines, "", "Default models, once a key is set:")
	for _, p := range seated.providers {
		if p.Model != "" && p.Joins {
			d.lines = append(d.lines, fmt.Sprintf("  %-10s %s", p.Name, p.Model))
		}
	}
	return possible
}

// probeLimit is how long the doctor waits for the parties.
const probeLimit = 60 * time.Second

// probeToken is the word in the doctor's request.
const probeToken = "debate-is-on"

// probeResult is the result of asking one party.
type probeResult struct {
	took   time.Duration
	failed *model.Error // nil: it answered
	usage  debate.Usage
	agent  string // version and digest of a command-line agent, "" of others
}

// probeAll asks all debaters and a separate arbiter at once, each with the smallest request that
// needs an answer in JSON. A party without an answer cannot take part, nor can the roles that it
// serves.
func probeAll(ctx context.Context, getenv func(string) string, seated *panel) map[string]probeResult {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	var mu sync.Mutex
	var wait sync.WaitGroup
	results := make(map[string]probeResult)
	for _, p := range available(seated.parties) {
		if p.Debater != "" {
			continue
		}
		wait.Go(func() {
			var a probeResult
			if version, digest, err := agent.Probe(ctx, p.Provider, getenv); err == nil {
				a.agent = version + ", sha256 " + digest
			} else if digest != "" {
				a.agent = "its version is not known (" + err.Error() + "), sha256 " + digest
			}
			begin := time.Now()
			response, err := seated.clients[p.ID].Ask(ctx, model.Request{
				SchemaVersion: model.SchemaVersion, Ask: "DOCTOR",
				System: "Answer with the JSON object that you are asked for, and nothing else.",
				Packet: "There is no material.\n",
				Turn:   `{"request":"Answer with this JSON object: {\"token\": \"` + probeToken + `\"}"}`,
			})
			if err == nil && !strings.Contains(response.Text, probeToken) {
				err = &model.Error{Class: debate.CallMalformed, Detail: "it answers something else than it is asked for"}
			}
			a.took, a.failed, a.usage = time.Since(begin), model.Classify(err), response.Usage
			mu.Lock()
			defer mu.Unlock()
			results[p.ID] = a
		})
	}
	wait.Wait()
	for i := range seated.parties {
		p := &seated.parties[i]
		if failed := results[cmp.Or(p.Debater, p.ID)].failed; failed != nil {
			p.Status, p.Detail = debate.PartyError, failed.Error()
		}
	}
	return results
}
