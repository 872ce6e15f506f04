package sql

import (
	"testing"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/checktest"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

// TestSchemaTriggers says which hits hand the decision to a human (R033, S03).
func TestSchemaTriggers(t *testing.T) {
	t.Parallel()
	const trigger = debate.TriggerDestructiveSchema
	for sql, want := range map[string]debate.TriggerID{
		"DROP TABLE a;":                                   trigger,
		"ALTER TABLE a DROP COLUMN b;":                    trigger,
		"TRUNCATE a;":                                     trigger,
		"DELETE FROM a;":                                  trigger,
		"ALTER TABLE a RENAME TO b;":                      trigger,
		"ALTER TABLE a RENAME COLUMN b TO c;":             trigger,
		"ALTER TABLE a ALTER b TYPE varchar(10);":         trigger,
		"ALTER TABLE a ALTER b TYPE int USING b::int;":    trigger,
		"ALTER TABLE a ALTER b TYPE text;":                "",
		"ALTER TABLE a ALTER b TYPE bigint;":              "",
		"ALTER TABLE a ALTER b TYPE double precision;":    "",
		"UPDATE a SET b = 1;":                             "",
		"ALTER TABLE a ALTER b SET NOT NULL;":             "",
		"ALTER TABLE a ADD b int NOT NULL;":               "",
		"CREATE INDEX ON a (b); SELECT 1 AS timestamptz;": "",
	} {
		hits := reviewed(checktest.Change(nil, map[string]string{"migrations/1.sql": sql + "\n"})).Hits
		if len(hits) != 1 || hits[0].Trigger != want {
			t.Errorf("%s: got %+v, want one hit with trigger %q", sql, hits, want)
		}
	}
}

// TestCreatedElsewhereInChange holds the exemption of what an earlier migration of
// the change created, by the order in which migrations run. Which schema a name without
// one is looked for in, no migration tells.
func TestCreatedElsewhereInChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		head map[string]string
		want []string
	}{
		"earlier": {map[string]string{"db/migrations/9_a.sql": "CREATE TABLE a (id int);\n", "db/migrations/10_b.sql": "DROP TABLE a;\n"}, nil},
		"later": {map[string]string{"db/migrations/9_a.sql": "DROP TABLE a;\n", "db/migrations/10_b.sql": "CREATE TABLE a (id int);\n"},
			[]string{"sql/drop-table db/migrations/9_a.sql:1"}},
		"recreated in one file": {map[string]string{"db/migrations/1.sql": "DROP TABLE IF EXISTS a;\nCREATE TABLE a (id int);\n"},
			[]string{"sql/drop-table db/migrations/1.sql:1"}},
		"other schema": {map[string]string{"db/migrations/1.sql": "CREATE TABLE x.a (id int);\nDROP TABLE y.a;\nDROP TABLE a;\n"},
			[]string{"sql/drop-table db/migrations/1.sql:2", "sql/drop-table db/migrations/1.sql:3"}},
		"only in a rollback": {map[string]string{"db/migrations/1.down.sql": "CREATE TABLE a (id int);\n", "db/migrations/2.sql": "DROP TABLE a;\n"},
			[]string{"sql/drop-table db/migrations/2.sql:1"}},
	} {
		if d := cmp.Diff(c.want, reported(checktest.Change(nil, c.head))); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// TestCreatedWhereTheBaseIsUnknown holds that a migration which may never run proves
// nothing of a table that may have been there.
func TestCreatedWhereTheBaseIsUnknown(t *testing.T) {
	t.Parallel()
	change := checktest.Change(nil, map[string]string{
		"db/migrations/1.sql": "CREATE TABLE a (id int);\n", "db/migrations/2.sql": "DROP TABLE a;\nCREATE TABLE b (id int);\nDROP TABLE b;\n",
	})
	change.BaseNames = patch.Alone(nil).BaseNames
	if d := cmp.Diff([]string{"sql/drop-table db/migrations/2.sql:1"}, reported(change)); d != "" {
		t.Errorf("reported (-want +got):\n%s", d)
	}
}

// TestOnlyAddedStatements holds that what the base already says is not reported,
// and that an added action of an old statement is.
func TestOnlyAddedStatements(t *testing.T) {
	t.Parallel()
	base := map[string]string{
		"db/migrations/1.sql": "DROP TABLE old;\nALTER TABLE users\n  DROP COLUMN a;\n",
		"db/migrations/2.sql": "CREATE TABLE kept (id int);\n",
	}
	head := map[string]string{
		"db/migrations/1.sql": "DROP TABLE old;\nALTER TABLE users\n  DROP COLUMN b,\n  DROP COLUMN a;\n",
		"db/migrations/2.sql": "CREATE TABLE kept (id int);\nSELECT 1;\n",
		"db/migrations/3.sql": "DROP TABLE kept;\n",
	}
	want := []string{"sql/drop-column db/migrations/1.sql:3", "sql/drop-table db/migrations/3.sql:1"}
	if d := cmp.Diff(want, reported(checktest.Change(base, head))); d != "" {
		t.Errorf("reported (-want +got):\n%s", d)
	}
}

// TestPatchAlone holds that a migration is judged where only the patch is known.
func TestPatchAlone(t *testing.T) {
	t.Parallel()
	base := map[string]string{"db/migrations/1.sql": "SELECT 1;\n\n\n\n\n\n\n\nSELECT 2;\n"}
	head := map[string]string{"db/migrations/1.sql": "SELECT 1;\n\n\n\n\n\n\n\nSELECT 2;\nDROP TABLE users;\n"}
	change := checktest.Change(base, head)
	change.Blob = patch.Alone(nil).Blob
	want := []string{"sql/drop-table db/migrations/1.sql:10"}
	if d := cmp.Diff(want, reported(change)); d != "" {
		t.Errorf("reported (-want +got):\n%s", d)
	}
}

// TestSQLDialects holds spellings that read differently in the three databases.
func TestSQLDialects(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		path, sql string
		want      int // drops found
	}{
		"comments nest in PostgreSQL":           {"postgres/migrations/1.sql", "/* /* */ DROP TABLE a; */ SELECT 1;", 0},
		"comments do not nest in MySQL":         {"mysql/migrations/1.sql", "/* /* */ DROP TABLE a;", 1},
		"backslash escapes in MySQL":            {"mysql/migrations/1.sql", `SELECT 'a\'; DROP TABLE a; --';`, 0},
		"backslash is plain in PostgreSQL":      {"postgres/migrations/1.sql", `SELECT 'a\'; DROP TABLE a; --';`, 1},
		"escape string":                         {"postgres/migrations/1.sql", `SELECT E'a\'; DROP TABLE a; --';`, 0},
		"hash comment in MySQL":                 {"mysql/migrations/1.sql", "SELECT 1; # DROP TABLE a;\n", 0},
		"hash operator in PostgreSQL":           {"postgres/migrations/1.sql", "SELECT a # b; DROP TABLE a;", 1},
		"two dashes need a blank in MySQL":      {"mysql/migrations/1.sql", "SELECT 1--1; DROP TABLE a;", 1},
		"delimiter":                             {"mysql/migrations/1.sql", "DELIMITER //\nCREATE PROCEDURE p() BEGIN DROP TABLE a; END//\nDELIMITER ;\nDROP TABLE b;", 1},
		"body of a routine":                     {"mysql/migrations/1.sql", "CREATE PROCEDURE p() BEGIN IF 1 THEN DROP TABLE a; END IF; END; DROP TABLE b;", 1},
		"array is no name":                      {"postgres/migrations/1.sql", "SELECT ARRAY[a, 'b]'], c[1]; DROP TABLE a;", 1},
		"rows of COPY":                          {"postgres/migrations/1.sql", "COPY a FROM stdin;\n1\tDROP TABLE x;\n\\.\nDROP TABLE b;", 1},
		"way back, and forward again":           {"db/migrations/1.sql", "-- migrate:up\nDROP TABLE a;\n-- migrate:down\nDROP TABLE b;\n-- migrate:up\nDROP TABLE c;", 2},
		"function body in dollars is not run":   {"db/migrations/1.sql", "CREATE FUNCTION f() RETURNS void AS $$ DROP TABLE a; $$ LANGUAGE sql;", 0},
		"anonymous block in dollars is run":     {"db/migrations/1.sql", "DO $x$ BEGIN EXECUTE 'x'; DROP TABLE a; END $x$;", 1},
		"a query beside migrations is not run":  {"db/query/1.sql", "DROP TABLE a;", 0},
		"a column may be called like a keyword": {"db/migrations/1.sql", "ALTER TABLE a ADD COLUMN \"drop\" int, ADD \"table\" int;", 0},
	} {
		got := 0
		for _, h := range reviewed(checktest.Change(nil, map[string]string{c.path: c.sql + "\n"})).Hits {
			if h.Rule == "sql/drop-table" {
				got++
			}
		}
		if got != c.want {
			t.Errorf("%s: %d drops found, want %d", name, got, c.want)
		}
	}
}

