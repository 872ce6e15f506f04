package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/redact"
)

// TestFramings: the flag, the page and the protocol know the same framings, and
// the page says of each who opens and with which stance.
func TestFramings(t *testing.T) {
	t.Parallel()
	var want []string
	for _, f := range debate.Framings() {
		want = append(want, string(f))
	}
	field, _ := reflect.TypeFor[askCmd]().FieldByName("Framing")
	if diff := cmp.Diff(strings.Join(want, ","), field.Tag.Get("enum")); diff != "" {
		t.Errorf("the flag differs:\n%s", diff)
	}
	page := readFile(t, filepath.Join("..", "..", "docs", "ask.md"))
	var listed []string
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if !strings.HasPrefix(line, "| `") || len(cells) != 7 {
			continue
		}
		name := strings.Trim(cells[1], " `")
		listed = append(listed, name)
		for _, cell := range cells[2:6] {
			if strings.TrimSpace(cell) == "" {
				t.Errorf("the page leaves out something about %s", name)
			}
		}
		if everybody := strings.TrimSpace(cells[3]) == "every model"; everybody != (name == string(debate.FramingParallel)) {
			t.Errorf("%s: every model opens: %v", name, everybody)
		}
	}
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("docs/ask.md differs:\n%s", diff)
	}
}

func TestMentions(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("a/b.go ", 3) + strings.Repeat("`Name` ", 3)
	for i := range 300 {
		many += " d/" + strings.Repeat("x", i+1) + ".go"
	}
	for _, tt := range []struct {
		text               string
		paths, identifiers []string
	}{
		{"Redis or Memcached? It is 3 times faster, e.g. here", []string{"e.g"}, nil},
		{"See internal/a.go:12, b.go:3-9 and (c.go#L4-L8).", []string{"internal/a.go", "b.go", "c.go"}, nil},
		{"Is `debate.Apply()` or `Fold` in `Makefile`?", []string{"debate.Apply()", "Fold", "Makefile", "debate.Apply"}, []string{"debate.Apply", "Fold", "Makefile"}},
		{`In src\main.c, "x.h" or https://example.com/a.go?`, []string{"src/main.c", "x.h"}, nil},
		{"`two words` and `--flag`, ```go\nx := 1\n```", []string{"two words", "--flag"}, nil},
		{"", nil, nil},
	} {
		paths, identifiers := mentions(tt.text)
		if diff := cmp.Diff(tt.paths, paths); diff != "" {
			t.Errorf("%q: paths:\n%s", tt.text, diff)
		}
		if diff := cmp.Diff(tt.identifiers, identifiers); diff != "" {
			t.Errorf("%q: identifiers:\n%s", tt.text, diff)
		}
	}
	if paths, identifiers := mentions(many); len(paths) != maxMentions || len(identifiers) != 1 {
		t.Errorf("%d paths, identifiers %q", len(paths), identifiers)
	}
}

// TestMissingPaths: a note names each path of a question without a file.
func TestMissingPaths(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	write(t, filepath.Join(w.dir, "a/b.go"), "package b\n\nvar x = 1\n")
	write(t, filepath.Join(w.dir, "a/empty.go"), "")
	const question = "Is stats/mean.go:3 right, and a/b.go:2-9, a/b.go#L3, b.go:3, a/empty.go, ./a/b.go, a\\gone.go? " +
		"See https://x.example/a/z.go, and/or v1.2/3, e.g. Node.js, `c.go`, a/b.go:4. And stats/mean.go:3 again."
	if code := w.debate("-q", "ask", question); code != exitDone {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	var got []string
	for _, line := range strings.Split(w.stdout.String(), "\n") {
		if note, ok := strings.CutPrefix(line, "Note: "); ok {
			got = append(got, note)
		}
	}
	want := []string{
		"files for the models: a/b.go", "stats/mean.go was not found; nothing of it is shown",
		"a/empty.go is not shown: it is empty", "a/gone.go was not found; nothing of it is shown",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	w.dir = t.TempDir()
	if code := w.debate("-q", "ask", "Is a/b.go right?"); code != exitDone || !strings.Contains(w.stdout.String(), "Note: a/b.go was not found") {
		t.Errorf("outside a repository: exit code %d: %s", code, w.stdout.String())
	}
}

// TestNamedFiles: the models see files of the work tree first, then those at HEAD, and none that git
// ignores, behind a link or outside.
func TestNamedFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", w.dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	for name, text := range map[string]string{
		".gitignore": ".env\n", ".env": "KEY=hunter2\n", "sub/in.go": "func Frob() {}\n", "gone.go": "was here\n", "a.go": "Frobnicate()\n", "bin.dat": "a\x00b",
		"many0": "Common\n", "many1": "Common\n", "many2": "Common\n", "many3": "Common\n", "many4": "Common\n", "many5": "Common\n",
	} {
		write(t, filepath.Join(w.dir, name), text)
	}
	git("add", ".")
	git("commit", "-q", "-m", "second")
	write(t, filepath.Join(w.dir, "new.go"), "untracked Frob\n")
	if err := errors.Join(os.Remove(filepath.Join(w.dir, "gone.go")), os.Symlink("/etc/hosts", filepath.Join(w.dir, "link.go"))); err != nil {
		t.Fatal(err)
	}
	top := w.dir
	for _, tt := range []struct {
		dir, question string
		want          []string
	}{
		{"", "a.go, ./a.go, gone.go and new.go?", []string{"files for the models: a.go, gone.go, new.go", "gone.go is shown as it is at HEAD, it is not in the work tree"}},
		{"", "Are ../x.go, /etc/hosts, link.go, sub, .git/config and .env safe?", []string{"../x.go was not found; nothing of it is shown"}},
		{"", "bin.dat?", []string{"bin.dat is not shown: it is no text"}},
		{"", "What does `Frob` do in sub/in.go?", []string{"files for the models: sub/in.go, new.go"}},
		{"", "`Common`, `Nowhere`, `-e`, `(` and `Frob()`?", []string{"files for the models: new.go, sub/in.go"}},
		{"sub", "in.go?", []string{"files for the models: sub/in.go"}},
	} {
		w.dir = filepath.Join(top, tt.dir)
		if code := w.debate("-q", "ask", tt.question, "--format", "json"); code != exitDone {
			t.Fatalf("%s: exit code %d: %s", tt.question, code, w.stderr.String())
		}
		var got struct{ Notes []string }
		if err := json.Unmarshal(w.stdout.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, got.Notes); diff != "" {
			t.Errorf("%s\n%s", tt.question, diff)
		}
	}
}

