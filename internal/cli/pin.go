package cli

import (
	"context"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/policy"
)

// The repository that the action is taken from, and what init writes into others.
const (
	ownOwner, ownName = "prdebate", "debate"
	ownWorkflow       = ".github/workflows/debate.yml"
	pinTime           = 10 * time.Second // for GitHub to name the commit of a tag
)

// released is the version of a release, and of nothing between two.
var released = lazyregexp.New(`^v[0-9]+\.[0-9]+\.[0-9]+$`)

// pseudo is the version of a commit that has no tag.
var pseudo = lazyregexp.New(`[-.][0-9]{14}-[0-9a-f]{12}$`)

// ofBranch is what a workflow names where no commit is known.
const ofBranch = "main # replace main by the full commit that you have read"

// actionRef is the commit of the action that a workflow runs, with the version
// beside it: the one that this program was built from, unless it was built from
// sources that nobody else has. A tag can be moved to other code, a commit cannot.
func actionRef(version, revision string) string {
	switch {
	case !strings.HasPrefix(version, "v") || strings.Contains(version, "+"):
		return ofBranch
	case len(revision) == 40:
		return revision + " # " + version
	case pseudo().MatchString(version): // GitHub knows no tag of this name
		return ofBranch
	}
	return version + " # replace the tag by its full commit"
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

// tagCommit asks GitHub for the commit of a version of this program. Nothing but the
// name of the tag is sent.
func (r *run) tagCommit(version string) (string, error) {
	client, err := gh.New(gh.Options{
		Owner: ownOwner, Repo: ownName, UserAgent: "debate/" + version, Now: r.Now, Wait: r.Wait, HTTP: &http.Client{Transport: r.GitHub},
	})
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(r.ctx, pinTime)
	defer cancel()
	return client.Reader.Tag(ctx, version)
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
