package house

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/debatetest"
	"github.com/prdebate/debate/internal/testkit/golden"
)

// ofSources is how many rules the five sources have. Each of them has a row.
const ofSources = 195

// sources are the titles of the five sources, by the number of their first rule.
var sources = map[int]string{1: "Truth gain", 49: "Envelopes", 78: "Hybrid", 115: "Argumentation", 177: "Judges"}

// named is a function that the course of the debate names.
var named = regexp.MustCompile("`(debate[a-z/]*\\.[A-Za-z.]+)`")

// mostByConstruction bounds the rules that no code has to carry out.
const mostByConstruction = 5

// mostOurs bounds the rules of our own, and mostWorthless those of them that do not say
// what breaks without them. Both only fall.
const (
	mostOurs      = 27
	mostWorthless = 0
)

// ours is a rule of our own. They follow those of the sources, each letter in order; one
// that went leaves its number free.
var ours = regexp.MustCompile(`^[XASM][0-9]{2}[bc]?$`)

// rule is one row of testdata/protocol.txt.
type rule struct {
	id, words string
	kept      []string // the functions that carry it out: package.Function or package.Type.Method
	proof     string   // what shows it: "script NAME", or "internal/PACKAGE TestName"
	reason    string   // why it holds by construction
	worth     string   // what breaks without it, for a rule of our own
}

// read reads testdata/protocol.txt.
func read(t *testing.T) []rule {
	t.Helper()
	text := readFile(t, filepath.Join("testdata", "protocol.txt"))
	var list []rule
	for _, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, " | ")
		if len(f) != 4 && len(f) != 5 {
			t.Fatalf("protocol.txt: %q is no rule", line)
		}
		r := rule{id: f[0], words: f[1], kept: strings.Split(strings.ReplaceAll(f[2], " ", ""), ","), proof: f[3]}
		if reason, ok := strings.CutPrefix(r.proof, "by construction: "); ok {
			r.proof, r.reason = "", reason
		}
		if len(f) == 5 {
			r.worth = f[4]
		}
		list = append(list, r)
	}
	return list
}

// constructed is the Go test that the reason of a rule by construction names at
// its end, in parentheses.
func (r rule) constructed() (dir, test string, ok bool) {
	_, named, found := strings.Cut(strings.TrimSuffix(r.reason, "`)"), " (`")
	if !found {
		return "", "", false
	}
	dir, test, ok = strings.Cut(named, "`: `")
	return dir, test, ok
}

// shown says what shows a rule, and fails the test if that is not there.
func (r rule) shown(t *testing.T) string {
	t.Helper()
	if r.reason != "" {
		if dir, test, ok := r.constructed(); ok && !hasTest(t, dir, test) {
			t.Errorf("%s: there is no %s in %s", r.id, test, dir)
		}
		return "by construction: " + r.reason
	}
	if name, ok := strings.CutPrefix(r.proof, "script "); ok {
		if !slices.Contains(debatetest.Names(), name) {
			t.Errorf("%s: there is no script %s", r.id, name)
		}
		return "script `" + name + "`"
	}
	dir, test, _ := strings.Cut(r.proof, " ")
	if !hasTest(t, dir, test) {
		t.Errorf("%s: there is no %s in %s", r.id, test, dir)
	}
	return "`" + dir + "`: `" + test + "`"
}

