package spans

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// recorded is a tracer whose spans are kept.
func recorded(t *testing.T) (*Tracer, func() tracetest.SpanStubs) {
	t.Helper()
	kept := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(kept))
	return &Tracer{provider: provider, tracer: provider.Tracer("test"), clean: func(s string) string { return strings.ReplaceAll(s, "hush", "***") }}, kept.GetSpans
}

// attributesOf are those of a span, as texts.
func attributesOf(s tracetest.SpanStub) map[string]string {
	all := make(map[string]string)
	for _, a := range s.Attributes {
		all[string(a.Key)] = a.Value.String()
	}
	return all
}

// TestJob: a job belongs to the last of its deliveries and is linked with the others; what
// is no span of anybody is left out.
func TestJob(t *testing.T) {
	t.Parallel()
	tracer, spans := recorded(t)
	first, span := tracer.Delivery(t.Context(), "pull_request", "d-1")
	span.End("")
	second, span := tracer.Delivery(first, "issue_comment", "d-2")
	span.End("")
	job, span := tracer.Job(second, "1/pull/7", 2, []string{Parent(first), "nonsense", Parent(second)})
	_, review := tracer.Review(job, "acme", "hush-shop", 7)
	review.End("failed")
	span.End("")
	all := spans()
	if len(all) != 4 || all[0].SpanContext.TraceID() == all[1].SpanContext.TraceID() {
		t.Fatalf("%d spans, or deliveries in one trace", len(all))
	}
	done := all[3]
	if done.Parent.SpanID() != all[1].SpanContext.SpanID() || len(done.Links) != 1 || done.Links[0].SpanContext.SpanID() != all[0].SpanContext.SpanID() {
		t.Errorf("the job belongs to %v and is linked with %v", done.Parent, done.Links)
	}
	got := attributesOf(all[2])
	if all[2].Parent.SpanID() != done.SpanContext.SpanID() || got["vcs.repository.name"] != "***-shop" || got["vcs.change.id"] != "7" || got["error.type"] != "failed" {
		t.Errorf("the review: %v", got)
	}
	if _, span := tracer.Job(second, "1/sweep", 1, nil); span.span.SpanContext().TraceID() == all[1].SpanContext.TraceID() {
		t.Error("a sweep belongs to a delivery")
	}
}

// TestNoTracer: where nobody traces nothing happens.
func TestNoTracer(t *testing.T) {
	t.Parallel()
	var tracer *Tracer
	ctx, span := tracer.Job(t.Context(), "x", 1, nil)
	span.Text("a", "b")
	span.Repository("a", "b")
	span.End("failed")
	if asked := (answering{}); ctx != t.Context() || tracer.Transport(http.DefaultTransport) != http.DefaultTransport || tracer.Client(asked, Asked{}) != model.Client(asked) {
		t.Error("something is wrapped")
	}
	tracer.Close(ctx)
}

type answering struct {
	response model.Response
	err      error
}

func (a answering) Ask(context.Context, model.Request) (model.Response, error) {
	return a.response, a.err
}

// TestClient: a call tells who was asked and what was used, and of a failure its class.
func TestClient(t *testing.T) {
	t.Parallel()
	tracer, spans := recorded(t)
	used := debate.Usage{TokensIn: 10, TokensCached: 4, TokensOut: 3, CostMicro: 7}
	ok := answering{response: model.Response{Text: "prose", RequestID: "r-1", Model: "gemini-9-001", Usage: used}}
	if _, err := tracer.Client(ok, Asked{"gemini", "gemini", "gemini-9"}).Ask(t.Context(), model.Request{Packet: "prose"}); err != nil {
		t.Error(err)
	}
	refused := answering{err: &model.Error{Class: debate.CallAuth, Detail: "prose"}}
	if _, err := tracer.Client(refused, Asked{"gpt", "openai", "gpt-9"}).Ask(t.Context(), model.Request{}); err == nil {
		t.Error("the failure is lost")
	}
	all := spans()
	want := map[string]string{
		"gen_ai.operation.name": "chat", "gen_ai.provider.name": "gcp.gemini", "gen_ai.request.model": "gemini-9", "gen_ai.response.model": "gemini-9-001",
		"gen_ai.response.id": "r-1", "gen_ai.usage.input_tokens": "10", "gen_ai.usage.output_tokens": "3", "gen_ai.usage.cache_read.input_tokens": "4",
		"debate.party": "gemini", "debate.cost.micro_usd": "7",
	}
	got := attributesOf(all[0])
	for key, value := range want {
		if got[key] != value {
			t.Errorf("%s is %q, want %q", key, got[key], value)
		}
	}
	if len(got) != len(want) || all[0].Name != "chat gemini-9" {
		t.Errorf("%s: %v", all[0].Name, got)
	}
	if got := attributesOf(all[1]); got["error.type"] != string(debate.CallAuth) || strings.Contains(all[1].Status.Description, "prose") {
		t.Errorf("the failure: %v, %v", got, all[1].Status)
	}
}

