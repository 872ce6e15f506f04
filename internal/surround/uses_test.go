package surround

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/segment"
	"github.com/prdebate/debate/internal/testkit/patchtest"
)

func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, before, after, want string }{
		{"a.go", "func (l *Limiter) Sweep() {\n", "func (l *Limiter) Clean() {\n", "Sweep"},
		{"a.go", "func Parse(s string) int {\n", "func Parse(s string) (int, error) {\n", "Parse"},
		{"a.go", "func Parse(s string) int {\n}\nvar a = 1\n", "var a = 1\nfunc Parse(s string) int {\n}\n", ""}, // moved
		{"a.go", "type T struct {\n\tLimit int\n}\n", "type T struct {\n\tLimit int64\n}\n", "Limit"},
		{"a.go", "const MaxRetries = 3\n", "", "MaxRetries"},
		{"a.go", "\tx := compute(1)\n", "\tx := compute(2)\n", ""},
		{"a.py", "def charge(card, amount):\n    pass\n", "def charge(card, amount, currency):\n    pass\n", "charge"},
		{"a.ts", "export interface Order {\n  a: string\n}\n", "export interface PlacedOrder {\n  a: string\n}\n", "Order"},
		{"A.java", "  public Money total(Cart cart) {\n", "  public Money sum(Cart cart) {\n", "total"},
		{"a.go", "\tif ok && used(list) > 0 {\n\t\tcall(\n", "", ""},
		{"A.java", "    if (ok && used(list)) {\n    return used(list,\n    while (next()) {\n", "", ""},
		{"a.go", "key := os.Getenv(\"PAYMENT_KEY\")\n", "key := os.Getenv(\"STRIPE_KEY\")\n", "PAYMENT_KEY"},
		{"a.js", "app.get('/api/v1/orders', list)\n", "app.get('/api/v2/orders', list)\n", "/api/v1/orders"},
		{"app.yml", "retry_limit: 3\n", "retries: 3\n", "retry_limit"},
		{"app.yml", "retry_limit: 3\n", "retry_limit: 4\n", ""},
		{"db/4.sql", "", "ALTER TABLE orders DROP COLUMN legacy_ref;\n", "legacy_ref"},
		{"db/4.sql", "", "DROP TABLE IF EXISTS shop.invoices;\n", "invoices"},
		{"db/4.rb", "", "    remove_column :orders, :legacy_ref\n", "orders legacy_ref"},
		{"a.md", "the main test of a name\n", "", ""},
	} {
		change := patchtest.Change(patchtest.Modify(c.path, c.before+"end\n", c.after+"end\n"))
		if got := strings.Join(Names(change.Set.Files[0]), " "); got != c.want {
			t.Errorf("%s %q -> %q: %q, want %q", c.path, c.before, c.after, got, c.want)
		}
	}
	many := patchtest.Change(patchtest.Remove("a.go", numbered(200, "func Gone%d() {}")))
	if got := Names(many.Set.Files[0]); len(got) != mostNames || got[0] != "Gone1" {
		t.Errorf("%d names, the first is %s", len(got), got[0])
	}
}

func none(string) bool { return false }

// uses writes the uses of the first chunk.
func uses(change patch.Change, skip func(string) bool) string {
	split := segment.Split(segment.Input{Change: change})
	u := Of(Input{Change: change, Segments: split.Segments, Chunks: split.Chunks, Skip: skip, Private: none})["X1"].Uses
	var b strings.Builder
	for _, l := range u.Lines {
		fmt.Fprintf(&b, "%s:%d ", l.Path, l.Line)
	}
	return fmt.Sprintf("%v %s%v %d", u.Names, b.String(), u.More, u.Reach)
}

