package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// emit writes a result to a file, or to standard output if name is empty. It replaces a
// file whole, so readers never see half a report.
func (r *run) emit(name string, data []byte) error {
	if isStandard(name) {
		if _, err := r.Stdout.Write(data); err != nil {
			return unwritable(err)
		}
		return nil
	}
	if err := errors.Join(r.writable(name), r.refuseOverwrite(name)); err != nil {
		return err
	}
	if err := replaceFile(resolveLink(r.path(name)), data); err != nil {
		return fmt.Errorf("cannot write %s: %w", name, systemError(err))
	}
	return nil
}

// isStandard reports whether a name means standard input or output.
func isStandard(name string) bool { return cmp.Or(name, "-") == "-" }

// resolveLink resolves a link. As with a redirection, the link stays and its target is
// written.
func resolveLink(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

// writable refuses the name of a directory, and a file without one: "reports/" must not become a
// file named reports.
func (r *run) writable(name string) error {
	if isStandard(name) {
		return nil
	}
	info, err := os.Stat(r.path(name))
	if os.IsPathSeparator(name[len(name)-1]) || err == nil && info.IsDir() {
		return usage(fmt.Errorf("cannot write %s: it is a directory; name a file", name))
	}
	if dir := filepath.Dir(resolveLink(r.path(name))); !exists(dir) {
		return usage(fmt.Errorf("cannot write %s: there is no directory %s; make it, or name another file", name, filepath.Dir(name)))
	}
	return nil
}

// refuseOverwrite refuses to overwrite an input of the run, or any record or tape.
func (r *run) refuseOverwrite(output string, others ...string) error {
	if isStandard(output) {
		return nil
	}
	path := r.path(output)
	for _, other := range others {
		if !isStandard(other) && sameFile(path, r.path(other)) {
			return usage(fmt.Errorf("--output %s is %s, which would be lost: name another file", output, other))
		}
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil // the write will fail later if it must
	}
	defer f.Close()
	head := make([]byte, 40)
	n, _ := io.ReadFull(f, head)
	for start, what := range map[string]string{`{"log":"debate"`: "record", `{"tape":"debate"`: "tape"} {
		if bytes.HasPrefix(head[:n], []byte(start)) {
			return usage(fmt.Errorf("--output %s is a %s, which would be lost: name another file", output, what))
		}
	}
	return nil
}

// sameFile reports whether two paths lead to one file, or would once it is made.
func sameFile(a, b string) bool {
	one, errA := os.Stat(a)
	other, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(one, other)
	}
	return filepath.Base(a) == filepath.Base(b) && resolveLink(filepath.Dir(a)) == resolveLink(filepath.Dir(b))
}

func unwritable(err error) error {
	return fmt.Errorf("cannot write to standard output: %w", systemError(err))
}

// say prints one line of a result.
func (r *run) say(format string, args ...any) error {
	return r.emit("", fmt.Appendf(nil, format+"\n", args...))
}

// systemError returns the system's error without Go's prefix: the caller names the file as the
// user did.
func systemError(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// path makes a name of the command line absolute.
func (e Env) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.Dir, name)
}

// replaceFile replaces a file atomically. An existing file keeps its permissions; a new one
// gets the user's umask.
func replaceFile(path string, data []byte) (err error) {
	info, statErr := os.Lstat(path)
	exists := statErr == nil && info.Mode().IsRegular()
	if statErr == nil && !exists && info.Mode()&fs.ModeSymlink == 0 {
		f, err := os.OpenFile(path, os.O_WRONLY, 0) // a pipe or a device cannot be replaced
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return errors.Join(err, f.Close())
	}
	name := filepath.Join(filepath.Dir(path), ".debate-"+rand.Text())
	tmp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(tmp.Name()))
		}
	}()
	if _, err = tmp.Write(data); err == nil {
		err = tmp.Sync()
	}
	if err == nil && exists {
		err = tmp.Chmod(info.Mode().Perm())
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// readLimited reads a file, or standard input if name is "-", up to max bytes. Ctrl-C ends
// the wait for standard input.
func (r *run) readLimited(name string, max int64) ([]byte, error) {
	if name != "-" {
		return r.readFile(name, max)
	}
	return await(r.ctx, func() ([]byte, error) { return limited(r.Stdin, "standard input", max) })
}

// await waits for a reading that cannot be stopped. Ctrl-C ends the wait.
func await[T any](ctx context.Context, read func() (T, error)) (got T, err error) {
	done := make(chan func() (T, error), 1)
	go func() {
		got, err := read()
		done <- func() (T, error) { return got, err }
	}()
	select {
	case result := <-done:
		return result()
	case <-ctx.Done():
		return got, ctx.Err()
	}
}

// readFile reads a file of the command line up to max bytes.
func (e Env) readFile(name string, max int64) ([]byte, error) {
	f, err := os.Open(e.path(name))
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer f.Close()
	return limited(f, name, max)
}

func limited(from io.Reader, name string, max int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, max+1))
	if err != nil {
		return nil, unreadable(name, err)
	}
	if int64(len(data)) > max {
		return nil, usage(fmt.Errorf("%s is larger than %d bytes", name, max))
	}
	return data, nil
}

// unreadable is the error for an unreadable input. A permission or a broken disk is no
// usage error.
func unreadable(name string, err error) error {
	why := systemError(err)
	err = fmt.Errorf("cannot read %s: %w", name, why)
	if errors.Is(why, fs.ErrNotExist) || errors.Is(why, syscall.EISDIR) || errors.Is(why, syscall.ENOTDIR) {
		return usage(err)
	}
	return err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
