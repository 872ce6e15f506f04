package sandbox

import (
	"bytes"
	"strings"
	"sync"
)

// tail keeps the beginning and the end of its input.
type tail struct {
	mu    sync.Mutex
	most  int // bytes of each half
	first []byte
	last  []byte
	lost  bool
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	room := min(t.most-len(t.first), len(p))
	t.first, p = append(t.first, p[:room]...), p[room:]
	if len(p) > t.most {
		p, t.lost = p[len(p)-t.most:], true
	}
	t.last = append(t.last, p...)
	if more := len(t.last) - t.most; more > 0 {
		t.last, t.lost = append(t.last[:0], t.last[more:]...), true
	}
	return n, nil
}

func (t *tail) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lost {
		return bytes.Join([][]byte{t.first, []byte("\n[...]\n"), t.last}, nil)
	}
	return append(bytes.Clone(t.first), t.last...)
}

// ended takes the last line off an output: the word, with the marks behind it.
func ended(output []byte, word string) (rest []byte, marks string, ok bool) {
	at := bytes.LastIndex(output, []byte("\n"+word+" "))
	if word == "" || at < 0 {
		return output, "", false
	}
	line := string(output[at+len(word)+2:])
	return output[:at], strings.TrimSpace(line), true
}
