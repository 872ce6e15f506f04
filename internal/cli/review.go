package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/critic"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/policy"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/html"
	"github.com/prdebate/debate/internal/report/sarif"
	"github.com/prdebate/debate/internal/report/terminal"
	"github.com/prdebate/debate/internal/segment"
)

// maxBody bounds the text of a pull request, in bytes.
const maxBody = 256 << 10

type reviewCmd struct {
	What *string `arg:"" optional:"" name:"WHAT" help:"A range such as main..HEAD, the number of a pull request, or a file; the same as --range, --pr and --file."`

	scopeFlags `group:"What to review (default: what this branch adds to the default branch, with uncommitted work):"`

	Body   string   `placeholder:"FILE" help:"Text of the pull request; - reads standard input."`
	Target string   `enum:"auto,code,proposal,mixed" default:"auto" help:"Review the change as code, as a proposal (a design document), or both: auto, code, proposal or mixed."`
	Sarif  []string `sep:"none" placeholder:"FILE" help:"Results of other tools in the SARIF format, as evidence. May be repeated."`
	FailOn severity `placeholder:"SEVERITY" enum:",none,P1,P2,P3" default:"" help:"Exit with 1 if a confirmed finding is at least this severe: P1, P2, P3 or none. The stricter of this and the settings counts."`

	AskAgain bool `help:"Ask again about lines that you decided about in an earlier review."`

	UnsafeExecution bool `help:"Run tests of models without a sandbox. Only on a machine that is thrown away: such a test can do all that you can."`

	Post bool `help:"Post the result on the pull request of --pr, in your name, as one review that only comments."`

	debateFlags
	Format string `enum:"text,json,markdown,html,sarif,agent" default:"text" help:"Show the result as text, json, markdown, html, sarif, or agent: what stands, for a coding agent to repair."`
}

// severity is a choice of a severity, in letters of any case.
type severity string

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *severity) UnmarshalText(text []byte) error {
	*s = severity(strings.ToUpper(string(text)))
	if strings.EqualFold(string(text), "none") {
		*s = "none"
	}
	return nil
}

// Help shows how the command is used.
func (c *reviewCmd) Help() string {
	return `Examples:
  debate review                          your branch, with uncommitted work
  debate review --commit HEAD            the last commit
  debate review --pr 12 --post           a pull request, with comments on it`
}

// Run reviews one change.
func (c *reviewCmd) Run(r *run) error {
	if err := c.plain(r, c.What); err != nil {
		return err
	}
	if c.Body == "-" && (c.Snippet == "-" || c.Patch == "-") {
		return usage(errors.New("--body - and the reviewed input cannot both come from standard input"))
	}
	if slices.Contains(c.Sarif, "-") {
		return usage(errors.New("--sarif takes files, not standard input"))
	}
	if err := c.clash(r, append([]string{c.Body, c.Snippet, c.Patch, c.File}, c.Sarif...)...); err != nil {
		return err
	}
	switch {
	case c.PR != "" && c.AskAgain:
		return usage(errors.New("--ask-again is about answers of debate decide, and a pull request is decided on GitHub: leave it out with --pr"))
	case c.PR != "" && c.UnsafeExecution:
		return usage(errors.New("--unsafe-execution: tests are run for a change of this repository, and not with --pr"))
	case c.PR != "":
		return c.pullRequest(r)
	case c.Post:
		return usage(errors.New("--post posts on a pull request: name it with --pr"))
	}
	frozen, err := c.snapshot(r)
	if err != nil {
		return err
	}
	defer frozen.close()
	var body []byte
	if c.Body != "" {
		if body, err = r.readLimited(c.Body, maxBody); err != nil {
			return err
		}
	}
	set, err := c.settings(r, config.Config{FailOn: debate.FailOn(c.FailOn)}, frozen.policyFile)
	if err != nil {
		return err
	}
	defer set.panel.close()
	if c.UnsafeExecution && set.config.Execution == nil {
		return usage(errors.New("--unsafe-execution: the settings of the base branch have no section execution"))
	}
	var tests pull.Tests
	if tree := frozen.snapshot.Tree(); tree != nil {
		if tests, err = set.tests(r.ctx, tree, proposed{unsafe: c.UnsafeExecution}); err != nil {
			return err
		}
	}
	if tests.Runner != nil {
		defer tests.Runner.Close()
	}
	if tests.Note != "" {
		set.notes = append(set.notes, tests.Note)
	}
	set.notes = append(set.notes, proposedSettings(r.vocabulary(), frozen.snapshot.Change, RepositoryConfig)...)
	review, err := c.review(r, frozen, set)
	if err != nil {
		return err
	}
	if tests.Runner != nil {
		review.Tester = tests.Runner
	}
	if len(c.Sarif) > 0 {
		runs, err := c.checkRuns(r, frozen.top(), frozen.snapshot.Change.Set)
		if err != nil {
			return err
		}
		review.Checks = func(context.Context) ([]debate.Run, error) { return runs, nil }
	}

	intent := set.clean(string(body))
	return r.hold(occasion{
		debateFlags: c.debateFlags, format: c.Format, review: review, settings: set, covers: frozen.covers,
		first: func() (debate.Received, error) {
			first, err := c.received(r, frozen, set, intent)
			first.Settings.Tests = tests.Told
			if !c.AskAgain {
				first.Previous.Decisions = r.decidedHere()
			}
			return first, err
		},
		same: func(first debate.Received) error { return c.sameRequest(first, set, intent) },
		after: func(debate.State) error {
			if len(frozen.snapshot.Change.Set.Files) == 0 {
				r.progress("to review the last commit: debate review --commit HEAD")
			}
			return nil
		},
	})
}

