package cli

import (
	"context"
	"net/http"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/policy"
)

// The repository that the action is taken from, and what init writes into others.
const (
	ownOwner, ownName = "prdebate", "debate"
	ownWorkflow       = ".github/workflows/debate.yml"
	pinTime           = 10 * time.Second // for GitHub to name a commit
)

// released is the version of a release, and of nothing between two.
var released = lazyregexp.New(`^v[0-9]+\.[0-9]+\.[0-9]+$`)

// pseudo is the version of a commit that has no tag.
var pseudo = lazyregexp.New(`[-.][0-9]{14}-[0-9a-f]{12}$`)

// ofBranch is what a workflow names where no commit is known.
const ofBranch = "main # replace main by the full commit that you have read"

// actionRef is the action at a commit, with the version of the program as a comment. A tag can
// be moved to other code, a commit cannot.
func actionRef(version, commit string) string {
	if !isPublic(version) {
		version = "no release"
	}
	return commit + " # " + version
}

// isPublic reports whether a version names code that others have.
func isPublic(version string) bool {
	return strings.HasPrefix(version, "v") && !strings.Contains(version, "+")
}

// workflowAt is a workflow that runs the action by a reference.
func workflowAt(workflow, ref string) string { return strings.ReplaceAll(workflow, "DEBATE_REF", ref) }

// revision is the commit that this program was built from, "" where its build
// does not say.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return lists.Find(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs.revision" }).Value
}

// sourceCommit is the commit of the clone that this program was built in, for "go run", which
// notes none; "" where the sources are elsewhere or no clone.
func (r *run) sourceCommit() string {
	_, file, _, _ := runtime.Caller(0)
	dir := filepath.Dir(file)
	if !filepath.IsAbs(file) || !exists(dir) {
		return ""
	}
	repo, err := gitrepo.Open(r.ctx, dir)
	if err != nil || filepath.Join(repo.Top(), "internal", "cli") != dir { // it is part of another one
		return ""
	}
	commit, _, _ := repo.Head(r.ctx)
	return commit
}

// publicCommit asks GitHub for the commit of this program's repository that a reference
// names. Nothing else is sent.
func (r *run) publicCommit(ref string) (string, error) {
	client, err := gh.New(gh.Options{
		Owner: ownOwner, Repo: ownName, UserAgent: "debate/" + Version(), Now: r.Now, Wait: r.Wait, HTTP: &http.Client{Transport: r.GitHub},
	})
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(r.ctx, pinTime)
	defer cancel()
	return client.Reader.CommitOf(ctx, ref)
}

// expectOwn tells policy of the files that init writes. What a workflow runs is known
// only of a release whose commit this program knows without asking: the commit that the
// action itself was taken at, or that the program was built from. A commit of somebody's
// fork can be named as one of our repository, too, so no other one will do.
func expectOwn(rules *policy.Rules, version, commit string) {
	rules.Expect(RepositoryConfig, string(config.Sample()))
	for _, p := range config.Proposals() {
		rules.Expect(RepositoryConfig, string(p.Text))
	}
	if !released().MatchString(version) || len(commit) != 40 {
		return
	}
	for _, workflow := range []string{plainWorkflow, splitWorkflow} {
		rules.Expect(ownWorkflow, workflowAt(workflow, actionRef(version, commit)))
	}
}
