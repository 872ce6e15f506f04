package cli

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestUsersShell: without an argument the script is that of the user's shell.
func TestUsersShell(t *testing.T) {
	t.Parallel()
	for shell, want := range map[string]string{"/usr/bin/fish": "fish", "/bin/zsh": "zsh", "bash": "bash"} {
		if got := usersShell(func(string) string { return shell }); got != want {
			t.Errorf("%s: %s, want %s", shell, got, want)
		}
	}
	if got := usersShell(func(string) string { return "/bin/tcsh" }); completionScripts[got] == "" {
		t.Errorf("a shell without a script: %s", got)
	}
}

// TestCompletionScriptsParse: each shell that is here takes its script.
func TestCompletionScriptsParse(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, shell := range []string{"bash", "zsh", "fish"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not here", shell)
			continue
		}
		tried++
		cmd := exec.Command(path, "-n")
		cmd.Stdin, cmd.Env = strings.NewReader(completionScripts[shell]), []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
	if tried == 0 {
		t.Skip("none of bash, zsh and fish is here, so no script was tried")
	}
}
