//go:build unix

package gitrepo

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a process into a group of its own and makes the end of its
// context kill that group, so that nothing git started outlives it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
