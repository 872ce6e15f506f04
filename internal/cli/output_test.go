package cli

import (
	"errors"
	"fmt"
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
// line, a name that is not there is one.
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

// TestOutputSparesWhatIsRead: a result is not written over what the run reads or
// keeps, whatever its name there, nor over another record or tape.
func TestOutputSparesWhatIsRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if code := w.debate("-q", "review", "--uncommitted", "--record", "rec"); code != exitHuman {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	write(t, filepath.Join(w.dir, "tape"), `{"tape":"debate","schema_version":1}`+"\n")
	write(t, filepath.Join(w.dir, "in"), "not read any more")
	write(t, filepath.Join(w.dir, "sub", "x"), "")
	if err := errors.Join(os.Symlink("rec", filepath.Join(w.dir, "link")), os.Link(filepath.Join(w.dir, "in"), filepath.Join(w.dir, "hard"))); err != nil {
		t.Fatal(err)
	}
	before := names(t, w.dir)
	for _, args := range []string{
		"report rec -o rec", "report rec -o sub/../rec", "report rec -o link", "review --uncommitted -o rec", "review --uncommitted -o tape",
		"ask what -o tape", "ask what --file in -o hard", "review --uncommitted --record new -o new", "review --uncommitted --tape new -o sub/../new",
		"review --patch in -o hard", "review --snippet in -o in", "review --uncommitted --sarif x --sarif in -o in", "review --uncommitted --body in -o in",
		"review --uncommitted --config in -o in", "review --file in -o in",
	} {
		if code := w.debate(append([]string{"-q"}, strings.Fields(args)...)...); code != exitUsage || !strings.Contains(w.stderr.String(), "which would be lost: name another file") {
			t.Errorf("%s: exit code %d: %s", args, code, w.stderr.String())
		}
	}
	if after := names(t, w.dir); after != before {
		t.Errorf("it left %s where there was %s", after, before)
	}
	if code := w.debate("-q", "report", "rec", "-o", "in"); code != exitDone {
		t.Errorf("another file: exit code %d: %s", code, w.stderr.String())
	}
}

// names lists a directory with the sizes of its files.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.Name() != ".git" {
			all = append(all, fmt.Sprintf("%s:%d", e.Name(), info.Size()))
		}
	}
	return strings.Join(all, " ")
}
