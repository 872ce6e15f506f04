package action_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWorkspaceFile: a file is made with its directories, and a second one takes
// its place.
func TestWorkspaceFile(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r, _ := runner(map[string]string{"GITHUB_WORKSPACE": home})
	for _, data := range []string{"one, and longer", "two"} {
		path, err := r.WriteWorkspace(filepath.Join("out", "debate.sarif"), []byte(data))
		if err != nil || path != filepath.Join(home, "out", "debate.sarif") || read(t, path) != data {
			t.Fatalf("%q holds %q: %v", path, read(t, path), err)
		}
	}
	if left, err := os.ReadDir(filepath.Join(home, "out")); err != nil || len(left) != 1 {
		t.Errorf("%v stay in the directory: %v", left, err)
	}
}

// TestWorkspaceIsNotLeft: whatever was checked out, nothing is written through a
// link, and what links lead to stays as it was.
func TestWorkspaceIsNotLeft(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, file string
		make       func(home, outside string) error
	}{
		{"a link at the end", "debate.sarif", func(home, outside string) error {
			return os.Symlink(filepath.Join(outside, "kept"), filepath.Join(home, "debate.sarif"))
		}},
		{"a link that leads nowhere yet", "debate.sarif", func(home, outside string) error {
			return os.Symlink(filepath.Join(outside, "new"), filepath.Join(home, "debate.sarif"))
		}},
		{"a link on the way", "out/kept", func(home, outside string) error {
			return os.Symlink(outside, filepath.Join(home, "out"))
		}},
		{"a link on the way to the workspace", "out/inside", func(home, _ string) error {
			return os.Symlink(home, filepath.Join(home, "out"))
		}},
		{"a link that climbs", "a/b/kept", func(home, outside string) error {
			up := filepath.Join("..", "..", filepath.Base(outside))
			if err := os.Mkdir(filepath.Join(home, "a"), 0o700); err != nil {
				return err
			}
			return os.Symlink(up, filepath.Join(home, "a", "b"))
		}},
		{"a directory at the end", "debate.sarif", func(home, _ string) error {
			return os.Mkdir(filepath.Join(home, "debate.sarif"), 0o700)
		}},
		{"a file on the way", "inside/debate.sarif", func(string, string) error { return nil }},
		{"a name that climbs", "../outside/kept", func(string, string) error { return nil }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			home, outside := filepath.Join(dir, "home"), filepath.Join(dir, "outside")
			for _, d := range []string{home, outside} {
				if err := os.Mkdir(d, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			write(t, filepath.Join(outside, "kept"), "kept")
			write(t, filepath.Join(home, "inside"), "kept")
			if err := c.make(home, outside); err != nil {
				t.Skipf("no such link can be made here: %v", err)
			}
			r, _ := runner(map[string]string{"GITHUB_WORKSPACE": home})
			if path, err := r.WriteWorkspace(filepath.FromSlash(c.file), []byte("written")); err == nil {
				t.Errorf("it wrote %s", path)
			}
			for _, name := range []string{filepath.Join(outside, "kept"), filepath.Join(home, "inside")} {
				if got := read(t, name); got != "kept" {
					t.Errorf("%s holds %q", name, got)
				}
			}
			if there, err := os.ReadDir(outside); err != nil || len(there) != 1 {
				t.Errorf("%v stand outside: %v", there, err)
			}
		})
	}
}

// TestWorkspacePath: only a file of the workspace is taken, however it is written.
func TestWorkspacePath(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	cases := []struct{ stage, sarif, value, want, refused string }{
		{"", "", "debate.sarif", "debate.sarif", ""},
		{"", "", "./out/../debate.sarif", "debate.sarif", ""},
		{"publish", "lint.sarif", filepath.Join(home, "out", "debate.sarif"), filepath.Join("out", "debate.sarif"), ""},
		{"", "", "../debate.sarif", "", "no path of a file in the workspace"},
		{"", "", "out/../../debate.sarif", "", "no path of a file in the workspace"},
		{"", "", filepath.Join(filepath.Dir(home), "debate.sarif"), "", "no path of a file in the workspace"},
		{"", "", home, "", "no path of a file in the workspace"},
		{"", "", "out/", "", "no path of a file in the workspace"},
		{"", "", ".", "", "no path of a file in the workspace"},
		{"", "", "a\nb", "", "no path of a file in the workspace"},
		{"collect", "", "debate.sarif", "", "the stage publish writes this file, not the stage collect"},
		{"debate", "", "debate.sarif", "", "the stage publish writes this file, not the stage debate"},
		{"", "out/../lint.sarif", "lint.sarif", "", "the input sarif names the same file"},
	}
	for _, c := range cases {
		r, _ := runner(map[string]string{
			"GITHUB_WORKSPACE": home, "INPUT_SARIF_OUTPUT": c.value, "INPUT_SARIF": c.sarif, "INPUT_STAGE": c.stage, "INPUT_BUNDLE": home,
		})
		in, err := r.Inputs()
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), `input "sarif-output": `) || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%q: %v, want %s", c.value, err, c.refused)
			}
			continue
		}
		if err != nil || in.SARIFOutput != c.want {
			t.Errorf("%q is %q, want %q: %v", c.value, in.SARIFOutput, c.want, err)
		}
	}
}
