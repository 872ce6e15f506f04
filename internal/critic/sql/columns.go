package sql

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
)

// everyColumn stands for all columns of a table that is copied.
const everyColumn = "*"

// columnsMade are the columns that CREATE TABLE lists after the name of its table, nil
// where they are not all written out.
func columnsMade(c *cursor) []string {
	listed := c.parenthesised()
	if listed == nil || hasWord(c.toks[c.i:], "inherits", "select", "as", "like") {
		return nil
	}
	var columns []string
	for in := (&cursor{toks: listed}); !in.done(); {
		part := in.clause()
		if len(part) == 0 || part[0].isWord("like") {
			return nil
		}
		if isConstraint(part) {
			continue
		}
		name, ok := (&cursor{toks: part[:1]}).name()
		if !ok {
			return nil
		}
		columns = append(columns, name.name)
	}
	return columns
}

// parenthesised are the tokens of a list in parentheses, which it passes over.
func (c *cursor) parenthesised() statement {
	if !c.punct("(") {
		return nil
	}
	start := c.i
	for depth := 1; !c.done(); c.i++ {
		if depth += c.toks[c.i].nests(); depth == 0 {
			c.i++
			return c.toks[start : c.i-1]
		}
	}
	return nil
}

// isConstraint reports whether an entry of a table is no column. Words that some
// databases take for names are constraints only where they are written like one.
func isConstraint(part statement) bool {
	is := func(at int, words ...string) bool {
		return at < len(part) && part[at].isWord(words...)
	}
	switch {
	case is(0, "constraint", "primary", "foreign", "unique", "check"):
		return true
	case is(0, "key", "index"):
		at := namesFrom(part)
		return at > 0 && (at <= 2 || is(at-2, "using"))
	}
	return is(0) && is(1, secondWords[part[0].text]...)
}

// secondWords follow the first of a constraint that a column may be called like.
var secondWords = map[string][]string{
	"fulltext": {"key", "index"}, "spatial": {"key", "index"}, "exclude": {"using"}, "period": {"for"},
}

// namesFrom is where the first bracket of an entry stands, if it holds names, else 0.
func namesFrom(part statement) int {
	at := slices.IndexFunc(part, func(t token) bool { return t.isPunct("(") })
	if at <= 0 || at+1 == len(part) || !part[at+1].isName() {
		return 0
	}
	return at
}

// columnsCopied are the columns of a table that a list of SELECT takes as they are, or
// with something in the place of NULL.
func columnsCopied(list statement) []string {
	var columns []string
	for c := (&cursor{toks: list}); !c.done(); {
		part := &cursor{toks: c.clause()}
		inner := part
		if part.take("coalesce") || part.take("ifnull") || part.take("cast") {
			inner = &cursor{toks: (&cursor{toks: part.parenthesised()}).clause()}
		}
		name := inner.copied()
		isWhole := inner.isNamed()
		if name != "" && isWhole && (inner == part || part.isNamed()) {
			columns = append(columns, name)
		}
	}
	return columns
}

// copied is the column that an expression begins with, "" where it begins otherwise.
func (c *cursor) copied() string {
	if c.punct("*") {
		return everyColumn
	}
	name, ok := c.name()
	if ok && c.toks[c.i-1].text == "." && c.punct("*") {
		return everyColumn
	}
	if colon := c.punct(":"); colon && c.punct(":") { // PostgreSQL: cast to a type
		c.name()
	}
	return name.name
}

// isNamed reports whether nothing is left of an expression but a name for it.
func (c *cursor) isNamed() bool {
	c.take("as")
	c.name()
	return c.done()
}

// tables are the columns of tables by their names, nil where they are not known.
type tables map[string][]string

// run does to the tables what some operations do.
func (t tables) run(ops []operation) {
	for _, op := range ops {
		name := op.table.name
		columns, known := t[name]
		known = known && columns != nil
		switch op.kind {
		case opCreateTable:
			switch _, unsure := t[name]; {
			case op.columns == nil:
				t[name] = nil
			case known: // in another schema, or where there was none
				t[name] = append(slices.Clone(columns), op.columns...)
			case !unsure:
				t[name] = op.columns
			}
		case opDropTable:
			if !op.perhaps {
				delete(t, name)
			}
		case opRenameTable:
			t[op.to.name] = columns
			if !op.perhaps {
				delete(t, name)
			}
		case opUnread:
			t[name] = nil
		}
		if known {
			t.alter(op, columns)
		}
	}
}

// alter changes the columns of a table that is known.
func (t tables) alter(op operation, columns []string) {
	name := op.table.name
	switch op.kind {
	case opAddColumn:
		t[name] = append(slices.Clone(columns), op.column)
	case opRenameColumn:
		t[name] = append(slices.Clone(columns), op.newColumn)
		fallthrough
	case opDropColumn:
		if !op.perhaps {
			t[name] = slices.DeleteFunc(slices.Clone(t[name]), func(column string) bool { return column == op.column })
		}
	}
}

// addTables adds what the migrations of a history make of tables, in the order in which
// they run.
func (h *history) addTables(texts map[string]string) {
	h.tables, h.views = make(tables), make(map[string]bool)
	hold := make(map[string]bool) // tables, whatever else has their name
	for _, name := range slices.SortedFunc(maps.Keys(texts), inOrder) {
		if notForward().MatchString(strings.ToLower(path.Base(name))) {
			continue
		}
		dialect := dialectOfPath(name)
		if dialect == dialectUnknown {
			dialect = dialectOfText(texts[name])
		}
		ops := readSQL(texts[name], 1, dialect, 0)
		h.tables.run(ops)
		for _, op := range ops {
			h.views[op.table.name] = h.views[op.table.name] || op.kind == opCreateView
			hold[op.table.name] = hold[op.table.name] || op.kind == opCreateTable
			if op.kind == opRenameTable {
				isView := h.views[op.table.name] && !hold[op.table.name]
				h.views[op.to.name] = h.views[op.to.name] || isView
				hold[op.to.name] = hold[op.to.name] || !isView
			}
		}
	}
	maps.DeleteFunc(h.views, func(name string, isView bool) bool { return !isView || hold[name] })
}

// isView reports whether the table dropped by operation i is at the base a view that
// holds no rows. Only ClickHouse drops a view so, and the base is read for nobody else.
func (s *schemaChange) isView(m *migration, i int) bool {
	if !strings.Contains(strings.ToLower(m.file.NewPath), "clickhouse") {
		return false
	}
	h := s.historyBeside(m)
	return h != nil && h.views[m.ops[i].table.name]
}

// inOrder compares names as people number them: 0.9 comes before 0.10.
func inOrder(a, b string) int {
	for a != "" && b != "" {
		if check.IsDigit(a[0]) && check.IsDigit(b[0]) {
			x, y := number(a), number(b)
			long, short := strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
			if order := cmp.Or(cmp.Compare(len(long), len(short)), cmp.Compare(long, short)); order != 0 {
				return order
			}
			a, b = a[len(x):], b[len(y):]
			continue
		}
		if a[0] != b[0] {
			break
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(a, b)
}

// number is the one that a text begins with.
func number(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
}
