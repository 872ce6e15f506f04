package sql

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// schemaChange is the effect of all migrations of one change together.
type schemaChange struct {
	migrations  []*migration
	tables      map[string][]madeAt // by table name
	columns     map[string][]madeAt // by table name and column
	newNames    map[string]bool     // names that renames give to tables
	typeChanges map[string]int      // number of type changes, by table name and column
	histories   map[string]*history // those read so far
	config      database            // dialect in the base's configuration
	configRead  bool
	uses        []patch.Use // of the names that the change takes away
	searched    bool        // uses is complete

	historyFiles, historyBytes int // read so far
}

// madeAt is a place where the change creates something.
type madeAt struct {
	object object
	path   string
	line   int
	sure   bool // the statement fails if such an object exists
}

// migration is one migration of the change.
type migration struct {
	file    *check.File
	dialect database
	ops     []operation
	notRead bool // not in full
}

// maxOps bounds the operations to judge in one migration: a rebuild is searched among all its
// operations. Of the later ones, as many again are judged if they destroy something.
const maxOps = 4000

func newSchemaChange(files []*check.File) *schemaChange {
	s := &schemaChange{
		tables: make(map[string][]madeAt), columns: make(map[string][]madeAt),
		newNames: make(map[string]bool), typeChanges: make(map[string]int), histories: make(map[string]*history),
	}
	for _, f := range files {
		kind := migrationKind(f.NewPath)
		if kind == notMigration || len(f.Added) == 0 {
			continue
		}
		m := s.readMigration(f, kind)
		s.migrations = append(s.migrations, m)
		s.remember(m)
	}
	return s
}

// readMigration reads the operations of one migration.
func (s *schemaChange) readMigration(f *check.File, kind fileKind) *migration {
	m := &migration{file: f}
	src, ok := f.Source()
	switch {
	case !ok || kind != sqlMigration && len(src) > maxORM:
		m.notRead = true
		return m
	case kind == sqlMigration:
		m.dialect = s.dialect(f, src)
	default:
		m.dialect = s.dialect(f, "")
	}
	m.ops = readOperations(kind, src, m.dialect)
	if len(m.ops) > maxOps { // harmless operations must not hide a loss
		m.notRead = true
		losses := lists.Keep(m.ops[maxOps:], func(op operation) bool { return losesRows[op.kind] })
		m.ops = slices.Concat(m.ops[:maxOps], losses[:min(len(losses), maxOps)])
	}
	return m
}

var losesRows = map[opKind]bool{opDropTable: true, opDropSchema: true, opDropColumn: true, opTruncate: true, opDelete: true}

// readOperations reads the operations of a text of some kind.
func readOperations(kind fileKind, src string, dialect database) []operation {
	if kind == sqlMigration {
		return readSQL(src, 1, dialect)
	}
	return readORM(kind, src, dialect)
}

// remember records the objects that a migration makes on lines of the change.
func (s *schemaChange) remember(m *migration) {
	isNewFile := m.file.OldPath == ""
	for _, op := range m.ops {
		key := columnKey(op.table, op.column)
		at := madeAt{object: op.table, path: m.file.NewPath, line: op.first, sure: isNewFile && !op.perhaps}
		switch op.kind {
		case opRenameTable:
			s.newNames[op.to.name] = true
		case opChangeType:
			if m.file.TouchedAny(op.first, op.last) {
				s.typeChanges[key]++
			}
		case opCreateTable:
			if m.file.Touched(op.first) {
				s.tables[op.table.name] = append(s.tables[op.table.name], at)
			}
		case opAddColumn:
			if m.file.Touched(op.first) {
				s.columns[key] = append(s.columns[key], at)
			}
		}
	}
}

func columnKey(table object, column string) string { return table.name + "\x00" + column }

// readSQL parses a script and the anonymous blocks in it.
func readSQL(src string, line int, dialect database) []operation {
	var ops []operation
	for _, stmt := range split(src, line, dialect) {
		if !stmt[0].is("do") {
			ops = append(ops, parse(stmt)...)
			continue
		}
		for _, block := range lists.Keep(stmt, func(t token) bool { return t.kind == tokString }) {
			for _, inner := range split(block.text, block.line, dialect) {
				for i, t := range slices.Backward(inner) { // after the control words of PL/pgSQL
					if t.is("begin", "then", "else", "loop") {
						inner = inner[i+1:]
						break
					}
				}
				for _, op := range parse(inner) {
					op.perhaps = true
					ops = append(ops, op)
				}
			}
		}
	}
	return ops
}

