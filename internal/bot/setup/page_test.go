package setup

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/testkit/golden"
)

// TestPages compares each step with its golden file. Names from GitHub and from the person
// are hostile.
func TestPages(t *testing.T) {
	t.Parallel()
	const hostile = "</title><script>alert(1)</script>\"'&\u202e"
	o := Options{Dir: t.TempDir(), Pages: "https://github.example", API: "https://github.example/api/v3", Name: `x"><script>`, Owner: "acme", Say: t.Logf}
	if err := o.check(); err != nil {
		t.Fatal(err)
	}
	s := newSite(o, files{}, "127.0.0.1:4711")
	s.path, s.state = "PATH", "STATE"
	form := s.form("")
	polled := form
	form.Hook, form.IsPolling = "https://debate.example/webhook", false
	pages := make(map[string]string)
	for name, v := range map[string]view{
		"locked.html":  {Locked: true},
		"refused.html": {Locked: true, Problem: "That is not the token."},
		"form.html":    form,
		"polled.html":  polled,
		"offered.html": {Take: s.at("take"), Code: "CODE", State: "STATE"},
		"failed.html":  {Again: s.at(""), Apps: s.apps(""), Problem: "GitHub did not hand the App over: " + hostile},
		"made.html":    {Made: &Credentials{ID: 12, Name: hostile, URL: "javascript:alert(1)", KeyFile: "/srv/<i>/debate-app.pem", EnvFile: "/srv/<i>/debate.env", WebhookSecret: "SECRET", PrivateKey: []byte("SECRET")}},
	} {
		w := httptest.NewRecorder()
		s.show(w, 200, v)
		got := w.Body.String()
		if strings.Contains(got, "<script") || strings.Contains(got, "SECRET") || strings.Contains(got, `href="javascript:`) {
			t.Errorf("%s: %s", name, got)
		}
		pages[name] = got
	}
	golden.Pages(t, "testdata/pages.html", pages)
}

// TestStyle: the browser takes the style, since the policy names what stands in the page.
func TestStyle(t *testing.T) {
	t.Parallel()
	s := newSite(Options{Pages: "https://github.example/"}, files{}, "127.0.0.1:4711")
	w := httptest.NewRecorder()
	s.protect(w.Header())
	s.show(w, 200, view{Locked: true})
	_, rest, _ := strings.Cut(w.Body.String(), "<style>")
	text, _, found := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(text))
	want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; form-action 'self' https://github.example; frame-ancestors 'none'; base-uri 'none'"
	if got := w.Header().Get("Content-Security-Policy"); !found || got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if strings.Contains(w.Body.String(), "ZgotmplZ") {
		t.Error(w.Body.String())
	}
}

// TestNowhere: the address of a webhook that nobody listens at can be owned by nobody, and
// the manifest asks for just what is needed.
func TestNowhere(t *testing.T) {
	t.Parallel()
	o := Options{Dir: t.TempDir()}
	if err := o.check(); err != nil {
		t.Fatal(err)
	}
	manifest := newSite(o, files{}, "127.0.0.1:4711").form("").Manifest
	if !strings.Contains(manifest, `"hook_attributes":{"url":"https://webhook.debate.invalid/","active":true}`) || !strings.Contains(manifest, `"public":false`) {
		t.Error(manifest)
	}
	if len(gh.AppPermissions()) != 6 || strings.Contains(manifest, "statuses") || strings.Contains(manifest, `"contents":"write"`) {
		t.Error(manifest)
	}
}
