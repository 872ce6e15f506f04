package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/redact"
)

// clientFunc is a client made of one function.
type clientFunc func(ctx context.Context, req model.Request) (model.Response, error)

func (f clientFunc) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	return f(ctx, req)
}

func says(text string) clientFunc {
	return func(context.Context, model.Request) (model.Response, error) { return model.Response{Text: text}, nil }
}

func failing(err error) clientFunc {
	return func(context.Context, model.Request) (model.Response, error) { return model.Response{}, err }
}

// testReview can turn answers into events, and has a secret to keep.
func testReview() *Review {
	return &Review{Subject: Subject{redactor: redact.New(nil, []string{"hunter2"}, nil)}, resolver: testResolver(), Now: func() int64 { return time.Now().UnixMilli() }}
}

func ask(c Client, timeout time.Duration) call {
	return call{ask: debate.Ask{ID: "OPEN/0/a", Kind: debate.CallOpen, Party: "a"}, client: c, timeout: timeout, started: time.Now().UnixMilli()}
}

// TestReplied: whatever a client does becomes one event.
func TestReplied(t *testing.T) {
	t.Parallel()
	good := `{"summary":"it says hunter2","disposition":"keep","claims":[{"title":"t","ref":[{"path":"a.go","start_line":11,"end_line":11,"quote":"return first.value()"}]}]}`
	for name, c := range map[string]struct {
		client Client
		status debate.CallStatus
		detail string
	}{
		"good":              {says(good), debate.CallOK, ""},
		"as long as may be": {says(good + strings.Repeat(" ", model.MaxReply-len(good))), debate.CallOK, ""},
		"a byte longer":     {says(good + strings.Repeat(" ", model.MaxReply+1-len(good))), debate.CallMalformed, "larger than"},
		"garbage":           {says("I will not answer, hunter2"), debate.CallMalformed, "no JSON object"},
		"empty":             {says(""), debate.CallMalformed, "empty"},
		"no text":           {says("\xff\xfe{}"), debate.CallMalformed, "UTF-8"},
		"huge":              {says(`{"summary":"` + strings.Repeat("a", 3<<20) + `"}`), debate.CallMalformed, "larger than"},
		"deep":              {says(strings.Repeat("[", 1<<20)), debate.CallMalformed, ""},
		"auth":              {failing(&model.Error{Class: debate.CallAuth, Detail: "the key is refused"}), debate.CallAuth, "the key is refused"},
		"wrapped":           {failing(fmt.Errorf("ask: %w", &model.Error{Class: debate.CallRate})), debate.CallRate, "rate"},
		"unknown error":     {failing(errors.New("boom\x1b[31m hunter2\n" + strings.Repeat("x", 4000))), debate.CallError, "boom [31m [redacted]"},
		"own timeout":       {failing(context.DeadlineExceeded), debate.CallTimeout, "no reply"},
		"panic":             {clientFunc(func(context.Context, model.Request) (model.Response, error) { panic("at hunter2") }), debate.CallError, "panicked: at [redacted]"},
		"nil client":        {nil, debate.CallNotFound, "no provider serves"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ev := testReview().replied(ask(c.client, time.Minute).run(t.Context()))
			if ev.Status != c.status || !strings.Contains(ev.Detail, c.detail) || (ev.Reply != nil) != (c.status == debate.CallOK) {
				t.Errorf("%+v", ev)
			}
			if ev.Status == debate.CallMalformed && ev.Reading != debate.ReadWrapped {
				t.Errorf("reading %q", ev.Reading)
			}
			if said := ev.Raw != ""; said != (ev.ReplyHash != "") {
				t.Errorf("the digest of what it said is %q", ev.ReplyHash)
			}
			if len(ev.Detail) > maxDetail+10 || len(ev.Raw) > model.MaxReply+10 {
				t.Errorf("%d bytes of detail, %d of raw text", len(ev.Detail), len(ev.Raw))
			}
			data, err := debate.EncodeEvent(ev)
			if err != nil || strings.Contains(string(data), "hunter2") {
				t.Errorf("the event holds the secret (%v): %.300s", err, data)
			}
		})
	}

	ev := testReview().replied(ask(says(good), time.Minute).run(t.Context()))
	want := debate.Ref{
		Citation: at("a.go", debate.Right, 11, 11, "\treturn   first.value()"),
		Found:    debate.Found{OK: true, Changed: true, InHunk: true, Code: 1},
	}
	if diff := cmp.Diff(want, ev.Reply.Claims[0].Refs[0]); diff != "" {
		t.Error(diff)
	}
	if ev.Reply.Summary != "it says [redacted]" || ev.Raw != strings.Replace(good, "hunter2", redact.Mark, 1) || ev.ReplyHash != digest(good) {
		t.Errorf("%+v", ev)
	}
}

