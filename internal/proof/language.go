package proof

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/sandbox"
)

// language is a programming language of tests: the names of its test files, and the marks of
// a test that ran.
type language struct {
	name  string
	files lazyregexp.Regexp
	// marked is a test that leaves the mark begin when it begins and end when it passes, with
	// the files that it needs. test is its name in the command: the name of its function, or
	// of the program that Cargo makes of the file.
	marked func(path, content, word string) (files map[string]string, test string, err error)
	// empty is a test that passes if a test with this content builds.
	empty func(content string) string
	// failing is a test that builds and fails.
	failing string
}

var languages = []language{
	{
		"Go", lazyregexp.New(`(?:^|/)[^._/][^/]*_test\.go$`), markedGo, emptyGo,
		"package control\n\nimport \"testing\"\n\nfunc TestDebateControl(t *testing.T) { t.Fatal(\"as it should\") }\n",
	},
	{"Python", lazyregexp.New(`(?:^|/)(?:test_[^/]*|[^._/][^/]*_test)\.py$`), markedPython, func(string) string { return python("pass") }, python("assert False")},
	{"JavaScript", lazyregexp.New(`(?:^|/)[^./][^/]*\.(test|spec)\.[cm]?[jt]s$`), markedJavaScript, func(string) string { return javaScript("") }, javaScript("throw 1")},
	// By Cargo's rule each test file of a package is a program.
	{"Rust", lazyregexp.New(`(?:^|/)tests/[a-z][a-z0-9_]*\.rs$`), markedRust, func(string) string { return rust("") }, rust(`panic!("as it should")`)},
	{"Java", lazyregexp.New(`(?:^|/)\w+Test\.java$`), markedJava, emptyJava, java("", `throw new AssertionError("as it should");`)},
}

// python is a test with one statement, for each way of writing tests.
func python(statement string) string {
	return "import unittest\n\n\ndef test_debate_control():\n    " + statement + "\n\n\n" +
		"class DebateControl(unittest.TestCase):\n    def test_debate_control(self):\n        " + statement + "\n"
}

// javaScript is a test with one statement.
func javaScript(statement string) string {
	return "const test = globalThis.test ?? process.getBuiltinModule('node:test').test;\ntest('control', () => { " + statement + " });\n"
}

// languageOf returns the language of a test file by its name, or nil.
func languageOf(file string) *language {
	for i, l := range languages {
		if l.files().MatchString(file) {
			return &languages[i]
		}
	}
	return nil
}

// errOneTest means that a Go file has no test, or several.
var errOneTest = errors.New("write exactly one function TestXxx(t *testing.T)")

// markedGo inserts a call at the beginning of the only test, on the same line, so that all
// lines keep their numbers.
func markedGo(file, content, word string) (map[string]string, string, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, path.Base(file), content, parser.SkipObjectResolution)
	if err != nil {
		return nil, "", err
	}
	var test *ast.FuncDecl
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		switch {
		case !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") || f.Name.Name == "TestMain":
			continue
		case test != nil:
			return nil, "", errOneTest
		}
		test = f
	}
	if test == nil || test.Body == nil || len(test.Type.Params.List) != 1 || len(test.Type.Params.List[0].Names) != 1 || test.Type.Params.List[0].Names[0].Name == "_" {
		return nil, "", errOneTest
	}
	at := set.Position(test.Body.Lbrace).Offset + 1
	t := test.Type.Params.List[0].Names[0].Name
	helper := "debate_" + word + "_test.go"
	return map[string]string{
		file: content[:at] + " defer debate_" + word + "(" + t + ")(); " + content[at:],
		path.Join(path.Dir(file), helper): fmt.Sprintf(`package %s

import (
	"os"
	"testing"
)

func debate_%s(t *testing.T) func() {
	mark := func(text string) {
		f, err := os.OpenFile(os.Getenv(%q), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err == nil {
			f.WriteString("%s-" + text + "\n")
			f.Close()
		}
	}
	mark("begin")
	return func() {
		if !t.Skipped() && !t.Failed() {
			mark("end")
		}
	}
}
`, parsed.Name.Name, word, sandbox.MarksFile, word),
	}, test.Name.Name, nil
}

