package database_test

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/prdebate/debate/internal/store/database"
)

// nobody is a user without rights, on every Linux.
const nobody = 65534

// openedByOther opens a database in another process, whose user rights of files mean
// something to even if the test runs as root. It returns the cause of a fault, or "ok".
func openedByOther(t *testing.T, program, path string) string {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), childMode+"="+childOpens, childAt+"=sqlite:"+path)
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	cmd.Dir, cmd.Stderr = filepath.Dir(program), os.Stderr
	out, err := cmd.Output()
	must(t, err)
	return strings.TrimSpace(string(out))
}

// seenByAll makes a directory that every user can enter, with a copy of this program.
func seenByAll(t *testing.T) (dir, program string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "debate-database-")
	must(t, err)
	t.Cleanup(func() {
		must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				err = os.Chmod(path, 0o700)
			}
			return err
		}))
		must(t, os.RemoveAll(dir))
	})
	must(t, os.Chmod(dir, 0o755))
	self, err := os.Executable()
	must(t, err)
	program = filepath.Join(dir, "program")
	from, err := os.Open(self)
	must(t, err)
	defer from.Close()
	to, err := os.OpenFile(program, os.O_CREATE|os.O_WRONLY, 0o755)
	must(t, err)
	_, err = io.Copy(to, from)
	must(t, errors.Join(err, to.Close()))
	return dir, program
}

func TestRightsAreMissing(t *testing.T) {
	t.Parallel()
	dir, program := seenByAll(t)
	place := func(name string, rights os.FileMode) string {
		below := filepath.Join(dir, name)
		must(t, os.Mkdir(below, 0o700))
		path := filepath.Join(below, "debate.db")
		db, err := database.Open(t.Context(), "sqlite:"+path, database.Options{})
		must(t, err)
		must(t, db.Close())
		must(t, os.Chmod(path, rights))
		if os.Geteuid() == 0 {
			must(t, os.Chown(below, nobody, nobody))
			must(t, os.Chown(path, nobody, nobody))
		}
		return path
	}
	if got := openedByOther(t, program, place("all is well", 0o600)); got != "ok" {
		t.Errorf("with all rights: %s", got)
	}
	if got := openedByOther(t, program, place("file to read", 0o400)); got != string(database.ReadOnly) {
		t.Errorf("a file that can only be read: %s", got)
	}
	if got := openedByOther(t, program, place("file without rights", 0)); got != string(database.Denied) {
		t.Errorf("a file that cannot be read: %s", got)
	}
	path := place("directory to read", 0o600)
	must(t, os.Chmod(filepath.Dir(path), 0o500))
	if got := openedByOther(t, program, path); got != string(database.ReadOnly) && got != string(database.Denied) {
		t.Errorf("a directory that can only be read: %s", got)
	}
	must(t, os.Remove(path))
	if got := openedByOther(t, program, path); got != string(database.Denied) {
		t.Errorf("a directory in which no file can be made: %s", got)
	}
}

// TestDiskFull: without space everything that writes fails with one clear cause and
// leaves nothing behind; with space it goes on without a restart.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("not tested with a small disk: it cannot be mounted (%v); TestNoMorePages fills a file", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
	db := open(t, "sqlite:"+filepath.Join(disk, "debate.db"), database.Options{})
	filler := filepath.Join(disk, "filler")
	f, err := os.Create(filler)
	must(t, err)
	for err == nil {
		_, err = f.Write(make([]byte, 1024))
	}
	if !errors.Is(errors.Join(err, f.Close()), syscall.ENOSPC) {
		t.Fatal(err)
	}
	kept := acceptUntilFull(t, db)
	if full(db.Ready(t.Context())) == nil {
		t.Error("ready without space")
	}
	if _, err := db.Due(t.Context(), noon, 10); err != nil {
		t.Errorf("nothing can be read: %v", err)
	}
	must(t, os.Remove(filler))
	must(t, db.Ready(t.Context()))
	for _, id := range kept {
		if accept(t, db, opened(id, shop, 7, noon)) {
			t.Errorf("%s was acknowledged and is lost", id)
		}
	}
	if !accept(t, db, opened("after", shop, 7, noon)) {
		t.Error("nothing can be kept any more")
	}
}

// acceptUntilFull keeps deliveries until there is no space, and returns their ids.
func acceptUntilFull(t *testing.T, db *database.DB) (kept []string) {
	t.Helper()
	for i := range 100_000 {
		id := strings.Repeat("x", 200) + string(rune('a'+i%26)) + string(rune(0x4e00+i/26))
		_, err := db.Accept(context.Background(), opened(id, shop, 7, noon))
		if err != nil {
			if full(err) == nil {
				t.Fatalf("without space: %v", err)
			}
			return kept
		}
		kept = append(kept, id)
	}
	t.Fatal("the disk is never full")
	return nil
}

// full is the fault of a disk without space, nil for any other error.
func full(err error) *database.FaultError {
	var fault *database.FaultError
	if errors.As(err, &fault) && fault.Cause == database.Full && !strings.Contains(err.Error(), "\n") {
		return fault
	}
	return nil
}
