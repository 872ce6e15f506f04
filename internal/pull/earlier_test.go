package pull

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
)

// TestReadEarlier reads the state that the last build of version 4 sealed: two findings, one of them dismissed, a
// decision to merge, and five calls.
func TestReadEarlier(t *testing.T) {
	t.Parallel()
	block, err := os.ReadFile("testdata/checkpoint-4.md")
	if err != nil {
		t.Fatal(err)
	}
	data, _, err := comment.Open(nil, comment.Bind{}, string(block))
	if err != nil {
		t.Fatal(err)
	}
	m, is := readEarlier(data)
	switch d := m.Debate.Agenda.Decisions; {
	case !is, m.Version != checkpointVersion, !m.Stub, m.Debate.Protocol != debate.ProtocolVersion, m.Debate.HeadSHA != "":
		t.Errorf("%t: version %d, %+v", is, m.Version, m.Debate)
	case len(d) != 1, d[0].Outcome != debate.HumanDecided, d[0].Human.By != "mona", d[0].Human.Option != "keep", d[0].LinkedHash == "":
		t.Errorf("decisions: %+v", d)
	case len(d[0].Human.Accepted) == 0, d[0].Human.Accepted[0].Key == "":
		t.Errorf("accepted findings: %+v", d[0].Human)
	}
	command := CommandID{3000001032, 0}
	if !m.handled(command) || len(m.Dismissed) != 1 || m.Dismissed[0] != (Dismissed{By: command, F: "F2", Text: "2d39a90c1409c9b4533609cd", Severity: debate.P2}) {
		t.Errorf("commands %v, dismissals %+v", m.Handled, m.Dismissed)
	}
	if m.Issue != 2 || m.NextF != 3 || m.named("F1").Key == "" || m.BaseRef != "main" || !m.spent().Unpriced {
		t.Errorf("%+v", m)
	}
}

func TestReadEarlierRefuses(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing":              "",
		"no object":            "[]",
		"another checkpoint":   `{"v":1,"debate":{"protocol":"4"}}`,
		"another protocol":     `{"v":2,"debate":{"protocol":"3"}}`,
		"a member of no sense": `{"v":2,"debate":{"protocol":"4"},"handled":["a"]}`,
	} {
		if m, is := readEarlier([]byte(text)); is {
			t.Errorf("%s: %+v", name, m)
		}
	}
	waived := `{"v":2,"debate":{"protocol":"4"},"waived":[{"comment":7,"head":"abc"}],"earlier":5}`
	m, is := readEarlier([]byte(waived))
	if got, err := json.Marshal(m.Waived); err != nil || !is || !strings.Contains(string(got), `{"by":[7,0],"head":"abc"}`) || m.spent().Micro != 5 {
		t.Errorf("%t: %s, %v", is, got, err)
	}
}
