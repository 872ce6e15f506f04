package gh_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// appWorld is a GitHub with an App that is installed for the repository of a world.
type appWorld struct {
	*world
	made  *ghtest.App
	in    *ghtest.Installation
	app   *gh.App
	ahead atomic.Int64 // of our clock, in nanoseconds
}

func newAppWorld(t *testing.T) *appWorld {
	t.Helper()
	w := &appWorld{world: small(t)}
	w.made = w.NewApp(ghtest.NewApp{Name: "Debate of Acme", Owner: "acme", Permissions: gh.AppPermissions(), Events: gh.AppEvents()})
	w.in = w.made.Install("acme", w.repo)
	w.app = w.signIn(t, w.made.ID, w.made.PrivateKey)
	w.Forget()
	return w
}

func (w *appWorld) options() gh.AppOptions {
	return gh.AppOptions{Options: gh.Options{
		BaseURL: w.URL, GraphQLURL: w.GraphQLURL, HTTP: &http.Client{Transport: &http.Transport{}},
		Now: func() time.Time { return w.Now().Add(time.Duration(w.ahead.Load())) },
		Wait: func(ctx context.Context, d time.Duration) error {
			w.Advance(d)
			return context.Cause(ctx)
		},
	}}
}

func (w *appWorld) signIn(t *testing.T, id int64, key []byte) *gh.App {
	t.Helper()
	o := w.options()
	o.ID, o.PrivateKey = id, key
	app, err := gh.NewApp(o)
	if err != nil {
		t.Fatal(err)
	}
	return app
}

// installed is the repository as the App's installation sees it.
func (w *appWorld) installed() gh.InstalledRepo {
	return gh.InstalledRepo{Installation: w.in.ID, ID: w.repo.ID, Owner: "acme", Name: "widgets"}
}

