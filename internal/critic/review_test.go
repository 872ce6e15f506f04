package critic

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/checktest"
)

// FuzzReview holds, for any name and content: no check panics, every hit lies on
// added lines and quotes them, and a second review says the same.
func FuzzReview(f *testing.F) {
	for _, c := range checktest.Load(f, allCases...) {
		for name, head := range c.Head {
			f.Add(name, c.Base[name], head)
		}
	}
	f.Fuzz(func(t *testing.T, name, base, head string) {
		if name == "" {
			return
		}
		bases := map[string]string{name: base}
		if base == "" {
			bases = nil
		}
		heads := map[string]string{name: head}
		change := checktest.Change(bases, heads)
		res := reviewAll(change)
		added := make(map[int]bool)
		for _, pf := range change.Set.Files {
			for _, h := range pf.Hunks {
				for _, l := range h.Lines {
					if l.Op == '+' {
						added[l.New] = true
					}
				}
			}
		}
		for _, h := range res.Hits {
			checktest.Complete(t, h, heads)
			for n := h.Cite.StartLine; n <= h.Cite.EndLine; n++ {
				if !added[n] {
					t.Errorf("%s cites %s, line %d was not added", h.Rule, h.Cite, n)
				}
			}
			for _, secret := range h.Redact {
				if strings.Contains(h.Body, secret) {
					t.Errorf("%s: the body repeats what it redacts", h.Rule)
				}
			}
		}
		if d := cmp.Diff(res, reviewAll(checktest.Change(bases, heads))); d != "" {
			t.Errorf("a second review differs:\n%s", d)
		}
	})
}

// TestReviewOfAPatch reviews every case as if only its diff were at hand.
func TestReviewOfAPatch(t *testing.T) {
	t.Parallel()
	for _, c := range checktest.Load(t, allCases...) {
		change := patch.Alone(checktest.Change(c.Base, c.Head).Set)
		for _, h := range reviewAll(change).Hits {
			checktest.Complete(t, h, c.Head)
		}
	}
}

func TestReviewSkipsFiles(t *testing.T) {
	t.Parallel()
	change := checktest.Change(nil, map[string]string{
		"a.txt": "<<<<<<< HEAD\n=======\n>>>>>>> b\n",
		"b.txt": "<<<<<<< HEAD\n=======\n>>>>>>> b\n",
	})
	change.Set.Files = append(change.Set.Files, &patch.File{OldPath: "gone.txt", Status: patch.Deleted, Kind: patch.Text},
		&patch.File{OldPath: "odd.txt", NewPath: "odd.txt", Kind: patch.Text, Unparsed: "the counts differ"})
	res := Review(change, func(path string) bool { return path == "a.txt" }, nil)
	if got := checktest.Reported(res.Hits, res.Notices, "merge"); !slices.Equal(got, []string{"merge/conflict-marker b.txt:1"}) {
		t.Errorf("reported %q", got)
	}
}

func TestReviewBoundsHits(t *testing.T) {
	t.Parallel()
	head := make(map[string]string)
	for i := range maxHits + 20 {
		head[fmt.Sprintf("f%04d.txt", i)] = "<<<<<<< HEAD\n=======\n>>>>>>> b\n"
	}
	res := reviewAll(checktest.Change(nil, head))
	if len(res.Hits) != maxHits || res.Omitted != 20 {
		t.Errorf("%d hits and %d omitted, want %d and 20", len(res.Hits), res.Omitted, maxHits)
	}
}

// TestWhatIsSevereDoesNotHide: of a file with more findings than are reported the most severe
// ones are, wherever they stand in it, and the others are counted.
func TestWhatIsSevereDoesNotHide(t *testing.T) {
	t.Parallel()
	var passwords, soft, conflicts, jobs strings.Builder
	job := func(id, value string) string {
		return fmt.Sprintf("  %s:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ %s }}\n", id, value)
	}
	for i := range 30 {
		jobs.WriteString(job(fmt.Sprintf("j%d", i), "matrix.x"))
		fmt.Fprintf(&passwords, "password = \"hunter%dSecret!x\"\n", i)
		fmt.Fprintf(&soft, "a%d = \"b\u200bc\"\n", i)
		conflicts.WriteString("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n")
	}
	for _, c := range []struct {
		path, text, want string
		listed, omitted  int
	}{
		{"a.py", passwords.String() + "id = \"AKIA" + "Q3EGRK5VJ7ZQWXYN\"\n", "secrets/aws-access-token a.py:31", 20, 11},
		{"b.py", soft.String() + "if a: # \u202e\n", "unicode/bidi-control b.py:31", 10, 21},
		{"c.py", conflicts.String(), "merge/conflict-marker c.py:1", 5, 25},
		{".github/workflows/d.yml", "on: issues\njobs:\n" + jobs.String() + job("z", "github.event.issue.title"), "workflow/script-injection .github/workflows/d.yml:126", 20, 11},
		{"db/migrations/2_e.up.sql", strings.Repeat("CREATE TABLE t (id int);\n", 4001) + "DROP TABLE users;\n", "sql/drop-table db/migrations/2_e.up.sql:4002", 1, 0},
		{"db/migrate/20240101000000_f.rb", "class A < ActiveRecord::Migration[7.0]\n  def up\n" + strings.Repeat("    create_table :t\n", 4001) + "    drop_table :users\n  end\nend\n",
			"sql/drop-table db/migrate/20240101000000_f.rb:4004", 1, 0},
	} {
		res := reviewAll(checktest.Change(nil, map[string]string{c.path: c.text}))
		family, _, _ := strings.Cut(c.want, "/")
		got := checktest.Reported(res.Hits, res.Notices, family)
		if !slices.Contains(got, c.want) || len(got) != c.listed || res.Omitted != c.omitted {
			t.Errorf("%s: %d are reported, and %d are not, want %d and %d, with %s:\n%q", c.path, len(got), res.Omitted, c.listed, c.omitted, c.want, got)
		}
	}
}

// FuzzReviewText runs every family over one text under names that they accept.
func FuzzReviewText(f *testing.F) {
	checktest.Seeds(f, "sql/testdata/*.txtar", "workflow/testdata/*.txtar", "shell/testdata/*.txtar", "docker/testdata/*.txtar", "infra/testdata/*.txtar")
	f.Add("rm -rf \"\"\n") // a word without parts
	f.Fuzz(func(t *testing.T, src string) {
		for _, name := range []string{"db/migrations/1.sql", "db/migrate/1_a.rb", ".github/workflows/a.yml", "a.sh", "Dockerfile", "a.tf", "k8s/a.yaml", "iam/p.json"} {
			head := map[string]string{name: src}
			for _, h := range reviewAll(checktest.Change(nil, head)).Hits {
				checktest.Complete(t, h, head)
			}
		}
	})
}
