//go:build !unix

package gitrepo

import "os/exec"

// ownGroup leaves the process as it is: there are no process groups here, and the
// end of the context kills git itself.
func ownGroup(*exec.Cmd) {}
