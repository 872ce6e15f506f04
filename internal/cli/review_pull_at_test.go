package cli

import (
	"net/url"
	"strings"
	"testing"
)

// TestRemotes: the addresses that git knows name a repository and a server, and nothing
// that is no server is taken for one.
func TestRemotes(t *testing.T) {
	t.Parallel()
	for origin, want := range map[string]string{
		"https://github.com/acme/app.git":              "https://api.github.com acme/app",
		"https://github.com/acme/app":                  "https://api.github.com acme/app",
		"https://github.com/acme/app/":                 "https://api.github.com acme/app",
		"http://github.com/acme/app.git":               "https://api.github.com acme/app",
		"https://ada:secret@github.com/acme/app.git":   "https://api.github.com acme/app",
		"git@github.com:acme/app.git":                  "https://api.github.com acme/app",
		"github.com:acme/app":                          "https://api.github.com acme/app",
		"ssh://git@github.com/acme/app.git":            "https://api.github.com acme/app",
		"ssh://git@ssh.github.com:443/acme/app.git":    "https://api.github.com acme/app",
		"https://WWW.GitHub.com/acme/app.js.git":       "https://api.github.com acme/app.js",
		"git@git.corp.example:acme/app.git":            "https://git.corp.example/api/v3 acme/app",
		"ssh://git@git.corp.example:2222/acme/app.git": "https://git.corp.example/api/v3 acme/app",
		"https://git.corp.example:8443/acme/app.git":   "https://git.corp.example:8443/api/v3 acme/app",
		"https://acme.ghe.com/acme/app.git":            "https://api.acme.ghe.com acme/app",
		"http://127.0.0.1:8080/acme/app.git":           "http://127.0.0.1:8080/api/v3 acme/app",
		"http://git.corp.example/acme/app.git":         "https://git.corp.example/api/v3 acme/app",
		"https://git.corp.example/scm/acme/app.git":    "",
		"https://github.com/acme":                      "",
		"/srv/git/app.git":                             "",
		"../app.git":                                   "",
		"file:///srv/git/app.git":                      "",
		`C:\git\app`:                                   "",
		"C:/git/app":                                   "",
		"https://github.com/acme/app/extra":            "",
		"git@github.com:~ada/app.git":                  "",
		"ext::sh -c echo% github.com:acme/app":         "",
	} {
		e := Env{Getenv: func(string) string { return "" }}
		got := ""
		if p, ok := e.repositoryAt(origin); ok {
			got = p.api + " " + p.owner + "/" + p.name
		}
		if got != want {
			t.Errorf("%s: %q, want %q", origin, got, want)
		}
	}
}

// TestPullAddresses: an address says all of it; what is none is refused with how one looks.
func TestPullAddresses(t *testing.T) {
	t.Parallel()
	e := Env{Getenv: func(string) string { return "" }}
	for asked, want := range map[string]string{
		"https://github.com/acme/app/pull/12":              "github.com acme/app#12",
		"https://github.com/acme/app/pull/12/files?w=1#r1": "github.com acme/app#12",
		"https://git.corp.example/acme/app/pull/7":         "git.corp.example acme/app#7",
		"https://github.com/acme/app/pull/99999999999":     "no address of a pull request: write https://github.com/owner/name/pull/12",
		"https://github.com/acme/app/pull/9999999999":      "no number",
		"https://github.com/acme/app/issues/12":            "no address of a pull request: write https://github.com/owner/name/pull/12",
		"https://ada:sec@github.com/acme/app":              "--pr https://github.com/acme/app is no address",
		"https://github.com/acme/app/pull/0":               "no address of a pull request",
		"twelve":                                           "write its number or its address",
		"-3":                                               "write its number or its address",
		"https:///acme/app/pull/1":                         "write its number or its address",
		"https://github.com/acme/..%2f..%2fapp/pull/1":     "no address of a pull request",
	} {
		p, err := e.findPull(t.Context(), asked)
		got := p.host + " " + p.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", asked, got, want)
		}
	}
}

// TestWhoseTokens: the tokens of the environment go to the server that they are for.
func TestWhoseTokens(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env  map[string]string
		host string
		want bool
	}{
		"GitHub":                  {nil, "github.com", true},
		"another one":             {nil, "git.corp.example", false},
		"a name that looks alike": {nil, "github.com.evil.example", false},
		"of the job":              {map[string]string{"GITHUB_SERVER_URL": "https://git.corp.example"}, "git.corp.example", true},
		"not of the job":          {map[string]string{"GITHUB_SERVER_URL": "https://git.corp.example"}, "github.com", false},
		"of gh":                   {map[string]string{"GH_HOST": "Git.corp.example"}, "git.corp.example", true},
		"not of gh":               {map[string]string{"GH_HOST": "git.corp.example"}, "github.com", false},
	} {
		e := Env{Getenv: func(name string) string { return c.env[name] }}
		if got := e.ownHost(c.host); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestJobServer: in a job of GitHub Actions its own addresses are used for its server.
func TestJobServer(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		"GITHUB_SERVER_URL": "https://git.corp.example", "GITHUB_API_URL": "https://api.corp.example/v3", "GITHUB_GRAPHQL_URL": "https://api.corp.example/graphql",
	}
	e := Env{Getenv: func(name string) string { return env[name] }}
	for address, want := range map[string]string{
		"https://git.corp.example": "https://api.corp.example/v3 https://api.corp.example/graphql",
		"https://github.com":       "https://api.github.com ",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		p := e.repositoryOn(u, "acme", "app")
		if got := p.api + " " + p.graphQL; got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
