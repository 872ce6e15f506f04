package look

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

// TestAgain: looks of another process show again what they showed, if it is in this tree.
func TestAgain(t *testing.T) {
	t.Parallel()
	g := &grove{files: map[string]string{
		"a.go": "one\ntwo\nthree\n", "lib/b.go": "two\n", ".env": "two\n", "gone.go": "!" + string(debate.LookUnreadable), "spent.go": "!" + string(debate.LookUsedUp),
	}}
	v := viewer(g)
	run := func(path string, first int, lines ...string) debate.ShownRun {
		return debate.ShownRun{Path: path, First: first, Lines: lines}
	}
	for name, row := range map[string]struct {
		look  debate.Look
		told  debate.Seen
		shows bool
		err   string
	}{
		"lines":                       {read("a.go", 1, 2), debate.Seen{Runs: []debate.ShownRun{run("a.go", 1, "one", "two")}}, true, ""},
		"all lines":                   {read("a.go"), debate.Seen{Runs: []debate.ShownRun{run("a.go", 1, "one", "two", "three")}}, true, ""},
		"a search":                    {grep("two"), debate.Seen{Runs: []debate.ShownRun{run("a.go", 2, "two"), run("lib/b.go", 1, "two")}}, true, ""},
		"a search that took too long": {grep("two"), debate.Seen{Runs: []debate.ShownRun{run("a.go", 2, "two")}, Cut: debate.CutTime}, true, ""},
		"a search that found nothing": {grep("two"), debate.Seen{Cut: debate.CutTree}, true, ""},
		"names":                       {list(""), debate.Seen{Names: []string{".env", "a.go"}}, true, ""},
		"another line":                {grep("two"), debate.Seen{Runs: []debate.ShownRun{run("a.go", 1, "two")}}, false, ""},
		"another place":               {grep("two"), debate.Seen{Runs: []debate.ShownRun{run("a.go", 3, "two")}}, false, ""},
		"before the first line":       {grep("two"), debate.Seen{Runs: []debate.ShownRun{run("a.go", -5, "one", "two", "three")}}, false, ""},
		"after the last line":         {grep("two"), debate.Seen{Runs: []debate.ShownRun{run("a.go", 3, "three", "four")}}, false, ""},
		"a secret file":               {grep("two"), debate.Seen{Runs: []debate.ShownRun{run(".env", 1, "two")}}, false, ""},
		"a path outside":              {grep("two"), debate.Seen{Runs: []debate.ShownRun{run("./a.go", 2, "two")}}, false, ""},
		"a missing file":              {grep("two"), debate.Seen{Runs: []debate.ShownRun{run("c.go", 2, "two")}}, false, ""},
		"other names":                 {list(""), debate.Seen{Names: []string{".env", "b.go"}}, false, ""},
		"more names":                  {list("lib"), debate.Seen{Names: []string{"b.go", "c.go"}}, false, ""},
		"a refused look":              {read(".env"), debate.Seen{Runs: []debate.ShownRun{run("a.go", 1, "one")}}, false, ""},
		"a file that cannot be read":  {grep("two"), debate.Seen{Runs: []debate.ShownRun{run("gone.go", 1, "two")}}, false, "gone.go"},
		"one beyond the requests":     {grep("two"), debate.Seen{Runs: []debate.ShownRun{run("spent.go", 1, "two")}}, false, "spent.go"},
	} {
		row.told.Look, row.told.Hash = debate.Look{Path: "told otherwise"}, "told otherwise"
		got, err := v.Again(t.Context(), []debate.Look{row.look}, 1, []debate.Seen{row.told})
		if err != nil || row.err != "" {
			if err == nil || !strings.Contains(err.Error(), row.err) || row.err == "" {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		want := row.told
		want.Look, want.Hash = plainly(row.look), "tree"
		if same := cmp.Equal([]debate.Seen{want}, got); same != row.shows {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// Looks beyond the bound, those without a result and tests show nothing.
	looks := []debate.Look{read("a.go"), {Kind: debate.LookTest, Path: "a_test.go"}, read("a.go"), read("a.go")}
	told := []debate.Seen{{Runs: []debate.ShownRun{run("a.go", 1, "one")}}, {Runs: []debate.ShownRun{run("a.go", 1, "one")}}}
	got, err := v.Again(t.Context(), looks, 3, told)
	if err != nil || len(got) != 4 || len(got[0].Runs) != 1 || slices.ContainsFunc(got[1:], func(s debate.Seen) bool { return len(s.Runs) > 0 || s.Why == "" }) || got[3].Why != debate.LookUsedUp {
		t.Errorf("%+v, %v", got, err)
	}
	if i := slices.IndexFunc(g.fetched, func(l debate.Look) bool { return l.Path == ".env" }); i >= 0 {
		t.Errorf("fetched %+v", g.fetched[i])
	}
}
