package cli

import (
	_ "embed" // the files that init writes
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/gitrepo"
)

// The workflows: one job, or three that share no rights.
var (
	//go:embed templates/workflow.yml
	plainWorkflow string
	//go:embed templates/split.yml
	splitWorkflow string
)

type initCmd struct {
	Force bool `help:"Replace files that exist."`
	Split bool `help:"Write the workflow for public repositories: three jobs, none of which holds both a key and the right to write."`
}

// Run writes the workflow and the commented settings. Files that exist stay,
// unless --force says otherwise.
func (c *initCmd) Run(r *run) error {
	repo, err := gitrepo.Open(r.ctx, r.Dir)
	if err != nil {
		return err
	}
	top := repo.Top()
	if top == "" {
		return usage(errors.New("this repository is bare, so there is no work tree to write the files into; run this in a clone"))
	}
	workflow := plainWorkflow
	if c.Split {
		workflow = splitWorkflow
	}
	files := []struct {
		name string
		data string
	}{
		{".github/debate.yml", string(config.Sample())},
		{".github/workflows/debate.yml", strings.ReplaceAll(workflow, "DEBATE_REF", actionRef(version(), revision()))},
	}
	for _, f := range files {
		path := filepath.Join(top, filepath.FromSlash(f.name))
		if _, err := os.Lstat(path); err == nil && !c.Force {
			if err := r.say("kept  %s, which exists (--force replaces it)", f.name); err != nil {
				return err
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("cannot make the directory of %s: %w", f.name, bare(err))
		}
		if err := replaceFile(path, []byte(f.data)); err != nil {
			return fmt.Errorf("cannot write %s: %w", f.name, bare(err))
		}
		if err := r.say("wrote %s", f.name); err != nil {
			return err
		}
	}
	return r.say("\nWhat to do next:\n" +
		"1. Read the two files.\n" +
		"2. Add the API keys that you have as secrets of the repository, and one of your own making for what the Action remembers:\n" +
		"     gh secret set ANTHROPIC_API_KEY\n" +
		"     gh secret set OPENAI_API_KEY\n" +
		"     gh secret set GEMINI_API_KEY\n" +
		"     openssl rand -hex 32 | gh secret set DEBATE_STATE_KEY\n" +
		"3. Commit the files and open a pull request. A person has to accept it, since it changes how changes are reviewed.\n" +
		"4. To block merges, set gate: required in .github/debate.yml and require the check \"debate\" in a branch rule.\n" +
		"   Until then only open decisions stop one.")
}

// actionRef is the commit of the action that a workflow runs, with the version
// beside it: the one that this program was built from, unless it was built from
// sources that nobody else has. A tag can be moved to other code, a commit cannot.
func actionRef(version, revision string) string {
	switch {
	case !strings.HasPrefix(version, "v") || strings.Contains(version, "+"):
		return "main # replace main by the full commit that you have read"
	case len(revision) == 40:
		return revision + " # " + version
	}
	return version + " # replace the tag by its full commit"
}

// revision is the commit that this program was built from, "" where its build
// does not say.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}
