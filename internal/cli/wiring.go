package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/critic"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/policy"
	prove "github.com/prdebate/debate/internal/proof"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/sandbox"
	"github.com/prdebate/debate/internal/segment"
	"github.com/prdebate/debate/internal/surround"
)

// github returns a client of GitHub. Options name the repository and the token.
func (e Env) github(options gh.Options) (*gh.Client, error) {
	options.UserAgent, options.Now, options.Wait = "debate/"+Version(), e.Now, e.Wait
	options.HTTP = &http.Client{Transport: e.GitHub}
	client, err := gh.New(options)
	if err != nil {
		return nil, usage(err)
	}
	return client, nil
}

// looks is how many things a reviewer may look at in one call.
func (s settings) looks() int {
	if s.config.Context != config.ContextRepository {
		return 0
	}
	return *s.config.Limits.Looks
}

// instruct adds the guidance and the advice about the changed files.
func (s settings) instruct(ctx context.Context, first *debate.Received, change patch.Change, read pull.Files) (err error) {
	changed := namesOf(change.Set.Files)
	first.Guidance = guidance(s.config.Instructions, changed)
	first.Advice, err = s.advice(ctx, adviceAt(changed, change.BaseHas, change.BaseNames), read)
	return err
}

// received returns the first event of a new debate under some settings; the caller adds the
// subject. The session is named debate-YYYYmmdd-HHMMSS-<number> (R050); an empty number is drawn.
// For limits that are 0 the protocol's own count.
func (s settings) received(e Env, number string) (debate.Received, error) {
	var drawn [20]byte
	if _, err := io.ReadFull(e.Random, drawn[:]); err != nil {
		return debate.Received{}, fmt.Errorf("draw the seed of the debate and the number of its session: %w", err)
	}
	c := s.config
	language := c.Publish.Language // "" for English
	if tag := strings.ToLower(language); tag == "en" || strings.HasPrefix(tag, "en-") {
		language = ""
	}
	if number == "" {
		number = strconv.FormatUint(uint64(binary.BigEndian.Uint32(drawn[16:])), 10)
	}
	first := debate.Received{
		Protocol:  debate.ProtocolVersion,
		SessionID: fmt.Sprintf("debate-%s-%s", e.Now().UTC().Format("20060102-150405"), number),
		Seed:      hex.EncodeToString(drawn[:16]),
		Mode:      c.Mode,
		Notes:     s.notes,
		Language:  language,
		Settings: debate.Settings{
			Gate:            c.Gate,
			FailOn:          c.FailOn,
			AbortIfNoParty:  c.OnNoChallengers == config.Abort,
			ConfigHash:      s.hash,
			ConfigDefective: s.defective,
			Opening:         debate.Opening(c.Parties.Opening),
			MaxRounds:       c.Limits.MaxRounds,
			MaxClaims:       c.Limits.MaxClaims,
			MaxDecisions:    c.Limits.MaxDecisions,
			MaxCalls:        c.Limits.MaxCalls,
			MaxCostMicro:    int64(c.Limits.MaxCostUSD), // millionths, both
			BudgetMinutes:   c.Limits.BudgetMinutes,
			AllowSameFamily: *c.AllowSameFamily || s.panel.sameFamily,
			AuthorMayDecide: *c.Escalation.AuthorMayDecide,
			Deciders:        debate.Permission(c.Escalation.Deciders),
			Forbidden:       s.forbidden,
		},
	}
	for _, one := range c.Rubric.Criteria {
		first.Settings.Criteria = append(first.Settings.Criteria, debate.Criterion{ID: one.Name, WeightBP: one.Weight})
	}
	return first, nil
}

// newChangeReview wires a review of a change. Commit is the one of this program.
func (s settings) newChangeReview(now func() time.Time, commit string) (*engine.Review, error) {
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
	rules.Accept(lists.Map(s.config.Known, func(k config.Known) debate.Known {
		return debate.Known{Rule: k.Rule, Snippet: k.Snippet, Below: k.Below, Reason: k.Reason, By: k.By, Until: k.Until}
	}))
	expectOwn(rules, Version(), commit)
	review := s.newReview(now)
	subject := &review.Subject
	subject.Rules = rules
	subject.Ignore = texts(s.config.Paths.Ignore)
	subject.Context = engine.Context(s.config.Context)
	subject.Proposals = texts(s.config.Paths.Proposal)
	return review, nil
}

