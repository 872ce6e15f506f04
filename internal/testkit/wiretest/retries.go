package wiretest

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// SDK is a backend with the SDK that it uses, for tests of what they do together.
type SDK struct {
	Reply string // the stream of a whole reply
	Begin string // its beginning
	Kept  string // the text of the beginning
	// Heeds reports whether the SDK asks again as the header X-Should-Retry says,
	// and after every status that its own provider has for a failure that passes.
	Heeds bool
	// New makes a client that sends its requests this way.
	New func(way *http.Client) (model.Client, error)
}

// ask asks once. The failure is its class and its words; "" if there is none.
func (sdk SDK) ask(ctx context.Context, t *testing.T, way http.RoundTripper) (got model.Response, failure string) {
	t.Helper()
	c, err := sdk.New(&http.Client{Transport: way})
	if err != nil {
		t.Fatal(err)
	}
	got, err = c.Ask(ctx, model.Request{SchemaVersion: model.SchemaVersion, System: "Rules.", Packet: "<<packet>>\n", Turn: `{"request":"Review."}`})
	if err != nil {
		f := model.Classify(err)
		failure = string(f.Class) + ": " + f.Detail
	}
	return got, failure
}

// Failed checks that a call failed as it should, and that no key with the word canary is in
// the words about it.
func Failed(t *testing.T, err error, class debate.CallStatus, says string) *model.Error {
	t.Helper()
	var failure *model.Error
	if !errors.As(err, &failure) {
		t.Fatalf("%v is no failure of a call", err)
	}
	if failure.Class != class || !strings.Contains(failure.Error(), says) {
		t.Errorf("%s: %q, want %s: %q", failure.Class, failure.Error(), class, says)
	}
	if strings.Contains(strings.ToLower(failure.Error()), "canary") {
		t.Errorf("the key is said: %v", failure)
	}
	if strings.ContainsAny(failure.Error(), "\n\x1b") {
		t.Errorf("the detail is not one printable line: %q", failure.Error())
	}
	return failure
}

// act is what a provider does with one request.
type act struct {
	status int
	header string // name: value
	body   string
	end    io.Reader // of the body; nil: its end
	err    error
}

// script plays a provider without a network: each request takes the next act, the
// last act is for all that follow.
type script struct {
	acts   []act
	bodies []string // of the requests
}

// RoundTrip takes the next act.
func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	now := s.acts[min(len(s.bodies), len(s.acts)-1)]
	s.bodies = append(s.bodies, string(body))
	if now.err != nil {
		return nil, now.err
	}
	answer := stream(r, io.NopCloser(strings.NewReader(now.body)))
	if now.end != nil {
		answer.Body = io.NopCloser(io.MultiReader(strings.NewReader(now.body), now.end))
	}
	answer.StatusCode = now.status
	if name, value, ok := strings.Cut(now.header, ": "); ok {
		answer.Header.Set(name, value)
	}
	return answer, nil
}

// broken is a connection that breaks.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// retry is what a provider does, and what becomes of a call.
type retry struct {
	acts  []act
	way   http.RoundTripper // instead of acts
	heeds bool              // only for an SDK that does
	left  time.Duration     // of the call; 0: an hour
	tries int
	waits time.Duration // at least
	class string        // and the first words of the failure
	keeps bool          // the beginning of the reply, which costs something
}

