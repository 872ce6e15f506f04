//go:build unix

package gitrepo

import (
	"os/exec"
	"syscall"
)

// ownGroup starts a process in its own group. The end of its context kills the group,
// so no child of git outlives it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
