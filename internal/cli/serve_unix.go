//go:build unix

package cli

import (
	"fmt"
	"syscall"
)

// runInstead puts another program in the place of this process: it has its number, its
// signals and its exit code.
func runInstead(path string, args, environ []string) error {
	return fmt.Errorf("run %s: %w", path, syscall.Exec(path, args, environ))
}
