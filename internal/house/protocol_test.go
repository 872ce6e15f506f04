package house

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate/debatetest"
)

// rules is how many rules of each letter the protocol has.
var rules = []struct {
	format string
	count  int
}{{"R%03d", 195}, {"X%02d", 33}, {"A%02d", 26}, {"S%02d", 25}}

// mostByConstruction bounds the rules that nothing has to reach.
const mostByConstruction = 15

// rule is one row of testdata/protocol.txt.
type rule struct {
	id, words string
	proof     string // what reaches it: "script NAME", or "internal/PACKAGE TestName"
	reason    string // why nothing has to
}

// noticedFile names, for each rule without a proof in protocol.txt, a script
// that lists the rule and ends or goes another way without it. TestMutants
// writes it and checks it.
const noticedFile = "noticed.txt"

// read reads testdata/protocol.txt. A rule without a proof is shown by the script
// that noticedFile names.
func read(t *testing.T) []rule {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "protocol.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var list []rule
	for _, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.SplitN(line+" | ", " | ", 3)
		if len(f) < 3 {
			t.Fatalf("protocol.txt: %q is no rule", line)
		}
		r := rule{id: f[0], words: f[1], proof: strings.TrimSuffix(f[2], " | ")}
		if reason, ok := strings.CutPrefix(r.proof, "by construction: "); ok {
			r.proof, r.reason = "", reason
		}
		list = append(list, r)
	}
	return list
}

// byLine is a line of a transcript that lists the rules of a step.
var byLine = regexp.MustCompile(`(?m)^\tby (.*)\n`)

// tell plays a script and returns its transcript, or what went wrong.
func tell(name string) (text string) {
	defer func() {
		if p := recover(); p != nil { // a rule that is switched off may break anything
			text = fmt.Sprint("panic: ", p)
		}
	}()
	script, err := debatetest.Load(name)
	if err != nil {
		return err.Error()
	}
	_, log, err := debatetest.Run(script, debatetest.Forward)
	if err != nil {
		return err.Error()
	}
	if text, err = debatetest.Transcript(log); err != nil {
		return err.Error()
	}
	return text
}

// reached lists, for each rule, the scripts with a step that it decided.
func reached() map[string][]string {
	scripts := make(map[string][]string)
	for _, name := range debatetest.Names() {
		for _, line := range byLine.FindAllStringSubmatch(tell(name), -1) {
			for _, id := range strings.Fields(line[1]) {
				if !slices.Contains(scripts[id], name) {
					scripts[id] = append(scripts[id], name)
				}
			}
		}
	}
	return scripts
}

// noticed reads noticedFile.
func noticed(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", noticedFile))
	if err != nil {
		t.Fatal(err)
	}
	scripts := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 2 {
			scripts[f[0]] = f[1]
		}
	}
	return scripts
}

// shown is what shows a rule: a script, or a Go test as directory and name.
func (r rule) shown(noticed map[string]string) (script, dir, test string) {
	if name, ok := strings.CutPrefix(r.proof, "script "); ok {
		return name, "", ""
	}
	if r.proof != "" {
		dir, test, _ = strings.Cut(r.proof, " ")
		return "", dir, test
	}
	return noticed[r.id], "", ""
}

// constructed is the Go test that the reason of a rule without a switch names at
// its end, in parentheses.
func (r rule) constructed() (dir, test string, ok bool) {
	_, named, found := strings.Cut(strings.TrimSuffix(r.reason, "`)"), " (`")
	if !found {
		return "", "", false
	}
	dir, test, ok = strings.Cut(named, "`: `")
	return dir, test, ok
}

var ruleID = regexp.MustCompile(`^(R\d{3}|[XAS]\d{2})$`)

// keepers lists, for each rule, the packages whose code asks whether it holds.
func keepers(t *testing.T) map[string][]string {
	t.Helper()
	kept := make(map[string][]string)
	for _, pkg := range packages(t) {
		for _, name := range pkg.files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				id, _ := strconv.Unquote(lit.Value)
				if ruleID.MatchString(id) && !slices.Contains(kept[id], pkg.dir) {
					kept[id] = append(kept[id], pkg.dir)
				}
				return true
			})
		}
	}
	return kept
}

// TestProtocolDocument writes docs/protocol.md: every rule, where it is kept and
// what reaches it. A rule that nothing reaches fails (A18).
func TestProtocolDocument(t *testing.T) {
	t.Parallel()
	list, kept, scripts, seen := read(t), keepers(t), reached(), noticed(t)
	var b bytes.Buffer
	b.WriteString("# The rules of the protocol\n\n")
	b.WriteString("Which package keeps each rule, and what shows that it does: a script of `internal/debate/debatetest`\n")
	b.WriteString("or a Go test. For each of them `go test -tags mutant -run Mutants ./internal/house` switches the rule\n")
	b.WriteString("off and expects that script or test to notice; with `-update` it looks for another that does. A rule by\n")
	b.WriteString("construction has no switch: the reason is given, and the test that shows it. This page is written by `go test ./internal/house -update`.\n\n")
	b.WriteString("| rule | what it asks for | kept in | shown by |\n|---|---|---|---|\n")
	constructed := 0
	at := 0
	for _, letter := range rules {
		for n := range letter.count {
			id := fmt.Sprintf(letter.format, n+1)
			if at >= len(list) || list[at].id != id {
				t.Fatalf("protocol.txt has no %s where it belongs", id)
			}
			r := list[at]
			at++
			shown := "by construction: " + r.reason
			name, dir, test := r.shown(seen)
			switch {
			case r.reason != "":
				constructed++
				if dir, test, ok := r.constructed(); ok && !hasTest(t, dir, test) {
					t.Errorf("%s: there is no %s in %s", id, test, dir)
				}
				if len(kept[id]) > 0 {
					t.Errorf("%s is by construction, and %s can switch it off", id, kept[id])
				}
			case len(kept[id]) == 0:
				t.Errorf("%s is kept nowhere", id)
			case test != "":
				shown = "`" + dir + "`: `" + test + "`"
				if !hasTest(t, dir, test) {
					t.Errorf("%s: there is no %s in %s", id, test, dir)
				}
			case len(scripts[id]) == 0 && r.proof == "":
				t.Errorf("%s is reached by nothing", id)
			case !slices.Contains(debatetest.Names(), name) || r.proof == "" && !slices.Contains(scripts[id], name):
				t.Errorf("%s: no script %q lists it; run go test -tags mutant -run Mutants -update", id, name)
			default:
				shown = "script `" + name + "`"
			}
			keeper := strings.ReplaceAll(strings.Join(kept[id], ", "), "internal/", "")
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", id, cell(r.words), keeper, cell(shown))
		}
	}
	if at != len(list) {
		t.Errorf("protocol.txt has %d rules, the protocol %d", len(list), at)
	}
	if constructed > mostByConstruction {
		t.Errorf("%d rules are by construction, %d may be", constructed, mostByConstruction)
	}
	golden(t, filepath.Join("..", "..", "docs", "protocol.md"), b.Bytes())
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
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("\nfunc "+name+"(")) {
			return true
		}
	}
	return false
}
