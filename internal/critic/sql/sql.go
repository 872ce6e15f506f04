// Package sql reads the effect of migrations on a schema and its rows, written in SQL or as calls
// of a migration library, and finds operations that destroy, break or lock.
package sql

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
)

const source = "own tokenizer; PostgreSQL, MySQL and SQLite manuals on ALTER TABLE, CREATE INDEX and table locks"

// Kind finds migrations that destroy data, break code for the old schema, or lock a table.
// Rollback parts and objects created by the change itself are ignored.
var Kind = check.Kind{
	Rules: []check.Rule{
		{ID: "sql/drop-table", Source: source, Title: "Migration drops a table", Severity: debate.P1, Category: "data-loss"},
		{ID: "sql/drop-column", Source: source, Title: "Migration drops a column", Severity: debate.P1, Category: "data-loss"},
		{ID: "sql/drop-schema", Source: source, Title: "Migration drops a schema or database", Severity: debate.P1, Category: "data-loss"},
		{ID: "sql/truncate", Source: source, Title: "Migration empties a table", Severity: debate.P1, Category: "data-loss"},
		{ID: "sql/delete-without-where", Source: source, Title: "Migration deletes every row of a table", Severity: debate.P1, Category: "data-loss"},
		{ID: "sql/update-without-where", Source: source, Title: "Migration overwrites every row of a table", Severity: debate.P2, Category: "data-loss"},
		{ID: "sql/rename-table", Source: source, Title: "Migration renames a table", Severity: debate.P2, Category: "compatibility"},
		{ID: "sql/rename-column", Source: source, Title: "Migration renames a column", Severity: debate.P2, Category: "compatibility"},
		{ID: "sql/change-type", Source: source, Title: "Migration changes the type of a column", Severity: debate.P2, Category: "compatibility"},
		{ID: "sql/not-null-without-default", Source: source, Title: "New NOT NULL column has no default", Severity: debate.P2, Category: "reliability"},
		{ID: "sql/set-not-null", Source: source, Title: "Existing column becomes NOT NULL", Severity: debate.P2, Category: "reliability"},
		{ID: "sql/index-without-concurrently", Source: source, Title: "Index is built while writes are blocked", Severity: debate.P2, Category: "reliability"},
	},
	Review: review,
}

func review(files []*check.File, out *check.Findings) {
	known := newSchemaChange(files)
	for _, m := range known.migrations {
		if m.notRead {
			out.NotRead(m.file, "migration")
		}
		for i, op := range m.ops {
			j, judged := judgments[op.kind]
			if !judged || j.allows[m.dialect] || known.isHarmless(m, i) {
				continue
			}
			hit := j.hit(op)
			if op.kind == opDropTable {
				hit.Body = cmp.Or(known.lossOfRebuild(m, i), hit.Body)
			}
			if strict := hit.Trigger != ""; known.isNew(op, m, strict) {
				continue
			}
			hit.Body = known.usesLeft(m, i) + hit.Body
			out.Hit(m.file, j.rule, op.first, op.last, hit)
		}
	}
}

// isHarmless reports whether operation i of a migration is no finding.
func (s *schemaChange) isHarmless(m *migration, i int) bool {
	op := m.ops[i]
	switch op.kind {
	case opDropTable: // copied into a table that takes its place, as SQLite rebuilds a table
		if slices.ContainsFunc(s.copies(m, i), func(c tableCopy) bool { return len(c.lost) == 0 && c.known }) {
			return true
		}
		// Or a view without rows. Only ClickHouse drops views like this, so the base is read only for it.
		return strings.Contains(strings.ToLower(m.file.NewPath), "clickhouse") && s.historyBeside(m).views[op.table.name]
	case opRenameTable: // moved aside by a rebuild that makes a new table of its name
		return slices.ContainsFunc(m.ops[i+1:], func(o operation) bool { return o.kind == opCreateTable && o.table.same(op.table) })
	case opSetNotNull: // the migration fills or checks the column first
		return slices.ContainsFunc(m.ops, func(o operation) bool {
			return (o.kind == opPrepare || o.kind == opUpdate) && o.first <= op.first && o.table.same(op.table)
		})
	case opAddColumn: // existing rows get a value
		return !notNullWithoutDefault(op)
	case opUpdate:
		return s.backfillsOwnColumn(m, op)
	case opChangeType:
		return s.keepsValues(m, op)
	}
	return false
}

// judgment is the finding for one kind of operation. In its texts TABLE, COLUMN and TYPE are
// replaced with the operation's names.
type judgment struct {
	rule        string
	destructive bool // a person has to decide
	severity    debate.Severity
	title, body string
	allows      map[database]bool // databases without this problem
}

const oldNameBody = "During the rollout old code still uses the old name and fails. "