// TestAskWhereNothingCanBeFrozen: if the work tree is too large to be frozen, the question is debated
// without it, and a note says so.
func TestAskWhereNothingCanBeFrozen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	write(t, filepath.Join(w.dir, "a/b.go"), "package b\n")
	for i := range 5001 {
		write(t, filepath.Join(w.dir, "many", strconv.Itoa(i)), "")
	}
	if code := w.debate("-q", "ask", "Is a/b.go right?"); code != exitDone {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	if out := w.stdout.String(); !strings.Contains(out, "Note: the repository cannot be read: ") || !strings.Contains(out, "untracked files") {
		t.Errorf("it is not said:\n%s", out)
	}
}

func TestChoices(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 100)
	got, err := choices([]string{"A=a ring = fast", "status_quo= nothing ", "C=" + long})
	if err != nil {
		t.Fatal(err)
	}
	want := []debate.Option{
		{ID: "A", Label: "a ring = fast"}, {ID: "status_quo", Label: "nothing", StatusQuo: true},
		{ID: "C", Label: titleOf(long), Description: strings.TrimSpace(long)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(got[2].Label) > maxTitle+len("…") {
		t.Errorf("a label of %d bytes", len(got[2].Label))
	}
	for _, bad := range [][]string{
		{"A"}, {"A=", "B=b"}, {"=a", "B=b"}, {"A=a"}, {"A=a", "A=b"}, {"a b=a", "B=b"}, {"A=" + strings.Repeat("x", maxChoice+1), "B=b"},
		{"A=a", "B=b", "C=c", "D=d", "E=e", "F=f", "G=g", "H=h", "I=i"},
	} {
		if got, err := choices(bad); err == nil {
			t.Errorf("%q gives %v", bad, got)
		}
	}
	if got, err := choices(nil); err != nil || got != nil {
		t.Errorf("%v, %v", got, err)
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"\n\n Why? \nBecause.": "Why?",
		"Why?":                 "Why?",
	} {
		if got := titleOf(text); got != want {
			t.Errorf("%q is called %q", text, got)
		}
	}
	if got := titleOf(strings.Repeat("é", 1000)); len(got) > maxTitle+len("…") || !strings.HasSuffix(got, "é…") {
		t.Errorf("%q", got)
	}
}

// TestSecretAtTheCut: a title is cut out of a text without secrets, else a half would not be known
// for one.
func TestSecretAtTheCut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret := "ghp_" + strings.Repeat("q7Xd9", 8)[:36]
	text := strings.Repeat("why ", 71) + secret + " now"
	record := filepath.Join(w.home, "record.jsonl")
	if code := w.debate("-q", "ask", "--record", record, "--option", "A="+text, "--option", "B=b", text); code != exitDone {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	if said := w.stdout.String() + string(readFile(t, record)); strings.Contains(said, secret[:10]) {
		t.Errorf("a part of the secret is said:\n%s", said)
	}
	// debate resume repeats the command line of the record, which has no secrets.
	frozen := func(record string) string {
		_, hash, _ := strings.Cut(string(readFile(t, record)), `"scope":"question","hash":"`)
		return hash[:64]
	}
	text, again := strings.ReplaceAll(text, secret, redact.Mark), filepath.Join(w.home, "again.jsonl")
	if code := w.debate("-q", "ask", "--record", again, "--option", "A="+text, "--option", "B=b", text); code != exitDone || frozen(again) != frozen(record) {
		t.Errorf("exit code %d, or another question without its secret", code)
	}
}

// TestSecretInNote: a note about a word of the question has no secret of the environment either.
func TestSecretInNote(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	env, record := w.env(), filepath.Join(w.home, "record.jsonl")
	env.Environ = func() []string { return []string{"SHOP_TOKEN=orange/apple.pear"} }
	if code := Main([]string{"-q", "ask", "--record", record, "Is a.txt of orange/apple.pear?"}, env); code != exitDone {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	if said := w.stdout.String() + string(readFile(t, record)); strings.Contains(said, "apple") || !strings.Contains(said, "was not found") {
		t.Errorf("the secret is said:\n%s", said)
	}
}

// TestAskBounds shows as much as fits, and says what does not.
func TestAskBounds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	text := "Why"
	for i := range maxShownFiles + 2 {
		name := "f" + string(rune('a'+i)) + ".txt"
		write(t, filepath.Join(w.dir, name), "text\n")
		text += " " + name
	}
	write(t, filepath.Join(w.dir, "big.txt"), strings.Repeat("x\n", maxShownBytes/2+1))
	write(t, filepath.Join(w.dir, "half.txt"), strings.Repeat("x\n", maxShownBytes/2))
	write(t, filepath.Join(w.dir, "bin.dat"), "a\x00b")
	write(t, filepath.Join(w.dir, "empty.txt"), "")
	record := filepath.Join(t.TempDir(), "r.jsonl")
	if code := w.debate("-q", "ask", "--verbose", "--record", record, text+"?"); code != 0 {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	if got := w.stdout.String(); !strings.Contains(got, "10 files shown") || !strings.Contains(got, "10 files are the most") {
		t.Errorf("more is shown than may be:\n%s", got)
	}
	if code := w.debate("-q", "ask", "--verbose", "Why big.txt, bin.dat, empty.txt and fa.txt?"); code != 0 || !strings.Contains(w.stdout.String(), "1 file shown") {
		t.Errorf("exit code %d:\n%s", code, w.stdout.String())
	}
	for _, bad := range [][]string{
		{"--file", "big.txt", "Why?"}, {"--file", "bin.dat", "Why?"}, {"--file", "empty.txt", "Why?"}, {"--file", "half.txt", "--file", "fa.txt", "Why?"},
		{"--file", "-", "Why?"}, {strings.Repeat("x", maxQuestion+1)},
	} {
		if code := w.debate(append([]string{"-q", "ask"}, bad...)...); code != exitUsage {
			t.Errorf("%.60q: exit code %d", bad, code)
		}
	}
	// Another file than was frozen is another question.
	write(t, filepath.Join(w.dir, "fa.txt"), "other text\n")
	if code := w.debate("-q", "ask", "--resume", record, text+"?"); code != 0 {
		t.Errorf("a debate that has ended is shown again whatever became of its files: exit code %d", code)
	}
	w.stdin = strings.NewReader(strings.Repeat("x", 1<<20))
	if code := w.debate("-q", "ask", "-"); code != exitUsage {
		t.Errorf("1 MiB on standard input: exit code %d", code)
	}
}

// TestAskInterrupted stops a question at every reading of the clock, and goes on
// with it only as long as it shows the same files.
func TestAskInterrupted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	shown := filepath.Join(w.dir, "a.txt")
	ask := func(flag, record string) int {
		return w.debate("-q", "ask", flag, record, "--format", "json", "What is in a.txt?")
	}
	write(t, shown, "text\n")
	if code := ask("--record", filepath.Join(w.home, "whole.jsonl")); code != exitDone {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	if code := ask("--resume", filepath.Join(w.home, "whole.jsonl")); code != exitDone || lasting(w.stdout.String()) == "" {
		t.Errorf("what has ended is not shown again: exit code %d", code)
	}
	want, stopped := lasting(w.stdout.String()), 0
	for n := 1; ; n++ {
		record := filepath.Join(w.home, "stopped", string(rune('a'+n)), "record.jsonl")
		ctx, cancel := context.WithCancel(context.Background())
		calls := 0
		w.ctx, w.now = ctx, ticking(func() {
			if calls++; calls == n {
				cancel()
			}
		})
		code := ask("--record", record)
		cancel()
		w.ctx, w.now = context.Background(), ticking(func() {})
		if code == exitDone {
			break
		}
		if _, err := os.Stat(record); err != nil {
			continue
		}
		stopped++
		if code := ask("--resume", record); code != exitDone {
			t.Fatalf("resumed at reading %d: exit code %d: %s", n, code, w.stderr.String())
		}
		if diff := cmp.Diff(want, lasting(w.stdout.String())); diff != "" {
			t.Errorf("stopped at reading %d, the resumed outcome differs:\n%s", n, diff)
		}
	}
	if stopped < 4 {
		t.Errorf("only %d interruptions left a record", stopped)
	}
}
