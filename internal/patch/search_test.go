package patch

import (
	"strings"
	"testing"
)

func TestSearchable(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		lines, length int
		want          bool
	}{
		"empty":               {0, 0, true},
		"ordinary":            {1000, 80, true},
		"longest line":        {1, maxSearchedLine, true},
		"line beyond it":      {1, maxSearchedLine + 1, false},
		"most text":           {maxSearched >> 10, 1 << 10, true},
		"text beyond it":      {maxSearched>>10 + 1, 1 << 10, false},
		"only blank lines":    {maxSearched, 0, true},
		"many lines of a few": {maxSearched, 2, false},
	} {
		h := &Hunk{Lines: make([]Line, tt.lines)}
		for i := range h.Lines {
			h.Lines[i].Text = strings.Repeat("x", tt.length)
		}
		if got := (&File{Hunks: []*Hunk{h}}).Searchable(); got != tt.want {
			t.Errorf("%s: searchable %v", name, got)
		}
	}
}
