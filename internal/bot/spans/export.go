package spans

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// The bounds of sending spans.
const (
	maxWaiting = 2048             // spans that wait to be sent; later ones are dropped
	sendEvery  = 5 * time.Second  // or once 512 wait
	sendWithin = 10 * time.Second // with all tries of one batch
	lastWithin = 5 * time.Second  // for the last spans when the server stops
)

// Options configure the export of spans.
type Options struct {
	Getenv  func(string) string // the environment; docs/app.md lists its variables
	Version string              // of this program
	Node    string              // of this server
	Clean   func(string) string // makes a text fit to be shown
	Log     *slog.Logger
}

// New makes a tracer. It is nil if the environment has no address for spans. A malformed
// address is an error; an unreachable one is not.
func New(ctx context.Context, o Options) (*Tracer, error) {
	address, err := endpoint(o.Getenv)
	if err != nil || address == "" {
		return nil, err
	}
	headers, err := headers(o.Getenv)
	if err != nil {
		return nil, err
	}
	exporter, err := otlptracehttp.New(ctx,
		otlptracehttp.WithEndpointURL(address), otlptracehttp.WithHeaders(headers), otlptracehttp.WithTimeout(sendWithin),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{Enabled: true, InitialInterval: time.Second, MaxInterval: sendWithin / 2, MaxElapsedTime: sendWithin}))
	if err != nil {
		return nil, fmt.Errorf("make what sends traces to %s: %w", address, err)
	}
	about, err := resource.New(ctx, resource.WithFromEnv(), resource.WithAttributes(
		attribute.String("service.name", cmp.Or(o.Getenv("OTEL_SERVICE_NAME"), "debate")),
		attribute.String("service.version", o.Version), attribute.String("service.instance.id", o.Node)))
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	sending := &sender{SpanExporter: exporter, log: o.Log}
	// Partial rejections go to this handler alone.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(sending.complain))
	provider := sdk.NewTracerProvider(sdk.WithResource(about), sdk.WithBatcher(sending,
		sdk.WithMaxQueueSize(maxWaiting), sdk.WithBatchTimeout(sendEvery), sdk.WithExportTimeout(sendWithin)))
	return &Tracer{provider: provider, tracer: provider.Tracer("github.com/prdebate/debate"), clean: o.Clean}, nil
}

// Close sends the waiting spans, for a few seconds at most, and ends.
func (t *Tracer) Close(ctx context.Context) {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, lastWithin)
	defer cancel()
	_ = t.provider.Shutdown(ctx) // the log has the errors
}

// endpoint returns the address for spans, "" for none.
func endpoint(getenv func(string) string) (string, error) {
	name, path := "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", ""
	if getenv(name) == "" {
		name, path = "OTEL_EXPORTER_OTLP_ENDPOINT", "v1/traces"
	}
	address := strings.TrimSpace(getenv(name))
	if address == "" || strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") || getenv("OTEL_TRACES_EXPORTER") == "none" {
		return "", nil
	}
	protocol := cmp.Or(getenv("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"), getenv("OTEL_EXPORTER_OTLP_PROTOCOL"), "http/protobuf")
	if protocol != "http/protobuf" {
		return "", fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is %s: traces are sent by http/protobuf alone, to port 4318 of most receivers", protocol)
	}
	at, err := url.Parse(address)
	if err != nil || at.Host == "" || !slices.Contains([]string{"https", "http"}, at.Scheme) {
		return "", errors.New(name + " is no address: write it as http://HOST:4318")
	}
	if at.User != nil || at.RawQuery != "" {
		return "", errors.New(name + " holds a password or a query: put credentials into OTEL_EXPORTER_OTLP_HEADERS")
	}
	if path != "" {
		at = at.JoinPath(path)
	}
	return at.String(), nil
}

// headers reads the headers for spans: NAME=VALUE, separated by commas.
func headers(getenv func(string) string) (map[string]string, error) {
	name := "OTEL_EXPORTER_OTLP_TRACES_HEADERS"
	if getenv(name) == "" {
		name = "OTEL_EXPORTER_OTLP_HEADERS"
	}
	all := make(map[string]string)
	for _, one := range strings.Split(getenv(name), ",") {
		if strings.TrimSpace(one) == "" {
			continue
		}
		key, value, ok := strings.Cut(one, "=")
		key = strings.TrimSpace(key)
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !ok || key == "" || err != nil { // not quoted: it is a secret
			return nil, errors.New(name + " cannot be read: write NAME=VALUE, with commas between several")
		}
		all[key] = value
	}
	return all, nil
}

// Secrets returns the values of the headers, which no log may show.
func Secrets(getenv func(string) string) []string {
	all, _ := headers(getenv) // none if they are malformed
	var values []string
	for _, value := range all {
		values = append(values, value)
		if _, token, ok := strings.Cut(value, " "); ok { // Bearer TOKEN
			values = append(values, token)
		}
	}
	return values
}

// sender exports spans. If the receiver is down, its spans are lost and one line is logged.
type sender struct {
	sdk.SpanExporter
	log      *slog.Logger
	failing  atomic.Bool
	rejected sync.Once
}

// ExportSpans sends some spans. It never fails, so that no other code logs the error again.
func (s *sender) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := s.SpanExporter.ExportSpans(ctx, spans)
	failed := err != nil
	switch before := s.failing.Swap(failed); {
	case before == failed:
	case failed:
		s.log.WarnContext(ctx, "traces cannot be sent; nothing waits for them, and this is said once", "error", err.Error())
	default:
		s.log.InfoContext(ctx, "traces are sent again")
	}
	return nil
}

// complain logs a receiver's rejection once.
func (s *sender) complain(err error) {
	s.rejected.Do(func() {
		s.log.Warn("traces are not taken as they are; this is said once", "error", err.Error())
	})
}
