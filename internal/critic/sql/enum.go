package sql

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// keepsValues reports whether the new type of a column is not known, or an ENUM that
// has every value that the old one had: then every stored value fits.
func (s *schemaChange) keepsValues(m *migration, i int) bool {
	op := m.ops[i]
	if op.typ == "" {
		return true
	}
	after := enumOf(op.tokens)
	if after == nil || op.column == "" || op.table.name == "" {
		return false
	}
	known := false
	for _, before := range [][]string{m.enumWayBack(op), m.enumSoFar(op)} {
		if before == nil {
			continue
		}
		if !grows(before, after) {
			return false
		}
		known = true
	}
	return known
}

// grows reports whether all values are there after a change, in their order.
func grows(before, after []string) bool {
	for _, value := range after {
		if len(before) > 0 && before[0] == value {
			before = before[1:]
		}
	}
	return len(before) == 0
}

// enumOf are the values of an ENUM among the tokens of an operation, nil for none.
func enumOf(tokens []token) []string {
	at := slices.IndexFunc(tokens, func(t token) bool { return t.kind == tokWord && t.text == "enum" })
	if at < 0 {
		return nil
	}
	var values []string
	for _, t := range tokens[at+1:] {
		switch {
		case t.kind == tokPunct && t.text == ")":
			return values
		case t.kind == tokPunct:
		default:
			values = append(values, t.text)
		}
	}
	return nil
}

// wayBack begins the part of a migration that takes it back.
var wayBack = lazyregexp.New(`(?m)^\s*(?:--\s*\+(?:goose|migrate) Down|--\s*migrate:down|def down\b|exports\.down\b|(?:public )?async down\b|public function down\b)`)

// enumWayBack are the values that the way back of a migration gives the column again,
// in the same file or in that of its own.
func (m *migration) enumWayBack(op operation) []string {
	name := m.file.NewPath
	if down := strings.Replace(name, ".up.", ".down.", 1); down != name {
		return lastEnum(m.headText(down), op)
	}
	text := m.headText(name)
	if at := wayBack().FindStringIndex(text); at != nil {
		return lastEnum(text[at[0]:], op)
	}
	return nil
}

// headText is a file at the head, or of a patch the lines of it that are shown.
func (m *migration) headText(name string) string {
	change := m.file.Change
	if change.Blob != nil {
		if text, ok := change.Blob(name, debate.Right); ok {
			return string(text)
		}
	}
	var b strings.Builder
	for _, f := range change.Set.Files {
		if f.NewPath != name {
			continue
		}
		for _, h := range f.Hunks {
			for _, l := range h.Lines {
				if l.New > 0 {
					b.WriteString(l.Text + "\n")
				}
			}
		}
	}
	return b.String()
}

// enumSoFar are the values that the earlier migrations beside this one leave the
// column with.
func (m *migration) enumSoFar(op operation) []string {
	if m.file.Change.Search == nil {
		return nil
	}
	uses, _ := m.file.Change.Search([]string{op.column})
	var earlier []string
	for _, use := range uses {
		beside := path.Dir(use.Path) == path.Dir(m.file.NewPath) && use.Path < m.file.NewPath
		if beside && !strings.Contains(path.Base(use.Path), ".down.") {
			earlier = append(earlier, use.Path)
		}
	}
	slices.SortFunc(earlier, func(a, b string) int { return cmp.Compare(b, a) })
	for _, name := range slices.Compact(earlier) {
		text := m.headText(name)
		if at := wayBack().FindStringIndex(text); at != nil {
			text = text[:at[0]]
		}
		if values := lastEnum(text, op); values != nil {
			return values
		}
	}
	return nil
}

// tableName is where a statement names its table.
var tableName = lazyregexp.New("(?i)(?:create|alter)\\s+table\\s+(?:if\\s+(?:not\\s+)?exists\\s+)?(?:[`\"\\[]?\\w+[`\"\\]]?\\.)?[`\"\\[]?(\\w+)|\\b(?:create_table|change_table|add_column|change_column)[\\s(]+[:\"'](\\w+)")

// quotedValue is a value of an ENUM.
var quotedValue = lazyregexp.New(`'((?:[^']|'')*)'`)

// lastEnum are the values of the last ENUM that a text gives the column of an
// operation, nil for none.
func lastEnum(text string, op operation) []string {
	column := regexp.MustCompile("(?i)\\b" + regexp.QuoteMeta(op.column) + "[`\"'\\]]?[\\s,:]+[\"']?enum\\s*\\(([^)]*)\\)")
	tables := tableName().FindAllStringSubmatchIndex(text, -1)
	var values []string
	for _, at := range column.FindAllStringSubmatchIndex(text, -1) {
		table := ""
		for _, t := range tables {
			if t[0] > at[0] {
				break
			}
			table = text[max(t[2], t[4]):max(t[3], t[5])]
		}
		if !strings.EqualFold(table, op.table.name) {
			continue
		}
		values = []string{}
		for _, v := range quotedValue().FindAllStringSubmatch(text[at[2]:at[3]], -1) {
			values = append(values, v[1])
		}
	}
	return values
}
