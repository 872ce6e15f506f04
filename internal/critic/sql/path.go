package sql

import (
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// fileKind is the kind of a migration by its path.
type fileKind byte

const (
	notMigration fileKind = iota
	sqlMigration
	railsMigration
	pythonMigration // Django and Alembic
	jsMigration     // Knex, Sequelize and TypeORM
)

var (
	// flywayName matches V1__name.sql, V2.1__name.sql, R__name.sql and, from other tools,
	// name.up.sql.
	flywayName = lazyregexp.New(`^(?:v[0-9][0-9._]*|r)__.*\.sql$|\.up\.sql$`)
	// numberedName matches 0042_name.sql.
	numberedName = lazyregexp.New(`^v?[0-9]+([._-].*)?\.sql$`)
	djangoName   = lazyregexp.New(`^[0-9]{4}_.*\.py$`)
)

// otherDirs are directories of queries, seeds, fixtures and rollback scripts, migrationDirs those
// of migrations.
var (
	otherDirs = strings.Fields(`fixtures fixture testdata test tests spec seeds seed queries query examples snapshots
		rollback rollbacks down undo revert verify node_modules vendor`)
	migrationDirs = strings.Fields(`migrations migration migrate db_migrations schema_migrations flyway liquibase changelog changelogs drizzle`)
	databaseDirs  = strings.Fields(`db database sql schema alembic`)
)

// notForward matches the names of SQL scripts that do not move a schema forward.
var notForward = lazyregexp.New(`[._](?:down|rollback)\.sql$|\.undo\.sql$|^down\.sql$|^u[0-9].*__|seed|fixture|^(?:schema|structure)\.sql$`)

// migrationKind tells by the path alone whether a file migrates a schema forward.
func migrationKind(p string) fileKind {
	low := strings.ToLower(p)
	at := place{dirs: strings.Split(path.Dir(low), "/"), base: path.Base(low)}
	kind := kindsByExtension[path.Ext(at.base)]
	if forward := forwards[kind]; forward == nil || at.in(otherDirs...) || !forward(at) {
		return notMigration
	}
	return kind
}

// place is the path of a file, in lower case.
type place struct {
	dirs []string
	base string
}

// in reports whether a folder around the file has one of some names.
func (p place) in(names ...string) bool {
	return slices.ContainsFunc(p.dirs, func(d string) bool { return slices.Contains(names, d) })
}

// forwards report whether a place is one for migrations of a kind.
var forwards = map[fileKind]func(p place) bool{
	sqlMigration: func(p place) bool {
		numbered := p.in(databaseDirs...) && numberedName().MatchString(p.base)
		return (numbered || p.in(migrationDirs...) || flywayName().MatchString(p.base)) && !notForward().MatchString(p.base)
	},
	railsMigration: func(p place) bool { return p.in("migrate", "post_migrate") && p.in("db") },
	pythonMigration: func(p place) bool {
		django := p.in("migrations") && djangoName().MatchString(p.base)
		return django || p.in("versions") && p.in("alembic", "migrations", "migration")
	},
	jsMigration: func(p place) bool { return p.in(migrationDirs...) && !noScript().MatchString(p.base) },
}

var kindsByExtension = map[string]fileKind{
	".sql": sqlMigration, ".rb": railsMigration, ".py": pythonMigration,
	".js": jsMigration, ".ts": jsMigration, ".cjs": jsMigration, ".mjs": jsMigration, ".cts": jsMigration, ".mts": jsMigration,
}

// noScript matches the names of tests and declarations.
var noScript = lazyregexp.New(`\.d\.ts$|\.(?:test|spec)\.`)
