package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/testkit/exectest"
)

// five are five files of a pull request with a text in each.
func five(text string) map[string]string {
	all := map[string]string{}
	for i := range 5 {
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

// A first review of five files that asks nobody anything takes at most ten reads, one of
// them for the ids of the comments that it posted,
// and four writes: a check, a review, a summary and the check again.
func TestFirstReviewOfFiveFilesKeepsItsBudget(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), five("*")))
	p := h.open("ada", five("/"))
	o := h.on(p, "opened").good(t)
	if o.reads > 10 || o.writes > 4 {
		t.Errorf("%d reads and %d writes:\n%s", o.reads, o.writes, requests(o.requests))
	}
	want(t, "check", h.check(p.Head()), "neutral")
}

// GraphQL may answer with what stood a moment ago: that another run seems to hold the
// head, or that our own check is not there yet, is looked up once more.
func TestAnOldAnswerAboutCheckRunsEndsNoReview(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from, to string
		reads    int
	}{
		"as of the claim": {`"externalId":"([^"]*)"`, `"externalId":"$1-before"`, 12},
		"before it":       {`"databaseId":\d+,"externalId"`, `"databaseId":1,"externalId"`, 14},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.answers(regexp.MustCompile(c.from), c.to)
			p := h.open("ada", map[string]string{"ratio.go": divides})
			o := h.on(p, "opened").good(t)
			want(t, "summaries", len(summaries(p)), 1)
			want(t, "inline comments", len(p.Inline()), 1)
			want(t, "check", h.check(p.Head()), "neutral")
			if o.reads != c.reads {
				t.Errorf("%d reads, want %d:\n%s", o.reads, c.reads, requests(o.requests))
			}
		})
	}
}

// answers has GraphQL answer with another text where an expression matches.
func (h *hosted) answers(from *regexp.Regexp, to string) {
	h.t.Helper()
	at, err := url.Parse(h.server.URL)
	if err != nil {
		h.t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(at)
	proxy.Transport = connections()
	proxy.ModifyResponse = func(r *http.Response) error {
		if r.Request.URL.Path != "/graphql" {
			return nil
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		body = from.ReplaceAll(body, []byte(to))
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Length", fmt.Sprint(len(body)))
		return nil
	}
	server := httptest.NewServer(proxy)
	h.t.Cleanup(server.Close)
	h.env["GITHUB_API_URL"], h.env["GITHUB_GRAPHQL_URL"] = server.URL, server.URL+"/graphql"
}
