package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/store"
)

// TestJobWithoutAnswer: a job ends as the command line does if no model answered, and names
// each provider. One that held no review ends well.
func TestJobWithoutAnswer(t *testing.T) {
	t.Parallel()
	refused := func(id, key string) debate.Party {
		return debate.Party{ID: id, Role: debate.Challenger, Status: debate.PartyAuth, Detail: "the key was refused; check " + key}
	}
	s := debate.State{Ending: debate.Ending{Outcome: debate.DegradedLocal}}
	s.Table.Parties = []debate.Party{refused("claude", "ANTHROPIC_API_KEY"), refused("gpt", "OPENAI_API_KEY")}
	err := unansweredIn(pull.Result{Session: true, State: s})
	if code, _ := failure(err); err == nil || code != exitFailed {
		t.Fatalf("%v", err)
	}
	for _, words := range []string{"claude: ", "ANTHROPIC_API_KEY", "gpt: ", "OPENAI_API_KEY"} {
		if !strings.Contains(err.Error(), words) {
			t.Errorf("it does not say %q: %v", words, err)
		}
	}
	s.Asking.Calls = []debate.Call{{Status: debate.CallOK}}
	if err := errors.Join(unansweredIn(pull.Result{State: s}), unansweredIn(pull.Result{Session: true, State: s})); err != nil {
		t.Errorf("%v", err)
	}
}

// TestFail: every kind of failure has one clear line and an exit code.
func TestFail(t *testing.T) {
	t.Parallel()
	tests := []struct {
		err  error
		code int
	}{
		{&gitrepo.NotRepositoryError{Dir: "/x"}, exitUsage},
		{&gitrepo.RequestError{Reason: "a names no commit here"}, exitUsage},
		{&gitrepo.FileError{Path: "a", Reason: "does not exist"}, exitUsage},
		{&gitrepo.LimitError{Reason: "more than 5 files"}, exitFailed},
		{gitrepo.ErrNoGit, exitFailed},
		{&store.CorruptError{Line: 3, Why: "edited"}, exitFailed},
		{&store.VersionError{Of: "schema", Got: "2", Want: "1"}, exitFailed},
		{&store.ConflictError{Expected: 1, Actual: 2}, exitFailed},
		{&debate.OrderError{N: 2, Kind: debate.KindPublished, Why: "too early"}, exitFailed},
		{fs.ErrPermission, exitFailed},
		{errors.New("disk full"), exitFailed},
		{usage(errors.New("no such flag")), exitUsage},
		{context.Canceled, exitInterrupted},
		{&exitError{code: exitInterrupted, err: errors.New("interrupted; to go on: debate resume")}, exitInterrupted},
	}
	for _, tt := range tests {
		for _, err := range []error{tt.err, fmt.Errorf("while reviewing: %w", tt.err)} {
			var stderr bytes.Buffer
			if code := fail(Env{Stderr: &stderr}, err); code != tt.code {
				t.Errorf("%T: exit code %d, want %d", tt.err, code, tt.code)
			}
			if said := stderr.String(); strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "debate: ") {
				t.Errorf("%T: said %q", tt.err, said)
			}
		}
	}
}

func TestFailListsSettings(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	_, err := known.vocabulary().Parse("a.yml", []byte("mode: loud\ngate: none\n"))
	if code := fail(Env{Stderr: &stderr}, err); code != exitUsage {
		t.Errorf("exit code %d", code)
	}
	if said := stderr.String(); !strings.Contains(said, "a.yml:1:7") || !strings.Contains(said, "a.yml:2:7") {
		t.Errorf("said %q", said)
	}
}

// TestFailListsJoined: errors that were joined come one a line, and what one of
// them quotes stays on its line.
func TestFailListsJoined(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		code int
		said string
	}{
		{usage(errors.Join(errors.New("one"), errors.Join(errors.New("two"), errors.New("three\n::error::four")))), exitUsage, "debate: one\ndebate: two\ndebate: three<U+000A>::error::four\n"},
		{errors.Join(errors.New("one"), usage(errors.New("two"))), exitUsage, "debate: one\ndebate: two\n"},
		{fmt.Errorf("all: %w, %w", errors.New("one"), errors.New("two")), exitFailed, "debate: all: one, two\n"},
	} {
		var stderr bytes.Buffer
		if code := fail(Env{Stderr: &stderr}, tt.err); code != tt.code || stderr.String() != tt.said {
			t.Errorf("%q: exit code %d, said %q", tt.err, code, stderr.String())
		}
	}
}

