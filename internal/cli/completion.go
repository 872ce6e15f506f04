package cli

import (
	"path"
	"runtime"
)

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
