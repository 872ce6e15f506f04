package segment

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// A file with more hunks than there is room for is one part that nobody reviews,
// and what stands beside it is reviewed.
func TestTooManyHunks(t *testing.T) {
	t.Parallel()
	var diff strings.Builder
	diff.WriteString("diff --git a/big.txt b/big.txt\n--- a/big.txt\n+++ b/big.txt\n")
	for i := range maxParts + 1 {
		fmt.Fprintf(&diff, "@@ -%d,1 +%d,1 @@\n-a\n+b\n", i*10+1, i*10+1)
	}
	diff.WriteString("diff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@@ -1,1 +1,1 @@\n-a\n+b\n")
	set := patch.Parse([]byte(diff.String()), nil)
	got := Split(Input{Change: patch.Alone(set)})
	if len(got.Coverage) != 2 || got.Coverage[0].Excluded != debate.TooLarge || got.Coverage[0].Additions != maxParts+1 || got.Coverage[1].Excluded != debate.NotExcluded {
		t.Fatalf("%d parts: %+v", len(got.Coverage), got.Coverage[:min(2, len(got.Coverage))])
	}
	if err := CheckSums(got.Coverage, got.Totals, set); err != nil {
		t.Error(err)
	}
}
