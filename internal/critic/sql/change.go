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

// schemaChange is what all migrations of one change do together.
type schemaChange struct {
	migrations []*migration
	tables     map[string][]madeAt // by table name
	columns    map[string][]madeAt // by table name and column
	given      map[string]bool     // names that tables get by a renaming
	retyped    map[string]int      // how often the change gives a type, by table name and column
	histories  map[string]*history // as far as they were asked for
	config     database            // dialect that the base's configuration names
	configRead bool
	uses       []patch.Use // of the names that the change takes away
	searched   bool        // for them

	historyFiles, historyBytes int // read so far
}

// madeAt is where the change creates something.
type madeAt struct {
	object object
	path   string
	line   int
	sure   bool // the statement fails where there is such an object
}

// migration is one migration of the change.
type migration struct {
	file    *check.File
	dialect database
	ops     []operation
	notRead bool // not all of it
}

// maxOps bounds what is judged of one migration: a rebuild is looked for among
// all its operations. As many again that destroy something are judged where they come later.
const maxOps = 4000

func newSchemaChange(files []*check.File) *schemaChange {
	s := &schemaChange{
		tables: make(map[string][]madeAt), columns: make(map[string][]madeAt),
		given: make(map[string]bool), retyped: make(map[string]int), histories: make(map[string]*history),
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

// readMigration reads what one migration does.
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
	if len(m.ops) > maxOps {
		m.ops, m.notRead = bounded(m.ops), true
	}
	return m
}

// bounded are those of many operations that are judged: nothing that is lost hides behind
// much that is harmless.
func bounded(ops []operation) []operation {
	lost := slices.DeleteFunc(slices.Clone(ops[maxOps:]), func(op operation) bool { return !losesRows[op.kind] })
	return slices.Concat(ops[:maxOps], lost[:min(len(lost), maxOps)])
}

var losesRows = map[opKind]bool{opDropTable: true, opDropSchema: true, opDropColumn: true, opTruncate: true, opDelete: true}

// readOperations reads what a text of some kind does.
func readOperations(kind fileKind, src string, dialect database) []operation {
	if kind == sqlMigration {
		return readSQL(src, 1, dialect)
	}
	return readORM(kind, src, dialect)
}

// remember keeps what a migration makes, on lines that the change added.
func (s *schemaChange) remember(m *migration) {
	isNewFile := m.file.OldPath == ""
	for _, op := range m.ops {
		key := columnKey(op.table, op.column)
		at := madeAt{object: op.table, path: m.file.NewPath, line: op.first, sure: isNewFile && !op.perhaps}
		switch op.kind {
		case opRenameTable:
			s.given[op.to.name] = true
		case opChangeType:
			if m.file.TouchedAny(op.first, op.last) {
				s.retyped[key]++
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

// readSQL parses a script, and the anonymous blocks that it runs.
func readSQL(src string, line int, dialect database) []operation {
	var ops []operation
	for _, stmt := range split(src, line, dialect) {
		if !stmt[0].is("do") {
			ops = append(ops, parse(stmt)...)
			continue
		}
		for _, t := range lists.Keep(stmt, func(t token) bool { return t.kind == tokString }) {
			ops = append(ops, readBlock(t, dialect)...)
		}
	}
	return ops
}

// readBlock parses an anonymous block.
func readBlock(block token, dialect database) []operation {
	var ops []operation
	for _, stmt := range split(block.text, block.line, dialect) {
		for _, op := range parse(afterControl(stmt)) {
			op.perhaps = true
			ops = append(ops, op)
		}
	}
	return ops
}

// afterControl drops the control words of PL/pgSQL that precede a statement.
func afterControl(stmt statement) statement {
	for i, t := range slices.Backward(stmt) {
		if t.is("begin", "then", "else", "loop") {
			return stmt[i+1:]
		}
	}
	return stmt
}

// runsBefore reports whether migration a runs before b: by the number that
// their names begin with, else by name.
func runsBefore(a, b string) bool {
	x, y := migrationNumber(a), migrationNumber(b)
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y), cmp.Compare(a, b)) < 0
}

// migrationNumber is the leading number of the file's name, or of the directory's
// where tools give each migration a directory.
func migrationNumber(p string) string {
	for _, name := range []string{path.Base(p), path.Base(path.Dir(p))} {
		name = strings.TrimLeft(strings.TrimPrefix(strings.ToLower(name), "v"), "0")
		if n := leadingDigits().FindString(name); n != "" {
			return n
		}
	}
	return ""
}

var leadingDigits = lazyregexp.New(`^[0-9]+`)

// rebuilt reports whether the rename of operation i is one step of a rebuild:
// the old table is moved aside and a new one of its name is made.
func (s *schemaChange) rebuilt(m *migration, i int) bool {
	return slices.ContainsFunc(m.ops[i+1:], func(op operation) bool {
		return op.kind == opCreateTable && op.table.same(m.ops[i].table)
	})
}

// prepared reports whether the migration fills or checks the column before it
// is made NOT NULL.
func (s *schemaChange) prepared(m *migration, i int) bool {
	op := m.ops[i]
	return slices.ContainsFunc(m.ops, func(o operation) bool {
		return preparing[o.kind] && o.first <= op.first && o.table.same(op.table)
	})
}

var preparing = map[opKind]bool{opPrepare: true, opUpdate: true}

// configFiles are the files at the base that name the database of a project,
// and what they say.
var configFiles = []string{"config/database.yml", "prisma/schema.prisma", "sqlc.yaml", "sqlc.yml", "alembic.ini", "supabase/config.toml"}

// dialect is the database that a migration is written for. Its own syntax says
// most, then its path, then the configuration at the base.
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

// dialectNames are what paths call the databases.
var dialectNames = map[string]database{
	"postgres": dialectPostgres, "postgresql": dialectPostgres, "pg": dialectPostgres, "psql": dialectPostgres, "pgsql": dialectPostgres,
	"supabase": dialectPostgres, "timescale": dialectPostgres, "cockroach": dialectPostgres,
	"mysql": dialectMySQL, "mariadb": dialectMySQL, "sqlite": dialectSQLite, "sqlite3": dialectSQLite,
}

// dialectSign is a spelling that one dialect has and the others refuse.
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

// dialectOfText is the one dialect that a script shows signs of. Signs of two
// say nothing.
func dialectOfText(src string) database {
	var code strings.Builder
	for line := range strings.Lines(withoutComments(src)) {
		line, _, _ = strings.Cut(line, "--")
		code.WriteString(line)
		code.WriteByte('\n')
	}
	return oneDialect(code.String(), dialectSigns)
}

// oneDialect is the one dialect that a text shows signs of.
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

// withoutComments cuts /* */ out, whose words are of no dialect: Prisma warns in
// them with names in backquotes. What MySQL runs in /*! */ stays.
func withoutComments(src string) string {
	var code strings.Builder
	for {
		before, rest, found := strings.Cut(src, "/*")
		code.WriteString(before)
		if !found {
			return code.String()
		}
		comment, after, _ := strings.Cut(rest, "*/")
		if strings.HasPrefix(comment, "!") {
			code.WriteString(comment)
		}
		code.WriteByte(' ')
		src = after
	}
}

func dialectOfConfig(text []byte) database {
	return oneDialect(string(text[:min(len(text), 64<<10)]), configSigns)
}

var configSigns = []dialectSign{{"postgres", dialectPostgres}, {"mysql", dialectMySQL}, {"sqlite", dialectSQLite}, {"supabase", dialectPostgres}}
