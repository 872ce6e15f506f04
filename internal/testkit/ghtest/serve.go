package ghtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// maxBody bounds what a request may bring.
const maxBody = 16 << 20

// answer is what goes back: a value that is written as JSON, or a text.
type answer struct {
	status int
	value  any
	text   []byte // instead of value
	kind   string // of text
	header map[string]string
}

// refusal is an answer that is an error.
type refusal struct {
	status  int
	message string
	errors  any // a list, nil to leave it out
	header  map[string]string
}

func (r *refusal) Error() string { return r.message }

func refuse(status int, message string) *refusal { return &refusal{status: status, message: message} }

var (
	errNotFound  = &refusal{status: http.StatusNotFound, message: "Not Found"}
	errForbidden = &refusal{status: http.StatusForbidden, message: "Resource not accessible by integration"}
	errGone      = &refusal{status: http.StatusGone, message: "Issues has been disabled in this repository."}
)

// invalid is a refused value.
func invalid(resource, field, message string) *refusal {
	return &refusal{status: http.StatusUnprocessableEntity, message: "Validation Failed", errors: []object{{
		"resource": resource, "code": "custom", "field": field, "message": message,
	}}}
}

func (r *refusal) answer() answer {
	body := object{"message": r.message, "documentation_url": "https://docs.github.com/rest", "status": itoa(r.status)}
	if r.errors != nil {
		body["errors"] = r.errors
	}
	return answer{status: r.status, value: body, header: r.header}
}

// call is one request while it is answered, with the lock held.
type call struct {
	world  *world
	nth    int // request
	r      *http.Request
	query  url.Values
	params map[string]string
	token  *token
	app    *App // that signed the request
	repo   *Repo
	body   []byte
	fault  Fault

	maxTree int // entries of one answer
	stale   *staleness
	listed  bool  // a list was shown
	horizon int64 // what is younger does not show in lists, 0 for none
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		if !errors.Is(err, io.ErrUnexpectedEOF) { // else whoever asked died over it
			s.world.failf("read a request: %v", err)
		}
		return
	}
	path := strings.TrimPrefix(r.URL.Path, "/api/v3")
	if path == "/api/graphql" {
		path = "/graphql"
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	entry := &Request{Method: r.Method, Path: path, Query: r.URL.RawQuery, Body: string(body), Token: bearer(r), Header: r.Header.Clone()}

	unlock := s.world.lock()
	entry.At = s.world.clock.time()
	route, params := s.world.describe(entry)
	s.requests = append(s.requests, entry)
	fault := s.faults.next(r, entry)
	var ans answer
	if fault.takesEffect() {
		s.faults.stale.begin(fault, s.world.clock.serial)
		c := &call{
			world: s.world, nth: len(s.requests), r: r, query: r.URL.Query(), params: params, token: s.world.tokens.live(entry.Token), body: body,
			fault: fault, maxTree: s.maxTree, stale: &s.faults.stale,
		}
		ans = c.answer(route, entry)
	}
	unlock()

	written := fault.replace(ans)
	var text []byte
	if !fault.Cut && !fault.Hang {
		if text, err = written.encode(); err != nil {
			s.world.failf("write an answer: %v", err)
		}
		if fault.Status == 0 && r.Header.Get("If-None-Match") != "" && r.Header.Get("If-None-Match") == written.header["Etag"] {
			written.status, text = http.StatusNotModified, nil
		}
		unlock := s.world.lock()
		entry.Status = written.status
		unlock()
		if fault.Status == 0 && fault.GraphError == nil {
			s.world.wire.record(r, route, params, path, body, written, text)
		}
	}
	fault.send(w, r, written, text)
}

// encode writes what is sent, and completes the header.
func (a *answer) encode() ([]byte, error) {
	header := map[string]string{}
	maps.Copy(header, a.header)
	text := a.text
	header["Content-Type"] = a.kind
	if a.text == nil {
		header["Content-Type"] = "application/json; charset=utf-8"
		var err error
		if text, err = json.Marshal(a.value); err != nil {
			return nil, err
		}
		if a.status == http.StatusNoContent {
			text = nil
			delete(header, "Content-Type")
		}
	}
	if a.status == http.StatusOK {
		sum := sha256.Sum256(text)
		header["Etag"] = `"` + hex.EncodeToString(sum[:]) + `"`
	}
	a.header = header
	return text, nil
}

// bearer is the token of a request.
func bearer(r *http.Request) string {
	kind, value, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(kind, "bearer") || strings.EqualFold(kind, "token") {
		return value
	}
	return ""
}

// describe finds out what a request asks for. The route of GraphQL has no handler.
func (w *world) describe(entry *Request) (*route, map[string]string) {
	entry.Kind = read
	if entry.Path == "/graphql" && entry.Method == http.MethodPost {
		var mutation bool
		if entry.Operation, mutation = operation([]byte(entry.Body)); mutation {
			entry.Kind = write
		}
		return &route{path: "/graphql"}, nil
	}
	if !slices.Contains([]string{http.MethodGet, http.MethodHead}, entry.Method) {
		entry.Kind = write
	}
	route, params := find(entry.Method, w.repos.named(entry.Path))
	if route != nil {
		entry.Operation = entry.Method + " " + route.path
	}
	return route, params
}

