package sql

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// object names a table: both parts in lower case, schema "" if not given.
type object struct{ schema, name string }

// same reports whether two names may mean one table.
func (o object) same(p object) bool {
	return o.name == p.name && cmp.Or(o.schema, p.schema) == cmp.Or(p.schema, o.schema)
}

// operation is one action of a statement on the schema or the rows.
type operation struct {
	kind        opKind
	first, last int // lines
	table       object
	to          object // new name of a table
	column      string
	newColumn   string
	typ         string   // new type of a column, as written, at most 64 bytes
	perhaps     bool     // it makes nothing if a condition says so
	columns     []string // of a new table, nil if they are unknown; or those copied
	tokens      statement
}

type opKind byte

const (
	opCreateTable opKind = iota
	opDropTable
	opDropSchema
	opTruncate
	opRenameTable
	opAddColumn
	opDropColumn
	opRenameColumn
	opChangeType
	opAlterField // Django: any change of a field, maybe of its type
	opSetNotNull
	opCreateIndex
	opDelete
	opUpdate
	opPrepare  // fills or checks some rows, as people do before SET NOT NULL
	opCopyRows // INSERT INTO table SELECT ... FROM to, every row of it
	opUnread   // adds something unknown to a table
	opCreateView
)

// peek returns the next token, the zero value at the end.
func (s statement) peek() token {
	if len(s) == 0 {
		return token{}
	}
	return s[0]
}

// begins reports whether the next tokens are these words or characters.
func (s statement) begins(words ...string) bool {
	return len(s) >= len(words) && slices.EqualFunc(s[:len(words)], words, func(t token, w string) bool { return t.is(w) })
}

// take skips these words or characters if they come next.
func (s *statement) take(words ...string) bool {
	taken := s.begins(words...)
	if taken {
		*s = (*s)[len(words):]
	}
	return taken
}

// pass skips some words, each of which may come next in this order.
func (s *statement) pass(words ...string) {
	for _, w := range words {
		s.take(w)
	}
}

// goTo skips to the first of some words, or to the end.
func (s *statement) goTo(words ...string) (passed statement) {
	at := slices.IndexFunc(*s, func(t token) bool { return t.is(words...) })
	if at < 0 {
		at = len(*s)
	}
	passed, *s = (*s)[:at], (*s)[at:]
	return passed
}

// name reads a possibly qualified identifier.
func (s *statement) name() (o object, ok bool) {
	for s.peek().isName() {
		o = object{schema: o.name, name: strings.ToLower(s.peek().text)}
		ok = true
		*s = (*s)[1:]
		if !s.take(".") {
			break
		}
	}
	return o, ok
}

// names reads a list of names.
func (s *statement) names() []object {
	var all []object
	for n, ok := s.name(); ok; n, ok = s.name() {
		all = append(all, n)
		if !s.take(",") {
			break
		}
		s.take("only")
	}
	return all
}

// clause returns the tokens up to the next comma outside parentheses, and skips them and the comma.
func (s *statement) clause() statement {
	part, _ := s.cut(",")
	return part
}

// outside returns the index of the first of some words or characters outside parentheses, -1 if
// there is none.
func (s statement) outside(words ...string) int {
	depth := 0
	return slices.IndexFunc(s, func(t token) bool {
		depth += t.nests()
		return depth == 0 && t.is(words...)
	})
}

// cut returns the tokens before a word or character outside parentheses and skips both, or returns
// all tokens if there is none.
func (s *statement) cut(word string) (before statement, found bool) {
	at := s.outside(word)
	if before = *s; at < 0 {
		*s = nil
		return before, false
	}
	*s = before[at+1:]
	return before[:at], true
}

// verbs are the statements that change the schema or the rows, by their first words.
var verbs = map[string]func(statement) []operation{
	"create": parseCreate, "drop": parseDrop, "rename": parseRenameTable, "alter": parseAlter, "insert": parseInsert,
	"truncate": func(s statement) []operation {
		s.pass("truncate", "table", "only")
		return forEach(s.names(), opTruncate)
	},
	"with": parseRows, "delete": parseRows, "update": parseRows,
}

// parse returns the operations of a statement. A statement without effect on schema and rows, or
// one that cannot be read, has none.
func parse(s statement) []operation {
	verb := s.peek()
	read := verbs[verb.text]
	if verb.kind != tokWord || read == nil {
		return nil
	}
	ops := read(s)
	for i := range ops {
		if op := &ops[i]; op.tokens == nil { // ALTER TABLE sets the lines of each action
			op.first, op.last, op.tokens = s.first(), s.last(), s
		}
	}
	return ops
}

