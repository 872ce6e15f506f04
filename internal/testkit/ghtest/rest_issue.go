package ghtest

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// issueRoutes are the paths of issues, and of what a pull request has as an issue:
// its conversation, its labels and what happened to it.
func issueRoutes() []route {
	const all, one = inRepo + "/issues", inRepo + "/issues/{issue_number}"
	return []route{
		get(all, needsIssues, listIssues),
		post(all, needsIssues, Read, createIssue),
		get(all+"/comments/{comment_id}", needsEither, on(theComment, getComment)),
		writing(http.MethodPatch, all+"/comments/{comment_id}", needsEither, Read, on(theComment, updateComment)),
		post(all+"/comments/{comment_id}/reactions", needsEither, Read, on(theComment, react)),
		get(one, needsEither, on(theItem, getIssue)),
		writing(http.MethodPatch, one, needsEither, Read, on(theItem, updateIssue)),
		get(one+"/comments", needsEither, on(theItem, listComments)),
		post(one+"/comments", needsEither, Read, on(theItem, createComment)),
		get(one+"/events", needsEither, on(theItem, listEvents)),
		get(one+"/timeline", needsEither, on(theItem, listTimeline)),
		get(one+"/labels", needsEither, on(theItem, listLabelsOfIssue)),
		post(one+"/labels", needsEither, Triage, on(theItem, addLabels)),
		writing(http.MethodDelete, one+"/labels/{name}", needsEither, Triage, on(theItem, removeLabel)),
	}
}

// The limits of texts. GitHub names the first for all of them and counts the
// comments of a conversation otherwise.
const (
	maxText  = 65_536  // characters of a review, of its comments, of a pull request
	maxBytes = 262_144 // bytes of an issue and of a comment in a conversation
	maxTitle = 256     // characters
)

func tooLong(resource string) *refusal {
	return invalid(resource, "body", "body is too long (maximum is 65536 characters)")
}

// checkBody holds a comment of a conversation to its limit.
func checkBody(resource, body string) error {
	switch {
	case strings.TrimSpace(body) == "":
		r := invalid(resource, "body", "body can't be blank")
		r.errors = []object{{"resource": resource, "code": "missing_field", "field": "body"}}
		return r
	case len(body) > maxBytes:
		return tooLong(resource)
	}
	return nil
}

// theItem is the issue or the pull request that the path names.
func theItem(c *call) (*Issue, error) {
	i := c.repo.items.find(int(c.id("issue_number")))
	if i == nil {
		return nil, errNotFound
	}
	if i.pull == nil && c.repo.noIssues {
		return nil, errGone
	}
	if err := c.reaches(i); err != nil {
		return nil, err
	}
	return i, nil
}

// reaches holds an app to the permission of what it is about: that of pull requests
// does not open issues, and the other way round for what is not a comment.
func (c *call) reaches(i *Issue) error {
	if c.token.app == 0 || c.r.Method == http.MethodGet && !c.repo.access.private {
		return nil
	}
	level := write
	if c.r.Method == http.MethodGet {
		level = read
	}
	if i.pull == nil && !c.token.may(level, "issues") {
		return errForbidden
	}
	return nil
}

// owns tells whether the caller may edit what somebody wrote.
func (c *call) owns(author *user) bool {
	return author == c.token.user || c.allows(Write)
}

func getIssue(c *call, i *Issue) (answer, error) {
	return ok(i.json())
}

// isIn tells whether an issue is in the state that the query asks for; it asks for open
// ones unless it says otherwise.
func (c *call) isIn(s *standing) bool {
	return slices.Contains([]string{"all", s.state()}, cmp.Or(c.query.Get("state"), "open"))
}

func listIssues(c *call) (answer, error) {
	if c.repo.noIssues {
		return answer{}, errGone
	}
	var list []*Issue
	since, _ := time.Parse(time.RFC3339, c.query.Get("since"))
	labels := strings.FieldsFunc(c.query.Get("labels"), func(r rune) bool { return r == ',' })
	for _, i := range visible(c, c.repo.items.list) {
		if !c.isIn(&i.standing) || i.history.updated.Before(since) {
			continue
		}
		if creator := cmp.Or(c.query.Get("creator"), i.author.login); !strings.EqualFold(creator, i.author.login) {
			continue
		}
		if slices.ContainsFunc(labels, func(name string) bool { return !i.labels.has(name) }) {
			continue
		}
		list = append(list, i)
	}
	by := func(i *Issue) time.Time { return i.history.created }
	if c.query.Get("sort") == "updated" {
		by = func(i *Issue) time.Time { return i.history.updated }
	}
	slices.SortStableFunc(list, func(a, b *Issue) int { return by(b).Compare(by(a)) })
	if c.query.Get("direction") == "asc" {
		slices.Reverse(list)
	}
	return listed(c, list, (*Issue).json)
}

// names reads labels, given as texts or as objects.
func names(list []json.RawMessage) []string {
	var found []string
	for _, raw := range list {
		var text string
		var named struct{ Name string }
		if json.Unmarshal(raw, &text) == nil {
			found = append(found, text)
		} else if json.Unmarshal(raw, &named) == nil {
			found = append(found, named.Name)
		}
	}
	return found
}

