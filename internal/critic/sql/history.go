package sql

import (
	"path"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// maxHistory and maxHistoryBytes bound the migrations to read at the base for one change.
const (
	maxHistory      = 100
	maxHistoryBytes = 8 << 20
)

// history is the content of one folder's migrations at the base, the zero value if it is unknown.
type history struct {
	known bool
	enums map[string][][]string // the values of every ENUM, by table and column
	// unsure has the columns with another type before, with another name before, or with an ENUM
	// that cannot be read. An entry without a column is for the whole table.
	unsure map[string]bool
	words  map[string]bool // every word, in lower case
	tables tables          // after all of them
	views  map[string]bool // views without rows, unless a table has their name
}

// anyWord matches a name or a part of one.
var anyWord = lazyregexp.New(`[\pL\pN_]+`)

// historyBeside returns the history near a migration: the files at the base in its folder, or in
// all numbered folders next to it, with its extension.
func (s *schemaChange) historyBeside(m *migration) *history {
	pattern := path.Join(path.Dir(m.file.NewPath), "*"+path.Ext(m.file.NewPath))
	h, known := s.histories[pattern]
	if !known {
		h = s.readHistory(m)
		s.histories[pattern] = h
	}
	return h
}

func (s *schemaChange) readHistory(m *migration) *history {
	change, ext := m.file.Change, path.Ext(m.file.NewPath)
	names, all := filesBeside(m.file)
	if s.historyFiles += len(names); !all || s.historyFiles > maxHistory {
		return &history{}
	}
	if change.Together != nil {
		change.Together(names)
	}
	h := &history{known: true, enums: make(map[string][][]string), unsure: make(map[string]bool), words: make(map[string]bool)}
	texts := make(map[string]string, len(names))
	for _, name := range names {
		text, ok := change.Blob(name, debate.Left)
		if s.historyBytes += len(text); !ok || s.historyBytes > maxHistoryBytes {
			return &history{}
		}
		for _, word := range anyWord().FindAllString(string(text), -1) {
			h.words[strings.ToLower(word)] = true
		}
		h.addEnums(string(text))
		h.addChanges(readOperations(kindsByExtension[strings.ToLower(ext)], string(text), dialectMySQL))
		texts[name] = string(text)
	}
	if strings.EqualFold(ext, ".sql") {
		h.addTables(texts)
	}
	return h
}

// filesBeside lists the files at the base for the history of a migration, and reports whether the
// list is complete.
func filesBeside(migration *check.File) (names []string, all bool) {
	change, dir, ext := migration.Change, path.Dir(migration.NewPath), path.Ext(migration.NewPath)
	dirs := []string{dir}
	if numberedFolder().MatchString(path.Base(dir)) {
		others, all := change.BaseFolders(path.Dir(dir))
		if !all {
			return nil, false
		}
		for _, name := range others {
			if other := path.Join(path.Dir(dir), name); other != dir && numberedFolder().MatchString(name) {
				dirs = append(dirs, other)
			}
		}
	}
	for _, dir := range dirs[:min(len(dirs), maxHistory+1)] {
		listed, all := change.BaseNames(dir)
		if !all {
			return nil, false
		}
		for _, name := range lists.Keep(listed, func(name string) bool { return path.Ext(name) == ext }) {
			names = append(names, path.Join(dir, name))
		}
	}
	return names, len(dirs) <= maxHistory
}

// numberedFolder matches the folder of one migration, or of one release.
var numberedFolder = lazyregexp.New(`^v?[0-9]`)
