package ghtest

import (
	"cmp"
	"encoding/base64"
	"net/http"
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
		get(inRepo+"/commits/{ref}", needsContents, on(theCommit, getCommit)),
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

// comparisons are what a comparison comes to, by whether there are commits ahead and behind.
var comparisons = map[[2]bool]string{
	{false, false}: "identical", {true, false}: "ahead", {false, true}: "behind", {true, true}: "diverged",
}

// getCompare compares from the merge base, as "..." does.
func getCompare(c *call) (answer, error) {
	from, to, _ := strings.Cut(c.params["basehead"], "...")
	base, head, here := c.end(from), c.end(to), c.repo.address()
	if base == nil || head == nil {
		return answer{}, errNotFound
	}
	o := c.repo.git.objects
	fork := o.mergeBase(base.sha, head.sha)
	if fork == "" {
		return answer{}, refuse(http.StatusNotFound, "No common ancestor between "+from+" and "+to+".")
	}
	changes := o.compare(fork, head.sha)
	if c.wantsDiff() {
		return diffAnswer(changes)
	}
	ahead, behind := o.between(base.sha, head.sha), o.between(head.sha, base.sha)
	commits, header := page(c, ahead)
	list := make([]object, 0, len(commits))
	for _, one := range commits {
		list = append(list, here.commit(one))
	}
	files := []object{}
	if c.number("page", 1) == 1 { // files are on the first page only
		for _, one := range changes[:min(len(changes), maxDiffFiles)] {
			files = append(files, here.file(one, head.sha))
		}
	}
	this := here.html() + "/compare/" + base.sha + "..." + head.sha
	return answer{status: http.StatusOK, header: header, value: object{
		"url": here.api() + "/compare/" + base.sha + "..." + head.sha, "html_url": this, "permalink_url": this, "diff_url": this + ".diff",
		"patch_url": this + ".patch", "base_commit": here.commit(base), "merge_base_commit": here.commit(o.commits[fork]),
		"status": comparisons[[2]bool{len(ahead) > 0, len(behind) > 0}], "ahead_by": len(ahead), "behind_by": len(behind), "total_commits": len(ahead), "commits": list, "files": files,
	}}, nil
}

// end is a side of a comparison, nil for none; "owner:branch" names a fork's.
func (c *call) end(ref string) *commit {
	owner, branch, isOther := strings.Cut(ref, ":")
	if !isOther {
		return c.repo.git.resolve(ref)
	}
	if r := c.world.repos.by(owner, c.repo); r != nil {
		return r.git.resolve(branch)
	}
	return nil
}

// theCommit is the commit that the path names, by a branch too.
func theCommit(c *call) (*commit, error) {
	ref := cmp.Or(c.params["ref"], c.params["commit_sha"])
	one := c.repo.git.resolve(ref)
	if one == nil {
		return nil, refuse(http.StatusUnprocessableEntity, "No commit found for SHA: "+ref)
	}
	return one, nil
}

func getCommit(c *call, one *commit) (answer, error) {
	parent := ""
	if len(one.parents) > 0 {
		parent = one.parents[0]
	}
	here := c.repo.address()
	o := here.commit(one)
	files := []object{}
	for _, change := range c.repo.git.objects.compare(parent, one.sha) {
		files = append(files, here.file(change, one.sha))
	}
	o["files"] = files
	return ok(o)
}

func getTree(c *call) (answer, error) {
	o, here, sha := c.repo.git.objects, c.repo.address(), c.params["tree_sha"]
	if one := c.repo.git.resolve(sha); one != nil {
		sha = one.tree
	}
	if _, found := o.trees[sha]; !found {
		return answer{}, errNotFound
	}
	list := []object{}
	o.walk(sha, "", c.query.Get("recursive") != "", func(path string, e entry) {
		list = append(list, here.entry(e, len(o.blobs[e.sha]), path))
	})
	shown := list[:min(len(list), c.maxTree)]
	return ok(object{"sha": sha, "url": here.api() + "/git/trees/" + sha, "tree": shown, "truncated": len(shown) < len(list)})
}

func getBlob(c *call) (answer, error) {
	sha := c.params["file_sha"]
	content, found := c.repo.git.objects.blobs[sha]
	if !found {
		return answer{}, errNotFound
	}
	if strings.Contains(c.r.Header.Get("Accept"), "raw") {
		return answer{status: http.StatusOK, text: append([]byte{}, content...), kind: "application/vnd.github.raw; charset=utf-8"}, nil
	}
	return ok(object{
		"sha": sha, "node_id": nodeID("B", int64(len(content))), "size": len(content), "url": c.repo.address().api() + "/git/blobs/" + sha,
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
	ref := cmp.Or(c.query.Get("ref"), c.repo.git.trunk)
	one := c.repo.git.resolve(ref)
	if one == nil {
		return answer{}, refuse(http.StatusNotFound, "No commit found for the ref "+ref)
	}
	name := strings.Trim(c.params["path"], "/")
	e, found := c.repo.git.objects.lookup(one.tree, name)
	if !found {
		return answer{}, errNotFound
	}
	here := c.repo.address()
	if e.kind() == "tree" {
		list := []object{}
		for _, below := range c.repo.git.objects.trees[e.sha] {
			list = append(list, here.content(below, len(c.repo.git.objects.blobs[below.sha]), path.Join(name, below.name), ref))
		}
		return ok(list)
	}
	content := c.repo.git.objects.blobs[e.sha]
	if strings.Contains(c.r.Header.Get("Accept"), "raw") {
		return answer{status: http.StatusOK, text: append([]byte{}, content...), kind: "application/vnd.github.raw; charset=utf-8"}, nil
	}
	o := here.content(e, len(content), name, ref)
	switch {
	case e.mode == "160000":
		o["submodule_git_url"] = string(c.world.site) + "/" + name
	case e.mode == "120000":
		o["target"] = string(content)
	case len(content) > maxContents:
		o["content"], o["encoding"] = "", "none"
	default:
		o["content"], o["encoding"] = inLines(content), "base64"
	}
	return ok(o)
}