// review wires one review. Its log and its publisher are added by the caller.
func (c *reviewCmd) review(r *run, frozen *frozenChange, set settings) (*engine.Review, error) {
	review, err := set.ofChange(r.Now, revision())
	if err != nil {
		return nil, err
	}
	review.Subject.Source = frozen
	review.Subject.PullRequest = policy.PullRequest{Required: set.config.Gate == debate.Required}
	return review, nil
}

// ofChange wires a review of a change. Commit is the one of this program.
func (s settings) ofChange(now func() time.Time, commit string) (*engine.Review, error) {
	var critical []policy.Critical
	for _, rule := range s.config.Critical {
		critical = append(critical, policy.Critical{
			Trigger: rule.Trigger, Paths: texts(rule.Paths), Patterns: texts(rule.Patterns),
		})
	}
	rules, err := policy.Compile(critical)
	if err != nil {
		return nil, usage(fmt.Errorf("settings: %w", err))
	}
	rules.Accept(accepted(s.config.Known))
	expectOwn(rules, Version(), commit)
	review := s.wired(now)
	subject := &review.Subject
	subject.Rules = rules
	subject.Ignore = texts(s.config.Paths.Ignore)
	subject.Context = shownBeside(s.config.Context)
	subject.Proposals = texts(s.config.Paths.Proposal)
	return review, nil
}

// accepted returns the known findings for the policy and the record.
func accepted(list []config.Known) []debate.Known {
	var known []debate.Known
	for _, k := range list {
		known = append(known, debate.Known{Rule: k.Rule, Snippet: k.Snippet, Below: k.Below, Reason: k.Reason, By: k.By, Until: k.Until})
	}
	return known
}

// wired returns the parts that every debate needs.
func (s settings) wired(now func() time.Time) *engine.Review {
	builtIn := func(change patch.Change, skip func(string) bool, proposals []segment.Proposal) engine.Critique {
		return engine.Critique(critic.Review(change, skip, proposals))
	}
	return &engine.Review{
		Subject:      engine.Subject{Critic: builtIn, Find: critic.SecretsIn, Secrets: s.secrets, Private: texts(s.config.Paths.Private)},
		Now:          func() int64 { return now().UnixMilli() },
		Participants: s.panel.parties,
		Clients:      s.panel.clients,
		Files:        s.panel.files,
	}
}

// shape returns the text format for a file, or for standard output if output is empty.
func (c *colouring) shape(output string, verbose bool) terminal.Options {
	if !isStandard(output) {
		return terminal.Options{Verbose: verbose}
	}
	columns, _ := c.env.Width(c.env.Stdout)
	return terminal.Options{Width: columns, Color: c.colours(c.env.Stdout), Verbose: verbose}
}

// render renders an envelope in one of the formats of the command line.
func render(e report.Envelope, format string, opt terminal.Options) ([]byte, error) {
	switch format {
	case "json":
		return report.JSON(e)
	case "markdown":
		return report.Markdown(e), nil
	case "html":
		e.Version = Version()
		return html.Render(e)
	case "sarif":
		return sarif.Render(e, sarifRules(), Version())
	case "agent":
		return report.ForAgent(e), nil
	}
	return terminal.Text(e, opt), nil
}

func sarifRules() []sarif.Rule {
	var rules []sarif.Rule
	for _, r := range critic.Rules() {
		if !r.Notice {
			rules = append(rules, sarif.Rule{ID: r.ID, Title: r.Title, Help: "Source: " + r.Source, Severity: r.Severity, Category: r.Category})
		}
	}
	return rules
}

// shownBeside translates the setting for the context of a change.
func shownBeside(c config.Context) engine.Context {
	switch c {
	case config.ContextOff:
		return engine.NoContext
	case config.ContextChanged:
		return engine.OfChangedFiles
	}
	return ""
}

// texts turns a list of named strings into plain ones.
func texts[S ~string](list []S) []string {
	return lists.Map(list, func(s S) string { return string(s) })
}
