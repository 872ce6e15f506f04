package durable

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestQuiet: what DBOS tells is debugging, and it warns of one thing once in a while.
func TestQuiet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		handler := &quiet{inner: slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelInfo}), said: &said{}}
		log, part := slog.New(handler), slog.New(handler).With("queue", "subjects").WithGroup("g")
		expect := func(want int) {
			t.Helper()
			if got := strings.Count(out.String(), "\n"); got != want {
				t.Errorf("%d lines, want %d:\n%s", got, want, out.String())
			}
			out.Reset()
		}
		log.Debug("started")
		log.Info("started")
		expect(0)
		for range 10 {
			part.Error("no database", "error", "gone")
			log.Warn("odd")
		}
		expect(2)
		time.Sleep(sayAgain)
		log.Error("no database")
		log.Error("no database")
		expect(1)
		handler.set(true)
		log.Error("something new")
		expect(0)

		slog.New(&quiet{inner: slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}), said: handler.said}).Info("started")
		if got := out.String(); !strings.Contains(got, "level=DEBUG") {
			t.Errorf("%q is not debugging", got)
		}
		if handler.Enabled(context.Background(), slog.LevelInfo) || !handler.Enabled(context.Background(), slog.LevelWarn) {
			t.Error("the wrong levels are enabled")
		}
	})
}
