package cli

import (
	"bytes"
	"cmp"
	"context"
	_ "embed" // the files for init
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
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

// The workflows: one job; three jobs with separate rights; and four, with one for tests of
// models.
var (
	//go:embed templates/workflow.yml
	plainWorkflow string
	//go:embed templates/split.yml
	splitWorkflow string
	//go:embed templates/tests.yml
	testsWorkflow string
)

type initCmd struct {
	Force bool `help:"Replace files that exist."`
	Split bool `help:"Write the workflow for public repositories: three jobs, and none has both a key and write access."`
	Tests bool `help:"With --split: add a job without secrets for tests written by models."`
}

// Run writes the workflow and the commented settings. It keeps existing files, unless
// --force is set.
func (c *initCmd) Run(r *run) error {
	repo, err := gitrepo.Open(r.ctx, r.Dir)
	if err != nil {
		return err
	}
	top := repo.Top()
	if top == "" {
		return usage(errors.New("this repository is bare, so there is no work tree to write the files into; run this in a clone"))
	}
	if c.Tests && !c.Split {
		return usage(errors.New("--tests needs --split: a job that runs tests of models must have no secret"))
	}
	if c.Split && !c.Force {
		if present, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(ownWorkflow))); err == nil && !bytes.Contains(present, []byte("stage: collect")) {
			return usage(fmt.Errorf("%s exists, and is not the workflow of three jobs: --split --force replaces it; nothing was written", ownWorkflow))
		}
	}
	settings, err := c.write(r, top, debate.SettingsFile, func() string { // with the tests of its language in comments
		for _, p := range config.Proposals() {
			if slices.ContainsFunc(p.Signs, func(name string) bool { return exists(filepath.Join(top, name)) }) {
				return string(p.Text)
			}
		}
		return string(config.Sample())
	})
	if err != nil {
		return err
	}
	known, advice := false, ""
	workflow, err := c.write(r, top, ownWorkflow, func() (text string) {
		text, known, advice = r.reference(Version(), cmp.Or(revision(), r.sourceCommit()))
		switch {
		case c.Tests:
			return workflowAt(testsWorkflow, text)
		case c.Split:
			return workflowAt(splitWorkflow, text)
		}
		return workflowAt(plainWorkflow, text)
	})
	if err != nil {
		return err
	}
	if advice != "" {
		if err := r.say("\n%s", advice); err != nil {
			return err
		}
	}
	firstPull := " A person has to accept it, since it changes how changes are reviewed." // the pull request with the two files
	switch {
	case !workflow: // unknown for a kept one
		firstPull = ""
	case c.Split:
		firstPull = " debate does not look at it: the workflow runs from the default branch."
	case settings && known:
		firstPull = " debate asks no person about these files as they are now; once you change them, a person has to accept it."
	}
	return r.say("\nWhat to do next:\n"+
		"1. Read the two files.\n"+
		"2. Add your API keys as secrets of the repository, and a random one that seals the Action's memory:\n"+
		"     gh secret set ANTHROPIC_API_KEY\n"+
		"     gh secret set OPENAI_API_KEY\n"+
		"     gh secret set GEMINI_API_KEY\n"+
		"     openssl rand -hex 32 | gh secret set DEBATE_STATE_KEY\n"+
		"3. Open a pull request with both files and merge it. Commands in comments work after that.%s\n"+
		"4. Nothing stops a merge yet. Require the check \"debate\" in a branch rule: then open decisions stop one.\n"+
		"   With gate: required in .github/debate.yml every result that is not a success stops one, too.", firstPull)
}

// write writes a file of the repository and reports whether it did: it keeps an existing
// file unless --force is set.
func (c *initCmd) write(r *run, top, name string, text func() string) (written bool, err error) {
	path := filepath.Join(top, filepath.FromSlash(name))
	if _, err := os.Lstat(path); err == nil && !c.Force {
		return false, r.say("kept  %s, which exists (--force replaces it)", name)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return false, fmt.Errorf("cannot make the directory of %s: %w", name, systemError(err))
	}
	if err := replaceFile(path, []byte(text())); err != nil {
		return false, fmt.Errorf("cannot write %s: %w", name, systemError(err))
	}
	return true, r.say("wrote %s", name)
}

// The repository of the action, and the workflow that init writes.
const (
	ownOwner, ownName = "prdebate", "debate"
	ownWorkflow       = ".github/workflows/debate.yml"
	pinTime           = 10 * time.Second // limit for GitHub's answer
)

// released is the version of a release.
var released = lazyregexp.New(`^v[0-9]+\.[0-9]+\.[0-9]+$`)

// reference names the action by the commit of this build. A release without one asks GitHub for
// the commit of its tag, and sends nothing else. Known reports whether it is the commit of a
// release; advice is for the user, "" for none.
func (r *run) reference(version, commit string) (text string, known bool, advice string) {
	const page = "github.com/" + ownOwner + "/" + ownName
	known = released().MatchString(version)
	why := "this program does not know the commit that it was built from"
	if known && len(commit) != 40 {
		client, err := r.github(gh.Options{Owner: ownOwner, Repo: ownName})
		if err == nil {
			ctx, cancel := context.WithTimeout(r.ctx, pinTime)
			defer cancel()
			commit, err = client.Reader.CommitOf(ctx, "tags/"+version)
		}
		if err != nil {
			why = err.Error()
		}
	}
	switch {
	case len(commit) != 40:
		return "main # replace main by the full commit that you have read", false, "The workflow names the action by the branch main, which changes: " + why + ".\n" +
			"Put in its place the full commit that you have read. This lists them:\n     git ls-remote https://" + page
	case !known:
		advice = "The workflow names the action by a commit that is no release. Read it before you use it:\nhttps://" + page + "/tree/" + commit
	}
	return actionRef(version, commit), known, advice
}

// actionRef is the action at a commit, with the release as a comment. A tag can be moved to
// other code, a commit cannot.
func actionRef(version, commit string) string {
	if !released().MatchString(version) {
		version = "no release"
	}
	return commit + " # " + version
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

// sourceCommit is the commit of the clone with the source of this program: "go run" records
// none. "" if there is no such clone.
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
