package sql

import (
	"path"
	"slices"
)

// made reports whether the change itself made what the operation concerns, so
// that no row is in it yet. Where that decides whether somebody has to look, only what
// cannot have been there is believed.
func (s *schemaChange) made(op operation, m *migration, decides bool) bool {
	if op.kind == opDropSchema || decides && s.given[op.table.name] {
		return false
	}
	if s.madeBefore(s.tables[op.table.name], op.table.name, op, m, decides) {
		return true
	}
	return ofOldColumn[op.kind] && s.madeBefore(s.columns[columnKey(op.table, op.column)], op.column, op, m, decides)
}

// isNew reports whether what a migration makes was not there before: SQL that runs with
// the operation fails otherwise, and of all else the migrations at the base have no word.
func (s *schemaChange) isNew(at madeAt, name string, m *migration) bool {
	runsWith := at.path == m.file.NewPath && path.Ext(at.path) == ".sql"
	return at.sure && (runsWith || !s.historyBeside(m).mayName(name))
}

// addedColumn reports whether the change adds a column before an operation.
func (s *schemaChange) addedColumn(column string, op operation, m *migration) bool {
	return s.madeBefore(s.columns[columnKey(op.table, column)], column, op, m, false)
}

// maxMadeAt bounds how many places are looked at for one name.
const maxMadeAt = 64

// madeBefore reports whether one of some places stands before an operation on what is
// made there under a name, and is believed.
func (s *schemaChange) madeBefore(places []madeAt, name string, op operation, m *migration, decides bool) bool {
	return slices.ContainsFunc(places[:min(len(places), maxMadeAt)], func(at madeAt) bool {
		if !at.isBefore(op, m) || !at.object.same(op.table) {
			return false
		}
		return !decides || at.object == op.table && s.isNew(at, name, m)
	})
}

func (at madeAt) isBefore(op operation, m *migration) bool {
	if at.path == m.file.NewPath {
		return at.line < op.first
	}
	return runsBefore(at.path, m.file.NewPath)
}
