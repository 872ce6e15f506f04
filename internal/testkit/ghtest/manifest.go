package ghtest

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// WebUser is the person whose browser is signed in: it makes Apps from manifests.
const WebUser = "ada"

const (
	codeTime    = time.Hour // that the code of a manifest works
	longestName = 34        // letters of the name of an App
)

// manifest is what an App is made from.
type manifest struct {
	Name, URL   string
	Description string
	Hook        *struct {
		URL    string
		Active *bool
	} `json:"hook_attributes"`
	Redirect    string            `json:"redirect_url"`
	Public      bool              `json:"public"`
	Permissions map[string]string `json:"default_permissions"`
	Events      []string          `json:"default_events"`
}

// listens is the permission that an App needs to be told of an event.
var listens = map[string]string{
	"pull_request": "pull_requests", "pull_request_review": "pull_requests", "pull_request_review_comment": "pull_requests", "issues": "issues",
	"issue_comment": "issues", "merge_group": "merge_queues", "check_run": "checks",
}

// problem says what GitHub's page objects to, "" for nothing.
func (m *manifest) problem() string {
	switch {
	case m.Name == "", len(m.Name) > longestName:
		return "Name is too long (maximum is 34 characters)"
	case m.URL == "":
		return `"url" wasn't supplied.`
	case m.Redirect == "":
		return `"redirect_url" wasn't supplied.`
	case m.isListening() && !m.isReachable():
		return "Hook url is not supported because it isn't reachable over the public Internet"
	}
	for _, event := range m.Events {
		if m.Permissions[listens[event]] == "" {
			return "Default events unsupported: " + event
		}
	}
	return ""
}

// isListening tells whether the webhook is active, as it is unless the manifest says otherwise.
func (m *manifest) isListening() bool {
	return m.Hook != nil && (m.Hook.Active == nil || *m.Hook.Active)
}

// isReachable tells whether GitHub could send anything to the webhook.
func (m *manifest) isReachable() bool {
	hook, err := url.Parse(m.Hook.URL)
	if err != nil || !slices.Contains([]string{"https", "http"}, hook.Scheme) {
		return false
	}
	return hook.Hostname() != "localhost" && !strings.HasPrefix(hook.Hostname(), "127.")
}

// takeManifest is the page on which a person makes an App: it asks nothing more, and
// sends the browser back with a code.
func takeManifest(c *call) (answer, error) {
	form, err := url.ParseQuery(string(c.body))
	if err != nil {
		return answer{}, refuse(http.StatusUnprocessableEntity, "Problems parsing the form")
	}
	owner := c.world.accounts.get(WebUser)
	if org := c.params["org"]; org != "" {
		owner = c.world.accounts.get(org)
		owner.kind = "Organization"
	}
	code, back, err := c.world.apps.offer(form.Get("manifest"), owner)
	if err != nil {
		return answer{}, err
	}
	q := back.Query()
	q.Set("code", code)
	q.Set("state", c.query.Get("state"))
	back.RawQuery = q.Encode()
	return answer{status: http.StatusFound, header: map[string]string{"Location": back.String()}, text: []byte{}}, nil
}

// MakeApp is what WebUser does on that page: the code of the new App, "" where the
// manifest is refused.
func (s *Server) MakeApp(manifest string) string {
	defer s.world.lock()()
	code, _, err := s.world.apps.offer(manifest, s.world.accounts.get(WebUser))
	if err != nil {
		return ""
	}
	return code
}

// offer keeps an App that was made, until it is taken over with its code. The browser
// goes back to an address of the manifest.
func (all *apps) offer(text string, owner *user) (code string, back *url.URL, err error) {
	var m manifest
	if json.Unmarshal([]byte(text), &m) != nil {
		return "", nil, refuse(http.StatusUnprocessableEntity, "Problems parsing the manifest")
	}
	if problem := m.problem(); problem != "" {
		return "", nil, refuse(http.StatusUnprocessableEntity, problem)
	}
	if back, err = url.Parse(m.Redirect); err != nil {
		return "", nil, refuse(http.StatusUnprocessableEntity, "redirect_url must be a valid URL")
	}
	code = "manifest-code-" + itoa(int(all.clock.next()))
	all.offers[code] = &offer{manifest: m, owner: owner, until: all.clock.time().Add(codeTime)}
	return code, back, nil
}

// offer is an App that was made from a manifest and is not taken over yet.
type offer struct {
	manifest
	owner *user
	until time.Time
}

// convertManifest hands an App over, once.
func convertManifest(c *call) (answer, error) {
	o := c.world.apps.offers[c.params["code"]]
	delete(c.world.apps.offers, c.params["code"])
	if o == nil || !c.world.clock.time().Before(o.until) {
		return answer{}, errNotFound
	}
	a := &App{
		ID: c.world.clock.next(), Slug: slugOf(o.Name), Name: o.Name, world: c.world, owner: o.owner, hook: hookNowhere,
		permissions: maps.Clone(o.Permissions), events: slices.Clone(o.Events), made: c.world.clock.tick(),
	}
	if o.isListening() {
		a.hook, a.WebhookSecret = o.Hook.URL, "hook-secret-of-"+a.Slug
	}
	a.newKey()
	c.world.apps.byID[a.ID] = a
	body := a.json()
	body["client_secret"], body["webhook_secret"], body["pem"] = "client-secret-"+strconv.FormatInt(a.ID, 10), orNil(a.WebhookSecret), string(a.PrivateKey)
	return created(body)
}

// App is the App of an id, nil for none.
func (s *Server) App(id int64) *App {
	defer s.world.lock()()
	return s.world.apps.byID[id]
}
