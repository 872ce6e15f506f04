package setup_test

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/prdebate/debate/internal/bot/setup"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// TestSetup: from the token to an App that signs in, for GitHub Enterprise Server and with
// a webhook that nobody listens at.
func TestSetup(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	b, page := s.enter()
	if !strings.Contains(page.text, "merge queues: read, metadata: read, pull requests: write") || !strings.Contains(page.text, "https://webhook.debate.invalid/") {
		t.Errorf("it does not say what is asked for: %s", page.text)
	}
	offered := b.back(page)
	made := b.submit(offered.forms[0])
	app, err := s.result()
	if err != nil || made.status != http.StatusOK {
		t.Fatalf("%d %v %s", made.status, err, made.text)
	}
	if app.URL != s.gh.URL+"/apps/debate-of-ada/installations/new" || !strings.Contains(made.text, app.URL) {
		t.Errorf("%+v in %s", app, made.text)
	}
	key, err := os.ReadFile(app.KeyFile)
	if err != nil || string(key) != string(app.PrivateKey) || filepath.Dir(app.KeyFile) != s.dir {
		t.Errorf("%s: %v", app.KeyFile, err)
	}
	env, err := os.ReadFile(app.EnvFile)
	want := fmt.Sprintf("DEBATE_APP_ID=%d\nDEBATE_PRIVATE_KEY_FILE=%s\nDEBATE_WEBHOOK_SECRET=%s\nGITHUB_SERVER_URL=%s\nGITHUB_API_URL=%s/api/v3\n", app.ID, app.KeyFile, app.WebhookSecret, s.gh.URL, s.gh.URL)
	if err != nil || !strings.HasSuffix(string(env), want) || app.WebhookSecret == "" {
		t.Errorf("%s %v", env, err)
	}
	for _, path := range []string{app.KeyFile, app.EnvFile} {
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
	if files, err := os.ReadDir(s.dir); err != nil || len(files) != 2 {
		t.Errorf("%v %v", files, err)
	}
	signedIn, err := gh.NewApp(gh.AppOptions{ID: app.ID, PrivateKey: key, Options: gh.Options{BaseURL: s.gh.URL, Now: s.gh.Now}})
	if err != nil {
		t.Fatal(err)
	}
	known, err := signedIn.Registration(t.Context())
	if err != nil || len(gh.Gaps(known, nil)) != 0 || known.Owner.Login != ghtest.WebUser {
		t.Errorf("%+v %v %v", known, gh.Gaps(known, nil), err)
	}
	// Nothing shows a secret: no page, and nothing in the terminal but the token.
	secrets := []string{app.WebhookSecret, string(app.PrivateKey[40:80]), "client-secret"}
	for _, shown := range []string{page.text, offered.text, made.text, s.lines()} {
		for _, secret := range secrets {
			if strings.Contains(shown, secret) {
				t.Errorf("%q is shown", secret)
			}
		}
	}
	for _, shown := range []string{page.text, offered.text, made.text} {
		if strings.Contains(shown, s.token) {
			t.Error("the token is shown")
		}
	}
	if said := s.lines(); !strings.Contains(said, `GitHub made the App "Debate of Ada"`) || !strings.Contains(said, app.URL) {
		t.Error(said)
	}
	if conn, err := net.Dial("tcp", strings.TrimPrefix(s.at, "http://")); err == nil {
		_ = conn.Close()
		t.Error("the page is still served")
	}
}

// TestAnotherOwner: name and owner can be changed on the page; events have a real address.
func TestAnotherOwner(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *setup.Options) { o.Hook = "https://debate.example.com/webhook" })
	b, page := s.enter()
	for _, bad := range []url.Values{{"name": {""}}, {"name": {strings.Repeat("x", 35)}}, {"name": {"a\nb"}}, {"name": {"a"}, "owner": {"../x"}}, {"name": {"a"}, "owner": {"a b"}}} {
		if got := b.submit(form{page.forms[1].action, bad}); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.text, `role="alert"`) {
			t.Errorf("%v: %d", bad, got.status)
		}
	}
	page = b.submit(form{page.forms[1].action, url.Values{"name": {`Bob's "<b>`}, "owner": {"acme-corp"}}})
	if to := page.forms[0].action; !strings.HasPrefix(to, s.gh.URL+"/organizations/acme-corp/settings/apps/new?state=") {
		t.Errorf("the form goes to %s", to)
	}
	b.submit(b.back(page).forms[0])
	app, err := s.result()
	if err != nil || app.Name != `Bob's "<b>` {
		t.Fatalf("%+v %v", app, err)
	}
	a := s.gh.App(app.ID)
	in := a.Install("acme-corp")
	if d := in.Tell("installation", "created"); d.Status != 0 { // nobody listens at the address, but it was tried
		t.Errorf("%+v", d)
	}
}