func createIssue(c *call) (answer, error) {
	var in struct {
		Title, Body string
		Labels      []json.RawMessage
	}
	if err := c.read(&in); err != nil {
		return answer{}, err
	}
	switch {
	case c.repo.noIssues:
		return answer{}, errGone
	case in.Title == "":
		r := invalid("Issue", "title", "")
		r.errors = []object{{"resource": "Issue", "code": "missing_field", "field": "title"}}
		return answer{}, r
	case utf8.RuneCountInString(in.Title) > maxTitle:
		return answer{}, invalid("Issue", "title", "title is too long (maximum is 256 characters)")
	case len(in.Body) > maxBytes:
		return answer{}, tooLong("Issue")
	}
	i := c.repo.newIssue(c.token.user, in.Title, in.Body)
	if c.allows(Triage) { // others' labels are dropped without a word
		for _, name := range names(in.Labels) {
			i.labels.add(c.token.user, name)
		}
	}
	return created(i.json())
}

func updateIssue(c *call, i *Issue) (answer, error) {
	var in issueInput
	if err := c.read(&in); err != nil {
		return answer{}, err
	}
	if err := c.issueProblem(i, &in); err != nil {
		return answer{}, err
	}
	who := c.token.user
	if title := *cmp.Or(in.Title, &i.title); title != i.title {
		i.rename(who, title)
	}
	if body := *cmp.Or(in.Body, &i.body.text); body != i.body.text && len(body) <= maxBytes { // a longer one is dropped without a word
		i.edit(who, body)
	}
	if in.Labels != nil {
		i.labels.set(who, names(*in.Labels))
	}
	switch in.state() {
	case "open":
		i.standing.reopen(who)
	case "closed":
		usual := "completed"
		i.standing.close(who, *cmp.Or(in.Reason, &usual))
	}
	return ok(i.json())
}

// issueInput is what is to change of an issue.
type issueInput struct {
	Title, Body, State *string
	Reason             *string `json:"state_reason"`
	Labels             *[]json.RawMessage
}

// state is the new state, "" for none.
func (in *issueInput) state() string {
	if in.State == nil {
		return ""
	}
	return *in.State
}

// issueProblem says why GitHub refuses a change of an issue.
func (c *call) issueProblem(i *Issue, in *issueInput) error {
	who := c.token.user
	triage := c.allows(Triage)
	mayEnd := triage || i.author == who
	hasText := in.Title != nil || in.Body != nil
	switch {
	case hasText && !c.owns(i.author), in.State != nil && !mayEnd, in.Labels != nil && !triage:
		return errForbiddenRole(c.repo)
	case in.Title != nil && utf8.RuneCountInString(*in.Title) > maxTitle:
		return invalid("Issue", "title", "title is too long (maximum is 256 characters)")
	case in.State != nil && !slices.Contains([]string{"open", "closed"}, *in.State):
		return invalid("Issue", "state", "state is not included in the list")
	case in.Reason != nil && !slices.Contains([]string{"completed", "not_planned", "duplicate", "reopened"}, *in.Reason):
		return invalid("Issue", "state_reason", "state_reason is not included in the list")
	}
	return nil
}

func listLabelsOfIssue(c *call, i *Issue) (answer, error) {
	return listed(c, i.labels.list, c.repo.address().label)
}

func addLabels(c *call, i *Issue) (answer, error) {
	var in struct{ Labels []json.RawMessage }
	if c.read(&in) != nil { // a list alone is taken too
		if err := c.read(&in.Labels); err != nil {
			return answer{}, err
		}
	}
	for _, name := range names(in.Labels) {
		if utf8.RuneCountInString(name) > 50 {
			return answer{}, invalid("Label", "name", "name is too long (maximum is 50 characters)")
		}
		i.labels.add(c.token.user, name)
	}
	return ok(i.Repo.address().labels(i.labels.list))
}

func removeLabel(c *call, i *Issue) (answer, error) {
	if !i.labels.remove(c.token.user, c.params["name"]) {
		return answer{}, refuse(http.StatusNotFound, "Label does not exist")
	}
	return ok(i.Repo.address().labels(i.labels.list))
}

func listEvents(c *call, i *Issue) (answer, error) {
	return listed(c, i.history.events, c.repo.address().event)
}

// listTimeline is the events and the comments by their time.
func listTimeline(c *call, i *Issue) (answer, error) {
	type item struct {
		at  time.Time
		out object
	}
	var list []item
	for _, e := range i.history.events {
		list = append(list, item{e.at, c.repo.address().event(e)})
	}
	for _, one := range i.talk.comments {
		o := one.json()
		o["event"], o["actor"] = "commented", o["user"]
		list = append(list, item{one.created, o})
	}
	slices.SortStableFunc(list, func(a, b item) int { return a.at.Compare(b.at) })
	return listed(c, list, func(i item) object { return i.out })
}
