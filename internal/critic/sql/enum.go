package sql

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// keepsValues reports whether the new type of a column is not known, or an ENUM that
// has every value that the old one had: then every stored value fits. What the old one
// was say the migrations at the base, never the change that is judged.
func (s *schemaChange) keepsValues(m *migration, i int) bool {
	op := m.ops[i]
	if op.typ == "" {
		return true
	}
	after := enumOf(op)
	if after == nil || op.column == "" || op.table.name == "" {
		return false
	}
	if s.retyped[columnKey(op.table, op.column)] > 1 {
		return false // rows may hold what the change itself allows in between
	}
	befores := s.enumsAtBase(m, op)
	lost := func(before []string) bool { return !grows(before, after) }
	return len(befores) > 0 && !slices.ContainsFunc(befores, lost)
}

// grows reports whether all values are there after a change, in their order.
func grows(before, after []string) bool {
	for _, value := range before {
		at := slices.Index(after, value)
		if at < 0 {
			return false
		}
		after = after[at+1:]
	}
	return true
}

// enumOf are the values of the ENUM that an operation makes of its column, nil for
// another type.
func enumOf(op operation) []string {
	if !strings.HasPrefix(op.typ, "enum(") {
		return nil
	}
	return enumValues(op.tokens)
}

// enumValues are the values of the first ENUM among some tokens, nil where they are not
// all written out.
func enumValues(tokens statement) []string {
	tokens.goTo("enum")
	var values []string
	for _, t := range tokens[min(len(tokens), 2):] { // after the parenthesis
		switch {
		case t.is(")"):
			return values
		case t.kind == tokString, t.kind == tokName:
			values = append(values, t.text)
		case !t.is(","):
			return nil
		}
	}
	return nil
}

// maxEnumBytes bounds one ENUM.
const maxEnumBytes = 16 << 10

// enumsAtBase are all ENUMs that the migrations beside one give the column of an
// operation at the base; nil where not all of them are known.
func (s *schemaChange) enumsAtBase(m *migration, op operation) [][]string {
	h, key := s.historyBeside(m), columnKey(op.table, op.column)
	if h.unsure[key] || h.unsure[columnKey(op.table, "")] {
		return nil
	}
	return h.enums[key]
}

// tableName is where a statement names its table.
var tableName = lazyregexp.New("(?i)(?:create|alter)(?:\\s+\\w+){0,3}?\\s+table\\s+(?:if\\s+(?:not\\s+)?exists\\s+)?(?:[`\"\\[]?\\w+[`\"\\]]?\\.)?[`\"\\[]?(\\w+)|\\b(?:create_table|change_table|add_column|change_column)[\\s(]+[:\"'](\\w+)")

// enumColumn is a column and its type, an ENUM.
var enumColumn = lazyregexp.New("(?i)(\\w+)[`\"'\\]]?[\\s,:]+[\"']?(enum\\s*\\()")

// addEnums adds every ENUM of a text, of its way back and its comments too.
func (h *history) addEnums(text string) {
	tables := tableName().FindAllStringSubmatchIndex(text, -1)
	table := object{}
	for _, at := range enumColumn().FindAllStringSubmatchIndex(text, -1) {
		for len(tables) > 0 && tables[0][0] < at[0] {
			t := tables[0]
			table.name = strings.ToLower(text[max(t[2], t[4]):max(t[3], t[5])])
			tables = tables[1:]
		}
		key := columnKey(table, strings.ToLower(text[at[2]:at[3]]))
		values := enumWritten(text[at[4]:min(len(text), at[4]+maxEnumBytes)])
		if values == nil {
			h.unsure[key] = true
		}
		h.enums[key] = append(h.enums[key], values)
	}
}

// enumWritten are the values of the ENUM that a text begins with, nil where they are
// not all written out.
func enumWritten(text string) []string {
	l := &lexer{src: text, line: 1, mysql: true, delim: ";"}
	for l.pos < len(l.src) && !l.before().is(")") {
		l.next()
	}
	return enumValues(l.stmt)
}

// addChanges adds what some operations make of columns other than an ENUM.
func (h *history) addChanges(ops []operation) {
	for _, op := range ops {
		switch op.kind {
		case opAddColumn, opChangeType:
			if op.typ != "" && !strings.HasPrefix(op.typ, "enum") {
				h.unsure[columnKey(op.table, op.column)] = true
			}
		case opRenameColumn:
			h.unsure[columnKey(op.table, op.newColumn)] = true
		case opRenameTable:
			h.unsure[columnKey(op.to, "")] = true
		}
	}
}
