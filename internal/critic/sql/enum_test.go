package sql_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/prdebate/debate/internal/critic/sql"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/checktest"
)

// asks reports whether somebody has to look at the first line of a migration.
func asks(change patch.Change, migration string) bool {
	out := checktest.Review(change, sql.Kind)
	return slices.Contains(checktest.Reported(out.Hits, nil, "sql"), "sql/change-type "+migration+":1")
}

// Of a patch alone nobody knows what an ENUM was, whatever its way back says.
func TestEnumOfAPatch(t *testing.T) {
	t.Parallel()
	const up = "diff --git a/db/migrations/4.up.sql b/db/migrations/4.up.sql\nnew file mode 100644\n--- /dev/null\n+++ b/db/migrations/4.up.sql\n@@ -0,0 +1 @@\n+ALTER TABLE t MODIFY s ENUM('a','b','c');\n"
	down := func(values string) string {
		return "diff --git a/db/migrations/4.down.sql b/db/migrations/4.down.sql\nnew file mode 100644\n--- /dev/null\n+++ b/db/migrations/4.down.sql\n@@ -0,0 +1 @@\n+ALTER TABLE t MODIFY s ENUM(" + values + ");\n"
	}
	for _, text := range []string{up, up + down("'a','c'"), up + down("'a','d'"), up + down("'c','a'")} {
		if !asks(patch.Alone(patch.Parse([]byte(text), nil)), "db/migrations/4.up.sql") {
			t.Errorf("nobody is asked, of\n%s", text)
		}
	}
}

// Where not all migrations at the base can be read, what one of them says does not
// count.
func TestEnumOfWhatIsKnown(t *testing.T) {
	t.Parallel()
	const grown = "db/migrations/9000.sql"
	project := func(migrations int) patch.Change {
		base := map[string]string{}
		for i := range migrations {
			base[fmt.Sprintf("db/migrations/%d.sql", i+1)] = "ALTER TABLE t MODIFY s ENUM('a');\n"
		}
		head := map[string]string{grown: "ALTER TABLE t MODIFY s ENUM('a','b');\n"}
		for name, text := range base {
			head[name] = text
		}
		return checktest.Change(base, head)
	}
	unlisted, unread, many := project(2), project(2), project(101)
	unlisted.BaseNames = func(string) ([]string, bool) { return []string{"1.sql"}, false }
	unread.Blob = func(name string, side debate.Side) ([]byte, bool) {
		if name == "db/migrations/2.sql" && side == debate.Left {
			return nil, false
		}
		return project(2).Blob(name, side)
	}
	for name, c := range map[string]struct {
		change patch.Change
		want   bool
	}{
		"all are read":       {project(100), false},
		"some are listed":    {unlisted, true},
		"one cannot be read": {unread, true},
		"there are too many": {many, true},
	} {
		if got := asks(c.change, grown); got != c.want {
			t.Errorf("%s: somebody is asked: %t, want %t", name, got, c.want)
		}
	}
}
