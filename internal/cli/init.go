package cli

import (
	"bytes"
	"cmp"
	_ "embed" // the files for init
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/gitrepo"
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
	Split bool `help:"Write the workflow for public repositories: three jobs, none of which holds both a key and the right to write."`
	Tests bool `help:"With --split: add a job without secrets that runs the tests that models write."`
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
	settings, err := c.write(r, top, debate.SettingsFile, func() string { return proposal(top) })
	if err != nil {
		return err
	}
	named := reference{}
	workflow, err := c.write(r, top, ownWorkflow, func() string {
		named = r.reference(Version(), cmp.Or(revision(), r.sourceCommit()))
		switch {
		case c.Tests:
			return workflowAt(testsWorkflow, named.text)
		case c.Split:
			return workflowAt(splitWorkflow, named.text)
		}
		return workflowAt(plainWorkflow, named.text)
	})
	if err != nil {
		return err
	}
	if named.advice != "" {
		if err := r.say("\n%s", named.advice); err != nil {
			return err
		}
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
		"   With gate: required in .github/debate.yml every result that is not a success stops one, too.", c.firstPull(settings, workflow, named.known))
}

// proposal are the settings for a repository, with the tests of its language in comments.
func proposal(top string) string {
	for _, p := range config.Proposals() {
		if slices.ContainsFunc(p.Signs, func(name string) bool { return exists(filepath.Join(top, name)) }) {
			return string(p.Text)
		}
	}
	return string(config.Sample())
}

// firstPull describes the effect on the pull request with the two files. It is unknown for
// a kept workflow.
func (c *initCmd) firstPull(settings, workflow, known bool) string {
	switch {
	case !workflow:
		return ""
	case c.Split:
		return " debate does not look at it: the workflow runs from the default branch."
	case settings && known:
		return " debate asks no person about these files as they are now; once you change them, a person has to accept it."
	}
	return " A person has to accept it, since it changes how changes are reviewed."
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

// reference is the action's name in a workflow.
type reference struct {
	text   string
	known  bool   // it is the commit of a release
	advice string // for the user, "" for none
}

// reference names the action by the commit of this build. If the build has none, it asks
// GitHub for the commit of the version, else for the newest one.
func (r *run) reference(version, commit string) reference {
	const fetch = "     git ls-remote https://github.com/" + ownOwner + "/" + ownName + " refs/"
	isTag := isPublic(version) && !pseudo().MatchString(version)
	ref := "heads/main"
	switch {
	case isTag:
		ref = "tags/" + version
	case isPublic(version):
		ref = version[len(version)-12:]
	}
	if len(commit) == 40 {
		known := reference{text: actionRef(version, commit), known: released().MatchString(version)}
		if !isPublic(version) {
			known.advice = "The workflow names the action by the commit that this program was built from: this debate is no release.\n" +
				"If github.com/" + ownOwner + "/" + ownName + " does not have that commit, put another one in its place."
		}
		return known
	}
	commit, err := r.publicCommit(ref)
	var lost *gh.UnavailableError
	why := ""
	switch {
	case errors.As(err, &lost):
		why = lost.Cause()
	case err != nil:
		why = err.Error()
	}
	switch {
	case err == nil && ref == "heads/main":
		return reference{text: actionRef(version, commit), advice: "The workflow names the newest commit of the action: this program does not know the commit that it was built from.\n" +
			"Read it before you use it: https://github.com/" + ownOwner + "/" + ownName + "/tree/" + commit}
	case err == nil:
		return reference{text: actionRef(version, commit), known: released().MatchString(version)}
	case isTag:
		return reference{text: version + " # replace the tag by its full commit", advice: fmt.Sprintf("The workflow names the action by its tag %s, which could be moved to other code: %s.\n"+
			"Put in its place the commit that this prints:\n"+fetch+"tags/%s", version, why, version)}
	}
	return reference{text: ofBranch, advice: fmt.Sprintf("The workflow names the action by the branch main, which changes: %s.\n"+
		"Put in its place the full commit that you have read. This prints the newest one:\n"+fetch+"heads/main", why)}
}
