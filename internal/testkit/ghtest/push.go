package ghtest

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// push is one move of a branch.
type push struct {
	id            int64
	ref           string
	before, after string
	by            *user // nil is the author of the pull request from the branch
	at            time.Time
}

// json is the push as the list of activities shows it.
func (p push) json(r *Repo) object {
	const none = "0000000000000000000000000000000000000000"
	kind := "push"
	if p.before == "" {
		kind = "branch_creation"
	}
	by := p.by
	for _, other := range r.world.repos.byID {
		for _, pull := range other.items.pulls() {
			if by == nil && pull.ends.head.repo == r && pull.ends.head.ref == p.ref {
				by = pull.author
			}
		}
	}
	o := object{
		"id": p.id, "node_id": nodeID("PSH", p.id), "before": cmp.Or(p.before, none), "after": p.after, "ref": "refs/heads/" + p.ref,
		"timestamp": stamp(p.at), "activity_type": kind, "actor": nil,
	}
	if by != nil {
		o["actor"] = r.world.site.user(by)
	}
	return o
}

// listActivities answers with the pushes to a branch, the newest first. Its pages have
// names, not numbers.
func listActivities(c *call) (answer, error) {
	list := slices.Clone(c.repo.pushes)
	slices.Reverse(list)
	ref := strings.TrimPrefix(c.query.Get("ref"), "refs/heads/")
	list = slices.DeleteFunc(list, func(p push) bool { return ref != "" && p.ref != ref })
	if after, err := strconv.ParseInt(c.query.Get("after"), 10, 64); err == nil {
		list = slices.DeleteFunc(list, func(p push) bool { return p.id >= after })
	}
	size := min(max(c.number("per_page", 30), 1), 100)
	header := map[string]string{}
	if len(list) > size {
		list = list[:size]
		q := c.r.URL.Query()
		q.Set("after", strconv.FormatInt(list[size-1].id, 10))
		header["Link"] = "<" + string(c.world.site) + c.r.URL.Path + "?" + q.Encode() + `>; rel="next"`
	}
	values := make([]object, 0, len(list))
	for _, p := range list {
		values = append(values, p.json(c.repo))
	}
	return answer{status: http.StatusOK, value: values, header: header}, nil
}
