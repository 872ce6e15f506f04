package sql

import (
	"path"
	"slices"
	"strings"

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

// otherDirs are directories of queries, seeds, fixtures and rollback scripts,
// migrationDirs those of migrations.
var (
	otherDirs = strings.Fields(`fixtures fixture testdata test tests spec seeds seed queries query examples snapshots
		rollback rollbacks down undo revert verify node_modules vendor`)
	migrationDirs = strings.Fields(`migrations migration migrate db_migrations schema_migrations flyway liquibase changelog changelogs drizzle`)
	databaseDirs  = strings.Fields(`db database sql schema alembic`)
)

// notForward are the names of SQL scripts that do not move a schema forward.
var notForward = lazyregexp.New(`[._](?:down|rollback)\.sql$|\.undo\.sql$|^down\.sql$|^u[0-9].*__|seed|fixture|^(?:schema|structure)\.sql$`)

// migrationKind says by the path alone whether a file migrates a schema
// forward.
func migrationKind(p string) fileKind {
	low := strings.ToLower(p)
	base := path.Base(low)
	dirs := strings.Split(path.Dir(low), "/")
	in := func(names ...string) bool {
		return slices.ContainsFunc(dirs, func(d string) bool { return slices.Contains(names, d) })
	}
	if in(otherDirs...) {
		return notMigration
	}
	is := false
	kind := kindsByExtension[path.Ext(base)]
	switch kind {
	case sqlMigration:
		numbered := in(databaseDirs...) && numberedName().MatchString(base)
		named := flywayName().MatchString(base) || strings.HasSuffix(base, ".up.sql")
		is = !notForward().MatchString(base) && (in(migrationDirs...) || numbered || named)
	case railsMigration:
		is = in("migrate", "post_migrate") && in("db")
	case pythonMigration:
		django := in("migrations") && djangoName().MatchString(base)
		is = django || in("versions") && in("alembic", "migrations", "migration")
	case jsMigration:
		is = in(migrationDirs...) && !noScript().MatchString(base)
	}
	if !is {
		return notMigration
	}
	return kind
}

var kindsByExtension = map[string]fileKind{
	".sql": sqlMigration, ".rb": railsMigration, ".py": pythonMigration,
	".js": jsMigration, ".ts": jsMigration, ".cjs": jsMigration, ".mjs": jsMigration, ".cts": jsMigration, ".mts": jsMigration,
}

// noScript are the names of tests and of declarations.
var noScript = lazyregexp.New(`\.d\.ts$|\.(?:test|spec)\.`)
