package cli

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/model/provider"
)

// world is a repository with one risky uncommitted file, and an environment
// whose clock and randomness are the same in every run.
type world struct {
	dir, home      string
	stdin          io.Reader
	stdout, stderr bytes.Buffer
	now            func() time.Time
	ctx            context.Context
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{dir: t.TempDir(), home: t.TempDir(), stdin: strings.NewReader(""), ctx: context.Background()}
	w.now = ticking(func() {})
	write(t, filepath.Join(w.dir, "db/migrations/1_a.up.sql"), "CREATE TABLE customers (id bigint);\n")
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "first"}} {
		cmd := exec.Command("git", append([]string{"-C", w.dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull} // no GIT_DIR of whoever tests
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write(t, filepath.Join(w.dir, "db/migrations/2_b.up.sql"), "DROP TABLE customers;\n")
	return w
}

// readFile and writeFile end the test if the system refuses.
func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func writeFile(t testing.TB, path string, data []byte, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, data, mode); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, []byte(text), 0o644)
}

// ticking is a clock that moves one second a call and tells of each call.
func ticking(tell func()) func() time.Time {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time {
		tell()
		at = at.Add(time.Second)
		return at
	}
}

// debate runs one command and returns its exit code.
func (w *world) debate(args ...string) int {
	w.stdout.Reset()
	w.stderr.Reset()
	return Main(args, w.env())
}

// known is an environment with the providers of the program.
var known = Env{Providers: provider.All()}

func (w *world) env() Env {
	return Env{
		Stdin: w.stdin, Stdout: &w.stdout, Stderr: &w.stderr, Dir: w.dir, Now: w.now, Wait: gh.Sleep,
		Getenv: func(name string) string {
			return map[string]string{"HOME": w.home, "PATH": os.Getenv("PATH")}[name]
		},
		Environ:   func() []string { return nil },
		Providers: provider.All(),
		Random:    rand.NewChaCha8([32]byte{}),
		Width:     func(io.Writer) (int, bool) { return 0, false },
		Interrupt: func() (context.Context, context.CancelFunc) { return context.WithCancel(w.ctx) },
	}
}

// TestInterruptAnywhere stops a review at every reading of its clock, which is
// once before each event, resumes it, and demands the outcome of a review that
// was never stopped.
func TestInterruptAnywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	record := filepath.Join(w.home, "whole.jsonl")
	if code := w.debate("-q", "review", "--uncommitted", "--record", record, "--format", "json"); code != exitHuman {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	want := lasting(w.stdout.String())

	stopped := 0
	for n := 1; ; n++ {
		record := filepath.Join(w.home, "stopped", string(rune('a'+n)), "record.jsonl")
		ctx, cancel := context.WithCancel(context.Background())
		calls := 0
		w.ctx = ctx
		w.now = ticking(func() {
			if calls++; calls == n {
				cancel()
			}
		})
		code := w.debate("-q", "review", "--uncommitted", "--record", record, "--format", "json")
		cancel()
		w.ctx, w.now = context.Background(), ticking(func() {})
		if code == exitHuman {
			break // the clock was not read that often
		}
		if code != exitInterrupted || !strings.Contains(w.stderr.String(), "interrupted") {
			t.Fatalf("stopped at reading %d: exit code %d, %s", n, code, w.stderr.String())
		}
		if _, err := os.Stat(record); err != nil {
			continue // nothing was begun, nothing is left behind
		}
		stopped++
		if !strings.Contains(w.stderr.String(), "debate resume "+record) {
			t.Errorf("stopped at reading %d: no word on how to go on: %s", n, w.stderr.String())
		}
		code = w.debate("-q", "review", "--uncommitted", "--resume", record, "--format", "json")
		if code != exitHuman {
			t.Fatalf("resumed at reading %d: exit code %d: %s", n, code, w.stderr.String())
		}
		if diff := cmp.Diff(want, lasting(w.stdout.String())); diff != "" {
			t.Errorf("stopped at reading %d, the resumed outcome differs:\n%s", n, diff)
		}
		if code := w.debate("replay", record); code != exitDone {
			t.Errorf("stopped at reading %d: the replay ends with %d: %s", n, code, w.stderr.String())
		}
	}
	if stopped < 6 {
		t.Errorf("only %d interruptions left a record", stopped)
	}
}