// configFiles are the files at the base that name the database of a project.
var configFiles = []string{"config/database.yml", "prisma/schema.prisma", "sqlc.yaml", "sqlc.yml", "alembic.ini", "supabase/config.toml"}

// dialect returns the database of a migration. Its path decides, then its syntax, then the
// configuration at the base.
func (s *schemaChange) dialect(f *check.File, src string) database {
	if d := cmp.Or(dialectOfPath(f.NewPath), dialectOfText(src)); d != dialectUnknown {
		return d
	}
	if text, ok := f.Change.Blob(path.Join(path.Dir(path.Dir(f.NewPath)), "migration_lock.toml"), debate.Left); ok {
		return dialectOfConfig(text)
	}
	if !s.configRead {
		s.configRead = true
		for _, name := range configFiles {
			if text, ok := f.Change.Blob(name, debate.Left); ok {
				s.config = cmp.Or(s.config, dialectOfConfig(text))
			}
		}
	}
	return s.config
}

func dialectOfPath(p string) database {
	for _, part := range strings.FieldsFunc(strings.ToLower(p), func(r rune) bool { return strings.ContainsRune("/_-.", r) }) {
		if d := dialectNames[part]; d != dialectUnknown {
			return d
		}
	}
	return dialectUnknown
}

// dialectNames are the names of databases in paths.
var dialectNames = map[string]database{
	"postgres": dialectPostgres, "postgresql": dialectPostgres, "pg": dialectPostgres, "psql": dialectPostgres, "pgsql": dialectPostgres,
	"supabase": dialectPostgres, "timescale": dialectPostgres, "cockroach": dialectPostgres,
	"mysql": dialectMySQL, "mariadb": dialectMySQL, "sqlite": dialectSQLite, "sqlite3": dialectSQLite,
}

// dialectSign is a spelling of one dialect that the others refuse.
type dialectSign struct {
	sign    string
	dialect database
}

var dialectSigns = []dialectSign{
	{"timestamptz", dialectPostgres}, {"jsonb", dialectPostgres}, {"bigserial", dialectPostgres}, {"bytea", dialectPostgres},
	{"using gin", dialectPostgres}, {"using gist", dialectPostgres}, {"plpgsql", dialectPostgres}, {"create extension", dialectPostgres},
	{"concurrently", dialectPostgres}, {"gen_random_uuid(", dialectPostgres}, {"do $$", dialectPostgres}, {"as $$", dialectPostgres}, {"lock_timeout", dialectPostgres},
	{"search_path", dialectPostgres}, {"::text", dialectPostgres}, {"::int", dialectPostgres}, {"row level security", dialectPostgres},
	{"engine=", dialectMySQL}, {"engine =", dialectMySQL}, {"auto_increment", dialectMySQL}, {"unsigned", dialectMySQL}, {"`", dialectMySQL},
	{"autoincrement", dialectSQLite}, {"without rowid", dialectSQLite}, {"pragma ", dialectSQLite},
}

// dialectOfText returns the one dialect with signs in a script, or unknown if there are signs of
// two.
func dialectOfText(src string) database {
	return oneDialect(sqlComment().ReplaceAllString(src, " "), dialectSigns)
}

// sqlComment matches a comment, which is no code: Prisma warns there with names in backquotes. MySQL
// runs the text of /*! */.
var sqlComment = lazyregexp.New(`(?s)/\*(?:\*/|[^!].*?(?:\*/|$))|--[^\n]*`)

// oneDialect returns the one dialect with signs in a text.
func oneDialect(text string, signs []dialectSign) database {
	low := strings.ToLower(text)
	found := dialectUnknown
	for _, s := range signs {
		switch {
		case s.dialect == found || !strings.Contains(low, s.sign):
		case found != dialectUnknown:
			return dialectUnknown
		default:
			found = s.dialect
		}
	}
	return found
}

func dialectOfConfig(text []byte) database {
	return oneDialect(string(text[:min(len(text), 64<<10)]), configSigns)
}

var configSigns = []dialectSign{{"postgres", dialectPostgres}, {"mysql", dialectMySQL}, {"sqlite", dialectSQLite}, {"supabase", dialectPostgres}}
