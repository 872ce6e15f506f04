package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/prdebate/debate/internal/config"
)

type configCmd struct {
	Check  configCheckCmd  `cmd:"" help:"Check a settings file; errors come with line and column."`
	Schema configSchemaCmd `cmd:"" help:"Print the JSON Schema of the settings, for editors."`
	Show   configShowCmd   `cmd:"" help:"Print the settings in force, with defaults."`
}

type configCheckCmd struct {
	File     string `arg:"" optional:"" default:".github/debate.yml" help:"File to check (default: ${default})."`
	Operator bool   `help:"Check it as the settings of an operator, who may set addresses, keys and commands."`
}

// Run checks one settings file.
func (c *configCheckCmd) Run(r *run) error {
	data, err := r.readLimited(c.File, config.MaxBytes)
	if err != nil {
		return err
	}
	parse := config.Parse
	if c.Operator {
		parse = config.ParseOperator
	}
	if _, err := parse(c.File, data); err != nil {
		return usage(err)
	}
	return r.emit("", []byte(c.File+": no errors\n"))
}

type configSchemaCmd struct{}

// Run prints the schema.
func (c *configSchemaCmd) Run(r *run) error { return r.emit("", config.Schema()) }

type configShowCmd struct {
	File string `arg:"" optional:"" default:".github/debate.yml" help:"Settings of the repository, as in the work tree (default: ${default})."`
}

// Run merges the user's own settings with those of the repository's file, if
// there are any, and prints the result.
func (c *configShowCmd) Run(r *run) error {
	operator, err := r.operatorConfig()
	if err != nil {
		return err
	}
	var repository config.Config
	data, err := os.ReadFile(r.path(c.File))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.progress("%s does not exist: these are the defaults and your own settings", c.File)
	case err != nil:
		return fmt.Errorf("read the settings: %w", err)
	default:
		if repository, err = config.Parse(c.File, data); err != nil {
			return usage(err)
		}
	}
	text, err := config.Show(config.Merge(operator, repository))
	if err != nil {
		return err
	}
	return r.emit("", text)
}
