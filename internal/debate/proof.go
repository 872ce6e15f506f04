package debate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// The bounds of a party's test.
const (
	MostTestLines = 200
	MostTestBytes = 16 << 10
	maxTests      = 30 // runs of one debate, under any settings
)

// TestRun is a test of a party, with its outcome on each side of the change.
type TestRun struct {
	Ref     string    `json:"ref"` // see TestRef
	Path    string    `json:"path"`
	Content string    `json:"content"` // without secrets
	Command []string  `json:"command,omitempty"`
	Sandbox string    `json:"sandbox,omitempty"` // the name of the sandbox
	Runs    []SideRun `json:"runs"`              // on the head twice, then on the base; none: see pending
}

// Names of sandboxes.
const (
	NoSandbox  = "none"     // no protection
	ByWorkflow = "workflow" // a later job; only the outcomes of its runs are believed
)

// SideRun is one run of a test.
type SideRun struct {
	Side    Side        `json:"side"`
	Outcome TestOutcome `json:"outcome"`
	Exit    int         `json:"exit"`
	Output  string      `json:"output,omitempty"` // its last lines, without secrets
	Millis  int64       `json:"ms"`
}

// TestOutcome is the outcome of a test run.
type TestOutcome string

const (
	TestPasses   TestOutcome = "passes"
	TestFails    TestOutcome = "fails"     // the test began, and ended with an error
	TestNotBuilt TestOutcome = "not_built" // the command ended before the test began
	TestTimeout  TestOutcome = "timeout"
	TestLimit    TestOutcome = "limit"  // of memory or processes
	TestBroken   TestOutcome = "broken" // an empty test does not pass on this side either
)

// testOutcomes are all of them.
var testOutcomes = []TestOutcome{TestPasses, TestFails, TestNotBuilt, TestTimeout, TestLimit, TestBroken}

// Proof is the conclusion from a test.
type Proof string

const (
	ProvesNothing    Proof = ""
	ProvesRegression Proof = "regression" // the change breaks working behavior
	ProvesNew        Proof = "new"        // the behavior of new code
	ProvesOlder      Proof = "older"      // the behavior of the code, before the change too
	ProvesContrary   Proof = "contrary"   // the code passes a test that should fail
)

// TestDoubt is the reason why a test shows nothing.
type TestDoubt string

// The doubts, apart from the names of outcomes.
const (
	TestFlaky  TestDoubt = "flaky"
	TestNoBase TestDoubt = "base" // the run on the base did not end by itself
)

// TestRef names a test by its path and content, to recognize the same test.
func TestRef(path, content string) string {
	sum := sha256.Sum256([]byte(path + "\x00" + content))
	return testRef + hex.EncodeToString(sum[:6])
}

const testRef = "test:"

// on is the outcome of the n-th run on a side, "" if there is none.
func (t TestRun) on(side Side, n int) TestOutcome {
	runs := lists.Keep(t.Runs, func(r SideRun) bool { return r.Side == side })
	if n >= len(runs) {
		return ""
	}
	return runs[n].Outcome
}

// Proves is the conclusion from the outcomes, or the reason why there is none. A test proves
// only its own assertions: the parties weigh whether those are the claim.
func (t TestRun) Proves() (Proof, TestDoubt) {
	head, again, base := t.on(Right, 0), t.on(Right, 1), t.on(Left, 0)
	switch {
	// It did not run on the head: it does not build, takes too long, needs too much.
	case head != TestPasses && head != TestFails:
		return ProvesNothing, TestDoubt(cmp.Or(head, TestBroken))
	// Two runs on the head differ.
	case head != again:
		return ProvesNothing, TestFlaky
	// It passes on the head: the code does what the test asserts.
	case head == TestPasses:
		return ProvesContrary, ""
	// It fails on the head and passes on the base: the change breaks this.
	case base == TestPasses:
		return ProvesRegression, ""
	// It fails on both: the change did not cause this.
	case base == TestFails:
		return ProvesOlder, ""
	// It fails on the head, and does not build on the base: it uses something new.
	case base == TestNotBuilt:
		return ProvesNew, ""
	}
	return ProvesNothing, TestNoBase
}

// pending reports whether a test waits for a later job.
func (t TestRun) pending() bool { return t.Sandbox == ByWorkflow && len(t.Runs) == 0 }

// Tested has the outcomes of the tests from a later job. It is hostile data, so these words are
// all of it.
type Tested struct {
	Results []TestResult `json:"results"` // in the order of Waiting
}

// TestResult has the outcomes of one test: on the head twice, then on the base. Without an
// outcome the test could not run.
type TestResult struct {
	Ref      string        `json:"ref"`
	Outcomes []TestOutcome `json:"outcomes"`
}

// Waiting are the tests for a later job. The debate goes on after it.
func (s State) Waiting() []TestRun { return s.Asking.waiting() }

func (a *Asking) waiting() []TestRun {
	if a.Wave == nil || !a.Wave.whole() {
		return nil
	}
	return lists.Keep(runsOf(a.Wave.Looks), TestRun.pending)
}

// Believed is the part of a later job's results that counts: the outcomes of each waiting test,
// if the job names it exactly once and in known words.
func (s State) Believed(said []TestResult) Tested {
	return Tested{lists.Map(s.Waiting(), func(t TestRun) TestResult {
		own := lists.Keep(said, func(r TestResult) bool { return r.Ref == t.Ref })
		if len(own) != 1 || own[0].odd() {
			return TestResult{Ref: t.Ref}
		}
		return own[0]
	})}
}

