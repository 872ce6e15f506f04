package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/model/provider"
)

// demonstrated runs "debate demo" in a directory that does not exist, without a home and
// without a key. On a terminal it has 80 columns.
func demonstrated(t *testing.T, terminal bool, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, err bytes.Buffer
	code = Main(append([]string{"demo"}, args...), Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err,
		Getenv: func(string) string { return "" }, Environ: func() []string { return nil },
		Dir: "/nowhere", Now: time.Now, Wait: gh.Sleep, Random: strings.NewReader(""), Providers: provider.All(),
		Width:     func(w io.Writer) (int, bool) { return 80, terminal },
		Interrupt: func() (context.Context, context.CancelFunc) { return context.WithCancel(context.Background()) },
	})
	return out.String(), err.String(), code
}

// TestDemoHoldsADebate: nobody is asked for what is not recorded, every recorded answer is
// heard, and there is one finding of each kind to see.
func TestDemoHoldsADebate(t *testing.T) {
	t.Parallel()
	out, _, code := demonstrated(t, false, "--format", "json")
	var got struct {
		P1, Unresolved, Dismissed []struct{ Title string }
		Notes                     []string
		Conclusion                string
		Calls                     []struct {
			Party, Kind, Status string
			N                   int
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitDone {
		t.Fatalf("code %d, %v\n%s", code, err, out)
	}
	var replies map[string]json.RawMessage
	if err := json.Unmarshal(demoAnswers, &replies); err != nil {
		t.Fatal(err)
	}
	for _, call := range got.Calls {
		ask := fmt.Sprintf("%s/%d/%s", call.Kind, call.N, call.Party)
		if call.Status != "ok" {
			t.Errorf("%s: %s", ask, call.Status)
		}
		delete(replies, ask)
	}
	for ask := range replies {
		t.Errorf("nobody asks for %s", ask)
	}
	if len(got.Calls) > 12 {
		t.Errorf("the debate has %d calls: too many to read", len(got.Calls))
	}
	if len(got.P1) != 2 || len(got.Unresolved) != 1 || len(got.Dismissed) != 1 {
		t.Errorf("%d P1 confirmed, %d findings disputed, %d withdrawn; want 2, 1 and 1", len(got.P1), len(got.Unresolved), len(got.Dismissed))
	}
	if len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "a recorded example") {
		t.Errorf("the notes are %q", got.Notes)
	}
}

// TestDemoSaysWhatItIs: on a terminal and elsewhere, quick or not, with the command that
// writes the page.
func TestDemoSaysWhatItIs(t *testing.T) {
	t.Parallel()
	out, said, code := demonstrated(t, false)
	for _, want := range []string{
		"changes needed — 2 findings confirmed, 1 disputed", "recorded example", "no model was asked", "Gift card codes can be guessed (disputed)",
		"The result of the query is never closed (withdrawn)", `claude  objects: "`, "gemini  accepts the objection: ", "fix: if amount < 1 ||", "debate demo --quick --format html --output demo.html",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	if !strings.Contains(said, "debate: a recorded example") || code != exitDone {
		t.Errorf("code %d, on standard error:\n%s", code, said)
	}
	for _, format := range []string{"html", "markdown"} {
		page, _, _ := demonstrated(t, true, "--quick", "--format", format)
		if !strings.Contains(page, "recorded example") || strings.Contains(page, "demo.html") {
			t.Errorf("%s:\n%.2000s", format, page)
		}
	}
}

// TestDemoTakesItsTime: on a terminal it lasts about as long as somebody watches, and no
// time where nobody does. The clock is one of the test.
func TestDemoTakesItsTime(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		terminal bool
		args     []string
		from, to time.Duration
	}{
		"terminal":       {true, nil, 9 * time.Second, 12 * time.Second},
		"no terminal":    {false, nil, 0, 0},
		"quick":          {true, []string{"--quick"}, 0, 0},
		"nothing to see": {true, []string{"--quiet"}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				_, said, code := demonstrated(t, c.terminal, c.args...)
				if took := time.Since(began); took < c.from || took > c.to || code != exitDone {
					t.Errorf("it takes %v, want %v to %v; code %d", took, c.from, c.to, code)
				}
				if c.from > 0 && (!strings.Contains(said, "reply") || !strings.Contains(said, "Ctrl-C stops") || strings.Contains(said, "--resume")) {
					t.Errorf("what is seen meanwhile:\n%s", said)
				}
			})
		})
	}
}
