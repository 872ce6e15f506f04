//go:build unix

package process

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// TestWhatCannotBeStarted: the reason is what the system says, with what to do about a script
// whose first line is wrong, and without the words of Go's library.
func TestWhatCannotBeStarted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const hint = "; the first line of a script has to name a program that is there, such as #!/bin/sh"
	for name, c := range map[string]struct {
		text, says string
		class      debate.CallStatus
	}{
		"no-first-line": {"echo hi\n", "exec format error" + hint, debate.CallError},
		"no-shell":      {"#!/no/such/shell\n", "no such file or directory" + hint, debate.CallNotFound},
		"gone":          {"", "no such file or directory", debate.CallNotFound},
	} {
		path := filepath.Join(dir, name)
		if c.text != "" {
			syscall.ForkLock.RLock() // a child that inherits it open could not be started ("text file busy")
			err := os.WriteFile(path, []byte(c.text), 0o755)
			syscall.ForkLock.RUnlock()
			if err != nil {
				t.Fatal(err)
			}
		}
		_, err := Run(t.Context(), Command{Path: path, Dir: dir, Most: 100})
		var failed *model.Error
		if !errors.As(err, &failed) || failed.Class != c.class || !strings.HasSuffix(failed.Detail, path+`" cannot be run: `+c.says) || strings.Contains(failed.Detail, "fork/exec") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
