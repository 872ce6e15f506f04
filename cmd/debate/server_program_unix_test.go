//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestServerProgramStops: a signal to debate serve reaches the server, and its exit code is that of the server.
func TestServerProgramStops(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	likeThis(t, filepath.Join(dir, "debate-server"))
	k := killableApp(t, "sqlite:"+filepath.Join(dir, "debate.db"))
	k.program = likeThis(t, filepath.Join(dir, "debate"))
	k.start(t)
	late := time.AfterFunc(time.Minute, func() { _ = k.process.Process.Kill() })
	defer late.Stop()
	if err := k.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := k.process.Wait(); err != nil {
		t.Errorf("it ends with %v:\n%s", err, k.log)
	}
	if _, err := os.Stat(filepath.Join(dir, "debate.db")); err != nil {
		t.Error(err)
	}
}
