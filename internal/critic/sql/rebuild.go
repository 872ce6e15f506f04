package sql

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/lists"
)

// losesNothing reports whether the table dropped by operation i holds no rows, or they
// all were copied.
func (s *schemaChange) losesNothing(m *migration, i int) bool {
	return s.replaced(m, i) || s.isView(m, i)
}

// replaced reports whether the table dropped by operation i was copied into a
// new one that takes its place, which is how SQLite rebuilds a table.
func (s *schemaChange) replaced(m *migration, i int) bool {
	copies, _ := s.copies(m, i)
	return slices.ContainsFunc(copies, func(c tableCopy) bool { return len(c.lost) == 0 && c.known })
}

// tableCopy is what a rebuild copies of a table.
type tableCopy struct {
	lost  []string // columns that it leaves behind
	known bool     // these are all of them
}

// copies are the copies of every row of the table dropped by operation i into one that
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
			all = append(all, s.left(m, op, name))
		}
	}
	return all, len(all) > 0
}

// takesPlace reports whether a table takes the place of the one dropped by operation i,
// and under which name.
func (s *schemaChange) takesPlace(m *migration, i int, into object) (name string, ok bool) {
	old := m.ops[i].table
	j := slices.IndexFunc(m.ops, func(op operation) bool {
		return op.kind == opRenameTable && op.to.name == old.name && op.table.same(into)
	})
	if j < i { // the old table was moved aside, and into carries its name
		return into.name, j >= 0
	}
	return old.name, true
}

// left says what a copy leaves behind of the table that had a name at the base. What it
// had say the migrations at the base, never the change that is judged.
func (s *schemaChange) left(m *migration, copied operation, name string) tableCopy {
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

// maxLost is how many columns are named that a rebuild leaves behind.
const maxLost = 5

// lossOfRebuild says what a rebuild may lose with the table dropped by operation i, ""
// where that is no rebuild.
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