// odd reports whether no test can end like this.
func (r TestResult) odd() bool {
	unknown := func(o TestOutcome) bool { return !slices.Contains(testOutcomes, o) }
	return len(r.Outcomes) > 3 || slices.ContainsFunc(r.Outcomes, unknown)
}

// runs are the runs with these outcomes.
func (r TestResult) runs() []SideRun {
	if len(r.Outcomes) == 0 {
		return []SideRun{{Side: Right, Outcome: TestBroken}}
	}
	var runs []SideRun
	for i, outcome := range r.Outcomes {
		runs = append(runs, SideRun{Side: []Side{Right, Right, Left}[i], Outcome: outcome})
	}
	return runs
}

// tested takes the outcomes of the tests from a later job, and ends the wave.
func (m *reducer) tested(ev Tested) string {
	waiting := m.Asking.waiting()
	switch {
	case len(waiting) == 0:
		return "no test is waited for"
	case !slices.EqualFunc(ev.Results, waiting, func(r TestResult, t TestRun) bool { return r.Ref == t.Ref && !r.odd() }):
		return "these are not the tests that are waited for"
	}
	wave := m.Asking.Wave
	wave.Looks = lists.Changed(wave.Looks, func(l *Looked) {
		l.Seen = lists.Changed(l.Seen, func(seen *Seen) {
			if seen.Test == nil || !seen.Test.pending() {
				return
			}
			result := lists.Find(ev.Results, func(r TestResult) bool { return r.Ref == seen.Test.Ref })
			seen.Test = lists.Copied(seen.Test, func(t *TestRun) { t.Runs = result.runs() })
		})
	})
	m.Asking.Tested = true
	m.endWave()
	return ""
}

// MayTest is the number of tests that an ask may still run; 0: it may write none. It does not
// count the tests that others run at the same time.
func (s State) MayTest(ask Ask) int {
	if s.MayLook(ask) == 0 || s.Asking.Tested {
		return 0
	}
	return max(0, min(s.Received.Settings.Tests.Runs, maxTests)-testsOf(s.Asking.Looks)-testsOf(s.LooksOf(ask)))
}

// TestsLeft is the number of tests that the debate may still run.
func (s State) TestsLeft() int {
	wave := cmp.Or(s.Asking.Wave, &Wave{})
	return max(0, min(s.Received.Settings.Tests.Runs, maxTests)-testsOf(s.Asking.Looks)-testsOf(wave.Looks))
}

func testsOf(looks []Looked) int { return len(runsOf(looks)) }

// runsOf are the different tests in some looks.
func runsOf(looks []Looked) []TestRun {
	var all []TestRun
	for _, l := range looks {
		for _, seen := range l.Seen {
			if t := seen.Test; t != nil && !slices.ContainsFunc(all, func(o TestRun) bool { return o.Ref == t.Ref }) {
				all = append(all, *t)
			}
		}
	}
	return all
}

// TestRan is an earlier run of a test in this debate, nil if there is none.
func (s State) TestRan(ref string) *TestRun {
	all := runsOf(append(slices.Clip(s.Asking.Looks), cmp.Or(s.Asking.Wave, &Wave{}).Looks...))
	return lists.Pointer(all, func(t *TestRun) bool { return t.Ref == ref })
}

// odd returns the reason why no test can have such a record, or "".
func (t TestRun) odd() string {
	known := func(r SideRun) bool {
		return slices.Contains(testOutcomes, r.Outcome) && (r.Side == Right || r.Side == Left) && r.Millis >= 0
	}
	switch {
	case !strings.HasPrefix(t.Ref, testRef), len(t.Runs) == 0 && !t.pending(), len(t.Runs) > 3:
		return "it is no run of a test"
	case slices.ContainsFunc(t.Runs, func(r SideRun) bool { return !known(r) }):
		return "a test ends as none does"
	case strings.Count(t.Content, "\n") > MostTestLines, len(t.Content) > 4*MostTestBytes:
		return "a test is too long"
	}
	return ""
}

// proven makes evidence of the tests that a party cites about a claim: tests that fail on the
// head are for it, tests that pass there against it. A claim without a valid line cannot be
// proven: it has no place.
func (m *reducer) proven(c *Claim, list []Evidence, against bool) {
	slices.SortStableFunc(list, func(a, b Evidence) int { return isTest(a) - isTest(b) }) // the place of a claim is given by lines
	at := Claim{Evidence: list}.place()
	if c != nil {
		at = cmp.Or(c.place(), at)
	}
	for i := range list {
		e := &list[i]
		if e.Test == nil {
			continue
		}
		proof, _ := e.Test.Proves()
		switch {
		case proof == ProvesNothing, against != (proof == ProvesContrary):
			e.Why = "the test does not show this"
		case at.Path == "":
			e.Why = "no line says where the defect is"
		default:
			at.Quote = ""
			e.Type, e.CitationOK, e.Cite, e.Why = Execution, true, at, ""
			e.Older = proof == ProvesOlder
		}
	}
}

func isTest(e Evidence) int {
	if e.Test == nil {
		return 0
	}
	return 1
}

// older reports whether a test shows that the claimed behavior existed before the change, and
// the claim cites no promise of the change to repair it.
func (c Claim) older() bool {
	proven := lists.Keep(c.Evidence, func(e Evidence) bool { return e.CitationOK && e.Test != nil })
	promised := func(e Evidence) bool { return e.CitationOK && e.Cite.Path == BodyPath }
	return len(proven) > 0 && !slices.ContainsFunc(proven, func(e Evidence) bool { return !e.Older }) && !slices.ContainsFunc(c.Evidence, promised)
}
