package model

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prdebate/debate/internal/debate"
)

func TestRetryAfterIsPassedOn(t *testing.T) {
	t.Parallel()
	w := wireTo(t, &script{acts: []act{{status: 429, header: "Retry-After: 90"}}}, Options{})
	if _, err := w.Ask(t.Context(), fetch(w)); Classify(err).RetryAfter != 90*time.Second {
		t.Errorf("%+v", Classify(err))
	}
}

// TestSlowButAlive: what drips is no silence.
func TestSlowButAlive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := wireTo(t, &script{acts: []act{{status: 200, body: &drip{left: 10}}}}, Options{})
		got, err := w.Ask(context.Background(), fetch(w))
		if err != nil || got.Text != strings.Repeat(".", 10) {
			t.Errorf("%q, %v", got.Text, err)
		}
	})
}

type drip struct{ left int }

func (d *drip) Read(p []byte) (int, error) {
	if d.left == 0 {
		return 0, io.EOF
	}
	d.left--
	time.Sleep(IdleTimeout - time.Second)
	p[0] = '.'
	return 1, nil
}

// TestFlood: what never ends is ended.
func TestFlood(t *testing.T) {
	t.Parallel()
	w := wireTo(t, &script{acts: []act{{status: 200, body: zeros{}}}}, Options{})
	got, err := w.Ask(t.Context(), func(ctx context.Context, _ func(string) bool) (Answer, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://models.example/v1", strings.NewReader("question"))
		if err != nil {
			return Answer{}, err
		}
		resp, err := w.HTTP(false).Do(req)
		if err != nil {
			return Answer{}, err
		}
		defer resp.Body.Close()
		n, err := io.Copy(io.Discard, resp.Body)
		if n > maxWire {
			t.Errorf("%d bytes were read", n)
		}
		return Answer{}, errors.Join(err, Unfinished())
	})
	if failure := Classify(err); failure == nil || failure.Class != debate.CallMalformed {
		t.Errorf("%+v, %v", got, err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestErrorBodyIsBounded(t *testing.T) {
	t.Parallel()
	w := wireTo(t, &script{acts: []act{{status: 400, body: zeros{}}}}, Options{})
	got, err := w.Ask(t.Context(), fetch(w))
	if failure := Classify(err); failure == nil || failure.Class != debate.CallError || len(got.Text) > maxErrorBody {
		t.Errorf("%d bytes, %v", len(got.Text), err)
	}
}
