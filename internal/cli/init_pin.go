package cli

import (
	"context"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/policy"
)

// The repository of the action, and the workflow that init writes.
const (
	ownOwner, ownName = "prdebate", "debate"
	ownWorkflow       = ".github/workflows/debate.yml"
	pinTime           = 10 * time.Second // limit for GitHub's answer
)

// released is the version of a release, and of nothing between two.
var released = lazyregexp.New(`^v[0-9]+\.[0-9]+\.[0-9]+$`)

// pseudo is the version of a commit without a tag.
var pseudo = lazyregexp.New(`[-.][0-9]{14}-[0-9a-f]{12}$`)

// ofBranch is the reference if no commit is known.
const ofBranch = "main # replace main by the full commit that you have read"

// actionRef is the action at a commit, with the version of the program as a comment. A tag can
// be moved to other code, a commit cannot.
func actionRef(version, commit string) string {
	if !isPublic(version) {
		version = "no release"
	}
	return commit + " # " + version
}

// isPublic reports whether a version names published code.
func isPublic(version string) bool {
	return strings.HasPrefix(version, "v") && !strings.Contains(version, "+")
}

// workflowAt inserts the action's reference into a workflow.
func workflowAt(workflow, ref string) string { return strings.ReplaceAll(workflow, "DEBATE_REF", ref) }

// revision returns the commit of this build, "" if unknown.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return lists.Find(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs.revision" }).Value
}

// sourceCommit returns the commit of the source directory, because "go run" records none;
// "" if it is no clone.
func (r *run) sourceCommit() string {
	_, file, _, _ := runtime.Caller(0)
	dir := filepath.Dir(file)
	if !filepath.IsAbs(file) || !exists(dir) {
		return ""
	}
	repo, err := gitrepo.Open(r.ctx, dir)
	if err != nil || filepath.Join(repo.Top(), "internal", "cli") != dir { // part of another repository
		return ""
	}
	commit, _, _ := repo.Head(r.ctx)
	return commit
}

// publicCommit asks GitHub for the commit of a reference in this program's repository. It
// sends nothing else.
func (r *run) publicCommit(ref string) (string, error) {
	client, err := r.github(gh.Options{Owner: ownOwner, Repo: ownName})
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(r.ctx, pinTime)
	defer cancel()
	return client.Reader.CommitOf(ctx, ref)
}

// expectOwn tells policy the files of init. It knows the workflow only for a release with a
// known commit: the action's own or this build's. A commit of a fork can be named as one of
// our repository, so no other commit counts.
func expectOwn(rules *policy.Rules, version, commit string) {
	rules.Expect(debate.SettingsFile, string(config.Sample()))
	for _, p := range config.Proposals() {
		rules.Expect(debate.SettingsFile, string(p.Text))
	}
	if !released().MatchString(version) || len(commit) != 40 {
		return
	}
	for _, workflow := range []string{plainWorkflow, splitWorkflow} {
		rules.Expect(ownWorkflow, workflowAt(workflow, actionRef(version, commit)))
	}
}
