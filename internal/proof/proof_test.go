package proof

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/sandbox"
)

// sides is a change as the files of both sides.
type sides map[debate.Side]map[string]string

func (s sides) List(dir string, side debate.Side) ([]string, debate.Withheld) {
	var names []string
	for name := range s[side] {
		rest := strings.TrimPrefix(name, dir+"/")
		if dir == "" {
			rest = name
		} else if rest == name {
			continue
		}
		if first, _, deeper := strings.Cut(rest, "/"); deeper {
			rest = first + "/"
		}
		names = append(names, rest)
	}
	slices.Sort(names)
	return slices.Compact(names), ""
}

func (s sides) Fetch(context.Context, []debate.Look) {}

// Each takes a content that begins with "-> " for a link.
func (s sides) Each(_ context.Context, side debate.Side, wanted func(path string) bool, take func(path string, mode uint32, content []byte) error) error {
	for name, content := range s[side] {
		mode := uint32(0o100644)
		target, isLink := strings.CutPrefix(content, "-> ")
		if isLink {
			mode = 0o120000
		}
		if !wanted(name) {
			continue
		}
		if err := take(name, mode, []byte(target)); err != nil {
			return err
		}
	}
	return nil
}

// A side is written as it is, but for what is private and for what git itself never writes.
func TestLay(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "outside")
	s := sides{debate.Right: {"a/b.txt": "b", "link": "-> " + outside, "key.pem": "secret", "inner/plan.txt": "plan", ".GIT/config": "x", "sub/.git/hooks/x": "x"}}
	r := New(nil, Settings{Private: func(p string) bool { return p == "key.pem" || strings.HasPrefix(p, "inner/") }}, s)
	dir := t.TempDir()
	if err := r.lay(t.Context(), debate.Right, dir); err != nil {
		t.Fatal(err)
	}
	var found []string
	_ = filepath.WalkDir(dir, func(p string, d os.DirEntry, _ error) error {
		if !d.IsDir() {
			found = append(found, strings.TrimPrefix(p, dir+"/"))
		}
		return nil
	})
	if want := []string{"a/b.txt", "link"}; !slices.Equal(found, want) {
		t.Errorf("%v, want %v", found, want)
	}
	if to, err := os.Readlink(filepath.Join(dir, "link")); err != nil || to != outside {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	for _, name := range []string{"../x", "link/x"} {
		s := sides{debate.Right: {name: "x", "link": "-> " + filepath.Dir(outside)}}
		if err := New(nil, Settings{}, s).lay(t.Context(), debate.Right, t.TempDir()); err == nil {
			t.Errorf("%s is written", name)
		}
	}
}

func limits() sandbox.Limits {
	return sandbox.Limits{Time: 3 * time.Minute, Memory: 2 << 30, Processes: 256, Output: 64 << 10}
}

