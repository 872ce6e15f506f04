// Package sql reads what migrations do to a schema and its rows, written in SQL
// or in the calls of a migration library, and finds what destroys, breaks or locks.
package sql

import (
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
)

const source = "own tokenizer; PostgreSQL, MySQL and SQLite manuals on ALTER TABLE, CREATE INDEX and table locks"

// Kind finds migrations that destroy data, break what runs on the old
// schema, or lock a table (S22). Rollback parts and what the change itself
// created are left alone.
var Kind = check.Kind{
	Rules: func() []check.Rule {
		return []check.Rule{
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
		}
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
			if rule, h, ok := judge(m, i, known); ok {
				if op.unnamed() {
					h.Title = "" // the rule's own
				}
				out.Hit(m.file, rule, op.first, op.last, h)
			}
		}
	}
}

// unnamed reports whether the code names by a variable what the title would.
func (op operation) unnamed() bool {
	switch op.kind {
	case opAddColumn, opDropColumn, opRenameColumn, opChangeType, opAlterField, opSetNotNull:
		return op.column == ""
	}
	return op.table.name == ""
}

// judge says whether the i-th operation of a migration is a finding.
func judge(m *migration, i int, known *schemaChange) (rule string, h debate.Hit, ok bool) {
	op := m.ops[i]
	if op.kind != opDropSchema && known.created(op.table, m.file.NewPath, op.first) {
		return "", h, false
	}
	table := check.Shown(op.table.name)
	if table == "" {
		table = "the table"
	}
	destructive := debate.TriggerDestructiveSchema
	switch op.kind {
	case opDropTable:
		if m.replaced(i) {
			return "", h, false
		}
		return "sql/drop-table", debate.Hit{Trigger: destructive, Title: "Migration drops table " + table,
			Body: "The rows of " + table + " are gone once this has run, and no rollback brings them back. Stop using the table first, keep a copy, and drop it in a later release."}, true
	case opDropSchema:
		return "sql/drop-schema", debate.Hit{Trigger: destructive, Title: "Migration drops schema " + table,
			Body: "Everything in " + table + " is gone once this has run. Take a backup that is known to restore, and say in the change why nothing needs it."}, true
	case opDropColumn:
		if known.addedColumn(op.table, op.column, m.file.NewPath, op.first) {
			return "", h, false
		}
		return "sql/drop-column", debate.Hit{Trigger: destructive, Title: "Migration drops column " + check.Shown(op.column) + named(" of ", op.table.name),
			Body: "The values are gone once this has run, and code that still selects the column fails during the rollout. Deploy code that does not use it first, then drop it in a later release."}, true
	case opTruncate:
		return "sql/truncate", debate.Hit{Trigger: destructive, Title: "Migration empties table " + table,
			Body: "TRUNCATE removes every row. If that is meant, keep a copy and say so in the change; otherwise delete the rows you mean by a condition."}, true
	case opDelete:
		return "sql/delete-without-where", debate.Hit{Trigger: destructive, Title: "Migration deletes every row of " + table,
			Body: "The DELETE has no condition, so all rows go. Add the WHERE clause that was meant, or keep a copy and say so in the change."}, true
	case opUpdate:
		if backfillsOwnColumn(op, m, known) {
			return "", h, false
		}
		return "sql/update-without-where", debate.Hit{Title: "Migration overwrites every row of " + table,
			Body: "The UPDATE has no condition: old values are lost and every row is locked until it commits. Add the WHERE clause that was meant, or fill in batches."}, true
	case opRenameTable:
		if m.rebuilt(i) {
			return "", h, false
		}
		return "sql/rename-table", debate.Hit{Trigger: destructive, Title: "Migration renames table " + table,
			Body: "Code that runs while this is rolled out still uses the old name and fails. Add the new name beside the old one (a view, or a copy) and remove the old one later."}, true
	case opRenameColumn:
		if known.addedColumn(op.table, op.column, m.file.NewPath, op.first) {
			return "", h, false
		}
		return "sql/rename-column", debate.Hit{Trigger: destructive, Title: "Migration renames column " + check.Shown(op.column) + named(" of ", op.table.name),
			Body: "Code that runs while this is rolled out still uses the old name and fails. Add the new column, write both, move the readers, and drop the old one later."}, true
	case opChangeType:
		return judgeType(op, m, known)
	case opAlterField:
		if known.addedColumn(op.table, op.column, m.file.NewPath, op.first) {
			return "", h, false
		}
		return "sql/change-type", debate.Hit{Severity: debate.P3, Title: "Migration alters field " + check.Shown(op.column) + named(" of ", op.table.name),
			Body: "AlterField carries the whole new field, not what changed. If the type or max_length did, check that every stored value fits and how long the table is locked."}, true
	case opAddColumn:
		if m.dialect == dialectMySQL || !notNullWithoutDefault(op) {
			return "", h, false
		}
		return "sql/not-null-without-default", debate.Hit{Title: "New NOT NULL column " + check.Shown(op.column) + " has no default",
			Body: "On a table that has rows this fails in PostgreSQL and SQLite. Give a default, or add the column nullable, fill it, and make it NOT NULL afterwards."}, true
	case opSetNotNull:
		if m.dialect == dialectMySQL || m.prepared(op) || known.addedColumn(op.table, op.column, m.file.NewPath, op.first) {
			return "", h, false
		}
		return "sql/set-not-null", debate.Hit{Title: "Existing column " + check.Shown(op.column) + " becomes NOT NULL",
			Body: "PostgreSQL reads the whole table under an exclusive lock, and the migration fails if one NULL is left. Fill the column first, add CHECK (... IS NOT NULL) NOT VALID, validate it, then set NOT NULL."}, true
	case opCreateIndex:
		if m.dialect != dialectPostgres {
			return "", h, false
		}
		return "sql/index-without-concurrently", debate.Hit{Title: "Index on " + table + " is built while writes are blocked",
			Body: "PostgreSQL blocks writes to " + table + " until the index is built. Use CREATE INDEX CONCURRENTLY, outside a transaction."}, true
	}
	return "", h, false
}

