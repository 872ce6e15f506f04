package sql_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/critic/sql"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/checktest"
)

const madeUsers = "CREATE TABLE users (id int, a int, b int, c int, d int, e int, f int);\n"

// rebuilding is a change that rebuilds the table users with some of its columns.
func rebuilding(columns string) patch.Change {
	base := map[string]string{"db/migrations/1.sql": madeUsers}
	return checktest.Change(base, map[string]string{
		"db/migrations/1.sql": madeUsers,
		"db/migrations/2.sql": "CREATE TABLE n (id int);\nINSERT INTO n SELECT " + columns + " FROM users;\nDROP TABLE users;\nALTER TABLE n RENAME TO users;\n",
	})
}

// A rebuild that leaves columns behind says which, and asks somebody.
func TestRebuildSaysWhatItLoses(t *testing.T) {
	t.Parallel()
	unknown := rebuilding("id, a, b, c, d, e, f")
	unknown.Blob = patch.Alone(nil).Blob
	unlisted := rebuilding("id, a, b, c, d, e, f")
	unlisted.BaseNames = patch.Alone(nil).BaseNames
	for says, change := range map[string]patch.Change{
		"but not these columns as they are: b, f.":               rebuilding("id, a, c, d, e"),
		"but not these columns as they are: a, b, c, d, e, ....": rebuilding("id"),
		"do not list the columns of the old one":                 unlisted,
		"do not list the columns":                                unknown,
	} {
		hits := checktest.Review(change, sql.Kind).Hits
		if len(hits) != 1 || hits[0].Rule != "sql/drop-table" || hits[0].Trigger != debate.TriggerDestructiveSchema || !strings.Contains(hits[0].Body, says) {
			t.Errorf("%s: %+v", says, hits)
		}
	}
	if hits := checktest.Review(rebuilding("id, a, b, c, d, e, f"), sql.Kind).Hits; len(hits) > 0 {
		t.Errorf("nothing is lost: %+v", hits)
	}
}

// The files of a history are announced before the first of them is read, in their order.
func TestHistoryIsReadTogether(t *testing.T) {
	t.Parallel()
	var announced, read []string
	base, head := map[string]string{}, map[string]string{"db/migrations/9.sql": "ALTER TABLE t MODIFY s ENUM('a','b');\n"}
	for i := range 3 {
		name := fmt.Sprintf("db/migrations/%d.sql", i)
		base[name], head[name] = "ALTER TABLE t MODIFY s ENUM('a');\n", "ALTER TABLE t MODIFY s ENUM('a');\n"
	}
	change := checktest.Change(base, head)
	blob := change.Blob
	change.Together = func(paths []string) { announced = slices.Clone(paths) }
	change.Blob = func(name string, side debate.Side) ([]byte, bool) {
		if side == debate.Left && len(announced) > 0 {
			read = append(read, name)
		}
		return blob(name, side)
	}
	if asks(change, "db/migrations/9.sql") || len(announced) != 3 || !slices.Equal(read, announced) {
		t.Errorf("announced %v, read %v", announced, read)
	}
}