// answer does what is asked.
func (c *call) answer(route *route, entry *Request) answer {
	switch {
	case route == nil:
		c.world.failf("unexpected request: %s %s", entry.Method, entry.Path)
		return refuse(http.StatusNotFound, "Not Found: ghtest does not know this path").answer()
	case c.token != nil && c.token.spent(c.world.clock.time()):
		return c.limited(Primary(http.StatusForbidden, c.token.reset).replace(answer{}))
	case c.token != nil && c.token.installation != nil && !c.token.installation.suspended.IsZero():
		return c.limited(errSuspended.answer())
	case route.handle == nil:
		return c.limited(c.graphql(entry.Operation))
	}
	ans, err := c.handle(route)
	if err != nil {
		ans = c.refused(err)
	}
	return c.limited(ans)
}

func (c *call) refused(err error) answer {
	var r *refusal
	if !errors.As(err, &r) {
		c.world.failf("%v", err)
		r = refuse(http.StatusInternalServerError, err.Error())
	}
	return r.answer()
}

func (c *call) handle(route *route) (answer, error) {
	if route.open || route.anyone {
		return route.handle(c)
	}
	if route.asApp {
		var err error
		if c.app, err = c.world.apps.signedIn(bearer(c.r)); err != nil {
			return answer{}, err
		}
		return route.handle(c)
	}
	if c.token == nil {
		return answer{}, refuse(http.StatusUnauthorized, "Bad credentials")
	}
	if c.r.Header.Get("User-Agent") == "" {
		return answer{}, refuse(http.StatusForbidden, "Request forbidden by administrative rules. Please make sure your request has a User-Agent header.")
	}
	if owner, ok := c.params["owner"]; ok {
		c.repo = c.world.repos.find(owner + "/" + c.params["repo"])
		if !c.token.sees(c.repo) {
			return answer{}, errNotFound
		}
		if !strings.EqualFold(owner+"/"+c.params["repo"], c.repo.full()) {
			return c.moved(), nil
		}
		if err := c.permitted(route); err != nil {
			return answer{}, err
		}
	}
	return route.handle(c)
}

// moved redirects a request that names a repository by an older name.
func (c *call) moved() answer {
	rest := strings.TrimPrefix(c.r.URL.Path, "/api/v3")
	parts := strings.SplitN(rest, "/", 5) // "", repos, owner, name, rest
	to := string(c.world.site) + "/repositories/" + itoa(int(c.repo.ID))
	if len(parts) == 5 {
		to += "/" + parts[4]
	}
	if c.r.URL.RawQuery != "" {
		to += "?" + c.r.URL.RawQuery
	}
	return answer{
		status: http.StatusMovedPermanently, header: map[string]string{"Location": to},
		value: object{"message": "Moved Permanently", "url": to, "documentation_url": "https://docs.github.com/rest"},
	}
}

// allows tells whether whoever asks has at least a role in the repository. An app has none:
// it is held to its permissions.
func (c *call) allows(least Role) bool {
	return c.token.app != 0 || c.repo.access.allows(c.token.user, least)
}

// permitted holds the token to what its permissions and its owner's role allow.
func (c *call) permitted(route *route) error {
	level := route.level
	if c.token.app == 0 {
		if !c.allows(route.role) {
			return errForbiddenRole(c.repo)
		}
		if route.appOnly {
			return refuse(http.StatusForbidden, "You must authenticate via a GitHub App.")
		}
		return nil
	}
	if len(route.needs) == 0 || level == read && !c.repo.access.private || c.token.isFor(c.repo) && c.token.may(level, route.needs...) {
		return nil
	}
	return &refusal{status: http.StatusForbidden, message: errForbidden.message, header: map[string]string{
		"X-Accepted-Github-Permissions": strings.ReplaceAll(strings.Join(route.needs, "="+level+"; "), "-", "_") + "=" + level,
	}}
}

// errForbiddenRole hides what a stranger may not change behind 404, as GitHub does.
func errForbiddenRole(r *Repo) error {
	if r.access.private {
		return errNotFound
	}
	return refuse(http.StatusForbidden, "Must have push access to repository")
}

// limited counts the request against the token's limit and says so in headers.
func (c *call) limited(ans answer) answer {
	header := map[string]string{
		"X-Github-Request-Id": "0000:" + itoa(c.nth), "X-Github-Media-Type": "github.v3; format=json",
		"Date": c.world.clock.time().Format(http.TimeFormat),
	}
	if c.token != nil {
		c.token.used++
		header["X-Ratelimit-Limit"] = itoa(c.token.limit)
		header["X-Ratelimit-Remaining"] = itoa(max(0, c.token.limit-c.token.used))
		header["X-Ratelimit-Used"] = itoa(c.token.used)
		header["X-Ratelimit-Reset"] = itoa(int(c.token.reset.Unix()))
		header["X-Ratelimit-Resource"] = "core"
	}
	maps.Copy(header, ans.header)
	ans.header = header
	return ans
}
