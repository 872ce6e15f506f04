package engine

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// laboratory ends every test in one way.
type laboratory struct {
	head, again, base debate.TestOutcome
	mu                sync.Mutex
	ran               []string
}

func (l *laboratory) Test(_ context.Context, look debate.Look) (*debate.TestRun, debate.Withheld) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ran = append(l.ran, look.Path)
	if look.Path == "taken_test.go" {
		return nil, debate.LookTestTaken
	}
	run := &debate.TestRun{
		Ref: debate.TestRef(look.Path, look.Content), Path: look.Path, Content: look.Content, Command: []string{"go", "test"}, Sandbox: "bubblewrap",
	}
	for i, outcome := range []debate.TestOutcome{l.head, l.again, l.base} {
		if outcome != "" {
			run.Runs = append(run.Runs, debate.SideRun{
				Side: []debate.Side{debate.Right, debate.Right, debate.Left}[i], Outcome: outcome, Exit: 1, Output: "\x1b[31mFAIL\x1b[0m\n::error::x\n" + lookToken,
			})
		}
	}
	return run, ""
}

// tester is every party. Its primary has a test run, and raises a claim that cites a line
// and the test; the others agree, or object with a test of their own.
type tester struct {
	objects bool
	mu      sync.Mutex
	sent    []string
}

const claimTest = `package run\nfunc TestClaim(t *testing.T) {}\n`

func (s *tester) Ask(_ context.Context, req model.Request) (model.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, req.Turn+req.Looked)
	t := readTurn(req)
	content, path := claimTest, "claim_test.go"
	reply := object{"summary": "reviewed", "recommendation": "revise", "disposition": "revise", "confidence": "HIGH", "verdict": "agree", "objection_strength": "none"}
	look := func() (model.Response, error) {
		return model.Response{Text: `{"look": [{"test": {"path": "` + path + `", "content": "` + content + `", "claim": "it breaks"}}]}`}, nil
	}
	run := object{"run_ref": debate.TestRef(path, strings.ReplaceAll(content, `\n`, "\n"))}
	switch {
	case t.Envelope.Call == "OPEN" && t.Envelope.Party == "gpt":
		if req.Looked == "" {
			return look()
		}
		reply["claims"] = []object{{
			"kind": "empirical", "severity": "P2", "category": "correctness", "title": "It breaks", "body": "With an argument it breaks.",
			"ref": []object{shownLine(req.Packet, "exec serve"), run},
		}}
	}
	var evaluations []object
	for _, c := range t.Claims {
		switch {
		case c.OwnerIsYou:
		case s.objects:
			evaluations = append(evaluations, object{"claim": c.ID, "class": "REJECT", "flaw": "the test passes", "supports": "contradicts", "ref": []object{run}})
		default:
			evaluations = append(evaluations, object{"claim": c.ID, "class": "AGREE", "flaw": "", "supports": "supports", "ref": []object{run}})
		}
	}
	reply["evaluations"] = evaluations
	data, err := json.Marshal(reply)
	return model.Response{Text: string(data)}, err
}

func proving(t *testing.T, lab *laboratory, party *tester) (*Review, *memory, debate.State) {
	t.Helper()
	r, log := seeking(t, searching(), callers)
	for id := range r.Clients {
		r.Clients[id] = party
	}
	r.Tester = lab
	in := askedWithLooks(5)
	in.Settings.Tests = debate.Tests{Runs: 3, Command: "go test ./{dir} -run ^{test}$", Files: []string{"**/*_test.go"}}
	s := started(t, r, in)
	return r, log, s
}

// A test that fails on the head and passes on the base is evidence of the highest rank.
// It is run once, and its output is recorded without secrets and control characters.
func TestProven(t *testing.T) {
	t.Parallel()
	lab, party := &laboratory{head: debate.TestFails, again: debate.TestFails, base: debate.TestPasses}, &tester{}
	_, log, s := proving(t, lab, party)
	if len(s.Book.Claims) == 0 {
		t.Fatal("nothing was raised")
	}
	c := s.Book.Claims[0]
	if c.EvidenceType != debate.Execution || c.OutOfScope || c.Cite().Path != "run.sh" {
		t.Errorf("%s at %s: %+v", c.EvidenceType, c.Cite(), c.Evidence)
	}
	if len(lab.ran) != 1 {
		t.Errorf("the test ran %d times", len(lab.ran))
	}
	recorded := inJSON(t, log.entries)
	for _, never := range []string{lookToken, "\\u001b["} {
		if strings.Contains(string(recorded), never) {
			t.Errorf("the record holds %q", never)
		}
	}
	offered := 0
	for _, sent := range party.sent {
		if strings.Contains(sent, "A test can prove a claim") {
			offered++
		}
		if strings.Contains(sent, `"call":"JUDGE`) && strings.Contains(sent, "A test can prove") {
			t.Error("a judge is offered a test")
		}
	}
	if offered == 0 {
		t.Error("nobody is offered a test")
	}
}