func runner(t *testing.T, s sides, command string) *Runner {
	t.Helper()
	find := func() (sandbox.Box, error) { return sandbox.Find(t.Context()) }
	if image := os.Getenv("DEBATE_TEST_PROOF_IMAGE"); image != "" { // with the languages that are tested
		find = func() (sandbox.Box, error) { return sandbox.FindContainer(t.Context(), image) }
	}
	box, err := find()
	if err != nil {
		fmt.Fprintln(os.Stderr, "NOT TESTED in a sandbox:", err)
		t.Skip(err)
	}
	r := New(box, Settings{Run: strings.Fields(command), Allowed: func(string) bool { return true }, Limits: limits()}, s)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// row is a test of a model, and its result.
type row struct {
	path, content string
	want          debate.Proof
	doubt         debate.TestDoubt
}

func (r *Runner) check(t *testing.T, rows map[string]row) {
	t.Helper()
	for name, c := range rows {
		run, why := r.Test(t.Context(), debate.Look{Kind: debate.LookTest, Path: c.path, Content: c.content})
		if why != "" {
			t.Errorf("%s: refused: %s", name, why)
			continue
		}
		if got, doubt := run.Proves(); got != c.want || doubt != c.doubt {
			t.Errorf("%s: proves %q (%q), want %q (%q): %+v", name, got, doubt, c.want, c.doubt, run)
		}
		if run.Content != c.content {
			t.Errorf("%s: the test is not shown as it was written:\n%s", name, run.Content)
		}
	}
}

const goClamp = "package clamp\n\nfunc Clamp(n, low, high int) int {\n\tif n < low {\n\t\treturn low\n\t}\n%s\treturn n\n}\n"

func goTest(body string) string {
	return "package clamp\n\nimport \"testing\"\n\nfunc TestClaim(t *testing.T) {\n" + body + "\n}\n"
}

// The command compiles the standard library in an empty cache: it belongs to the long suite.
func TestGo(t *testing.T) {
	if os.Getenv("DEBATE_TEST_LONG") == "" {
		t.Skip("DEBATE_TEST_LONG=1 runs tests of Go")
	}
	both := map[string]string{"go.mod": "module example.com/clamp\n\ngo 1.20\n"}
	head, base := map[string]string{}, map[string]string{}
	for name, content := range both {
		head[name], base[name] = content, content
	}
	base["clamp/clamp.go"] = fmt.Sprintf(goClamp, "\tif n > high {\n\t\treturn high\n\t}\n")
	head["clamp/clamp.go"] = fmt.Sprintf(goClamp, "") + "\nfunc Half(n int) int { return n / 3 }\n"
	r := runner(t, sides{debate.Right: head, debate.Left: base}, "go test ./{dir} -run ^{test}$ -count=1")
	const file = "clamp/claim_test.go"
	r.check(t, map[string]row{
		"regression":  {file, goTest("\tif got := Clamp(9, 1, 5); got != 5 {\n\t\tt.Errorf(\"got %d\", got)\n\t}"), debate.ProvesRegression, ""},
		"panic":       {file, goTest("\tif Clamp(9, 1, 5) != 5 {\n\t\tpanic(\"too large\")\n\t}"), debate.ProvesRegression, ""},
		"new code":    {file, goTest("\tif Half(4) != 2 {\n\t\tt.Fatal(Half(4))\n\t}"), debate.ProvesNew, ""},
		"older":       {file, goTest("\tif Clamp(3, 1, 5) != 4 {\n\t\tt.Fatal(\"wrong\")\n\t}"), debate.ProvesOlder, ""},
		"contrary":    {file, goTest("\tif Clamp(0, 1, 5) != 1 {\n\t\tt.Fatal(\"wrong\")\n\t}"), debate.ProvesContrary, ""},
		"not built":   {file, goTest("\tNothing()"), "", debate.TestDoubt(debate.TestNotBuilt)},
		"no Go":       {file, "package clamp\n\nfunc TestX(", "", debate.TestDoubt(debate.TestNotBuilt)},
		"two tests":   {file, goTest("") + "\nfunc TestY(t *testing.T) {}\n", "", debate.TestDoubt(debate.TestNotBuilt)},
		"skips":       {file, goTest("\tt.Skip()"), "", debate.TestDoubt(debate.TestNotBuilt)},
		"exits early": {file, goTest("") + "\nfunc init() { println(\"ok\"); syscall.Exit(0) }\n", "", debate.TestDoubt(debate.TestNotBuilt)},
		"leaves":      {file, strings.Replace(goTest("\tsyscall.Exit(0)"), "import \"testing\"", "import (\n\t\"syscall\"\n\t\"testing\"\n)", 1), "", debate.TestDoubt(debate.TestNotBuilt)},
		"flaky":       {file, strings.Replace(goTest("\tif time.Now().UnixNano()/1000%2 == 0 || flip(t) {\n\t\tt.Fatal(\"wrong\")\n\t}"), "import \"testing\"", "import (\n\t\"testing\"\n\t\"time\"\n)", 1), "", debate.TestDoubt(debate.TestNotBuilt)},
	})
}

func TestPython(t *testing.T) {
	base := map[string]string{"shop/__init__.py": "", "shop/price.py": "def total(items):\n    return sum(items)\n"}
	head := map[string]string{"shop/__init__.py": "", "shop/price.py": "def total(items):\n    return sum(items[1:])\n\n\ndef half(n):\n    return n // 3\n"}
	r := runner(t, sides{debate.Right: head, debate.Left: base}, "/usr/bin/python3 -m unittest {file}")
	test := func(from, body string) string {
		return "import unittest\nfrom shop.price import " + from + "\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        " + body + "\n"
	}
	const file = "shop/test_claim.py"
	notBuilt := debate.TestDoubt(debate.TestNotBuilt)
	r.check(t, map[string]row{
		"regression": {file, test("total", "self.assertEqual(total([1, 2]), 3)"), debate.ProvesRegression, ""},
		"new code":   {file, test("half", "self.assertEqual(half(4), 2)"), debate.ProvesNew, ""},
		"older":      {file, test("total", "self.assertEqual(total([]), 1)"), debate.ProvesOlder, ""},
		"contrary":   {file, test("total", "self.assertEqual(total([]), 0)"), debate.ProvesContrary, ""},
		"misnamed":   {file, test("total", "self.assertEqual(totl([1]), 1)"), "", notBuilt},
		"no module":  {file, test("nothing", "pass"), "", notBuilt},
		"skips":      {file, test("total", "self.skipTest('x')"), "", notBuilt},
		"exits":      {file, test("total", "import os; os._exit(0)"), "", notBuilt},
		"no Python":  {file, "def test_x(:\n", "", notBuilt},
	})
}

func TestJavaScript(t *testing.T) {
	base := map[string]string{"lib/sum.js": "exports.sum = (l) => l.reduce((a, b) => a + b, 0);\n"}
	head := map[string]string{"lib/sum.js": "exports.sum = (l) => l.reduce((a, b) => a + b);\nexports.half = (n) => n / 3;\n"}
	r := runner(t, sides{debate.Right: head, debate.Left: base}, "/usr/bin/node --test {file}")
	test := func(body string) string {
		return "const { test } = require('node:test');\nconst assert = require('node:assert');\nconst { sum } = require('./sum.js');\ntest('it', () => { " + body + " });\n"
	}
	const file = "lib/claim.test.js"
	notBuilt := debate.TestDoubt(debate.TestNotBuilt)
	r.check(t, map[string]row{
		"regression": {file, test("assert.equal(sum([]), 0)"), debate.ProvesRegression, ""},
		"older":      {file, test("assert.equal(sum([1]), 2)"), debate.ProvesOlder, ""},
		"contrary":   {file, test("assert.equal(sum([1]), 1)"), debate.ProvesContrary, ""},
		"misnamed":   {file, test("assert.equal(summ([1]), 1)"), "", notBuilt},
		"no module":  {file, "require('./nothing.js').test('x');\n", "", notBuilt},
		"exits":      {file, test("process.exit(0)"), "", notBuilt},
	})
}

// Cargo is in the home directory of most people, where no sandbox looks. So its tests run
// without one here, and in the long suite alone: each compiles.
func TestRust(t *testing.T) {
	if os.Getenv("DEBATE_TEST_LONG") == "" {
		t.Skip("DEBATE_TEST_LONG=1 runs tests of Rust")
	}
	sysroot, err := exec.Command("rustc", "--print", "sysroot").Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "NOT TESTED: tests of Rust:", err)
		t.Skip(err)
	}
	t.Setenv("PATH", filepath.Join(strings.TrimSpace(string(sysroot)), "bin")+":"+os.Getenv("PATH"))
	base := map[string]string{"Cargo.toml": "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": "pub fn clamp(n: i32, high: i32) -> i32 {\n    n.min(high)\n}\n"}
	head := map[string]string{"Cargo.toml": base["Cargo.toml"], "src/lib.rs": "pub fn clamp(n: i32, _high: i32) -> i32 {\n    n\n}\n\npub fn half(n: i32) -> i32 {\n    n / 3\n}\n"}
	box, err := sandbox.WithoutSandbox()
	if err != nil {
		t.Fatal(err)
	}
	r := New(box, Settings{Run: strings.Fields("cargo test --offline --workspace --test {test}"), Allowed: func(string) bool { return true }, Limits: limits()}, sides{debate.Right: head, debate.Left: base})
	defer r.Close()
	test := func(body string) string { return "use shop::*;\n\n#[test]\nfn claim() {\n    " + body + "\n}\n" }
	const file = "tests/claim.rs"
	notBuilt := debate.TestDoubt(debate.TestNotBuilt)
	r.check(t, map[string]row{
		"regression":   {file, test("assert_eq!(clamp(9, 5), 5);"), debate.ProvesRegression, ""},
		"an error":     {file, "use shop::*;\n\n#[test]\nfn claim() -> Result<(), String> {\n    if clamp(9, 5) == 5 { Ok(()) } else { Err(\"too large\".into()) }\n}\n", debate.ProvesRegression, ""},
		"in a module":  {file, "mod tests {\n    use shop::*;\n    #[test]\n    fn claim() { assert_eq!(clamp(9, 5), 5) }\n}\n", debate.ProvesRegression, ""},
		"new code":     {file, test("assert_eq!(half(4), 2);"), debate.ProvesNew, ""},
		"older":        {file, test("assert_eq!(clamp(3, 5), 4);"), debate.ProvesOlder, ""},
		"contrary":     {file, test("assert_eq!(clamp(3, 5), 3);"), debate.ProvesContrary, ""},
		"misnamed":     {file, test("assert_eq!(clmp(9, 5), 5);"), "", notBuilt},
		"no Rust":      {file, "#[test]\nfn claim( {", "", notBuilt},
		"two tests":    {file, test("") + "\n#[test]\nfn second() {}\n", "", notBuilt},
		"should panic": {file, "#[test]\n#[should_panic]\nfn claim() { panic!() }\n", "", notBuilt},
		"panics well":  {file, "#[should_panic]\n#[test]\nfn claim() { panic!() }\n", "", notBuilt},
		"left out":     {file, "#[cfg(any())]\n#[test]\nfn claim() { panic!() }\n", "", notBuilt},
		"exits":        {file, test("std::process::exit(0);"), "", notBuilt},
	})
	if err := r.Try(t.Context(), "**/tests/*.rs"); err == nil { // no package is there
		t.Error("a directory that Cargo does not look at is taken for one of tests")
	}
	if err := r.Try(t.Context(), "tests/*.rs"); err != nil {
		t.Error(err)
	}
}

