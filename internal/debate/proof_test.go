package debate

import (
	"strings"
	"testing"
)

// What a test shows by how it ended, in every combination.
func TestProves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		head, again, base TestOutcome
		want              Proof
		doubt             TestDoubt
	}{
		{TestFails, TestFails, TestPasses, ProvesRegression, ""},
		{TestFails, TestFails, TestFails, ProvesOlder, ""},
		{TestFails, TestFails, TestNotBuilt, ProvesNew, ""},
		{TestPasses, TestPasses, "", ProvesContrary, ""},
		{TestPasses, TestPasses, TestFails, ProvesContrary, ""},
		{TestFails, TestPasses, TestPasses, ProvesNothing, TestFlaky},
		{TestPasses, TestFails, TestPasses, ProvesNothing, TestFlaky},
		{TestFails, "", TestPasses, ProvesNothing, TestFlaky},
		{TestFails, TestTimeout, TestPasses, ProvesNothing, TestFlaky},
		{TestNotBuilt, TestNotBuilt, TestNotBuilt, ProvesNothing, "not_built"},
		{TestNotBuilt, TestNotBuilt, TestPasses, ProvesNothing, "not_built"},
		{TestTimeout, TestTimeout, TestPasses, ProvesNothing, "timeout"},
		{TestLimit, "", "", ProvesNothing, "limit"},
		{TestBroken, "", "", ProvesNothing, "broken"},
		{"", "", "", ProvesNothing, "broken"},
		{TestFails, TestFails, TestTimeout, ProvesNothing, TestNoBase},
		{TestFails, TestFails, TestLimit, ProvesNothing, TestNoBase},
		{TestFails, TestFails, TestBroken, ProvesNothing, TestNoBase},
		{TestFails, TestFails, "", ProvesNothing, TestNoBase},
	} {
		run := TestRun{Runs: []SideRun{{Side: Right, Outcome: c.head}, {Side: Right, Outcome: c.again}, {Side: Left, Outcome: c.base}}}
		if proof, doubt := run.Proves(); proof != c.want || doubt != c.doubt {
			t.Errorf("%s, %s, %s: %q (%q), want %q (%q)", c.head, c.again, c.base, proof, doubt, c.want, c.doubt)
		}
	}
	if proof, _ := (TestRun{}).Proves(); proof != ProvesNothing {
		t.Error("no run proves something")
	}
}

func ranAt(path string) Looked {
	return Looked{Ask: "A", Seen: []Seen{{Look: Look{Kind: LookTest, Path: path}, Test: &TestRun{
		Ref: TestRef(path, ""), Path: path, Runs: []SideRun{{Side: Right, Outcome: TestFails}},
	}}}}
}

// Tests are bounded for the whole debate, and only those who may look may write them.
func TestMayTest(t *testing.T) {
	t.Parallel()
	s := asking(CallOpen, 12)
	a := s.Asking.Wave.Asks[0]
	if s.MayTest(a) != 0 {
		t.Error("tests are run though the settings name none")
	}
	m := (&reducer{State: &s, step: &Step{}})
	if why := m.looked(ranAt("a_test.go")); !strings.Contains(why, "more tests") {
		t.Errorf("a test that nobody allows is refused with %q", why)
	}
	s.Received.Settings.Tests.Runs = 2
	for _, path := range []string{"a_test.go", "a_test.go", "b_test.go"} { // one of them twice
		if why := m.looked(ranAt(path)); why != "" {
			t.Fatal(why)
		}
	}
	if s.MayTest(a) != 0 || s.TestsLeft() != 0 || s.TestRan(TestRef("b_test.go", "")) == nil || s.TestRan("test:x") != nil {
		t.Errorf("%d may be run, %d are left", s.MayTest(a), s.TestsLeft())
	}
	if b := s.Asking.Wave.Asks[1]; s.MayTest(b) != 2 {
		t.Errorf("what others run at the same time is known: %d", s.MayTest(b))
	}
	judged := asking(CallJudge1, 12)
	judged.Received.Settings.Tests.Runs = 2
	if judged.MayTest(judged.Asking.Wave.Asks[0]) != 0 {
		t.Error("a judge may write tests")
	}
	for _, odd := range []TestRun{
		{Ref: "check:1", Runs: []SideRun{{Side: Right, Outcome: TestFails}}}, {Ref: "test:1"}, {Ref: "test:1", Runs: []SideRun{{Side: Right, Outcome: "well"}}},
		{Ref: "test:1", Runs: []SideRun{{Outcome: TestFails}}}, {Ref: "test:1", Content: strings.Repeat("\n", 300), Runs: []SideRun{{Side: Left, Outcome: TestFails}}},
	} {
		if odd.odd() == "" {
			t.Errorf("%+v is accepted", odd)
		}
	}
}
