package sql

import "path"

// made reports whether the change itself made what the operation concerns, so
// that no row is in it yet. Where that decides whether somebody has to look, only what
// cannot have been there is believed.
func (s *schemaChange) made(op operation, m *migration, decides bool) bool {
	if op.kind == opDropSchema || decides && s.given[op.table.name] {
		return false
	}
	believed := func(name string) func(madeAt) bool {
		return func(at madeAt) bool {
			return !decides || at.object == op.table && s.isNew(at, name, m)
		}
	}
	isMade := madeBefore(s.tables[op.table.name], op, m, believed(op.table.name))
	if ofColumn[op.kind] && op.kind != opAddColumn {
		isMade = isMade || madeBefore(s.columns[columnKey(op.table, op.column)], op, m, believed(op.column))
	}
	return isMade
}

// isNew reports whether what a migration makes was not there before: SQL that runs with
// the operation fails otherwise, and of all else the migrations at the base have no word.
func (s *schemaChange) isNew(at madeAt, name string, m *migration) bool {
	runsWith := at.path == m.file.NewPath && path.Ext(at.path) == ".sql"
	if !at.sure || runsWith {
		return at.sure
	}
	h := s.historyBeside(m)
	return h != nil && !h.names(name)
}

// addedColumn reports whether the change adds a column before an operation.
func (s *schemaChange) addedColumn(column string, op operation, m *migration) bool {
	return madeBefore(s.columns[columnKey(op.table, column)], op, m, func(madeAt) bool { return true })
}

// maxMadeAt bounds how many places are looked at for one name.
const maxMadeAt = 64

// madeBefore reports whether one of some places stands before an operation on what is
// made there, and is believed.
func madeBefore(places []madeAt, op operation, m *migration, believed func(madeAt) bool) bool {
	for _, at := range places[:min(len(places), maxMadeAt)] {
		isSame := at.path == m.file.NewPath
		isBefore := isSame && at.line < op.first || !isSame && runsBefore(at.path, m.file.NewPath)
		if isBefore && at.object.same(op.table) && believed(at) {
			return true
		}
	}
	return false
}
