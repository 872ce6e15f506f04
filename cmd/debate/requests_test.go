package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/testkit/exectest"
)

// several are n files of a pull request with a text in each.
func several(n int, text string) map[string]string {
	all := map[string]string{}
	for i := range n {
		all[fmt.Sprintf("pkg/f%d.go", i)] = fmt.Sprintf("package pkg\n\nfunc F%d(a, b int) int {\n\treturn a %s b\n}\n", i, text)
	}
	return all
}

// Progress is written while the models are asked: no call waits for it, however long
// GitHub takes.
func TestProgressKeepsNoModelWaiting(t *testing.T) {
	t.Parallel()
	h := host(t)
	answered, once := make(chan struct{}), sync.Once{}
	minds := vendors(t, func(name string, turn exectest.Turn, packet, _ string) string {
		if turn.Envelope.Call == "RESPOND" {
			once.Do(func() { close(answered) })
		}
		data, err := json.Marshal(exectest.Reply(turn, packet, map[string]string{"anthropic": "bugs", "openai": "object"}[name]))
		if err != nil {
			panic(err)
		}
		return string(data)
	})[:2]
	delete(h.inputs, "operator-config")
	h.env = environment(minds)
	written, waited := 0, 0
	h.between(func(_ int, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if !strings.Contains(string(body), "the debate goes on") {
			return
		}
		written++
		select {
		case <-answered:
		case <-time.After(time.Minute):
			waited++
		}
	})
	p := h.open("ada", map[string]string{"ratio.go": "package app\n\nfunc Ratio(a, b int) int {\n\treturn a / b // BUG: b can be zero\n}\n"})
	h.on(p, "opened").good(t)
	want(t, "words of progress", written, 1)
	want(t, "calls that waited for one", waited, 0)
	want(t, "summaries", len(summaries(p)), 1)
}

// A first review without an open question takes at most 17 reads, one of them to search for
// callers, and four writes: a check, a review, a summary and the check again. The number of
// files does not matter.
func TestFirstReviewKeepsItsBudget(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5, 40} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			h := host(t)
			before := several(n, "*")
			before["caller.go"] = "package main\n\nvar two = pkg.F0(1, 2)\n"
			h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), before))
			p := h.open("ada", several(n, "/"))
			o := h.on(p, "opened").good(t)
			if o.reads > 17 || o.writes > 4 {
				t.Errorf("%d reads and %d writes:\n%s", o.reads, o.writes, requests(o.requests))
			}
			want(t, "check", h.check(p.Head()), "neutral")
		})
	}
}
