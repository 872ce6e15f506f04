package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
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
		isolate()
		debug.SetGCPercent(400) // tests make much garbage, and end soon
		build := exec.Command("go", "build", "-o", dir, "../../internal/testkit/exectest/party")
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

// isolate puts that program on PATH, and hides the settings of git of the developer
// from what runs in this process.
func isolate() {
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") {
			os.Unsetenv(name)
		}
	}
	for name, value := range map[string]string{
		"PATH":                partyDir + string(os.PathListSeparator) + os.Getenv("PATH"),
		"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull,
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.excludesFile", "GIT_CONFIG_VALUE_0": os.DevNull,
	} {
		os.Setenv(name, value)
	}
}

// partyProgram is the path of that program.
func partyProgram() string { return filepath.Join(partyDir, "party") }
