//go:build !unix

package child

import "os/exec"

// Group does nothing: the end of its context kills the process alone.
func Group(*exec.Cmd) {}

// KillGroup does nothing.
func KillGroup(*exec.Cmd) {}
