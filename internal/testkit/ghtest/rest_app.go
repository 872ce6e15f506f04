package ghtest

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// appRoutes are the paths of Apps, of how they are made and of where they are installed.
func appRoutes() []route {
	return []route{
		get("/app", nil, getApp).signed(),
		get("/app/installations", nil, listInstallations).signed(),
		get("/app/installations/{installation_id}", nil, on(theInstallation, getInstallation)).signed(),
		post("/app/installations/{installation_id}/access_tokens", nil, Read, on(theInstallation, createToken)).signed(),
		get("/app/hook/deliveries", nil, listDeliveries).signed(),
		get("/app/hook/deliveries/{delivery_id}", nil, getDelivery).signed(),
		get("/installation/repositories", nil, listInstalled),
		{method: http.MethodPost, path: "/app-manifests/{code}/conversions", level: write, anyone: true, handle: convertManifest},
		{method: http.MethodPost, path: "/settings/apps/new", level: write, open: true, handle: takeManifest},
		{method: http.MethodPost, path: "/organizations/{org}/settings/apps/new", level: write, open: true, handle: takeManifest},
	}
}

// levelsJSON are permissions as an object.
func levelsJSON(permissions map[string]string) object {
	o := object{}
	for name, level := range permissions {
		o[name] = level
	}
	return o
}

func (a *App) json() object {
	at := a.world.site
	return object{
		"id": a.ID, "slug": a.Slug, "client_id": "Iv1." + strconv.FormatInt(a.ID, 10), "node_id": nodeID("A", a.ID), "owner": at.user(a.owner),
		"name": a.Name, "description": "", "external_url": string(at), "html_url": string(at) + "/apps/" + a.Slug,
		"created_at": stamp(a.made), "updated_at": stamp(a.made), "permissions": levelsJSON(a.permissions), "events": append([]string{}, a.events...),
	}
}

// app is an App as REST shows it. One that nobody made here is GitHub's own, made at a
// time that is given.
func (w *world) app(id int64, made time.Time) object {
	if a := w.apps.byID[id]; a != nil {
		return a.json()
	}
	a := &App{
		ID: id, Slug: "app-" + strconv.FormatInt(id, 10), world: w, owner: w.accounts.owner("github"), made: made,
		permissions: map[string]string{"checks": write, "metadata": read},
	}
	if id == ActionsApp {
		a.Slug = "github-actions"
	}
	a.Name = a.Slug
	o := a.json()
	o["external_url"] = o["html_url"]
	return o
}

func (in *Installation) json() object {
	at, id := in.app.world.site, strconv.FormatInt(in.ID, 10)
	html, selection := string(at)+"/settings/installations/"+id, "all"
	if in.account.kind == "Organization" {
		html = string(at) + "/organizations/" + in.account.login + "/settings/installations/" + id
	}
	if len(in.repos) > 0 {
		selection = "selected"
	}
	o := object{
		"id": in.ID, "node_id": nodeID("I", in.ID), "account": at.user(in.account), "repository_selection": selection,
		"access_tokens_url": string(at) + "/app/installations/" + id + "/access_tokens", "repositories_url": string(at) + "/installation/repositories",
		"html_url": html, "app_id": in.app.ID, "app_slug": in.app.Slug, "target_id": in.account.id, "target_type": in.account.kind,
		"permissions": levelsJSON(in.permissions), "events": append([]string{}, in.app.events...), "created_at": stamp(in.made),
		"updated_at": stamp(in.made), "single_file_name": nil, "suspended_by": nil, "suspended_at": stamp(in.suspended),
	}
	if !in.suspended.IsZero() {
		o["suspended_by"] = at.user(in.account)
	}
	return o
}

func getApp(c *call) (answer, error) {
	o := c.app.json()
	o["installations_count"] = len(c.app.installed)
	return ok(o)
}

func listInstallations(c *call) (answer, error) {
	return listed(c, c.app.installed, (*Installation).json)
}

// theInstallation is the one of the path.
func theInstallation(c *call) (*Installation, error) {
	for _, in := range c.app.installed {
		if in.ID == c.id("installation_id") {
			return in, nil
		}
	}
	return nil, errNotFound
}

func getInstallation(c *call, in *Installation) (answer, error) {
	return ok(in.json())
}

var errSuspended = &refusal{status: http.StatusForbidden, message: "This installation has been suspended"}

// createToken gives out a token of an installation, for some or all of its repositories
// and permissions.
func createToken(c *call, in *Installation) (answer, error) {
	var asked struct {
		RepositoryIDs []int64 `json:"repository_ids"`
		Repositories  []string
		Permissions   map[string]string
	}
	if len(c.body) > 0 {
		if err := c.read(&asked); err != nil {
			return answer{}, err
		}
	}
	if !in.suspended.IsZero() {
		return answer{}, errSuspended
	}
	only, isWhole := in.only(asked.RepositoryIDs, asked.Repositories)
	if !isWhole {
		return answer{}, refuse(http.StatusUnprocessableEntity, "There is at least one repository that does not exist or is not accessible to the parent installation.")
	}
	if len(asked.Permissions) == 0 {
		asked.Permissions = in.permissions
	}
	for name, level := range asked.Permissions {
		if name != "metadata" && !slices.Contains([]string{write, level}, in.permissions[name]) {
			return answer{}, refuse(http.StatusUnprocessableEntity, "The permissions requested are not granted to this installation.")
		}
	}
	t := in.token(asked.Permissions, only)
	o := object{"token": t.value, "expires_at": stamp(t.until), "permissions": levelsJSON(asked.Permissions), "repository_selection": "all"}
	if only != nil {
		list := []object{}
		for _, r := range only {
			list = append(list, r.json())
		}
		o["repositories"], o["repository_selection"] = list, "selected"
	}
	return created(o)
}

// only are the repositories that a token is asked for, nil for all; false where one of
// them is none of the installation.
func (in *Installation) only(ids []int64, names []string) ([]*Repo, bool) {
	var found []*Repo
	for _, r := range in.all() {
		if slices.Contains(ids, r.ID) || slices.Contains(names, r.Name) {
			found = append(found, r)
		}
	}
	return found, len(found) == len(ids)+len(names)
}

func listInstalled(c *call) (answer, error) {
	if c.token.installation == nil {
		return answer{}, refuse(http.StatusForbidden, "You must authenticate with an installation access token in order to list repositories for an installation.")
	}
	all := slices.DeleteFunc(c.token.installation.all(), func(r *Repo) bool { return !c.token.isFor(r) })
	part, header := page(c, all)
	list := []object{}
	for _, r := range part {
		list = append(list, r.json())
	}
	return answer{status: http.StatusOK, header: header, value: object{"total_count": len(all), "repositories": list}}, nil
}
