package cli

import (
	"path/filepath"
	"testing"
)

// TestMisusedSaysWhatIsWrong: a command line that cannot be carried out is answered with what
// is wrong with it, and with where to read how it is right.
func TestMisusedSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := filepath.Join(w.dir, "db/migrations/1_a.up.sql")
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "say what to do: debate review reviews your branch, debate --help lists all commands"},
		{[]string{"serve", "--bogus"}, "unknown flag --bogus; see debate serve --help"},
		{[]string{"nonsense"}, "unexpected argument nonsense; see debate --help"},
		{[]string{"decide"}, "something is missing: RECORD; see debate decide --help"},
		{[]string{"review", "-C", "/path/to/your/repository"}, "-C: there is no directory /path/to/your/repository"},
		{[]string{"review", "-C", file}, "-C: there is no directory " + file},
	} {
		if code := w.debate(c.args...); code != exitUsage || w.stderr.String() != "debate: "+c.want+"\n" {
			t.Errorf("%q: exit code %d, said %q, want %q", c.args, code, w.stderr.String(), c.want)
		}
	}
}
