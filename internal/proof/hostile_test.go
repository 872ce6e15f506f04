package proof

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// What a hostile test does is gone with its run: it changes no later run and neither side,
// sees no private file, and what it writes is bounded.
func TestHostile(t *testing.T) {
	s := sides{
		debate.Left:  {"shop/__init__.py": "", "shop/price.py": "def total(items):\n    return sum(items)\n", "inner/plan.txt": "canary-2718", ".env": "KEY=canary-2718"},
		debate.Right: {"shop/__init__.py": "", "shop/price.py": "def total(items):\n    return sum(items[1:])\n", "inner/plan.txt": "canary-2718", ".env": "KEY=canary-2718"},
	}
	r := runner(t, s, "/usr/bin/python3 -m unittest {file}")
	r.settings.Private = func(p string) bool { return p == ".env" || strings.HasPrefix(p, "inner/") }
	test := func(body string) string {
		return "import os, subprocess, sys, unittest\nfrom shop.price import total\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        " + strings.ReplaceAll(body, "\n", "\n        ") + "\n"
	}
	const right = "self.assertEqual(total([1, 2]), 3)"
	for _, c := range []struct {
		name, body string
		want       debate.Proof
		doubt      debate.TestDoubt
	}{
		{"repairs the code", "open('shop/price.py', 'w').write('def total(items): return sum(items)\\n')", debate.ProvesContrary, ""},
		{"after the repair", right, debate.ProvesRegression, ""},
		{"changes what tests load", "open('shop/__init__.py', 'w').write('raise SystemExit(0)')\nopen('sitecustomize.py', 'w').write('raise SystemExit(0)')", debate.ProvesContrary, ""},
		{"after that", right, debate.ProvesRegression, ""},
		{"changes its home", "for d in ('~/.config', '~/.local/lib'):\n    try:\n        os.makedirs(os.path.expanduser(d))\n    except OSError:\n        continue\n    self.fail('written')", debate.ProvesContrary, ""},
		{"leaves marks without the word", "open(os.environ['DEBATE_MARKS'], 'a').write('begin\\nend\\nwrong\\n')\n" + right, debate.ProvesRegression, ""},
		{"ends well at once", "open(os.environ['DEBATE_MARKS'], 'a').write('begin\\nend\\n')\nos._exit(0)", "", debate.TestDoubt(debate.TestNotBuilt)},
		{"private files", "text = subprocess.run(['grep', '-r', 'canary-' + '2718', '.', '/seed', '/home', '/tmp'], capture_output=True, text=True).stdout\nself.assertEqual(text, '')", debate.ProvesContrary, ""},
		{"leaves a process", "subprocess.Popen(['setsid', 'sh', '-c', 'sleep 3; echo late > shop/price.py'])\n" + right, debate.ProvesRegression, ""},
		{"one long line", "sys.stdout.write('x' * 10_000_000)\nself.fail()", debate.ProvesOlder, ""},
		{"many lines", "print('\\x1b[31m::error::x\\n' * 100_000)\nself.fail()", debate.ProvesOlder, ""},
	} {
		run, why := r.Test(t.Context(), debate.Look{Kind: debate.LookTest, Path: "shop/test_x.py", Content: test(c.body)})
		if why != "" {
			t.Errorf("%s: refused: %s", c.name, why)
			continue
		}
		if got, doubt := run.Proves(); got != c.want || doubt != c.doubt {
			t.Errorf("%s: proves %q (%q), want %q (%q): %+v", c.name, got, doubt, c.want, c.doubt, run)
		}
		for _, one := range run.Runs {
			if lines := strings.Count(one.Output, "\n"); lines >= keptLines || len(one.Output) > keptLines*(keptLine+8) {
				t.Errorf("%s: %d lines, %d bytes are kept", c.name, lines, len(one.Output))
			}
		}
	}
}