func TestUses(t *testing.T) {
	t.Parallel()
	removed := patchtest.Modify("limiter.go", "package a\n\nfunc Sweep() {}\n", "package a\n\nfunc Clean() {}\n")
	same := func(name, text string) patchtest.Edit { return patchtest.Modify(name, text, text) }
	main := same("main.go", "package a\n\nfunc main() {\n\tSweep()\n\tDoSweep()\n}\n")
	for name, c := range map[string]struct {
		edits []patchtest.Edit
		want  string
	}{
		"a caller": {[]patchtest.Edit{removed, main}, "[Sweep] main.go:4 false 2"},
		"none":     {[]patchtest.Edit{removed, same("main.go", "DoSweep()\n")}, "[Sweep] false 2"},
		"nothing is removed": {
			[]patchtest.Edit{patchtest.Modify("limiter.go", "\ta := 1\n", "\ta := 2\n"), main}, "[] false 0",
		},
		"what must not be shown": {
			[]patchtest.Edit{
				removed, main, same("vendor/x/x.go", "Sweep()\n"), same(".env", "CMD=Sweep\n"), same("private/a.go", "Sweep()\n"),
				same("a.min.js", "Sweep()\n"), same("b.go", "Sweep() // "+strings.Repeat("x", 300)+"\n"),
			},
			"[Sweep] main.go:4 false 2",
		},
		"a changed file beyond its hunks": {
			[]patchtest.Edit{removed, patchtest.Modify("other.txt", "a\n"+numbered(30, "%d")+"Sweep()\n", "b\n"+numbered(30, "%d")+"Sweep()\n")},
			"[Sweep] false 2", // it is shown with its file
		},
		"a comment, and a name of another package": {
			[]patchtest.Edit{
				patchtest.Modify("a/limiter.go", "func sweep() {}\nfunc Sweep() {}\n", "package a\n"), same("a/b.go", "\tsweep()\n// Sweep runs\n"),
				same("b/b.go", "\tsweep()\n\ta.Sweep()\n"),
			},
			"[sweep Sweep] a/b.go:1 b/b.go:2 false 2",
		},
		"of a deleted file, the nearest": {
			[]patchtest.Edit{
				patchtest.Remove("z/limiter.go", "package a\n\nfunc Sweep() {}\n"), same("a/a.py", numbered(21, "Sweep(%d)")), same("z/z.go", "\tSweep()\n"),
			},
			"[Sweep] " + numbered(19, "a/a.py:%d ") + "z/z.go:1 true 2",
		},
		"too many": {
			[]patchtest.Edit{removed, same("a.md", "Sweep\n"), same("z.go", numbered(30, "Sweep() // %d"))},
			"[Sweep] " + strings.TrimSuffix(numbered(20, "z.go:%d "), "\n") + "true 2",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := uses(patchtest.Change(c.edits...), func(path string) bool { return strings.HasPrefix(path, "private/") })
			if want := strings.ReplaceAll(c.want, "\n", ""); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
	blind := patchtest.Change(removed)
	blind.Search = nil
	if got := uses(blind, none); got != "[] false 0" {
		t.Error(got)
	}
	blind.Search = func([]string) ([]patch.Use, patch.Reach) { return nil, patch.NotSearched }
	if got := uses(blind, none); got != "[Sweep] false 0" {
		t.Error(got)
	}
}

// Of a file that was only renamed reviewers see the declarations, and who uses its old name.
func TestMoved(t *testing.T) {
	t.Parallel()
	text := "\"\"\"Payments.\"\"\"\n\n\ndef charge(card):\n    return 1\n\n\ndef refund(card):\n    return 2\n"
	for _, c := range []struct{ from, to, user, uses, shown string }{
		{"pay.py", "payments.py", "import pay\n", "[pay] main.py:1 ", "4 8 "},
		{"pay.py", "shop/pay.py", "import pay\n", "[pay] main.py:1 ", "4 8 "},
		{"old/pay.py", "new/pay.py", "from old.pay import charge\npay()\n", "[old/pay old.pay] main.py:1 ", "4 8 "},
		{"old/main.py", "new/app.py", "import main\n", "[old/main old.main] ", "4 8 "},
		{"a/keys.pem", "b/keys.pem", "open(\"a/keys.pem\")\n", "[a/keys a.keys] main.py:1 ", ""},
	} {
		change := patchtest.Change(patchtest.Move(c.from, c.to, text, text), patchtest.Modify("main.py", c.user, c.user))
		moved := Of(Input{Change: change, Skip: none, Private: none})[Moved]
		uses, shown := fmt.Sprintf("%v ", moved.Uses.Names), ""
		for _, l := range moved.Uses.Lines {
			uses += fmt.Sprintf("%s:%d ", l.Path, l.Line)
		}
		for _, b := range moved.Blocks {
			for _, run := range b.Runs {
				for i := range run.Text {
					shown += fmt.Sprintf("%d ", run.First+i)
				}
			}
		}
		if uses != c.uses || shown != c.shown {
			t.Errorf("%s -> %s: uses %q, shown %q", c.from, c.to, uses, shown)
		}
	}
}
