//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
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
			settings, pid := t.TempDir(), filepath.Join(t.TempDir(), "pid")
			party := fmt.Sprintf("{provider: exec, command: [sh, -c, 'echo $$ > %s.new; mv %s.new %s; exec sleep 600'], family: ", pid, pid, pid)
			text := "version: 1\nparties:\n  primary: " + party + "red}\n  challengers: [" + strings.Replace(party, "{", "{id: second, ", 1) + "blue}]\n"
			if err := os.MkdirAll(filepath.Join(settings, "debate"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(settings, "debate", "config.yml"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			s := startMCP(t, planted(t, plantedFile), map[string]string{"XDG_CONFIG_HOME": settings})
			go s.call("review", map[string]any{"uncommitted": true})
			child := 0
			for range 200 {
				if data, err := os.ReadFile(pid); err == nil {
					child, _ = strconv.Atoi(strings.TrimSpace(string(data)))
					break
				}
				time.Sleep(100 * time.Millisecond)
			}
			if child == 0 {
				t.Fatal("no program was started")
			}
			if text, _ := s.call("findings", nil); !strings.Contains(text, "no record of a review") {
				t.Errorf("while the first review is held, the findings are %s", text)
			}
			c.stop(s)
			want(t, "exit code", s.end(), c.code)
			for range 50 {
				if syscall.Kill(child, 0) != nil {
					return
				}
				time.Sleep(100 * time.Millisecond)
			}
			t.Errorf("process %d is still there", child)
		})
	}
}
