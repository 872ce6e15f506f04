package action_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/action"
)

func hosted(temp string) map[string]string {
	return map[string]string{
		"GITHUB_API_URL": "https://api.github.com", "GITHUB_GRAPHQL_URL": "https://api.github.com/graphql", "GITHUB_SERVER_URL": "https://github.com",
		"GITHUB_REPOSITORY": "acme/shop.js", "GITHUB_RUN_ID": "1658821493", "GITHUB_RUN_ATTEMPT": "3", "RUNNER_TEMP": temp,
	}
}

func TestServer(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	r, _ := runner(hosted(temp))
	got, err := r.Server()
	if err != nil {
		t.Fatal(err)
	}
	want := action.Server{
		API: "https://api.github.com", GraphQL: "https://api.github.com/graphql", Web: "https://github.com",
		Owner: "acme", Name: "shop.js", RunID: 1658821493, Attempt: 3, Temp: temp,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("server differs (-want +got):\n%s", diff)
	}
	if got.Session() != "1658821493-3" || got.RunURL() != "https://github.com/acme/shop.js/actions/runs/1658821493/attempts/3" {
		t.Errorf("session %s, page %s", got.Session(), got.RunURL())
	}
	if path, err := got.File("../record.jsonl"); err == nil {
		t.Errorf("a file out of the run's directory: %s", path)
	}
	path, err := got.File("session/record.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if path != filepath.Join(temp, "debate-1658821493-3", "session", "record.jsonl") {
		t.Errorf("file %s", path)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Error(err)
	}
}

// TestOutside: on somebody's own machine one sentence says what to do.
func TestOutside(t *testing.T) {
	t.Parallel()
	r, _ := runner(map[string]string{"HOME": "/home/a"})
	if _, err := r.Server(); err == nil || !strings.Contains(err.Error(), "use debate review") || strings.Contains(err.Error(), "\n") {
		t.Errorf("outside of Actions: %v", err)
	}
}

func TestServerEnvironments(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, variable, value string
		wrong                 string // part of the error; "" for none
	}{
		{"enterprise", "GITHUB_API_URL", "https://github.example.com/api/v3/", ""},
		{"enterprise with a port", "GITHUB_SERVER_URL", "https://github.example.com:8443", ""},
		{"a test on this machine", "GITHUB_API_URL", "http://127.0.0.1:4567", ""},
		{"a test by name", "GITHUB_GRAPHQL_URL", "http://localhost:4567/graphql", ""},
		{"a first attempt", "GITHUB_RUN_ATTEMPT", "", ""},
		{"no TLS", "GITHUB_API_URL", "http://github.example.com/api/v3", "GITHUB_API_URL: it is not reached by https"},
		{"another scheme", "GITHUB_API_URL", "file:///etc", "GITHUB_API_URL: it is no address of a server"},
		{"a password in it", "GITHUB_API_URL", "https://a:b@c", "no address of a server"},
		{"a query", "GITHUB_GRAPHQL_URL", "https://a/?x", "no address of a server"},
		{"no address", "GITHUB_SERVER_URL", ":", "no address"},
		{"nothing", "GITHUB_SERVER_URL", "", "GITHUB_SERVER_URL"},
		{"no repository", "GITHUB_REPOSITORY", "acme", "GITHUB_REPOSITORY"},
		{"a path as repository", "GITHUB_REPOSITORY", "acme/..", "GITHUB_REPOSITORY"},
		{"a deep path as repository", "GITHUB_REPOSITORY", "acme/a/b", "GITHUB_REPOSITORY"},
		{"a run by name", "GITHUB_RUN_ID", "x", "GITHUB_RUN_ID"},
		{"an attempt by name", "GITHUB_RUN_ATTEMPT", "-1", "GITHUB_RUN_ATTEMPT"},
		{"no directory", "RUNNER_TEMP", "temp", "RUNNER_TEMP"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			env := maps.Clone(hosted(t.TempDir()))
			env[c.variable] = c.value
			r, _ := runner(env)
			s, err := r.Server()
			switch {
			case c.wrong == "" && err != nil:
				t.Error(err)
			case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
				t.Errorf("Server: %v; want %q", err, c.wrong)
			case strings.HasSuffix(s.API, "/"):
				t.Errorf("API %q ends with a slash", s.API)
			}
		})
	}
}

// TestTaken: a commit of our own repository, and nothing that could be moved.
func TestTaken(t *testing.T) {
	t.Parallel()
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for _, c := range []struct{ repository, ref, want string }{
		{"prdebate/debate", commit, commit},
		{"prdebate/debate", "v1.2.3", ""},
		{"prdebate/debate", commit + "0", ""},
		{"mirror/debate", commit, ""},
		{"", "", ""},
	} {
		r, _ := runner(map[string]string{"DEBATE_ACTION_REPOSITORY": c.repository, "DEBATE_ACTION_REF": c.ref})
		if got := r.Taken("prdebate/debate"); got != c.want {
			t.Errorf("%s@%s: %q, want %q", c.repository, c.ref, got, c.want)
		}
	}
}