func emptyGo(content string) string {
	name := "control"
	if parsed, err := parser.ParseFile(token.NewFileSet(), "", content, parser.PackageClauseOnly); err == nil {
		name = parsed.Name.Name
	}
	return "package " + name + "\n\nimport \"testing\"\n\nfunc TestDebateControl(t *testing.T) {}\n"
}

var pythonTest = lazyregexp.New(`(?m)^\s*def (test\w*)\(`)

// markedPython wraps the tests of a module and of its classes, below the last line. A wrong
// name in these added lines fails no test.
func markedPython(file, content, word string) (map[string]string, string, error) {
	found := pythonTest().FindStringSubmatch(content)
	if found == nil {
		return nil, "", errors.New("write a function def test_...()")
	}
	return map[string]string{file: content + fmt.Sprintf(`


def debate_%[1]s():
    import functools, inspect, os

    def mark(text):
        with open(os.environ[%[2]q], "a") as f:
            f.write("%[1]s-" + text + "\n")

    def wrong(error):
        at = error.__traceback__
        while at.tb_next is not None:
            at = at.tb_next
        own = at.tb_frame.f_code.co_filename == run_file
        return own and isinstance(error, (NameError, AttributeError, TypeError, ImportError, SyntaxError, KeyboardInterrupt, SystemExit))

    def wrapped(test):
        @functools.wraps(test)
        def run(*args, **named):
            mark("begin")
            try:
                result = test(*args, **named)
            except BaseException as error:
                if wrong(error) or type(error).__name__ in ("SkipTest", "Skipped", "SystemExit"):
                    mark("wrong")
                raise
            mark("end")
            return result
        return run

    run_file = mark.__code__.co_filename
    places = [globals()] + [vars(c) for c in globals().values() if inspect.isclass(c) and c.__module__ == __name__]
    owners = [None] + [c for c in globals().values() if inspect.isclass(c) and c.__module__ == __name__]
    for owner, place in zip(owners, places):
        for name, test in list(place.items()):
            if name.startswith("test") and inspect.isfunction(test) and not inspect.iscoroutinefunction(test):
                if owner is None:
                    place[name] = wrapped(test)
                else:
                    setattr(owner, name, wrapped(test))


debate_%[1]s()
`, word, sandbox.MarksFile)}, found[1], nil
}

var (
	scriptTest = lazyregexp.New(`\b(?:test|it)\s*\(`)
	scriptSkip = lazyregexp.New(`\b(?:skip|todo|only)\b`)
)

// markedJavaScript marks two points: the file was read to its end, and its tests ended.
func markedJavaScript(file, content, word string) (map[string]string, string, error) {
	switch {
	case !scriptTest().MatchString(content):
		return nil, "", errors.New("write a call test(\"...\", ...)")
	case scriptSkip().MatchString(content):
		return nil, "", errors.New("leave out skip, todo and only")
	}
	return map[string]string{file: content + fmt.Sprintf(`
;{
  const fs = process.getBuiltinModule("node:fs"), mark = (text) => fs.appendFileSync(process.env[%[2]s], "%[1]s-" + text + "\n");
  mark("begin");
  (globalThis.afterAll ?? process.getBuiltinModule("node:test").after)(() => mark("end"));
}
`, word, strconv.Quote(sandbox.MarksFile))}, "", nil
}

// rust is a test with one statement.
func rust(statement string) string {
	return "#[test]\nfn debate_control() { " + statement + " }\n"
}

var (
	rustTest = lazyregexp.New(`(?m)^[ \t]*#\[test\]`)
	rustBody = lazyregexp.New(`^[^{;]*?\bfn\s+\w+\s*\(\s*\)[^{;]*\{`)
)

