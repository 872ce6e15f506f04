// Package spans traces the server's work, for OpenTelemetry:
//
//	delivery ──> job ──> review ──> call of a model
//	              └─────────┴─────> request to GitHub
//
// A delivery and its job may be on different servers: the database passes the span on as
// text. Spans are sent in the background, see New. No work waits for them, and unsent ones
// are dropped.
//
// A span has names, numbers and classes of failures. No span has a text of a pull request
// or of a model, an address with a query, or the message of an error.
package spans

import (
	"context"
	"slices"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// MaxText bounds a text in a span, in characters.
const MaxText = 200

// maxLinks bounds the linked deliveries of one job.
const maxLinks = 32

// Tracer begins spans. Its methods are safe for concurrent use, and on nil they keep and
// send nothing.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	clean    func(string) string // makes a text fit to be shown
}

// Span is a running operation.
type Span struct {
	span  trace.Span
	clean func(string) string
}

// nowhere is the span without tracing. It keeps nothing.
var nowhere = &Span{span: trace.SpanFromContext(context.Background()), clean: func(text string) string { return text }}

// start begins a span below the one of the context.
func (t *Tracer) start(ctx context.Context, name string, kind trace.SpanKind, with ...trace.SpanStartOption) (context.Context, *Span) {
	if t == nil {
		return ctx, nowhere
	}
	ctx, span := t.tracer.Start(ctx, t.clean(name), append(with, trace.WithSpanKind(kind))...)
	return ctx, &Span{span: span, clean: t.clean}
}

// Text notes a text, unless it is "".
func (s *Span) Text(key, value string) {
	if value != "" {
		s.span.SetAttributes(attribute.String(key, s.clean(value)))
	}
}

// Number notes a number.
func (s *Span) Number(key string, value int64) {
	s.span.SetAttributes(attribute.Int64(key, value))
}

// End ends a span. Failed is the class of its failure, "" for none.
func (s *Span) End(failed string) {
	if failed != "" {
		s.Text("error.type", failed)
		s.span.SetStatus(codes.Error, "")
	}
	s.span.End()
}

// Delivery begins the span of a delivery of an event, such as "pull_request".
func (t *Tracer) Delivery(ctx context.Context, event, id string) (context.Context, *Span) {
	ctx, span := t.start(ctx, "delivery "+event, trace.SpanKindServer, trace.WithNewRoot())
	span.Text("debate.delivery.event", event)
	span.Text("debate.delivery.id", id)
	return ctx, span
}

// Job begins the span of a job. From has the spans of its deliveries as text, see Parent,
// the oldest first: the last one is the parent, and the others are links.
func (t *Tracer) Job(ctx context.Context, subject string, attempt int, from []string) (context.Context, *Span) {
	if t == nil {
		return ctx, nowhere
	}
	ctx = trace.ContextWithSpanContext(ctx, trace.SpanContext{})
	var links []trace.Link
	for _, one := range slices.Backward(from) {
		told := trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{parent: one}))
		switch {
		case !told.IsValid(), len(links) == maxLinks:
		case !trace.SpanContextFromContext(ctx).IsValid():
			ctx = trace.ContextWithRemoteSpanContext(ctx, told)
		default:
			links = append(links, trace.Link{SpanContext: told})
		}
	}
	ctx, span := t.start(ctx, "job", trace.SpanKindConsumer, trace.WithLinks(links...))
	span.Text("debate.job.subject", subject)
	span.Number("debate.job.attempt", int64(attempt))
	return ctx, span
}

// Review begins the span of the work on a pull request.
func (t *Tracer) Review(ctx context.Context, owner, name string, number int) (context.Context, *Span) {
	ctx, span := t.start(ctx, "review", trace.SpanKindInternal)
	span.Repository(owner, name)
	span.Text("vcs.change.id", strconv.Itoa(number))
	return ctx, span
}

// Repository records the repository of a span.
func (s *Span) Repository(owner, name string) {
	s.Text("vcs.owner.name", owner)
	s.Text("vcs.repository.name", name)
}

// The key for passing spans on.
const parent = "traceparent"

// Parent returns the span of a context as text for Job, "" if there is none.
func Parent(ctx context.Context) string {
	carried := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carried)
	return carried[parent]
}
