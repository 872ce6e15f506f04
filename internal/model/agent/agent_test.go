package agent

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/process"
	"github.com/prdebate/debate/internal/testkit/golden"
)

// agents are all agents, and the names of their commands.
var agents = []struct{ name, program string }{{"codex", "codex"}, {"claude", "claude"}, {"gemini-cli", "gemini"}, {"qwen", "qwen"}}

// installed is the PATH of the machine, without the stubs.
var installed = os.Getenv("PATH")

func TestMain(m *testing.M) {
	name := filepath.Base(os.Args[0])
	for _, a := range agents {
		if name == a.program { // a test runs itself as the agent
			play(name, os.Args[1:])
			os.Exit(0)
		}
	}
	os.Exit(withStubs(m.Run))
}

// withStubs runs the tests while this binary is on PATH as each of the agents.
func withStubs(run func() int) int {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "agents")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for _, a := range agents {
		if err := os.Symlink(self, filepath.Join(dir, a.program)); err != nil {
			panic(err)
		}
	}
	if err := os.Setenv("PATH", dir+string(os.PathListSeparator)+installed); err != nil {
		panic(err)
	}
	return run()
}

// client is a client of a stub that plays a role.
func client(t *testing.T, agent, role string, change ...func(*model.Options)) *Client {
	t.Helper()
	o := model.Options{Model: role, Key: testKey, BaseURL: "https://models.example/v1", Getenv: os.Getenv}
	for _, c := range change {
		c(&o)
	}
	c, err := New(agent, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var request = model.Request{
	SchemaVersion: 1, System: "rules <&>\n", Packet: "PACKET\n@@ -1 +1 @@\n+\t@Old user@host\n", Turn: `{"request":"now"}`,
}

// each runs a test of every agent, at the same time.
func each(t *testing.T, test func(t *testing.T, agent string)) {
	t.Parallel()
	for _, a := range agents {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			test(t, a.name)
		})
	}
}

// TestCleanRoom: an agent that is started in the middle of a hostile checkout
// finds nothing but its room. The golden files show it whole.
func TestCleanRoom(t *testing.T) {
	for _, a := range agents {
		t.Run(a.name, func(t *testing.T) {
			pictures, err := filepath.Abs("testdata")
			if err != nil {
				t.Fatal(err)
			}
			checkout := surround(t)
			t.Setenv("LANG", "C.UTF-8")
			for _, name := range []string{"LC_ALL", "LC_CTYPE", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR"} {
				t.Setenv(name, "")
			}
			c := client(t, a.name, "dump", func(o *model.Options) { o.Effort = "high" })
			t.Setenv("PATH", "/usr/bin")
			c.env = process.Usual(os.Getenv) // of the hostile surroundings, and the same on each machine
			open, err := os.Open("main.go")
			if err != nil {
				t.Fatal(err)
			}
			defer open.Close()

			got, err := c.Ask(context.Background(), request)
			if err != nil {
				t.Fatal(err)
			}
			if holds(got.Text) {
				t.Errorf("something of the checkout or the environment came in: %s", got.Text)
			}
			if strings.Contains(got.Text, testKey) {
				t.Error("the reply tells the key")
			}
			untouched(t, checkout)
			var saw world
			if err := json.Unmarshal([]byte(got.Text), &saw); err != nil {
				t.Fatal(err)
			}
			room := filepath.Dir(saw.Dir)
			if _, err := os.Stat(room); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the room is still there: %v", err)
			}
			if len(saw.Work) > 0 || len(saw.Temp) > 0 {
				t.Errorf("the working directory holds %v, the temporary one %v", saw.Work, saw.Temp)
			}
			saw.Open = slices.DeleteFunc(saw.Open, func(name string) bool { return !strings.HasPrefix(name, checkout) })
			if len(saw.Open) > 0 {
				t.Errorf("it was born with %v", saw.Open)
			}
			if slices.ContainsFunc(saw.Args, func(arg string) bool { return strings.Contains(arg, "PACKET") || strings.Contains(arg, "redacted") }) {
				t.Errorf("others can read in the list of processes: %q", saw.Args)
			}
			golden.Same(t, filepath.Join(pictures, a.name+".golden"), scenery(saw, room))
		})
	}
}

