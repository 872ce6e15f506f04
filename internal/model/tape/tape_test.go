package tape

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// live answers as a provider would.
type live struct {
	resp model.Response
	err  error
}

func (l live) Ask(context.Context, model.Request) (model.Response, error) { return l.resp, l.err }

func plain(s string) string { return s }

func TestRecordAndPlay(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "debate.tape")
	rec, err := Open(path, func(s string) string { return strings.ReplaceAll(s, "sk-secret", "[redacted]") })
	if err != nil {
		t.Fatal(err)
	}
	if rec.Plays() {
		t.Fatal("a new tape plays")
	}
	good := model.Response{Text: `{"verdict":"agree"} <b> sk-secret`, RequestID: "req-1", Usage: debate.Usage{TokensIn: 7, TokensOut: 3}}
	bad := &model.Error{Class: debate.CallRate, Detail: "slow down, sk-secret"}
	var asks sync.WaitGroup
	for _, one := range []struct {
		party, ask string
		live       live
	}{
		{"gpt", "CHALLENGE/1/gpt", live{resp: good}},
		{"claude", "OPEN/0/claude", live{err: bad}},
		{"gemini", "CHALLENGE/1/gemini", live{err: context.Canceled}},
	} {
		asks.Go(func() {
			got, err := rec.Client(one.party, one.live).Ask(t.Context(), model.Request{Ask: one.ask})
			want := one.live.resp
			want.Text = strings.ReplaceAll(want.Text, "sk-secret", "[redacted]")
			if diff := cmp.Diff(want, got); diff != "" || (err == nil) != (one.live.err == nil) || err != nil && strings.Contains(err.Error(), "sk-secret") {
				t.Errorf("another answer than the tape will play: %v\n%s", err, diff)
			}
		})
	}
	asks.Wait()
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || strings.Contains(string(data), "sk-secret") {
		t.Errorf("a secret reached the tape (%v):\n%s", err, data)
	}

	play, err := Open(path, plain)
	if err != nil {
		t.Fatal(err)
	}
	if !play.Plays() || !play.Has("gpt") || play.Has("gemini") {
		t.Error("the tape does not know what it holds")
	}
	good.Text = strings.ReplaceAll(good.Text, "sk-secret", "[redacted]")
	got, err := play.Client("gpt", nil).Ask(t.Context(), model.Request{Ask: "CHALLENGE/1/gpt", Packet: "another prompt"})
	if diff := cmp.Diff(good, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	for ask, class := range map[string]debate.CallStatus{"OPEN/0/claude": debate.CallRate, "CHALLENGE/1/gemini": debate.CallNotFound} {
		var failure *model.Error
		if _, err := play.Client("x", nil).Ask(t.Context(), model.Request{Ask: ask}); !errors.As(err, &failure) || failure.Class != class {
			t.Errorf("%s: %v", ask, err)
		}
	}
}

// TestContinue: a tape in memory goes on where it ended, and plays exactly the answers that
// the debate got. A call that comes back after its end is not on it.
func TestContinue(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	odd := model.Response{Text: "caf\xe9 \xff\xfe \u2028 " + strings.Repeat("\x01", model.MaxReply-16), Usage: debate.Usage{CostMicro: 3}}
	var heard []model.Response
	for _, ask := range []string{"OPEN/0/gpt", "OPEN/0/gpt/look1"} {
		rec, err := Continue(&b, plain)
		if err != nil {
			t.Fatal(err)
		}
		client := rec.Client("gpt", live{resp: odd})
		got, err := client.Ask(t.Context(), model.Request{Ask: ask})
		if err := errors.Join(err, rec.Close()); err != nil {
			t.Fatal(err)
		}
		heard = append(heard, got)
		if _, err := client.Ask(t.Context(), model.Request{Ask: "late"}); err == nil {
			t.Error("a call after the end is recorded")
		}
	}
	play, err := Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	for i, ask := range []string{"OPEN/0/gpt", "OPEN/0/gpt/look1"} {
		if left := play.Unplayed(); left != ask {
			t.Errorf("unplayed: %q, want %q", left, ask)
		}
		got, err := play.Client("", nil).Ask(t.Context(), model.Request{Ask: ask})
		if diff := cmp.Diff(heard[i], got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", ask, err, diff)
		}
	}
	if left := play.Unplayed(); left != "" {
		t.Errorf("unplayed: %q", left)
	}
}

// TestAbout: what a tape is about comes back, and recording never replaces a tape.
func TestAbout(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "debate.tape")
	about := About{Change: "abc", Models: map[string]string{"gpt": "gpt-5"}, MostMicro: 7, Scripted: true}
	rec, err := Record(path, plain, about)
	if err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Record(path, plain, About{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second recording: %v", err)
	}
	play, err := Open(path, plain)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(about, play.About()); diff != "" {
		t.Error(diff)
	}
}

// TestOf: who was asked is the end of the id, whatever stands before it.
func TestOf(t *testing.T) {
	t.Parallel()
	play := Of(map[string]json.RawMessage{"OPEN/0/claude": []byte(`{"summary":"a"}`), "REBUT/2/gpt": []byte(`{}`)})
	if diff := cmp.Diff([]string{"claude", "gpt"}, play.Parties()); diff != "" || !play.Plays() {
		t.Errorf("the tape does not know what it holds:\n%s", diff)
	}
	got, err := play.Client("claude", nil).Ask(t.Context(), model.Request{Ask: "OPEN/0/claude"})
	if err != nil || got.Text != `{"summary":"a"}` {
		t.Errorf("%q, %v", got.Text, err)
	}
}

func TestBadTapes(t *testing.T) {
	t.Parallel()
	const head = `{"tape":"debate","schema_version":1}` + "\n"
	line := `{"ask":"OPEN/0/gpt","party":"gpt","class":"ok","usage":{}}` + "\n"
	for name, text := range map[string]string{
		"empty":         "",
		"not a tape":    "hello\n",
		"a record":      `{"log":"debate","schema_version":1}` + "\n",
		"newer":         `{"tape":"debate","schema_version":2}` + "\n",
		"torn":          head + line[:20],
		"twice":         head + line + line,
		"unknown field": head + `{"ask":"OPEN/0/gpt","more":1}` + "\n",
		"no ask":        head + `{"party":"gpt"}` + "\n",
		"a long line":   head + strings.Repeat("x", maxLine+1),
	} {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var format *FormatError
		if _, err := Open(path, plain); !errors.As(err, &format) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "no", "dir"), plain); err == nil {
		t.Error("a tape in no directory was made")
	}
	if _, err := Open(t.TempDir(), plain); err == nil {
		t.Error("a directory was taken for a tape")
	}
}

// TestNoSpace: what cannot be written down is a failure that everybody sees.
func TestNoSpace(t *testing.T) {
	t.Parallel()
	rec, err := Open(filepath.Join(t.TempDir(), "x"), plain)
	if err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := rec.Client("gpt", live{}).Ask(t.Context(), model.Request{Ask: "a"}); err == nil {
		t.Error("an answer that was not recorded was handed on")
	}
}