// TestDeadline: a call ends at its deadline, whatever its client does (R109). What comes later is kept and never counted.
func TestDeadline(t *testing.T) {
	t.Parallel()
	after := func(d time.Duration, heeds bool) clientFunc {
		return func(ctx context.Context, _ model.Request) (model.Response, error) {
			if heeds {
				select {
				case <-ctx.Done():
					return model.Response{}, fmt.Errorf("asked in vain: %w", ctx.Err())
				case <-time.After(d):
				}
			} else {
				time.Sleep(d)
			}
			return model.Response{Text: `{"summary":"s","disposition":"keep"}`, Usage: debate.Usage{TokensOut: 7}}, nil
		}
	}
	for name, c := range map[string]struct {
		client Client
		took   time.Duration
		status debate.CallStatus
		late   bool
	}{
		"in time":          {after(59*time.Second, true), 59 * time.Second, debate.CallOK, false},
		"heeds":            {after(61*time.Second, true), 60 * time.Second, debate.CallTimeout, false},
		"ignores, in time": {after(59*time.Second, false), 59 * time.Second, debate.CallOK, false},
		"ignores, late":    {after(61*time.Second, false), 61 * time.Second, debate.CallTimeout, true},
		"ignores, hangs":   {after(time.Hour, false), 62 * time.Second, debate.CallTimeout, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				ev := testReview().replied(ask(c.client, time.Minute).run(t.Context()))
				if took := time.Since(began); took != c.took {
					t.Errorf("took %s", took)
				}
				if ev.Status != c.status || ev.Late != c.late || (ev.Reply != nil) != (c.status == debate.CallOK) {
					t.Errorf("%+v", ev)
				}
				time.Sleep(time.Hour) // of the bubble: the client that hangs returns, and nothing is left of the call
				if c.late && (ev.Raw == "" || ev.Usage.TokensOut != 7) {
					t.Errorf("what came late is not kept: %+v", ev)
				}
			})
		})
	}
}

// TestNoTimeNoCall: where no time is left nobody is asked.
func TestNoTimeNoCall(t *testing.T) {
	t.Parallel()
	asked := false
	a := ask(clientFunc(func(context.Context, model.Request) (model.Response, error) {
		asked = true
		return model.Response{}, nil
	}), 0).run(t.Context())
	if ev := testReview().replied(a); asked || ev.Status != debate.CallTimeout || !strings.Contains(ev.Detail, "not asked") {
		t.Errorf("asked %v, %+v", asked, ev)
	}
}

// TestCallsStayOutOfTheReserve: the time of a call ends where the time for
// publishing begins.
func TestCallsStayOutOfTheReserve(t *testing.T) {
	t.Parallel()
	for now, want := range map[int64]time.Duration{
		0:                  120 * time.Second,
		19*60_000 - 90_000: 90 * time.Second,
		19 * 60_000:        0,
		60 * 60_000:        -41 * time.Minute,
	} {
		r, _ := newReview(t)
		r.state = begun(t, r)
		r.Now = func() int64 { return r.state.Clock.StartedAt + now }
		if got := r.newCall(debate.Ask{Kind: debate.CallRebut, Party: "a"}).timeout; got != want {
			t.Errorf("%d ms after the start: %s, want %s", now, got, want)
		}
	}
}

// begun is a debate that can be asked about.
func begun(t *testing.T, r *Review) debate.State {
	t.Helper()
	if err := r.append(first()); err != nil {
		t.Fatal(err)
	}
	if err := r.do(t.Context(), debate.Outstanding(r.state)); err != nil {
		t.Fatal(err)
	}
	if err := r.do(t.Context(), debate.Outstanding(r.state)); err != nil {
		t.Fatal(err)
	}
	if err := r.brief(); err != nil {
		t.Fatal(err)
	}
	return r.state
}

// TestUsageIsBounded: no account of a provider gives a budget back.
func TestUsageIsBounded(t *testing.T) {
	t.Parallel()
	got := bounded(debate.Usage{TokensIn: -1, TokensCached: 5, TokensOut: math.MaxInt, CostMicro: math.MinInt64, CostUnknown: true})
	if diff := cmp.Diff(debate.Usage{TokensOut: math.MaxInt32, CostUnknown: true}, got); diff != "" {
		t.Error(diff)
	}
	if got := bounded(debate.Usage{CostMicro: math.MaxInt64}).CostMicro; got < 0 || got*1000 < got {
		t.Errorf("cost %d", got)
	}
}

// TestStandIns: a judge without a client of its own is served by its debater.
func TestStandIns(t *testing.T) {
	t.Parallel()
	own, debater := says("own"), says("debater")
	r, _ := newReview(t)
	r.state = begun(t, r)
	r.Clients = map[string]Client{"risk": own, "gpt": debater}
	r.state.Table.Parties = []debate.Party{{ID: "risk", Debater: "gpt"}, {ID: "value", Debater: "gpt"}, {ID: "effort"}, {ID: "arbiter", Debater: "nobody"}}
	for id, want := range map[string]string{"risk": "own", "value": "debater", "effort": "", "arbiter": "", "unknown": ""} {
		got := ""
		if c := r.newCall(debate.Ask{Kind: debate.CallJudge1, Party: id}).client; c != nil {
			resp, _ := c.Ask(t.Context(), model.Request{})
			got = resp.Text
		}
		if got != want {
			t.Errorf("%s is served by %q, want %q", id, got, want)
		}
	}
}

// TestDigest: a record names its texts by their digests for ever. The lengths are a part of
// that of several, so that no text can move from one to the next.
func TestDigest(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ got, want string }{
		"one text":                        {digest("a"), "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"},
		"two texts":                       {digest("ab", "c"), digest("2\nab1\nc")},
		"a prompt":                        {promptDigest("a", "b", "c", ""), digest("1\na1\nb1\nc")},
		"a prompt and what was looked at": {promptDigest("a", "b", "c", "d"), digest("1\na1\nb1\nc1\nd")},
	} {
		if row.got != row.want {
			t.Errorf("%s: %s", name, row.got)
		}
	}
}

// TestClip: a text is cut at a bound, at no half of a character.
func TestClip(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ text, want string }{
		"as long as may be":        {"abcd", "abcd"},
		"a byte longer":            {"abcde", "abcd"},
		"a character at the bound": {"abü", "abü"},
		"a character over it":      {"abcü", "abc"},
		"no text":                  {"a\xffb", "a\ufffdb"},
	} {
		if got := clip(row.text, 4); got != row.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
