package action

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"sync"

	"github.com/prdebate/debate/internal/comment"
)

// maxLogLine bounds a line of the log in bytes; a longer one is broken there.
const maxLogLine = 16 << 10

// The limits of the runner for annotations: more of one level in a step are
// dropped, longer messages cut.
const (
	maxAnnotations       = 10 // of each level
	maxAnnotationMessage = 4000
)

// Log returns the writer for all output of the action. It writes whole lines without
// workflow commands, terminal escapes and invisible characters. It is safe for concurrent
// use.
func (r *Runner) Log() io.Writer { return r.log }

// Flush writes the unfinished line of Log.
func (r *Runner) Flush() error { return r.log.flush() }

// Group opens a folded part of the log and returns the function that closes it. Groups do
// not nest.
func (r *Runner) Group(title string) (end func() error, err error) {
	if err := guarded("open a group in the log", func() { r.lib.Group(comment.Line(title)) }); err != nil {
		return nil, err
	}
	return func() error {
		if err := r.Flush(); err != nil {
			return err
		}
		return guarded("close a group in the log", r.lib.EndGroup)
	}, nil
}

// Foreign writes text of others, such as a report with quotes of a change. The runner reads
// no commands until a random token; the text is made harmless all the same.
func (r *Runner) Foreign(text string) error {
	end := token()
	if err := r.log.command("::stop-commands::" + end + "\n"); err != nil {
		return err
	}
	_, err := io.WriteString(r.log, text)
	return cmp.Or(err, r.log.command("::"+end+"::\n"))
}

// The levels of annotations, spelt as in the API of checks.
const (
	Notice  = "notice"
	Warning = "warning"
	Failure = "failure"
)

// Note is an annotation of a run: a line on the run's page and, with a path, on
// the lines of the change.
type Note struct {
	Path               string // "" for none
	StartLine, EndLine int    // of the head; 0 for none
	Level              string
	Title, Message     string // plain text, hostile or not
}

// Annotate writes notes as far as the runner shows them: the first ten of each
// level.
func (r *Runner) Annotate(notes ...Note) error {
	written := make(map[string]int)
	for _, n := range notes {
		if written[n.Level]++; written[n.Level] > maxAnnotations {
			continue
		}
		fields := map[string]string{"title": comment.Clip(comment.Line(n.Title), 200)}
		if n.Path != "" {
			fields["file"] = comment.Line(n.Path)
		}
		if n.StartLine > 0 {
			fields["line"] = strconv.Itoa(n.StartLine)
			fields["endLine"] = strconv.Itoa(max(n.StartLine, n.EndLine))
		}
		lib, message := r.lib.WithFieldsMap(fields), comment.Clip(comment.Terminal(n.Message), maxAnnotationMessage)
		issue, known := map[string]func(string, ...any){Notice: lib.Noticef, Warning: lib.Warningf, Failure: lib.Errorf}[n.Level]
		if !known {
			return fmt.Errorf("an annotation has no level %q", n.Level)
		}
		if err := guarded("annotate", func() { issue("%s", message) }); err != nil {
			return err
		}
	}
	return nil
}

// logWriter writes whole, harmless lines to out.
type logWriter struct {
	mu   sync.Mutex
	out  io.Writer
	line []byte // unfinished line
}

func (w *logWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for rest := p; len(rest) > 0; {
		n := bytes.IndexByte(rest, '\n') + 1
		if n == 0 {
			n = len(rest)
		}
		n = min(n, maxLogLine-len(w.line)+1)
		w.line, rest = append(w.line, rest[:n]...), rest[n:]
		if bytes.HasSuffix(w.line, []byte("\n")) || len(w.line) > maxLogLine {
			if err := w.emit(); err != nil {
				return len(p) - len(rest), err
			}
		}
	}
	return len(p), nil
}

// emit writes the line held back, with its end.
func (w *logWriter) emit() error {
	text := comment.Terminal(string(bytes.TrimSuffix(w.line, []byte("\n"))))
	w.line = w.line[:0]
	_, err := io.WriteString(w.out, text+"\n")
	return err
}

func (w *logWriter) flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.line) == 0 {
		return nil
	}
	return w.emit()
}

// command writes a command of our own, on a line of its own.
func (w *logWriter) command(line string) error {
	if err := w.flush(); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := io.WriteString(w.out, line)
	return err
}

// commandWriter is the library's writer to the log. It receives only commands: whole lines
// with escaped parts.
type commandWriter struct{ log *logWriter }

func (w commandWriter) Write(p []byte) (int, error) {
	if err := w.log.command(string(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}
