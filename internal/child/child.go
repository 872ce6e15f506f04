// Package child runs other programs: in a process group of their own, which ends with
// them, and with bounded output.
package child

import (
	"bytes"
	"errors"
	"os/exec"
)

// Output is the output of a program.
type Output struct {
	Stdout  []byte
	TooMuch bool   // it wrote more to standard output than it may, and was killed
	Stderr  []byte // its end
	Cut     bool   // Stderr lacks its beginning
}

// Run runs a command until it ends or its context does, which kills its group. It keeps so
// many bytes of standard output, and so many of the end of standard error.
func Run(cmd *exec.Cmd, stdout int64, stderr int) (Output, error) {
	Group(cmd)
	out, notes := &capped{limit: stdout, full: func() { _ = cmd.Cancel() }}, &tail{limit: stderr}
	cmd.Stdout, cmd.Stderr = out, notes
	err := cmd.Run()
	return Output{out.buf.Bytes(), out.overflow, notes.buf, notes.cut}, err
}

var errFull = errors.New("too much output")

// capped keeps output up to a limit, and calls full once beyond it.
type capped struct {
	buf      bytes.Buffer
	limit    int64
	overflow bool
	full     func()
}

func (w *capped) Write(p []byte) (int, error) {
	if int64(w.buf.Len())+int64(len(p)) > w.limit {
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
	cut   bool
}

func (w *tail) Write(p []byte) (int, error) {
	w.buf = append(w.buf, p...)
	if extra := len(w.buf) - w.limit; extra > 0 {
		w.buf = append(w.buf[:0], w.buf[extra:]...)
		w.cut = true
	}
	return len(p), nil
}