// What Cargo prints and the marks that it leaves are read as a run says them.
func TestRustMarks(t *testing.T) {
	t.Parallel()
	files, name, err := markedRust("a/tests/claim.rs", "#[test]\nfn it() {\n}\n", "w0rd")
	if err != nil || name != "claim" || !strings.HasPrefix(files["a/tests/claim.rs"], "#[test]\nfn it() { let _debate = crate::debate_w0rd::begin();\n}\n") {
		t.Errorf("%q %q %v", files, name, err)
	}
	for _, content := range []string{"", "fn it() {}", "#[test]\n#[ignore]\nfn it() {}", "#[test]\nfn it(n: i32) {}", "#[test]\nconst X: i32 = 1;\nfn it() {}"} {
		if _, _, err := markedRust("tests/a.rs", content, "w"); err == nil {
			t.Errorf("%q is taken for a test", content)
		}
	}
}

// A test may stand only where the settings say, at a path that neither side has.
func TestRefused(t *testing.T) {
	t.Parallel()
	r := New(nil, Settings{Allowed: func(p string) bool { return !strings.HasPrefix(p, "vendor/") }}, sides{
		debate.Right: {"a/x_test.go": "", "a/Upper_test.go": "", "link": ""}, debate.Left: {"a/old_test.go": "", "B/c.go": ""},
	})
	for file, want := range map[string]debate.Withheld{
		"a/x_test.go": debate.LookTestTaken, "a/old_test.go": debate.LookTestTaken, "a/upper_test.go": debate.LookTestTaken, "b/new_test.go": debate.LookTestPath,
		"link/new_test.go": debate.LookTestPath, "../new_test.go": debate.LookTestPath, "/new_test.go": debate.LookTestPath, "a/../new_test.go": debate.LookTestPath,
		"a//new_test.go": debate.LookTestPath, "a/new_test.go\x00": debate.LookTestPath, "-x_test.go": debate.LookTestPath, "a/$(id)_test.go": debate.LookTestPath,
		"go.mod": debate.LookTestPath, "conftest.py": debate.LookTestPath, "package.json": debate.LookTestPath, "Makefile": debate.LookTestPath, "a/build.rs": debate.LookTestPath,
		"vitest.config.ts": debate.LookTestPath, "setup.py": debate.LookTestPath, "vendor/new_test.go": debate.LookTestPath, ".git/new_test.go": debate.LookTestPath,
		"a/_new_test.go": debate.LookTestPath, "": debate.LookTestPath, "a/new_test.go": "", "c/d/new_test.go": "", "a/test_new.py": "", "a/new.test.mjs": "",
		"tests/new.rs": "", "a/tests/new.rs": "", "src/new.rs": debate.LookTestPath, "tests/common/new.rs": debate.LookTestPath, "tests/New.rs": debate.LookTestPath,
	} {
		if got := r.refuse(debate.Look{Path: file}); got != want {
			t.Errorf("%q: %q, want %q", file, got, want)
		}
	}
	long := strings.Repeat("\n", debate.MostTestLines+1)
	for _, content := range []string{long, strings.Repeat("x", debate.MostTestBytes+1), "a\x00b"} {
		if got := r.refuse(debate.Look{Path: "a/new_test.go", Content: content}); got != debate.LookTestText {
			t.Errorf("%.20q: %q", content, got)
		}
	}
}

