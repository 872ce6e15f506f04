package gh_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// TestTokenIsKept until shortly before its end, and one request renews it for all.
func TestTokenIsKept(t *testing.T) {
	t.Parallel()
	w := newAppWorld(t)
	c := w.open(t)
	look := func() {
		t.Helper()
		var wait sync.WaitGroup
		for range 20 {
			wait.Add(1)
			go func() {
				defer wait.Done()
				other, err := w.app.Client(t.Context(), w.installed(), "")
				if err != nil {
					t.Error(err)
					return
				}
				for _, c := range []*gh.Client{c, other} {
					if _, err := c.Reader.Glance(t.Context(), w.pull.Number, "", 0); err != nil {
						t.Error(err)
					}
				}
			}()
		}
		wait.Wait()
	}
	look()
	w.Advance(54 * time.Minute)
	look()
	if n := len(w.minted()); n != 1 {
		t.Errorf("%d tokens before the first ended", n)
	}
	w.Advance(2 * time.Minute)
	look()
	w.Advance(10 * time.Minute) // the first one is over now
	look()
	if n := len(w.minted()); n != 2 {
		t.Errorf("%d tokens after the first was near its end", n)
	}
}

// TestTokenIsRefused: a token that GitHub does not take any more is renewed, once.
func TestTokenIsRefused(t *testing.T) {
	t.Parallel()
	w := newAppWorld(t)
	c := w.open(t)
	if _, err := c.Reader.Glance(t.Context(), w.pull.Number, "", 0); err != nil {
		t.Fatal(err)
	}
	requests := w.Requests()
	w.Revoke(requests[len(requests)-1].Token)
	if _, err := c.Writer.CreateComment(t.Context(), w.pull.Number, "hello", "m"); err != nil {
		t.Error(err)
	}
	if n := len(w.minted()); n != 2 || len(w.pull.Comments()) != 1 {
		t.Errorf("%d tokens, %d comments", n, len(w.pull.Comments()))
	}
	w.FaultOn("/comments", 9, ghtest.Answer(http.StatusUnauthorized))
	if _, err := c.Writer.CreateComment(t.Context(), w.pull.Number, "again", "n"); !errors.As(err, new(*gh.PermissionError)) {
		t.Errorf("a token that is never taken: %v", err)
	}
	if n := len(w.minted()); n != 3 {
		t.Errorf("%d tokens", n)
	}
}

// TestSignInErrors: each has its cause, one line, and what to do.
func TestSignInErrors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		spoil func(t *testing.T, w *appWorld)
		ofApp bool
		says  []string
	}{
		"another App's key": {func(t *testing.T, w *appWorld) {
			w.app = w.signIn(t, w.made.ID, w.NewApp(ghtest.NewApp{Name: "other"}).PrivateKey)
		}, true, []string{"does not accept the private key of App", "generate a new private key"}},
		"a deleted key": {func(t *testing.T, w *appWorld) {
			w.made.NewKey()
			w.made.DeleteKeys()
		}, true, []string{"was deleted"}},
		"no such App": {func(t *testing.T, w *appWorld) { w.made.Delete() }, true, []string{"GitHub knows no App", "check the App ID"}},
		"a clock that is ahead": {func(t *testing.T, w *appWorld) { w.ahead.Store(int64(10 * time.Minute)) },
			true, []string{"this machine's clock says ", ", and GitHub's ", " GMT: set this machine's clock"}},
		"a clock that is behind": {func(t *testing.T, w *appWorld) { w.ahead.Store(-int64(10 * time.Minute)) },
			true, []string{"this machine's clock says "}},
		"suspended": {func(t *testing.T, w *appWorld) { w.in.Suspend() },
			false, []string{"the installation of the App on acme is suspended: an owner can unsuspend it at http", "/organizations/acme/settings/installations/"}},
		"removed": {func(t *testing.T, w *appWorld) { w.in.Remove() }, false, []string{"not installed for acme/widgets any more"}},
		"a missing permission": {func(t *testing.T, w *appWorld) {
			w.in.Grant(map[string]string{"metadata": "read", "contents": "read", "pull_requests": "read", "issues": "write"})
		}, false, []string{"on acme does not grant checks: write and pull_requests: write: an owner can accept", "/settings/installations/"}},
		"another selection": {func(t *testing.T, w *appWorld) { w.in.Select(w.Repo("acme/other")) },
			false, []string{"does not include acme/widgets: an owner can add the repository at"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newAppWorld(t)
			test.spoil(t, w)
			_, err := w.app.Client(t.Context(), w.installed(), "")
			var outside *gh.SignInError
			if !errors.As(err, &outside) {
				t.Fatalf("got %v", err)
			}
			for _, part := range test.says {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not say %q", err, part)
				}
			}
			if strings.Contains(err.Error(), "\n") || outside.OfApp != test.ofApp {
				t.Errorf("%q, of the App: %t", err, outside.OfApp)
			}
			if _, err := w.app.Registration(t.Context()); test.ofApp != errors.As(err, new(*gh.SignInError)) {
				t.Errorf("the App itself: %v", err)
			}
		})
	}
}

