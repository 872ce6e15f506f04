package sql_test

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/critic/sql"
	"github.com/prdebate/debate/internal/testkit/checktest"
)

// A finding about a name that a migration takes away says where code still has it: the
// three nearest lines, with the number of the others.
func TestUsesLeft(t *testing.T) {
	t.Parallel()
	code := map[string]string{
		"api/orders.go":            "package api\n\nconst q = `SELECT id, legacy_ref FROM orders`\n\n// legacy_ref is old.\n",
		"jobs/export.py":           "def export(row):\n    return row['legacy_ref']\n",
		"web/list.ts":              "show(row.legacy_ref)\nshow(row.legacy_ref_old)\n",
		"web/more.ts":              "show(row.legacy_ref)\nhide(row.status)\n",
		"api/e2e/orders.ts":        "show(row.legacy_ref)\n",
		"api/orders_test.go":       "package api\n\nvar want = \"legacy_ref\"\n",
		"docs/orders.md":           "The column legacy_ref.\n",
		"db/migrations/1.sql":      "CREATE TABLE orders (id int, legacy_ref text, status text);\n",
		"db/migrations/1.down.sql": "ALTER TABLE orders DROP COLUMN legacy_ref;\n",
		"vendor/x/orders.go":       "package x\n\nvar legacy_ref = 1\n",
		"api/state.go":             "package api\n\nconst s = \"select status from \" + \"orders\"\n\nvar orders = 1\n",
		"app/models/user.rb":       "User.where(\"userName\" => 1)\n",
		"node_modules/a/users.js":  "from users\n",
		"config/.env":              "legacy_ref=1\n",
		"api/" + strings.Repeat("very_long_name/", 40) + "a.go": "package a\n",
	}
	for name, c := range map[string]struct{ migration, says string }{
		"a column":                    {"ALTER TABLE orders DROP COLUMN legacy_ref;\n", "Code still names legacy_ref: api/orders.go:3, jobs/export.py:2, web/list.ts:1 and 3 more. The values are gone"},
		"a column with a common name": {"ALTER TABLE orders DROP COLUMN status;\n", "Code still names status: api/state.go:3. The values are gone"},
		"a column in another case":    {"ALTER TABLE users DROP COLUMN \"userName\";\n", "Code still names userName: app/models/user.rb:1. The values are gone"},
		"a renamed column":            {"ALTER TABLE orders RENAME COLUMN legacy_ref TO ref;\n", "Code still names legacy_ref: api/orders.go:3, jobs/export.py:2, web/list.ts:1 and 3 more. During the rollout old code"},
		"a table":                     {"DROP TABLE orders;\n", "Code still names orders: api/orders.go:3, api/state.go:3. The rows of orders"},
		"a renamed table":             {"ALTER TABLE orders RENAME TO sales;\n", "Code still names orders: api/orders.go:3, api/state.go:3. During the rollout old code"},
		"a column that no code names": {"ALTER TABLE orders DROP COLUMN unused_ref;\n", "The values are gone"},
		"a new column":                {"ALTER TABLE orders ALTER COLUMN legacy_ref SET NOT NULL;\n", "PostgreSQL reads"},
	} {
		t.Run(name, func(t *testing.T) {
			head := map[string]string{"db/migrations/2.sql": c.migration}
			for path, text := range code {
				head[path] = text
			}
			hits := checktest.Review(checktest.Change(code, head), sql.Kind).Hits
			if len(hits) != 1 || !strings.HasPrefix(hits[0].Body, c.says) {
				t.Errorf("want %q: %+v", c.says, hits)
			}
		})
	}
}

// Where nothing can be searched, a finding says what it always says.
func TestUsesUnsearched(t *testing.T) {
	t.Parallel()
	change := checktest.Change(nil, map[string]string{"db/migrations/2.sql": "DROP TABLE orders;\n", "a.sql": "select 1 from orders;\n"})
	change.Search = nil
	hits := checktest.Review(change, sql.Kind).Hits
	if len(hits) != 1 || !strings.HasPrefix(hits[0].Body, "The rows of orders") {
		t.Errorf("%+v", hits)
	}
}
