// Package journal makes the log of the server: one line for each event, as JSON or as text.
// The context has the delivery, the pull request and the review of a line, so every line
// written with it names them, and the span if tracing is on:
//
//	ctx = journal.Delivery(ctx, id)          webhook
//	ctx = journal.Pull(ctx, "acme/shop", 7)  worker
//	ctx = journal.Review(ctx, session)       worker, once the review has a record
//	log.InfoContext(ctx, "review ended")     every caller below
//
// A line never has a secret, a line break or an invisible character, and no field is longer
// than MaxText. Callers must not log the text of a pull request or a model.
package journal

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"

	"go.opentelemetry.io/otel/trace"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/redact"
)

// MaxText bounds one field of a line, in characters. Longer texts are cut.
const MaxText = 2000

// Format is how the lines are written.
type Format string

// The formats.
const (
	JSON Format = "json"
	Text Format = "text"
)

// New returns a log that writes lines of at least the given level to w, one line at a time.
// Secrets may be nil.
func New(w io.Writer, format Format, level slog.Leveler, secrets *redact.Redactor) (*slog.Logger, error) {
	options := &slog.HandlerOptions{
		Level:       level,
		ReplaceAttr: cleaner{secrets}.attribute,
	}
	switch format {
	case JSON:
		return slog.New(handler{outer: slog.NewJSONHandler(w, options)}), nil
	case Text:
		return slog.New(handler{outer: slog.NewTextHandler(w, options)}), nil
	}
	return nil, fmt.Errorf("the log can be written as %s or %s, not as %q", JSON, Text, string(format))
}

// subject has the ids for the lines of a context. Empty fields are not written.
type subject struct {
	delivery string
	pull     string
	review   string
}

type subjectKey struct{}

func about(ctx context.Context) subject {
	s, _ := ctx.Value(subjectKey{}).(subject)
	return s
}

// Delivery sets the webhook delivery for the lines of a context.
func Delivery(ctx context.Context, id string) context.Context {
	s := about(ctx)
	s.delivery = id
	return context.WithValue(ctx, subjectKey{}, s)
}

// Pull sets the pull request for the lines of a context; the repository is owner/name. The
// number 0 leaves only the repository.
func Pull(ctx context.Context, repository string, number int) context.Context {
	s := about(ctx)
	s.pull = repository
	if number > 0 {
		s.pull = fmt.Sprintf("%s#%d", repository, number)
	}
	return context.WithValue(ctx, subjectKey{}, s)
}

// Review sets the review, by its session id, for the lines of a context.
func Review(ctx context.Context, session string) context.Context {
	s := about(ctx)
	s.review = session
	return context.WithValue(ctx, subjectKey{}, s)
}

// attributes returns the fields for every line.
func (s subject) attributes() []slog.Attr {
	var all []slog.Attr
	for _, field := range []struct{ key, value string }{
		{"delivery", s.delivery},
		{"pull_request", s.pull},
		{"review", s.review},
	} {
		if field.value != "" {
			all = append(all, slog.String(field.key, field.value))
		}
	}
	return all
}

// traced returns the span of a context, to link a line and a trace.
func traced(ctx context.Context) []slog.Attr {
	span := trace.SpanContextFromContext(ctx)
	if !span.IsValid() {
		return nil
	}
	return []slog.Attr{slog.String("trace_id", span.TraceID().String()), slog.String("span_id", span.SpanID().String())}
}

// handler adds the context's fields to each line. They must be at the top level even if a
// logger has opened a group, so handler keeps the logger's own additions and applies them
// afterwards.
type handler struct {
	outer slog.Handler                      // as New made it
	added []func(slog.Handler) slog.Handler // by WithAttrs and WithGroup
}

func (h handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.outer.Enabled(ctx, level)
}

func (h handler) Handle(ctx context.Context, r slog.Record) error {
	to := h.outer.WithAttrs(append(about(ctx).attributes(), traced(ctx)...))
	for _, add := range h.added {
		to = add(to)
	}
	return to.Handle(ctx, r)
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return h.with(func(to slog.Handler) slog.Handler { return to.WithAttrs(attrs) })
}

func (h handler) WithGroup(name string) slog.Handler {
	return h.with(func(to slog.Handler) slog.Handler { return to.WithGroup(name) })
}

func (h handler) with(add func(slog.Handler) slog.Handler) slog.Handler {
	return handler{outer: h.outer, added: append(slices.Clip(h.added), add)}
}

// cleaner makes the fields of a line fit to be kept and read.
type cleaner struct{ secrets *redact.Redactor }

// attribute cleans one field. The time, the level and the message of a line are fields too.
// Other values than numbers, times and booleans are written as text, because only text can
// be searched for secrets.
func (c cleaner) attribute(_ []string, a slog.Attr) slog.Attr {
	a.Key = c.text(a.Key)
	switch a.Value.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(c.text(a.Value.String()))
	case slog.KindAny:
		if _, isLevel := a.Value.Any().(slog.Level); !isLevel {
			a.Value = slog.StringValue(c.text(fmt.Sprintf("%+v", a.Value.Any())))
		}
	}
	return a
}

// text removes the secrets before the cut: a cut could leave an unrecognizable part of one.
func (c cleaner) text(s string) string {
	return comment.Clip(comment.Line(c.secrets.Text(s)), MaxText)
}
