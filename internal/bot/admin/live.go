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

// live is the state of the first page for its listeners. Each asks for it every two seconds, and
// when the board changes; one answer is for all of them.
type live struct {
	listeners chan struct{} // has one element for each

	mu      sync.Mutex // also held while the database is asked
	state   []byte     // nil if the database did not answer
	at      time.Time
	changes <-chan struct{} // of the board since then
}

// current returns the current state, and a channel that is closed when the board changes. If the
// database does not answer, the state is nil: the page shows its age.
func (d *Dashboard) current(ctx context.Context) ([]byte, <-chan struct{}) {
	l := &d.live
	l.mu.Lock()
	defer l.mu.Unlock()
	changes := d.Board.change()
	if l.changes == changes && time.Since(l.at) < lookEvery {
		return l.state, changes
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), pageWithin) // it is for the others too
	defer done()
	p, err := d.now(ctx)
	var b bytes.Buffer
	if err == nil {
		err = pageTemplate().ExecuteTemplate(&b, "content", p)
	}
	l.state, l.at, l.changes = b.Bytes(), time.Now(), changes
	if err != nil {
		l.state = nil
		d.Logger.WarnContext(ctx, "the running reviews could not be read for the dashboard", "error", err)
	}
	return l.state, changes
}

// events sends the state of the first page whenever it changes, as server-sent events.
func (d *Dashboard) events(w http.ResponseWriter, r *http.Request) {
	select {
	case <-d.Ended:
		http.Error(w, "The server is stopping.", http.StatusServiceUnavailable)
		return
	default:
	}
	select {
	case d.live.listeners <- struct{}{}:
		defer func() { <-d.live.listeners }()
	default:
		w.Header().Set("Retry-After", "60")
		http.Error(w, "Too many pages are kept up to date already. Load this one again to see what is new.", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // nginx would hold the events back
	out := stream{w, http.NewResponseController(w)}
	text, sent := []byte("retry: 5000\n\n"), []byte(nil)
	life, quiet := time.After(streamLife), time.NewTimer(quietAtMost)
	defer quiet.Stop()
	for {
		state, changes := d.current(r.Context())
		if state != nil && !bytes.Equal(state, sent) {
			text, sent = append(text, eventText(state)...), state
		}
		if text != nil {
			if out.send(text) != nil {
				return
			}
			quiet.Reset(quietAtMost)
		}
		text = nil
		select {
		case <-changes:
		case <-time.After(lookEvery):
		case <-quiet.C:
			text = []byte(": still here\n\n")
		case <-life:
			return
		case <-d.Ended:
			return
		case <-r.Context().Done():
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