// A test is evidence only for the result it shows; a party that cites more is told why.
func TestNotProven(t *testing.T) {
	t.Parallel()
	for name, lab := range map[string]*laboratory{
		"flaky":     {head: debate.TestFails, again: debate.TestPasses, base: debate.TestPasses},
		"passes":    {head: debate.TestPasses, again: debate.TestPasses},
		"not built": {head: debate.TestNotBuilt},
		"no base":   {head: debate.TestFails, again: debate.TestFails, base: debate.TestBroken},
	} {
		_, _, s := proving(t, lab, &tester{})
		for _, c := range s.Book.Claims {
			if c.EvidenceType == debate.Execution {
				t.Errorf("%s: %+v", name, c.Evidence)
			}
		}
	}
	_, _, s := proving(t, &laboratory{head: debate.TestFails, again: debate.TestFails, base: debate.TestFails}, &tester{})
	if c := s.Book.Claims[0]; !c.OutOfScope {
		t.Errorf("a defect that is older is in scope: %+v", c.Evidence)
	}
}

// Without the settings nothing is offered, and who asks all the same is refused. A resumed
// review does not run a test again.
func TestTestsOff(t *testing.T) {
	t.Parallel()
	r, _ := seeking(t, searching(), callers)
	party := &tester{}
	for id := range r.Clients {
		r.Clients[id] = party
	}
	lab := &laboratory{head: debate.TestFails, again: debate.TestFails, base: debate.TestPasses}
	r.Tester = lab
	s := started(t, r, askedWithLooks(5))
	if len(lab.ran) > 0 {
		t.Error("a test was run")
	}
	for _, c := range s.Book.Claims {
		if c.EvidenceType == debate.Execution {
			t.Error("a run that nobody made is evidence")
		}
	}
	for _, sent := range party.sent {
		if strings.Contains(sent, "A test can prove") {
			t.Error("a test is offered")
		}
	}

	lab = &laboratory{head: debate.TestFails, again: debate.TestFails, base: debate.TestPasses}
	_, log, whole := proving(t, lab, &tester{})
	at := 0
	for i, e := range log.entries {
		if _, ok := e.Event.(debate.Looked); ok {
			at = i + 1
		}
	}
	again, _ := seeking(t, searching(), callers)
	for id := range again.Clients {
		again.Clients[id] = &tester{}
	}
	none := &laboratory{}
	again.Tester = none
	resumed, err := again.Resume(t.Context(), log.entries[:at])
	if err != nil || len(none.ran) > 0 {
		t.Errorf("%v, ran %v", err, none.ran)
	}
	if len(resumed.Book.Claims) != len(whole.Book.Claims) || resumed.Book.Claims[0].EvidenceType != debate.Execution {
		t.Errorf("resumed: %+v", resumed.Book.Claims)
	}
}

// A test that passes on the head is evidence against a claim, and none for it.
func TestContrary(t *testing.T) {
	t.Parallel()
	_, _, s := proving(t, &laboratory{head: debate.TestPasses, again: debate.TestPasses}, &tester{objects: true})
	if c := s.Book.Claims[0]; c.EvidenceType == debate.Execution || c.Bucket == debate.Agreed {
		t.Errorf("%s in %s: %+v", c.EvidenceType, c.Bucket, c.Evidence)
	}
	shown := false
	for _, k := range s.Book.Challenges {
		for _, e := range k.Evidence {
			shown = shown || k.Shown && e.Type == debate.Execution && e.Test != nil
		}
	}
	if !shown {
		t.Errorf("the test is no objection of weight: %+v", s.Book.Challenges)
	}
}

