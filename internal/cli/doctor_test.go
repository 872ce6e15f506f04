package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
)

// The doctor reads no more of a settings file than any settings may have.
func TestDoctorReadsSettingsUpToTheirBound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, filepath.FromSlash(debate.SettingsFile))
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	for size, want := range map[int]string{
		config.MaxBytes:     "once it is on the branch that the change goes to",
		config.MaxBytes + 2: "is larger than 65536 bytes",
	} {
		text := "version: 1\n"
		writeFile(t, path, []byte(text+strings.Repeat("#", size-len(text))), 0o600)
		d := &diagnosis{}
		r := &run{Env: Env{Dir: dir, Getenv: func(string) string { return "" }}, ctx: t.Context()}
		d.settings(r, "")
		if got := d.lines[len(d.lines)-1]; !strings.Contains(got, want) || d.broken != (size > config.MaxBytes) {
			t.Errorf("%d bytes: broken %t: %s", size, d.broken, got)
		}
	}
}

// What models see is said with the issues that a change is to close, where they get any.
func TestDoctorSaysWhatModelsSee(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]string{
		"repository": "uses of removed names elsewhere, and on GitHub the issues to close (context: repository)",
		"changed":    "the change, the code around it in the changed files, and on GitHub the issues to close (context: changed)",
		"off":        "the change alone (context: off)",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, filepath.FromSlash(debate.SettingsFile))
		if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, path, []byte("version: 1\ncontext: "+setting+"\n"), 0o600)
		d := &diagnosis{}
		r := &run{Env: Env{Dir: dir, Getenv: func(string) string { return "" }}, ctx: t.Context()}
		merged := d.settings(r, "")
		d.lines = nil
		d.parties(r, merged, false)
		if got := d.lines[0]; !strings.Contains(got, "models see") || !strings.HasSuffix(got, want) {
			t.Errorf("context %s: got %q", setting, got)
		}
	}
}

// TestDoctorFits: on a terminal a long text goes on below its first word, and in a file it is one
// line.
func TestDoctorFits(t *testing.T) {
	t.Parallel()
	for width, want := range map[int]string{
		0:  "--  server         only a GitHub App needs debate-server, and there is none",
		40: "--  server         only a GitHub App\n                   needs debate-server,\n                   and there is none",
	} {
		d := &diagnosis{width: width}
		d.missing("server", "only a GitHub App needs %s, and there is none", "debate-server")
		if got := d.lines[0]; got != want {
			t.Errorf("%d columns:\n%s\nwant\n%s", width, got, want)
		}
	}
}
