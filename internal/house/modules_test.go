package house

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestLibcOfSQLite: the code of modernc.org/sqlite is translated from C for one version
// of modernc.org/libc and is tested with no other. A library that asks for a newer one
// would raise it for SQLite too.
func TestLibcOfSQLite(t *testing.T) {
	t.Parallel()
	const libc = "modernc.org/libc"
	var sqlite struct{ GoMod string }
	goJSON(t, &sqlite, "list", "-m", "-json", "modernc.org/sqlite")
	var needs struct {
		Require []struct{ Path, Version string }
	}
	goJSON(t, &needs, "mod", "edit", "-json", sqlite.GoMod)
	want := ""
	for _, r := range needs.Require {
		if r.Path == libc {
			want = r.Version
		}
	}
	var linked struct{ Version string }
	goJSON(t, &linked, "list", "-m", "-json", libc)
	if want == "" || linked.Version != want {
		t.Errorf("%s is %s, modernc.org/sqlite was made for %q", libc, linked.Version, want)
	}
}

// goJSON reads what a go command prints.
func goJSON(t *testing.T, into any, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %v: %v", args, err)
	}
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatalf("go %v: %v", args, err)
	}
}
