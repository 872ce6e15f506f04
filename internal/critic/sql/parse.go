package sql

import (
	"slices"
	"strings"
)

// object names a table: both parts in lower case, schema "" where not given.
type object struct{ schema, name string }

func (o object) same(p object) bool {
	return o.name == p.name && (o.schema == p.schema || o.schema == "" || p.schema == "")
}

// operation is one thing that a statement does to the schema or the rows.
type operation struct {
	kind        opKind
	first, last int // lines
	table       object
	to          object // new name of a table
	column      string
	newColumn   string
	typ         string   // new type of a column, as written, at most 64 bytes
	perhaps     bool     // it makes nothing where a condition says so
	columns     []string // of a new table, nil where they are not known; or those that are copied
	tokens      []token
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
	opAlterField // Django: any change of a field, the type perhaps among them
	opSetNotNull
	opCreateIndex
	opDelete
	opUpdate
	opPrepare  // fills some rows, or checks them, as one does before SET NOT NULL
	opCopyRows // INSERT INTO table SELECT ... FROM to, every row of it
	opUnread   // adds to a table what is not known
	opCreateView
)

// cursor walks the tokens of one statement.
type cursor struct {
	toks statement
	i    int
}

func (c *cursor) done() bool { return c.i >= len(c.toks) }

// is reports whether the next tokens are these words.
func (c *cursor) is(words ...string) bool {
	if c.i+len(words) > len(c.toks) {
		return false
	}
	return slices.EqualFunc(c.toks[c.i:c.i+len(words)], words, func(t token, w string) bool { return t.isWord(w) })
}

// peek is the next token, the zero value at the end.
func (c *cursor) peek() token {
	if c.done() {
		return token{}
	}
	return c.toks[c.i]
}

// pass passes over some words, each of which may come next in this order.
func (c *cursor) pass(words ...string) {
	for _, w := range words {
		c.take(w)
	}
}

// take passes over the words if they come next.
func (c *cursor) take(words ...string) bool {
	if !c.is(words...) {
		return false
	}
	c.i += len(words)
	return true
}

func (c *cursor) punct(p string) bool {
	if c.done() || !c.toks[c.i].isPunct(p) {
		return false
	}
	c.i++
	return true
}

// name reads a possibly qualified identifier.
func (c *cursor) name() (object, bool) {
	var parts []string
	for !c.done() && c.toks[c.i].isName() {
		parts = append(parts, strings.ToLower(c.toks[c.i].text))
		c.i++
		if !c.punct(".") {
			break
		}
	}
	switch n := len(parts); n {
	case 0:
		return object{}, false
	case 1:
		return object{name: parts[0]}, true
	default:
		return object{schema: parts[n-2], name: parts[n-1]}, true
	}
}

// names reads a list of names.
func (c *cursor) names() []object {
	var all []object
	for {
		n, ok := c.name()
		if !ok {
			return all
		}
		all = append(all, n)
		if !c.punct(",") {
			return all
		}
		c.take("only")
	}
}

// clause returns the tokens up to the next comma outside parentheses, and
// passes over them and the comma.
func (c *cursor) clause() statement {
	start, depth := c.i, 0
	for ; !c.done(); c.i++ {
		t := c.toks[c.i]
		if depth += t.nests(); depth == 0 && t.isPunct(",") {
			c.i++
			return c.toks[start : c.i-1]
		}
	}
	return c.toks[start:]
}

// parse says what a statement does. Statements that change neither schema
// nor rows, or cannot be read, do nothing.
func parse(s statement) []operation {
	c := &cursor{toks: s}
	whole := func(kind opKind, table object) operation {
		return operation{kind: kind, table: table, first: s.first(), last: s.last(), tokens: s}
	}
	switch {
	case c.take("create"):
		return parseCreate(c, whole)
	case c.take("drop"):
		return parseDrop(c, whole)
	case c.take("truncate"):
		c.pass("table", "only")
		return forEach(c.names(), opTruncate, whole)
	case c.take("rename", "table"):
		return parseRenameTable(c, whole)
	case c.take("alter", "table"):
		return parseAlter(c)
	case c.take("insert"):
		return parseInsert(c, whole)
	case c.is("with"), c.is("delete"), c.is("update"):
		return parseRows(c, whole)
	}
	return nil
}

func forEach(names []object, kind opKind, whole func(opKind, object) operation) []operation {
	var ops []operation
	for _, n := range names {
		ops = append(ops, whole(kind, n))
	}
	return ops
}

func parseCreate(c *cursor, whole func(opKind, object) operation) []operation {
	c.pass("or", "replace", "global", "local", "temporary", "temp", "unlogged", "foreign", "unique")
	switch {
	case c.take("table"):
		return parseCreateTable(c, whole)
	case c.take("materialized", "view"):
		// ClickHouse: what it sees goes to a table, and it holds no rows of its own.
		c.take("if", "not", "exists")
		if name, ok := c.name(); ok && c.is("to") {
			return []operation{whole(opCreateView, name)}
		}
	case c.take("index"):
		if c.take("concurrently") {
			return nil
		}
		c.take("if", "not", "exists")
		if !c.is("on") {
			c.name()
		}
		if !c.take("on") {
			return nil
		}
		c.take("only")
		if name, ok := c.name(); ok {
			return []operation{whole(opCreateIndex, name)}
		}
	}
	return nil
}

