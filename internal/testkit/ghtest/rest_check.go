package ghtest

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// checkRoutes are the paths of check runs and statuses.
func checkRoutes() []route {
	return []route{
		get(inRepo+"/commits/{ref}/check-runs", needsChecks, on(theCommit, listCheckRuns)),
		get(inRepo+"/commits/{ref}/statuses", needsStatuses, listStatuses),
		get(inRepo+"/commits/{ref}/status", needsStatuses, getStatus),
		post(inRepo+"/check-runs", needsChecks, Read, createCheckRun).byApp(),
		get(inRepo+"/check-runs/{check_run_id}", needsChecks, on(theRun, getCheckRun)),
		writing(http.MethodPatch, inRepo+"/check-runs/{check_run_id}", needsChecks, Read, updateCheckRun).byApp(),
		get(inRepo+"/check-runs/{check_run_id}/annotations", needsChecks, on(theRun, listAnnotations)),
		post(inRepo+"/statuses/{sha}", needsStatuses, Write, createStatus),
	}
}

// The limits of check runs and statuses.
const (
	maxAnnotations   = 50     // of one request
	maxCheckText     = 65_535 // characters of a summary or a text
	maxDescription   = 140    // characters of a status
	maxStatusesOfOne = 1_000  // of one commit and context
)

// check is a check run as REST shows it, with the open pull requests that it is about.
func (c *call) check(run *CheckRun) object {
	r := c.repo
	api := r.address().api() + "/check-runs/" + strconv.FormatInt(run.ID, 10)
	pulls := []object{}
	for _, p := range r.items.pulls() {
		if p.standing.isOpen() && p.ends.head.sha == run.HeadSHA && p.ends.head.repo == r {
			pulls = append(pulls, object{
				"id": p.pullID, "number": p.Number, "url": p.api(), "head": p.ends.head.brief(), "base": p.ends.base.brief(),
			})
		}
	}
	return object{
		"id": run.ID, "name": run.Name, "node_id": nodeID("CR", run.ID), "head_sha": run.HeadSHA, "external_id": run.ExternalID, "url": api,
		"html_url": r.address().html() + "/runs/" + strconv.FormatInt(run.ID, 10), "details_url": orNil(run.DetailsURL), "status": run.Status,
		"conclusion": orNil(run.Conclusion), "started_at": stamp(run.StartedAt), "completed_at": stamp(run.FinishedAt),
		"output": object{
			"title": orNil(run.Title), "summary": orNil(run.Summary), "text": orNil(run.Text), "annotations_count": len(run.Annotations),
			"annotations_url": api + "/annotations",
		},
		"check_suite": object{"id": run.App + 1}, "app": r.world.app(run.App, r.created), "pull_requests": pulls,
	}
}

// checkInput is what a request says about a check run.
type checkInput struct {
	Name, Status, Conclusion *string
	HeadSHA                  string  `json:"head_sha"`
	DetailsURL               *string `json:"details_url"`
	ExternalID               *string `json:"external_id"`
	Output                   *struct {
		Title, Summary, Text string
		Annotations          []struct {
			Path, Title, Message   string
			StartLine              int    `json:"start_line"`
			EndLine                int    `json:"end_line"`
			Level                  string `json:"annotation_level"`
			StartColumn, EndColumn int
		}
	}
}

func createCheckRun(c *call) (answer, error) {
	var in checkInput
	if err := c.read(&in); err != nil {
		return answer{}, err
	}
	name := *cmp.Or(in.Name, new(string))
	if name == "" || in.HeadSHA == "" {
		return answer{}, refuse(http.StatusUnprocessableEntity, `Invalid request. "name", "head_sha" weren't supplied.`)
	}
	if c.repo.git.objects.commits[in.HeadSHA] == nil {
		return answer{}, refuse(http.StatusUnprocessableEntity, "No commit found for SHA: "+in.HeadSHA)
	}
	run := &CheckRun{HeadSHA: in.HeadSHA, App: c.token.app, Name: name, Status: "queued"}
	if err := run.set(in, c.world.clock.time()); err != nil {
		return answer{}, err
	}
	c.repo.checks.add(run)
	return created(c.check(run))
}

