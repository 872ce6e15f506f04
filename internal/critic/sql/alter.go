package sql

import "strings"

// parseAlter reads the actions of ALTER TABLE in the spellings of PostgreSQL,
// MySQL and SQLite.
func parseAlter(c *cursor) []operation {
	c.take("if", "exists")
	c.take("only")
	table, ok := c.name()
	if !ok {
		return nil
	}
	c.punct("*")
	var ops []operation
	for !c.done() {
		part := c.clause()
		if len(part) == 0 {
			continue
		}
		if op, ok := parseAction(&cursor{toks: part}); ok {
			op.table, op.first, op.last, op.tokens = table, part.first(), part.last(), part
			if len(ops) == 0 && op.first > c.toks.first() && op.kind == opRenameTable {
				op.first = c.toks.first()
			}
			ops = append(ops, op)
		}
	}
	return ops
}

// notColumns are the things other than columns that follow ADD, DROP and RENAME.
var notColumns = []string{"constraint", "index", "key", "primary", "foreign", "unique", "check", "partition",
	"fulltext", "spatial", "period", "system", "default", "expression", "identity", "not", "table", "exclude", "value", "attribute"}

func (c *cursor) isNotColumn() bool { return c.peek().isWord(notColumns...) }

// isProjection reports whether an action is about a projection of ClickHouse, which
// holds nothing of its own. A column of that name has no name and no query behind it.
func (c *cursor) isProjection() bool {
	rest := &cursor{toks: c.toks, i: c.i + 2}
	switch {
	case c.is("drop", "projection"):
		return !rest.done() && !rest.peek().isWord("cascade", "restrict")
	case c.is("add", "projection"):
		rest.take("if", "not", "exists")
		_, named := rest.name()
		return named && rest.punct("(") && rest.is("select")
	}
	return false
}

func parseAction(c *cursor) (operation, bool) {
	switch {
	case c.take("validate", "constraint"), c.is("add", "constraint") && hasWord(c.toks, "check"):
		return operation{kind: opPrepare}, true
	case c.isProjection():
		return operation{}, false
	case c.take("add"):
		return parseAddColumn(c)
	case c.take("drop"):
		if c.isNotColumn() {
			return operation{}, false
		}
		col, ok := c.columnName()
		return operation{kind: opDropColumn, column: col.name}, ok
	case c.take("rename"):
		return parseRename(c)
	case c.take("set", "schema"):
		to, ok := c.name()
		return operation{kind: opRenameTable, to: to}, ok
	case c.take("alter"):
		return parseAlterColumn(c)
	case c.take("modify"):
		col, ok := c.columnName()
		return operation{kind: opChangeType, column: col.name, typ: c.typeName()}, ok
	case c.take("change"):
		col, ok := c.columnName()
		to, renames := c.name()
		kind := opRenameColumn
		if col == to {
			kind = opChangeType
		}
		return operation{kind: kind, column: col.name, newColumn: to.name, typ: c.typeName()}, ok && renames
	}
	return operation{}, false
}

// columnName reads the name of a column after what may precede it.
func (c *cursor) columnName() (object, bool) {
	c.take("column")
	c.take("if", "exists")
	return c.name()
}

func parseAddColumn(c *cursor) (operation, bool) {
	if !c.take("column") && c.isNotColumn() {
		return operation{kind: opUnread}, !isConstraint(c.toks[c.i:]) && !c.is("partition")
	}
	perhaps := c.take("if", "not", "exists")
	col, ok := c.name()
	if !ok || c.done() || !c.peek().isName() {
		return operation{kind: opUnread}, true // no type follows: ADD (a int, b int) or not a column
	}
	return operation{kind: opAddColumn, column: col.name, typ: c.typeName(), perhaps: perhaps}, true
}

func parseRename(c *cursor) (operation, bool) {
	if c.take("to") || c.take("as") {
		to, ok := c.name()
		return operation{kind: opRenameTable, to: to}, ok
	}
	if !c.take("column") && c.isNotColumn() {
		return operation{}, false
	}
	from, ok := c.name()
	if !ok {
		return operation{}, false
	}
	if !c.take("to") {
		return operation{kind: opRenameTable, to: from}, c.done() // MySQL: RENAME new_name
	}
	to, ok := c.name()
	return operation{kind: opRenameColumn, column: from.name, newColumn: to.name}, ok
}

func parseAlterColumn(c *cursor) (operation, bool) {
	if !c.take("column") && c.isNotColumn() {
		return operation{}, false
	}
	col, ok := c.name()
	if !ok {
		return operation{}, false
	}
	switch {
	case c.take("set", "data", "type"), c.take("type"):
		return operation{kind: opChangeType, column: col.name, typ: c.typeName()}, true
	case c.take("set", "not", "null"):
		return operation{kind: opSetNotNull, column: col.name}, true
	}
	return operation{}, false
}

// typeName reads a type as it is written, with its arguments.
func (c *cursor) typeName() string {
	var b strings.Builder
	for depth := 0; !c.done() && b.Len() < 64; c.i++ {
		t := c.peek()
		depth += t.nests()
		inBrackets := depth > 0 || t.isPunct("(", ")", "[", "]")
		if !inBrackets && (!t.isName() || t.isWord(afterType...)) {
			break
		}
		if t.kind == tokWord && b.Len() > 0 && depth == 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.ToLower(t.text))
	}
	return b.String()
}

// afterType are the words that begin the constraints which follow a type.
var afterType = []string{
	"not", "null", "default", "using", "collate", "primary", "unique", "check", "references", "generated", "comment",
	"auto_increment", "autoincrement", "after", "first", "constraint", "charset", "on", "as", "invisible", "identity",
}
