package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/testkit/actiontest"
)

// aLog is a log, and what tells it about a debate.
func aLog() (*jobLog, func(engine.Progress), *bytes.Buffer) {
	var out bytes.Buffer
	runner := action.New(&out, func(string) string { return "" })
	l := &jobLog{runner: runner, to: runner.Log()}
	return l, (&progress{to: l.to, before: l.at}).tell, &out
}

// said is one call that ended.
func said(tell func(engine.Progress), party string, kind debate.CallKind, reply debate.Replied) {
	ask := &debate.Ask{ID: party + string(kind), Party: party, Kind: kind}
	tell(engine.Progress{Work: debate.Work{Ask: ask}})
	tell(engine.Progress{Work: debate.Work{Ask: ask}, Done: true, Event: reply})
}

// The calls of a stage stand in one group.
func TestTheLogOfAJobIsFoldedByStage(t *testing.T) {
	t.Parallel()
	l, tell, out := aLog()
	ok := debate.Replied{Status: debate.CallOK}
	said(tell, "gpt", debate.CallOpen, ok)
	said(tell, "claude", debate.CallOpen, ok)
	said(tell, "claude", debate.CallChallenge, ok)
	said(tell, "gpt", debate.CallChallenge, ok)
	if err := l.end(); err != nil {
		t.Fatal(err)
	}
	const want = "::group::opening\nopening  gpt  0 s\nopening  claude  0 s\n::endgroup::\n" +
		"::group::challenge\nchallenge  claude  0 s\nchallenge  gpt  0 s\n::endgroup::\n"
	if out.String() != want {
		t.Errorf("the log is\n%swant\n%s", out, want)
	}
}

// A key that is refused is a trouble of the job: it stands on the run's page, once for
// each model, and what the provider said of it commands nothing.
func TestARefusedKeyIsOnThePageOfTheRun(t *testing.T) {
	t.Parallel()
	l, tell, out := aLog()
	refused := debate.Replied{Status: debate.CallAuth, Detail: "401\n::add-mask::x ##[debug]y"}
	said(tell, "gpt", debate.CallOpen, refused)
	said(tell, "gpt", debate.CallScore, refused)
	said(tell, "claude", debate.CallOpen, debate.Replied{Status: debate.CallTimeout})
	if err := l.end(); err != nil {
		t.Fatal(err)
	}
	errs := 0
	for _, c := range actiontest.Commands(out.String()) {
		switch c.Name {
		case "error":
			errs++
			if !strings.HasPrefix(c.Data, "gpt: the API key or its account was refused: 401") {
				t.Errorf("it says %q", c.Data)
			}
		case "group", "endgroup":
		default:
			t.Errorf("the runner would carry out %q", c)
		}
	}
	if errs != 1 {
		t.Errorf("%d errors in\n%s", errs, out)
	}
}

// What is wrong with a job stands on the page of its run, each thing by itself, and the
// exit code stays.
func TestTheTroubleOfAJobIsOnThePageOfTheRun(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	runner := action.New(&out, func(string) string { return "" })
	err := annotateError(runner, usage(errors.Join(errors.New("one is wrong"), errors.New("two\n::set-output name=a::b"))))
	var exit *exitError
	if !errors.As(err, &exit) || exit.code != exitUsage || exit.err != nil {
		t.Errorf("the error is %v", err)
	}
	all := actiontest.Commands(out.String())
	if len(all) != 2 || all[0].Name != "error" || all[0].Data != "one is wrong" || all[1].Name != "error" {
		t.Errorf("the log holds %q", all)
	}
	if err := annotateError(runner, nil); err != nil {
		t.Errorf("no error became %v", err)
	}
}
