package surround

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/patchtest"
)

// Around removed lines is shown what stood around them before the change, as far as it
// still stands: the removed lines themselves are part of the change.
func TestOfRemovedLines(t *testing.T) {
	t.Parallel()
	calls := func(n int) string { return numbered(n, "\tcall(%d)") }
	const guard = "\tif !allowed() {\n\t\treturn\n\t}\n"
	const method = "// Sweep sweeps.\nfunc (l *Limiter) Sweep() {\n\tl.clean()\n}\n\n"
	goFile := func(middle string) string {
		return "package a\n\ntype Limiter struct {\n\tmu sync.Mutex\n}\n\n" + // 1-5, and 6
			"func before() {\n" + calls(120) + "}\n\n" + // 7-128, and 129
			"func between() {\n" + calls(300) + "}\n\n" + // 130-431, and 432
			middle +
			"func after() {\n" + calls(300) + "}\n"
	}
	python := func(middle string) string {
		return "import os\n\nclass Cart:\n    LIMIT = 3\n\n    def first(self):\n" + numbered(100, "        call(%d)") + // 1-106
			middle +
			"def last():\n" + numbered(300, "    call(%d)")
	}
	torn := func(seam string) string {
		return "package a\n\nfunc first() {\n" + calls(100) + seam + calls(140) + "}\n" // 1-103, and what follows
	}
	for name, c := range map[string]struct {
		edit patchtest.Edit
		want string
	}{
		"a guard in a function: the function": {
			patchtest.Modify("a.go", goFile("func Do() {\n"+guard+calls(80)+"}\n\n"), goFile("func Do() {\n"+calls(80)+"}\n\n")),
			"1-2 shown, 3-390 left out, 391-430 shown, 431-436 changed, 437-514 shown, 515-817 left out",
		},
		"a method: its type, and what is near": {
			patchtest.Modify("a.go", goFile(method), goFile("")),
			"1-5 shown, 6-389 left out, 390-429 shown, 430-435 changed, 436-475 shown, 476-734 left out",
		},
		"a function after a short one: what is near, not the other": {
			patchtest.Modify("a.go", "package a\n\nvar a = 1\n"+numbered(300, "// note %d")+"\nfunc short() {\n"+calls(100)+"}\nfunc gone() {\n\tcall()\n}\n"+numbered(300, "// note %d"),
				"package a\n\nvar a = 1\n"+numbered(300, "// note %d")+"\nfunc short() {\n"+calls(100)+"}\n"+numbered(300, "// note %d")),
			"1-2 shown, 3-363 left out, 364-403 shown, 404-409 changed, 410-449 shown, 450-706 left out",
		},
		"the seam of two functions: both": {
			patchtest.Modify("a.go", torn("}\n\nfunc second() {\n")+numbered(300, "// note %d"), torn("")+numbered(300, "// note %d")),
			"1-100 shown, 101-106 changed, 107-244 shown, 245-544 left out",
		},
		"a method of a class: the class": {
			patchtest.Modify("a.py", python("\n    def second(self):\n        return 1\n\n"), python("\n")),
			"1-104 shown, 105-110 changed, 111-150 shown, 151-408 left out",
		},
		"the head of a class: what it held": {
			patchtest.Modify("a.py", python("\nclass Gone:\n    def second(self):\n"+numbered(90, "        call(%d)")+"\n"), python("\n    def second(self):\n"+numbered(90, "        call(%d)")+"\n")),
			"1-2 shown, 3-64 left out, 65-104 shown, 105-110 changed, 111-198 shown, 199-500 left out",
		},
		"lines between functions: what is near": {
			patchtest.Modify("a.py", python("\nregister(1)\nregister(2)\n"), python("\n")),
			"1-2 shown, 3-64 left out, 65-104 shown, 105-110 changed, 111-150 shown, 151-408 left out",
		},
		"a file": {patchtest.Remove("a.go", goFile(method)), "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := of(patchtest.Change(c.edit), 0)
			if got := chosen(got); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Where the file before the change cannot be read, what stands above the removed lines at
// the head says where they stood.
func TestOfRemovedLinesWithoutTheBase(t *testing.T) {
	t.Parallel()
	before := "package a\n\n" + numbered(300, "// note %d") + "\nfunc f() {\n" + numbered(100, "\tcall(%d)") + "}\n"
	change := patchtest.Change(patchtest.Modify("a.go", before, strings.Replace(before, "\tcall(50)\n", "", 1)))
	blob := change.Blob
	change.Blob = func(path string, side debate.Side) ([]byte, bool) {
		content, ok := blob(path, side)
		return content, ok && side == debate.Right
	}
	got, _ := of(change, 0)
	if got, want := chosen(got), "1-40 shown, 41-303 left out, 304-350 shown, 351-356 changed, 357-404 shown"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A line that still stands is found at the head, and one that does not between those that
// stood around it.
func TestAtHead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g", "h"}), 1, 60)
		old, now := text.Draw(t, "old"), text.Draw(t, "new")
		change := patchtest.Change(patchtest.Modify("a.txt", strings.Join(old, "\n")+"\n", strings.Join(now, "\n")+"\n"))
		if len(change.Set.Files) == 0 {
			return
		}
		b := base{changed: change.Set.Files[0]}
		removed := make(map[int]bool)
		for _, h := range b.changed.Hunks {
			for _, l := range h.Lines {
				removed[l.Old] = removed[l.Old] || l.Op == '-'
			}
		}
		last := 0
		for n := 1; n <= len(old); n++ {
			before, after := b.atHead(n)
			switch {
			case removed[n] && (after != before+1 || before < last):
				t.Fatalf("the removed line %d stood between %d and %d", n, before, after)
			case !removed[n] && (before != after || after <= last || now[after-1] != old[n-1]):
				t.Fatalf("line %d is %d to %d at the head", n, before, after)
			}
			last = before
		}
	})
}