var judgments = map[opKind]judgment{
	opDropTable: {rule: "sql/drop-table", destructive: true, title: "Migration drops table TABLE",
		body: "The rows of TABLE are gone once this has run, and no rollback brings them back. Stop using the table first, keep a copy, and drop it in a later release."},
	opDropSchema: {rule: "sql/drop-schema", destructive: true, title: "Migration drops schema TABLE",
		body: "Everything in TABLE is gone once this has run. Take a backup, try to restore it, and say in the change why nothing needs the table."},
	opDropColumn: {rule: "sql/drop-column", destructive: true, title: "Migration drops column COLUMN",
		body: "The values are gone once this has run, and old code still selects the column and fails during the rollout. Deploy code without it first, then drop it in a later release."},
	opTruncate: {rule: "sql/truncate", destructive: true, title: "Migration empties table TABLE",
		body: "TRUNCATE removes every row. If that is meant, keep a copy and say so in the change; otherwise delete the rows you mean by a condition."},
	opDelete: {rule: "sql/delete-without-where", destructive: true, title: "Migration deletes every row of TABLE",
		body: "The DELETE has no condition, so all rows go. Add the missing WHERE clause, or keep a copy and say so in the change."},
	opUpdate: {rule: "sql/update-without-where", title: "Migration overwrites every row of TABLE",
		body: "The UPDATE has no condition: old values are lost and every row is locked until it commits. Add the missing WHERE clause, or fill in batches."},
	opRenameTable: {rule: "sql/rename-table", destructive: true, title: "Migration renames table TABLE",
		body: oldNameBody + "Add the new name, keep the old one for a while (a view, or a copy), and remove it later."},
	opRenameColumn: {rule: "sql/rename-column", destructive: true, title: "Migration renames column COLUMN",
		body: oldNameBody + "Add the new column, write both, move the readers, and drop the old one later."},
	opChangeType: {rule: "sql/change-type", title: "Migration changes the type of column COLUMN to TYPE",
		body: "The old type is not in this change, so check that every stored value fits the new one. Most type changes also rewrite the table under an exclusive lock; a new column, filled in batches, avoids both."},
	opAlterField: {rule: "sql/change-type", severity: debate.P3, title: "Migration alters field COLUMN",
		body: "AlterField carries the whole new field, not what changed. If the type or max_length did, check that every stored value fits and how long the table is locked."},
	opAddColumn: {rule: "sql/not-null-without-default", title: "New NOT NULL column COLUMN has no default", allows: map[database]bool{dialectMySQL: true},
		body: "On a table with rows this fails in PostgreSQL and SQLite. Give a default, or add the column nullable, fill it, and make it NOT NULL afterwards."},
	opSetNotNull: {rule: "sql/set-not-null", title: "Existing column COLUMN becomes NOT NULL", allows: map[database]bool{dialectMySQL: true},
		body: "PostgreSQL reads the whole table under an exclusive lock, and the migration fails if one NULL is left. Fill the column first, add CHECK (... IS NOT NULL) NOT VALID, validate it, then set NOT NULL."},
	opCreateIndex: {rule: "sql/index-without-concurrently", title: "Index on TABLE is built while writes are blocked", allows: map[database]bool{dialectUnknown: true, dialectMySQL: true, dialectSQLite: true},
		body: "PostgreSQL blocks writes to TABLE until the index is built. Use CREATE INDEX CONCURRENTLY, outside a transaction."},
}

// ofTable are the operations with the table of their column in the title.
var ofTable = map[opKind]bool{opDropColumn: true, opRenameColumn: true, opAlterField: true}

// hit returns the finding for an operation.
func (j judgment) hit(op operation) debate.Hit {
	table := check.Shown(op.table.name)
	if table == "" {
		table = "the table"
	}
	fill := strings.NewReplacer("TABLE", table, "COLUMN", check.Shown(op.column), "TYPE", check.Shown(op.typ))
	h := debate.Hit{Severity: j.severity, Title: fill.Replace(j.title), Body: fill.Replace(j.body)}
	switch {
	case op.unnamed():
		h.Title = "" // the rule's own
	case ofTable[op.kind] && op.table.name != "":
		h.Title += " of " + table
	}
	// A change to the widest type of its kind loses nothing, so it is no reshape.
	if j.destructive || op.kind == opChangeType && !slices.Contains(widestTypes, op.typ) {
		h.Trigger = debate.TriggerDestructiveSchema
	}
	return h
}

// unnamed reports whether the code has a variable instead of the name in the title.
func (op operation) unnamed() bool {
	if ofColumn[op.kind] {
		return op.column == ""
	}
	return op.table.name == ""
}

// ofColumn are the operations on one column.
var ofColumn = map[opKind]bool{opAddColumn: true, opDropColumn: true, opRenameColumn: true, opChangeType: true, opAlterField: true, opSetNotNull: true}

// widestTypes can hold every value of the types that people commonly widen to them.
var widestTypes = []string{
	"text", "longtext", "citext", "varchar", "character varying", "bigint", "int8", "numeric", "decimal", "double precision", "float8", "double",
	"bytea", "longblob", "blob", "jsonb", "json", "timestamptz", "timestamp with time zone",
}

// notNullWithoutDefault reports whether existing rows would have no value.
func notNullWithoutDefault(op operation) bool {
	if strings.Contains(op.typ, "serial") || op.tokens.has("default", "generated", "identity", "auto_increment", "autoincrement", "as") {
		return false
	}
	for i := range op.tokens {
		if op.tokens[i:].begins("not", "null") {
			return true
		}
	}
	return false
}

// backfillsOwnColumn reports whether an UPDATE sets only columns that the change added, or keeps
// existing values.
func (s *schemaChange) backfillsOwnColumn(m *migration, op operation) bool {
	if op.tokens.has("coalesce", "ifnull") {
		return true
	}
	sets := op.tokens
	sets.goTo("set")
	sets.take("set")
	for rest := sets; len(rest) > 0; {
		part := rest.clause()
		col, named := part.name()
		if !named || !part.take("=") || !s.madeBefore(s.columns[columnKey(op.table, col.name)], col.name, op, m, false) {
			return false
		}
	}
	return len(sets) > 0
}
