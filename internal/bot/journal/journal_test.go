package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/redact"
)

const secret = "hunter2hunter2hunter2"

// written is what a log writes of one use, without the times.
func written(t *testing.T, format Format, use func(*slog.Logger)) string {
	t.Helper()
	var b bytes.Buffer
	log, err := New(&b, format, slog.LevelInfo, redact.New([]string{secret}, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	use(log)
	return b.String()
}

func TestSubjectStandsOnEveryLine(t *testing.T) {
	t.Parallel()
	ctx := Review(Pull(Delivery(t.Context(), "72d3162e"), "acme/shop", 7), "0123abcd")
	for name, use := range map[string]func(*slog.Logger){
		"plain":       func(l *slog.Logger) { l.InfoContext(ctx, "ended", "calls", 12) },
		"with fields": func(l *slog.Logger) { l.With("calls", 12).InfoContext(ctx, "ended") },
		"in a group":  func(l *slog.Logger) { l.WithGroup("totals").With("calls", 12).InfoContext(ctx, "ended") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var line map[string]any
			if err := json.Unmarshal([]byte(written(t, JSON, use)), &line); err != nil {
				t.Fatal(err)
			}
			for key, want := range map[string]string{"delivery": "72d3162e", "pull_request": "acme/shop#7", "review": "0123abcd", "msg": "ended", "level": "INFO"} {
				if line[key] != want {
					t.Errorf("%s is %v, not %q, in %v", key, line[key], want, line)
				}
			}
			inner := line
			if name == "in a group" {
				inner, _ = line["totals"].(map[string]any)
			}
			if inner["calls"] != 12.0 {
				t.Errorf("calls are %v in %v", inner["calls"], line)
			}
		})
	}
}

func TestWhatIsNotKnownIsNotWritten(t *testing.T) {
	t.Parallel()
	got := written(t, Text, func(l *slog.Logger) {
		l.InfoContext(Pull(t.Context(), "acme/shop", 0), "look at all open pull requests")
	})
	if !strings.Contains(got, "pull_request=acme/shop\n") || strings.Contains(got, "delivery") || strings.Contains(got, "review=") {
		t.Error(got)
	}
	if got := written(t, Text, func(l *slog.Logger) { l.DebugContext(t.Context(), "quiet") }); got != "" {
		t.Error("a line below the level was written:", got)
	}
}

// TestALoggerIsNotChangedByItsChildren: two loggers made of one share nothing.
func TestALoggerIsNotChangedByItsChildren(t *testing.T) {
	t.Parallel()
	got := written(t, Text, func(l *slog.Logger) {
		parent := l.With("a", 1).With("b", 2)
		first, second := parent.With("c", "first"), parent.With("c", "second")
		first.Info("one")
		second.Info("two")
	})
	for _, want := range []string{"msg=one a=1 b=2 c=first\n", "msg=two a=1 b=2 c=second\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
}

type holder struct{ Key string }

type lazy struct{}

func (lazy) LogValue() slog.Value { return slog.StringValue("key " + secret) }

func TestNoLineShowsASecret(t *testing.T) {
	t.Parallel()
	for name, use := range map[string]func(context.Context, *slog.Logger){
		"message": func(ctx context.Context, l *slog.Logger) { l.InfoContext(ctx, "refused "+secret) },
		"field":   func(ctx context.Context, l *slog.Logger) { l.InfoContext(ctx, "refused", "key", secret) },
		"name":    func(ctx context.Context, l *slog.Logger) { l.InfoContext(ctx, "refused", secret, 1) },
		"error": func(ctx context.Context, l *slog.Logger) {
			l.InfoContext(ctx, "refused", "error", errors.New("401 for "+secret))
		},
		"struct": func(ctx context.Context, l *slog.Logger) { l.InfoContext(ctx, "refused", "with", holder{secret}) },
		"bytes":  func(ctx context.Context, l *slog.Logger) { l.InfoContext(ctx, "refused", "body", []string{secret}) },
		"lazy":   func(ctx context.Context, l *slog.Logger) { l.InfoContext(ctx, "refused", "with", lazy{}) },
		"group": func(ctx context.Context, l *slog.Logger) {
			l.InfoContext(ctx, "refused", slog.Group("g", "key", secret))
		},
		"with":    func(ctx context.Context, l *slog.Logger) { l.With("key", secret).InfoContext(ctx, "refused") },
		"subject": func(ctx context.Context, l *slog.Logger) { l.InfoContext(Delivery(ctx, secret), "refused") },
		"cut": func(ctx context.Context, l *slog.Logger) {
			l.InfoContext(ctx, "refused", "long", strings.Repeat("x", MaxText-10)+" "+secret)
		},
	} {
		for _, format := range []Format{JSON, Text} {
			t.Run(name+" "+string(format), func(t *testing.T) {
				t.Parallel()
				got := written(t, format, func(l *slog.Logger) { use(t.Context(), l) })
				if !strings.Contains(got, "refused") || strings.Contains(got, secret[:8]) {
					t.Error(got)
				}
			})
		}
	}
}

func TestAFieldStaysOneLine(t *testing.T) {
	t.Parallel()
	hostile := "a\nlevel=ERROR msg=forged \x1b[31m\u202e" + strings.Repeat("x", 2*MaxText)
	for _, format := range []Format{JSON, Text} {
		got := written(t, format, func(l *slog.Logger) { l.Info("title", "title", hostile) })
		if strings.Count(got, "\n") != 1 || strings.ContainsAny(got, "\x1b\u202e") || len(got) > 2*MaxText {
			t.Errorf("%s: %d bytes: %q", format, len(got), got)
		}
	}
}

func TestNumbersAndTimesKeepTheirKind(t *testing.T) {
	t.Parallel()
	var line map[string]any
	got := written(t, JSON, func(l *slog.Logger) {
		l.Warn("slow", "took", 3*time.Second, "calls", 12, "ok", true, "share", 0.5, "level", slog.LevelWarn)
	})
	if err := json.Unmarshal([]byte(got), &line); err != nil {
		t.Fatal(err)
	}
	if line["took"] != 3e9 || line["calls"] != 12.0 || line["ok"] != true || line["share"] != 0.5 || line["level"] != "WARN" {
		t.Error(line)
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	_, err := New(nil, "xml", slog.LevelInfo, nil)
	if err == nil || err.Error() != `the log can be written as json or text, not as "xml"` {
		t.Error(err)
	}
	var b bytes.Buffer
	log, err := New(&b, Text, slog.LevelInfo, nil) // nothing is secret
	if err != nil {
		t.Fatal(err)
	}
	log.Info("starts")
	if !strings.HasSuffix(b.String(), "level=INFO msg=starts\n") {
		t.Error(b.String())
	}
}
