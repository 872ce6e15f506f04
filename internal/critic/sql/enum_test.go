package sql_test

import (
	"slices"
	"testing"

	"github.com/prdebate/debate/internal/critic/checktest"
	"github.com/prdebate/debate/internal/critic/sql"
	"github.com/prdebate/debate/internal/patch"
)

// Of a patch alone the way back tells what an ENUM was.
func TestEnumOfAPatch(t *testing.T) {
	t.Parallel()
	const up = "diff --git a/db/migrations/4.up.sql b/db/migrations/4.up.sql\nnew file mode 100644\n--- /dev/null\n+++ b/db/migrations/4.up.sql\n@@ -0,0 +1 @@\n+ALTER TABLE t MODIFY s ENUM('a','b','c');\n"
	down := func(values string) string {
		return "diff --git a/db/migrations/4.down.sql b/db/migrations/4.down.sql\nnew file mode 100644\n--- /dev/null\n+++ b/db/migrations/4.down.sql\n@@ -0,0 +1 @@\n+ALTER TABLE t MODIFY s ENUM(" + values + ");\n"
	}
	for text, want := range map[string]bool{up: true, up + down("'a','c'"): false, up + down("'a','d'"): true, up + down("'c','a'"): true} {
		out := checktest.Review(patch.Change{Set: patch.Parse([]byte(text), nil)}, sql.Kind)
		asked := slices.ContainsFunc(checktest.Reported(out.Hits, nil, "sql"), func(hit string) bool { return hit == "sql/change-type db/migrations/4.up.sql:1" })
		if asked != want {
			t.Errorf("somebody has to look: %t, of\n%s", asked, text)
		}
	}
}