// No process believes the run of a test that another one recorded.
func TestRebuildForeignTest(t *testing.T) {
	t.Parallel()
	_, log, _ := proving(t, &laboratory{head: debate.TestFails, again: debate.TestFails, base: debate.TestPasses}, &tester{})
	v, _ := seeking(t, searching(), callers)
	v.Tester = &laboratory{head: debate.TestFails, again: debate.TestFails, base: debate.TestPasses}
	_, _, err := v.Rebuild(t.Context(), Expected{Received: log.entries[0].Event.(debate.Received)}, log.entries, said(log.entries))
	if !errors.As(err, new(*ForgedError)) || len(v.Tester.(*laboratory).ran) > 0 {
		t.Errorf("%v", err)
	}
}

// A debate without the settings sends every party the same bytes, whether or not this
// machine could run tests, and its record has no word of them.
func TestTestsOffSameBytes(t *testing.T) {
	t.Parallel()
	held := func(lab Tester, runs int) (sent string, record []byte) {
		r, log := seeking(t, searching(), callers)
		party := &listener{}
		for id := range r.Clients {
			r.Clients[id] = party
		}
		r.Tester = lab
		in := askedWithLooks(5)
		in.Settings.Tests.Runs = runs
		if _, err := r.Start(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		record = inJSON(t, log.entries)
		slices.Sort(party.sent) // parties are asked at the same time
		return strings.Join(party.sent, "\n"), record
	}
	without, record := held(nil, 0)
	able, _ := held(&laboratory{}, 0)
	offered, _ := held(&laboratory{}, 3)
	if without == "" || able != without {
		t.Errorf("%d bytes are sent, and %d with a machine that could run tests", len(without), len(able))
	}
	if offered == without {
		t.Error("the offer of tests is not sent, so that this compares nothing")
	}
	if strings.Contains(string(record), `"tests":`) || strings.Contains(string(record), `"test":`) {
		t.Errorf("the record tells of tests: %s", record)
	}
}

// listener keeps all that parties are sent, and has nothing to say.
type listener struct {
	mu   sync.Mutex
	sent []string
}

func (l *listener) Ask(_ context.Context, req model.Request) (model.Response, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all, err := json.Marshal(req)
	l.sent = append(l.sent, string(all))
	return model.Response{Text: `{"summary": "reviewed", "recommendation": "keep", "disposition": "keep", "confidence": "HIGH", "verdict": "agree", "objection_strength": "none", "claims": [], "evaluations": []}`}, err
}

// waiting is a debate that stands still until a later job has run its only test.
func waiting(t *testing.T) (*Review, *memory, debate.State) {
	t.Helper()
	r, log := seeking(t, searching(), callers)
	for id := range r.Clients {
		r.Clients[id] = &tester{}
	}
	r.Tester = readying{}
	s := started(t, r, testedLater())
	if work := debate.Outstanding(s); len(work) != 1 || work[0].Kind != debate.DoTests || len(s.Waiting()) != 1 {
		t.Fatalf("the debate does not wait for its test: %+v, %+v", work, s.Waiting())
	}
	return r, log, s
}

func testedLater() debate.Received {
	in := askedWithLooks(5)
	in.Settings.Tests = debate.Tests{Runs: 3, Command: "go test ./{dir} -run ^{test}$", Files: []string{"**/*_test.go"}, Later: true}
	return in
}

// readying readies tests for a later job.
type readying struct{}

func (readying) Test(_ context.Context, look debate.Look) (*debate.TestRun, debate.Withheld) {
	return &debate.TestRun{
		Ref: debate.TestRef(look.Path, look.Content), Path: look.Path, Content: look.Content, Command: []string{"go", "test"}, Sandbox: debate.ByWorkflow,
	}, ""
}

// Results of a later job are believed if each test has one, in known words. The debate goes
// on with them, and runs no more tests; a process that publishes believes only the results
// that it has itself.
func TestTestsOfALaterJob(t *testing.T) {
	t.Parallel()
	_, log, s := waiting(t)
	ref := s.Waiting()[0].Ref
	fails, passes := debate.TestFails, debate.TestPasses
	proof := []debate.TestOutcome{fails, fails, passes}
	for name, c := range map[string]struct {
		said  []debate.TestResult
		shows debate.EvidenceType
	}{
		"proven":       {[]debate.TestResult{{Ref: ref, Outcomes: proof}}, debate.Execution},
		"and others":   {[]debate.TestResult{{Ref: "test:other", Outcomes: proof}, {Ref: ref, Outcomes: proof}}, debate.Execution},
		"contrary":     {[]debate.TestResult{{Ref: ref, Outcomes: []debate.TestOutcome{passes, passes}}}, debate.Textual},
		"missing":      {nil, debate.Textual},
		"of another":   {[]debate.TestResult{{Ref: "test:other", Outcomes: proof}}, debate.Textual},
		"twice":        {[]debate.TestResult{{Ref: ref, Outcomes: proof}, {Ref: ref, Outcomes: proof}}, debate.Textual},
		"unknown word": {[]debate.TestResult{{Ref: ref, Outcomes: []debate.TestOutcome{fails, fails, "PASSES"}}}, debate.Textual},
		"too many":     {[]debate.TestResult{{Ref: ref, Outcomes: []debate.TestOutcome{fails, fails, passes, passes}}}, debate.Textual},
	} {
		believed := s.Believed(c.said)
		again, whole := seeking(t, searching(), callers)
		for id := range again.Clients {
			again.Clients[id] = &tester{}
		}
		now := ticking()
		again.Tester, again.Now = readying{}, func() int64 { return now() + 600_000 } // the job takes its time
		for _, e := range log.entries {
			if err := whole.Append(e); err != nil {
				t.Fatal(err)
			}
		}
		after, err := again.Resume(t.Context(), log.entries, believed)
		if err != nil || len(after.Book.Claims) == 0 || len(debate.Outstanding(after)) > 0 && debate.Outstanding(after)[0].Kind == debate.DoTests {
			t.Errorf("%s: %v, %+v", name, err, debate.Outstanding(after))
			continue
		}
		if got := after.Book.Claims[0].EvidenceType; got != c.shows || after.TestsLeft() > 0 && after.MayTest(debate.Ask{Kind: debate.CallRebut}) > 0 {
			t.Errorf("%s: the claim rests on %s, want %s", name, got, c.shows)
		}
		folded, err := debate.Fold(whole.entries)
		if err != nil || folded.Book.Claims[0].EvidenceType != c.shows {
			t.Errorf("%s: a replay comes to something else: %v", name, err)
		}
		published := slices.IndexFunc(whole.entries, func(e debate.Entry) bool { return debate.KindOf(e.Event) == debate.KindPublished })
		v, _ := seeking(t, searching(), callers)
		v.Tester, v.Now = readying{}, func() int64 { return 1_700_010_000_000 }
		state, _, err := v.Rebuild(t.Context(), Expected{Received: testedLater(), Results: c.said}, whole.entries[:published], said(whole.entries))
		if err != nil || state.Book.Claims[0].EvidenceType != c.shows {
			t.Errorf("%s: rebuilt: %v", name, err)
		}
		v, _ = seeking(t, searching(), callers)
		v.Tester, v.Now = readying{}, func() int64 { return 1_700_010_000_000 }
		state, _, err = v.Rebuild(t.Context(), Expected{Received: testedLater()}, whole.entries[:published], said(whole.entries))
		if err == nil && state.Book.Claims[0].EvidenceType != debate.Textual {
			t.Errorf("%s: a result that only the record knows counts", name)
		}
	}
}

// What a record says of a test more than this process readies, does not count.
func TestRebuildReadiedTest(t *testing.T) {
	t.Parallel()
	_, log, s := waiting(t)
	if s.Asking.Tested {
		t.Error("the tests count as run")
	}
	for name, forge := range map[string]func(*debate.TestRun){
		"none":             func(*debate.TestRun) {},
		"another content":  func(r *debate.TestRun) { r.Content = "package run\n" },
		"another command":  func(r *debate.TestRun) { r.Command = []string{"curl"} },
		"results":          func(r *debate.TestRun) { r.Runs = []debate.SideRun{{Side: debate.Right, Outcome: debate.TestFails}} },
		"another sandbox":  func(r *debate.TestRun) { r.Sandbox = "bubblewrap" },
		"of another name":  func(r *debate.TestRun) { r.Ref = "test:000000000000" },
		"at another place": func(r *debate.TestRun) { r.Path = "other_test.go" },
	} {
		entries := slices.Clone(log.entries)
		for i, e := range entries {
			looked, is := e.Event.(debate.Looked)
			if !is {
				continue
			}
			run := *looked.Seen[0].Test
			forge(&run)
			looked.Seen = slices.Clone(looked.Seen)
			looked.Seen[0].Test = &run
			entries[i].Event = looked
		}
		v, _ := seeking(t, searching(), callers)
		v.Tester = readying{}
		state, _, err := v.Rebuild(t.Context(), Expected{Received: testedLater()}, entries, said(log.entries))
		if diff := cmp.Diff(s.Waiting(), state.Waiting()); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}