func parseCreateTable(c *cursor, whole func(opKind, object) operation) []operation {
	perhaps := c.take("if", "not", "exists")
	name, ok := c.name()
	if !ok {
		return nil
	}
	ops := []operation{whole(opCreateTable, name)}
	ops[0].perhaps, ops[0].columns = perhaps, columnsMade(&cursor{toks: c.toks, i: c.i})
	if from, columns, ok := copiedWhole(c); ok {
		op := whole(opCopyRows, name)
		op.to, op.columns = from, columns
		ops = append(ops, op)
	}
	return ops
}

func parseDrop(c *cursor, whole func(opKind, object) operation) []operation {
	kind := opDropTable
	switch {
	case c.take("table"), c.take("foreign", "table"):
	case c.take("schema"), c.take("database"):
		kind = opDropSchema
	default:
		return nil // DROP TEMPORARY TABLE, and objects that hold no rows
	}
	c.take("if", "exists")
	names := c.names()
	if kind == opDropSchema && c.is("restrict") {
		return nil // refused unless the schema is empty
	}
	return forEach(names, kind, whole)
}

func parseRenameTable(c *cursor, whole func(opKind, object) operation) []operation {
	var ops []operation
	for {
		from, ok := c.name()
		if !ok || !c.take("to") {
			return ops
		}
		op := whole(opRenameTable, from)
		if op.to, ok = c.name(); !ok {
			return ops
		}
		ops = append(ops, op)
		if !c.punct(",") {
			return ops
		}
	}
}

// copiedWhole is the table of which the SELECT in the rest of a statement takes every row,
// with the columns that it takes; false where it may take fewer rows.
func copiedWhole(c *cursor) (from object, columns []string, ok bool) {
	for !c.done() && !c.is("select") {
		c.i++
	}
	c.take("select")
	start := c.i
	for ; !c.done() && !c.is("from"); c.i++ {
		if c.toks[c.i].isWord(mergesRows...) {
			return object{}, nil, false
		}
	}
	columns = columnsCopied(c.toks[start:c.i])
	if !c.take("from") {
		return object{}, nil, false
	}
	from, named := c.name()
	for c.punct(")") {
	}
	if c.take("order", "by") {
		c.skipOrder()
	}
	return from, columns, named && c.done()
}

// skipOrder passes over the rest of a statement if it says nothing but an order.
func (c *cursor) skipOrder() {
	for ; !c.done(); c.i++ {
		if c.toks[c.i].isWord("limit", "offset", "fetch", "for") {
			return
		}
	}
}

// mergesRows are the words before FROM by which a SELECT has fewer rows than its table.
var mergesRows = []string{
	"distinct", "select", "top", "count", "sum", "min", "max", "avg", "total", "group_concat", "string_agg", "array_agg", "json_agg", "jsonb_agg",
}

func parseInsert(c *cursor, whole func(opKind, object) operation) []operation {
	c.take("overwrite")
	if !c.take("into") { // OR IGNORE and OR REPLACE leave rows out
		return nil
	}
	into, ok := c.name()
	if !ok {
		return nil
	}
	from, columns, ok := copiedWhole(c)
	if !ok {
		return nil
	}
	op := whole(opCopyRows, into)
	op.to, op.columns = from, columns
	return []operation{op}
}

// parseRows reads DELETE and UPDATE, also after a WITH clause, and reports
// those that touch every row.
func parseRows(c *cursor, whole func(opKind, object) operation) []operation {
	verb := c.verb()
	if verb != "delete" && verb != "update" {
		return nil // WITH ... SELECT
	}
	limited := (&cursor{toks: c.toks, i: c.i}).limited()
	c.i++
	kind := opDelete
	switch {
	case verb == "update" && limited:
		kind = opPrepare
	case verb == "update":
		kind = opUpdate
	case limited || !c.take("from"):
		return nil
	}
	c.pass("or", "low_priority", "ignore", "only")
	name, ok := c.name()
	if !ok || verb == "update" && !hasWord(c.toks[c.i:], "set") {
		return nil
	}
	return []operation{whole(kind, name)}
}

// verb goes to the word that says what a statement does to rows.
func (c *cursor) verb() string {
	for c.nextWord() {
		switch w := c.toks[c.i].text; w {
		case "select", "insert", "delete", "update":
			return w
		}
		c.i++
	}
	return ""
}

// limited reports whether a DELETE or UPDATE touches less than every row.
func (c *cursor) limited() bool {
	for ; c.nextWord(); c.i++ {
		switch c.toks[c.i].text {
		case "where":
			if !alwaysTrue(c.toks[c.i+1:]) {
				return true
			}
		case "join", "using", "limit", "top":
			return true
		}
	}
	return false
}

// nextWord goes to the next word outside parentheses, this one included.
func (c *cursor) nextWord() bool {
	depth := 0
	for ; !c.done(); c.i++ {
		t := c.toks[c.i]
		if depth += t.nests(); depth == 0 && t.kind == tokWord {
			return true
		}
	}
	return false
}

// alwaysTrue reports whether a condition is TRUE or 1 = 1 and nothing else.
func alwaysTrue(cond []token) bool {
	switch len(cond) {
	case 1:
		return cond[0].text == "true" || cond[0].text == "1"
	case 3:
		return cond[0].kind == tokNumber && cond[1].text == "=" && cond[2].text == cond[0].text
	}
	return false
}