// TestClocksDiffer: a few minutes do no harm.
func TestClocksDiffer(t *testing.T) {
	t.Parallel()
	w := newAppWorld(t)
	for _, ahead := range []time.Duration{-4 * time.Minute, time.Minute} {
		w.ahead.Store(int64(ahead))
		if _, err := w.app.Registration(t.Context()); err != nil {
			t.Errorf("%v ahead: %v", ahead, err)
		}
	}
}

// TestSuspendedMeanwhile: whoever works with a token is told what happened, and that
// nothing was written.
func TestSuspendedMeanwhile(t *testing.T) {
	t.Parallel()
	for says, spoil := range map[string]func(*ghtest.Installation){
		"is suspended": (*ghtest.Installation).Suspend, "is gone": (*ghtest.Installation).Remove,
	} {
		w := newAppWorld(t)
		c := w.open(t)
		spoil(w.in)
		_, byREST := c.Writer.CreateComment(t.Context(), w.pull.Number, "hello", "m")
		_, byGraph := c.Reader.Glance(t.Context(), w.pull.Number, "", 0)
		for _, err := range []error{byREST, byGraph} {
			var outside *gh.SignInError
			if !errors.As(err, &outside) || !strings.Contains(outside.Happened, says) {
				t.Errorf("%s: got %v", says, err)
			}
		}
	}
}

// TestGitHubIsDown while a token is wanted: it is tried again, and a write was not made.
func TestGitHubIsDown(t *testing.T) {
	t.Parallel()
	w := newAppWorld(t)
	w.FaultOn("/access_tokens", 2, ghtest.Answer(http.StatusBadGateway))
	c := w.open(t)
	w.Advance(time.Hour)
	w.FaultOn("/access_tokens", 99, ghtest.Answer(http.StatusBadGateway))
	_, err := c.Writer.CreateComment(t.Context(), w.pull.Number, "hello", "m")
	if !errors.As(err, new(*gh.UnavailableError)) || strings.Contains(err.Error(), "not known") || len(w.pull.Comments()) != 0 {
		t.Errorf("got %v", err)
	}
}

// TestNoTokenForAll: without an id of the repository a token would be for all of them.
func TestNoTokenForAll(t *testing.T) {
	t.Parallel()
	w := newAppWorld(t)
	for _, in := range []gh.InstalledRepo{{Installation: w.in.ID, Owner: "acme", Name: "widgets"}, {ID: w.repo.ID, Owner: "acme", Name: "widgets"}, {}} {
		if _, err := w.app.Client(t.Context(), in, ""); err == nil || len(w.Requests()) > 0 {
			t.Errorf("%+v: %v", in, err)
		}
	}
}

// TestTenants: whatever the order, no request about one repository is made with the token
// of another.
func TestTenants(t *testing.T) {
	t.Parallel()
	w := newAppWorld(t)
	type tenant struct {
		in   gh.InstalledRepo
		pull *ghtest.Pull
	}
	var tenants []tenant
	for i := range 4 {
		r := w.Repo(fmt.Sprintf("tenant%d/code", i))
		r.SetPrivate(true)
		base := r.CommitFiles(nil, map[string]ghtest.File{"a.go": text("one\n")})
		r.SetBranch("main", base)
		r.SetBranch("work", r.CommitFiles([]string{base}, map[string]ghtest.File{"a.go": text("two\n")}))
		pull := r.OpenPull("mona", ghtest.NewPull{Title: "t", Head: "work"})
		tenants = append(tenants, tenant{gh.InstalledRepo{Installation: w.made.Install(r.Owner, r).ID, ID: r.ID, Owner: r.Owner, Name: r.Name}, pull})
	}
	var wait sync.WaitGroup
	for i := range 40 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			at := tenants[i%len(tenants)]
			c, err := w.app.Client(t.Context(), at.in, "")
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := c.Reader.Pull(t.Context(), at.pull.Number); err != nil {
				t.Error(err)
			}
			if _, err := c.Writer.CreateComment(t.Context(), at.pull.Number, "hello", fmt.Sprintf("m%d", i)); err != nil {
				t.Error(err)
			}
		}()
	}
	wait.Wait()
	seen := 0
	for _, r := range w.Requests() {
		owner := ""
		if rest, is := strings.CutPrefix(r.Path, "/repos/"); is {
			owner, _, _ = strings.Cut(rest, "/")
		} else if r.Path == "/graphql" {
			_, rest, _ := strings.Cut(r.Body, `"owner":"`)
			owner, _, _ = strings.Cut(rest, `"`)
		}
		if owner == "" {
			continue
		}
		seen++
		if reach := w.Reach(r.Token); !slices.Equal(reach, []string{owner + "/code"}) {
			t.Errorf("%s for %s with a token for %v", r.Operation, owner, reach)
		}
	}
	if seen < 80 || len(w.minted()) != len(tenants) {
		t.Errorf("%d requests, %d tokens", seen, len(w.minted()))
	}
}