// TestGate: what a page of somebody else, or a program of this machine, may try.
func TestGate(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	b, page := s.enter()
	offered := b.back(page)
	inside := s.at + strings.TrimSuffix(offered.forms[0].action, "take")
	port := s.at[strings.LastIndex(s.at, ":"):]
	good := request{method: "POST", url: inside + "take", values: offered.forms[0].values, origin: s.at, site: "same-origin", cookie: b.cookie}
	with := func(change func(*request)) request {
		r := good
		r.values = url.Values{}
		for name, values := range good.values {
			r.values[name] = values
		}
		change(&r)
		return r
	}
	look := func(change func(*request)) request {
		r := request{method: "GET", url: inside, cookie: b.cookie}
		change(&r)
		return r
	}
	for name, test := range map[string]struct {
		request
		status int
	}{
		"a name that leads here":   {look(func(r *request) { r.host = "attacker.example" + port }), 421},
		"the same with a form":     {with(func(r *request) { r.host, r.origin = "attacker.example"+port, "http://attacker.example"+port }), 421},
		"another port":             {look(func(r *request) { r.host = "127.0.0.1:1" }), 421},
		"no port":                  {look(func(r *request) { r.host = "127.0.0.1" }), 421},
		"localhost":                {look(func(r *request) { r.host = "localhost" + port }), 200},
		"a form of another page":   {with(func(r *request) { r.origin = "https://attacker.example" }), 403},
		"of another port":          {with(func(r *request) { r.origin = "http://127.0.0.1:1" }), 403},
		"of nobody":                {with(func(r *request) { r.origin = "null" }), 403},
		"without an origin":        {with(func(r *request) { r.origin = "" }), 403},
		"from elsewhere":           {with(func(r *request) { r.site = "cross-site" }), 403},
		"from the same site":       {with(func(r *request) { r.site = "same-site" }), 403},
		"without the cookie":       {with(func(r *request) { r.cookie = "" }), 403},
		"with another cookie":      {with(func(r *request) { r.cookie += "x" }), 403},
		"to look without a cookie": {look(func(r *request) { r.cookie = "" }), 403},
		"another path":             {look(func(r *request) { r.url = s.at + "/guessed/" }), 404},
		"the way back, guessed":    {look(func(r *request) { r.url = s.at + "/guessed/made?code=c&state=s" }), 404},
		"another state":            {with(func(r *request) { r.values.Set("state", "guessed") }), 403},
		"no state":                 {with(func(r *request) { r.values.Del("state") }), 403},
		"a hostile code":           {with(func(r *request) { r.values.Set("code", "../../app") }), 403},
		"back with another state":  {look(func(r *request) { r.url += "made?code=c&state=guessed" }), 403},
		"back without a code":      {look(func(r *request) { r.url += "made?state=" + good.values.Get("state") }), 403},
		"by looking":               {look(func(r *request) { r.url += "take" }), 405},
		"the token again":          {request{method: "POST", url: s.at + "/enter", values: url.Values{"token": {s.token}}, origin: s.at}, 403},
		"a guessed token":          {request{method: "POST", url: s.at + "/enter", values: url.Values{"token": {"A"}}, origin: s.at}, 403},
		"no token":                 {request{method: "POST", url: s.at + "/enter", values: url.Values{}, origin: s.at}, 403},
		"a large form":             {request{method: "POST", url: s.at + "/enter", values: url.Values{"token": {strings.Repeat("A", 20<<10)}}, origin: s.at}, 403},
	} {
		got := s.send(test.request)
		if got.status != test.status {
			t.Errorf("%s: %d, want %d: %s", name, got.status, test.status, got.text)
		}
		if test.status >= 400 && len(got.header.Values("Set-Cookie")) > 0 {
			t.Errorf("%s: a cookie is given", name)
		}
		if !strings.Contains(got.header.Get("Content-Security-Policy"), "default-src 'none'") || got.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", name, got.header)
		}
	}
	for _, r := range s.gh.Requests() {
		if strings.Contains(r.Path, "conversions") {
			t.Errorf("GitHub was asked for the App: %+v", r)
		}
	}
	// All that changed nothing: the App is taken over, and only once, however often the
	// form is sent.
	var mu sync.Mutex
	var wait sync.WaitGroup
	counts := map[int]int{}
	for range 5 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			req, err := http.NewRequestWithContext(t.Context(), "POST", good.url, strings.NewReader(good.values.Encode()))
			if err != nil {
				t.Error(err)
				return
			}
			req.Header = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Origin": {good.origin}, "Cookie": {good.cookie}}
			resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
			mu.Lock()
			defer mu.Unlock()
			if err != nil { // the page is closed already
				counts[0]++
				return
			}
			_ = resp.Body.Close()
			counts[resp.StatusCode]++
		}()
	}
	wait.Wait()
	if _, err := s.result(); err != nil || counts[200] != 1 {
		t.Errorf("%v %v", counts, err)
	}
}

