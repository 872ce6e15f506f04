package cli

import (
	"path/filepath"
	"strings"
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
		{[]string{"ask", "Which", "queue", "is", "best"}, "the question has to be one argument: put quotes around it, as in debate ask 'Is it safe?'"},
		{[]string{"config", "check"}, "there is no .github/debate.yml here, so the defaults hold; debate init writes one"},
		{[]string{"ask"}, "something is missing: QUESTION; see debate ask --help"},
		{[]string{"review", "-C", "/path/to/your/repository"}, "-C: there is no directory /path/to/your/repository"},
		{[]string{"review", "-C", file}, "-C: there is no directory " + file},
	} {
		if code := w.debate(c.args...); code != exitUsage || w.stderr.String() != "debate: "+c.want+"\n" {
			t.Errorf("%q: exit code %d, said %q, want %q", c.args, code, w.stderr.String(), c.want)
		}
	}
	// Below a file no record can be made.
	code := w.debate("review", "--record", filepath.Join(file, "record.jsonl"))
	if said := w.stderr.String(); code != exitFailed || !strings.Contains(said, "cannot write the record ") || !strings.HasSuffix(said, "; name another file\n") {
		t.Errorf("exit code %d, said %q", code, said)
	}
}
