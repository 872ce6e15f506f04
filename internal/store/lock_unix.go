//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package store

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lock keeps other programs from writing to the file until unlock is called. It is the
// system's advisory lock, so a crash releases it. If others hold it for all of wait, it
// fails. On a file system without locks the writers only compare the size of
// the file.
func lock(f *os.File, wait time.Duration) (unlock func(), err error) {
	deadline := time.Now().Add(wait)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return func() { _ = flock(f, syscall.LOCK_UN) }, nil
		case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK):
			return func() {}, nil
		case errors.Is(err, syscall.EWOULDBLOCK), errors.Is(err, syscall.EINTR):
			if time.Now().After(deadline) {
				return nil, fmt.Errorf("another program has held the record for %s", wait)
			}
		default:
			return nil, fmt.Errorf("lock the record: %w", err)
		}
		time.Sleep(pause)
	}
}

func flock(f *os.File, how int) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var locked error
	if err := conn.Control(func(fd uintptr) { locked = syscall.Flock(int(fd), how) }); err != nil {
		return err
	}
	return locked
}
