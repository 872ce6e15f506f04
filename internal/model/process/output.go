package process

import (
	"bytes"
	"errors"
	"strings"

	"github.com/prdebate/debate/internal/comment"
)

const (
	notesLimit = 4 << 10 // bytes kept of standard error
	shownLimit = 300     // characters shown of it
)

var errFull = errors.New("too much output")

// capped keeps output up to a limit, and calls full once beyond it.
type capped struct {
	buf      bytes.Buffer
	limit    int
	overflow bool
	full     func()
}

func (w *capped) Write(p []byte) (int, error) {
	if w.buf.Len()+len(p) > w.limit {
		if !w.overflow {
			w.overflow = true
			w.full()
		}
		return 0, errFull
	}
	return w.buf.Write(p)
}

// tail keeps the last bytes of its input.
type tail struct {
	buf   []byte
	limit int
	cut   bool // the first line has lost its beginning
}

func (w *tail) Write(p []byte) (int, error) {
	w.buf = append(w.buf, p...)
	if extra := len(w.buf) - w.limit; extra > 0 {
		w.buf = append(w.buf[:0], w.buf[extra:]...)
		w.cut = true
	}
	return len(p), nil
}

// text returns the whole lines. A cut line may begin inside a key.
func (w *tail) text() string {
	text := string(w.buf)
	if w.cut {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// Line clips text of a command for a message.
func Line(s string) string { return comment.Clip(comment.Line(strings.TrimSpace(s)), shownLimit) }