func parseCreate(s statement) []operation {
	s.pass("create", "or", "replace", "global", "local", "temporary", "temp", "unlogged", "foreign", "unique")
	switch {
	case s.take("table"):
		return parseCreateTable(s)
	case s.take("materialized", "view"):
		// ClickHouse: its rows go to a table, and it has none of its own.
		s.take("if", "not", "exists")
		if name, _ := s.name(); s.begins("to") {
			return []operation{{kind: opCreateView, table: name}}
		}
	case s.begins("index", "concurrently"): // blocks no writes
	case s.take("index"):
		s.take("if", "not", "exists")
		if !s.begins("on") {
			s.name()
		}
		if !s.take("on") {
			return nil
		}
		s.take("only")
		if name, ok := s.name(); ok {
			return []operation{{kind: opCreateIndex, table: name}}
		}
	}
	return nil
}

func parseCreateTable(s statement) []operation {
	perhaps := s.take("if", "not", "exists")
	name, ok := s.name()
	if !ok {
		return nil
	}
	ops := []operation{{kind: opCreateTable, table: name, perhaps: perhaps, columns: columnsMade(s)}}
	if from, columns, ok := copiedWhole(s); ok {
		ops = append(ops, operation{kind: opCopyRows, table: name, to: from, columns: columns})
	}
	return ops
}

func parseDrop(s statement) []operation {
	s.take("drop")
	kind := opDropTable
	switch {
	case s.take("table"), s.take("foreign", "table"):
	case s.take("schema"), s.take("database"):
		kind = opDropSchema
	default:
		return nil // DROP TEMPORARY TABLE, and objects without rows
	}
	s.take("if", "exists")
	names := s.names()
	if kind == opDropSchema && s.begins("restrict") {
		return nil // refused unless the schema is empty
	}
	return forEach(names, kind)
}

func forEach(names []object, kind opKind) []operation {
	return lists.Map(names, func(n object) operation { return operation{kind: kind, table: n} })
}

func parseRenameTable(s statement) []operation {
	var ops []operation
	for more := s.take("rename", "table"); more; more = s.take(",") {
		from, _ := s.name()
		isRename := s.take("to")
		to, ok := s.name()
		if !isRename || !ok {
			break
		}
		ops = append(ops, operation{kind: opRenameTable, table: from, to: to})
	}
	return ops
}

// copiedWhole returns the table from which the SELECT in the rest of a statement takes every row,
// with its columns, or false if it may take fewer rows.
func copiedWhole(s statement) (from object, columns []string, ok bool) {
	s.goTo("select")
	s.take("select")
	list := s.goTo("from")
	if list.has(mergesRows...) || !s.take("from") {
		return object{}, nil, false
	}
	from, named := s.name()
	for s.take(")") {
	}
	if s.take("order", "by") {
		s.goTo("limit", "offset", "fetch", "for")
	}
	return from, columnsCopied(list), named && len(s) == 0
}

// mergesRows are words before FROM for a SELECT with fewer rows than its table.
var mergesRows = []string{
	"distinct", "select", "top", "count", "sum", "min", "max", "avg", "total", "group_concat", "string_agg", "array_agg", "json_agg", "jsonb_agg",
}

func parseInsert(s statement) []operation {
	s.pass("insert", "overwrite")
	if !s.take("into") { // OR IGNORE and OR REPLACE leave rows out
		return nil
	}
	into, ok := s.name()
	from, columns, copies := copiedWhole(s)
	if !ok || !copies {
		return nil
	}
	return []operation{{kind: opCopyRows, table: into, to: from, columns: columns}}
}

// parseRows reads DELETE and UPDATE, also after a WITH clause, if they touch every row, or an UPDATE
// that prepares a column by touching fewer.
func parseRows(s statement) []operation {
	at := s.outside("select", "insert", "delete", "update")
	if at < 0 {
		return nil
	}
	verb := s[at].text
	s = s[at+1:]
	isLimited := s.outside("join", "using", "limit", "top") >= 0
	if where := s.outside("where"); where >= 0 {
		cond := s[where+1:]
		isTrue := len(cond) == 1 && slices.Contains([]string{"true", "1"}, cond[0].text)
		isEqual := len(cond) == 3 && cond[0].kind == tokNumber && cond[1].text == "=" && cond[2].text == cond[0].text // 1 = 1
		isLimited = isLimited || !isTrue && !isEqual
	}
	op := operation{kind: opUpdate}
	switch {
	case verb == "delete" && !isLimited && s.take("from"):
		op.kind = opDelete
	case verb == "update" && isLimited:
		op.kind = opPrepare
	case verb != "update":
		return nil
	}
	s.pass("or", "low_priority", "ignore", "only")
	var ok bool
	if op.table, ok = s.name(); !ok || verb == "update" && !s.has("set") {
		return nil
	}
	return []operation{op}
}
