package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fullDisk is a standard output that takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: errors.New("no space left on device")}
}

// TestFullDisk: no command takes an answer that went nowhere for success.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, command := range []string{"review", "doctor", "init", "config show", "config schema", "--help", "--version"} {
		var stderr strings.Builder
		env := w.env()
		env.Stdout, env.Stderr = fullDisk{}, &stderr
		if code := Main(append(strings.Fields(command), "-q"), env); code != exitFailed {
			t.Errorf("%s: exit code %d", command, code)
		}
		if said := stderr.String(); said != "debate: cannot write to standard output: no space left on device\n" {
			t.Errorf("%s said %q", command, said)
		}
	}
}

// TestOutputKeepsPermissions: a report quotes code, and must not become readable
// for more people than the file that it replaces. A link stays a link.
func TestOutputKeepsPermissions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file, link := filepath.Join(w.home, "report.txt"), filepath.Join(w.home, "link.txt")
	write(t, file, "old")
	if err := errors.Join(os.Chmod(file, 0o600), os.Symlink("report.txt", link)); err != nil {
		t.Fatal(err)
	}
	if code := w.debate("-q", "review", "--uncommitted", "--output", link); code != exitHuman {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	info, err := os.Lstat(file)
	if err != nil || info.Mode() != 0o600 || info.Size() < 100 {
		t.Errorf("the file is %v (%v)", info, err)
	}
	if target, err := os.Readlink(link); err != nil || target != "report.txt" {
		t.Errorf("the link is %q (%v)", target, err)
	}
}

// TestRefusedInput: permissions and broken disks are no mistakes of the command
// line, a name that is not there is one (S25).
func TestRefusedInput(t *testing.T) {
	t.Parallel()
	tests := []struct {
		err  error
		code int
	}{
		{&fs.PathError{Op: "open", Path: "/x", Err: fs.ErrNotExist}, exitUsage},
		{&fs.PathError{Op: "open", Path: "/x", Err: fs.ErrPermission}, exitFailed},
		{errors.New("input/output error"), exitFailed},
	}
	for _, tt := range tests {
		var stderr strings.Builder
		if code := fail(Env{Stderr: &stderr}, unreadable("x", tt.err)); code != tt.code {
			t.Errorf("%v: exit code %d, want %d", tt.err, code, tt.code)
		}
		if said := stderr.String(); strings.Contains(said, "open") || !strings.HasPrefix(said, "debate: cannot read x: ") {
			t.Errorf("%v: said %q", tt.err, said)
		}
	}
}
