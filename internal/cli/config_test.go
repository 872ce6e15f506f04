package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestConfigCheck: what a review refuses, the check names with line and column;
// the user's own file is an operator's without being told.
func TestConfigCheck(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const text = "version: 1\nparties:\n  primary: {provider: exec, command: [PROGRAM, x/y]}\n"
	own := filepath.Join(w.home, ".config/debate/config.yml")
	for _, tt := range []struct {
		program, file string
		flags         []string
		code          int
		said          string
	}{
		{"./tool", "c.yml", []string{"--operator"}, exitUsage, `c.yml:3:39: parties.primary.command: "./tool" is a relative path: give an absolute one, or a name that is on PATH`},
		{"bin/tool", own, nil, exitUsage, `:3:39: parties.primary.command: "bin/tool" is a relative path`},
		{"/bin/tool", own, nil, exitDone, ""},
		{"tool", own, nil, exitDone, ""},
		{"C:/bin/tool", own, nil, exitDone, ""},
		{"tool", "c.yml", nil, exitUsage, "c.yml:3:29: parties.primary.command can only be set by the operator"},
		{"tool", "c.yml", nil, exitUsage, "; --operator checks a file as that of an operator"},
		{"tool", "c.yml", []string{"--operator"}, exitDone, ""},
	} {
		path := tt.file
		if !filepath.IsAbs(path) {
			path = filepath.Join(w.dir, path)
		}
		write(t, path, strings.Replace(text, "PROGRAM", tt.program, 1))
		code := w.debate(append([]string{"config", "check", tt.file}, tt.flags...)...)
		if code != tt.code || !strings.Contains(w.stderr.String(), tt.said) {
			t.Errorf("%s in %s %v: exit code %d: %s", tt.program, tt.file, tt.flags, code, w.stderr.String())
		}
	}
}

// TestNamedSettings: doctor and config show look at the settings that a review
// would be given.
func TestNamedSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	write(t, filepath.Join(w.dir, ".github/debate.yml"), "version: 1\nmode: minimal\n")
	write(t, filepath.Join(w.dir, "c.yml"), "version: 1\nparties:\n  primary: {provider: exec, command: [sh], id: mine}\n")
	for _, command := range []string{"doctor", "config show"} {
		if code := w.debate(append(strings.Fields(command), "--config", "c.yml")...); code != exitDone {
			t.Errorf("%s: exit code %d: %s", command, code, w.stderr.String())
		}
		if said := w.stdout.String(); !strings.Contains(said, "mine") || strings.Contains(said, "minimal") {
			t.Errorf("%s:\n%s", command, said)
		}
		if code := w.debate(append(strings.Fields(command), "--config", "absent.yml")...); code != exitUsage {
			t.Errorf("%s of no file: exit code %d: %s", command, code, w.stderr.String())
		}
	}
}
