package ghtest

import (
	"cmp"
	"net/http"
	"strings"
)

// accountRoutes are the paths that say who asks, and how much they may still ask.
func accountRoutes() []route {
	return []route{
		get("/rate_limit", nil, getRateLimit),
		get("/user", nil, getUser),
	}
}

// repoRoutes are the paths of a repository itself: who may do what in it, and its labels.
func repoRoutes() []route {
	return []route{
		get(inRepo, nil, getRepository),
		get(inRepo+"/activity", needsContents, listActivities),
		get(inRepo+"/collaborators/{username}/permission", nil, getPermission),
		get(inRepo+"/labels", needsEither, listLabels),
		post(inRepo+"/labels", needsEither, Write, createLabel),
		get(inRepo+"/labels/{name}", needsEither, getLabel),
	}
}

func getRateLimit(c *call) (answer, error) {
	limit := object{
		"limit": c.token.limit, "used": c.token.used, "remaining": max(0, c.token.limit-c.token.used),
		"reset": c.token.reset.Unix(),
	}
	return ok(object{"resources": object{"core": limit, "search": limit, "graphql": limit}, "rate": limit})
}

func getUser(c *call) (answer, error) {
	if c.token.app != 0 { // an installation is nobody
		return answer{}, errForbidden
	}
	u := c.world.site.user(c.token.user).(object)
	for _, name := range []string{"name", "company", "blog", "location", "email", "hireable", "bio"} {
		u[name] = nil
	}
	for _, name := range []string{"public_repos", "public_gists", "followers", "following"} {
		u[name] = 0
	}
	u["created_at"], u["updated_at"] = stamp(c.world.clock.time()), stamp(c.world.clock.time())
	return ok(u)
}

// getRepository shows more than others show of a repository.
func getRepository(c *call) (answer, error) {
	o := c.repo.json()
	o["subscribers_count"], o["network_count"] = 0, 0
	return ok(o)
}

// getPermission is the role of an account. Who has none is not found in a private
// repository, and reads a public one.
func getPermission(c *call) (answer, error) {
	u := c.world.accounts.find(c.params["username"])
	if u == nil {
		return answer{}, errNotFound
	}
	if u.kind == "Bot" {
		return answer{}, &refusal{status: http.StatusNotFound, message: u.login + " is not a user"}
	}
	role := cmp.Or(c.repo.access.role(u), None)
	who := c.world.site.user(u).(object)
	who["role_name"] = string(role)
	who["permissions"] = object{
		"admin": role == Admin, "maintain": role.rank() >= Maintain.rank(), "push": role.rank() >= Write.rank(),
		"triage": role.rank() >= Triage.rank(), "pull": role.rank() >= Read.rank(),
	}
	return ok(object{"permission": role.legacy(), "role_name": string(role), "user": who})
}

func listLabels(c *call) (answer, error) {
	return listed(c, c.repo.labels.list, c.repo.address().label)
}

func getLabel(c *call) (answer, error) {
	l := c.repo.labels.find(c.params["name"])
	if l == nil {
		return answer{}, errNotFound
	}
	return ok(c.repo.address().label(l))
}

func createLabel(c *call) (answer, error) {
	var in struct{ Name, Color, Description string }
	if err := c.read(&in); err != nil {
		return answer{}, err
	}
	in.Color = cmp.Or(in.Color, plainColor)
	switch {
	case in.Name == "", len(in.Name) > 50:
		return answer{}, invalid("Label", "name", "name is too long (maximum is 50 characters)")
	case len(in.Description) > 100:
		return answer{}, invalid("Label", "description", "description is too long (maximum is 100 characters)")
	case !isColor(in.Color):
		return answer{}, invalid("Label", "color", "color is invalid")
	case c.repo.labels.find(in.Name) != nil:
		r := invalid("Label", "name", "")
		r.errors = []object{{"resource": "Label", "code": "already_exists", "field": "name"}}
		return answer{}, r
	}
	l := c.repo.labels.get(in.Name, in.Color)
	l.description = in.Description
	return created(c.repo.address().label(l))
}

func isColor(text string) bool {
	return len(text) == 6 && strings.Trim(text, "0123456789abcdefABCDEF") == ""
}
