//go:build !unix

package cli

import (
	"fmt"
	"os"
)

// runInstead runs another program and ends with its exit code. A Ctrl-C in the console
// reaches both, and this process waits for the other one.
func runInstead(path string, args, environ []string) error {
	started, err := os.StartProcess(path, args, &os.ProcAttr{Env: environ, Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		return fmt.Errorf("run %s: %w", path, err)
	}
	ended, err := started.Wait()
	if err != nil {
		return fmt.Errorf("run %s: %w", path, err)
	}
	return &exitError{code: ended.ExitCode()}
}