// TestGitHubFails while the App is handed over: that is said, and one can start again.
func TestGitHubFails(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	b, page := s.enter()
	for name, fault := range map[string]ghtest.Fault{"a refusal": ghtest.Answer(http.StatusNotFound), "a failure": ghtest.Answer(http.StatusBadGateway), "a lost answer": ghtest.Lost()} {
		offered := b.back(page)
		s.gh.FaultOn("/conversions", 1, fault)
		got := b.submit(offered.forms[0])
		s.gh.Fault(nil)
		if got.status != http.StatusBadGateway || !strings.Contains(got.text, "GitHub did not hand the App over") || !strings.Contains(got.text, s.gh.URL+"/settings/apps") {
			t.Errorf("%s: %d %s", name, got.status, got.text)
		}
		if again := b.submit(offered.forms[0]); again.status != http.StatusForbidden {
			t.Errorf("%s, again with the same code: %d", name, again.status)
		}
		page = b.get(b.at+page.forms[1].action[:strings.LastIndex(page.forms[1].action, "/")+1], b.at)
	}
	b.submit(b.back(page).forms[0])
	if app, err := s.result(); err != nil || app.ID == 0 {
		t.Errorf("%+v %v", app, err)
	}
}

// TestTheEnd: after ten minutes, or when the program is stopped.
func TestTheEnd(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	close(s.over)
	if app, err := s.result(); !errors.Is(err, setup.ErrTimeUp) || app.ID != 0 {
		t.Errorf("%+v %v", app, err)
	}
	stopped := errors.New("somebody pressed Ctrl-C")
	s = serve(t, nil)
	s.stop(stopped)
	if _, err := s.result(); !errors.Is(err, stopped) {
		t.Errorf("got %v", err)
	}
	if files, err := os.ReadDir(s.dir); err != nil || len(files) != 0 {
		t.Errorf("%v %v", files, err)
	}
}

// TestTheEndWhileTaking: an App whose key is on its way is waited for.
func TestTheEndWhileTaking(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	b, page := s.enter()
	offered := b.back(page)
	s.gh.Fault(func(int, *http.Request) ghtest.Fault {
		close(s.over) // the time is up while GitHub answers
		return ghtest.Fault{}
	})
	b.submit(offered.forms[0])
	if app, err := s.result(); err != nil || app.ID == 0 {
		t.Errorf("%+v %v", app, err)
	}
}

// TestLostKey: what could not be written is said, without the secret.
func TestLostKey(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	b, page := s.enter()
	offered := b.back(page)
	if err := os.WriteFile(filepath.Join(s.dir, "debate-app.pem"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := b.submit(offered.forms[0])
	_, err := s.result()
	if err == nil || !strings.Contains(err.Error(), "its key could not be written") || !strings.Contains(err.Error(), "generate another private key on "+s.gh.URL) || got.status != 500 {
		t.Errorf("%d %v", got.status, err)
	}
	if kept, err := os.ReadFile(filepath.Join(s.dir, "debate-app.pem")); err != nil || string(kept) != "mine" {
		t.Errorf("%q %v", kept, err)
	}
	if strings.Contains(got.text+err.Error(), "BEGIN") {
		t.Error("the key is shown")
	}
}

// TestNoPage: what is wrong is said before anybody is told to open the page.
func TestNoPage(t *testing.T) {
	t.Parallel()
	taken := t.TempDir()
	if err := os.WriteFile(filepath.Join(taken, "debate.env"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]setup.Options{
		"given together":                         {Pages: "https://github.example"},
		"does not begin with https":              {Pages: "http://github.example", API: "http://github.example/api/v3"},
		"the address of GitHub's pages":          {Pages: "https://user@github.example", API: "https://github.example/api/v3"},
		"the public address for events":          {Hook: "http://debate.example/hook"},
		"GitHub takes a name of 1 to 34 letters": {Name: strings.Repeat("x", 35)},
		"no name of an organization":             {Owner: "a/b"},
		"debate.env is there already":            {Dir: taken},
		"could not be written":                   {Dir: filepath.Join(taken, "none")},
	} {
		if o.Dir == "" {
			o.Dir = t.TempDir()
		}
		o.Say = func(format string, args ...any) {
			t.Errorf("%s: somebody is told "+format, append([]any{want}, args...)...)
		}
		if _, err := setup.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
