package sql

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/checktest"
)

// FuzzSplitSQL holds that tokens lie on lines of the script, in order, whatever
// the dialect, and that reading what they do never fails.
func FuzzSplitSQL(f *testing.F) {
	checktest.Seeds(f, "testdata/*.txtar")
	for _, s := range []string{"/* /* */ DROP TABLE x;", "'", "$a$", "E'\\", "[", "DELIMITER //\nx//", "COPY t FROM stdin;\n1\n\\.\nDROP TABLE y;", "CREATE TRIGGER t BEGIN CASE END"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		lines := strings.Count(src, "\n") + 1
		for _, d := range []database{dialectUnknown, dialectPostgres, dialectMySQL, dialectSQLite} {
			last := 1
			for _, stmt := range split(src, 1, d) {
				for _, tok := range stmt {
					if tok.line < last || tok.last < tok.line || tok.last > lines {
						t.Fatalf("token %+v after line %d of %d", tok, last, lines)
					}
					last = tok.line
				}
				for _, op := range parse(stmt) {
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
	checktest.Seeds(f, "testdata/*.txtar")
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
