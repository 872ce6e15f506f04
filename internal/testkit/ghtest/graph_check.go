package ghtest

import (
	"slices"
	"strings"
)

// filtered are the check runs that a filter lets through; the newest of each name
// unless it asks for all.
func filtered(list []*CheckRun, a args) []*CheckRun {
	filter, _ := a["filterBy"].(map[string]any)
	by := args(filter)
	var found []*CheckRun
	for _, run := range slices.Backward(list) {
		hidden := by["checkType"] != "ALL" && slices.ContainsFunc(found, func(other *CheckRun) bool { return other.Name == run.Name })
		otherApp := by["appId"] != nil && by.int("appId") != int(run.App)
		otherName := by["checkName"] != nil && by.text("checkName") != run.Name
		if !hidden && !otherApp && !otherName {
			found = append(found, run)
		}
	}
	return slices.DeleteFunc(found, func(run *CheckRun) bool {
		return !by.lets("conclusions", strings.ToUpper(run.Conclusion))
	})
}

// checkSuites are those of a commit: one for each app that made a run.
func (g *graph) checkSuites(r *Repo, sha string, a args) any {
	filter, _ := a["filterBy"].(map[string]any)
	by := args(filter)
	runs := map[int64][]*CheckRun{}
	var apps []int64
	for _, run := range visible(g.c, r.checks.runs) {
		if run.HeadSHA != sha || by["appId"] != nil && by.int("appId") != int(run.App) {
			continue
		}
		if runs[run.App] == nil {
			apps = append(apps, run.App)
		}
		runs[run.App] = append(runs[run.App], run)
	}
	apps = slices.DeleteFunc(apps, func(app int64) bool {
		named := func(run *CheckRun) bool { return run.Name == by.text("checkName") }
		return by["checkName"] != nil && !slices.ContainsFunc(runs[app], named)
	})
	return connection("CheckSuiteConnection", a, vertices(apps, func(app int64) *vertex {
		return &vertex{"CheckSuite", fields{
			"id": nodeID("CS", app+1), "databaseId": app + 1,
			"checkRuns": func(a args) any {
				return connection("CheckRunConnection", a, vertices(filtered(runs[app], a), checkVertex), nil)
			},
		}}
	}), nil)
}

func checkVertex(c *CheckRun) *vertex {
	return &vertex{"CheckRun", fields{
		"id": nodeID("CR", c.ID), "databaseId": c.ID, "name": c.Name, "externalId": orNil(c.ExternalID), "detailsUrl": orNil(c.DetailsURL),
		"status": strings.ToUpper(c.Status), "conclusion": orNil(strings.ToUpper(c.Conclusion)), "startedAt": stamp(c.StartedAt),
		"completedAt": stamp(c.FinishedAt), "title": orNil(c.Title), "summary": orNil(c.Summary), "text": orNil(c.Text),
	}}
}
