package main

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// receiver takes spans as a collector does.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	spans  []*otlp.Span
	raw    strings.Builder // all that came, with the texts in it
	header http.Header
	paths  []string
}

func receive(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		data, err := io.ReadAll(io.LimitReader(req.Body, 1<<24))
		var sent collector.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(data, &sent)
		}
		if err != nil {
			t.Errorf("spans cannot be read: %v", err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.raw.Write(data)
		r.header = req.Header
		r.paths = append(r.paths, req.URL.Path)
		for _, of := range sent.ResourceSpans {
			for _, in := range of.ScopeSpans {
				r.spans = append(r.spans, in.Spans...)
			}
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(r.Close)
	return r
}

// of are the spans whose name begins with a word.
func (r *receiver) of(word string) []*otlp.Span {
	return slices.DeleteFunc(slices.Clone(r.spans), func(s *otlp.Span) bool { return s.Name != word && !strings.HasPrefix(s.Name, word+" ") })
}

func attribute(s *otlp.Span, key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value.String()
		}
	}
	return ""
}

// TestServeTraces: a delivery leads to spans for it, its job, its review, each call of a
// model and each request to GitHub, in one trace; the log names them; and nothing of a
// secret, of the change or of what models said is in any of them.
func TestServeTraces(t *testing.T) {
	t.Parallel()
	r := receive(t)
	s := notServed(t)
	s.env["OTEL_EXPORTER_OTLP_ENDPOINT"], s.env["OTEL_EXPORTER_OTLP_HEADERS"] = r.URL, "X-Api-Key=key-of-the-collector"
	s.start(t)
	s.propose()
	s.tell(t, "pull_request", "opened", ghtest.Happening{Pull: s.pull})
	s.log.until(t, `msg="task done".*pull_request=\S+#`)
	s.end(t)

	r.mu.Lock()
	defer r.mu.Unlock()
	if r.header.Get("X-Api-Key") != "key-of-the-collector" || r.paths[0] != "/v1/traces" {
		t.Errorf("sent to %s with %v", r.paths[0], r.header)
	}
	for _, name := range []string{"delivery", "job", "review"} {
		if n := len(r.of(name)); n == 0 {
			t.Fatalf("no span of a %s among %d", name, len(r.spans))
		}
	}
	delivery, review := r.of("delivery")[0], r.of("review")[0]
	jobs := slices.DeleteFunc(r.of("job"), func(s *otlp.Span) bool { return string(s.ParentSpanId) != string(delivery.SpanId) })
	if len(jobs) != 1 || string(review.ParentSpanId) != string(jobs[0].SpanId) || string(review.TraceId) != string(delivery.TraceId) {
		t.Fatalf("delivery, job and review do not follow from each other")
	}
	session := strings.Trim(strings.TrimPrefix(attribute(review, "debate.review.session"), "string_value:"), `"`)
	_, ended, _ := strings.Cut(s.log.String(), `msg="review ended" pull_request=acme/app#1 review=`+session+" ")
	ended, _, _ = strings.Cut(ended, "\n")
	for _, key := range []string{"verdict=", "outcome=", "check=", "p1=", "p2=", "p3=", "calls=", "cost=", "seconds="} {
		wantText(t, "line of the log", ended, key)
	}
	for key, want := range map[string]string{"vcs.owner.name": "acme", "vcs.repository.name": "app", "vcs.change.id": "1", "debate.review.session": "debate-", "debate.review.outcome": "", "debate.review.conclusion": ""} {
		if got := attribute(review, key); got == "" || !strings.Contains(got, want) {
			t.Errorf("the review has %s %q", key, got)
		}
	}

	calls := 0
	for _, v := range s.providers {
		calls += len(v.asked())
	}
	if chats := r.of("chat"); len(chats) != calls || calls == 0 {
		t.Errorf("%d spans of calls, and %d calls", len(chats), calls)
	} else {
		for _, chat := range chats {
			if string(chat.TraceId) != string(delivery.TraceId) || string(chat.ParentSpanId) != string(review.SpanId) {
				t.Error("a call belongs to no review")
			}
			for _, key := range []string{"gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model", "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "debate.party"} {
				if attribute(chat, key) == "" {
					t.Errorf("%s lacks %s", chat.Name, key)
				}
			}
		}
	}

	requests := 0
	for _, span := range r.spans {
		if attribute(span, "http.request.method") == "" {
			continue
		}
		requests++
		if attribute(span, "url.template") == "" || attribute(span, "http.response.status_code") == "" {
			t.Errorf("%s lacks its route or its status", span.Name)
		}
	}
	if requests < 5 || len(r.of("POST /graphql")) == 0 {
		t.Errorf("%d requests to GitHub, %d of GraphQL", requests, len(r.of("POST /graphql")))
	}

	secrets := []string{string(s.app.PrivateKey), s.app.WebhookSecret, stateKey, "key-of-the-collector", "ghs_", "Bearer"}
	for _, v := range s.providers {
		secrets = append(secrets, v.secret)
	}
	for _, text := range append(secrets, "Weigh items", "Items are weighed", "count.go", "closed items", "list can be empty") {
		if strings.Contains(r.raw.String(), text) {
			t.Errorf("%q was sent", text)
		}
	}
	for _, id := range [][]byte{delivery.TraceId, delivery.SpanId, jobs[0].SpanId} {
		if !strings.Contains(s.log.String(), hex.EncodeToString(id)) {
			t.Errorf("no line of the log names %x:\n%s", id, s.log)
		}
	}
}

// TestServeTracesNobody: where nobody takes the spans the review ends as without, the
// server stops in time, and the log says it once.
func TestServeTracesNobody(t *testing.T) {
	t.Parallel()
	r := receive(t)
	r.Close()
	s := notServed(t)
	s.env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = r.URL + "/in"
	s.start(t)
	s.propose()
	s.tell(t, "pull_request", "opened", ghtest.Happening{Pull: s.pull})
	s.log.until(t, `msg="task done".*pull_request=\S+#`)
	if n := len(s.pull.Comments()); n != 1 {
		t.Errorf("%d comments\n%s", n, s.log)
	}
	s.end(t)
	if n := strings.Count(s.log.String(), "traces cannot be sent"); n != 1 {
		t.Errorf("the log says it %d times:\n%s", n, s.log)
	}
}

// TestServeTracesNothing: without an address no line of the log names a trace.
func TestServeTracesNothing(t *testing.T) {
	t.Parallel()
	s := serveApp(t)
	s.propose()
	s.tell(t, "pull_request", "opened", ghtest.Happening{Pull: s.pull})
	s.log.until(t, `msg="task done".*pull_request=\S+#`)
	if strings.Contains(s.log.String(), "trace_id") {
		t.Errorf("the log names traces:\n%s", s.log)
	}
}