// TestExitOf: findings win over a decision that awaits a human.
func TestExitOf(t *testing.T) {
	t.Parallel()
	finding := []debate.Claim{{Bucket: debate.Agreed, Severity: debate.P2}}
	open := []debate.Claim{{Bucket: debate.Unresolved, Severity: debate.P1}}
	human := []debate.Decision{{Outcome: debate.AwaitingHuman}}
	state := func(failOn debate.FailOn, broken bool, claims []debate.Claim, decisions []debate.Decision) debate.State {
		return debate.State{
			Ending: debate.Ending{Outcome: debate.DegradedLocal}, Book: debate.Book{Claims: claims}, Agenda: debate.Agenda{Decisions: decisions},
			Received: debate.Received{Settings: debate.Settings{FailOn: failOn, ConfigDefective: broken}},
		}
	}
	tests := []struct {
		name  string
		state debate.State
		code  int
	}{
		{"nothing", state(debate.FailP3, false, nil, nil), exitDone},
		{"a finding below the threshold", state(debate.FailP1, false, finding, nil), exitDone},
		{"a finding at it", state(debate.FailP2, false, finding, nil), exitFindings},
		{"no threshold", state(debate.FailNone, false, finding, nil), exitDone},
		{"an unconfirmed finding", state(debate.FailP3, false, open, nil), exitDone},
		{"a human", state(debate.FailNone, false, nil, human), exitHuman},
		{"a finding and a human", state(debate.FailP3, false, finding, human), exitFindings},
		{"broken settings", state(debate.FailNone, true, nil, nil), exitUsage},
		{"broken settings and a human", state(debate.FailNone, true, nil, human), exitHuman},
	}
	failed := debate.Call{Status: debate.CallAuth}
	refused := func(s debate.State, calls ...debate.Call) debate.State {
		s.Table.Parties = []debate.Party{{ID: "claude", Role: debate.Primary, Status: debate.PartyAuth, Detail: "401"}, {ID: "gpt", Role: debate.Challenger, Status: debate.PartyAuth}}
		s.Asking.Calls = calls
		return s
	}
	shown := func(scope string, parts ...debate.Exclusion) debate.State {
		s := state(debate.FailNone, false, nil, nil)
		s.Snapshot.Scope = scope
		for _, why := range parts {
			s.Split.Coverage = append(s.Split.Coverage, debate.Coverage{Path: "a.go", Excluded: why})
		}
		return s
	}
	stopped := func(s debate.State, why debate.WhyCode) debate.State {
		s.Table.Parties = []debate.Party{{ID: "claude", Role: debate.Primary, Status: debate.PartyOK}, {ID: "gpt", Role: debate.Challenger, Status: debate.PartyOK}}
		s.Ending.OutcomeReason = debate.Why{Code: why, Refs: []string{"1"}}
		return s
	}
	tests = append(tests, []struct {
		name  string
		state debate.State
		code  int
	}{
		{"no model answered", refused(state(debate.FailP1, false, nil, nil), failed), exitFailed},
		{"no model answered, and a human", refused(state(debate.FailP1, false, nil, human), failed), exitFailed},
		{"no model answered, and a finding", refused(state(debate.FailP2, false, finding, nil), failed), exitFindings},
		{"one model answered", refused(state(debate.FailP1, false, nil, nil), failed, debate.Call{Status: debate.CallOK}), exitDone},
		{"no model could be asked", refused(state(debate.FailP1, false, nil, nil)), exitFailed},
		{"none is configured", state(debate.FailP1, false, nil, nil), exitDone},
		{"a limit leaves no call", stopped(state(debate.FailP1, false, nil, nil), debate.WhyCallsUsed), exitFailed},
		{"a patch that cannot be read", shown("snippet", debate.Unreadable, debate.Unreadable), exitFailed},
		{"a patch that can be read in part", shown("snippet", debate.Unreadable, debate.NotExcluded), exitFailed},
		{"a patch of a picture", shown("snippet", debate.Binary), exitDone},
		{"a change of one huge line", shown("base:main", debate.Unreadable), exitDone},
		{"a stranger's change", stopped(state(debate.FailP1, false, nil, nil), debate.WhyStranger), exitDone},
	}...)
	gated := func(s debate.State, claims ...debate.Claim) debate.State {
		s.Received.Settings.Gate, s.Book.Claims = debate.Required, claims
		return s
	}
	shownAt := []debate.Evidence{{By: debate.EngineParty, CitationOK: true, Verified: true, Cite: debate.Citation{Path: "a.go", Side: debate.Right, StartLine: 3, EndLine: 3}}}
	rejected := debate.Claim{ID: "C1", Owner: debate.EngineParty, Rule: "sql/drop", Severity: debate.P1, Bucket: debate.Unresolved, Evidence: shownAt}
	p1 := debate.Claim{ID: "C1", Severity: debate.P1, Bucket: debate.Agreed}
	skipped := func(s debate.State) debate.State {
		s.Ending.Outcome = debate.Skipped
		return s
	}
	asked := state(debate.FailP1, false, []debate.Claim{p1}, nil)
	asked.Received.Inquiry = &debate.Inquiry{}
	tests = append(tests, []struct {
		name  string
		state debate.State
		code  int
	}{
		{"a P1 of a rule that models reject", state(debate.FailP1, false, []debate.Claim{rejected}, nil), exitFindings},
		{"a P1 under a required gate", gated(state(debate.FailNone, false, nil, nil), p1), exitFindings},
		{"a required gate, and no review", gated(state(debate.FailNone, false, nil, nil)), exitFindings},
		{"a required gate, and a human", gated(state(debate.FailNone, false, nil, human)), exitHuman},
		{"a required gate, and broken settings", gated(state(debate.FailNone, true, nil, nil)), exitUsage},
		{"an answer to a question", asked, exitDone},
		{"a required gate, and nothing to review", skipped(gated(state(debate.FailNone, false, nil, nil))), exitDone},
		{"nothing to review, and broken settings", skipped(gated(state(debate.FailNone, true, nil, nil))), exitUsage},
	}...)
	for _, tt := range tests {
		switch conclusion := tt.state.Conclusion().Check; {
		case tt.code == exitDone && conclusion == debate.Failure && tt.state.Ending.Outcome != debate.Skipped,
			tt.code == exitFindings && conclusion != debate.Failure && !tt.state.Agenda.AwaitsHuman():
			t.Errorf("%s: exit code %d, and the check says %s", tt.name, tt.code, conclusion)
		}
		if code := int(tt.state.Conclusion().Exit); code != tt.code {
			t.Errorf("%s: exit code %d, want %d", tt.name, code, tt.code)
		}
	}
}
