package sql

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// isNew reports whether the change itself made the object of an operation, so that it has no rows
// yet. If the finding needs a person's decision, strict is set and the object counts as new only
// if it cannot have existed before.
func (s *schemaChange) isNew(op operation, m *migration, strict bool) bool {
	if op.kind == opDropSchema || strict && s.newNames[op.table.name] {
		return false
	}
	if s.madeBefore(s.tables[op.table.name], op.table.name, op, m, strict) {
		return true
	}
	isOld := ofColumn[op.kind] && op.kind != opAddColumn
	return isOld && s.madeBefore(s.columns[columnKey(op.table, op.column)], op.column, op, m, strict)
}

// maxMadeAt bounds the places to look at for one name.
const maxMadeAt = 64

// madeBefore reports whether one of some places makes the object of an operation before it.
func (s *schemaChange) madeBefore(places []madeAt, name string, op operation, m *migration, strict bool) bool {
	return slices.ContainsFunc(places[:min(len(places), maxMadeAt)], func(at madeAt) bool {
		// On an earlier line, or in a migration with a lower number, or without numbers an earlier name.
		x, y := migrationNumber(at.path), migrationNumber(m.file.NewPath)
		before := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y), cmp.Compare(at.path, m.file.NewPath)) < 0
		if at.path == m.file.NewPath {
			before = at.line < op.first
		}
		switch {
		case !before, !at.object.same(op.table):
			return false
		case !strict:
			return true
		case at.object != op.table, !at.sure:
			return false
		case at.path == m.file.NewPath && path.Ext(at.path) == ".sql":
			return true // it runs with the operation, and fails if the object exists
		}
		h := s.historyBeside(m) // new if a word of the name occurs nowhere in it
		return h.known && slices.ContainsFunc(anyWord().FindAllString(name, -1), func(word string) bool { return !h.words[word] })
	})
}

// migrationNumber returns the number at the start of a file name, or of its directory's name for
// tools with a directory for each migration.
func migrationNumber(p string) string {
	for _, name := range []string{path.Base(p), path.Base(path.Dir(p))} {
		name = strings.TrimLeft(strings.TrimPrefix(strings.ToLower(name), "v"), "0")
		if n := leadingDigits().FindString(name); n != "" {
			return n
		}
	}
	return ""
}

var leadingDigits = lazyregexp.New(`^[0-9]+`)
