package cli

import (
	_ "embed" // the files that init writes
	"errors"
	"fmt"
	"io/fs"
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
	module := version()
	if !strings.HasPrefix(module, "v") {
		module = "latest"
	}
	files := []struct {
		name string
		data string
	}{
		{".github/debate.yml", string(config.Sample())},
		{".github/workflows/debate.yml", strings.ReplaceAll(workflowTemplate, "DEBATE_VERSION", module)},
	}
	for _, f := range files {
		path := filepath.Join(top, filepath.FromSlash(f.name))
		if _, err := os.Lstat(path); err == nil && !c.Force {
			r.say("%s exists and stays as it is (--force replaces it)", f.name)
			continue
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("make the directory of %s: %w", f.name, err)
		}
		if err := replaceFile(path, []byte(f.data)); err != nil {
			return fmt.Errorf("write %s: %w", f.name, err)
		}
		r.say("wrote %s", f.name)
	}
	r.say("review the two files, commit them, and open a pull request: the report is in the job's summary")
	return nil
}

// say prints one line of a result.
func (r *run) say(format string, args ...any) {
	fmt.Fprintf(r.Stdout, format+"\n", args...)
}
