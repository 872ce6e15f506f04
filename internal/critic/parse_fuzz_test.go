package critic

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
)

// seeds adds every head file of the cases of the families.
func seeds(f *testing.F, families ...string) {
	f.Helper()
	for _, family := range families {
		paths, err := filepath.Glob(filepath.Join("testdata", family, "*.txtar"))
		if err != nil || len(paths) == 0 {
			f.Fatalf("no cases of %s: %v", family, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			c, err := parseCase(family, data)
			if err != nil {
				f.Fatal(err)
			}
			for _, text := range c.head {
				f.Add(text)
			}
		}
	}
}

// FuzzSplitSQL holds that tokens lie on lines of the script, in order, whatever
// the dialect, and that reading what they do never fails.
func FuzzSplitSQL(f *testing.F) {
	seeds(f, "sql")
	for _, s := range []string{"/* /* */ DROP TABLE x;", "'", "$a$", "E'\\", "[", "DELIMITER //\nx//", "COPY t FROM stdin;\n1\n\\.\nDROP TABLE y;", "CREATE TRIGGER t BEGIN CASE END"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		lines := strings.Count(src, "\n") + 1
		for _, d := range []sqlDialect{dialectUnknown, dialectPostgres, dialectMySQL, dialectSQLite} {
			last := 1
			for _, stmt := range splitSQL(src, 1, d) {
				for _, tok := range stmt {
					if tok.line < last || tok.last < tok.line || tok.last > lines {
						t.Fatalf("token %+v after line %d of %d", tok, last, lines)
					}
					last = tok.line
				}
				for _, op := range parseSQL(stmt) {
					if op.first < 1 || op.last < op.first || op.last > lines {
						t.Fatalf("operation at %d-%d of %d lines", op.first, op.last, lines)
					}
				}
			}
		}
	})
}

// FuzzReadORM holds that calls lie on lines of the file.
func FuzzReadORM(f *testing.F) {
	seeds(f, "sql")
	f.Fuzz(func(t *testing.T, src string) {
		lines := strings.Count(src, "\n") + 1
		for _, kind := range []fileKind{railsMigration, pythonMigration, jsMigration} {
			if n := len(readCode(kind, src)); n != lines {
				t.Fatalf("%d lines read, %d written", n, lines)
			}
			for _, op := range readORM(kind, src, dialectUnknown) {
				if op.first < 1 || op.last < op.first || op.last > lines {
					t.Fatalf("operation %d at %d-%d of %d lines", op.kind, op.first, op.last, lines)
				}
			}
		}
	})
}

// FuzzReadDockerfile holds that instructions follow each other and that every
// part of one lies on its lines.
func FuzzReadDockerfile(f *testing.F) {
	seeds(f, "docker", "shell")
	f.Add("# escape=`\nRUN a `\n b")
	f.Add("RUN <<A <<B\nx\nA\ny")
	f.Fuzz(func(t *testing.T, src string) {
		lines, last := strings.Count(src, "\n")+1, 0
		for _, in := range readDockerfile(src) {
			if in.first <= last || in.last < in.first || in.last > lines {
				t.Fatalf("%s at %d-%d after %d of %d", in.name, in.first, in.last, last, lines)
			}
			last = in.last
			offset, line := -1, in.first
			for _, p := range in.places {
				if p.offset <= offset || p.line < line || p.line > in.last {
					t.Fatalf("place %+v after offset %d, line %d of %d-%d", p, offset, line, in.first, in.last)
				}
				offset, line = p.offset, p.line
			}
		}
	})
}

// FuzzScalarPlaces holds that every part of a run step lies within the workflow,
// and that masking keeps the places.
func FuzzScalarPlaces(f *testing.F) {
	f.Add("run: |\n  a\n  b\n", "a\nb\n", 1, 6)
	f.Add("run: >\n  a\n\n  b\n", "a\nb\n", 1, 6)
	f.Add("run: \"a\n  b\"", "a b", 1, 6)
	f.Fuzz(func(t *testing.T, src, value string, line, col int) {
		lines := strings.Split(src, "\n")
		if line < 1 || line > len(lines) {
			return
		}
		places := scalarPlaces(&actionlint.String{Value: value, Pos: &actionlint.Pos{Line: line, Col: col}}, lines)
		if len(places) == 0 {
			t.Fatal("no place")
		}
		last := place{offset: -1}
		for _, p := range places {
			if p.offset < last.offset || p.line < max(last.line, line) || p.line > len(lines) {
				t.Fatalf("place %+v after %+v in %d lines", p, last, len(lines))
			}
			last = p
		}
		masked := maskExpressions(value)
		if len(masked) != len(value) || strings.Count(masked, "\n") != strings.Count(value, "\n") {
			t.Fatalf("%q masked to %q", value, masked)
		}
	})
}

// FuzzReviewText runs every family over one text under names that they accept.
func FuzzReviewText(f *testing.F) {
	seeds(f, "sql", "workflow", "shell", "docker", "infra")
	f.Fuzz(func(t *testing.T, src string) {
		for _, name := range []string{"db/migrations/1.sql", "db/migrate/1_a.rb", ".github/workflows/a.yml", "a.sh", "Dockerfile", "a.tf", "k8s/a.yaml", "iam/p.json"} {
			head := map[string]string{name: src}
			for _, h := range reviewAll(makeChange(nil, head)).Hits {
				checkHit(t, h, head)
			}
		}
	})
}

// BenchmarkReviewSQL shows that the cost follows the size of a migration.
func BenchmarkReviewSQL(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		src := strings.Repeat("INSERT INTO t (a, b) VALUES (1, 'it''s'); -- note\n", n) + "DROP TABLE users;\n"
		change := makeChange(nil, map[string]string{"db/migrations/1.sql": src})
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if got := len(reviewAll(change).Hits); got == 0 {
					b.Fatal("no hit")
				}
			}
		})
	}
}
