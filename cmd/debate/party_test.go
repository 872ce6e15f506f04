package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// partyDir holds the program that plays the parties, for the time of the tests.
var partyDir string

// tests builds what the tests start, and runs them.
type tests struct{ *testing.M }

func (t tests) Run() (code int) {
	dir, err := os.MkdirTemp("", "party")
	if err == nil {
		partyDir = dir
		build := exec.Command("go", "build", "-o", dir, "../../internal/model/exec/exectest/party")
		build.Stderr = os.Stderr
		err = build.Run()
	}
	if err == nil {
		code = t.M.Run()
	} else {
		code = 1
	}
	if err = errors.Join(err, os.RemoveAll(dir)); err != nil {
		fmt.Fprintln(os.Stderr, "the program that plays the parties:", err)
	}
	return code
}

// withParty is a PATH on which that program is found.
func withParty(path string) string { return partyDir + string(os.PathListSeparator) + path }

// partyProgram is the path of that program.
func partyProgram() string { return filepath.Join(partyDir, "party") }
