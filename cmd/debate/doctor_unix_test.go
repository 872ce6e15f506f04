//go:build unix

package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestDoctorAgent: of a command-line agent the doctor tells version and digest,
// and only when it may start it.
func TestDoctorAgent(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	script := "#!/bin/sh\necho codex-cli 9.9.9\n"
	settings := filepath.Join(bin, "home", ".config", "debate", "config.yml")
	syscall.ForkLock.RLock() // a child that inherits it open could not be started ("text file busy")
	err := errors.Join(
		os.WriteFile(filepath.Join(bin, "codex"), []byte(script), 0o700),
		os.MkdirAll(filepath.Dir(settings), 0o755),
		os.WriteFile(settings, []byte("parties: {primary: {provider: codex}}\n"), 0o600),
	)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"PATH": bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME": filepath.Join(bin, "home"), "CODEX_API_KEY": "sk-codex-000000000"}
	want := fmt.Sprintf("codex-cli 9.9.9, sha256 %x", sha256.Sum256([]byte(script)))
	dir := planted(t, plantedFile)
	if got := start(t, dir, env, "doctor"); got.code != 0 || strings.Contains(got.stdout, "9.9.9") || !strings.Contains(got.stdout, "codex, model gpt-") {
		t.Errorf("exit code %d\n%s", got.code, got.stdout)
	}
	if got := start(t, dir, env, "doctor", "--online"); got.code != 4 || !strings.Contains(got.stdout, want) {
		t.Errorf("exit code %d, without %s\n%s", got.code, want, got.stdout)
	}
}
