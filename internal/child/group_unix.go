//go:build unix

package child

import (
	"os/exec"
	"syscall"
)

// Group puts a process into its own group, and lets the end of its context kill the group.
func Group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// KillGroup kills the rest of the group of an ended process. Mostly there is none, and the
// system reports an error.
func KillGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
