package spans

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/trace"

	"github.com/prdebate/debate/internal/lists"
)

// routes are the paths of GitHub's API that debate uses. A part in braces matches any part,
// and one with dots all further parts.
var routes = parts(
	"/app",
	"/app/hook/deliveries",
	"/app/hook/deliveries/{delivery_id}",
	"/app/installations",
	"/app/installations/{installation_id}",
	"/app/installations/{installation_id}/access_tokens",
	"/graphql",
	"/api/graphql",
	"/installation/repositories",
	"/user",
	"/repos/{owner}/{repo}",
	"/repos/{owner}/{repo}/check-runs",
	"/repos/{owner}/{repo}/check-runs/{check_run_id}",
	"/repos/{owner}/{repo}/check-runs/{check_run_id}/annotations",
	"/repos/{owner}/{repo}/collaborators/{username}/permission",
	"/repos/{owner}/{repo}/commits/{ref}",
	"/repos/{owner}/{repo}/commits/{ref}/check-runs",
	"/repos/{owner}/{repo}/compare/{basehead...}",
	"/repos/{owner}/{repo}/contents/{path...}",
	"/repos/{owner}/{repo}/git/blobs/{file_sha}",
	"/repos/{owner}/{repo}/git/trees/{tree_sha}",
	"/repos/{owner}/{repo}/issues",
	"/repos/{owner}/{repo}/issues/comments/{comment_id}",
	"/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions",
	"/repos/{owner}/{repo}/issues/{issue_number}",
	"/repos/{owner}/{repo}/issues/{issue_number}/comments",
	"/repos/{owner}/{repo}/issues/{issue_number}/labels",
	"/repos/{owner}/{repo}/pulls",
	"/repos/{owner}/{repo}/pulls/comments/{comment_id}",
	"/repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions",
	"/repos/{owner}/{repo}/pulls/{pull_number}",
	"/repos/{owner}/{repo}/pulls/{pull_number}/comments",
	"/repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies",
	"/repos/{owner}/{repo}/pulls/{pull_number}/files",
	"/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers",
	"/repos/{owner}/{repo}/pulls/{pull_number}/reviews",
	"/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments",
	"/repos/{owner}/{repo}/tarball/{ref}",
)

func parts(templates ...string) [][]string {
	var all [][]string
	for _, t := range templates {
		all = append(all, strings.Split(t, "/"))
	}
	return all
}

// routeOf returns the template of a path, "" if unknown: a path itself names people,
// branches and files.
func routeOf(path string) string {
	asked := strings.Split(strings.TrimSuffix(strings.TrimPrefix(path, "/api/v3"), "/"), "/")
	return strings.Join(lists.Find(routes, func(route []string) bool {
		parts := asked
		if strings.HasSuffix(route[len(route)-1], "...}") {
			parts = asked[:min(len(asked), len(route))]
		}
		return slices.EqualFunc(route, parts, func(part, is string) bool { return part == is || strings.HasPrefix(part, "{") })
	}), "/")
}

// Transport returns a transport that traces requests to GitHub.
func (t *Tracer) Transport(base http.RoundTripper) http.RoundTripper {
	if t == nil {
		return base
	}
	return transport{cmp.Or(base, http.DefaultTransport), t}
}

type transport struct {
	base   http.RoundTripper
	tracer *Tracer
}

// RoundTrip makes a request. Its span ends with the head of the answer.
func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	route := routeOf(req.URL.Path)
	ctx, span := t.tracer.start(req.Context(), strings.TrimSpace(req.Method+" "+route), trace.SpanKindClient)
	span.Text("http.request.method", req.Method)
	span.Text("url.template", route)
	span.Text("server.address", req.URL.Hostname())
	resp, err := t.base.RoundTrip(req.WithContext(ctx))
	if err != nil {
		span.End("unreachable")
		return nil, err
	}
	span.Number("http.response.status_code", int64(resp.StatusCode))
	failed := ""
	if resp.StatusCode >= http.StatusBadRequest {
		failed = strconv.Itoa(resp.StatusCode)
	}
	span.End(failed)
	return resp, nil
}
