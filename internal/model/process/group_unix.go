//go:build unix

package process

import (
	osexec "os/exec"
	"syscall"
)

// ownGroup puts a process into its own group, and lets the end of its context kill the group.
func ownGroup(cmd *osexec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// killGroup kills the rest of the group of an ended process. Mostly there is none, and the
// system reports an error.
func killGroup(cmd *osexec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
