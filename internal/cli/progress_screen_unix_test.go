//go:build unix

package cli

import (
	"context"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/provider"
)

// slow is a provider whose models answer when they are let.
type slow struct {
	asked, let chan struct{}
}

func (s slow) provider() model.Provider {
	p := acme
	p.New = func(o model.Options) (model.Client, error) { return slowClient{acmeClient{o}, s}, nil }
	return p
}

type slowClient struct {
	acmeClient
	slow
}

func (c slowClient) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	select {
	case c.asked <- struct{}{}:
	default:
	}
	select {
	case <-c.let:
		return c.acmeClient.Ask(ctx, req)
	case <-ctx.Done():
		return model.Response{}, ctx.Err()
	}
}

// glass is what somebody sees who sits at a terminal.
type glass struct {
	mu      sync.Mutex
	changed *sync.Cond
	lines   [][]rune
	row     int
	col     int
	bad     string // a sequence that nobody should send
	closed  bool
}

var sequence = lazyregexp.New(`^\x1b\[([0-9;]*)([A-Za-z])`)

// watch shows what comes from a terminal until it ends.
func (g *glass) watch(from io.Reader) {
	g.changed = sync.NewCond(&g.mu)
	go func() {
		buffer := make([]byte, 64<<10)
		rest := ""
		for {
			n, err := from.Read(buffer)
			g.mu.Lock()
			rest = g.take(rest + string(buffer[:n]))
			g.closed = err != nil
			g.changed.Broadcast()
			g.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
}

// take shows a text and returns its end if that is not whole.
func (g *glass) take(text string) string {
	for text != "" {
		if text[0] == 0x1b {
			m := sequence().FindStringSubmatch(text)
			if m == nil {
				return text
			}
			g.obey(m[1], m[2])
			text = text[len(m[0]):]
			continue
		}
		if !strings.Contains(text[:min(4, len(text))], "\n") && len(text) < 4 && text[0] >= 0x80 {
			return text
		}
		c := []rune(text)[0]
		text = text[len(string(c)):]
		switch c {
		case '\r':
			g.col = 0
		case '\n':
			g.row++
		default:
			g.put(c)
		}
	}
	return ""
}

func (g *glass) put(c rune) {
	for len(g.lines) <= g.row {
		g.lines = append(g.lines, nil)
	}
	for len(g.lines[g.row]) <= g.col {
		g.lines[g.row] = append(g.lines[g.row], ' ')
	}
	g.lines[g.row][g.col] = c
	g.col++
}

func (g *glass) obey(number, what string) {
	n, _ := strconv.Atoi(number)
	switch what {
	case "m":
	case "A":
		g.row -= n
	case "J":
		g.lines = g.lines[:min(len(g.lines), g.row)]
	default:
		g.bad = number + what
	}
}

func (g *glass) text() string {
	var all []string
	for _, line := range g.lines {
		all = append(all, strings.TrimRight(string(line), " "))
	}
	return strings.Join(all, "\n")
}

// until waits until the terminal shows all the texts, or closes, and returns what it shows.
func (g *glass) until(t *testing.T, texts ...string) string {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	for {
		missing := ""
		for _, text := range texts {
			if !strings.Contains(g.text(), text) {
				missing = text
			}
		}
		switch {
		case missing == "" && (len(texts) > 0 || g.closed):
			return g.text()
		case g.closed:
			t.Fatalf("the terminal never shows %q:\n%s", missing, g.text())
		}
		g.changed.Wait()
	}
}

// seat is a run of a review before somebody at a terminal: standard error is one, and the
// clock and the pauses are the test's.
type seat struct {
	*glass
	slow  slow
	clock atomic.Int64 // seconds
	pause chan struct{}
	code  chan int
	stop  context.CancelFunc
	env   Env
	tty   *os.File
	out   strings.Builder
}

func newSeat(t *testing.T, more map[string]string) *seat {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	if err := pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	s := &seat{
		glass: &glass{}, slow: slow{asked: make(chan struct{}, 1), let: make(chan struct{})},
		pause: make(chan struct{}), code: make(chan int, 1), tty: tty,
	}
	s.watch(master)
	w := newWorld(t)
	ctx, stop := context.WithCancel(context.Background())
	s.env, s.stop = w.env(), stop
	variables := map[string]string{"HOME": w.home, "PATH": os.Getenv("PATH"), "ACME_KEY": "sk-of-acme", "TERM": "xterm-256color"}
	for name, value := range more {
		variables[name] = value
	}
	s.env.Getenv = func(name string) string { return variables[name] }
	s.env.Stderr, s.env.Stdout, s.env.Width = tty, &s.out, System().Width
	s.env.Providers = append(provider.All(), s.slow.provider())
	s.env.Now = func() time.Time { return time.Unix(1_700_000_000+s.clock.Load(), 0) }
	s.env.Interrupt = func() (context.Context, context.CancelFunc) { return ctx, stop }
	s.env.Wait = func(ctx context.Context, _ time.Duration) error {
		select {
		case <-s.pause:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return s
}

// begin starts a review and returns when the first model is asked.
func (s *seat) begin(args ...string) {
	go func() {
		s.code <- Main(append(args, "review", "--uncommitted"), s.env)
		s.tty.Close()
	}()
	<-s.slow.asked
}

// pass lets so many seconds pass, and the terminal be drawn.
func (s *seat) pass(seconds int64) {
	s.clock.Add(seconds)
	s.pause <- struct{}{}
}

// TestLiveView: whoever sits at a terminal sees who is asked and for how long, and in the
// end what was done, with nothing of what was under way.
func TestLiveView(t *testing.T) {
	t.Parallel()
	s := newSeat(t, nil)
	s.begin()
	s.pass(12)
	s.until(t, "✓ read the change 1 file, +1 -0", "✓ built-in rules  1 finding", " opening         acme       12 s", "  12 s · Ctrl-C stops, debate resume goes on")
	s.pass(3)
	s.until(t, " opening         acme       15 s")
	close(s.slow.let)
	if code := <-s.code; code != exitHuman {
		t.Errorf("exit code %d", code)
	}
	last := s.until(t)
	for _, want := range []string{"✓ opening         acme       15 s", "✓ challenge       acme-2"} {
		if !strings.Contains(last, want) {
			t.Errorf("%q is not left:\n%s", want, last)
		}
	}
	if strings.Contains(last, "Ctrl-C") || strings.ContainsAny(last, "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏") || s.bad != "" {
		t.Errorf("something is left over (%s):\n%s", s.bad, last)
	}
	if !strings.Contains(s.out.String(), "db/migrations/2_b.up.sql") {
		t.Errorf("the result is %s", s.out.String())
	}
}

// TestLiveViewIsInterrupted: a Ctrl-C takes away what was under way, and says how to go on.
func TestLiveViewIsInterrupted(t *testing.T) {
	t.Parallel()
	s := newSeat(t, nil)
	s.begin()
	s.pass(2)
	s.until(t, "Ctrl-C stops, debate resume goes on")
	s.stop()
	if code := <-s.code; code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
	last := s.until(t)
	if !strings.Contains(last, "to go on: debate resume") || strings.Contains(last, "Ctrl-C stops") {
		t.Errorf("it ends with\n%s", last)
	}
}

// TestNoLiveView: a terminal that cannot move its cursor, and a log, get lines.
func TestNoLiveView(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{"TERM": "dumb", "CI": "true"} {
		s := newSeat(t, map[string]string{name: value})
		s.begin()
		s.pass(1)
		close(s.slow.let)
		<-s.code
		last := s.until(t)
		want := "read the change  1 file, +1 -0\nbuilt-in rules  1 finding\ndebate: about"
		if !strings.HasPrefix(last, want) || !strings.Contains(last, "\nopening  acme  1 s") || strings.Contains(last, "✓") {
			t.Errorf("%s=%s: the terminal shows\n%s", name, value, last)
		}
	}
}
