package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestStats counts the recorded reviews of testdata/replay, each once, and names what it
// cannot count.
func TestStats(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	replay, err := filepath.Abs(filepath.Join("..", "..", "testdata", "replay"))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(replay, "tradeoff.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(w.home, "a/record.jsonl"), string(whole))
	write(t, filepath.Join(w.home, "b/record.jsonl"), string(whole[:len(whole)/2]))
	write(t, filepath.Join(w.home, "c.jsonl"), strings.Replace(string(whole), "claude", "clyde", 1))
	env := w.env()
	if code := Main([]string{"stats", replay, w.home}, env); code != 0 {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	got := strings.ReplaceAll(w.stdout.String(), w.home+string(filepath.Separator), "HOME/")
	want, err := os.ReadFile("testdata/stats.golden")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), filepath.ToSlash(got)); diff != "" {
		t.Errorf("testdata/stats.golden differs (-want +got):\n%s", diff)
	}

	w.stdout.Reset()
	if code := Main([]string{"stats", "--format", "json", replay}, env); code != 0 {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	var out statistics
	if err := json.Unmarshal(w.stdout.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	if out.Reviews != 6 || len(out.Skipped) != 0 {
		t.Errorf("%d reviews, %d skipped", out.Reviews, len(out.Skipped))
	}
	for _, m := range out.Models {
		if sum := m.Confirmed + m.Disputed + m.NotConfirmed + m.Dismissed + m.Known + m.NotDebated; sum != m.Findings {
			t.Errorf("%s has %d findings, and its counts make %d", m.Model, m.Findings, sum)
		}
	}
}

// TestStatsOfNobody: there are no reviews yet, and what is named does not exist.
func TestStatsOfNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if code := Main([]string{"stats"}, w.env()); code != 0 || w.stdout.String() != "0 reviews\n" {
		t.Errorf("exit code %d: %s%s", code, w.stdout.String(), w.stderr.String())
	}
	if code := Main([]string{"stats", "nowhere"}, w.env()); code != exitUsage {
		t.Errorf("exit code %d: %s", code, w.stderr.String())
	}
}
