package cli

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// TestDoctorApp: what is wrong with the App, and where it is mended. GitHub is asked only
// online, and no byte of the key is shown.
func TestDoctorApp(t *testing.T) {
	t.Parallel()
	s := ghtest.New(t)
	good := s.NewApp(ghtest.NewApp{Name: "Debate", Owner: "acme", Permissions: gh.AppPermissions(), Events: gh.AppEvents()})
	good.Install("acme")
	lacking := s.NewApp(ghtest.NewApp{Name: "Lacking", Owner: "acme", Permissions: map[string]string{"metadata": "read", "contents": "write"}})
	lacking.Install("umbrella").Suspend()
	alone := s.NewApp(ghtest.NewApp{Name: "Alone", Owner: "acme", Permissions: gh.AppPermissions(), Events: gh.AppEvents()})
	many := s.NewApp(ghtest.NewApp{Name: "Many", Owner: "acme", Permissions: gh.AppPermissions(), Events: gh.AppEvents()})
	for i := range 12 {
		many.Install("org" + strconv.Itoa(i))
	}
	file := func(key []byte, mode os.FileMode) string {
		path := filepath.Join(t.TempDir(), "app.pem")
		writeFile(t, path, key, mode)
		return path
	}
	id := func(a *ghtest.App) string { return strconv.FormatInt(a.ID, 10) }
	for name, test := range map[string]struct {
		env     map[string]string
		offline bool
		broken  bool
		says    []string
	}{
		"none":    {env: nil},
		"offline": {map[string]string{appID: id(good), appKey: string(good.PrivateKey)}, true, false, []string{"--online asks GitHub"}},
		"good": {map[string]string{appID: id(good), appKeyFile: file(good.PrivateKey, 0o600)}, false, false,
			[]string{"ok  GitHub App     Debate (" + s.URL + "/apps/debate, id " + id(good) + ")", "ok  installed      on acme (id "}},
		"lacking": {map[string]string{appID: id(lacking), appKey: string(lacking.PrivateKey)}, false, true, []string{
			"!!  GitHub App     the App does not ask for checks: write, issues: write, merge_queues: read and pull_requests: write; see " + s.URL + "/organizations/acme/settings/apps/lacking/permissions",
			"!!  GitHub App     the App is not told of issue_comment", "--  GitHub App     the App asks for contents: write, which debate never uses; see",
			"--  GitHub App     the installation on umbrella is suspended",
		}},
		"nowhere": {map[string]string{appID: id(alone), appKey: string(alone.PrivateKey)}, false, false,
			[]string{"--  installed      nowhere yet; install it at " + s.URL + "/apps/alone/installations/new"}},
		"many":        {map[string]string{appID: id(many), appKey: string(many.PrivateKey)}, false, false, []string{"org0 (id ", "org11 (id "}},
		"wrong key":   {map[string]string{appID: id(good), appKey: string(alone.PrivateKey)}, false, true, []string{"!!  GitHub App", "does not accept the private key"}},
		"open file":   {map[string]string{appID: id(good), appKeyFile: file(good.PrivateKey, 0o644)}, true, true, []string{"can be read or changed by others"}},
		"no key":      {map[string]string{appID: id(good)}, true, true, []string{"set DEBATE_PRIVATE_KEY_FILE or DEBATE_PRIVATE_KEY"}},
		"both":        {map[string]string{appID: id(good), appKey: "x", appKeyFile: "y"}, true, true, []string{"leave one of them out"}},
		"no number":   {map[string]string{appID: "debate"}, true, true, []string{"DEBATE_APP_ID is no number"}},
		"hardly text": {map[string]string{appID: id(good), appKey: "not a key"}, true, true, []string{"no private key in PEM"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var way http.RoundTripper = &http.Transport{}
			if test.offline {
				way = offline{t}
			}
			r := &run{ctx: t.Context(), Env: Env{Dir: t.TempDir(), Now: s.Now, GitHub: way, Environ: func() []string { return nil }, Getenv: func(name string) string {
				if name == "GITHUB_API_URL" {
					return s.URL
				}
				return test.env[name]
			}}}
			d := &diagnosis{}
			d.app(r, !test.offline)
			got := strings.Join(d.lines, "\n")
			for _, want := range test.says {
				if !strings.Contains(got, want) {
					t.Errorf("%s\nlacks %q", got, want)
				}
			}
			if d.broken != test.broken || (len(test.says) == 0) != (got == "") {
				t.Errorf("broken %t: %s", d.broken, got)
			}
			if strings.Contains(got, string(good.PrivateKey[40:60])) {
				t.Error("the key is shown")
			}
		})
	}
}

// TestDoctorOfAServer: a server has its settings in a file and no repository around it.
func TestDoctorOfAServer(t *testing.T) {
	t.Parallel()
	s := ghtest.New(t)
	app := s.NewApp(ghtest.NewApp{Name: "Debate", Owner: "acme", Permissions: gh.AppPermissions(), Events: gh.AppEvents()})
	dir := t.TempDir()
	for name, text := range map[string]string{
		"app.pem":    string(app.PrivateKey),
		"debate.env": appID + "=" + strconv.FormatInt(app.ID, 10) + "\n" + appKeyFile + "=" + filepath.Join(dir, "app.pem") + "\n",
	} {
		writeFile(t, filepath.Join(dir, name), []byte(text), 0o600)
	}
	examine := func(args ...string) (code int, says string) {
		w := &world{dir: dir, home: t.TempDir(), now: s.Now, ctx: t.Context()}
		code = w.debate(args...)
		return code, w.stdout.String() + w.stderr.String()
	}
	code, says := examine("doctor", "--env-file", "debate.env")
	if code != exitDone || !strings.Contains(says, "--  repository     none here, and a server needs none") || !strings.Contains(says, "ok  GitHub App") {
		t.Errorf("%d: %s", code, says)
	}
	if code, says := examine("doctor"); code != exitUsage || !strings.Contains(says, "is not in a git repository") {
		t.Errorf("%d: %s", code, says)
	}
	if code, says := examine("doctor", "--env-file", "none.env"); code != exitUsage || !strings.Contains(says, "there is no file none.env; debate serve --setup writes one") {
		t.Errorf("%d: %s", code, says)
	}
}

// offline fails the test where GitHub is asked.
type offline struct{ t *testing.T }

func (u offline) RoundTrip(req *http.Request) (*http.Response, error) {
	u.t.Errorf("GitHub was asked: %s", req.URL.Path)
	return nil, errors.New("nobody is asked")
}
