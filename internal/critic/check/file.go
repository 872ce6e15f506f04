package check

import (
	"sort"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// File is one changed file as the checks see it.
type File struct {
	*patch.File
	Change patch.Change // the whole change that the file is part of
	Added  []patch.Line // the '+' lines, ascending
	// Head and base return whole contents, nil where there is none or it is too
	// large. They are read at most once.
	Head func() []byte
	Base func() []byte
}

// Touched reports whether head line n was added by the change.
func (f *File) Touched(n int) bool {
	i := sort.Search(len(f.Added), func(i int) bool { return f.Added[i].New >= n })
	return i < len(f.Added) && f.Added[i].New == n
}

// Line returns the added head line n.
func (f *File) Line(n int) (string, bool) {
	i := sort.Search(len(f.Added), func(i int) bool { return f.Added[i].New >= n })
	if i < len(f.Added) && f.Added[i].New == n {
		return f.Added[i].Text, true
	}
	return "", false
}

// cite cites the added lines first..last. Lines of the range that the change
// did not add are left out at both ends; ok is false if none remains.
func (f *File) cite(first, last int) (c debate.Citation, ok bool) {
	var quote []string
	for n := first; n <= last; n++ {
		text, touched := f.Line(n)
		if !touched {
			if len(quote) > 0 {
				break
			}
			continue
		}
		if len(quote) == 0 {
			c.StartLine = n
		}
		c.EndLine = n
		quote = append(quote, text)
		if len(quote) == maxQuoteLines {
			break
		}
	}
	c.Path, c.Side, c.Quote = f.NewPath, debate.Right, strings.Join(quote, "\n")
	return c, len(quote) > 0
}

// TouchedAny reports whether the change added any of the lines.
func (f *File) TouchedAny(first, last int) bool {
	_, ok := f.cite(first, last)
	return ok
}

// maxQuoteLines bounds a quote: a citation proves a place, it does not copy it.
const maxQuoteLines = 12

// Files are the files of a change whose lines are known, without those that
// are skipped and those that are gone.
func Files(change patch.Change, skip func(path string) bool) []*File {
	var files []*File
	for _, pf := range change.Set.Files {
		if pf.Unparsed == "" && pf.NewPath != "" && !skip(pf.Path()) {
			files = append(files, newFile(pf, change))
		}
	}
	return files
}

func newFile(pf *patch.File, change patch.Change) *File {
	f := &File{File: pf, Change: change}
	for _, h := range pf.Hunks {
		for _, l := range h.Lines {
			if l.Op == '+' {
				f.Added = append(f.Added, l)
			}
		}
	}
	f.Head = once(change, pf.NewPath, debate.Right)
	f.Base = once(change, pf.OldPath, debate.Left)
	return f
}

func once(change patch.Change, path string, side debate.Side) func() []byte {
	var content []byte
	read := false
	return func() []byte {
		if !read {
			read = true
			if path != "" && change.Blob != nil {
				if text, ok := change.Blob(path, side); ok {
					content = text
				}
			}
		}
		return content
	}
}
