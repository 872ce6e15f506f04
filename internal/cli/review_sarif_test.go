package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

const twoHunks = `diff --git a/a.go b/a.go
--- a/a.go
+++ b/a.go
@@ -1,3 +1,4 @@
 one
+two
 three
 four
`

func TestRelevantRuns(t *testing.T) {
	t.Parallel()
	set := patch.Parse([]byte(twoHunks), nil)
	got := relevant([]debate.Run{
		{Name: "elsewhere", Failed: true, Path: "b.go", StartLine: 2, EndLine: 2},
		{Name: "nowhere", Failed: true},
		{Name: "context", Failed: true, Path: "a.go", StartLine: 3, EndLine: 3},
		{Name: "changed", Failed: true, Path: "a.go", StartLine: 1, EndLine: 1 << 40},
		{Name: "whole file", Failed: true, Path: "a.go"},
	}, set)
	want := []debate.Run{
		{Ref: "sarif:1", Name: "context", Failed: true, Path: "a.go", StartLine: 3, EndLine: 3},
		{Ref: "sarif:2", Name: "changed", Failed: true, Path: "a.go", StartLine: 1, EndLine: 1 << 40, Changed: true},
		{Ref: "sarif:3", Name: "whole file", Failed: true, Path: "a.go"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	// Of too many, those that can support something are kept.
	var many []debate.Run
	for i := range 2 * maxRuns {
		many = append(many, debate.Run{Name: fmt.Sprint(i), Path: "a.go", StartLine: 4, EndLine: 4, Failed: i%4 == 3})
	}
	many = append(many, debate.Run{Name: "last", Path: "a.go", StartLine: 2, EndLine: 2, Failed: true})
	got = relevant(many, set)
	if len(got) != maxRuns || got[0].Name != "last" || !got[1].Failed || got[1].Name != "3" || got[maxRuns-1].Failed {
		t.Errorf("%d, first %+v, second %+v", len(got), got[0], got[1])
	}
}

// TestSARIFFlag: what is handed over is read before a record is begun, and a
// file that is no SARIF is a mistake of the command line.
func TestSARIFFlag(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good, bad := filepath.Join(w.home, "good.sarif"), filepath.Join(w.home, "bad,1.sarif")
	write(t, good, `{"version":"2.1.0","runs":[{"results":[
{"message":{"text":"a"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"db/migrations/2_b.up.sql"},"region":{"startLine":1}}}]},
{"message":{"text":"b"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"elsewhere.go"}}}]}]}]}`)
	write(t, bad, "{\n]")
	if code := w.debate("review", "--uncommitted", "--sarif", good, "--sarif", good); code != exitHuman || !strings.Contains(w.stderr.String(), "2 of 4 results") {
		t.Errorf("exit code %d: %s", code, w.stderr.String())
	}
	record := filepath.Join(w.home, "r.jsonl")
	for _, tt := range []struct {
		args []string
		said string
	}{
		{[]string{bad}, "bad,1.sarif: the file is no JSON: line 2"},
		{[]string{good, filepath.Join(w.home, "absent")}, "absent"},
		{[]string{"-"}, "standard input"},
		{strings.Fields(strings.Repeat(good+" ", maxSARIFFiles+1)), "at most 20"},
	} {
		args := []string{"-q", "review", "--uncommitted", "--record", record}
		for _, name := range tt.args {
			args = append(args, "--sarif", name)
		}
		if code := w.debate(args...); code != exitUsage || !strings.Contains(w.stderr.String(), tt.said) {
			t.Errorf("%s: exit code %d: %s", tt.said, code, w.stderr.String())
		}
		if exists(record) {
			t.Errorf("%s: a record was begun", tt.said)
		}
	}
}
