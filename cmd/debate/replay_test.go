package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/testkit/debatetest"
)

// record is given by hand when a new protocol version needs new records:
// go test ./cmd/debate -run Replay -record.
var record = flag.Bool("record", false, "record the debates of testdata/replay anew")

// replays are the recorded debates that must replay for ever, and the scripts
// that they were recorded from.
var replays = map[string]string{
	"consensus":       "confronted",
	"tradeoff":        "thin",
	"contested-panel": "panel_contested",
	"critical":        "critical_contested",
	"degraded":        "degraded_no_challenger",
	"superseded":      "superseded",
}

func TestReplay(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "testdata", "replay")
	for name, script := range replays {
		path := filepath.Join(dir, name+".jsonl")
		if *record {
			recordDebate(t, path, script)
		}
		cmd := exec.Command(os.Args[0], "replay", "--verbose", path)
		cmd.Env = surroundings(t.TempDir(), "BE_DEBATE=1")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if out, err := cmd.Output(); err != nil || !bytes.Contains(out, []byte("sealed by ")) {
			t.Errorf("%s does not replay: %v\n%s%s", name, err, out, stderr.Bytes())
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) != len(replays) {
		t.Errorf("%d records in %s, %d are known (%v)", len(files), dir, len(replays), err)
	}
}

// recordDebate plays a script and keeps it as the engine would.
func recordDebate(t *testing.T, path, name string) {
	t.Helper()
	script, err := debatetest.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	_, entries, err := debatetest.Run(script, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	log, err := store.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var state debate.State
	for _, e := range entries {
		if _, last := e.Event.(debate.Closed); last {
			if e.Event, err = state.Close(); err != nil {
				t.Fatal(err)
			}
			if e.Event, err = debate.Recorded(e.Event); err != nil {
				t.Fatal(err)
			}
		}
		if state, err = debate.Apply(state, e); err != nil {
			t.Fatal(err)
		}
		if err := log.Append(e); err != nil {
			t.Fatal(err)
		}
	}
}