// TestProtocolDocument writes docs/developers/protocol.md: every rule, where it is carried
// out and what shows it.
func TestProtocolDocument(t *testing.T) {
	t.Parallel()
	list, known := read(t), functions(t)
	var b bytes.Buffer
	course := readFile(t, filepath.Join("testdata", "course.md"))
	for _, found := range named.FindAllSubmatch(course, -1) {
		if !known[string(found[1])] {
			t.Errorf("course.md: there is no function %q", found[1])
		}
	}
	b.Write(course)
	constructed, at := 0, 0
	row := func(r rule) {
		if r.reason != "" {
			constructed++
		} else {
			for _, name := range r.kept {
				if !known[name] {
					t.Errorf("%s: there is no function %q", r.id, name)
				}
			}
		}
		kept := strings.Join(r.kept, "`, `")
		if kept != "" {
			kept = "`" + kept + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |", r.id, cell(r.words), kept, cell(r.shown(t)))
		if ours.MatchString(r.id) {
			fmt.Fprintf(&b, " %s |", cell(r.worth))
		}
		b.WriteString("\n")
	}
	const head = "\n### %s\n\n| rule | what it asks for | carried out by | shown by |\n|---|---|---|---|\n"
	for n := range ofSources {
		if id := fmt.Sprintf("R%03d", n+1); at >= len(list) || list[at].id != id {
			t.Fatalf("protocol.txt has no %s where it belongs", id)
		}
		if title := sources[n+1]; title != "" {
			fmt.Fprintf(&b, head, title)
		}
		row(list[at])
		at++
	}
	last, worthless := " ", 0
	b.WriteString("\n### Ours\n\n")
	b.WriteString("The last column says what breaks without the rule. To measure it, the rule was switched off alone, in the study with the same seeds\n")
	b.WriteString("and in the scripts. [The population](population.md) explains the words of the study. A cell with one figure is from 400 changes with\n")
	b.WriteString("three challengers; differences below half a point are noise. Recorded panels and property tests count where a cell names them.\n\n")
	b.WriteString("| rule | what it asks for | carried out by | shown by | without it |\n|---|---|---|---|---|\n")
	for _, r := range list[at:] {
		if !ours.MatchString(r.id) || r.id[0] == last[0] && r.id <= last {
			t.Errorf("protocol.txt has %s where it does not belong", r.id)
		}
		last = r.id
		row(r)
		if r.worth == "" {
			worthless++
		}
	}
	if n := len(list) - at; n > mostOurs {
		t.Errorf("protocol.txt has %d rules of our own, %d may be", n, mostOurs)
	}
	if worthless > mostWorthless {
		t.Errorf("%d rules of our own do not say what breaks without them, %d may", worthless, mostWorthless)
	}
	if constructed > mostByConstruction {
		t.Errorf("%d rules are by construction, %d may be", constructed, mostByConstruction)
	}
	costs := readFile(t, filepath.Join("..", "testkit", "debatetest", "testdata", "costs.golden"))
	b.WriteString("\n## What a debate costs\n\n")
	b.WriteString("Calls to models for a change of one call, and the calls in sequence among them. One family is two\n")
	b.WriteString("contexts of the same model. A review opens as `parties.opening` says, a question as its framing does: all at once under\n`parallel`, else the first alone. Measured by\n")
	b.WriteString("`internal/testkit/debatetest`: `TestCosts`.\n\n")
	b.Write(costs)
	b.WriteString("\nEach further call of a party begins like its first: with the system text, then the unchanged change. This is about two\n")
	b.WriteString("thirds of the bytes of these calls in the scripts, with changes of some twenty lines, and 85 % in debates about 500 lines.\n")
	b.WriteString("Measured by `internal/testkit/debatetest`: `TestPrefix`.\n")
	golden.Same(t, filepath.Join("..", "..", "docs", "developers", "protocol.md"), b.Bytes())
}

// functions lists the functions of the product, as protocol.txt names them.
func functions(t *testing.T) map[string]bool {
	t.Helper()
	known := make(map[string]bool)
	for _, pkg := range packages(t) {
		dir := strings.TrimPrefix(pkg.dir, "internal/")
		for _, name := range pkg.files {
			file := parsed(t, token.NewFileSet(), name, nil, 0)
			for _, decl := range file.Decls {
				if f, ok := decl.(*ast.FuncDecl); ok {
					known[dir+"."+receiver(f)+f.Name.Name] = true
				}
			}
		}
	}
	return known
}

// receiver is the type of a method with a point behind it, "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	of := f.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name + "."
	}
	return ""
}

// hasTest reports whether the tests of a directory have a function of this name.
func hasTest(t *testing.T, dir, test string) bool {
	t.Helper()
	name, _, _ := strings.Cut(test, "/")
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(dir), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text := readFile(t, file)
		if bytes.Contains(text, []byte("\nfunc "+name+"(")) {
			return true
		}
	}
	return false
}
