package cli

import (
	_ "embed" // the files that init writes
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/gitrepo"
)

//go:embed templates/workflow.yml
var workflowTemplate string

type initCmd struct {
	Force bool `help:"Replace files that exist."`
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
		return usage(errors.New("a bare repository has no work tree to write into"))
	}
	files := []struct {
		name string
		data string
	}{
		{".github/debate.yml", string(config.Sample())},
		{".github/workflows/debate.yml", strings.ReplaceAll(workflowTemplate, "DEBATE_VERSION", installable(version()))},
	}
	for _, f := range files {
		path := filepath.Join(top, filepath.FromSlash(f.name))
		if _, err := os.Lstat(path); err == nil && !c.Force {
			if err := r.say("%s exists and stays as it is (--force replaces it)", f.name); err != nil {
				return err
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("cannot make the directory of %s: %w", f.name, reason(err))
		}
		if err := replaceFile(path, []byte(f.data)); err != nil {
			return fmt.Errorf("cannot write %s: %w", f.name, reason(err))
		}
		if err := r.say("wrote %s", f.name); err != nil {
			return err
		}
	}
	return r.say("review the two files, commit them, and open a pull request: the report is in the job's summary\n" +
		"(that first one ends with exit code 3: how changes are reviewed is for a human to decide)")
}

// installable is the version that a workflow installs: this one, unless it was
// built from sources that nobody else has.
func installable(version string) string {
	if !strings.HasPrefix(version, "v") || strings.Contains(version, "+") {
		return "latest"
	}
	return version
}
