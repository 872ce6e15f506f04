package ghtest

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// route is a path of the API.
type route struct {
	method  string
	path    string // with {names}; {name...} takes the rest
	level   string // read or write
	needs   []string
	role    Role // of a person
	appOnly bool
	open    bool // to whoever has a link: it is no part of the API
	anyone  bool // needs no token
	asApp   bool // needs what an App signed
	handle  func(*call) (answer, error)
}

// inRepo begins the paths of what is in a repository.
const inRepo = "/repos/{owner}/{repo}"

// The permissions of which a path needs one.
var (
	needsContents = []string{"contents"}
	needsPulls    = []string{"pull-requests"}
	needsIssues   = []string{"issues"}
	needsEither   = []string{"issues", "pull-requests"} // of what issues and pull requests have in common
	needsChecks   = []string{"checks"}
	needsStatuses = []string{"statuses"}
)

func get(path string, needs []string, handle func(*call) (answer, error)) route {
	return route{method: http.MethodGet, path: path, level: read, needs: needs, role: Read, handle: handle}
}

// writing is a path that changes something; role is what a person needs for that.
func writing(method, path string, needs []string, role Role, handle func(*call) (answer, error)) route {
	return route{method: method, path: path, level: write, needs: needs, role: role, handle: handle}
}

func post(path string, needs []string, role Role, handle func(*call) (answer, error)) route {
	return writing(http.MethodPost, path, needs, role, handle)
}

// on answers about what the path names, or as the search for it went wrong.
func on[T any](find func(*call) (T, error), handle func(*call, T) (answer, error)) func(*call) (answer, error) {
	return func(c *call) (answer, error) {
		found, err := find(c)
		if err != nil {
			return answer{}, err
		}
		return handle(c, found)
	}
}

// known is what was found, or the refusal of what is not there.
func known[T any](found *T) (*T, error) {
	if found == nil {
		return nil, errNotFound
	}
	return found, nil
}

// byApp is the route where only an App is let in.
func (r route) byApp() route { r.appOnly = true; return r }

// signed is the route where an App says by a signature who it is.
func (r route) signed() route { r.asApp = true; return r }

// routes are all paths that are known, by topic. The first that fits is taken.
func routes() []route {
	return slices.Concat(accountRoutes(), appRoutes(), repoRoutes(), gitRoutes(), checkRoutes(), pullRoutes(), reviewRoutes(), issueRoutes())
}

// find is the route of a request with the values of its names.
func find(method, path string) (*route, map[string]string) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	for _, r := range routes() {
		if r.method != method {
			continue
		}
		if params, ok := match(strings.Split(r.path[1:], "/"), parts); ok {
			return &r, params
		}
	}
	return nil, nil
}

func match(template, parts []string) (map[string]string, bool) {
	params := map[string]string{}
	for i, t := range template {
		if i >= len(parts) {
			return nil, false
		}
		name, isName := strings.CutPrefix(strings.TrimSuffix(t, "}"), "{")
		rest, takesAll := strings.CutSuffix(name, "...")
		switch {
		case !isName && t != parts[i]:
			return nil, false
		case !isName:
		case takesAll:
			params[rest] = strings.Join(parts[i:], "/")
			return params, true
		default:
			params[name] = parts[i]
		}
	}
	return params, len(template) == len(parts)
}

// number reads a number of the query.
func (c *call) number(name string, otherwise int) int {
	if n, err := strconv.Atoi(c.query.Get(name)); err == nil {
		return n
	}
	return otherwise
}

// fits tells whether a value is what the query asks for, if it asks for one.
func (c *call) fits(name, value string) bool {
	return cmp.Or(c.query.Get(name), value) == value
}

// id reads a number of the path.
func (c *call) id(name string) int64 {
	n, _ := strconv.ParseInt(c.params[name], 10, 64) // what is no number is nobody's
	return n
}

// read reads the body.
func (c *call) read(into any) error {
	if err := json.Unmarshal(c.body, into); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	return nil
}

func ok(value any) (answer, error) { return answer{status: http.StatusOK, value: value}, nil }

func created(value any) (answer, error) { return answer{status: http.StatusCreated, value: value}, nil }

// page cuts the asked page out of a list and links to the others.
func page[T any](c *call, list []T) ([]T, map[string]string) {
	size := min(max(c.number("per_page", 30), 1), 100)
	at := max(c.number("page", 1), 1)
	pages := max(1, (len(list)+size-1)/size)
	link := func(page int, rel string) string {
		q := url.Values{}
		maps.Copy(q, c.query)
		q.Set("page", itoa(page))
		return "<" + string(c.world.site) + c.r.URL.Path + "?" + q.Encode() + `>; rel="` + rel + `"`
	}
	var links []string
	if at > 1 {
		links = append(links, link(at-1, "prev"))
	}
	if at < pages {
		links = append(links, link(at+1, "next"), link(pages, "last"))
	}
	if at > 1 {
		links = append(links, link(1, "first"))
	}
	header := map[string]string{}
	if len(links) > 0 {
		header["Link"] = strings.Join(links, ", ")
	}
	from, to := min((at-1)*size, len(list)), min(at*size, len(list))
	return list[from:to], header
}

// listed answers with a page of a list.
func listed[T any](c *call, list []T, show func(T) object) (answer, error) {
	part, header := page(c, list)
	values := make([]object, 0, len(part))
	for _, item := range part {
		values = append(values, show(item))
	}
	return answer{status: http.StatusOK, value: values, header: header}, nil
}

// Paths are all paths that are played, with their methods, as the log names them.
func (s *Server) Paths() []string {
	var all []string
	for _, r := range routes() {
		all = append(all, r.method+" "+r.path)
	}
	return all
}