func TestOutcome(t *testing.T) {
	t.Parallel()
	golang := languageOf("a_test.go")
	for name, c := range map[string]struct {
		r    sandbox.Result
		want debate.TestOutcome
	}{
		"passes":                 {sandbox.Result{Ended: true, Marks: "w-begin w-end"}, debate.TestPasses},
		"fails":                  {sandbox.Result{Ended: true, Exit: 1, Marks: "w-begin"}, debate.TestFails},
		"never began":            {sandbox.Result{Ended: true, Exit: 1}, debate.TestNotBuilt},
		"exits before":           {sandbox.Result{Ended: true}, debate.TestNotBuilt},
		"exits in the middle":    {sandbox.Result{Ended: true, Marks: "w-begin"}, debate.TestNotBuilt},
		"another word":           {sandbox.Result{Ended: true, Marks: "x-begin x-end"}, debate.TestNotBuilt},
		"the shell was killed":   {sandbox.Result{Exit: 1, Marks: "w-begin"}, debate.TestNotBuilt},
		"timeout":                {sandbox.Result{Stop: sandbox.StopTime, Marks: "w-begin"}, debate.TestTimeout},
		"too much memory":        {sandbox.Result{Stop: sandbox.StopMemory}, debate.TestLimit},
		"one of two ended early": {sandbox.Result{Ended: true, Marks: "w-begin w-end w-begin"}, debate.TestNotBuilt},
	} {
		if got := outcome(c.r, "w", golang); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestTry(t *testing.T) {
	r := runner(t, sides{debate.Right: {"a.py": ""}}, "/usr/bin/python3 -m unittest {file}")
	if err := r.Try(t.Context(), "test_*.py"); err != nil {
		t.Error(err)
	}
	broken := runner(t, sides{debate.Right: {"a.py": ""}}, "gone {file}")
	if err := broken.Try(t.Context(), "test_*.py"); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Error(err)
	}
	if err := r.Try(t.Context(), "*.rb"); err == nil {
		t.Error("a language that is not known is tried")
	}
}

// javaProject is a module of Maven with one class, which is tested from the packages of Debian.
func javaProject(source string) map[string]string {
	return map[string]string{
		"pom.xml": `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
  <properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target></properties>
  <dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.9.2</version><scope>test</scope></dependency></dependencies>
</project>
`,
		"src/main/java/shop/Price.java": source,
	}
}

// maven runs a test with the repository of the Debian packages maven-debian-helper and junit5.
const (
	repository = "/usr/share/maven-repo"
	maven      = "mvn -o -q -B -Dmaven.repo.local=" + repository + " test -Dtest={test} -DfailIfNoTests=false"
)

// needJava skips a test without those packages, and in the short suite: each run compiles.
func needJava(t *testing.T) {
	t.Helper()
	if os.Getenv("DEBATE_TEST_LONG") == "" {
		t.Skip("DEBATE_TEST_LONG=1 runs tests of Java")
	}
	for _, need := range []string{"/usr/bin/mvn", repository + "/org/junit/jupiter/junit-jupiter-engine", repository + "/org/apache/maven/surefire/surefire-junit-platform"} {
		if _, err := os.Stat(need); err != nil {
			fmt.Fprintln(os.Stderr, "NOT TESTED: tests of Java:", err)
			t.Skip(err)
		}
	}
}

func TestJava(t *testing.T) {
	const price = "package shop;\n\npublic class Price {\n    public static int total(int[] items) {\n        int sum = 0;\n        for (int i = %d; i < items.length; i++) sum += items[i];\n        return sum;\n    }\n%s}\n"
	needJava(t)
	r := runner(t, sides{
		debate.Left:  javaProject(fmt.Sprintf(price, 0, "")),
		debate.Right: javaProject(fmt.Sprintf(price, 1, "    public static int half(int n) { return n / 3; }\n")),
	}, maven)
	test := func(body string) string {
		return "package shop;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\nimport org.junit.jupiter.api.*;\n\nclass ClaimTest {\n    @Test\n    void claim() throws Exception {\n        " + body + "\n    }\n}\n"
	}
	const file = "src/test/java/shop/ClaimTest.java"
	notBuilt := debate.TestDoubt(debate.TestNotBuilt)
	r.check(t, map[string]row{
		"regression": {file, test("assertEquals(3, Price.total(new int[] {1, 2}));"), debate.ProvesRegression, ""},
		"exception":  {file, test("if (Price.total(new int[] {1, 2}) != 3) throw new java.io.IOException();"), debate.ProvesRegression, ""},
		"new code":   {file, test("assertEquals(2, Price.half(4));"), debate.ProvesNew, ""},
		"older":      {file, test("assertEquals(1, Price.total(new int[0]));"), debate.ProvesOlder, ""},
		"contrary":   {file, test("assertEquals(0, Price.total(new int[0]));"), debate.ProvesContrary, ""},
		"misnamed":   {file, test("assertEquals(0, Price.sum(new int[0]));"), "", notBuilt},
		"skips":      {file, test("Assumptions.assumeTrue(Price.total(new int[] {1, 2}) == 3); fail();"), "", notBuilt},
		"disabled":   {file, strings.Replace(test("fail();"), "    @Test", "    @Test @Disabled", 1), "", notBuilt},
		"two tests":  {file, test("}\n\n    @Test\n    void other() {"), "", notBuilt},
		"repeated":   {file, strings.Replace(test(""), "@Test", "@RepeatedTest(2)", 1), "", notBuilt},
	})
	if err := r.Try(t.Context(), "src/test/java/**/*Test.java"); err != nil {
		t.Error(err)
	}
}