func (w *appWorld) open(t *testing.T) *gh.Client {
	t.Helper()
	c, err := w.app.Client(t.Context(), w.installed(), "")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// minted are the requests for tokens up to now.
func (w *appWorld) minted() (all []ghtest.Request) {
	for _, r := range w.Requests() {
		if strings.HasSuffix(r.Operation, "/access_tokens") {
			all = append(all, r)
		}
	}
	return all
}

func TestRegistration(t *testing.T) {
	t.Parallel()
	w := newAppWorld(t)
	got, err := w.app.Registration(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := gh.Registration{
		ID: w.made.ID, Slug: "debate-of-acme", Name: "Debate of Acme", Owner: gh.Owner{ID: got.Owner.ID, Login: "acme", Type: "Organization"}, URL: w.URL + "/apps/debate-of-acme",
		Permissions: gh.AppPermissions(), Events: gh.AppEvents(),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestInstallations: all of them, with their repositories, over more than one page.
func TestInstallations(t *testing.T) {
	t.Parallel()
	w := newAppWorld(t)
	for i := range 130 {
		w.Repo(fmt.Sprintf("umbrella/r%03d", i))
	}
	whole := w.made.Install("umbrella")
	for i := range 110 {
		w.made.Install(fmt.Sprintf("org%d", i), w.repo)
	}
	whole.Suspend()
	all, more, err := w.app.Installations(t.Context())
	if err != nil || more || len(all) != 112 {
		t.Fatalf("%d installations, %t, %v", len(all), more, err)
	}
	want := []gh.Installation{
		{ID: w.in.ID, Account: gh.Owner{ID: all[0].Account.ID, Login: "acme", Type: "Organization"}, URL: w.URL + fmt.Sprintf("/organizations/acme/settings/installations/%d", w.in.ID), Permissions: gh.AppPermissions()},
		{ID: whole.ID, Account: gh.Owner{ID: all[1].Account.ID, Login: "umbrella", Type: "Organization"}, URL: w.URL + fmt.Sprintf("/organizations/umbrella/settings/installations/%d", whole.ID), Permissions: gh.AppPermissions(), Suspended: all[1].Suspended},
	}
	if diff := cmp.Diff(want, all[:2]); diff != "" || all[1].Suspended == nil {
		t.Error(diff)
	}
	whole.Unsuspend()
	repos, more, err := w.app.Repositories(t.Context(), whole.ID)
	if err != nil || more || len(repos) != 130 || repos[129] != (gh.InstalledRepo{Installation: whole.ID, ID: w.Repo("umbrella/r129").ID, Owner: "umbrella", Name: "r129"}) {
		t.Errorf("%d repositories, %t, %v", len(repos), more, err)
	}
	if got := w.minted(); len(got) != 1 || got[0].Body != `{"permissions":{"metadata":"read"}}`+"\n" {
		t.Errorf("the list was read with %v", got)
	}
	client, err := w.app.Client(t.Context(), gh.InstalledRepo{Installation: w.in.ID, ID: w.repo.ID, Owner: "acme", Name: w.repo.Name}, "")
	if err != nil || client.OwnerID == 0 || client.OwnerID != all[0].Account.ID || client.OwnerID == all[1].Account.ID {
		t.Errorf("the account of a repository is %d, those of the installations %d and %d; %v", client.OwnerID, all[0].Account.ID, all[1].Account.ID, err)
	}
}

// TestClientOfAnApp: its token is for one repository and no more than is needed, what it
// writes is the App's, and it knows that again.
func TestClientOfAnApp(t *testing.T) {
	t.Parallel()
	w := newAppWorld(t)
	w.repo.SetPrivate(true)
	c := w.open(t)
	wrote, err := c.Writer.CreateComment(t.Context(), w.pull.Number, "ours", "m")
	if err != nil {
		t.Fatal(err)
	}
	w.pull.Comment("another-app[bot]", "not ours")
	check, err := c.Writer.CreateCheck(t.Context(), gh.Check{Name: "debate", HeadSHA: w.head, ExternalID: "x", Title: "t", Summary: "s"})
	if err != nil {
		t.Fatal(err)
	}
	w.repo.AddCheckRun(ghtest.CheckRun{Name: "debate", HeadSHA: w.head, App: 99})
	// Before anything told whose token it is, and after.
	for range 2 {
		runs, err := c.Reader.Checks(t.Context(), w.head, "debate")
		if err != nil || len(runs) != 2 || runs[0].ID != check || !runs[0].Mine || runs[1].Mine {
			t.Errorf("%+v %v", runs, err)
		}
		p, err := c.Reader.Pull(t.Context(), w.pull.Number)
		if err != nil || len(p.Comments) != 2 || !p.Comments[0].Mine || p.Comments[0].ID != wrote.ID || p.Comments[1].Mine {
			t.Errorf("%+v %v", p.Comments, err)
		}
		viewer, err := c.Reader.Viewer(t.Context())
		if err != nil || p.Comments[0].Author != (gh.Account{Login: "debate-of-acme[bot]", Bot: true}) || viewer != w.made.Bot() {
			t.Errorf("%+v %q", p.Comments[0].Author, viewer)
		}
	}
	minted := w.minted()
	if len(minted) != 1 {
		t.Fatalf("%d tokens for one repository", len(minted))
	}
	var asked map[string]any
	if err := json.Unmarshal([]byte(minted[0].Body), &asked); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"repository_ids": []any{float64(w.repo.ID)}, "permissions": map[string]any{
		"metadata": "read", "contents": "read", "pull_requests": "write", "issues": "write", "checks": "write",
	}}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
}

// TestAppOnEnterpriseServer: all is below the address of the server.
func TestAppOnEnterpriseServer(t *testing.T) {
	t.Parallel()
	w := newAppWorld(t)
	o := w.options()
	o.ID, o.PrivateKey, o.BaseURL, o.GraphQLURL = w.made.ID, w.made.PrivateKey, w.URL+"/api/v3", ""
	app, err := gh.NewApp(o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := app.Client(t.Context(), w.installed(), "")
	if err != nil {
		t.Fatal(err)
	}
	if p, err := c.Reader.Pull(t.Context(), w.pull.Number); err != nil || p.Number != w.pull.Number {
		t.Errorf("%+v %v", p, err)
	}
}

// TestWrongAddress: what answers elsewhere is no GitHub, and the error names the setting.
func TestWrongAddress(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status int
		body   string
		want   string
	}{
		"a page to sign in": {200, "\n<!DOCTYPE html><html>Sign in</html>", "a web page came instead of an answer of GitHub's API"},
		"nothing there":     {404, "<html>404</html>", "GitHub finds no such thing"},
	} {
		w := newAppWorld(t)
		other := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
			out.WriteHeader(test.status)
			_, _ = out.Write([]byte(test.body))
		}))
		t.Cleanup(other.Close)
		o := w.options()
		o.ID, o.PrivateKey, o.BaseURL = w.made.ID, w.made.PrivateKey, other.URL
		app, err := gh.NewApp(o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = app.Registration(t.Context())
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "GITHUB_API_URL; on GitHub Enterprise Server it is https://HOST/api/v3") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRenamedRepository is found by its id: what now has the old name is another one.
func TestRenamedRepository(t *testing.T) {
	t.Parallel()
	w := newAppWorld(t)
	in := w.installed()
	in.Name = "gadgets"
	c, err := w.app.Client(t.Context(), in, "")
	if err != nil {
		t.Fatal(err)
	}
	if p, err := c.Reader.Pull(t.Context(), w.pull.Number); err != nil || p.Repository.Name != "widgets" {
		t.Errorf("%+v %v", p.Repository, err)
	}
}

// TestDeliveries: since a moment and a little more, the oldest first, over several pages,
// each with what was delivered.
func TestDeliveries(t *testing.T) {
	t.Parallel()
	w := newAppWorld(t)
	comment := w.pull.Comment("mona", "/debate run")
	w.made.Send(w.repo, "issue_comment", "created", ghtest.Happening{Comment: comment})
	w.Advance(time.Hour)
	since := w.Now()
	var want []string
	for range 230 {
		want = append(want, w.made.Send(w.repo, "pull_request", "opened", ghtest.Happening{Pull: w.pull}).GUID)
	}
	want = append(want, w.in.Tell("installation", "suspend").GUID, w.made.Ping().GUID)
	list, whole, err := w.app.Deliveries(t.Context(), since)
	if err != nil || !whole {
		t.Fatalf("%t, %v", whole, err)
	}
	var got []string
	for _, d := range list {
		got = append(got, d.GUID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %d deliveries, want %d in their order", len(got), len(want))
	}
	first, last := list[0], list[len(list)-1]
	if first.Event != "pull_request" || last.Event != "ping" {
		t.Errorf("%+v %+v", first, last)
	}
	payload, err := w.app.Payload(t.Context(), first.ID)
	var told struct{ Number int }
	if err != nil || json.Unmarshal(payload, &told) != nil || told.Number != w.pull.Number {
		t.Errorf("%s %v", payload, err)
	}
	if all, whole, err := w.app.Deliveries(t.Context(), time.Time{}); err != nil || !whole || len(all) != 233 {
		t.Errorf("%d, %t, %v", len(all), whole, err)
	}
	if none, whole, err := w.app.Deliveries(t.Context(), w.Now().Add(time.Hour)); err != nil || !whole || len(none) != 0 {
		t.Errorf("%d, %t, %v", len(none), whole, err)
	}
	if _, err := w.app.Payload(t.Context(), 1); !errors.As(err, new(*gh.NotFoundError)) {
		t.Errorf("no such delivery: %v", err)
	}
}

// TestManyDeliveries: a list without end is not read to its end, and that is said.
func TestManyDeliveries(t *testing.T) {
	t.Parallel()
	w := newAppWorld(t)
	for range 2_050 {
		w.made.Post("push", []byte("{}"))
	}
	list, whole, err := w.app.Deliveries(t.Context(), time.Time{})
	if err != nil || whole || len(list) != 2_000 || list[0].ID >= list[1_999].ID {
		t.Errorf("%d, %t, %v", len(list), whole, err)
	}
}

// TestGaps: what is missing and what is too much, each with the page where it is mended.
func TestGaps(t *testing.T) {
	t.Parallel()
	app := gh.Registration{Slug: "debate", Owner: gh.Owner{Login: "acme", Type: "Organization"}, URL: "https://github.example/github-apps/debate", Permissions: gh.AppPermissions(), Events: gh.AppEvents()}
	in := gh.Installation{Account: gh.Owner{Login: "umbrella"}, URL: "https://github.example/organizations/umbrella/settings/installations/3", Permissions: gh.AppPermissions()}
	if got := gh.Gaps(app, []gh.Installation{in}); len(got) != 0 {
		t.Errorf("all is right: %v", got)
	}
	const settings = "https://github.example/organizations/acme/settings/apps/debate/permissions"
	app.Permissions = map[string]string{"metadata": "read", "contents": "write", "pull_requests": "write", "issues": "read", "checks": "write", "administration": "read"}
	app.Events = []string{"issues", "issue_comment", "pull_request", "pull_request_review", "push"}
	in.Permissions = map[string]string{"metadata": "read", "contents": "read", "pull_requests": "read", "issues": "read"}
	person := gh.Installation{Account: gh.Owner{Login: "mona"}, URL: "https://github.example/settings/installations/4", Suspended: new(time.Time)}
	want := []gh.Gap{
		{Text: "the App does not ask for issues: write and merge_queues: read", Link: settings, Missing: true},
		{Text: "the App is not told of merge_group and pull_request_review_comment", Link: settings, Missing: true},
		{Text: "the App asks for administration: read and contents: write, which debate never uses", Link: settings},
		{Text: "the App is told of push, which debate ignores", Link: settings},
		{Text: "the installation on umbrella does not grant checks: write and pull_requests: write: an owner has to accept it", Link: in.URL, Missing: true},
		{Text: "the installation on mona is suspended: nothing is reviewed there", Link: person.URL},
	}
	if diff := cmp.Diff(want, gh.Gaps(app, []gh.Installation{in, person})); diff != "" {
		t.Error(diff)
	}
	app.Owner.Type = "User"
	if got := gh.Gaps(app, nil)[0].Link; got != "https://github.example/settings/apps/debate/permissions" {
		t.Errorf("of a person: %s", got)
	}
}

// TestCreateApp takes over an App that was made from a manifest; its code works once.
func TestCreateApp(t *testing.T) {
	t.Parallel()
	w := newAppWorld(t)
	manifest, err := json.Marshal(gh.NewManifest("Debate of Ada", "https://example.com", "https://debate.example/hook", "http://127.0.0.1:1/made"))
	if err != nil {
		t.Fatal(err)
	}
	code := w.MakeApp(string(manifest))
	made, err := gh.CreateApp(t.Context(), gh.Options{BaseURL: w.URL}, code)
	if err != nil {
		t.Fatal(err)
	}
	if made.Slug != "debate-of-ada" || made.Owner.Login != ghtest.WebUser || made.Owner.Type != "User" || made.WebhookSecret == "" {
		t.Errorf("%s %+v", made.Slug, made.Owner)
	}
	if got, err := w.signIn(t, made.ID, made.PrivateKey).Registration(t.Context()); err != nil || len(gh.Gaps(got, nil)) != 0 {
		t.Errorf("%+v %v", got, err)
	}
	_, again := gh.CreateApp(t.Context(), gh.Options{BaseURL: w.URL}, code)
	_, hostile := gh.CreateApp(t.Context(), gh.Options{BaseURL: w.URL}, "../app?")
	if again == nil || hostile == nil || strings.Contains(again.Error(), code) {
		t.Errorf("%v, %v", again, hostile)
	}
}

// TestPrivateKey: no part of it stands in an error.
func TestPrivateKey(t *testing.T) {
	t.Parallel()
	w := newAppWorld(t)
	key := string(w.made.PrivateKey)
	const secret = "c2VjcmV0LWJ5dGVz"
	for name, test := range map[string]struct{ text, want string }{
		"empty":      {"", "no private key in PEM"},
		"no PEM":     {secret, "no private key in PEM"},
		"no key":     {"-----BEGIN RSA PRIVATE KEY-----\n" + secret + "\n-----END RSA PRIVATE KEY-----\n", "no whole private RSA key"},
		"half a key": {key[:len(key)/2], "no private key in PEM"},
	} {
		_, err := gh.NewApp(gh.AppOptions{ID: 1, PrivateKey: []byte(test.text)})
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), key[40:60]) {
			t.Errorf("%s: %v", name, err)
		}
	}
	o := w.options()
	o.ID, o.PrivateKey = w.made.ID, []byte(strings.ReplaceAll(strings.TrimSpace(key), "\n", `\n`))
	if app, err := gh.NewApp(o); err != nil {
		t.Errorf("on one line: %v", err)
	} else if _, err := app.Registration(t.Context()); err != nil {
		t.Errorf("on one line: %v", err)
	}
	o.BaseURL = "http://github.example/api/v3"
	if _, err := gh.NewApp(o); err == nil || !strings.Contains(err.Error(), "not reached by https") {
		t.Errorf("in the clear: %v", err)
	}
	o.ID = 0
	if _, err := gh.NewApp(o); err == nil || !strings.Contains(err.Error(), "App ID") {
		t.Errorf("no id: %v", err)
	}
}
