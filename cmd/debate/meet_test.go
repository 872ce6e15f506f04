package main

import (
	"net/http"
	"strings"
	"testing"
)

// TestTwoRunsMeet: a second run that does all of its work while the first one is
// under way takes nothing from it and doubles nothing (R22).
func TestTwoRunsMeet(t *testing.T) {
	t.Parallel()
	t.Run("on a new head", func(t *testing.T) {
		t.Parallel()
		h := host(t)
		p := h.open("ada", map[string]string{"ratio.go": divides})
		other := *h
		other.dir, other.env = t.TempDir(), map[string]string{}
		met := false
		h.between(func(_ int, r *http.Request) {
			if !met && strings.Contains(r.URL.Path, "/git/trees/") {
				met = true
				other.on(p, "opened").good(t)
			}
		})
		first := h.on(p, "opened").good(t)
		want(t, "met", met, true)
		want(t, "summaries", len(summaries(p)), 1)
		want(t, "inline comments", len(p.Inline()), 1)
		want(t, "reviews", len(p.Reviews()), 1)
		want(t, "check", h.check(p.Head()), "neutral")
		wantText(t, "log", first.log, "another run wrote on the pull request meanwhile; looking again")
	})
	t.Run("a decision is not lost to an order", func(t *testing.T) {
		t.Parallel()
		h := host(t)
		p := h.open("ada", map[string]string{"ratio.go": divides, "db/migrations/0002_b.up.sql": drop["db/migrations/0002_b.up.sql"]})
		h.on(p, "opened").good(t)
		want(t, "check", h.check(p.Head()), "action_required")
		other := *h
		other.dir, other.env = t.TempDir(), map[string]string{}
		met := false
		h.between(func(_ int, r *http.Request) {
			if !met && strings.Contains(r.URL.Path, "/git/trees/") {
				met = true
				_, decided := other.say(p.Issue, "root", "/debate decide D0 keep reviewed by hand")
				decided.good(t)
			}
		})
		_, dismissed := h.say(p.Issue, "mona", "/debate dismiss F2 callers check")
		dismissed.good(t)
		want(t, "met", met, true)
		want(t, "issue open", h.issue().Open(), false)
		want(t, "check", h.check(p.Head()) != "action_required", true)
		wantText(t, "summary", summaries(p)[0], "root")
		want(t, "inline comments", len(p.Inline()) > 0, true)
	})
}