// judgeType reports a new column type. The old one is not in the change, so
// that only a type which can hold less than another of its kind counts as a
// reshape.
func judgeType(op operation, m *migration, known *schemaChange) (string, debate.Hit, bool) {
	if op.typ == "" || known.addedColumn(op.table, op.column, m.file.NewPath, op.first) {
		return "", debate.Hit{}, false
	}
	h := debate.Hit{
		Title: "Migration changes the type of column " + check.Shown(op.column) + " to " + check.Shown(op.typ),
		Body:  "The old type is not in this change, so check that every stored value fits the new one. Most type changes also rewrite the table under an exclusive lock; a new column that is filled in batches avoids both.",
	}
	if !widest(op.typ) {
		h.Trigger = debate.TriggerDestructiveSchema
	}
	return "sql/change-type", h, true
}

// widest reports whether a type holds every value of the types that are
// commonly widened to it.
func widest(typ string) bool {
	switch typ {
	case "text", "longtext", "citext", "varchar", "character varying", "bigint", "int8", "numeric", "decimal",
		"double precision", "float8", "double", "bytea", "longblob", "blob", "jsonb", "json", "timestamptz", "timestamp with time zone":
		return true
	}
	return false
}

// notNullWithoutDefault reports whether rows that exist would have no value.
func notNullWithoutDefault(op operation) bool {
	if strings.Contains(op.typ, "serial") {
		return false
	}
	notNull := false
	for i, t := range op.tokens {
		if t.kind != tokWord {
			continue
		}
		switch t.text {
		case "default", "generated", "identity", "auto_increment", "autoincrement", "as":
			return false
		case "null":
			notNull = notNull || i > 0 && op.tokens[i-1].text == "not"
		}
	}
	return notNull
}

// backfillsOwnColumn reports whether an UPDATE sets only columns that the
// change added, or keeps the values that are there.
func backfillsOwnColumn(op operation, m *migration, known *schemaChange) bool {
	if hasWord(op.tokens, "coalesce", "ifnull") {
		return true
	}
	c := &cursor{toks: op.tokens}
	for !c.done() && !c.take("set") {
		c.i++
	}
	set := 0
	for !c.done() {
		part := &cursor{toks: c.clause()}
		col, ok := part.name()
		if !ok || !part.punct("=") || !known.addedColumn(op.table, col.name, m.file.NewPath, op.first) {
			return false
		}
		set++
	}
	return set > 0
}

// named is prefix and name, or nothing where the name is not known.
func named(prefix, name string) string {
	if name == "" {
		return ""
	}
	return prefix + check.Shown(name)
}