// newReview returns the parts that every debate needs.
func (s settings) newReview(now func() time.Time) *engine.Review {
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

// texts turns a list of named strings into plain ones.
func texts[S ~string](list []S) []string {
	return lists.Map(list, func(s S) string { return string(s) })
}

// proposed describes the origin of a change, to decide about running its tests.
type proposed struct {
	inWorkflow bool
	stage      action.Stage // of a workflow of several jobs
	pull, fork bool         // it was read from GitHub; of another repository
	unsafe     bool         // its person wants no sandbox
}

// tests decides whether to run tests of models on a change. If the settings have commands
// but the tests do not run, the note gives the reason.
func (s settings) tests(ctx context.Context, tree prove.Tree, of proposed) (t pull.Tests, err error) {
	e := s.config.Execution
	if e == nil || s.looks() == 0 {
		return t, nil
	}
	const notRun = "tests of models are not run: "
	var box sandbox.Box
	switch {
	case of.inWorkflow && of.stage == "":
		t.Note = notRun + "a workflow needs a job of its own for them (docs/three-jobs.md)"
		return t, nil
	case of.pull && !e.Pulls:
		t.Note = notRun + "the operator's settings do not say execution.pulls: true"
		return t, nil
	case of.fork && !e.Forks:
		t.Note = notRun + "this is the pull request of a fork, and the operator's settings do not say execution.forks: true"
		return t, nil
	case of.inWorkflow && of.stage != action.Test:
		t.Told.Later = true
	case of.unsafe:
		box, err = sandbox.WithoutSandbox()
		t.Note = "tests of models run without a sandbox (--unsafe-execution)"
	default:
		box, err = sandboxOf(ctx, *e)
	}
	if err != nil {
		t.Note = notRun + oneLine(err)
		return t, ctx.Err()
	}
	t.Runner = prove.New(box, testSettings(s.config), tree)
	t.Told = debate.Tests{Runs: e.Limits.Whole().Runs, Command: e.Run, Files: texts(e.Files), Later: t.Told.Later}
	return t, nil
}

// sandboxOf returns the sandbox of the settings, if this machine has it.
func sandboxOf(ctx context.Context, e config.Execution) (sandbox.Box, error) {
	if e.Image != "" {
		return sandbox.FindContainer(ctx, string(e.Image))
	}
	return sandbox.Find(ctx)
}

// testSettings are how tests are run by settings with a section execution.
func testSettings(c config.Config) prove.Settings {
	e, private := *c.Execution, segment.Matching(texts(c.Paths.Private))
	limits := e.Limits.Whole()
	words := func(command string) []string {
		list, _ := config.Words(command) // of a setup that is left out there are none
		return list
	}
	return prove.Settings{
		Run: words(e.Run), Setup: words(e.Setup), Network: e.Network == config.SetupNetwork,
		Allowed: func(path string) bool {
			return slices.ContainsFunc(e.Files, func(g config.Glob) bool { return doublestar.MatchUnvalidated(string(g), path) })
		},
		Private: func(path string) bool { return surround.Secret(path) || private(path) },
		Limits: sandbox.Limits{
			Time: time.Duration(limits.Time) * time.Second, Memory: limits.Memory.Bytes(), Processes: limits.Processes, Output: int(limits.Output.Bytes()),
		},
	}
}

// configurer sets up the reviews of one job, and names the sessions.
type configurer struct {
	env       Env
	demand    demand
	in        action.Inputs
	commit    string                                   // of this program, "" if unknown
	number    string                                   // of the job, in the names of its sessions; "" draws one for each
	sessions  int                                      // so far
	newest    string                                   // name of the newest session, "" before the first
	latest    settings                                 // in force since the last pull request was set up
	tell      func(set settings) func(engine.Progress) // may be nil
	allowance Allowance                                // a server's limit for this job
	watch     func(engine.Client, Asked) engine.Client // of a server; may be nil
	results   func(patch.Change) ([]debate.Run, error) // of other tools; may be nil

	inWorkflow bool
}

// demands are what the inputs of an action or a server want of the settings.
func demands(in action.Inputs) demand {
	return demand{operator: in.OperatorConfig, path: in.Config, mode: in.Mode, failOn: in.FailOn, gate: in.Gate}
}

// configure merges the settings for a pull request.
func (c *configurer) configure(ctx context.Context, repository gh.Repository, files, guard pull.Files) (setup pull.Setup, err error) {
	set, err := c.env.settings(ctx, c.demand, files, guard)
	if err != nil {
		return setup, err
	}
	if c.latest, err = c.allowance.applyTo(set); err != nil {
		return setup, err
	}
	return c.setup(c.latest, repository, files)
}

// setup wires a pull request to its settings.
func (c *configurer) setup(set settings, repository gh.Repository, files pull.Files) (pull.Setup, error) {
	for _, one := range set.panel.parties {
		if asked := set.panel.clients[one.ID]; c.watch != nil && asked != nil {
			served, _ := set.panel.providers.Find(one.Provider)
			set.panel.clients[one.ID] = c.watch(asked, Asked{Party: one, Prices: set.panel.prices, Command: served.Command})
		}
	}
	review, err := set.newChangeReview(c.env.Now, c.commit)
	if err != nil {
		return pull.Setup{}, errors.Join(err, set.panel.close())
	}
	if c.tell != nil {
		review.Tell = c.tell(set)
	}
	var key []byte // seals the memory in the summary: the input, else one derived from a model's key, else nil
	for _, p := range c.env.Providers {
		if given := c.in.Keys[p.Input]; key == nil && given != "" {
			key = comment.Derive(given, repository.ID)
		}
	}
	if c.in.StateKey != "" {
		key = []byte(c.in.StateKey)
	}
	setup := pull.Setup{
		Config:  set.config,
		Key:     key,
		Clean:   set.clean,
		Results: c.results,
		Review: func() *engine.Review {
			another := *review
			return &another
		},
		First: func(ctx context.Context, change patch.Change, atBase pull.Files) (debate.Received, error) {
			first, err := c.opening(set)
			if err != nil {
				return first, err
			}
			first.Target = c.in.Target
			first.Settings.Looks = set.looks()
			first.Notes = append(first.Notes, proposedSettings(c.env.vocabulary(), change, c.demand.path)...)
			err = set.instruct(ctx, &first, change, atBase)
			return first, err
		},
		Inquire: func(ctx context.Context, question string, framing debate.Framing, change *gh.Snapshot) (debate.Received, engine.Frozen, error) {
			return c.inquire(ctx, set, question, framing, change, files)
		},
		Close: func() { set.panel.close() },
	}
	setup.Tests = func(ctx context.Context, tree *gh.Tree, fork bool) (pull.Tests, error) {
		return set.tests(ctx, tree, proposed{pull: true, fork: fork, inWorkflow: c.inWorkflow, stage: c.in.Stage})
	}
	return setup, nil
}

// opening returns the first event of a session of this job. In GitHub Actions the number of the
// session is the run and attempt, with an index from the second session on.
func (c *configurer) opening(set settings) (debate.Received, error) {
	c.sessions++
	number := c.number
	if number != "" && c.sessions > 1 {
		number += "-" + strconv.Itoa(c.sessions)
	}
	first, err := set.received(c.env, number)
	c.newest = first.SessionID
	return first, err
}

// inquire is the first event of a question debate on a pull request. Its change
// is shown as diffs, as much of it as a question may show: a question has only texts, no changed
// lines.
func (c *configurer) inquire(ctx context.Context, set settings, question string, framing debate.Framing, change *gh.Snapshot, files pull.Files) (debate.Received, engine.Frozen, error) {
	first, err := c.opening(set)
	if err != nil {
		return first, engine.Frozen{}, err
	}
	question = set.clean(question)
	ask(&first, question, debate.Inquiry{Framing: cmp.Or(framing, debate.FramingPropose)})
	first.Settings.Looks = set.looks()
	shown, left := &patch.Set{}, maxShownBytes
	for _, f := range change.Change.Set.Files {
		var diff strings.Builder
		for _, h := range f.Hunks {
			fmt.Fprintf(&diff, "@@ -%d,%d +%d,%d @@ %s\n", h.OldStart, h.OldLines, h.NewStart, h.NewLines, h.Section)
			for _, l := range h.Lines {
				fmt.Fprintf(&diff, "%c%s\n", l.Op, l.Text)
			}
		}
		text := set.clean(diff.String())
		if text == "" || len(text) > left {
			first.Notes = append(first.Notes, f.Path()+" is not shown")
			continue
		}
		left -= len(text)
		shown.Files = append(shown.Files, patch.Shown(f.Path()+".diff", text))
	}
	first.Notes = first.Notes[:min(len(first.Notes), 2*maxShownFiles)]
	sum := sha256.Sum256([]byte(question + "\n" + change.HeadSHA))
	frozen := engine.Frozen{
		Event:  debate.Snapshotted{Scope: debate.ScopeQuestion, HeadSHA: change.HeadSHA, Hash: hex.EncodeToString(sum[:])},
		Change: patch.Alone(shown),
		Err:    func() error { return nil },
		Tree:   change.Tree(), // parties may look at both sides
	}
	err = set.instruct(ctx, &first, change.Change, files)
	return first, frozen, err
}
