package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/prdebate/debate/internal/debate"
)

// lockWait bounds how long a writer waits for another one. Each holds the lock
// only for the time of one append.
const lockWait = 10 * time.Second

// File is a log in one file. Several programs may open it; the slower writer gets an error.
type File struct {
	mu   sync.Mutex
	f    *os.File
	end  Chain
	wait time.Duration // for other writers, before it gives up
}

var _ Log = (*File)(nil)

// Create makes a new log at path, with the directories above it. It never touches an
// existing file: the error is fs.ErrExist.
func Create(path string) (*File, error) {
	dir := filepath.Dir(path)
	if err := makeDir(dir); err != nil {
		return nil, fmt.Errorf("cannot make the directory of the record: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot create the record: %w", err)
	}
	log := &File{f: f, wait: lockWait}
	head, begun, err := Begin()
	if err == nil {
		err = log.write(head, begun)
	}
	if err == nil {
		err = syncDir(dir)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the record: %w", err), f.Close(), os.Remove(path))
	}
	return log, nil
}

// Open opens an existing log for more entries and returns its record. It cuts off a torn
// last line.
func Open(path string) (*File, Record, error) {
	f, err := openFile(path, os.O_RDWR)
	if err != nil {
		return nil, Record{}, fmt.Errorf("cannot open the record %s: %w", path, err)
	}
	rec, err := resume(f, lockWait)
	if err != nil {
		return nil, Record{}, errors.Join(fmt.Errorf("cannot go on with %s: %w", path, err), f.Close())
	}
	return &File{f: f, end: rec.end, wait: lockWait}, rec, nil
}

// resume reads a log and cuts off a torn line. It holds the lock meanwhile: another program
// might be writing that line.
func resume(f *os.File, wait time.Duration) (Record, error) {
	unlock, err := lock(f, wait)
	if err != nil {
		return Record{}, err
	}
	defer unlock()
	rec, err := decodeAll(f)
	if err == nil && rec.Torn {
		err = f.Truncate(rec.end.size)
	}
	return rec, err
}

// Read reads a log and changes nothing. If the log is being written, it returns the entries
// so far, and may report the current line as torn.
func Read(path string) (Record, error) {
	f, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return Record{}, fmt.Errorf("cannot open the record %s: %w", path, err)
	}
	defer f.Close()
	rec, err := decodeAll(f)
	if err != nil {
		return Record{}, fmt.Errorf("cannot read the record %s: %w", path, err)
	}
	return rec, nil
}

// openFile opens a regular file. It checks first: opening a pipe without a writer would
// never return, and a device could block a reader without end.
func openFile(path string, flag int) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, reason(err)
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return nil, errors.New("it is a directory, not a file")
	case mode&fs.ModeNamedPipe != 0:
		return nil, errors.New("it is a pipe, not a file")
	case !mode.IsRegular():
		return nil, errors.New("it is a device or a socket, not a file")
	}
	f, err := os.OpenFile(path, flag, 0)
	if err != nil {
		return nil, reason(err)
	}
	return f, nil
}

func decodeAll(f *os.File) (Record, error) {
	rec, err := Decode(io.NewSectionReader(f, 0, math.MaxInt64))
	return rec, reason(err)
}

// reason returns the system's error without Go's prefix.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// Append writes one entry and returns once it is on disk. It returns a *ConflictError for a
// wrong number, or after a write by another program. After a failed write the log is as
// before.
func (l *File) Append(e debate.Entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	line, next, err := l.end.Next(e)
	if err != nil {
		return err
	}
	if err := l.put(e, line, next); err != nil {
		return fmt.Errorf("append event %d to the record: %w", e.N, err)
	}
	return nil
}

// put writes the line of an entry, unless another program wrote in between.
func (l *File) put(e debate.Entry, line []byte, next Chain) error {
	unlock, err := lock(l.f, l.wait)
	if err != nil {
		return err
	}
	defer unlock()
	info, err := l.f.Stat()
	if err != nil {
		return reason(err)
	}
	if info.Size() != l.end.size { // another program wrote in between: both chains would break
		rec, err := decodeAll(l.f)
		if err != nil {
			return err
		}
		return &ConflictError{Expected: e.N - 1, Actual: len(rec.Entries)}
	}
	return l.write(line, next)
}

func (l *File) write(line []byte, next Chain) error {
	_, err := l.f.WriteAt(append(line, '\n'), l.end.size)
	if err == nil {
		err = l.f.Sync()
	}
	if err != nil {
		// A partly written line must not remain before the next one.
		return errors.Join(err, l.f.Truncate(l.end.size))
	}
	l.end = next
	return nil
}

// Last is the digest of the last line: it seals the record.
func (l *File) Last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end.last
}

// Close closes the file.
func (l *File) Close() error { return l.f.Close() }

// makeDir makes a directory and those above it, and makes their names durable.
func makeDir(dir string) error {
	var parents []string // of the new directories
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); !errors.Is(err, fs.ErrNotExist) || filepath.Dir(d) == d {
			break
		}
		parents = append(parents, filepath.Dir(d))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, parent := range parents {
		if err := syncDir(parent); err != nil {
			return err
		}
	}
	return nil
}

// syncDir makes a new name in dir durable. Windows cannot sync a directory and
// does not need to, and some network file systems cannot either.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
