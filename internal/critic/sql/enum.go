package sql

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// keepsValues reports whether every stored value fits the new type of a column: the type is
// unknown, or an ENUM with every value of the old one. The old type comes from the migrations at
// the base, never from the change under review.
func (s *schemaChange) keepsValues(m *migration, op operation) bool {
	if op.typ == "" {
		return true
	}
	if !strings.HasPrefix(op.typ, "enum(") || op.column == "" || op.table.name == "" {
		return false
	}
	after := enumValues(op.tokens)
	if after == nil {
		return false
	}
	h, key := s.historyBeside(m), columnKey(op.table, op.column)
	switch {
	case s.typeChanges[key] > 1: // rows may have values that only a step in between allows
		return false
	case h.unsure[key], h.unsure[columnKey(op.table, "")]:
		return false
	}
	grows := func(before []string) bool { // all values still exist, in order
		rest := after
		for _, value := range before {
			at := slices.Index(rest, value)
			if at < 0 {
				return false
			}
			rest = rest[at+1:]
		}
		return true
	}
	befores := h.enums[key] // of the migrations near this one
	return len(befores) > 0 && !slices.ContainsFunc(befores, func(before []string) bool { return !grows(before) })
}

// enumValues returns the values of the first ENUM among some tokens, nil if they are incomplete.
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

// tableName matches the name of the table in a statement.
var tableName = lazyregexp.New("(?i)(?:create|alter)(?:\\s+\\w+){0,3}?\\s+table\\s+(?:if\\s+(?:not\\s+)?exists\\s+)?(?:[`\"\\[]?\\w+[`\"\\]]?\\.)?[`\"\\[]?(\\w+)|\\b(?:create_table|change_table|add_column|change_column)[\\s(]+[:\"'](\\w+)")

// enumColumn matches a column with an ENUM as its type.
var enumColumn = lazyregexp.New("(?i)(\\w+)[`\"'\\]]?[\\s,:]+[\"']?(enum\\s*\\()")

// addEnums adds every ENUM of a text, even from its way back and its comments.
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
		l := &lexer{src: text[at[4]:min(len(text), at[4]+maxEnumBytes)], line: 1, mysql: true, delim: ";"}
		for l.pos < len(l.src) && !l.lastToken().is(")") {
			l.next()
		}
		values := enumValues(l.stmt)
		if values == nil {
			h.unsure[key] = true
		}
		h.enums[key] = append(h.enums[key], values)
	}
}

// addChanges marks the columns for which some operations set anything but an ENUM.
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
