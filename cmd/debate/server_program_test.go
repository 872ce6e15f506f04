package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestServerProgram: debate runs debate-server for what needs a server or its database: the one
// in its own directory, else the one on PATH, and never one that lies where it is started.
func TestServerProgram(t *testing.T) {
	t.Parallel()
	const id = "debate-20260102-030405-7"
	for _, tt := range []struct {
		name, place string // of debate-server, beside debate in "bin"
		path        string
		found       bool
	}{
		{"nowhere", "", "path", false},
		{"beside", "bin", "path", true},
		{"on PATH", "path", "path", true},
		{"where it is started", "work", "path", false},
		{"where it is started, on a PATH of relative directories", "work", "." + string(filepath.ListSeparator) + "path", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, name := range []string{"bin", "path", "work"} {
				if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			program := likeThis(t, filepath.Join(dir, "bin", "debate"))
			if tt.place != "" {
				likeThis(t, filepath.Join(dir, tt.place, "debate-server"))
			}
			var path []string
			for _, name := range filepath.SplitList(tt.path) {
				if name != "." {
					name = filepath.Join(dir, name)
				}
				path = append(path, name)
			}
			run := func(args ...string) (code int, said string) {
				cmd := exec.Command(program, args...)
				cmd.Dir, cmd.Env = filepath.Join(dir, "work"), append(surroundings(dir, "BE_DEBATE=1"), "PATH="+strings.Join(path, string(filepath.ListSeparator)))
				out, err := cmd.CombinedOutput()
				var ended *exec.ExitError
				if err != nil && !errors.As(err, &ended) {
					t.Fatal(err)
				}
				return cmd.ProcessState.ExitCode(), string(out)
			}
			for _, test := range []struct {
				args []string
				says string // by debate-server
			}{
				{[]string{"serve"}, "DEBATE_APP_ID is not set"},
				{[]string{"db", "backup", "copy.db"}, "debate.db"},
				{[]string{"db", "move", "--to", "sqlite:copy.db"}, "debate.db"},
				{[]string{"report", id}, "look for the review " + id},
			} {
				code, said := run(test.args...)
				want, says := 2, test.says
				if !tt.found {
					want, says = 4, "debate: this needs the program debate-server, and there is none in the directory of this program or on PATH: run go install github.com/prdebate/debate/cmd/debate-server@"
				}
				if code != want || !strings.Contains(said, says) || strings.Count(said, "\n") != 1 && !tt.found {
					t.Errorf("%v: exit code %d, want %d and %q\n%s", test.args, code, want, says, said)
				}
			}
			there := map[bool]string{true: "ok  server ", false: "--  server         debate-server is not installed; only a GitHub App needs it"}
			if _, said := run("doctor"); !strings.Contains(said, there[tt.found]) || strings.Contains(said, there[!tt.found]) {
				t.Errorf("doctor: want %q\n%s", there[tt.found], said)
			}
			if code, said := run("serve", "--help"); code != 0 || !strings.Contains(said, "Usage: debate serve") || !strings.Contains(said, "--env-file") {
				t.Errorf("serve --help: exit code %d\n%s", code, said)
			}
		})
	}
}

// likeThis puts the program of the tests at a path, as either program of the project.
func likeThis(t testing.TB, path string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if os.Link(self, path) == nil {
		return path
	}
	data, err := os.ReadFile(self) // on another disk
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, data, 0o755)
	return path
}
