package cli

import (
	"context"
	"slices"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	prove "github.com/prdebate/debate/internal/proof"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/sandbox"
	"github.com/prdebate/debate/internal/segment"
	"github.com/prdebate/debate/internal/surround"
)

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
