package model

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

func TestNewWire(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		provider string
		o        Options
		class    debate.CallStatus // "": it works
		says     string
	}{
		"key":                 {"openai", Options{Key: "k"}, "", ""},
		"no key":              {"openai", Options{}, debate.CallAuth, "no key"},
		"own server":          {"openai", Options{BaseURL: "http://127.0.0.1:8000/v1"}, "", ""},
		"private network":     {"openai", Options{BaseURL: "http://10.0.0.7/v1", Key: "k"}, "", ""},
		"name without a dot":  {"openai", Options{BaseURL: "http://gateway:8000", Key: "k"}, "", ""},
		"internal name":       {"openai", Options{BaseURL: "http://llm.corp.internal/v1", Key: "k"}, "", ""},
		"plain and public":    {"openai", Options{BaseURL: "http://api.example.com/v1", Key: "k"}, debate.CallNotFound, "encryption"},
		"plain without a key": {"openai", Options{BaseURL: "http://api.example.com/v1"}, "", ""},
		"no URL":              {"openai", Options{BaseURL: "http://a b%zz", Key: "k"}, debate.CallNotFound, "no URL"},
		"no host":             {"openai", Options{BaseURL: "https:///v1", Key: "k"}, debate.CallNotFound, "no http"},
		"other scheme":        {"openai", Options{BaseURL: "file:///etc/passwd", Key: "k"}, debate.CallNotFound, "no http"},
		"with a user":         {"openai", Options{BaseURL: "https://u:secret@h/v1", Key: "k"}, debate.CallNotFound, "user"},
		"with a query":        {"openai", Options{BaseURL: "https://h/v1?key=secret", Key: "k"}, debate.CallNotFound, "query"},
		"key with a line end": {"openai", Options{Key: "secret\n"}, debate.CallAuth, "line ends"},
		"no model":            {"other", Options{Key: "k"}, debate.CallNotFound, "no model"},
	} {
		if name != "no model" {
			tt.o.Model = "m"
		}
		w, err := NewWire(tt.provider, tt.o)
		failure := Classify(err)
		switch {
		case tt.class == "" && (err != nil || w.Model() == ""):
			t.Errorf("%s: %v", name, err)
		case tt.class != "" && (failure == nil || failure.Class != tt.class || !strings.Contains(failure.Detail, tt.says)):
			t.Errorf("%s: %v, want %s %q", name, err, tt.class, tt.says)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: a secret is told: %v", name, err)
		}
	}
}

// TestLearnsWhatIsRefused: a parameter that a model does not know costs one
// request in the life of a process.
func TestLearnsWhatIsRefused(t *testing.T) {
	t.Parallel()
	refuse := func(param, message string) act {
		return act{status: 400, body: strings.NewReader(`{"error":{"param":"` + param + `","message":"` + message + `"}}`)}
	}
	s := &script{acts: []act{refuse("", "Unknown parameter: 'stream_options'"), refuse("reasoning.effort", "Unsupported"), {status: 200}}}
	w := wireTo(t, s, Options{})
	var sent []string
	attempt := func(ctx context.Context, use func(string) bool) (Answer, error) {
		now := []string{}
		for _, parameter := range []string{"stream", "stream_options", "reasoning"} {
			if use(parameter) {
				now = append(now, parameter)
			}
		}
		sent = append(sent, strings.Join(now, " "))
		return fetch(w)(ctx, use)
	}
	for range 2 {
		if _, err := w.Ask(t.Context(), attempt); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"stream stream_options reasoning", "stream reasoning", "stream", "stream"}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Error(diff)
	}

	// A fault that names nothing that was sent is a fault.
	s = &script{acts: []act{refuse("messages", "Unsupported")}}
	w = wireTo(t, s, Options{})
	if _, err := w.Ask(t.Context(), attempt); Classify(err).Class != debate.CallError || len(s.bodies) != 1 {
		t.Errorf("%d requests, %v", len(s.bodies), err)
	}
}

func TestKeyNeverLeaves(t *testing.T) {
	t.Parallel()
	const key = "sk-canary/4f1d+9c"
	forms := key + " " + "sk-canary%2F4f1d%2B9c" + " " + "c2stY2FuYXJ5LzRmMWQrOWM="
	echo := act{status: 400, header: "X-Request-Id: " + forms, body: strings.NewReader(`{"error":{"message":"you sent ` + forms + `"}}`)}
	dial := &net.OpError{Op: "proxyconnect", Net: "tcp", Err: errors.New("bad " + forms)}
	for name, one := range map[string]act{
		"fault": echo, "error": {err: dial}, "reply": {status: 200, header: "X-Request-Id: " + forms, body: strings.NewReader(forms)},
	} {
		w := wireTo(t, &script{acts: []act{one}}, Options{})
		got, err := w.Ask(t.Context(), fetch(w))
		said := got.Text + got.RequestID
		if err != nil {
			said += err.Error() + Classify(err).Detail
			if cause := errors.Unwrap(err); cause != nil {
				said += cause.Error()
			}
		}
		for _, form := range strings.Fields(forms) {
			if strings.Contains(said, form) {
				t.Errorf("%s: %s", name, said)
			}
		}
		if !strings.Contains(said, "[key]") {
			t.Errorf("%s: nothing was taken out of %q", name, said)
		}
	}
}

