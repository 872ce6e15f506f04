package segment

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// kinds renders segments as "kind path side start-end heading", one a line.
func kinds(segments []debate.Segment) []string {
	var out []string
	for _, s := range segments {
		out = append(out, strings.TrimSpace(strings.Join([]string{
			string(s.Kind), debate.Citation{Path: s.Path, StartLine: s.StartLine, EndLine: s.EndLine}.String(), string(s.Side), s.Heading,
		}, " ")))
	}
	return out
}

func bodyOf(lines ...string) string { return strings.Join(lines, "\n") }

func splitBody(body string) Result {
	return Split(Input{Change: patch.Change{Set: &patch.Set{}}, Body: body})
}

func TestSplitBody(t *testing.T) {
	t.Parallel()
	got := kinds(splitBody(bodyOf(
		"Intro", "", "## Design", "We cache.", "", "```go", "x := 1", "```", "", "More.", "", "## Test plan", "run it", "~~~", "go test", "~~~",
	)).Segments)
	want := []string{
		"context @pr:1-2 RIGHT",
		"proposal @pr:3-5 RIGHT Design",
		"code @pr:6-8 RIGHT",
		"proposal @pr:9-11 RIGHT Design",
		"context @pr:12-13 RIGHT",
		"code @pr:14-16 RIGHT",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("segments (-want +got):\n%s", diff)
	}
}