func TestRoute(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/repos/acme/shop/pulls/7/files":              "/repos/{owner}/{repo}/pulls/{pull_number}/files",
		"/repos/pulls/issues/pulls/7":                 "/repos/{owner}/{repo}/pulls/{pull_number}",
		"/api/v3/repos/acme/shop/contents/a/b.go":     "/repos/{owner}/{repo}/contents/{path...}",
		"/repos/acme/shop/compare/main...alice/topic": "/repos/{owner}/{repo}/compare/{basehead...}",
		"/repos/acme/shop/pulls/comments/9":           "/repos/{owner}/{repo}/pulls/comments/{comment_id}",
		"/api/graphql":                                "/api/graphql",
		"/acme/shop/legacy.tar.gz/main":               "",
		"/repos/acme/shop/contents":                   "",
	} {
		if got := routeOf(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}

// TestTransport: a request tells its method and its route, and nothing else of its address.
func TestTransport(t *testing.T) {
	t.Parallel()
	tracer, spans := recorded(t)
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	resp, err := (&http.Client{Transport: tracer.Transport(nil)}).Get(server.URL + "/repos/acme/shop/contents/secret.go?ref=topic")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if _, err := (&http.Client{Transport: tracer.Transport(nil)}).Get("http://127.0.0.1:1/acme/archive?token=t"); err == nil {
		t.Error("somebody answers")
	}
	all := spans()
	if got := attributesOf(all[0]); all[0].Name != "GET /repos/{owner}/{repo}/contents/{path...}" || len(got) != 5 || got["http.response.status_code"] != "404" || got["error.type"] != "404" {
		t.Errorf("%s: %v", all[0].Name, got)
	}
	if got := attributesOf(all[1]); all[1].Name != "GET" || len(got) != 3 || got["error.type"] != "unreachable" {
		t.Errorf("%s: %v", all[1].Name, got)
	}
}

// TestEndpoint: where spans go, and with which headers.
func TestEndpoint(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		env     map[string]string
		address string
		fails   string
	}{
		{},
		{env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://host:4318"}, address: "http://host:4318/v1/traces"},
		{env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://host/otlp/"}, address: "https://host/otlp/v1/traces"},
		{env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://b/in"}, address: "http://b/in"},
		{env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://host", "OTEL_SDK_DISABLED": "true"}},
		{env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://host", "OTEL_TRACES_EXPORTER": "none"}},
		{env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://host", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, fails: "by http/protobuf alone"},
		{env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "host:4318"}, fails: "is no address"},
		{env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://me:word@host"}, fails: "holds a password"},
		{env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://host", "OTEL_EXPORTER_OTLP_HEADERS": "nonsense"}, fails: "write NAME=VALUE"},
	} {
		getenv := func(name string) string { return tt.env[name] }
		address, err := endpoint(getenv)
		if err == nil {
			_, err = headers(getenv)
		}
		if (tt.fails == "") != (err == nil) || err != nil && (!strings.Contains(err.Error(), tt.fails) || strings.Contains(err.Error(), "word@")) {
			t.Errorf("%v: %v, want %q", tt.env, err, tt.fails)
		}
		if err == nil && address != tt.address {
			t.Errorf("%v: %q, want %q", tt.env, address, tt.address)
		}
	}
	getenv := func(name string) string {
		return map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "Authorization=Bearer%20abc, X-Tenant=1"}[name]
	}
	if got, err := headers(getenv); err != nil || got["Authorization"] != "Bearer abc" || got["X-Tenant"] != "1" {
		t.Errorf("headers %v, %v", got, err)
	}
	if got := Secrets(getenv); len(got) != 3 {
		t.Errorf("secrets %q", got)
	}
}

// down is a receiver that fails as often as it is told to.
type down struct{ fails *int }

func (d down) ExportSpans(context.Context, []sdk.ReadOnlySpan) error {
	if *d.fails--; *d.fails >= 0 {
		return errors.New("nobody answers")
	}
	return nil
}

func (down) Shutdown(context.Context) error { return nil }

// TestSenderSaysItOnce: a receiver that is down is told of once, and once that it is back.
func TestSenderSaysItOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	fails := 3
	s := &sender{SpanExporter: down{&fails}, log: slog.New(slog.NewTextHandler(&log, nil))}
	for range 6 {
		if err := s.ExportSpans(t.Context(), nil); err != nil {
			t.Error(err)
		}
		s.complain(errors.New("one was rejected"))
	}
	if text := log.String(); strings.Count(text, "\n") != 3 || strings.Count(text, "cannot be sent") != 1 || strings.Count(text, "sent again") != 1 || strings.Count(text, "not taken") != 1 {
		t.Errorf("the log:\n%s", text)
	}
}
