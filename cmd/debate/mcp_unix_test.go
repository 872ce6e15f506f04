//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMCPEnds: a client that goes away and a Ctrl-C end the server in the midst of a review,
// and the programs that it started.
func TestMCPEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stop func(s *mcpServer)
		code int
	}{
		"standard input closed": {func(s *mcpServer) { _ = s.stdin.Close() }, 0},
		"interrupted":           {func(s *mcpServer) { _ = s.cmd.Process.Signal(os.Interrupt) }, 130},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings, alive := t.TempDir(), filepath.Join(t.TempDir(), "alive")
			if err := syscall.Mkfifo(alive, 0o600); err != nil { // programs hold it open while they live
				t.Fatal(err)
			}
			party := fmt.Sprintf("{provider: exec, command: [sh, -c, 'exec 3>%s; echo started >&3; exec sleep 600'], family: ", alive)
			text := "version: 1\nparties:\n  primary: " + party + "red}\n  challengers: [" + strings.Replace(party, "{", "{id: second, ", 1) + "blue}]\n"
			makeDir(t, filepath.Join(settings, "debate"), 0o755)
			writeFile(t, filepath.Join(settings, "debate", "config.yml"), []byte(text), 0o644)
			s := startMCP(t, planted(t, plantedFile), map[string]string{"XDG_CONFIG_HOME": settings})
			go s.call("review", map[string]any{"uncommitted": true})
			programs, err := os.Open(alive) // waits for the first of them
			if err != nil {
				t.Fatal(err)
			}
			defer programs.Close()
			if _, err := programs.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			if text, _ := s.call("findings", nil); !strings.Contains(text, "there is no review of this repository yet") {
				t.Errorf("while the first review is held, the findings are %s", text)
			}
			c.stop(s)
			want(t, "exit code", s.end(), c.code)
			if err := programs.SetReadDeadline(time.Now().Add(2 * time.Minute)); err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, programs); err != nil { // it ends with the last of them
				t.Errorf("a program is still there: %v", err)
			}
		})
	}
}
