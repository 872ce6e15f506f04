package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/model/provider"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/databasetest"
)

const keptID = "debate-20260102-030405-7"

// shell runs commands with DEBATE_DATABASE as given.
type shell struct {
	dir, database string
	now           time.Time
}

// run returns the exit code of a command and what it printed and said.
func (s shell) run(args ...string) (code int, out, said string) {
	var stdout, stderr bytes.Buffer
	code = cli.Main(args, cli.Env{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: s.dir, Now: func() time.Time { return s.now },
		Getenv:    func(name string) string { return map[string]string{"DEBATE_DATABASE": s.database}[name] },
		Environ:   func() []string { return nil },
		Interrupt: func() (context.Context, context.CancelFunc) { return context.WithCancel(context.Background()) },
		Providers: provider.All(),
		Server:    App{},
		Width:     func(io.Writer) (int, bool) { return 0, false },
	})
	return code, stdout.String(), stderr.String()
}

// keep puts a recorded review into a database under an id.
func keep(t *testing.T, at, file, id string) {
	t.Helper()
	rec, err := store.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	db, err := database.Open(t.Context(), at, database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	log, err := db.BeginSession(t.Context(), database.Session{ID: id, Started: rec.Entries[0].At})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range rec.Entries {
		if err := log.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	if log.Last() != rec.Last {
		t.Errorf("%s: the seal is another in the database", file)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestRecordsInADatabase: a record reads the same from a file and from a database.
func TestRecordsInADatabase(t *testing.T) {
	t.Parallel()
	records, err := filepath.Glob(filepath.Join("..", "..", "testdata", "replay", "*.jsonl"))
	if err != nil || len(records) == 0 {
		t.Fatalf("no records: %v", err)
	}
	for name, address := range map[string]func(t testing.TB) string{"sqlite": databasetest.SQLite, "postgres": databasetest.Postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := address(t)
			for i, file := range records {
				id := keptID + string(rune('0'+i))
				keep(t, at, file, id)
				file, err := filepath.Abs(file)
				if err != nil {
					t.Fatal(err)
				}
				sh := shell{dir: t.TempDir(), database: at}
				for _, command := range [][]string{{"replay"}, {"replay", "--verbose"}, {"explain"}, {"report", "--format", "markdown"}, {"report", "--format", "sarif"}} {
					wantCode, want, wantSaid := sh.run(append(command, file)...)
					code, out, said := sh.run(append(command, id)...)
					if want == "" {
						t.Errorf("%v of %s says nothing", command, file)
					}
					if code != wantCode || withoutRecord(out, file) != withoutRecord(want, file) {
						t.Errorf("%v of %s: exit code %d, want %d\n%s\nwant\n%s\n%s%s", command, file, code, wantCode, out, want, said, wantSaid)
					}
				}
			}
		})
	}
}

// withoutRecord leaves out where the record lies, which a database does not say.
func withoutRecord(text, file string) string {
	var kept []string
	for _, line := range strings.Split(text, "\n") {
		if !strings.Contains(line, file) {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// TestWhichRecord: a file wins over an id, and where neither is there the error says
// where was looked and what to do.
func TestWhichRecord(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sh := shell{dir: dir}
	expect := func(words string, args ...string) {
		t.Helper()
		code, _, said := sh.run(args...)
		if code != 2 || !strings.Contains(said, words) || strings.Count(said, "\n") != 1 {
			t.Errorf("%v: exit code %d, %q", args, code, said)
		}
	}
	expect("--database or DEBATE_DATABASE", "report", keptID)
	if _, err := os.Stat(filepath.Join(dir, "debate.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a database was made: %v", err)
	}
	expect("neither SQLite nor PostgreSQL", "report", keptID, "--database", "mysql://bob:secret@db/debate")
	file := filepath.Join("..", "..", "testdata", "replay", "tradeoff.jsonl")
	keep(t, "sqlite:"+filepath.Join(dir, "debate.db"), file, keptID)
	if code, _, said := sh.run("replay", keptID); code != 0 {
		t.Errorf("the database in the directory: exit code %d, %s", code, said)
	}
	if code, _, said := sh.run("-C", t.TempDir(), "replay", keptID, "--database", "sqlite:"+filepath.Join(dir, "debate.db")); code != 0 {
		t.Errorf("a database elsewhere: exit code %d, %s", code, said)
	}
	expect("keeps no review debate-20260102-030405-8", "explain", "debate-20260102-030405-8")
	if err := os.WriteFile(filepath.Join(dir, keptID), []byte("no record"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, said := sh.run("replay", keptID); code != 4 || !strings.Contains(said, "record") {
		t.Errorf("a file of that name: exit code %d, %s", code, said)
	}
}

func TestDBBackup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sh := shell{dir: dir, database: "sqlite:server.db"}
	if code, _, said := sh.run("db", "backup", "copy.db"); code != 2 || !strings.Contains(said, "server.db") {
		t.Errorf("a backup of nothing: exit code %d, %s", code, said)
	}
	keep(t, "sqlite:"+filepath.Join(dir, "server.db"), filepath.Join("..", "..", "testdata", "replay", "tradeoff.jsonl"), keptID)
	code, out, said := sh.run("db", "backup", "copy.db")
	if code != 0 || !strings.Contains(out, "copy.db") {
		t.Fatalf("backup: exit code %d, %s%s", code, out, said)
	}
	if code, _, said := sh.run("replay", keptID, "--database", "sqlite:copy.db"); code != 0 {
		t.Errorf("replay of the copy: exit code %d, %s", code, said)
	}
	if code, _, said := sh.run("db", "backup", "copy.db"); code != 2 || !strings.Contains(said, "exists") {
		t.Errorf("a backup over another: exit code %d, %s", code, said)
	}
}

func TestDBMove(t *testing.T) {
	t.Parallel()
	target := databasetest.Postgres(t)
	dir := t.TempDir()
	sh := shell{dir: dir, database: "sqlite:server.db", now: time.Now()}
	source := "sqlite:" + filepath.Join(dir, "server.db")
	refused := func(want int, words string) {
		t.Helper()
		code, out, said := sh.run("db", "move", "--to", target)
		if code != want || !strings.Contains(said, words) || out != "" {
			t.Errorf("exit code %d, want %d: %q %q", code, want, out, said)
		}
	}
	refused(2, "server.db")
	keep(t, source, filepath.Join("..", "..", "testdata", "replay", "tradeoff.jsonl"), keptID)
	db, err := database.Open(t.Context(), source, database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Beat(t.Context(), "machine-7", sh.now.UnixMilli()); err != nil {
		t.Fatal(err)
	}
	refused(4, "machine-7")
	sh.now = sh.now.Add(time.Hour)
	code, out, said := sh.run("db", "move", "--to", target)
	if code != 0 || !strings.Contains(out, "Copied") || !strings.Contains(said, "lines: ") {
		t.Fatalf("exit code %d: %s%s", code, out, said)
	}
	if code, _, said := sh.run("replay", keptID, "--database", target); code != 0 {
		t.Errorf("replay after the move: exit code %d, %s", code, said)
	}
	refused(2, "not empty")
	sh.database = target
	if code, _, said := sh.run("db", "backup", "copy"); code != 2 || !strings.Contains(said, "pg_dump") {
		t.Errorf("a backup of PostgreSQL: exit code %d, %s", code, said)
	}
}
