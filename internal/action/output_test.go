package action_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/actiontest"
)

var declared = []string{"outcome", "disposition", "confidence", "p1", "p2", "p3", "decisions", "awaiting-human", "record", "report", "sarif", "head", "comment-url", "next"}

func TestSetOutputs(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "output")
	r, log := runner(map[string]string{"GITHUB_OUTPUT": path})
	o := action.Outputs{
		Outcome: debate.Consensus, Disposition: debate.Revise, Confidence: debate.RequiresInput, P1: 1, P3: 3, Decisions: 2, AwaitingHuman: 1,
		Record: "/srv/_temp/debate-1-1/record.jsonl", Report: `D:\a\_temp\grüße\report.html`,
		SARIF: "/srv/shop/debate.sarif", Head: strings.Repeat("a1", 20),
		CommentURL: "https://github.com/acme/shop/pull/2#issuecomment-492700400",
	}
	if err := r.SetOutputs(o); err != nil {
		t.Fatal(err)
	}
	got, err := actiontest.Values(read(t, path))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"outcome": "CONSENSUS", "disposition": "revise", "confidence": "REQUIRES_INPUT", "p1": "1", "p2": "0", "p3": "3",
		"decisions": "2", "awaiting-human": "1", "record": o.Record, "report": o.Report, "sarif": o.SARIF, "head": o.Head, "comment-url": o.CommentURL, "next": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outputs differ (-want +got):\n%s", diff)
	}
	if log.Len() != 0 {
		t.Errorf("outputs were logged: %q", log)
	}
}

func TestSetOutputsWithoutFile(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"", filepath.Join(t.TempDir(), "gone", "output")} {
		r, _ := runner(map[string]string{"GITHUB_OUTPUT": path})
		if err := r.SetOutputs(action.Outputs{}); err == nil {
			t.Errorf("SetOutputs into %q passed", path)
		}
	}
}

// TestOutputsCannotBreakOut: whatever the values, the file holds exactly the
// declared outputs with exactly these values, or nothing at all.
func TestOutputsCannotBreakOut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	hostile := rapid.Custom(func(t *rapid.T) string {
		part := rapid.SampledFrom([]string{
			"\n", "\r", "\r\n", "x=1", "x<<E", "_GitHubActionsFileCommandDelimeter_", "EOF", "ghadelimiter_", "\u2028", "\x00", "=", "<<", "$(id)", "`id`", "/", "https://a/", "keep", "\xff", " ",
		})
		return strings.Join(rapid.SliceOfN(rapid.OneOf(part, rapid.String()), 0, 6).Draw(t, "parts"), "")
	})
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		path := filepath.Join(dir, "output"+strings.Repeat("x", n%7))
		write(t, path, "")
		r, _ := runner(map[string]string{"GITHUB_OUTPUT": path})
		o := action.Outputs{P1: rapid.Int().Draw(t, "p1")}
		switch value := hostile.Draw(t, "value"); rapid.IntRange(0, 5).Draw(t, "where") {
		case 0:
			o.Outcome = debate.Outcome(value)
		case 1:
			o.Disposition = debate.Disposition(value)
		case 2:
			o.Confidence = debate.Confidence(value)
		case 3:
			o.Record = value
		case 4:
			o.Report = value
		case 5:
			o.CommentURL = value
		}
		err := r.SetOutputs(o)
		file := read(t, path)
		if err != nil {
			if file != "" {
				t.Fatalf("refused with %v, and wrote %q", err, file)
			}
			return
		}
		got, err := actiontest.Values(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(declared) || got["record"] != o.Record || got["comment-url"] != o.CommentURL || got["outcome"] != string(o.Outcome) {
			t.Fatalf("outputs %q from %+v", got, o)
		}
		for _, name := range declared {
			if _, there := got[name]; !there {
				t.Fatalf("no output %s in %q", name, got)
			}
		}
	})
}

func TestSummary(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "summary")
	r, _ := runner(map[string]string{"GITHUB_STEP_SUMMARY": path})
	if err := r.Summary("# Report"); err != nil {
		t.Fatal(err)
	}
	if err := r.Summary("More."); err != nil {
		t.Fatal(err)
	}
	if got := strings.ReplaceAll(read(t, path), "\r\n", "\n"); got != "# Report\nMore.\n" {
		t.Errorf("summary %q", got)
	}
}

// TestSummaryIsBounded: the runner drops a summary above 1 MiB, so none is, and
// what is left out is said.
func TestSummaryIsBounded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "summary")
	r, _ := runner(map[string]string{"GITHUB_STEP_SUMMARY": path})
	if err := r.Summary(strings.Repeat("```\n\u202e<details>é\n", 200_000)); err != nil {
		t.Fatal(err)
	}
	got := read(t, path)
	if len(got) > 1<<20 || !strings.HasPrefix(got, "The report is too large for this page.") {
		t.Errorf("%d bytes, beginning %q", len(got), got[:min(60, len(got))])
	}
	write(t, path, strings.Repeat("x", 1<<20-10))
	if err := r.Summary("this is too long"); err == nil || len(read(t, path)) > 1<<20 {
		t.Errorf("a full summary took more: %v", err)
	}
	r, _ = runner(nil)
	if err := r.Summary("x"); err == nil {
		t.Error("no file, no error")
	}
}
