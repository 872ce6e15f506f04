package sql

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// everyColumn stands for all columns of a table that is copied.
const everyColumn = "*"

// columnsMade are the columns that CREATE TABLE lists after the name of its table, nil
// where they are not all written out.
func columnsMade(s statement) []string {
	listed := s.parenthesised()
	if s.has("inherits", "select", "as", "like") {
		return nil
	}
	var columns []string
	for len(listed) > 0 {
		part := listed.clause()
		if isConstraint(part) {
			continue
		}
		name := part.peek()
		if !name.isName() || name.is("like") {
			return nil
		}
		columns = append(columns, strings.ToLower(name.text))
	}
	return columns
}

// parenthesised are the tokens of a list in parentheses, which it passes over.
func (s *statement) parenthesised() statement {
	if !s.begins("(") {
		return nil
	}
	if listed, closed := s.cut(")"); closed {
		return listed[1:]
	}
	return nil
}

// constraints are how entries of a table begin that are no columns. A word that some
// databases take for a name is there only with what cannot follow the name of a column.
var constraints = [][]string{
	{"constraint"}, {"primary"}, {"foreign"}, {"unique"}, {"check"}, {"exclude", "using"}, {"exclude", "("}, {"period", "for"},
	{"fulltext", "key"}, {"fulltext", "index"}, {"spatial", "key"}, {"spatial", "index"}, {"spatial", "("},
}

// isConstraint reports whether an entry of a table is no column.
func isConstraint(part statement) bool {
	if slices.ContainsFunc(constraints, func(words []string) bool { return part.begins(words...) }) {
		return true
	}
	switch {
	case part.begins("index") && part.has("type"): // ClickHouse
		return true
	case part.peek().is("key", "index", "fulltext"):
		return part.isIndex()
	}
	return false
}

// isIndex reports whether an entry of a table that may be a column called key or index is
// an index: its list begins with a name. What a type has in parentheses seldom does.
func (s statement) isIndex() bool {
	before := s.goTo("(")
	ofType := before[len(before)-1].is("geometry", "geography") || s.begins("(", "max", ")")
	if ofType || !s.take("(") || !s.peek().isName() {
		return false
	}
	return len(before) <= 2 || before[len(before)-2].is("using")
}

// columnsCopied are the columns of a table that a list of SELECT takes as they are, or
// with something in the place of NULL.
func columnsCopied(list statement) []string {
	var columns []string
	for len(list) > 0 {
		part, around := list.clause(), statement(nil)
		if part.peek().is("coalesce", "ifnull", "cast") {
			around = part[1:]
			inner := around.parenthesised()
			part = inner.clause()
		}
		if name := part.copied(); name != "" && part.isNamed() && around.isNamed() {
			columns = append(columns, name)
		}
	}
	return columns
}

// copied is the column that an expression begins with, "" where it begins otherwise.
func (s *statement) copied() string {
	if s.take("*") {
		return everyColumn
	}
	all := *s
	name, ok := s.name()
	if ok && all[len(all)-len(*s)-1].text == "." && s.take("*") {
		return everyColumn
	}
	if colon := s.take(":"); colon && s.take(":") { // PostgreSQL: cast to a type
		s.name()
	}
	return name.name
}

// isNamed reports whether nothing is left of an expression but a name for it.
func (s statement) isNamed() bool {
	s.take("as")
	s.name()
	return len(s) == 0
}

// tables are the columns of tables by their names, nil where they are not known.
type tables map[string][]string

// run does to the tables what some operations do.
func (t tables) run(ops []operation) {
	for _, op := range ops {
		name := op.table.name
		columns, listed := t[name]
		isUnknown := listed && columns == nil
		switch op.kind {
		case opCreateTable:
			t[name] = nil
			if op.columns != nil && !isUnknown { // in another schema, or where there was none
				t[name] = slices.Concat(columns, op.columns)
			}
		case opRenameTable:
			t[op.to.name] = columns
			fallthrough
		case opDropTable:
			if !op.perhaps {
				delete(t, name)
			}
		case opUnread:
			t[name] = nil
		}
		if columns != nil {
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
		ops := readSQL(texts[name], 1, cmp.Or(dialectOfPath(name), dialectOfText(texts[name])))
		h.tables.run(ops)
		for _, op := range ops {
			from := op.table.name
			switch op.kind {
			case opCreateView:
				h.views[from] = true
			case opCreateTable:
				hold[from] = true
			case opRenameTable:
				if h.views[from] && !hold[from] {
					h.views[op.to.name] = true
				} else {
					hold[op.to.name] = true
				}
			}
		}
	}
	maps.DeleteFunc(h.views, func(name string, _ bool) bool { return hold[name] })
}

// isView reports whether the table dropped by operation i is at the base a view that
// holds no rows. Only ClickHouse drops a view so, and the base is read for nobody else.
func (s *schemaChange) isView(m *migration, i int) bool {
	return strings.Contains(strings.ToLower(m.file.NewPath), "clickhouse") && s.historyBeside(m).views[m.ops[i].table.name]
}

// inOrder compares names as people number them: 0.9 comes before 0.10.
func inOrder(a, b string) int { return cmp.Compare(numbered(a), numbered(b)) }

// numbered is a name that says of each number first how many digits it has.
func numbered(name string) string {
	return digits().ReplaceAllStringFunc(name, func(number string) string {
		number = strings.TrimLeft(number, "0")
		return fmt.Sprintf("%09d%s", len(number), number)
	})
}

var digits = lazyregexp.New(`[0-9]+`)
