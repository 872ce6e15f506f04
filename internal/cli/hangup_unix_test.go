//go:build unix

package cli

import (
	"context"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// TestHangup: a terminal that goes away stops a run as SIGTERM does, so that its
// record can be gone on with, unless nohup says that it goes on.
func TestHangup(t *testing.T) {
	send := func(list ...syscall.Signal) string {
		ctx, stop := System().Interrupt()
		defer stop()
		for _, s := range list {
			if err := syscall.Kill(syscall.Getpid(), s); err != nil {
				t.Fatal(err)
			}
		}
		<-ctx.Done()
		return context.Cause(ctx).Error()
	}
	if !signal.Ignored(syscall.SIGHUP) { // the tests themselves may run under nohup
		if why := send(syscall.SIGHUP); !strings.Contains(why, "hangup") {
			t.Errorf("it stopped by %s", why)
		}
	}
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	if why := send(syscall.SIGHUP, syscall.SIGTERM); !strings.Contains(why, "terminated") {
		t.Errorf("where hangups are ignored it stopped by %s", why)
	}
}
