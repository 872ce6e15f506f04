package ghtest

import (
	"encoding/json"
	"net/http"
	"net/url"
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

// routes are all paths that are known. The first that fits is taken.
func routes() []route {
	const repo = "/repos/{owner}/{repo}"
	contents, pulls, issues := []string{"contents"}, []string{"pull-requests"}, []string{"issues"}
	either, checks, statuses := []string{"issues", "pull-requests"}, []string{"checks"}, []string{"statuses"}
	get := func(path string, needs []string, handle func(*call) (answer, error)) route {
		return route{method: http.MethodGet, path: path, level: read, needs: needs, role: Read, handle: handle}
	}
	change := func(method, path string, needs []string, role Role, handle func(*call) (answer, error)) route {
		return route{method: method, path: path, level: write, needs: needs, role: role, handle: handle}
	}
	app := func(r route) route { r.appOnly = true; return r }
	signed := func(r route) route { r.asApp = true; return r }
	const post, patch, put, remove = http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete
	return []route{
		get("/rate_limit", nil, getRateLimit),
		get("/user", nil, getUser),
		signed(get("/app", nil, getApp)),
		signed(get("/app/installations", nil, listInstallations)),
		signed(get("/app/installations/{installation_id}", nil, getInstallation)),
		signed(change(post, "/app/installations/{installation_id}/access_tokens", nil, Read, createToken)),
		signed(get("/app/hook/deliveries", nil, listDeliveries)),
		signed(get("/app/hook/deliveries/{delivery_id}", nil, getDelivery)),
		get("/installation/repositories", nil, listInstalled),
		{method: post, path: "/app-manifests/{code}/conversions", level: write, anyone: true, handle: convertManifest},
		{method: post, path: "/settings/apps/new", level: write, open: true, handle: takeManifest},
		{method: post, path: "/organizations/{org}/settings/apps/new", level: write, open: true, handle: takeManifest},
		get(repo, nil, getRepository),
		get(repo+"/compare/{basehead...}", contents, getCompare),
		get(repo+"/git/trees/{tree_sha}", contents, getTree),
		get(repo+"/git/blobs/{file_sha}", contents, getBlob),
		get(repo+"/contents/{path...}", contents, getContents),
		get(repo+"/tarball/{ref}", contents, getArchiveLink),
		{method: http.MethodGet, path: "/codeload/{owner}/{repo}/legacy.tar.gz/{ref}", level: read, open: true, handle: getArchive},
		get(repo+"/commits/{ref}/check-runs", checks, listCheckRuns),
		get(repo+"/commits/{ref}/statuses", statuses, listStatuses),
		get(repo+"/commits/{ref}/status", statuses, getStatus),
		get(repo+"/commits/{commit_sha}/pulls", pulls, listPullsOfCommit),
		get(repo+"/commits/{ref}", contents, getCommit),
		app(change(post, repo+"/check-runs", checks, Read, createCheckRun)),
		get(repo+"/check-runs/{check_run_id}", checks, getCheckRun),
		app(change(patch, repo+"/check-runs/{check_run_id}", checks, Read, updateCheckRun)),
		get(repo+"/check-runs/{check_run_id}/annotations", checks, listAnnotations),
		change(post, repo+"/statuses/{sha}", statuses, Write, createStatus),
		get(repo+"/collaborators/{username}/permission", nil, getPermission),
		get(repo+"/labels", either, listLabels),
		change(post, repo+"/labels", either, Write, createLabel),
		get(repo+"/labels/{name}", either, getLabel),

		get(repo+"/pulls", pulls, listPulls),
		get(repo+"/pulls/comments/{comment_id}", pulls, getReviewComment),
		change(patch, repo+"/pulls/comments/{comment_id}", pulls, Read, updateReviewComment),
		change(post, repo+"/pulls/comments/{comment_id}/reactions", pulls, Read, reactToReviewComment),
		get(repo+"/pulls/{pull_number}", pulls, getPull),
		get(repo+"/pulls/{pull_number}/files", pulls, listFiles),
		get(repo+"/pulls/{pull_number}/reviews", pulls, listReviews),
		get(repo+"/pulls/{pull_number}/requested_reviewers", pulls, listRequestedReviewers),
		change(post, repo+"/pulls/{pull_number}/reviews", pulls, Read, createReview),
		change(put, repo+"/pulls/{pull_number}/reviews/{review_id}", pulls, Read, updateReview),
		get(repo+"/pulls/{pull_number}/reviews/{review_id}/comments", pulls, listCommentsOfReview),
		get(repo+"/pulls/{pull_number}/comments", pulls, listReviewComments),
		change(post, repo+"/pulls/{pull_number}/comments", pulls, Read, createReviewComment),
		change(post, repo+"/pulls/{pull_number}/comments/{comment_id}/replies", pulls, Read, replyToReviewComment),

		get(repo+"/issues", issues, listIssues),
		change(post, repo+"/issues", issues, Read, createIssue),
		get(repo+"/issues/comments/{comment_id}", either, getComment),
		change(patch, repo+"/issues/comments/{comment_id}", either, Read, updateComment),
		change(post, repo+"/issues/comments/{comment_id}/reactions", either, Read, reactToComment),
		get(repo+"/issues/{issue_number}", either, getIssue),
		change(patch, repo+"/issues/{issue_number}", either, Read, updateIssue),
		get(repo+"/issues/{issue_number}/comments", either, listComments),
		change(post, repo+"/issues/{issue_number}/comments", either, Read, createComment),
		get(repo+"/issues/{issue_number}/events", either, listEvents),
		get(repo+"/issues/{issue_number}/timeline", either, listTimeline),
		get(repo+"/issues/{issue_number}/labels", either, listLabelsOfIssue),
		change(post, repo+"/issues/{issue_number}/labels", either, Triage, addLabels),
		change(remove, repo+"/issues/{issue_number}/labels/{name}", either, Triage, removeLabel),
	}
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
		if rest, ok := strings.CutSuffix(name, "..."); isName && ok {
			params[rest] = strings.Join(parts[i:], "/")
			return params, true
		}
		if !isName && t != parts[i] {
			return nil, false
		}
		if isName {
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

// id reads a number of the path.
func (c *call) id(name string) int64 {
	n, err := strconv.ParseInt(c.params[name], 10, 64)
	if err != nil {
		return 0
	}
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
		for key, values := range c.query {
			q[key] = values
		}
		q.Set("page", itoa(page))
		return "<" + c.s.URL + c.r.URL.Path + "?" + q.Encode() + `>; rel="` + rel + `"`
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
