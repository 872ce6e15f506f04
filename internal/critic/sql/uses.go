package sql

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/surround"
)

// Bounds of the uses in a finding, and of the names to search.
const (
	maxUses  = 3
	maxNames = 40
)

// takesName are the operations after which an old name fails.
var takesName = map[opKind]bool{opDropTable: true, opDropColumn: true, opRenameTable: true, opRenameColumn: true}

// usesLeft names the lines of code at the head that still use the name operation i takes away, the
// nearest three. It is "" if there is none, or if no search is possible.
func (s *schemaChange) usesLeft(m *migration, i int) string {
	op := m.ops[i]
	if !takesName[op.kind] || op.unnamed() || m.file.Change.Search == nil {
		return ""
	}
	table, name := m.spelling(op, op.table.name), m.spelling(op, op.table.name)
	if ofColumn[op.kind] {
		name = m.spelling(op, op.column)
	}
	// A query reads or writes the table, or has its name as a string.
	form := regexp.MustCompile("(?i)(?:\\b(?:from|join|into|update|table)\\s+(?:\\w+\\.)?[\"`\\[]?|[\"'`:])" + regexp.QuoteMeta(table) + `\b`)
	queries := func(line string) bool { return patch.HasWord(line, table) && form.MatchString(line) }
	found := s.findUses(m.file.Change)
	inQuery := make(map[string]bool) // files with a query of the table
	for _, use := range found {
		inQuery[use.Path] = inQuery[use.Path] || queries(use.Text)
	}
	var uses []patch.Use
	for _, use := range found {
		isUse := isDistinct(name) || queries(use.Text)
		if ofColumn[op.kind] { // a query may have it on another line
			isUse = isDistinct(name) || inQuery[use.Path]
		}
		if isUse && patch.HasWord(use.Text, name) && isCode(use) {
			uses = append(uses, use)
		}
	}
	far := func(use patch.Use) int {
		rank := 0
		if !inQuery[use.Path] {
			rank++
		}
		if check.ServesTests(use.Path) { // a failure there fails only the tests
			rank += 2
		}
		return rank
	}
	slices.SortStableFunc(uses, func(a, b patch.Use) int {
		return cmp.Or(cmp.Compare(far(a), far(b)), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	var places []string
	for _, use := range uses[:min(len(uses), maxUses)] {
		places = append(places, fmt.Sprintf("%s:%d", check.Bounded(use.Path, 120), use.Line))
	}
	text := strings.Join(places, ", ")
	if text == "" {
		return ""
	}
	if more := len(uses) - maxUses; more > 0 {
		return fmt.Sprintf("Code still names %s: %s and %d more. ", check.Shown(name), text, more)
	}
	return fmt.Sprintf("Code still names %s: %s. ", check.Shown(name), text)
}

// findUses returns the lines at the head with one of the names that the change takes away, or with
// a name of their tables. One search finds them all.
func (s *schemaChange) findUses(change patch.Change) []patch.Use {
	if s.searched {
		return s.uses
	}
	s.searched = true
	var names []string
	for _, m := range s.migrations {
		for _, op := range m.ops {
			if !takesName[op.kind] || !m.file.TouchedAny(op.first, op.last) {
				continue
			}
			for _, name := range []string{m.spelling(op, op.table.name), m.spelling(op, op.column)} {
				if name != "" && len(names) < maxNames && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	s.uses, _ = change.Search(names)
	return s.uses
}

// spelling returns a name as the operation's lines write it. Operations have names in lower case.
func (m *migration) spelling(op operation, name string) string {
	for n := op.first; n <= op.last; n++ {
		line, _ := m.file.Line(n)
		if low := strings.ToLower(line); len(low) == len(line) && strings.Contains(low, name) {
			at := strings.Index(low, name)
			return line[at : at+len(name)]
		}
	}
	return name
}

// isDistinct reports whether a name is hardly a word of anything else.
func isDistinct(name string) bool {
	return strings.ContainsAny(name, "_0123456789") || name[1:] != strings.ToLower(name[1:])
}

// isCode reports whether a line is code that runs on the new schema: no migration, no text for
// people and no comment.
func isCode(use patch.Use) bool {
	at := place{dirs: strings.Split(path.Dir(strings.ToLower(use.Path)), "/")}
	switch strings.ToLower(path.Ext(use.Path)) {
	case ".md", ".txt", ".rst", ".adoc", ".csv", ".lock":
		return false
	}
	switch {
	case surround.Secret(use.Path):
		return false
	case migrationKind(use.Path) != notMigration, at.in(migrationDirs...), notForward().MatchString(path.Base(strings.ToLower(use.Path))):
		return false
	}
	return surround.IsUse(use)
}