// markedRust inserts a guard at the beginning of the only test, on the same line, so that all
// lines keep their numbers. Cargo makes one program of the file.
func markedRust(file, content, word string) (map[string]string, string, error) {
	tests := rustTest().FindAllStringIndex(content, -1)
	if len(tests) != 1 {
		return nil, "", errors.New("write exactly one function with #[test]")
	}
	head := rustBody().FindString(content[tests[0][1]:])
	switch {
	case head == "":
		return nil, "", errors.New("write the test as fn name() { ... }")
	case strings.Contains(head, "should_panic"), strings.Contains(head, "ignore"):
		return nil, "", errors.New("leave out should_panic and ignore")
	}
	at := tests[0][1] + len(head)
	return map[string]string{file: content[:at] + " let _debate = crate::debate_" + word + "::begin();" + content[at:] + fmt.Sprintf(`

mod debate_%[1]s {
    pub(crate) struct Guard;

    fn mark(text: &str) {
        use std::io::Write;
        let path = std::env::var(%[2]s).unwrap_or_default();
        if let Ok(mut f) = std::fs::OpenOptions::new().append(true).create(true).open(path) {
            let _ = writeln!(f, "%[1]s-{}", text);
        }
    }

    pub(crate) fn begin() -> Guard {
        mark("begin");
        Guard
    }

    impl Drop for Guard {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                mark("end");
            }
        }
    }
}
`, word, strconv.Quote(sandbox.MarksFile))}, strings.TrimSuffix(path.Base(file), ".rs"), nil
}

// java is a test with one statement, in a package.
func java(inPackage, statement string) string {
	return inPackage + "\nclass DebateControlTest { @org.junit.jupiter.api.Test void control() { " + statement + " } }\n"
}

var (
	javaPackage = lazyregexp.New(`(?m)^package\s+([\w.]+)\s*;`)
	javaClass   = lazyregexp.New(`(?m)^(?:(?:public|final)\s+)*class\s+(\w+)`)
	javaTest    = lazyregexp.New(`@(?:[\w.]+\.)?(Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Nested)\b`)
	javaBody    = lazyregexp.New(`^\s+(?:@[\w.]+(?:\("[^"\n]*"\))?\s+)*(?:(?:public|final)\s+)*void\s+\w+\s*\(\s*\)\s*(throws\s[\w.,\s]+)?\{`)
)

// emptyJava is in the package of a test.
func emptyJava(content string) string { return java(javaPackage().FindString(content), "") }

// markedJava makes two methods of the only test, on the same line: the first leaves the marks
// around a call of the second.
func markedJava(file, content, word string) (map[string]string, string, error) {
	tests, class := javaTest().FindAllStringSubmatchIndex(content, -1), javaClass().FindStringSubmatch(content)
	if class == nil || len(tests) != 1 || content[tests[0][2]:tests[0][3]] != "Test" {
		return nil, "", errors.New("write a class with exactly one method @Test void name() { ... }")
	}
	body := javaBody().FindStringSubmatch(content[tests[0][1]:])
	if body == nil {
		return nil, "", errors.New("write the test as @Test void name() { ... }")
	}
	at := tests[0][1] + len(body[0])
	name := class[1]
	if in := javaPackage().FindStringSubmatch(content); in != nil {
		name = in[1] + "." + name
	}
	return map[string]string{file: fmt.Sprintf(`%[1]s Debate_%[2]s.mark("begin"); debate_%[2]s(); Debate_%[2]s.mark("end"); } private void debate_%[2]s() %[3]s { %[4]s

class Debate_%[2]s {
    static void mark(String text) {
        try (java.io.FileWriter f = new java.io.FileWriter(System.getenv(%[5]q), true)) {
            f.write("%[2]s-" + text + "\n");
        } catch (java.io.IOException error) {
            throw new java.io.UncheckedIOException(error);
        }
    }
}
`, content[:at], word, strings.Join(strings.Fields(body[1]), " "), content[at:], sandbox.MarksFile)}, name, nil
}
