package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gitrepo"
)

type configCmd struct {
	Check  configCheckCmd  `cmd:"" help:"Check a settings file. Errors have a line and a column."`
	Schema configSchemaCmd `cmd:"" help:"Print the JSON Schema of the settings, for editors."`
	Show   configShowCmd   `cmd:"" help:"Print the settings in force, with defaults."`
}

type configCheckCmd struct {
	File     string `arg:"" optional:"" help:"File to check (default: .github/debate.yml of the repository)."`
	Operator bool   `help:"Check it as the settings of an operator: they may set addresses, keys and commands."`
}

// Run checks one settings file.
func (c *configCheckCmd) Run(r *run) error {
	name, path := r.settingsFile(c.File)
	data, err := r.readLimited(path, config.MaxBytes)
	if c.File == "" && errors.Is(err, fs.ErrNotExist) {
		return usage(fmt.Errorf("there is no %s here, so the defaults hold; debate init writes one", name))
	}
	if err != nil {
		return err
	}
	parse := r.vocabulary().Parse
	own := r.operatorFile()
	operator := c.Operator || own != "" && sameFile(r.path(path), own)
	if operator {
		parse = r.vocabulary().ParseOperator
	}
	_, err = parse(name, data)
	var lines config.Errors
	if errors.As(err, &lines) && !operator {
		for i := range lines {
			if lines[i].OperatorOnly {
				lines[i].Message += "; --operator checks a file as that of an operator"
			}
		}
	}
	if err != nil {
		return err
	}
	return r.emit("", []byte(name+": no errors\n"))
}

type configSchemaCmd struct{}

// Run prints the schema.
func (c *configSchemaCmd) Run(r *run) error { return r.emit("", config.Schema()) }

type configShowCmd struct {
	Config string `placeholder:"FILE" help:"Settings to use in place of the repository's, as in a review."`
}

// Run merges the user's own settings with those of the repository's file, if
// there are any, and prints the result.
func (c *configShowCmd) Run(r *run) error {
	first, second, err := r.layers(c.Config, "", func() (config.Config, error) {
		repository, err := r.repositoryConfig()
		if errors.Is(err, fs.ErrNotExist) {
			r.progress("%s does not exist: these are the defaults and your own settings", debate.SettingsFile)
			err = nil
		}
		return repository, err
	})
	if err != nil {
		return err
	}
	text, err := config.Show(config.Merge(first, second))
	if err != nil {
		return err
	}
	return r.emit("", text)
}

// settingsFile returns the name and the path of a settings file. The default is the file at
// the top of the repository, from any directory in it.
func (r *run) settingsFile(asked string) (name, path string) {
	if asked != "" {
		return asked, asked
	}
	if repo, err := gitrepo.Open(r.ctx, r.Dir); err == nil && repo.Top() != "" {
		return debate.SettingsFile, filepath.Join(repo.Top(), filepath.FromSlash(debate.SettingsFile))
	}
	return debate.SettingsFile, debate.SettingsFile
}

// repositoryConfig reads the settings file of the repository in the work tree.
func (r *run) repositoryConfig() (config.Config, error) {
	name, path := r.settingsFile("")
	data, err := r.readLimited(path, config.MaxBytes)
	if err != nil {
		return config.Config{}, err
	}
	return r.vocabulary().Parse(name, data)
}

type completionCmd struct {
	Shell string `arg:"" optional:"" enum:"bash,zsh,fish,powershell" default:"${shell}" help:"bash, zsh, fish or powershell (default: yours)."`
}

// completionScripts switch completion on, by shell. The shell then calls this program with
// the line so far in COMP_LINE.
var completionScripts = map[string]string{
	"bash": "complete -C debate debate\n",
	"zsh":  "autoload -U +X bashcompinit && bashcompinit\ncomplete -C debate debate\n",
	"fish": `function __complete_debate
    set -lx COMP_LINE (commandline -cp)
    test -z (commandline -ct)
    and set COMP_LINE "$COMP_LINE "
    debate
end
complete -f -c debate -a "(__complete_debate)"
`,
	"powershell": `Register-ArgumentCompleter -Native -CommandName debate -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $length = $cursorPosition - $commandAst.Extent.StartOffset
    $env:COMP_LINE = $commandAst.Extent.Text.PadRight($length).Substring(0, $length)
    try {
        debate | Where-Object { $_ } | ForEach-Object {
            [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
        }
    } finally {
        Remove-Item Env:COMP_LINE
    }
}
`,
}

// Run prints the script.
func (c *completionCmd) Run(r *run) error { return r.emit("", []byte(completionScripts[c.Shell])) }

// usersShell returns the shell of the environment if completionScripts has it.
func usersShell(getenv func(string) string) string {
	named := path.Base(getenv("SHELL"))
	switch _, known := completionScripts[named]; {
	case known:
		return named
	case runtime.GOOS == "windows":
		return "powershell"
	}
	return "bash"
}
