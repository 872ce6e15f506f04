package engine

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

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
	s, err := r.Start(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
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
	recorded, err := json.Marshal(log.entries)
	if err != nil {
		t.Fatal(err)
	}
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
	s, err := r.Start(t.Context(), askedWithLooks(5))
	if err != nil {
		t.Fatal(err)
	}
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
func TestVerifyForeignTest(t *testing.T) {
	t.Parallel()
	_, log, _ := proving(t, &laboratory{head: debate.TestFails, again: debate.TestFails, base: debate.TestPasses}, &tester{})
	v, _ := seeking(t, searching(), callers)
	_, err := v.Verify(t.Context(), Expected{Received: log.entries[0].Event.(debate.Received)}, log.entries)
	if err == nil || !strings.Contains(err.Error(), "another process ran") {
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
		record, err := json.Marshal(log.entries)
		if err != nil {
			t.Fatal(err)
		}
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
