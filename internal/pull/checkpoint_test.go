package pull

import (
	"encoding/json"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// A checkpoint of another version is not read, however well it is sealed: its fields may
// mean something else.
func TestACheckpointOfAnotherVersionIsNotRead(t *testing.T) {
	t.Parallel()
	key, p := []byte("key"), gh.Pull{Number: 7}
	for name, m := range map[string]Checkpoint{
		"ours":                {Version: checkpointVersion, Debate: debate.Memory{Protocol: debate.ProtocolVersion}},
		"a newer checkpoint":  {Version: checkpointVersion + 1, Debate: debate.Memory{Protocol: debate.ProtocolVersion}},
		"an older checkpoint": {Version: checkpointVersion - 1, Debate: debate.Memory{Protocol: debate.ProtocolVersion}},
		"no version":          {Debate: debate.Memory{Protocol: debate.ProtocolVersion}},
		"a newer protocol":    {Version: checkpointVersion, Debate: debate.Memory{Protocol: debate.ProtocolVersion + "1"}},
	} {
		m.NextF = 5
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		block, err := comment.Seal(key, bind(p), data)
		if err != nil {
			t.Fatal(err)
		}
		got, trusted, note := openCheckpoint(key, p, &gh.Comment{Body: block})
		if read := name == "ours"; trusted != read || (got.NextF == 5) != read || (note == "") != read {
			t.Errorf("%s: trusted %t, note %q, %+v", name, trusted, note, got)
		}
	}
}

// A dismissal is bound to the text of its finding only where no other finding was
// ever on that text, and to a severity in any case.
func TestDismissalIsBound(t *testing.T) {
	t.Parallel()
	m := Checkpoint{Names: []Name{
		{F: "F1", Key: "aa-0", Severity: debate.P2}, {F: "F2", Key: "bb-0", Severity: debate.P1}, {F: "F3", Key: "bb-1", Gone: true},
	}}
	for f, want := range map[string]Dismissed{
		"F1": {Comment: 9, F: "F1", Text: "aa", Severity: debate.P2},
		"F2": {Comment: 9, F: "F2", Severity: debate.P1},
		"F3": {Comment: 9, F: "F3", Severity: debate.P3},
	} {
		if got, known := m.dismissal(9, f); got != want || !known {
			t.Errorf("%s: %+v, %t", f, got, known)
		}
	}
	if got, known := m.dismissal(9, "F4"); known {
		t.Errorf("nobody named F4, and it is %+v", got)
	}
}

// A stub forgets the debate and nothing that costs or binds.
func TestStubKeepsWhatMustNotBeForgotten(t *testing.T) {
	t.Parallel()
	m := Checkpoint{
		Debate:  debate.Memory{Protocol: debate.ProtocolVersion, SessionID: "s", HeadSHA: "h", Asking: debate.Asking{Calls: []debate.Call{{Usage: debate.Usage{CostMicro: 5}}}}},
		Earlier: 7, NextF: 3, Handled: []int64{1}, Names: []Name{{F: "F1", Key: "aa-0", Claim: "C1"}},
		Dismissed: []Dismissed{{Comment: 1, F: "F1", Text: "aa"}}, Waived: []Waived{{Comment: 2, Head: "h"}},
	}
	m.Debate.Agenda.Decisions = []debate.Decision{
		{ID: "D0", Fingerprint: "f0", Outcome: debate.HumanDecided, LinkedHash: "l", Human: &debate.Human{Option: "reject", By: "mona"}},
		{ID: "D1", Fingerprint: "f1", Outcome: debate.AwaitingHuman, Human: &debate.Human{}},
	}
	before, _ := m.spent()
	s := m.stub()
	if p := s.Debate.Previous().Decisions; len(p) != 1 || p[0].Fingerprint != "f0" || p[0].Option != "reject" || p[0].LinkedHash != "l" {
		t.Errorf("what people decided: %+v", p)
	}
	if after, _ := s.spent(); after != before || before == 0 || !s.Stub || s.Debate.HeadSHA != "h" || len(s.Debate.Asking.Calls) > 0 {
		t.Errorf("%d is %d, %+v", before, after, s)
	}
	if len(s.Dismissed) != 1 || len(s.Waived) != 1 || len(s.Handled) != 1 || s.NextF != 3 || s.Names[0].F != "F1" || s.Names[0].Claim != "" {
		t.Errorf("%+v", s)
	}
	if m.Names[0].Claim != "C1" {
		t.Error("the checkpoint itself has changed")
	}
}