// TestORMTitles holds that a title names what the call names, and no gap where
// the name is not known.
func TestORMTitles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ path, text, want string }{
		"knex":            {"migrations/1.js", "exports.up = (knex) => knex.schema.alterTable('users', (t) => {\n  t.renameColumn('a', 'b');\n});\n", "Migration renames column a of users"},
		"sequelize":       {"migrations/1.js", "up: (q) => q.renameColumn('users', 'a', 'b')\n", "Migration renames column a of users"},
		"django in order": {"app/migrations/0001_a.py", "operations = [migrations.RenameField('user', 'a', 'b')]\n", "Migration renames column a of user"},
		"unknown table":   {"app/migrations/0001_a.py", "operations = [migrations.DeleteModel(name=NAME)]\n", "Migration drops a table"},
		"unknown column":  {"app/migrations/0001_a.py", "operations = [migrations.RemoveField(name=NAME)]\n", "Migration drops a column"},
	} {
		res := reviewed(checktest.Change(nil, map[string]string{c.path: c.text}))
		if len(res.Hits) != 1 || res.Hits[0].Title != c.want {
			t.Errorf("%s: hits %+v, want one titled %q", name, res.Hits, c.want)
		}
	}
}

// TestDialectOfComments holds that backquotes in the warnings of Prisma do not
// make MySQL of PostgreSQL.
func TestDialectOfComments(t *testing.T) {
	t.Parallel()
	src := "/*\n  Warnings:\n  - You are about to drop the column `x` on the `User` table.\n*/\nALTER TABLE \"User\" ADD COLUMN \"y\" TEXT NOT NULL;\nCREATE INDEX \"i\" ON \"User\"(\"at\");\n-- timestamptz\n"
	change := checktest.Change(map[string]string{"prisma/schema.prisma": "provider = \"postgresql\"\n"},
		map[string]string{"prisma/schema.prisma": "provider = \"postgresql\"\n", "prisma/migrations/1_a/migration.sql": src})
	want := []string{"sql/index-without-concurrently prisma/migrations/1_a/migration.sql:6", "sql/not-null-without-default prisma/migrations/1_a/migration.sql:5"}
	if d := cmp.Diff(want, reported(change)); d != "" {
		t.Errorf("reported (-want +got):\n%s", d)
	}
}

// reviewed is what the rules say of a change.
func reviewed(change patch.Change) *check.Findings { return checktest.Review(change, Kind) }

func reported(change patch.Change) []string {
	out := reviewed(change)
	return checktest.Reported(out.Hits, out.Notices, "sql")
}

func TestCases(t *testing.T) {
	t.Parallel()
	checktest.Run(t, "sql", Kind)
}
