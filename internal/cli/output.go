package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// emit writes a result to a file, or to standard output where name is empty. A
// file is replaced whole or not at all: a reader never sees half a report.
func (r *run) emit(name string, data []byte) error {
	if name == "" || name == "-" {
		if _, err := r.Stdout.Write(data); err != nil {
			return fmt.Errorf("write the result: %w", err)
		}
		return nil
	}
	if err := replaceFile(r.path(name), data); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// path makes a name of the command line absolute.
func (r *run) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.Dir, name)
}

func replaceFile(path string, data []byte) (err error) {
	if info, statErr := os.Stat(path); statErr == nil && !info.Mode().IsRegular() {
		return writeThrough(path, data) // a pipe or a device cannot be replaced
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".debate-*")
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
	if err == nil {
		err = tmp.Chmod(0o644)
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

func writeThrough(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// readLimited reads a file of the command line, or standard input where name is
// "-", up to max bytes. A Ctrl-C ends the wait for standard input.
func (r *run) readLimited(name string, max int64) ([]byte, error) {
	if name != "-" {
		f, err := os.Open(r.path(name))
		if err != nil {
			return nil, usage(err)
		}
		defer f.Close()
		return limited(f, name, max)
	}
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := limited(r.Stdin, "standard input", max)
		done <- result{data, err}
	}()
	select {
	case got := <-done:
		return got.data, got.err
	case <-r.ctx.Done():
		return nil, r.ctx.Err()
	}
}

func limited(from io.Reader, name string, max int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, max+1))
	if err != nil {
		return nil, usage(fmt.Errorf("read %s: %w", name, err))
	}
	if int64(len(data)) > max {
		return nil, usage(fmt.Errorf("%s is larger than %d bytes", name, max))
	}
	return data, nil
}