// TestPlaceholderKey: a word that stands for a key is no secret, and is not taken
// out of what a model says.
func TestPlaceholderKey(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"x", "test", "EMPTY", "ollama", "none"} {
		said := "an " + key + " in the " + key + "s"
		w := wireTo(t, &script{acts: []act{{status: 200, body: strings.NewReader(said)}}}, Options{Key: key})
		if got, err := w.Ask(t.Context(), fetch(w)); err != nil || got.Text != said {
			t.Errorf("%s: %q, %v", key, got.Text, err)
		}
	}
}

func TestCostOfWhatFailed(t *testing.T) {
	t.Parallel()
	used := &Tokens{In: 1000, Out: 100}
	for name, tt := range map[string]struct {
		act    act
		tokens *Tokens
		model  string
		want   debate.Usage
	}{
		"accounted":       {act{status: 200}, used, "gpt-4o-2024-08-06", debate.Usage{TokensIn: 1000, TokensOut: 100, CostMicro: 3500}},
		"served by other": {act{status: 200}, used, "gpt-4o-mini", debate.Usage{TokensIn: 1000, TokensOut: 100, CostMicro: 210}},
		"alias":           {act{status: 200}, used, "deployment-7", debate.Usage{TokensIn: 1000, TokensOut: 100, CostMicro: 3500}},
		"not accounted":   {act{status: 200}, nil, "", debate.Usage{CostUnknown: true}},
		"refused":         {act{status: 401}, nil, "", debate.Usage{}},
		"not reached":     {act{err: &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}}, nil, "", debate.Usage{}},
		"no proxy":        {act{err: &net.OpError{Op: "proxyconnect", Err: &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}}}, nil, "", debate.Usage{}},
		"cut":             {act{status: 200, body: broken{}}, nil, "", debate.Usage{CostUnknown: true}},
		"cut before":      {act{err: errors.New("odd")}, nil, "", debate.Usage{CostUnknown: true}},
	} {
		w := wireTo(t, &script{acts: []act{tt.act}}, Options{})
		got, _ := w.Ask(t.Context(), func(ctx context.Context, use func(string) bool) (Answer, error) {
			a, err := fetch(w)(ctx, use)
			a.Tokens, a.Model = tt.tokens, tt.model
			return a, err
		})
		if diff := cmp.Diff(tt.want, got.Usage); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	// What never left costs nothing.
	w := wireTo(t, &script{acts: []act{{status: 200}}}, Options{})
	got, err := w.Ask(t.Context(), func(context.Context, func(string) bool) (Answer, error) { return Answer{}, errors.New("not sent") })
	if got.Usage != (debate.Usage{}) || Classify(err).Class != debate.CallError {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestReplyIsBounded(t *testing.T) {
	t.Parallel()
	w := wireTo(t, &script{acts: []act{{status: 200, body: strings.NewReader(strings.Repeat("é", MaxReply/2+1))}}}, Options{})
	got, err := w.Ask(t.Context(), fetch(w))
	if Classify(err).Class != debate.CallMalformed || len(got.Text) > MaxReply || len(got.Text) < MaxReply-4 {
		t.Errorf("%d bytes, %v", len(got.Text), err)
	}
}

func TestWebPage(t *testing.T) {
	t.Parallel()
	w := wireTo(t, &script{acts: []act{{status: 200, header: "Content-Type: text/html; charset=utf-8"}}}, Options{})
	_, err := w.Ask(t.Context(), func(ctx context.Context, use func(string) bool) (Answer, error) {
		_, err := fetch(w)(ctx, use)
		return Answer{}, errors.Join(err, Unfinished())
	})
	if failure := Classify(err); failure.Class != debate.CallError || !strings.Contains(failure.Detail, "web page") {
		t.Errorf("%v", err)
	}
}

func TestTurnBlock(t *testing.T) {
	t.Parallel()
	if got := (Request{Packet: "p", Turn: `{"request": "now"}`}).TurnBlock(); got != "```json\n{\"request\": \"now\"}\n```\n" {
		t.Errorf("%q", got)
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limit := NewLimit(2, 60)
		start := time.Now()
		var group sync.WaitGroup
		var mu sync.Mutex
		var begun []time.Duration
		running, most := 0, 0
		for range 6 {
			group.Go(func() {
				release, err := limit.acquire(context.Background())
				if err != nil {
					t.Error(err)
					return
				}
				defer release()
				mu.Lock()
				begun = append(begun, time.Since(start).Round(time.Second))
				running++
				most = max(most, running)
				mu.Unlock()
				time.Sleep(100 * time.Millisecond)
				mu.Lock()
				running--
				mu.Unlock()
			})
		}
		group.Wait()
		if most != 2 {
			t.Errorf("%d at once", most)
		}
		if diff := cmp.Diff([]time.Duration{0, 0, time.Second, 2 * time.Second, 3 * time.Second, 4 * time.Second}, begun); diff != "" {
			t.Error(diff)
		}

		// Who cannot begin in time is told so, and takes nobody's place.
		for range 3 {
			ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
			if _, err := limit.acquire(ctx); Classify(err).Class != debate.CallTimeout {
				t.Errorf("%v", err)
			}
			cancel()
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := limit.acquire(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		time.Sleep(time.Minute)
		release, err := limit.acquire(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		release()
	})
}