func updateCheckRun(c *call) (answer, error) {
	run := c.repo.checks.find(c.id("check_run_id"))
	var in checkInput
	if err := c.read(&in); err != nil {
		return answer{}, err
	}
	switch {
	case run == nil:
		return answer{}, errNotFound
	case run.App != c.token.app:
		return answer{}, refuse(http.StatusForbidden, "Invalid app_id `"+strconv.FormatInt(c.token.app, 10)+"` - check run can only be modified by the GitHub App that created it.")
	}
	changed := *run
	changed.Annotations = slices.Clone(run.Annotations)
	if err := changed.set(in, c.world.clock.time()); err != nil {
		return answer{}, err
	}
	c.world.clock.tick()
	*run = changed
	return ok(c.check(run))
}

// set takes over what a request says now.
func (run *CheckRun) set(in checkInput, now time.Time) error {
	for _, field := range []struct {
		from *string
		to   *string
	}{{in.Name, &run.Name}, {in.Status, &run.Status}, {in.DetailsURL, &run.DetailsURL}, {in.ExternalID, &run.ExternalID}, {in.Conclusion, &run.Conclusion}} {
		*field.to = *cmp.Or(field.from, field.to) // what is not given stays
	}
	if in.Conclusion != nil {
		run.Status = "completed"
		if !slices.Contains([]string{"action_required", "cancelled", "failure", "neutral", "success", "skipped", "timed_out"}, run.Conclusion) {
			return refuse(http.StatusUnprocessableEntity, "Invalid request. "+run.Conclusion+" is not a possible conclusion.")
		}
		run.FinishedAt = now
	} else if run.Status != "completed" {
		run.Conclusion, run.FinishedAt = "", time.Time{}
	}
	if run.Status == "completed" && run.Conclusion == "" {
		return refuse(http.StatusUnprocessableEntity, `Invalid request. "conclusion" wasn't supplied.`)
	}
	if !slices.Contains([]string{"queued", "in_progress", "completed"}, run.Status) {
		return refuse(http.StatusUnprocessableEntity, "Invalid request. "+run.Status+" is not a possible status.")
	}
	if run.DetailsURL != "" && !strings.HasPrefix(run.DetailsURL, "http") {
		return invalid("CheckRun", "details_url", "details_url must use http or https scheme")
	}
	if in.Output == nil {
		return nil
	}
	return run.report(in)
}

func (run *CheckRun) report(in checkInput) error {
	out := in.Output
	title := cmp.Or(out.Title, run.Title)
	switch {
	case out.Summary == "", title == "":
		return refuse(http.StatusUnprocessableEntity, `Invalid request. "title", "summary" weren't supplied.`)
	case len([]rune(out.Summary)) > maxCheckText, len([]rune(out.Text)) > maxCheckText:
		return invalid("CheckRun", "summary", "Only 65535 characters are allowed; "+itoa(len([]rune(out.Summary)))+" were supplied.")
	case len(out.Annotations) > maxAnnotations:
		return refuse(http.StatusUnprocessableEntity, "Invalid request. No more than 50 items are allowed; "+itoa(len(out.Annotations))+" were supplied.")
	}
	run.Title, run.Summary, run.Text = title, out.Summary, out.Text
	for _, a := range out.Annotations {
		if a.Path == "" || a.Message == "" || a.StartLine < 1 || a.EndLine < a.StartLine || !slices.Contains([]string{"notice", "warning", "failure"}, a.Level) {
			return refuse(http.StatusUnprocessableEntity, "Invalid request. An annotation is not valid.")
		}
		run.Annotations = append(run.Annotations, Annotation{
			Path: a.Path, StartLine: a.StartLine, EndLine: a.EndLine, Level: a.Level, Title: a.Title, Message: a.Message,
		})
	}
	return nil
}

// theRun is the check run that the path names.
func theRun(c *call) (*CheckRun, error) { return known(c.repo.checks.find(c.id("check_run_id"))) }

func getCheckRun(c *call, run *CheckRun) (answer, error) { return ok(c.check(run)) }

