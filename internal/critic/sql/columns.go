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

// everyColumn is the entry for all columns of a copied table.
const everyColumn = "*"

// columnsMade returns the columns that CREATE TABLE lists after the name of its table, nil if the
// list is incomplete.
func columnsMade(s statement) []string {
	listed := s.parentheses()
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

// parentheses returns the tokens of a list in parentheses and skips it.
func (s *statement) parentheses() statement {
	if !s.begins("(") {
		return nil
	}
	if listed, closed := s.cut(")"); closed {
		return listed[1:]
	}
	return nil
}

// constraints are the beginnings of table entries that are no columns. Words that some databases
// accept as names are listed with a next word that cannot follow a column's name.
var constraints = [][]string{
	{"constraint"}, {"primary"}, {"foreign"}, {"unique"}, {"check"}, {"exclude", "using"}, {"exclude", "("}, {"period", "for"},
	{"fulltext", "key"}, {"fulltext", "index"}, {"spatial", "key"}, {"spatial", "index"}, {"spatial", "("},
}

// isConstraint reports whether a table entry is no column.
func isConstraint(part statement) bool {
	if slices.ContainsFunc(constraints, func(words []string) bool { return part.begins(words...) }) {
		return true
	}
	switch {
	case part.begins("index") && part.has("type"): // ClickHouse
		return true
	case !part.peek().is("key", "index", "fulltext"):
		return false
	}
	// An index, and not a column called key or index: its list begins with a name. The arguments of a
	// type seldom do.
	before := part.goTo("(")
	ofType := before[len(before)-1].is("geometry", "geography") || part.begins("(", "max", ")")
	if ofType || !part.take("(") || !part.peek().isName() {
		return false
	}
	return len(before) <= 2 || before[len(before)-2].is("using")
}

// columnsCopied returns the columns that a SELECT list takes unchanged, or with a replacement for
// NULL.
func columnsCopied(list statement) []string {
	var columns []string
	for len(list) > 0 {
		part, around := list.clause(), statement(nil)
		if part.peek().is("coalesce", "ifnull", "cast") {
			around = part[1:]
			inner := around.parentheses()
			part = inner.clause()
		}
		if name := part.column(); name != "" && part.isNamed() && around.isNamed() {
			columns = append(columns, name)
		}
	}
	return columns
}

// column returns the column at the start of an expression, "" if there is none.
func (s *statement) column() string {
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

// isNamed reports whether the rest of an expression is only a name for it.
func (s statement) isNamed() bool {
	s.take("as")
	s.name()
	return len(s) == 0
}

// tables are the columns of tables by name, nil if they are unknown.
type tables map[string][]string

// run applies some operations to the tables.
func (t tables) run(ops []operation) {
	for _, op := range ops {
		name := op.table.name
		columns, listed := t[name]
		isUnknown := listed && columns == nil
		switch op.kind {
		case opCreateTable:
			t[name] = nil
			if op.columns != nil && !isUnknown { // in another schema, or as a new table
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
		if columns == nil {
			continue
		}
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
}

// addTables adds the tables that the migrations of a history make, in the order in which they run.
func (h *history) addTables(texts map[string]string) {
	h.tables, h.views = make(tables), make(map[string]bool)
	hold := make(map[string]bool) // tables, even if a view has their name
	// People number names so that 0.9 comes before 0.10.
	inOrder := func(a, b string) int { return cmp.Compare(numbered(a), numbered(b)) }
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

// numbered returns a name with the number of digits before each number.
func numbered(name string) string {
	return digits().ReplaceAllStringFunc(name, func(number string) string {
		number = strings.TrimLeft(number, "0")
		return fmt.Sprintf("%09d%s", len(number), number)
	})
}

var digits = lazyregexp.New(`[0-9]+`)
