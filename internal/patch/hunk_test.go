package patch

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRowLimit has a file that exceeds the budget of a change: it and the files
// after it are kept, unparsed.
func TestRowLimit(t *testing.T) {
	t.Parallel()
	const one = "diff --git a/NAME b/NAME\n--- a/NAME\n+++ b/NAME\n@@ -1 +1 @@\n-a\n+b\n"
	n := rowLimit - 5
	text := strings.ReplaceAll(one, "NAME", "f") +
		"diff --git a/g b/g\nnew file mode 100644\n--- /dev/null\n+++ b/g\n@@ -0,0 +1," + strconv.Itoa(n) + " @@\n" + strings.Repeat("+\n", n) +
		strings.ReplaceAll(one, "NAME", "h") + "+and a line too many\n"
	want := []string{
		`modified text "f" "f" 0 0 +1 -1 @-1,1+1,1`,
		fmt.Sprintf(`added text "" "g" 0 100644 +%d -0 @-0,0+1,%d`, n, n),
		`modified text "h" "h" 0 0 +0 -0 UNPARSED: the change is too large to read all of its lines`,
	}
	if d := cmp.Diff(want, summaries(Parse([]byte(text), nil))); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// TestRowsAreNotBought has a header that promises more lines than there are:
// nothing is set aside for them.
func TestRowsAreNotBought(t *testing.T) {
	const text = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2147483647 +1,2147483647 @@\n-a\n+b\n"
	if n := testing.AllocsPerRun(1, func() { Parse([]byte(text), nil) }); n > 100 {
		t.Errorf("%v allocations", n)
	}
	want := "the hunk @@ -1,2147483647 +1,2147483647 @@ does not have the lines that its header says"
	if f := Parse([]byte(text), nil).Files[0]; f.Unparsed != want {
		t.Errorf("%s", summary(f))
	}
}
