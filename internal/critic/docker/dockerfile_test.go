package docker

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/critic/shell"
	"github.com/prdebate/debate/internal/testkit/checktest"
)

func TestCases(t *testing.T) {
	t.Parallel()
	checktest.Run(t, "docker", Kind, shell.Kind)
}

// FuzzReadDockerfile holds that instructions follow each other and that every
// part of one lies on its lines.
func FuzzReadDockerfile(f *testing.F) {
	checktest.Seeds(f, "testdata/*.txtar", "../shell/testdata/*.txtar")
	f.Add("# escape=`\nRUN a `\n b")
	f.Add("RUN <<A <<B\nx\nA\ny")
	f.Fuzz(func(t *testing.T, src string) {
		lines, last := strings.Count(src, "\n")+1, 0
		for _, in := range readDockerfile(src) {
			if in.first <= last || in.last < in.first || in.last > lines {
				t.Fatalf("%s at %d-%d after %d of %d", in.name, in.first, in.last, last, lines)
			}
			last = in.last
			offset, line := -1, in.first
			for _, p := range in.places {
				if p.Offset <= offset || p.Line < line || p.Line > in.last {
					t.Fatalf("place %+v after offset %d, line %d of %d-%d", p, offset, line, in.first, in.last)
				}
				offset, line = p.Offset, p.Line
			}
		}
	})
}
