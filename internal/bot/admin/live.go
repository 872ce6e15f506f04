package admin

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// The bounds of live updates.
const (
	maxListeners = 64               // pages with live updates at a time
	lookEvery    = 2 * time.Second  // at the database, while there are listeners
	quietAtMost  = 15 * time.Second // then a comment shows whether the listener is still there
	streamLife   = time.Hour        // then the browser asks again, and is let in again or not
	sendWithin   = 10 * time.Second // to one listener
)

// live sends the newest state of the first page to all listeners:
//
//	Run: every two seconds, or when the board changes
//	      └─> render ── differs? ──> each listener's channel (holds the newest) ──> events
//
// A slow listener misses states and gets the newest one.
type live struct {
	mu        sync.Mutex
	listeners map[chan []byte]bool
	newest    []byte
	over      bool // Run has ended: no new listeners
	end       chan struct{}
}

func newLive() *live {
	return &live{listeners: make(map[chan []byte]bool), end: make(chan struct{})}
}

// join lets a listener in, or says why not.
func (l *live) join() (states chan []byte, full, over bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over || len(l.listeners) >= maxListeners {
		return nil, !l.over, l.over
	}
	states = make(chan []byte, 1)
	if l.newest != nil {
		states <- l.newest
	}
	l.listeners[states] = true
	return states, false, false
}

func (l *live) leave(states chan []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.listeners, states)
	if len(l.listeners) == 0 {
		l.newest = nil // it gets old without listeners
	}
}

func (l *live) anybody() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.listeners) > 0
}

// tell hands a state to all listeners if it is another one than before.
func (l *live) tell(state []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if bytes.Equal(state, l.newest) || len(l.listeners) == 0 {
		return
	}
	l.newest = state
	for to := range l.listeners {
		select {
		case <-to: // the old state was not taken
		default:
		}
		to <- state
	}
}

func (l *live) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.over {
		l.over = true
		close(l.end)
	}
}

// Run updates the first page for its listeners until the context ends. Then it ends all
// streams, so that the server can stop.
func (d *Dashboard) Run(ctx context.Context) {
	defer d.live.close()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-d.Board.changed:
		}
		if d.live.anybody() {
			d.look(ctx)
		}
	}
}

// look sends the current state to the listeners. If the database does not answer, it sends
// nothing: the page shows its age.
func (d *Dashboard) look(ctx context.Context) {
	within, done := context.WithTimeout(ctx, pageWithin)
	defer done()
	p, err := d.now(within)
	var b bytes.Buffer
	if err == nil {
		err = pageTemplate().ExecuteTemplate(&b, "content", p)
	}
	if err != nil {
		if ctx.Err() == nil {
			d.Logger.WarnContext(ctx, "what runs could not be read for the dashboard", "error", err)
		}
		return
	}
	d.live.tell(b.Bytes())
}

// events sends the state of the first page whenever it changes, as server-sent events.
func (d *Dashboard) events(w http.ResponseWriter, r *http.Request) {
	states, full, over := d.live.join()
	switch {
	case full:
		w.Header().Set("Retry-After", "60")
		http.Error(w, "Too many pages are kept up to date already. Load this one again to see what is new.", http.StatusServiceUnavailable)
		return
	case over:
		http.Error(w, "The server is stopping.", http.StatusServiceUnavailable)
		return
	}
	defer d.live.leave(states)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // nginx would hold the events back
	out := stream{w, http.NewResponseController(w)}
	if out.send([]byte("retry: 5000\n\n")) != nil {
		return
	}
	life := time.NewTimer(streamLife)
	defer life.Stop()
	for {
		quiet := time.NewTimer(quietAtMost)
		var text []byte
		select {
		case state := <-states:
			text = eventText(state)
		case <-quiet.C:
			text = []byte(": still here\n\n")
		case <-life.C:
		case <-d.live.end:
		case <-r.Context().Done():
		}
		quiet.Stop()
		if text == nil || out.send(text) != nil {
			return
		}
	}
}

// eventText is a state as an event.
func eventText(state []byte) []byte {
	var b bytes.Buffer
	b.WriteString("event: now\n")
	for line := range bytes.Lines(state) {
		b.WriteString("data: ")
		b.Write(bytes.TrimRight(line, "\r\n"))
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// stream is an open answer.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// send writes and flushes text within sendWithin.
func (s stream) send(text []byte) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(sendWithin)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := s.w.Write(text); err != nil {
		return err
	}
	return s.control.Flush()
}
