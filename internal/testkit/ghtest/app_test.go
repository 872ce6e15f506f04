package ghtest_test

import (
	"crypto/rsa"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v4"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// statement is what an App signs about itself, from some minutes ago to some ahead.
func (w *world) statement(key []byte, app any, from, to time.Duration) string {
	w.t.Helper()
	parsed, err := jwt.ParseRSAPrivateKeyFromPEM(key)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.signed(jwt.SigningMethodRS256, parsed, jwt.MapClaims{"iss": app, "iat": w.gh.Now().Add(from).Unix(), "exp": w.gh.Now().Add(to).Unix()})
}

func (w *world) signed(method jwt.SigningMethod, key any, claims jwt.MapClaims) string {
	w.t.Helper()
	text, err := jwt.NewWithClaims(method, claims).SignedString(key)
	if err != nil {
		w.t.Fatal(err)
	}
	return text
}

func appPermissions() map[string]string {
	return map[string]string{"metadata": "read", "contents": "read", "pull_requests": "write", "issues": "write", "checks": "write"}
}

// newApp is an App of the world, and a good statement of it.
func (w *world) newApp() (*ghtest.App, string) {
	a := w.gh.NewApp(ghtest.NewApp{Name: "Some App", Permissions: appPermissions(), Events: []string{"pull_request"}})
	return a, w.statement(a.PrivateKey, a.ID, -time.Minute, 5*time.Minute)
}

// access asks for a token of an installation.
func (w *world) access(statement string, in *ghtest.Installation, body any) reply {
	w.t.Helper()
	return w.as(statement, "POST", "/app/installations/"+itoa(in.ID)+"/access_tokens", body)
}

// TestStatements: an App is let in by what it signed, by the clock of GitHub.
func TestStatements(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, good := w.newApp()
	other := w.gh.NewApp(ghtest.NewApp{Name: "Other"})
	older := a.PrivateKey
	newer := a.NewKey()
	var parsed *rsa.PrivateKey
	parsed, err := jwt.ParseRSAPrivateKeyFromPEM(newer)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(good, ".")
	for name, test := range map[string]struct {
		statement string
		status    int
		says      string
	}{
		"good":             {good, 200, `"slug":"some-app"`},
		"an older key":     {w.statement(older, a.ID, 0, time.Minute), 200, ""},
		"a newer key":      {w.statement(newer, a.ID, 0, time.Minute), 200, ""},
		"a text as id":     {w.statement(newer, itoa(a.ID), 0, time.Minute), 200, ""},
		"another's key":    {w.statement(other.PrivateKey, a.ID, 0, time.Minute), 401, "could not be decoded"},
		"unknown":          {w.statement(newer, 5, 0, time.Minute), 404, "Integration not found"},
		"over":             {w.statement(newer, a.ID, -10*time.Minute, 0), 401, "('exp') must be a numeric value"},
		"too long":         {w.statement(newer, a.ID, 0, 11*time.Minute), 401, "('exp') is too far in the future"},
		"of the future":    {w.statement(newer, a.ID, time.Minute, 2*time.Minute), 401, "'Issued at' claim ('iat')"},
		"no times":         {w.signed(jwt.SigningMethodRS256, parsed, jwt.MapClaims{"iss": a.ID}), 401, "'exp'"},
		"another method":   {w.signed(jwt.SigningMethodRS512, parsed, jwt.MapClaims{"iss": a.ID}), 401, "could not be decoded"},
		"no signature":     {parts[0] + "." + parts[1] + ".", 401, "could not be decoded"},
		"no statement":     {w.token, 401, "could not be decoded"},
		"nothing":          {"", 401, "could not be decoded"},
		"hardly any claim": {parts[0] + ".e30." + parts[2], 401, "'Issuer'"},
	} {
		if got := w.as(test.statement, "GET", "/app", nil); got.status != test.status || !strings.Contains(got.text, test.says) {
			t.Errorf("%s: %d %s", name, got.status, got.text)
		}
	}
	a.DeleteKeys()
	if got := w.as(w.statement(older, a.ID, 0, time.Minute), "GET", "/app", nil); got.status != 401 {
		t.Errorf("a deleted key: %d", got.status)
	}
	if got := w.as(good, "GET", repoPath, nil); got.status != 401 {
		t.Errorf("a statement is no token: %d", got.status)
	}
}

// TestInstallationTokens: a token is for some repositories and permissions, for an hour.
func TestInstallationTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, good := w.newApp()
	private, public := w.gh.Repo("acme/private"), w.gh.Repo("acme/public")
	private.SetPrivate(true)
	w.repo.SetPrivate(true)
	in, strange := a.Install("acme"), w.gh.NewApp(ghtest.NewApp{Name: "Strange"}).Install("acme")
	token := func(body any) string {
		t.Helper()
		r := w.access(good, in, body)
		if r.status != 201 {
			t.Fatalf("%d %s", r.status, r.text)
		}
		return r.json(t)["token"].(string)
	}
	one := token(o{"repository_ids": []int64{w.repo.ID}, "permissions": o{"issues": "write", "pull_requests": "read", "metadata": "read"}})
	all := token(nil)
	for name, test := range map[string]struct {
		token, method, path string
		body                any
		status              int
	}{
		"its repository":         {one, "GET", repoPath + "/pulls/1", nil, 200},
		"what it may":            {one, "POST", repoPath + "/issues", o{"title": "t"}, 201},
		"more than it may":       {one, "POST", repoPath + "/pulls/1/reviews", o{"event": "COMMENT", "body": "b"}, 403},
		"not its permission":     {one, "GET", repoPath + "/contents/a.txt", nil, 403},
		"another private one":    {one, "GET", "/repos/acme/private/issues", nil, 404},
		"another public one":     {one, "GET", "/repos/acme/public/issues", nil, 200},
		"to write there":         {one, "POST", "/repos/acme/public/issues", o{"title": "t"}, 403},
		"all of an installation": {all, "GET", "/repos/acme/private/issues", nil, 200},
	} {
		if got := w.as(test.token, test.method, test.path, test.body); got.status != test.status {
			t.Errorf("%s: %d %s", name, got.status, got.text)
		}
	}
	query := o{"query": `{ repository(owner: "acme", name: "private") { id } viewer { login } }`}
	if got := w.as(one, "POST", "/graphql", query).text; !strings.Contains(got, "NOT_FOUND") || !strings.Contains(got, `"login":"some-app[bot]"`) {
		t.Errorf("another private one: %s", got)
	}
	list := w.as(one, "GET", "/installation/repositories", nil).json(t)
	if list["total_count"] != 1.0 || at(t, list, "repositories", 0, "full_name") != "acme/widgets" {
		t.Errorf("%v", list)
	}
	if got := w.do("GET", "/installation/repositories", nil); got.status != 403 {
		t.Errorf("the list of no installation: %d", got.status)
	}
	for name, test := range map[string]struct {
		in     *ghtest.Installation
		body   any
		status int
		says   string
	}{
		"a strange repository": {in, o{"repository_ids": []int64{w.gh.Repo("bob/own").ID}}, 422, "does not exist or is not accessible"},
		"a strange name":       {in, o{"repositories": []string{"public", "none"}}, 422, "does not exist or is not accessible"},
		"more than granted":    {in, o{"permissions": o{"contents": "write"}}, 422, "not granted to this installation"},
		"by name":              {in, o{"repositories": []string{"public"}}, 201, `"full_name":"acme/public"`},
		"not of this App":      {strange, nil, 404, "Not Found"},
	} {
		if got := w.access(good, test.in, test.body); got.status != test.status || !strings.Contains(got.text, test.says) {
			t.Errorf("%s: %d %s", name, got.status, got.text)
		}
	}
	if reach := w.gh.Reach(one); len(reach) != 1 || reach[0] != "acme/widgets" || w.gh.Reach(w.token) != nil {
		t.Errorf("%v", reach)
	}
	in.Suspend()
	if got := w.as(one, "GET", repoPath, nil); got.status != 403 || !strings.Contains(got.text, "has been suspended") || w.access(good, in, nil).status != 403 {
		t.Errorf("suspended: %d %s", got.status, got.text)
	}
	in.Unsuspend()
	in.Select(public)
	if got := w.as(all, "GET", "/repos/acme/private/issues", nil); got.status != 404 {
		t.Errorf("taken out of the installation: %d", got.status)
	}
	w.gh.Advance(time.Hour)
	if got := w.as(one, "GET", "/repos/acme/public", nil); got.status != 401 {
		t.Errorf("after an hour: %d", got.status)
	}
	in.Remove()
	good = w.statement(a.PrivateKey, a.ID, 0, time.Minute)
	if got := w.as(good, "GET", "/app/installations/"+itoa(in.ID), nil); got.status != 404 || w.access(good, in, nil).status != 404 {
		t.Errorf("removed: %d", got.status)
	}
}
