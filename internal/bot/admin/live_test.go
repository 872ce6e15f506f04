package admin

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/admintest"
)

// receiver is the browser's end of an answer that goes on.
type receiver struct {
	mu     sync.Mutex
	status int
	header http.Header
	got    bytes.Buffer
	broken bool
}

func newReceiver() *receiver { return &receiver{status: 200, header: make(http.Header)} }

func (r *receiver) Header() http.Header { return r.header }

func (r *receiver) WriteHeader(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

func (r *receiver) Write(text []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken {
		return 0, errors.New("connection reset")
	}
	return r.got.Write(text)
}

func (r *receiver) Flush() {}

// take returns what came since it was last called.
func (r *receiver) take() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.got.Reset()
	return r.got.String()
}

func (r *receiver) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.broken = true
}

// serving is a dashboard until the context ends.
func serving(ctx context.Context, db Database) *Dashboard {
	o := options(db)
	o.Ended = ctx.Done()
	return New(o)
}

// listen asks for the events; over is closed when the answer has ended.
func listen(ctx context.Context, d *Dashboard) (r *receiver, over chan struct{}) {
	r, over = newReceiver(), make(chan struct{})
	go func() {
		defer close(over)
		d.ServeHTTP(r, request("GET", "/events", nil).WithContext(ctx))
	}()
	return r, over
}

func ended(over chan struct{}) bool {
	synctest.Wait()
	select {
	case <-over:
		return true
	default:
		return false
	}
}

func TestLive(t *testing.T) {
	t.Parallel()
	db := sample(t)
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		d := serving(ctx, db)
		r, over := listen(ctx, d)
		time.Sleep(lookEvery)
		synctest.Wait()
		first := r.take()
		if r.header.Get("Content-Type") != "text/event-stream" || !strings.HasPrefix(first, "retry: 5000\n\nevent: now\ndata: ") || !strings.Contains(first, "challenge: gpt") {
			t.Errorf("%v %s", r.header, first)
		}
		for line := range strings.Lines(first) {
			if line != "\n" && !strings.HasPrefix(line, "data: ") && !strings.HasPrefix(line, "retry: ") && line != "event: now\n" {
				t.Errorf("a line that is no event: %q", line)
			}
		}

		time.Sleep(2 * lookEvery)
		synctest.Wait()
		if again := r.take(); again != "" {
			t.Errorf("nothing has changed, and it sends %s", again)
		}
		time.Sleep(quietAtMost)
		synctest.Wait()
		if quiet := r.take(); quiet != ": still here\n\n" {
			t.Errorf("%q", quiet)
		}

		d.Board.Set("debate-20261123-115500-1", Step{Text: "answer: claude"})
		synctest.Wait() // at once, not at the next tick
		if next := r.take(); !strings.Contains(next, "answer: claude") || strings.Contains(next, "challenge: gpt") {
			t.Error(next)
		}
		db.Begin(database.Session{ID: "new", Pull: 99, Title: "One more"})
		time.Sleep(lookEvery)
		synctest.Wait()
		if next := r.take(); !strings.Contains(next, "One more") {
			t.Error(next)
		}

		db.Break(admintest.ErrDown)
		time.Sleep(lookEvery)
		synctest.Wait()
		if next := r.take(); next != "" {
			t.Errorf("without a database: %s", next)
		}
		stop()
		if !ended(over) {
			t.Error("the answer goes on though the server ends")
		}
	})
}

// TestLiveEnds: an answer ends with the server, with the listener, and by itself in the
// end.
func TestLiveEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(stop, leave func(), r *receiver){
		"the server": func(stop, _ func(), _ *receiver) { stop() },
		"the page":   func(_, leave func(), _ *receiver) { leave() },
		"the line": func(_, _ func(), r *receiver) {
			r.cut()
			time.Sleep(quietAtMost)
		},
		"an hour": func(_, _ func(), _ *receiver) { time.Sleep(streamLife) },
	} {
		synctest.Test(t, func(t *testing.T) {
			server, stop := context.WithCancel(t.Context())
			looking, leave := context.WithCancel(t.Context())
			defer stop()
			defer leave()
			d := serving(server, &admintest.Database{})
			r, over := listen(looking, d)
			if ended(over) {
				t.Fatalf("%s: it ended before", name)
			}
			end(stop, leave, r)
			if !ended(over) {
				t.Errorf("%s ended, and the answer goes on", name)
			}
			if len(d.live.listeners) > 0 {
				t.Errorf("%s: the listener is still counted", name)
			}
			stop()
			synctest.Wait()
			late, over := listen(t.Context(), d)
			if !ended(over) || late.status != http.StatusServiceUnavailable {
				t.Errorf("%s: after the end, somebody was let in: %d", name, late.status)
			}
		})
	}
}

func TestListenersAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		d := serving(ctx, &admintest.Database{})
		first, leave := context.WithCancel(ctx)
		_, over := listen(first, d)
		synctest.Wait()
		for range maxListeners - 1 {
			listen(ctx, d)
		}
		synctest.Wait()
		refused, refusedOver := listen(ctx, d)
		if !ended(refusedOver) || refused.status != http.StatusServiceUnavailable || refused.header.Get("Retry-After") == "" {
			t.Errorf("one too many: %d", refused.status)
		}
		leave()
		if !ended(over) {
			t.Error("it did not leave")
		}
		next, nextOver := listen(ctx, d)
		if ended(nextOver) || next.status != 200 {
			t.Errorf("the place that is free: %d", next.status)
		}
	})
}

func TestBoard(t *testing.T) {
	t.Parallel()
	b := NewBoard()
	for i := range 2 * maxBoard {
		b.Set(strings.Repeat("x", i), Step{Calls: i})
	}
	if len(b.steps) != maxBoard {
		t.Errorf("%d reviews", len(b.steps))
	}
	b.Set("x", Step{Calls: 7})
	if s, known := b.step("x"); !known || s.Calls != 7 {
		t.Error("one that is known is not changed when the board is full")
	}
	b.End("x")
	if _, known := b.step("x"); known {
		t.Error("it does not end")
	}
}

// TestLiveOverTheNetwork: the stream goes on when the time is over in which a request must
// be read, and does not keep the server from ending.
func TestLiveOverTheNetwork(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	d := serving(ctx, &admintest.Database{})
	server := httptest.NewUnstartedServer(d)
	server.Config.ReadTimeout = lookEvery / 4 // over before the first state is sent
	server.Start()
	answer, err := server.Client().Get(server.URL + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() && lines.Text() != "event: now" {
	}
	if lines.Text() != "event: now" {
		t.Fatalf("the stream ended before the first state: %v", lines.Err())
	}
	stop()
	if err := server.Config.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	for lines.Scan() {
	}
	if err := lines.Err(); err != nil {
		t.Errorf("the stream was cut: %v", err)
	}
	server.Close()
}
