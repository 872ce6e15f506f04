//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("STORE_TEST_FULL_DISK"); path != "" { // the test runs itself
		if err := fillDisk(path); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestDiskFull: an append that finds the disk full half-way through its line is
// an error, leaves nothing, and can be repeated once there is room.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	path, data := written(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "STORE_TEST_FULL_DISK="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	rec, err := Read(path)
	if err != nil || len(rec.Entries) != 5 || rec.Torn {
		t.Errorf("%d entries, torn %v, %v", len(rec.Entries), rec.Torn, err)
	}
	if now, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(now), string(data)) {
		t.Error("what was there was changed")
	}
}

// fillDisk appends behind a limit of the process on the size of a file, which
// writes a part of the line as a full disk does.
func fillDisk(path string) error {
	signal.Ignore(syscall.SIGXFSZ)
	log, rec, err := Open(path)
	if err != nil {
		return err
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	small := limit
	small.Cur = 0
	for range rec.end.size + 100 { // the type of Cur is not the same on all systems
		small.Cur++
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		return err
	}
	next := debate.Entry{N: len(rec.Entries) + 1, At: 1, Event: debate.AbortedEvent{Reason: strings.Repeat("x", 500)}}
	for range 2 {
		if err := log.Append(next); !errors.Is(err, syscall.EFBIG) {
			return fmt.Errorf("behind the limit: %v", err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() != rec.end.size {
			return fmt.Errorf("the failed append left bytes (%v)", err)
		}
	}
	if log.Last() != rec.Last {
		return errors.New("the failed append changed the seal")
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	return errors.Join(log.Append(next), log.Close())
}

// TestPipe: to open a pipe that nobody writes to would never return.
func TestPipe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil || !strings.HasSuffix(err.Error(), "it is a pipe, not a file") {
		t.Errorf("read: %v", err)
	}
	if _, _, err := Open(path); err == nil || !strings.HasSuffix(err.Error(), "it is a pipe, not a file") {
		t.Errorf("open: %v", err)
	}
}

// TestNoPermission: what may not be read is said, and left alone. The superuser
// may read everything.
func TestNoPermission(t *testing.T) {
	t.Parallel()
	path, data := written(t)
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	refused := os.Geteuid() != 0
	if _, err := Read(path); errors.Is(err, fs.ErrPermission) != refused {
		t.Errorf("read: %v", err)
	}
	log, _, err := Open(path)
	if errors.Is(err, fs.ErrPermission) != refused {
		t.Errorf("open: %v", err)
	}
	if err == nil {
		log.Close()
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(data) {
		t.Error("the file was changed")
	}
}

// TestLock: a line that another program is just writing is not torn and must not
// be cut off, nor may another one be written over it.
func TestLock(t *testing.T) {
	t.Parallel()
	path, data := written(t)
	log, _, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	log.wait = 0
	other, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	unlock, err := lock(other, 0)
	if err != nil {
		t.Fatal(err)
	}
	half := []byte(`{"n":5`)
	if _, err := other.WriteAt(half, int64(len(data))); err != nil {
		t.Fatal(err)
	}
	third, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer third.Close()
	busy := func(err error) bool {
		return err != nil && strings.Contains(err.Error(), "another program has held the record for 0s")
	}
	next := debate.Entry{N: 5, At: 5, Event: debate.AbortedEvent{Reason: "r"}}
	if err := log.Append(next); !busy(err) {
		t.Errorf("append: %v", err)
	}
	if _, err := resume(third, 0); !busy(err) {
		t.Errorf("open: %v", err)
	}
	if rec, err := Read(path); err != nil || !rec.Torn {
		t.Errorf("read: torn %v, %v", rec.Torn, err)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(data)+string(half) {
		t.Error("the line in flight was touched")
	}
	unlock()
	// The other program is gone: its half line is nobody's any more.
	if err := log.Append(next); !errors.As(err, new(*ConflictError)) {
		t.Errorf("append behind a half line: %v", err)
	}
	if rec, err := resume(third, 0); err != nil || !rec.Torn || len(rec.Entries) != 4 {
		t.Errorf("open: %d entries, torn %v, %v", len(rec.Entries), rec.Torn, err)
	}
	if err := log.Append(next); err != nil {
		t.Errorf("append once it is cut off: %v", err)
	}
}
