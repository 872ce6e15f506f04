package workflow

import (
	"strings"
	"testing"

	"github.com/rhysd/actionlint"

	"github.com/prdebate/debate/internal/critic/shell"
	"github.com/prdebate/debate/internal/testkit/checktest"
)

func TestCases(t *testing.T) {
	t.Parallel()
	checktest.Run(t, "workflow", Kind, shell.Kind)
}

// FuzzScalarPlaces holds that every part of a run step lies within the workflow,
// and that masking keeps the places.
func FuzzScalarPlaces(f *testing.F) {
	f.Add("run: |\n  a\n  b\n", "a\nb\n", 1, 6)
	f.Add("run: >\n  a\n\n  b\n", "a\nb\n", 1, 6)
	f.Add("run: \"a\n  b\"", "a b", 1, 6)
	f.Fuzz(func(t *testing.T, src, value string, line, col int) {
		lines := strings.Split(src, "\n")
		if line < 1 || line > len(lines) {
			return
		}
		places := scalarPlaces(&actionlint.String{Value: value, Pos: &actionlint.Pos{Line: line, Col: col}}, lines)
		if len(places) == 0 {
			t.Fatal("no place")
		}
		last := shell.Place{Offset: -1}
		for _, p := range places {
			if p.Offset < last.Offset || p.Line < max(last.Line, line) || p.Line > len(lines) {
				t.Fatalf("place %+v after %+v in %d lines", p, last, len(lines))
			}
			last = p
		}
		masked := maskExpressions(value)
		if len(masked) != len(value) || strings.Count(masked, "\n") != strings.Count(value, "\n") {
			t.Fatalf("%q masked to %q", value, masked)
		}
	})
}