// listCheckRuns shows the newest run of each name and app, unless all are wanted.
func listCheckRuns(c *call, one *commit) (answer, error) {
	var list []*CheckRun
	all := visible(c, c.repo.checks.runs)
	for _, run := range slices.Backward(all) {
		known := slices.ContainsFunc(list, func(other *CheckRun) bool { return other.Name == run.Name && other.App == run.App })
		if run.HeadSHA != one.sha || known && c.query.Get("filter") != "all" {
			continue
		}
		if c.fits("check_name", run.Name) && c.fits("status", run.Status) && c.fits("app_id", strconv.FormatInt(run.App, 10)) {
			list = append(list, run)
		}
	}
	part, header := page(c, list)
	runs := []object{}
	for _, run := range part {
		runs = append(runs, c.check(run))
	}
	return answer{status: http.StatusOK, header: header, value: object{"total_count": len(list), "check_runs": runs}}, nil
}

func listAnnotations(c *call, run *CheckRun) (answer, error) {
	return listed(c, run.Annotations, func(a Annotation) object {
		return object{
			"path": a.Path, "start_line": a.StartLine, "end_line": a.EndLine, "start_column": nil, "end_column": nil,
			"annotation_level": a.Level, "title": orNil(a.Title), "message": a.Message, "raw_details": nil,
			"blob_href": c.repo.address().html() + "/blob/" + run.HeadSHA + "/" + a.Path,
		}
	})
}

func createStatus(c *call) (answer, error) {
	var in struct {
		State, Description, Context string
		TargetURL                   string `json:"target_url"`
	}
	if err := c.read(&in); err != nil {
		return answer{}, err
	}
	in.Context = cmp.Or(in.Context, "default")
	sha := c.params["sha"]
	others := slices.DeleteFunc(c.repo.checks.statusesOf(sha), func(st *Status) bool { return st.Context != in.Context })
	switch {
	case !isSHA(sha), c.repo.git.objects.commits[sha] == nil:
		return answer{}, refuse(http.StatusUnprocessableEntity, "No commit found for SHA: "+sha)
	case !slices.Contains([]string{"pending", "success", "failure", "error"}, in.State):
		return answer{}, invalid("Status", "state", "state is not included in the list")
	case len([]rune(in.Description)) > maxDescription:
		return answer{}, invalid("Status", "description", "description is too long (maximum is 140 characters)")
	case len(others) >= maxStatusesOfOne:
		return answer{}, invalid("Status", "base", "This SHA and context has reached the maximum number of statuses.")
	}
	st := &Status{
		ID: c.world.clock.next(), SHA: sha, Context: in.Context, State: in.State, Description: in.Description, TargetURL: in.TargetURL,
		Login: c.token.user.login, At: c.world.clock.tick(),
	}
	c.repo.checks.statuses = append(c.repo.checks.statuses, st)
	return created(c.status(st))
}

func (c *call) status(st *Status) object {
	return c.repo.address().status(st, c.repo.user(st.Login))
}

// statuses are those of the commit that the path names, newest first.
func (c *call) statuses() ([]*Status, *commit) {
	one := c.repo.git.resolve(c.params["ref"])
	if one == nil {
		return nil, nil
	}
	list := c.repo.checks.statusesOf(one.sha)
	slices.Reverse(list)
	return list, one
}

func listStatuses(c *call) (answer, error) {
	list, one := c.statuses()
	if one == nil {
		return answer{}, errNotFound
	}
	return listed(c, list, c.status)
}

func getStatus(c *call) (answer, error) {
	list, one := c.statuses()
	if one == nil {
		return answer{}, errNotFound
	}
	latest, state := []object{}, "success"
	seen, has := map[string]bool{}, map[string]bool{} // contexts and states
	for _, st := range list {
		if seen[st.Context] {
			continue
		}
		seen[st.Context], has[st.State] = true, true
		o := c.status(st)
		delete(o, "creator")
		latest = append(latest, o)
	}
	switch {
	case has["failure"], has["error"]:
		state = "failure"
	case has["pending"], len(latest) == 0:
		state = "pending"
	}
	return ok(object{
		"state": state, "statuses": latest, "sha": one.sha, "total_count": len(latest), "repository": c.repo.json(),
		"commit_url": c.repo.address().api() + "/commits/" + one.sha, "url": c.repo.address().api() + "/commits/" + one.sha + "/status",
	})
}
