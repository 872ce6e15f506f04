package action_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/testkit/actiontest"
)

// commands are texts that the runner would obey.
var commands = []string{
	"::add-mask::a", "  ::set-output name=x::y", "\t::error file=a::b", "x ##[add-matcher]y", "##[group]z", "::stop-commands::t",
	"a\r::debug::b", "\u00a0::warning::c", "\u2003::notice::d", "::\u200bgroup::e", "ok\n::save-state name=a::b", "##[command]##[error]",
}

// TestRunnerRules keeps the test's reader of logs honest: it does see them.
func TestRunnerRules(t *testing.T) {
	t.Parallel()
	for _, c := range commands {
		if got := actiontest.Commands(c); len(got) != 1 {
			t.Errorf("Commands(%q) = %v, want one", c, got)
		}
	}
	log := "::stop-commands::T\n::error::no\n##[warning]no\n::t::\n::error::yes%0Ayes\nplain :: text ::\n# [x]\n"
	want := []actiontest.Command{{Name: "stop-commands", Data: "T"}, {Name: "resume-commands"}, {Name: "error", Data: "yes\nyes"}}
	if diff := cmp.Diff(want, actiontest.Commands(log)); diff != "" {
		t.Errorf("commands differ (-want +got):\n%s", diff)
	}
	if _, err := actiontest.Values("a<<E\nb\n"); err == nil {
		t.Error("a value without an end passed")
	}
	if _, err := actiontest.Values("words\n"); err == nil {
		t.Error("a line without a value passed")
	}
	values, err := actiontest.Values("a=b<<c\nd<<E\n1\nE x\n\nE\n")
	if diff := cmp.Diff(map[string]string{"a": "b<<c", "d": "1\nE x\n"}, values); err != nil || diff != "" {
		t.Errorf("%v, values differ (-want +got):\n%s", err, diff)
	}
}

func TestLog(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		writes []string
		want   string
	}{
		{"lines", []string{"a\nb\n"}, "a\nb\n"},
		{"a line in parts", []string{"a", "b", "\nc"}, "ab\nc\n"},
		{"a command in parts", []string{":", ":", "error::x\n"}, "<U+003A>:error::x\n"},
		{"an old command in parts", []string{"x #", "#", "[error]y\n"}, "x #<U+0023>[error]y\n"},
		{"a carriage return", []string{"a\r", "::error::x\n"}, "a\n<U+003A>:error::x\n"},
		{"escapes", []string{"\x1b]8;;http://x\x07y\n"}, "<U+001B>]8;;http://x<U+0007>y\n"},
		{"an empty line", []string{"\n\n"}, "\n\n"},
		{"a long line", []string{strings.Repeat("a", 1<<14), "b::error::c\n"}, strings.Repeat("a", 1<<14) + "b\n<U+003A>:error::c\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, log := runner(nil)
			for _, w := range c.writes {
				if n, err := r.Log().Write([]byte(w)); n != len(w) || err != nil {
					t.Fatalf("Write = %d, %v", n, err)
				}
			}
			if err := r.Flush(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, log.String()); diff != "" {
				t.Errorf("log differs (-want +got):\n%s", diff)
			}
		})
	}
}

// TestOnlyOurCommands: whatever others wrote, through every way into the log,
// the runner sees the commands of this program and no other.
func TestOnlyOurCommands(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			parts := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(commands), rapid.SampledFrom([]string{"\n", "\r", " ", "%0A", ":", "#", "[", "]"}), rapid.String()), 0, 6)
			return strings.Join(parts.Draw(t, "parts"), "")
		})
		r, log := runner(nil)
		if _, err := fmt.Fprint(r.Log(), text.Draw(t, "line")); err != nil {
			t.Fatal(err)
		}
		end, err := r.Group(text.Draw(t, "title"))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Foreign(text.Draw(t, "block")); err != nil {
			t.Fatal(err)
		}
		if err := end(); err != nil {
			t.Fatal(err)
		}
		note := action.Note{Level: action.Warning, Path: text.Draw(t, "path"), StartLine: 3, Title: text.Draw(t, "note"), Message: text.Draw(t, "message")}
		if err := r.Annotate(note); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range actiontest.Commands(log.String()) {
			names = append(names, c.Name)
		}
		want := []string{"group", "stop-commands", "resume-commands", "endgroup", "warning"}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Fatalf("commands differ (-want +got):\n%s\nin %q", diff, log)
		}
	})
}

// TestForeignToken: the token that ends a block is another one each time.
func TestForeignToken(t *testing.T) {
	t.Parallel()
	r, log := runner(nil)
	seen := make(map[string]bool)
	for range 20 {
		if err := r.Foreign("x"); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range actiontest.Commands(log.String()) {
		if c.Name == "stop-commands" {
			seen[c.Data] = true
		}
	}
	if len(seen) != 20 {
		t.Errorf("%d tokens for 20 blocks", len(seen))
	}
}

func TestAnnotate(t *testing.T) {
	t.Parallel()
	r, log := runner(nil)
	var notes []action.Note
	for i := range 12 {
		notes = append(notes, action.Note{Level: action.Notice, Title: fmt.Sprint(i), Message: strings.Repeat("x", 5000)})
	}
	notes = append(notes, action.Note{Level: action.Failure, Path: "a,b:c.go", StartLine: 4, EndLine: 2, Title: "t", Message: "two\nlines"})
	if err := r.Annotate(notes...); err != nil {
		t.Error(err)
	}
	if !strings.Contains(log.String(), "::error endLine=4,file=a%2Cb%3Ac.go,line=4,title=t::two%0Alines") {
		t.Errorf("log %q", log)
	}
	got := actiontest.Commands(log.String())
	if len(got) != 11 {
		t.Fatalf("%d annotations, want 11", len(got))
	}
	for _, c := range got {
		if len(c.Data) > 4096 {
			t.Errorf("a message of %d bytes", len(c.Data))
		}
	}
	if err := r.Annotate(action.Note{Level: "loud"}); err == nil {
		t.Error("an unknown level passed")
	}
}

// TestLogTogether: lines of several goroutines stay whole.
func TestLogTogether(t *testing.T) {
	t.Parallel()
	r, log := runner(nil)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				fmt.Fprintln(r.Log(), "a whole line")
			}
		})
	}
	group.Wait()
	if got := strings.Count(log.String(), "a whole line\n"); got != 400 || log.Len() != 400*len("a whole line\n") {
		t.Errorf("%d whole lines in %d bytes", got, log.Len())
	}
}

// broken is a log that cannot be written.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestBrokenLog(t *testing.T) {
	t.Parallel()
	r := action.New(broken{}, func(string) string { return "x" })
	if _, err := r.Group("x"); err == nil {
		t.Error("Group passed")
	}
	if err := r.Foreign("x"); err == nil {
		t.Error("Foreign passed")
	}
	if _, err := fmt.Fprintln(r.Log(), "x"); err == nil {
		t.Error("Log passed")
	}
	if _, err := r.Inputs(keys...); err == nil {
		t.Error("Inputs passed without a mask")
	}
}
