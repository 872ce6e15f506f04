package check

import (
	"slices"
	"strings"
	"sync"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// File is one changed file as the checks see it.
type File struct {
	*patch.File
	Change patch.Change // the whole change with this file in it
	Added  []patch.Line // the '+' lines, ascending
	// Head and Base return whole contents, or nil if there are none or they are too large. Each is
	// read at most once.
	Head func() []byte
	Base func() []byte
}

// Touched reports whether head line n was added by the change.
func (f *File) Touched(n int) bool {
	_, touched := f.Line(n)
	return touched
}

// Line returns the text of head line n if the change added it.
func (f *File) Line(n int) (string, bool) {
	i, found := f.search(n)
	if !found {
		return "", false
	}
	return f.Added[i].Text, true
}

// search returns the index of the added head line n, or of the next one.
func (f *File) search(n int) (i int, found bool) {
	return slices.BinarySearchFunc(f.Added, n, func(l patch.Line, n int) int { return l.New - n })
}

// cite cites the added lines first..last, without lines at both ends that the change did not add.
// ok is false if none remains.
func (f *File) cite(first, last int) (c debate.Citation, ok bool) {
	from, _ := f.search(first)
	to, _ := f.search(last + 1)
	if from >= to {
		return c, false
	}
	start := f.Added[from].New
	var quote []string
	for i, l := range f.Added[from:min(to, from+maxQuoteLines)] {
		if l.New != start+i {
			break
		}
		quote = append(quote, l.Text)
	}
	return debate.Citation{
		Path: f.NewPath, Side: debate.Right, StartLine: start, EndLine: start + len(quote) - 1, Quote: strings.Join(quote, "\n"),
	}, true
}

// TouchedAny reports whether the change added any of the lines.
func (f *File) TouchedAny(first, last int) bool {
	_, ok := f.cite(first, last)
	return ok
}

// maxQuoteLines bounds a quote: a citation proves a place, it copies no text.
const maxQuoteLines = 12

// Files lists the files of a change with known lines, without skipped and deleted files.
func Files(change patch.Change, skip func(path string) bool) []*File {
	var files []*File
	for _, pf := range change.Set.Files {
		if pf.Unparsed == "" && pf.NewPath != "" && !skip(pf.Path()) {
			if pf.IsNew() { // even if it is a copy or a renamed file
				added := *pf
				added.OldPath, added.OldMode, added.Status = "", 0, patch.Added
				pf = &added
			}
			files = append(files, &File{
				File: pf, Change: change,
				Added: lists.Keep(slices.Collect(pf.Lines()), func(l patch.Line) bool { return l.Op == '+' }),
				Head:  once(change, pf.NewPath, debate.Right), Base: once(change, pf.OldPath, debate.Left),
			})
		}
	}
	return files
}

func once(change patch.Change, path string, side debate.Side) func() []byte {
	if path == "" {
		return func() []byte { return nil }
	}
	return sync.OnceValue(func() []byte {
		if text, ok := change.Blob(path, side); ok {
			return text
		}
		return nil
	})
}
