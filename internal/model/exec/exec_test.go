package exec

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/process"
)

const (
	stderrLimit = 4 << 10 // bytes of standard error that are kept
	shownLimit  = 300     // characters of it that are shown
)

const canary = "canary-4f1d9c07aa52"

// hidden are variables that no command may see.
var hidden = []string{
	"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GITHUB_TOKEN", "GH_TOKEN", "ACTIONS_RUNTIME_TOKEN",
	"AWS_SECRET_ACCESS_KEY", "DEBATE_WEBHOOK_SECRET", "SSH_AUTH_SOCK", "GIT_ASKPASS", "HTTPS_PROXY", "XDG_CONFIG_HOME",
	"CODEX_HOME", "CLAUDE_CONFIG_DIR", "LD_PRELOAD_NOTE", "NETRC",
}

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "be:") { // a test runs itself as the command
		play(strings.TrimPrefix(os.Args[1], "be:"), os.Args[2:])
		os.Exit(0)
	}
	for _, name := range hidden {
		os.Setenv(name, canary)
	}
	os.Exit(m.Run())
}

// actor is a client of this test's own binary in a role.
func actor(t *testing.T, o model.Options, role ...string) *Client {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Command = append([]string{self}, role...)
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var request = model.Request{SchemaVersion: 1, System: "rules <&>", Packet: "line\nline\u2028", Turn: `{"request": "now", "n": 12345678901234567890}`}

func TestRequestOnStandardInput(t *testing.T) {
	t.Parallel()
	got, err := actor(t, model.Options{}, "be:echo", "with a space", "$HOME;`x`").Ask(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"schema_version":1,"system":"rules <&>","packet":"line\nline\u2028","turn":{"request":"now","n":12345678901234567890}}` + "\n" +
		"with a space|$HOME;`x`\n"
	if diff := cmp.Diff(model.Response{Text: want, Usage: debate.Usage{CostUnknown: true}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestTurnIsJSON(t *testing.T) {
	t.Parallel()
	c := actor(t, model.Options{}, "be:echo")
	for _, turn := range []string{"", "text", `{"a":`, `"text"`, "[]", "{} {}"} {
		if _, err := c.Ask(context.Background(), model.Request{Turn: turn}); model.Classify(err).Class != debate.CallError {
			t.Errorf("%q: %v", turn, err)
		}
	}
}

// TestFiles: a command that gets files finds them below repo, is told so, and they are gone
// afterwards.
func TestFiles(t *testing.T) {
	t.Parallel()
	given := request
	given.Files = []model.File{{Path: "lib/a.go", Text: "package lib\n"}}
	got, err := actor(t, model.Options{}, "be:files").Ask(context.Background(), given)
	if err != nil {
		t.Fatal(err)
	}
	dir, rest, _ := strings.Cut(got.Text, "\n")
	if rest != "package lib\n"+model.FilesNote+"\n" {
		t.Errorf("it sees %q", rest)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory is still there: %v", err)
	}
}

// TestEnvironment: the command sees an empty directory of its own and nothing
// of the environment that could be a secret.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	key := "sk-the-one-key-it-may-have"
	around := map[string]string{"PATH": "/usr/bin", "LANG": "C.UTF-8", "MY_KEY": key, "EMPTY": ""}
	for _, name := range hidden {
		around[name] = canary
	}
	o := model.Options{KeyName: "MY_KEY", Getenv: func(name string) string { return around[name] }}
	got, err := actor(t, o, "be:env").Ask(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(got.Text, canary) || strings.Contains(got.Text, key) {
		t.Errorf("a secret passed: %s", got.Text)
	}
	var saw surroundings
	if err := json.Unmarshal([]byte(got.Text), &saw); err != nil {
		t.Fatal(err)
	}
	if len(saw.Files) > 0 {
		t.Errorf("the directory holds %v", saw.Files)
	}
	if _, err := os.Stat(saw.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory is still there: %v", err)
	}
	want := []string{"LANG=C.UTF-8", "MY_KEY=[key]", "PATH=/usr/bin"}
	want = slices.Concat(want, process.Home(saw.Dir), process.Temporary(saw.Dir))
	slices.Sort(want)
	if diff := cmp.Diff(want, saw.Env); diff != "" {
		t.Error(diff)
	}
}

// TestUnreadInput: a command that replies without reading what it is asked
// gives a reply, even where the request fits into no pipe.
func TestUnreadInput(t *testing.T) {
	t.Parallel()
	req := request
	req.Packet = strings.Repeat("x", 4<<20)
	got, err := actor(t, model.Options{}, "be:deaf").Ask(context.Background(), req)
	if err != nil || got.Text != "reply" {
		t.Errorf("%q, %v", got.Text, err)
	}
}

func TestReplyIsBounded(t *testing.T) {
	t.Parallel()
	got, err := actor(t, model.Options{}, "be:write", "1048576").Ask(context.Background(), request)
	if err != nil || len(got.Text) != model.MaxReply {
		t.Errorf("%d bytes, %v", len(got.Text), err)
	}
	for _, role := range [][]string{{"be:write", "1048577"}, {"be:flood"}} {
		_, err := actor(t, model.Options{}, role...).Ask(context.Background(), request)
		if failed := model.Classify(err); failed == nil || failed.Class != debate.CallMalformed || !strings.Contains(failed.Detail, "1048576") {
			t.Errorf("%v: %v", role, err)
		}
	}
}

func TestFailureIsExplained(t *testing.T) {
	t.Parallel()
	key := "sk-0123456789"
	o := model.Options{KeyName: "K", Getenv: func(name string) string { return map[string]string{"K": key}[name] }}
	_, err := actor(t, o, "be:fail", "first\nno \x1b[31mentry\r with "+key+"\n").Ask(context.Background(), request)
	failed := model.Classify(err)
	if failed == nil || failed.Class != debate.CallError {
		t.Fatalf("%v", err)
	}
	for _, part := range []string{"exit status 3", "[key]", "entry"} {
		if !strings.Contains(failed.Detail, part) {
			t.Errorf("%q lacks %q", failed.Detail, part)
		}
	}
	if strings.ContainsAny(failed.Detail, "\x1b\r\n") || strings.Contains(failed.Detail, key) || strings.Contains(failed.Detail, "first") {
		t.Errorf("%q", failed.Detail)
	}

	// A line that lost its beginning may begin inside a key, and is not shown.
	_, err = actor(t, o, "be:fail", strings.Repeat("x", stderrLimit)+key).Ask(context.Background(), request)
	if got := model.Classify(err).Detail; got != "the command ended with exit status 3" {
		t.Errorf("%q", got)
	}
	_, err = actor(t, o, "be:fail", strings.Repeat("y", 2*shownLimit)).Ask(context.Background(), request)
	if got := model.Classify(err).Detail; len(got) > 2*shownLimit || !strings.Contains(got, "yyy") {
		t.Errorf("%q", got)
	}
}

// TestCancelKillsAll: neither a command that ignores every polite signal nor
// what it has started outlives its call.
func TestCancelKillsAll(t *testing.T) {
	t.Parallel()
	listener := listen(t)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := actor(t, model.Options{}, "be:stubborn", listener.Addr().String()).Ask(ctx, request)
		done <- err
	}()
	parent, child := accept(t, listener), accept(t, listener)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	ended(t, parent)
	ended(t, child)
}

// TestLeftovers: what a command leaves running is killed when it has replied.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	listener := listen(t)
	got, err := actor(t, model.Options{}, "be:leaver", listener.Addr().String()).Ask(context.Background(), request)
	if err != nil || got.Text != "reply" {
		t.Errorf("%q, %v", got.Text, err)
	}
	ended(t, accept(t, listener))
}

func TestDeadline(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := actor(t, model.Options{}, "be:drip").Ask(ctx, request)
	if failed := model.Classify(err); failed == nil || failed.Class != debate.CallTimeout || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

func TestNotFound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		command []string
		why     string
	}{
		{nil, "no command"},
		{[]string{"no-such-program-at-all"}, "on PATH"},
		{[]string{"./exec_test.go"}, "relative"},
		{[]string{"../exec/x"}, "relative"},
		{[]string{""}, "relative"},
		{[]string{filepath.Join(dir, "absent")}, "cannot be run"},
		{[]string{plain}, "cannot be run"},
		{[]string{dir}, "cannot be run"},
	} {
		_, err := New(model.Options{Command: tt.command, Getenv: os.Getenv})
		if failed := model.Classify(err); failed == nil || failed.Class != debate.CallNotFound || !strings.Contains(failed.Detail, tt.why) {
			t.Errorf("%v: %v", tt.command, err)
		}
	}

	// It can also vanish, or lack its interpreter.
	script := filepath.Join(dir, "script")
	if err := os.WriteFile(script, []byte("#!"+filepath.Join(dir, "absent")+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	c, err := New(model.Options{Command: []string{script}, Getenv: os.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := c.Ask(context.Background(), request); model.Classify(err).Class != debate.CallNotFound {
			t.Errorf("%v", err)
		}
		if err := os.Remove(script); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

// TestNoRelativePath: a relative entry of PATH would run what lies in the
// reviewed directory.
func TestNoRelativePath(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tool"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("PATH", ".")
	if _, err := process.Resolve("tool"); model.Classify(err) == nil || !strings.Contains(err.Error(), "relative entry") {
		t.Errorf("%v", err)
	}
	t.Setenv("PATH", dir)
	if path, err := process.Resolve("tool"); err != nil || path != filepath.Join(dir, "tool") {
		t.Errorf("%q, %v", path, err)
	}
}

// never is how long a test waits for what should come or end at once, however
// slow the machine is.
const never = 2 * time.Minute

func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	if err := listener.(*net.TCPListener).SetDeadline(time.Now().Add(never)); err != nil {
		t.Fatal(err)
	}
	return listener
}

func accept(t *testing.T, listener net.Listener) net.Conn {
	t.Helper()
	conn, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(never)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// ended waits until the process at the other end is gone. It never writes.
func ended(t *testing.T, conn net.Conn) {
	t.Helper()
	if n, err := conn.Read(make([]byte, 1)); n > 0 || err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%d bytes, %v", n, err)
	}
}
