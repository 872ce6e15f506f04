package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/prdebate/debate/internal/debate"
)

// MaxRecord bounds a record that is read, in bytes.
const MaxRecord = 1 << 30

// File is a log in one file. It has one writer at a time.
type File struct {
	f    *os.File
	n    int    // events written
	last string // digest of the last line
	size int64
}

// Create makes a new log at path, with the directories above it. An existing
// file is never touched: that is an error that errors.Is fs.ErrExist.
func Create(path string) (*File, error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot make the directory of the record: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot create the record: %w", err)
	}
	log := &File{f: f}
	head, err := json.Marshal(header{Log: logName, SchemaVersion: SchemaVersion})
	if err == nil {
		err = log.write(head)
	}
	if err == nil {
		err = syncDir(dir)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the record: %w", err), f.Close(), os.Remove(path))
	}
	return log, nil
}

// Open opens an existing log to go on with it and returns what it holds. A torn
// last line is cut off.
func Open(path string) (*File, Record, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, Record{}, fmt.Errorf("cannot open the record %s: %w", path, reason(err))
	}
	rec, err := decodeAll(f)
	if err == nil && rec.Torn {
		err = f.Truncate(rec.size)
	}
	if err == nil {
		_, err = f.Seek(rec.size, io.SeekStart)
	}
	if err != nil {
		return nil, rec, errors.Join(fmt.Errorf("cannot go on with %s: %w", path, err), f.Close())
	}
	return &File{f: f, n: len(rec.Entries), last: rec.Last, size: rec.size}, rec, nil
}

// Read reads a log and changes nothing.
func Read(path string) (Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return Record{}, fmt.Errorf("cannot open the record %s: %w", path, reason(err))
	}
	defer f.Close()
	rec, err := decodeAll(f)
	if err != nil {
		return rec, fmt.Errorf("cannot read the record %s: %w", path, err)
	}
	return rec, nil
}

func decodeAll(f *os.File) (Record, error) {
	data, err := io.ReadAll(io.LimitReader(f, MaxRecord+1))
	if err != nil {
		return Record{}, reason(err)
	}
	if len(data) > MaxRecord {
		return Record{}, fmt.Errorf("the record is larger than %d bytes", MaxRecord)
	}
	return Decode(data)
}

// reason is what the system said, without the call and the name before it.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// Append writes one entry behind the last one and returns once it is on disk.
// An entry whose number is not the next one is a *ConflictError. After a failed
// write the log stands where it stood before.
func (l *File) Append(e debate.Entry) error {
	if e.N != l.n+1 {
		return &ConflictError{Expected: e.N - 1, Actual: l.n}
	}
	// Two programs that went on with one record would tear its chain.
	if info, err := l.f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() != l.size {
		return fmt.Errorf("append event %d to the record: somebody else wrote to it", e.N)
	}
	text, err := encodeLine(e, l.last)
	if err != nil {
		return err
	}
	if err := l.write(text); err != nil {
		return fmt.Errorf("append event %d to the record: %w", e.N, err)
	}
	l.n = e.N
	return nil
}

func (l *File) write(text []byte) error {
	_, err := l.f.Write(append(text, '\n'))
	if err == nil {
		err = l.f.Sync()
	}
	if err != nil {
		// What was written of the line must not stay in front of the next one.
		_, seekErr := l.f.Seek(l.size, io.SeekStart)
		return errors.Join(err, l.f.Truncate(l.size), seekErr)
	}
	l.last = digest(text)
	l.size += int64(len(text)) + 1
	return nil
}

// Last is the digest of the last line: it seals the record (S24).
func (l *File) Last() string { return l.last }

// Close closes the file.
func (l *File) Close() error { return l.f.Close() }

// syncDir makes a new name in dir durable. Windows cannot sync a directory and
// does not need to.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
