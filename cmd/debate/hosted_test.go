package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// drop is a change that a person has to decide: it drops a table.
var drop = map[string]string{"db/migrations/0002_b.up.sql": "DROP TABLE a;\n"}

// open opens a pull request that makes a change on a branch of its own.
func (h *hosted) open(author string, change map[string]string) *ghtest.Pull {
	h.t.Helper()
	branch := fmt.Sprintf("change-%d", len(h.repo.Issues())+int(h.server.Now().Unix()))
	h.repo.SetBranch(branch, h.repo.Change(h.repo.Branch("main"), change))
	return h.repo.OpenPull(author, ghtest.NewPull{Title: "A change", Body: "It changes something.", Head: branch})
}

// push adds to a pull request's change.
func (h *hosted) push(p *ghtest.Pull, change map[string]string) ran {
	h.t.Helper()
	before := p.Head()
	p.Push(h.repo.Change(before, change))
	return h.run("pull_request", h.repo.Event("pull_request", "synchronize", ghtest.Happening{Pull: p, Before: before}))
}

// on runs the action because something happened to a pull request.
func (h *hosted) on(p *ghtest.Pull, action string) ran {
	h.t.Helper()
	return h.run("pull_request", h.repo.Event("pull_request", action, ghtest.Happening{Pull: p}))
}

// reviewedPull is a pull request that was reviewed. The inputs of the action are pairs of a name
// and a value.
func reviewedPull(t *testing.T, author string, change map[string]string, inputs ...string) (*hosted, *ghtest.Pull) {
	t.Helper()
	h := host(t)
	for i := 0; i+1 < len(inputs); i += 2 {
		h.inputs[inputs[i]] = inputs[i+1]
	}
	p := h.open(author, change)
	h.on(p, "opened").good(t)
	return h, p
}

// say comments and runs the action for it.
func (h *hosted) say(on *ghtest.Issue, who, text string) (*ghtest.Comment, ran) {
	h.t.Helper()
	c := on.Comment(who, text)
	return c, h.run("issue_comment", h.repo.Event("issue_comment", "created", ghtest.Happening{Issue: on, Comment: c}))
}

// heard says something, and the run for it has to succeed.
func (h *hosted) heard(on *ghtest.Issue, who, text string) ran {
	h.t.Helper()
	_, o := h.say(on, who, text)
	return o.good(h.t)
}

// reacts says something, and demands our reaction to it.
func (h *hosted) reacts(reaction string, on *ghtest.Issue, who, text string) {
	h.t.Helper()
	c, o := h.say(on, who, text)
	o.good(h.t)
	want(h.t, "reaction to "+text, strings.Join(c.Reactions(ghtest.ActionsBot), " "), reaction)
}

// idle demands of a run that it succeeds and writes nothing.
func (h *hosted) idle(o ran, what string) {
	h.t.Helper()
	if o.good(h.t).writes > 0 {
		h.t.Errorf("%s writes %s", what, requests(o.changes))
	}
}

// shut closes an issue and runs the action for it.
func (h *hosted) shut(i *ghtest.Issue, who, reason string) ran {
	h.t.Helper()
	i.Close(who, reason)
	return h.run("issues", h.repo.Event("issues", "closed", ghtest.Happening{Issue: i, Sender: who}))
}

// sweep runs the action by its schedule.
func (h *hosted) sweep() ran {
	h.t.Helper()
	return h.run("schedule", h.repo.Event("schedule", "", ghtest.Happening{Schedule: "17 * * * *"}))
}

// between calls a function before each request, counted from 1, that the action
// makes from now on, one call at a time. Unlike a fault it may act on the server,
// and a copy of h with an env of its own may run the action in it; a run through
// the same door would wait for itself. The variables that it sets may be read once
// the run is over.
func (h *hosted) between(do func(n int, r *http.Request)) {
	h.t.Helper()
	to, err := url.Parse(h.server.URL)
	if err != nil {
		h.t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.Transport = connections()
	n, turn := 0, new(sync.Mutex)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		func() {
			turn.Lock()
			defer turn.Unlock()
			n++
			do(n, r)
		}()
		proxy.ServeHTTP(w, r)
	}))
	h.t.Cleanup(server.Close)
	h.door, h.turn = server.URL, turn
	h.env["GITHUB_API_URL"], h.env["GITHUB_GRAPHQL_URL"] = server.URL, server.URL+"/graphql"
}

// check is the check of a head as "conclusion", "in_progress", or "" for none.
func (h *hosted) check(sha string) string {
	conclusion := ""
	for _, c := range h.repo.CheckRuns(sha) {
		if c.Name == "debate" {
			conclusion = c.Conclusion
			if conclusion == "" {
				conclusion = c.Status
			}
		}
	}
	return conclusion
}

// issue is the only issue there is.
func (h *hosted) issue() *ghtest.Issue {
	h.t.Helper()
	all := h.repo.Issues()
	if len(all) != 1 {
		h.t.Fatalf("%d issues, want 1", len(all))
	}
	return all[0]
}

// ours are the texts of our own comments, the oldest first.
func ours(list []*ghtest.Comment) (texts []string) {
	for _, c := range list {
		if c.Author() == ghtest.ActionsBot {
			texts = append(texts, c.Body())
		}
	}
	return texts
}

// summaries are our comments that are the summary of a pull request.
func summaries(p *ghtest.Pull) (texts []string) {
	for _, text := range ours(p.Comments()) {
		if strings.HasPrefix(text, "<!-- debate:summary v1 -->") {
			texts = append(texts, text)
		}
	}
	return texts
}

// unhidden is a text without its hidden lines.
func unhidden(text string) string {
	var kept []string
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, "<!--") {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// good fails the test where a run did not end well, and where something of it
// made GitHub grant or merge anything.
func (o ran) good(t *testing.T) ran {
	t.Helper()
	if o.code != 0 {
		t.Fatalf("exit code %d\n%s", o.code, o.log)
	}
	for _, r := range o.changes {
		if strings.Contains(r.Path, "/merge") || strings.Contains(r.Body, "APPROVE") || strings.Contains(r.Body, "REQUEST_CHANGES") {
			t.Errorf("forbidden: %s %s", r.Operation, r.Body)
		}
	}
	return o
}

// want compares two values.
func want[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// wantText fails where a text lacks a part.
func wantText(t *testing.T, what, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s lacks %q:\n%s", what, part, unhidden(text))
	}
}
