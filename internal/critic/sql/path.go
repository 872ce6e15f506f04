package sql

import (
	"path"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// fileKind is the kind of migration that a path says a file is.
type fileKind byte

const (
	notMigration fileKind = iota
	sqlMigration
	railsMigration
	pythonMigration // Django and Alembic
	jsMigration     // Knex, Sequelize and TypeORM
)

var (
	// flywayName is V1__name.sql, V2.1__name.sql and R__name.sql.
	flywayName = lazyregexp.New(`^(v[0-9][0-9._]*|r)__.*\.sql$`)
	// numberedName is 0042_name.sql.
	numberedName = lazyregexp.New(`^v?[0-9]+([._-].*)?\.sql$`)
	djangoName   = lazyregexp.New(`^[0-9]{4}_.*\.py$`)
)

// migrationKind says by the path alone whether a file migrates a schema
// forward. Queries, seeds, fixtures and rollback scripts do not.
func migrationKind(p string) fileKind {
	low := strings.ToLower(p)
	base := path.Base(low)
	dirs := strings.Split(path.Dir(low), "/")
	in := func(names ...string) bool {
		for _, d := range dirs {
			for _, n := range names {
				if d == n {
					return true
				}
			}
		}
		return false
	}
	if in("fixtures", "fixture", "testdata", "test", "tests", "spec", "seeds", "seed", "queries", "query", "examples", "snapshots",
		"rollback", "rollbacks", "down", "undo", "revert", "verify", "node_modules", "vendor") {
		return notMigration
	}
	migrations := in("migrations", "migration", "migrate", "db_migrations", "schema_migrations", "flyway", "liquibase", "changelog", "changelogs", "drizzle")
	switch path.Ext(base) {
	case ".sql":
		switch {
		case strings.HasSuffix(base, ".down.sql"), strings.HasSuffix(base, "_down.sql"), base == "down.sql",
			strings.HasSuffix(base, ".undo.sql"), strings.HasSuffix(base, ".rollback.sql"), strings.HasSuffix(base, "_rollback.sql"),
			strings.HasPrefix(base, "u") && strings.Contains(base, "__") && len(base) > 1 && check.IsDigit(base[1]):
			return notMigration
		case strings.Contains(base, "seed"), strings.Contains(base, "fixture"), base == "schema.sql", base == "structure.sql":
			return notMigration
		case migrations, flywayName().MatchString(base), strings.HasSuffix(base, ".up.sql"):
			return sqlMigration
		case in("db", "database", "sql", "schema", "alembic") && numberedName().MatchString(base):
			return sqlMigration
		}
	case ".rb":
		if in("migrate", "post_migrate") && in("db") {
			return railsMigration
		}
	case ".py":
		if in("migrations") && djangoName().MatchString(base) || in("versions") && in("alembic", "migrations", "migration") {
			return pythonMigration
		}
	case ".js", ".ts", ".cjs", ".mjs", ".cts", ".mts":
		if migrations && !strings.HasSuffix(base, ".d.ts") && !strings.Contains(base, ".test.") && !strings.Contains(base, ".spec.") {
			return jsMigration
		}
	}
	return notMigration
}
