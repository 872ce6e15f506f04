package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOverviewLines: each line says one thing, and nothing is said where nobody said it.
func TestOverviewLines(t *testing.T) {
	t.Parallel()
	if lines := OverviewLines(Envelope{}); lines != nil {
		t.Errorf("of nothing it says %q", lines)
	}
	e := Envelope{About: About{Head: strings.Repeat("b", 40)}, Overview: &Overview{
		By: "claude", Head: strings.Repeat("b", 40), Does: "It adds\na cache.", Misses: "No eviction.",
		Order: []Topic{{"cache", []string{"a.go", "b.go"}}, {"its use", []string{"c.go"}}, {"", []string{"d.go"}}}, Others: 2,
	}}
	want := []string{
		"It adds<U+000A>a cache. — claude", "The linked issue asks for more: No eviction.",
		"Read first cache: a.go, b.go", "Then its use: c.go", "Other files: d.go", "2 more files",
	}
	if diff := cmp.Diff(want, OverviewLines(e)); diff != "" {
		t.Errorf("lines differ (-want +got):\n%s", diff)
	}
	e.Overview.Head = strings.Repeat("a", 40)
	if got := OverviewLines(e)[0]; !strings.HasSuffix(got, " — claude, as of aaaaaaa") {
		t.Errorf("it says %q", got)
	}
}