// scenery shows a world to people.
func scenery(w world, room string) []byte {
	var b bytes.Buffer
	section := func(name string, lines []string) {
		fmt.Fprintf(&b, "== %s\n", name)
		for _, l := range lines {
			b.WriteString(strings.TrimSuffix(l, "\n") + "\n")
		}
	}
	section("arguments", w.Args)
	section("environment", w.Env)
	section("working directory", []string{w.Dir})
	var files []string
	for name := range w.Home {
		files = append(files, name)
	}
	slices.Sort(files)
	for _, name := range files {
		section("home: "+name, []string{w.Home[name]})
	}
	section("standard input", []string{w.Stdin})
	text := bytes.ReplaceAll(b.Bytes(), []byte(room), []byte("ROOM"))
	return times.ReplaceAll(text, []byte("${1}TIME"))
}

// times are what depends on how much time is left.
var times = regexp.MustCompile(`(?m)^(API_TIMEOUT_MS=|--max-wall-time\n)\d+`)

func TestReply(t *testing.T) {
	want := map[string]debate.Usage{
		"codex":      {TokensIn: 100, TokensCached: 40, TokensOut: 20, CostUnknown: true},
		"claude":     {TokensIn: 100, TokensCached: 40, TokensOut: 20, CostMicro: 639},
		"gemini-cli": {TokensIn: 100, TokensCached: 40, TokensOut: 20, CostMicro: 60*2 + 40 + 20*3},
		"qwen":       {TokensIn: 100, TokensCached: 40, TokensOut: 20, CostUnknown: true},
	}
	each(t, func(t *testing.T, agent string) {
		prices := model.Prices{}.With(model.Price{Model: "gemini-2.5-pro", Input: 2e6, Cached: 1e6, Output: 3e6})
		got, err := client(t, agent, "dump", func(o *model.Options) { o.Prices = prices }).Ask(context.Background(), request)
		if err != nil {
			t.Fatalf("%s: %v", agent, err)
		}
		if diff := cmp.Diff(want[agent], got.Usage); diff != "" {
			t.Errorf("%s: %s", agent, diff)
		}
	})
}

// TestDeadlineKillsAll: neither an agent that ignores every polite signal nor
// what it has started outlives its call.
func TestDeadlineKillsAll(t *testing.T) {
	each(t, func(t *testing.T, agent string) {
		listener := listen(t)
		ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(time.Minute))
		ended := make(chan error, 1)
		go func() {
			_, err := client(t, agent, "stubborn="+listener.Addr().String()).Ask(ctx, request)
			ended <- err
		}()
		parent, child := accept(t, listener), accept(t, listener)
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", agent, err)
		}
		gone(t, parent)
		gone(t, child)
	})
}

func TestDeadline(t *testing.T) {
	t.Parallel()
	listener := listen(t)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	got, err := client(t, "claude", "stay="+listener.Addr().String()).Ask(ctx, request)
	if failure := model.Classify(err); failure == nil || failure.Class != debate.CallTimeout || !got.Usage.CostUnknown {
		t.Errorf("%v, %+v", err, got)
	}
}

// TestLeftovers: what an agent leaves running is killed when it has replied.
func TestLeftovers(t *testing.T) {
	each(t, func(t *testing.T, agent string) {
		listener := listen(t)
		got, err := client(t, agent, "leaver="+listener.Addr().String()).Ask(context.Background(), request)
		if err != nil || got.Text != "reply" {
			t.Errorf("%s: %q, %v", agent, got.Text, err)
		}
		gone(t, accept(t, listener))
	})
}

