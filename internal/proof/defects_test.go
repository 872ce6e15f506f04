package proof

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/sandbox"
	"github.com/prdebate/debate/internal/testkit/long"
)

// defects are those of one file of testdata: names in order, and the files of each by
// their names in it.
func defects(t *testing.T, file string) (names []string, files map[string]string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "defects", file))
	if err != nil {
		t.Fatal(err)
	}
	files = make(map[string]string)
	for _, f := range txtar.Parse(data).Files {
		files[f.Name] = string(f.Data)
		if name, isSource := strings.CutSuffix(f.Name, "/source"); isSource {
			names = append(names, name)
		}
	}
	return names, files
}

// coin turns the word FLIP in a test into true and false, by turns.
type coin struct {
	sandbox.Box
	no, yes string
	thrown  atomic.Int64
}

func (c *coin) Run(ctx context.Context, job sandbox.Job) (sandbox.Result, error) {
	job.Files = maps.Clone(job.Files)
	for name, content := range job.Files {
		if strings.Contains(content, "FLIP") {
			side := []string{c.yes, c.no}[(c.thrown.Add(1)-1)%2]
			job.Files[name] = strings.ReplaceAll(content, "FLIP", side)
		}
	}
	return c.Box.Run(ctx, job)
}

// dialect is how the defects of a language are laid out and tested.
type dialect struct {
	files, command, no, yes string
	code, test              string // files of a defect, with its NAME
	write                   func(name, imports, body string) string
	broken                  []string // bodies that do not build, or never test anything
}

var dialects = []dialect{
	{
		"go.txtar", "go test ./{dir} -run ^{test}$ -count=1", "false", "true", "NAME/code.go", "NAME/claim_test.go",
		func(name, imports, body string) string {
			return "package " + name + "\n\nimport (\n" + imports + "\"testing\"\n)\n\nfunc TestClaim(t *testing.T) {\n" + body + "}\n"
		},
		[]string{"\tnothing()\n", "\tvar n int = \"text\"\n", "\tt.Skip()\n", "}\n\nfunc TestOther(t *testing.T) {\n"},
	},
	{
		"python.txtar", "/usr/bin/python3 -m unittest {file}", "False", "True", "NAME/code.py", "NAME/test_claim.py",
		func(name, _, body string) string {
			return "import unittest\nfrom " + name + " import code\n\n\nclass Claim(unittest.TestCase):\n    def test_claim(self):\n        " +
				strings.ReplaceAll(strings.TrimRight(body, "\n"), "\n", "\n        ") + "\n"
		},
		[]string{"nothing()\n", "self.assertEqual(code.nothing(), 1)\n", "self.skipTest('later')\n", "import os; os._exit(0)\n"},
	},
	{
		"javascript.txtar", "/usr/bin/node --test {file}", "false", "true", "NAME/code.js", "NAME/claim.test.js",
		func(_, _, body string) string {
			return "const { test } = require('node:test');\nconst assert = require('node:assert');\nconst code = require('./code.js');\ntest('claim', () => {\n" + body + "});\n"
		},
		[]string{"nothing();\n", "assert.equal(\n", "});\nrequire('./nothing.js');\ntest('more', () => {\n", "process.exit(0);\n"},
	},
	{
		"java.txtar", maven, "false", "true", "src/main/java/NAME/Code.java", "src/test/java/NAME/ClaimTest.java",
		func(name, _, body string) string {
			return "package " + name + ";\n\nimport static org.junit.jupiter.api.Assertions.*;\n\nimport org.junit.jupiter.api.*;\n\nclass ClaimTest {\n    @Test\n    void claim() {\n" + body + "    }\n}\n"
		},
		[]string{"nothing();\n", "int n = \"text\";\n", "Assumptions.assumeTrue(false);\n", "}\n\n    @Test\n    void other() {\n"},
	},
}

// A right test proves each of 23 defects (of which a short run plays four), and no other test proves anything: none
// that passes, that does not build, that fails before the change too, or whose result
// changes.
func TestDefects(t *testing.T) {
	for _, d := range dialects {
		t.Run(d.files, func(t *testing.T) {
			switch d.files {
			case "go.txtar":
				long.Only(t) // its command compiles the standard library in an empty cache
			case "java.txtar":
				needJava(t)
			}
			d.check(t)
		})
	}
}

func (d dialect) check(t *testing.T) {
	names, files := defects(t, d.files)
	names = long.Pick(names[:2], names)
	head, base := map[string]string{}, map[string]string{}
	for name, content := range files {
		if common, is := strings.CutPrefix(name, "both/"); is {
			head[common], base[common] = content, content
		}
	}
	for _, name := range names {
		file, code := strings.ReplaceAll(d.code, "NAME", name), path.Base(d.code)
		head[file], base[file] = files[name+"/head/"+code], files[name+"/base/"+code]
	}
	r := runner(t, sides{debate.Right: head, debate.Left: base}, d.command)
	r.box = &coin{Box: r.box, no: d.no, yes: d.yes}
	tests, proven := 0, 0
	for _, name := range names {
		rows := map[string]row{
			"right": {"", files[name+"/right"], debate.ProvesRegression, ""},
			"wrong": {"", files[name+"/wrong"], debate.ProvesContrary, ""},
			"older": {"", files[name+"/older"], debate.ProvesOlder, ""},
			"flaky": {"", files[name+"/flaky"], "", debate.TestFlaky},
		}
		for i, body := range d.broken {
			rows[fmt.Sprintf("broken %d", i)] = row{"", body, "", debate.TestDoubt(debate.TestNotBuilt)}
		}
		for _, kind := range slices.Sorted(maps.Keys(rows)) {
			c := rows[kind]
			if c.content == "" {
				t.Fatalf("%s has no test %q", name, kind)
			}
			imports := files[name+"/imports"]
			if strings.HasPrefix(kind, "broken") {
				imports = ""
			}
			content := d.write(name, imports, c.content)
			run, why := r.Test(t.Context(), debate.Look{Kind: debate.LookTest, Path: strings.ReplaceAll(d.test, "NAME", name), Content: content})
			if why != "" {
				t.Errorf("%s, %s: refused: %s", name, kind, why)
				continue
			}
			got, doubt := run.Proves()
			if got != c.want || doubt != c.doubt {
				t.Errorf("%s, %s (%s): proves %q (%q), want %q (%q): %+v", name, kind, strings.TrimSpace(files[name+"/source"]), got, doubt, c.want, c.doubt, run)
			}
			if kind == "right" && got == debate.ProvesRegression {
				proven++
			} else {
				tests++
			}
		}
	}
	t.Logf("%d of %d defects are proven; %d other tests prove none", proven, len(names), tests)
}
