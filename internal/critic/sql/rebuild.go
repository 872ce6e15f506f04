package sql

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/lists"
)

// tableCopy is the result of copying a table in a rebuild.
type tableCopy struct {
	lost  []string // columns left behind
	known bool     // lost is complete
}

// copies returns the copies of every row of the table dropped by operation i into a table that
// takes its place.
func (s *schemaChange) copies(m *migration, i int) (all []tableCopy, isRebuilt bool) {
	old := m.ops[i].table
	tried := 0
	for _, op := range m.ops[:i] {
		if op.kind != opCopyRows || !op.to.same(old) {
			continue
		}
		if tried++; tried > maxMadeAt {
			break
		}
		if name, ok := s.takesPlace(m, i, op.table); ok {
			all = append(all, s.copyLoss(m, op, name))
		}
	}
	return all, len(all) > 0
}

// takesPlace reports whether a table takes the place of the one dropped by operation i, and under
// which name.
func (s *schemaChange) takesPlace(m *migration, i int, into object) (name string, ok bool) {
	old := m.ops[i].table
	j := slices.IndexFunc(m.ops, func(op operation) bool {
		return op.kind == opRenameTable && op.to.name == old.name && op.table.same(into)
	})
	if j < i { // the old table was moved aside, and the new one has its name
		return into.name, j >= 0
	}
	return old.name, true
}

// copyLoss returns the columns that a copy leaves behind of the table with this name at the base.
// The table's columns come from the migrations at the base, never from the change under review.
func (s *schemaChange) copyLoss(m *migration, copied operation, name string) tableCopy {
	if slices.Contains(copied.columns, everyColumn) {
		return tableCopy{known: true}
	}
	had := s.historyBeside(m).tables[name]
	c := tableCopy{known: had != nil}
	for _, column := range had {
		if !slices.Contains(copied.columns, column) && !slices.Contains(c.lost, column) {
			c.lost = append(c.lost, column)
		}
	}
	return c
}

// maxLost bounds the names of columns that a rebuild leaves behind.
const maxLost = 5

// lossOfRebuild tells the possible loss of a rebuild that drops a table with operation i, "" if
// there is no rebuild.
func (s *schemaChange) lossOfRebuild(m *migration, i int) string {
	copies, isRebuilt := s.copies(m, i)
	if !isRebuilt {
		return ""
	}
	first := copies[0]
	if !first.known {
		return "The rows are copied into the table that takes its place, but the migrations before this change do not say which columns the old one has. Check that none is missing from the copy: its values are gone once this has run."
	}
	names := lists.Map(first.lost[:min(len(first.lost), maxLost)], check.Shown)
	if len(first.lost) > maxLost {
		names = append(names, "...")
	}
	return "The rows are copied into the table that takes its place, but not these columns as they are: " + strings.Join(names, ", ") +
		". What they hold is gone once this has run. Stop using them first, keep a copy, and leave them out in a later release."
}
