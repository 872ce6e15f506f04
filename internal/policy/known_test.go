package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/patchtest"
)

// TestKnown: entries about other files are left out, and the last day counts.
func TestKnown(t *testing.T) {
	t.Parallel()
	rules := &Rules{}
	rules.Accept([]debate.Known{
		{Rule: "shell/syntax", Below: "bin", Until: "2026-11-23"},
		{Rule: "shell/syntax", Below: "lib", Until: "2026-11-23"},
		{Snippet: "\tx :=  1\r\n  y()\n", Below: "old/a.sh", Until: "2026-11-22"},
		{Rule: "code/x", Until: "2026-12-01"},
	})
	set := patchtest.Change(patchtest.Touch("bin/a.sh"), patchtest.Move("old/a.sh", "new/a.sh", "a\n", "a\n")).Set
	want := []debate.Known{
		{Rule: "shell/syntax", Below: "bin", Until: "2026-11-23"},
		{Snippet: "x := 1 y()", Below: "old/a.sh", Until: "2026-11-22", Expired: true},
		{Rule: "code/x", Until: "2026-12-01"},
	}
	if diff := cmp.Diff(want, rules.Known(set, "2026-11-23")); diff != "" {
		t.Error(diff)
	}
	if got := rules.Known(patchtest.Change().Set, "2026-11-23"); len(got) != 0 {
		t.Errorf("an empty change has known findings: %v", got)
	}
}
