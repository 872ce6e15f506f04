package ghtest

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// gitRoutes are the paths of commits, trees and files, and of what differs between them.
func gitRoutes() []route {
	return []route{
		get(inRepo+"/compare/{basehead...}", needsContents, getCompare),
		get(inRepo+"/git/trees/{tree_sha}", needsContents, getTree),
		get(inRepo+"/git/blobs/{file_sha}", needsContents, getBlob),
		get(inRepo+"/contents/{path...}", needsContents, getContents),
		get(inRepo+"/tarball/{ref}", needsContents, getArchiveLink),
		{method: http.MethodGet, path: "/codeload/{owner}/{repo}/legacy.tar.gz/{ref}", level: read, open: true, handle: getArchive},
		get(inRepo+"/commits/{ref}", needsContents, getCommit),
	}
}

// The limits of a diff.
const (
	maxDiffFiles = 300
	maxDiffLines = 20_000
	maxFiles     = 3_000
	maxPatch     = 100_000 // bytes of one file's patch, above which it is left out
	maxTree      = 100_000 // entries of one answer
	maxContents  = 1 << 20 // bytes of a file that contents shows
)

// wantsDiff tells whether the diff is asked for and not its description.
func (c *call) wantsDiff() bool {
	accept := c.r.Header.Get("Accept")
	return strings.Contains(accept, "diff")
}

// diffAnswer is the diff, or a refusal where it is too large.
func diffAnswer(changes []change) (answer, error) {
	lines := 0
	for _, c := range changes {
		lines += strings.Count(c.patch, "\n")
	}
	problem := ""
	switch {
	case len(changes) > maxDiffFiles:
		problem = "Sorry, the diff exceeded the maximum number of files (300). Consider using 'List pull requests files' API or locally cloning the repository instead."
	case lines > maxDiffLines:
		problem = "Sorry, the diff exceeded the maximum number of lines (20000)"
	}
	if problem != "" {
		r := refuse(http.StatusNotAcceptable, problem)
		r.errors = []object{{"resource": "PullRequest", "field": "diff", "code": "too_large"}}
		return answer{}, r
	}
	return answer{status: http.StatusOK, text: []byte(diffText(changes)), kind: "application/vnd.github.diff; charset=utf-8"}, nil
}

func (r *Repo) fileJSON(c change, ref string) object {
	name := (&url.URL{Path: c.path}).EscapedPath()
	o := object{
		"sha": c.sha, "filename": c.path, "status": c.status, "additions": c.added, "deletions": c.deleted, "changes": c.added + c.deleted,
		"blob_url": r.html() + "/blob/" + ref + "/" + name, "raw_url": r.html() + "/raw/" + ref + "/" + name,
		"contents_url": r.api() + "/contents/" + name + "?ref=" + ref,
	}
	if c.patch != "" && len(c.patch) <= maxPatch {
		o["patch"] = strings.TrimSuffix(c.patch, "\n")
	}
	return o
}

func (r *Repo) commitJSON(c *commit) object {
	who := object{"name": c.author.login, "email": c.author.login + "@example.com", "date": stamp(c.at)}
	parents := make([]object, 0, len(c.parents))
	for _, p := range c.parents {
		parents = append(parents, object{"sha": p, "url": r.api() + "/commits/" + p, "html_url": r.html() + "/commit/" + p})
	}
	return object{
		"sha": c.sha, "node_id": "C_" + c.sha, "url": r.api() + "/commits/" + c.sha, "html_url": r.html() + "/commit/" + c.sha,
		"comments_url": r.api() + "/commits/" + c.sha + "/comments", "author": r.s.userJSON(c.author), "committer": r.s.userJSON(c.author),
		"parents": parents,
		"commit": object{
			"author": who, "committer": who, "message": c.message, "tree": object{"sha": c.tree, "url": r.api() + "/git/trees/" + c.tree},
			"url": r.api() + "/git/commits/" + c.sha, "comment_count": 0,
			"verification": object{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil},
		},
	}
}