func TestReplyIsBounded(t *testing.T) {
	each(t, func(t *testing.T, agent string) {
		for _, role := range []string{"long", "flood"} {
			got, err := client(t, agent, role).Ask(context.Background(), request)
			if failure := model.Classify(err); failure == nil || failure.Class != debate.CallMalformed || got.Text != "" {
				t.Errorf("%s, %s: %d bytes, %v", agent, role, len(got.Text), err)
			}
		}
	})
}

// TestRefusedEffort: a model that does not want to be told how hard to think is
// asked again, and not told any more.
func TestRefusedEffort(t *testing.T) {
	t.Parallel()
	for _, agent := range []string{"codex", "claude"} {
		c := client(t, agent, "easy", func(o *model.Options) { o.Effort = "high" })
		for range 2 {
			got, err := c.Ask(context.Background(), request)
			if err != nil || got.Text != "easy" || !c.noEffort.Load() {
				t.Errorf("%s: %q, %v", agent, got.Text, err)
			}
		}
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		agent string
		o     model.Options
		want  debate.CallStatus
		why   string
	}{
		{"claude", model.Options{Key: testKey, Model: "m"}, debate.CallOK, ""},
		{"aider", model.Options{}, debate.CallNotFound, "no agent"},
		{"claude", model.Options{Model: "m"}, debate.CallAuth, "no key"},
		{"claude", model.Options{Key: "two\nlines", Model: "m"}, debate.CallAuth, "line ends"},
		{"claude", model.Options{Key: testKey, Model: "--tools"}, debate.CallNotFound, "like an option"},
		{"claude", model.Options{Key: testKey, Model: "m", BaseURL: "http://models.example"}, debate.CallNotFound, "https"},
		{"claude", model.Options{Key: testKey, Model: "m", BaseURL: "http://127.0.0.1:1"}, debate.CallOK, ""},
		{"qwen", model.Options{Key: testKey, BaseURL: "https://models.example"}, debate.CallNotFound, "no model"},
		{"qwen", model.Options{Key: testKey, Model: "m"}, debate.CallNotFound, "base URL"},
	} {
		tt.o.Getenv = func(string) string { return "" }
		_, err := New(tt.agent, tt.o)
		failure := model.Classify(err)
		switch {
		case tt.want == debate.CallOK && failure != nil, tt.want != debate.CallOK && (failure == nil || failure.Class != tt.want):
			t.Errorf("%s %+v: %v", tt.agent, tt.o, err)
		case failure != nil && (!strings.Contains(failure.Detail, tt.why) || strings.Contains(failure.Detail, "two")):
			t.Errorf("%q lacks %q", failure.Detail, tt.why)
		}
	}
}

func TestProbe(t *testing.T) {
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	self := fmt.Sprintf("%x", sha256.Sum256(binary))
	for _, a := range agents {
		t.Run(a.name, func(t *testing.T) {
			checkout := surround(t)
			version, digest, err := Probe(context.Background(), a.name, os.Getenv)
			if err != nil {
				t.Fatal(err)
			}
			if digest != self || version != a.program+" 1.2.3" {
				t.Errorf("version %q, digest %s", version, digest)
			}
			untouched(t, checkout)
		})
	}
	if _, _, err := Probe(context.Background(), "aider", os.Getenv); model.Classify(err).Class != debate.CallNotFound {
		t.Errorf("%v", err)
	}
}

// TestNotInstalled: an agent without its command on PATH is named.
func TestNotInstalled(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, missing := New("claude", model.Options{Key: testKey, Model: "m", Getenv: os.Getenv})
	_, _, unknown := Probe(context.Background(), "claude", os.Getenv)
	for _, err := range []error{missing, unknown} {
		if failure := model.Classify(err); failure == nil || failure.Class != debate.CallNotFound || !strings.Contains(failure.Detail, `no program "claude" on PATH`) {
			t.Errorf("%v", err)
		}
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

// gone waits until the process at the other end is gone. It never writes.
func gone(t *testing.T, conn net.Conn) {
	t.Helper()
	if n, err := conn.Read(make([]byte, 1)); n > 0 || err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%d bytes, %v", n, err)
	}
}
