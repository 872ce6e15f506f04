package sql

import "strings"

// parseAlter reads the actions of ALTER TABLE in the spellings of PostgreSQL, MySQL and SQLite.
func parseAlter(s statement) []operation {
	start := s.peek().line
	if !s.take("alter", "table") {
		return nil
	}
	s.take("if", "exists")
	s.take("only")
	table, ok := s.name()
	if !ok {
		return nil
	}
	s.take("*")
	var ops []operation
	for len(s) > 0 {
		part := s.clause()
		op, ok := parseAction(part)
		if !ok {
			continue
		}
		op.table, op.first, op.last, op.tokens = table, part.first(), part.last(), part
		if len(ops) == 0 && op.kind == opRenameTable {
			op.first = start
		}
		ops = append(ops, op)
	}
	return ops
}

// notColumns are the words for things other than columns after ADD, DROP and RENAME.
var notColumns = []string{"constraint", "index", "key", "primary", "foreign", "unique", "check", "partition",
	"fulltext", "spatial", "period", "system", "default", "expression", "identity", "not", "table", "exclude", "value", "attribute"}

// isNoColumn skips the word COLUMN, or reports that something else follows.
func (s *statement) isNoColumn() bool { return !s.take("column") && s.peek().is(notColumns...) }

// isProjection reports whether an action is about a ClickHouse projection, which has no data of its
// own. A column of that name has no name and query after it.
func isProjection(s statement) bool {
	switch {
	case s.take("drop", "projection"):
		return len(s) > 0 && !s[0].is("cascade", "restrict")
	case s.take("add", "projection"):
		s.take("if", "not", "exists")
		_, named := s.name()
		return named && s.begins("(", "select")
	}
	return false
}

func parseAction(s statement) (operation, bool) {
	switch {
	case s.take("validate", "constraint"), s.begins("add", "constraint") && s.has("check"):
		return operation{kind: opPrepare}, true
	case isProjection(s):
		return operation{}, false
	case s.take("add"):
		return parseAddColumn(s)
	case s.take("drop"):
		if s.isNoColumn() {
			return operation{}, false
		}
		s.take("if", "exists")
		col, ok := s.name()
		return operation{kind: opDropColumn, column: col.name}, ok
	case s.take("rename"):
		return parseRename(s)
	case s.take("set", "schema"):
		to, ok := s.name()
		return operation{kind: opRenameTable, to: to}, ok
	case s.take("alter"):
		return parseAlterColumn(s)
	case s.take("modify"):
		col, ok := s.columnName()
		return operation{kind: opChangeType, column: col.name, typ: s.typeName()}, ok
	case s.take("change"):
		col, _ := s.columnName()
		to, ok := s.name()
		kind := opRenameColumn
		if col == to {
			kind = opChangeType
		}
		return operation{kind: kind, column: col.name, newColumn: to.name, typ: s.typeName()}, ok
	}
	return operation{}, false
}

// columnName reads the name of a column and the words before it.
func (s *statement) columnName() (object, bool) {
	s.take("column")
	s.take("if", "exists")
	return s.name()
}

func parseAddColumn(s statement) (operation, bool) {
	if s.isNoColumn() {
		return operation{kind: opUnread}, !isConstraint(s) && !s.begins("partition")
	}
	perhaps := s.take("if", "not", "exists")
	col, _ := s.name()
	if !s.peek().isName() { // no type follows: ADD (a int, b int) or not a column
		return operation{kind: opUnread}, true
	}
	return operation{kind: opAddColumn, column: col.name, typ: s.typeName(), perhaps: perhaps}, true
}

func parseRename(s statement) (operation, bool) {
	switch {
	case s.take("to"), s.take("as"):
		to, ok := s.name()
		return operation{kind: opRenameTable, to: to}, ok
	case s.isNoColumn():
		return operation{}, false
	}
	from, ok := s.name()
	if !s.take("to") {
		return operation{kind: opRenameTable, to: from}, ok && len(s) == 0 // MySQL: RENAME new_name
	}
	to, ok := s.name()
	return operation{kind: opRenameColumn, column: from.name, newColumn: to.name}, ok
}

func parseAlterColumn(s statement) (operation, bool) {
	if s.isNoColumn() {
		return operation{}, false
	}
	col, _ := s.name()
	switch {
	case s.take("set", "data", "type"), s.take("type"):
		return operation{kind: opChangeType, column: col.name, typ: s.typeName()}, true
	case s.take("set", "not", "null"):
		return operation{kind: opSetNotNull, column: col.name}, true
	}
	return operation{}, false
}

// typeName returns a type as written, with its arguments.
func (s statement) typeName() string {
	var b strings.Builder
	depth := 0
	for _, t := range s {
		depth += t.nests()
		switch {
		case b.Len() >= 64:
			return b.String()
		case depth > 0, t.is("(", ")", "[", "]"):
		case !t.isName(), t.is(afterType...):
			return b.String()
		case t.kind == tokWord && b.Len() > 0 && depth == 0:
			b.WriteByte(' ')
		}
		b.WriteString(strings.ToLower(t.text))
	}
	return b.String()
}

// afterType are the words that begin the constraints after a type.
var afterType = []string{
	"not", "null", "default", "using", "collate", "primary", "unique", "check", "references", "generated", "comment",
	"auto_increment", "autoincrement", "after", "first", "constraint", "charset", "on", "as", "invisible", "identity",
}