// getCompare compares from the merge base, as "..." does.
func getCompare(c *call) (answer, error) {
	from, to, found := strings.Cut(c.params["basehead"], "...")
	base, head := c.repo.end(from), c.repo.end(to)
	if !found || base == nil || head == nil {
		return answer{}, errNotFound
	}
	o := c.repo.objects
	fork := o.mergeBase(base.sha, head.sha)
	if fork == "" {
		return answer{}, refuse(http.StatusNotFound, "No common ancestor between "+from+" and "+to+".")
	}
	changes := o.compare(fork, head.sha)
	if c.wantsDiff() {
		return diffAnswer(changes)
	}
	ahead, behind := o.between(base.sha, head.sha), o.between(head.sha, base.sha)
	status := "identical"
	switch {
	case len(ahead) > 0 && len(behind) > 0:
		status = "diverged"
	case len(ahead) > 0:
		status = "ahead"
	case len(behind) > 0:
		status = "behind"
	}
	commits, header := page(c, ahead)
	list := make([]object, 0, len(commits))
	for _, one := range commits {
		list = append(list, c.repo.commitJSON(one))
	}
	files := []object{}
	if c.number("page", 1) == 1 { // files are on the first page only
		for _, one := range changes[:min(len(changes), maxDiffFiles)] {
			files = append(files, c.repo.fileJSON(one, head.sha))
		}
	}
	this := c.repo.html() + "/compare/" + base.sha + "..." + head.sha
	return answer{status: http.StatusOK, header: header, value: object{
		"url": c.repo.api() + "/compare/" + base.sha + "..." + head.sha, "html_url": this, "permalink_url": this, "diff_url": this + ".diff",
		"patch_url": this + ".patch", "base_commit": c.repo.commitJSON(base), "merge_base_commit": c.repo.commitJSON(o.commits[fork]),
		"status": status, "ahead_by": len(ahead), "behind_by": len(behind), "total_commits": len(ahead), "commits": list, "files": files,
	}}, nil
}

// end is a side of a comparison; "owner:branch" names a fork's.
func (r *Repo) end(ref string) *commit {
	owner, branch, fork := strings.Cut(ref, ":")
	if !fork {
		return r.resolve(ref)
	}
	for _, other := range r.s.byID {
		if strings.EqualFold(other.Owner, owner) && other.objects == r.objects {
			return other.resolve(branch)
		}
	}
	return nil
}

func getCommit(c *call) (answer, error) {
	one := c.repo.resolve(c.params["ref"])
	if one == nil {
		return answer{}, refuse(http.StatusUnprocessableEntity, "No commit found for SHA: "+c.params["ref"])
	}
	parent := ""
	if len(one.parents) > 0 {
		parent = one.parents[0]
	}
	o := c.repo.commitJSON(one)
	files := []object{}
	for _, change := range c.repo.objects.compare(parent, one.sha) {
		files = append(files, c.repo.fileJSON(change, one.sha))
	}
	o["files"] = files
	return ok(o)
}

func getTree(c *call) (answer, error) {
	o, sha := c.repo.objects, c.params["tree_sha"]
	if one := c.repo.resolve(sha); one != nil {
		sha = one.tree
	}
	if _, found := o.trees[sha]; !found {
		return answer{}, errNotFound
	}
	var list []object
	c.repo.walk(sha, "", c.query.Get("recursive") != "", &list)
	truncated := len(list) > c.s.maxTree
	if list = list[:min(len(list), c.s.maxTree)]; list == nil {
		list = []object{}
	}
	return ok(object{"sha": sha, "url": c.repo.api() + "/git/trees/" + sha, "tree": list, "truncated": truncated})
}

