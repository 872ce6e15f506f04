package ghtest

import "slices"

// pullRoutes are the paths of pull requests and of what they change.
func pullRoutes() []route {
	const all, one = inRepo + "/pulls", inRepo + "/pulls/{pull_number}"
	return []route{
		get(all, needsPulls, listPulls),
		get(inRepo+"/commits/{commit_sha}/pulls", needsPulls, on(theCommit, listPullsOfCommit)),
		get(one, needsPulls, on(thePull, getPull)),
		get(one+"/files", needsPulls, on(thePull, listFiles)),
		get(one+"/requested_reviewers", needsPulls, on(thePull, listRequestedReviewers)),
	}
}

// thePull is the pull request that the path names.
func thePull(c *call) (*Pull, error) {
	return known(c.repo.items.pull(int(c.id("pull_number"))))
}

func getPull(c *call, p *Pull) (answer, error) {
	if c.wantsDiff() {
		return diffAnswer(p.ends.changes())
	}
	return ok(p.json())
}

func listRequestedReviewers(c *call, p *Pull) (answer, error) {
	return ok(object{"users": c.world.site.users(p.awaited), "teams": []any{}})
}

func listPulls(c *call) (answer, error) {
	list := slices.DeleteFunc(c.repo.items.pulls(), func(p *Pull) bool {
		head := p.ends.head.repo.Owner + ":" + p.ends.head.ref
		return !c.isIn(&p.standing) || !c.fits("base", p.ends.base.ref) || !c.fits("head", head)
	})
	slices.SortStableFunc(list, func(a, b *Pull) int {
		if c.query.Get("sort") == "updated" {
			return b.history.updated.Compare(a.history.updated)
		}
		return b.history.created.Compare(a.history.created)
	})
	if c.query.Get("direction") == "asc" {
		slices.Reverse(list)
	}
	return listed(c, list, (*Pull).simpleJSON)
}

func listPullsOfCommit(c *call, one *commit) (answer, error) {
	return listed(c, c.repo.items.with(one.sha), (*Pull).simpleJSON)
}

func listFiles(c *call, p *Pull) (answer, error) {
	changes := p.ends.changes()
	return listed(c, changes[:min(len(changes), maxFiles)], func(one change) object { return c.repo.address().file(one, p.ends.head.sha) })
}
