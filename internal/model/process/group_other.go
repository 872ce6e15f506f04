//go:build !unix

package process

import osexec "os/exec"

// ownGroup does nothing: the end of its context kills the process alone.
func ownGroup(*osexec.Cmd) {}

// killGroup does nothing.
func killGroup(*osexec.Cmd) {}