func (r *Repo) walk(tree, below string, deep bool, list *[]object) {
	for _, e := range r.objects.trees[tree] {
		mode := e.mode
		if mode == "40000" {
			mode = "040000"
		}
		o := object{"path": below + e.name, "mode": mode, "type": e.kind(), "sha": e.sha}
		switch e.kind() {
		case "blob":
			o["size"], o["url"] = len(r.objects.blobs[e.sha]), r.api()+"/git/blobs/"+e.sha
		case "tree":
			o["url"] = r.api() + "/git/trees/" + e.sha
		}
		*list = append(*list, o)
		if deep && e.kind() == "tree" {
			r.walk(e.sha, below+e.name+"/", deep, list)
		}
	}
}

func getBlob(c *call) (answer, error) {
	sha := c.params["file_sha"]
	content, found := c.repo.objects.blobs[sha]
	if !found {
		return answer{}, errNotFound
	}
	if strings.Contains(c.r.Header.Get("Accept"), "raw") {
		return answer{status: http.StatusOK, text: append([]byte{}, content...), kind: "application/vnd.github.raw; charset=utf-8"}, nil
	}
	return ok(object{
		"sha": sha, "node_id": nodeID("B", int64(len(content))), "size": len(content), "url": c.repo.api() + "/git/blobs/" + sha,
		"content": inLines(content), "encoding": "base64",
	})
}

// inLines is base64 in lines of 60 characters, as the API writes it.
func inLines(content []byte) string {
	text := base64.StdEncoding.EncodeToString(content)
	var lines strings.Builder
	for len(text) > 60 {
		lines.WriteString(text[:60] + "\n")
		text = text[60:]
	}
	if text != "" {
		lines.WriteString(text + "\n")
	}
	return lines.String()
}

func getContents(c *call) (answer, error) {
	ref := c.query.Get("ref")
	if ref == "" {
		ref = c.repo.defaultBranch
	}
	one := c.repo.resolve(ref)
	if one == nil {
		return answer{}, refuse(http.StatusNotFound, "No commit found for the ref "+ref)
	}
	name := strings.Trim(c.params["path"], "/")
	e, found := c.repo.objects.lookup(one.tree, name)
	if !found {
		return answer{}, errNotFound
	}
	if e.kind() == "tree" {
		list := []object{}
		for _, below := range c.repo.objects.trees[e.sha] {
			list = append(list, c.repo.contentJSON(below, path.Join(name, below.name), ref))
		}
		return ok(list)
	}
	content := c.repo.objects.blobs[e.sha]
	if strings.Contains(c.r.Header.Get("Accept"), "raw") {
		return answer{status: http.StatusOK, text: append([]byte{}, content...), kind: "application/vnd.github.raw; charset=utf-8"}, nil
	}
	o := c.repo.contentJSON(e, name, ref)
	switch {
	case e.mode == "160000":
		o["submodule_git_url"] = c.s.URL + "/" + name
	case e.mode == "120000":
		o["target"] = string(content)
	case len(content) > maxContents:
		o["content"], o["encoding"] = "", "none"
	default:
		o["content"], o["encoding"] = inLines(content), "base64"
	}
	return ok(o)
}

func (r *Repo) contentJSON(e entry, name, ref string) object {
	escaped := (&url.URL{Path: name}).EscapedPath()
	kind := map[string]string{"40000": "dir", "120000": "symlink", "160000": "submodule"}[e.mode]
	if kind == "" {
		kind = "file"
	}
	size := len(r.objects.blobs[e.sha])
	api := r.api() + "/contents/" + escaped + "?ref=" + url.QueryEscape(ref)
	git, html := r.api()+"/git/blobs/"+e.sha, r.html()+"/blob/"+ref+"/"+escaped
	return object{
		"type": kind, "size": size, "name": path.Base(name), "path": name, "sha": e.sha, "url": api, "git_url": git, "html_url": html,
		"download_url": r.s.URL + "/raw/" + r.full() + "/" + ref + "/" + escaped,
		"_links":       object{"self": api, "git": git, "html": html},
	}
}