// retries are all that is tried with an SDK.
func retries(sdk SDK) map[string]retry {
	op := func(op string, err error) error { return &net.OpError{Op: op, Net: "tcp", Err: err} }
	ok := act{status: 200, body: sdk.Reply}
	unpaid := `{"error":{"code":"insufficient_quota","message":"insufficient_quota"}}`
	silent := func(status int, begin string) http.RoundTripper { return mute{status, begin} }
	return map[string]retry{
		"at once":              {acts: []act{ok}, tries: 1},
		"refused":              {acts: []act{{err: op("dial", syscall.ECONNREFUSED)}, ok}, tries: 2},
		"reset":                {acts: []act{{err: op("read", syscall.ECONNRESET)}, ok}, tries: 2},
		"hung up":              {acts: []act{{err: io.EOF}, ok}, tries: 2},
		"twice":                {acts: []act{{err: io.EOF}, {status: 503}, ok}, tries: 3},
		"no more than twice":   {acts: []act{{status: 503}}, tries: 3, class: "overloaded"},
		"never reached":        {acts: []act{{err: op("dial", syscall.ECONNREFUSED)}}, tries: 3, class: "error"},
		"408":                  {acts: []act{{status: 408}, ok}, tries: 2},
		"429":                  {acts: []act{{status: 429}, ok}, tries: 2},
		"500":                  {acts: []act{{status: 500}, ok}, tries: 2},
		"502":                  {acts: []act{{status: 502}, ok}, tries: 2},
		"504":                  {acts: []act{{status: 504}, ok}, tries: 2},
		"529":                  {acts: []act{{status: 529}, ok}, tries: 2, heeds: true},
		"409":                  {acts: []act{{status: 409}, ok}, tries: 2, heeds: true},
		"400":                  {acts: []act{{status: 400}}, tries: 1, class: "error"},
		"401":                  {acts: []act{{status: 401}}, tries: 1, class: "auth"},
		"no money":             {acts: []act{{status: 429, body: unpaid}}, tries: 1, class: "auth"},
		"told to":              {acts: []act{{status: 400, header: "X-Should-Retry: true"}, ok}, tries: 2, heeds: true},
		"told not to":          {acts: []act{{status: 500, header: "X-Should-Retry: false"}}, tries: 1, class: "error", heeds: true},
		"after seconds":        {acts: []act{{status: 429, header: "Retry-After: 7"}, ok}, tries: 2, waits: 7 * time.Second},
		"after milliseconds":   {acts: []act{{status: 503, header: "Retry-After-Ms: 20"}, ok}, tries: 2, waits: 20 * time.Millisecond},
		"after a date":         {acts: []act{{status: 503, header: "Retry-After: Sat, 01 Jan 2000 00:00:12 GMT"}, ok}, tries: 2, waits: 12 * time.Second},
		"after nonsense":       {acts: []act{{status: 503, header: "Retry-After: soon"}, ok}, tries: 2},
		"after not a number":   {acts: []act{{status: 503, header: "Retry-After: NaN"}, ok}, tries: 2},
		"after a minute":       {acts: []act{{status: 429, header: "Retry-After: 60"}, ok}, left: 2 * time.Minute, tries: 2, waits: time.Minute},
		"after too long":       {acts: []act{{status: 429, header: "Retry-After: 116"}}, left: 2 * time.Minute, tries: 1, class: "rate"},
		"after eternity":       {acts: []act{{status: 429, header: "Retry-After: 1e300"}}, tries: 1, class: "rate"},
		"no time left to wait": {acts: []act{{status: 503, header: "Retry-After: 10"}}, left: 14 * time.Second, tries: 1, class: "overloaded"},
		"time left to wait":    {acts: []act{{status: 503, header: "Retry-After: 10"}, ok}, left: 17 * time.Second, tries: 2, waits: 10 * time.Second},
		"never answers":        {way: Mute{}, waits: 2 * time.Minute, class: "timeout: the provider fell silent"},
		"silent before":        {way: silent(200, ""), waits: 2 * time.Minute, class: "timeout"},
		"silent within":        {way: silent(200, sdk.Begin), waits: 2 * time.Minute, class: "timeout: the provider fell silent", keeps: true},
		"silent error":         {way: silent(400, "begin"), waits: 2 * time.Minute, class: "error"},
		"deadline before idle": {way: silent(200, sdk.Begin), left: 50 * time.Second, waits: 50 * time.Second, class: "timeout: no reply in time", keeps: true},
		"cut in the middle":    {acts: []act{{status: 200, body: sdk.Begin, end: broken{}}}, tries: 1, class: "error", keeps: true},
		"flood of an error":    {acts: []act{{status: 400, end: zeros{}}}, tries: 1, class: "error"},
	}
}

// Retries sees what is asked again, after which waits, and how it ends. A bubble
// of testing/synctest keeps the time.
func Retries(t *testing.T, sdk SDK) {
	t.Helper()
	for name, tt := range retries(sdk) {
		if tt.heeds && !sdk.Heeds {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { tt.see(t, sdk) })
		})
	}
}

// see asks once.
func (tt retry) see(t *testing.T, sdk SDK) {
	ctx, cancel := context.WithTimeout(t.Context(), cmp.Or(tt.left, time.Hour))
	defer cancel()
	played := &script{acts: tt.acts}
	if tt.way == nil {
		tt.way = played
	}
	start := time.Now()
	got, failure := sdk.ask(ctx, t, tt.way)
	if !strings.HasPrefix(failure, tt.class) || (failure == "") != (tt.class == "") {
		t.Errorf("it fails as %q, want %q", failure, tt.class)
	}
	if tt.keeps && (got.Text != sdk.Kept || got.Usage.TokensIn == 0 && !got.Usage.CostUnknown) {
		t.Errorf("what came is lost, or for free: %+v", got)
	}
	// What nobody asks for is a wait of the SDK, before each retry.
	own := time.Duration(max(0, tt.tries-1)) * 1500 * time.Millisecond
	if took := time.Since(start); took < tt.waits || took > tt.waits+own {
		t.Errorf("waited %v, want %v and up to %v", took, tt.waits, own)
	}
	if len(played.bodies) != tt.tries {
		t.Errorf("%d tries, want %d", len(played.bodies), tt.tries)
	}
	for _, body := range played.bodies {
		if body != played.bodies[0] {
			t.Errorf("%s is asked after %s", body, played.bodies[0])
		}
	}
}

// Cancelled sees that a call that nobody waits for any more ends at once, also
// while it waits to be repeated.
func Cancelled(t *testing.T, sdk SDK) {
	t.Helper()
	busy := &script{acts: []act{{status: 503, header: "Retry-After: 20"}}}
	for class, way := range map[string]http.RoundTripper{"overloaded": busy, "error: cancelled": Quiet(sdk.Begin)} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(3*time.Second, cancel)
			start := time.Now()
			if _, failure := sdk.ask(ctx, t, way); !strings.HasPrefix(failure, class) {
				t.Errorf("it fails as %q, want %q", failure, class)
			}
			if took := time.Since(start); took != 3*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
	if len(busy.bodies) != 1 {
		t.Errorf("%d requests", len(busy.bodies))
	}
}

// mute answers with a status, the beginning of a body, and then nothing.
type mute struct {
	status int
	begin  string
}

// RoundTrip begins to answer.
func (m mute) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := Quiet(m.begin).RoundTrip(r)
	if err == nil {
		answer.StatusCode = m.status
	}
	return answer, err
}

// zeros never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