// lasting leaves out of a JSON result what two reviews of one change differ in.
func lasting(result string) string {
	var kept []string
	for _, line := range strings.Split(result, "\n") {
		differs := func(name string) bool { return strings.Contains(line, `"`+name+`"`) }
		if !slices.ContainsFunc([]string{"duration_ms", "record", "session_id", "asked_at", "started_at", "ended_at"}, differs) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// TestInterruptWaitingForInput: a Ctrl-C ends a command that waits for its
// standard input.
func TestInterruptWaitingForInput(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	reader, writer := io.Pipe()
	defer writer.Close()
	w.stdin = reader
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w.ctx = ctx
	if code := w.debate("-q", "review", "--patch", "-"); code != exitInterrupted {
		t.Errorf("exit code %d: %s", code, w.stderr.String())
	}
}

func TestSecretsStayOutOfEverything(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret := "ghp_" + "x7Kq2LmZ9vR4tB8nW1cJ5hD3sF6gA0pEyUiO"
	write(t, filepath.Join(w.dir, "deploy.py"), "token = \""+secret+"\"\n")
	record := filepath.Join(w.home, "r.jsonl")
	for _, format := range []string{"text", "json", "markdown", "html", "sarif"} {
		os.Remove(record)
		code := w.debate("review", "--uncommitted", "--record", record, "--format", format)
		if code != exitHuman {
			t.Fatalf("%s: exit code %d: %s", format, code, w.stderr.String())
		}
		if !strings.Contains(w.stdout.String(), "secrets/") {
			t.Errorf("%s: the secret was not found", format)
		}
		if strings.Contains(w.stdout.String()+w.stderr.String(), secret) {
			t.Errorf("%s shows the secret", format)
		}
		data, err := os.ReadFile(record)
		if err != nil || bytes.Contains(data, []byte(secret)) {
			t.Errorf("%s: the record holds the secret (%v)", format, err)
		}
	}
}

func TestUnwritableHomeStillReviews(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.home = filepath.Join(w.dir, "db/migrations/1_a.up.sql") // a file: nothing can be made below it
	if code := w.debate("review", "--uncommitted"); code != exitHuman {
		t.Errorf("exit code %d: %s", code, w.stderr.String())
	}
	if !strings.Contains(w.stderr.String(), "the record goes to") {
		t.Errorf("the other place of the record is not said: %s", w.stderr.String())
	}
}

// TestHelp: the help of each command fits a narrow terminal, in plain words, and the top leads to
// the documentation.
func TestHelp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	help := func(args ...string) string {
		if code := w.debate(append(args, "--help")...); code != exitDone {
			t.Errorf("%q: exit code %d", args, code)
		}
		text := w.stdout.String()
		for _, line := range strings.Split(text, "\n") {
			if utf8.RuneCountInString(line) > 80 {
				t.Errorf("%q: wider than 80 columns: %s", args, line)
			}
		}
		if found := clumsyWord().FindAllString(text, -1); len(found) > 0 {
			t.Errorf("%q: say it in other words: %q", args, found)
		}
		return text
	}
	top := help()
	if !strings.Contains(top, "\nDocumentation: https://") {
		t.Errorf("it does not name the documentation:\n%s", top)
	}
	commands := commandName().FindAllStringSubmatch(top, -1)
	if len(commands) < 15 {
		t.Fatalf("only %d commands in\n%s", len(commands), top)
	}
	for _, c := range commands {
		text := help(strings.Fields(c[1])...)
		if slices.Contains([]string{"review", "ask", "decide", "serve", "report", "explain", "init", "doctor"}, c[1]) && strings.Count(text, "\n    debate "+c[1]) != 3 {
			t.Errorf("%s has no three examples:\n%s", c[1], text)
		}
	}
}

var (
	commandName = lazyregexp.New(`(?m)^  ([a-z]+(?: [a-z]+)?)  `)
	clumsyWord  = lazyregexp.New(`(?i)\b(nobody|somebody|everybody|whoever|whatever|stands?|beside|mends?|mended|for ever|colours?|organisations?)\b`)
)
