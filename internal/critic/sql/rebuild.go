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
// takes its place; none if the table is not rebuilt. The table's columns come from the migrations at
// the base, never from the change under review.
func (s *schemaChange) copies(m *migration, i int) []tableCopy {
	old := m.ops[i].table
	var all []tableCopy
	tried := 0
	for _, op := range m.ops[:i] {
		if op.kind != opCopyRows || !op.to.same(old) {
			continue
		}
		if tried++; tried > maxMadeAt {
			break
		}
		name := old.name
		renamed := slices.IndexFunc(m.ops, func(r operation) bool {
			return r.kind == opRenameTable && r.to.name == old.name && r.table.same(op.table)
		})
		switch {
		case renamed < 0:
			continue
		case renamed < i: // the old table was moved aside, and the new one has its name
			name = op.table.name
		}
		if slices.Contains(op.columns, everyColumn) {
			all = append(all, tableCopy{known: true})
			continue
		}
		had := s.historyBeside(m).tables[name]
		c := tableCopy{known: had != nil}
		for _, column := range had {
			if !slices.Contains(op.columns, column) && !slices.Contains(c.lost, column) {
				c.lost = append(c.lost, column)
			}
		}
		all = append(all, c)
	}
	return all
}

// maxLost bounds the names of columns that a rebuild leaves behind.
const maxLost = 5

// lossOfRebuild tells the possible loss of a rebuild that drops a table with operation i, "" if
// there is no rebuild.
func (s *schemaChange) lossOfRebuild(m *migration, i int) string {
	copies := s.copies(m, i)
	if len(copies) == 0 {
		return ""
	}
	first := copies[0]
	if !first.known {
		return "The rows are copied into the new table, but the migrations before this change do not list the columns of the old one. Check that none is missing from the copy: its values are gone once this has run."
	}
	names := lists.Map(first.lost[:min(len(first.lost), maxLost)], check.Shown)
	if len(first.lost) > maxLost {
		names = append(names, "...")
	}
	return "The rows are copied into the new table, but not these columns as they are: " + strings.Join(names, ", ") +
		". Their values are gone once this has run. Stop using them first, keep a copy, and leave them out in a later release."
}
