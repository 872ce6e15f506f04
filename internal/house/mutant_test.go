//go:build mutant

package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/prdebate/debate/internal/debate/debatetest"
)

// off is the variable that switches one rule off in a build with the tag mutant.
const off = "DEBATE_RULE_OFF"

// TestMutants switches every rule off and expects what the page of the rules
// says to notice: a script that ends or goes another way, whatever rules it
// lists, or a Go test that fails (A18, P45). With -update it writes which script
// does, and keeps the one that is written as long as it notices.
func TestMutants(t *testing.T) {
	list, scripts, seen := read(t), reached(), noticed(t)
	want := make(map[string]string)
	for _, name := range debatetest.Names() {
		want[name] = effect(name)
	}
	tests := make(map[string][]rule)
	var dirs, survivors, lines []string
	for _, r := range list {
		name, dir, test := r.shown(seen)
		switch {
		case r.reason != "":
		case test != "":
			if !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
			tests[dir] = append(tests[dir], r)
		default:
			t.Setenv(off, r.id)
			candidates := []string{name}
			if r.proof == "" && *update {
				candidates = append(candidates, scripts[r.id]...)
			}
			at := slices.IndexFunc(candidates, func(name string) bool { return name != "" && effect(name) != want[name] })
			if at < 0 {
				survivors = append(survivors, r.id)
			} else if r.proof == "" {
				lines = append(lines, r.id+" "+candidates[at]+"\n")
			}
			t.Setenv(off, "")
		}
	}
	if *update {
		text := "# A script that notices when the rule is off. Written by go test -tags mutant -run Mutants ./internal/house -update.\n" + strings.Join(lines, "")
		if err := os.WriteFile(filepath.Join("testdata", noticedFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	built := t.TempDir()
	var mu sync.Mutex
	var wg sync.WaitGroup
	free := make(chan bool, 2)
	for _, dir := range dirs {
		wg.Go(func() {
			free <- true
			defer func() { <-free }()
			alive := survive(t, built, dir, tests[dir])
			mu.Lock()
			defer mu.Unlock()
			survivors = append(survivors, alive...)
		})
	}
	wg.Wait()
	slices.Sort(survivors)
	if len(survivors) > 0 {
		t.Errorf("%d rules can be switched off, and what shows them notices nothing: %s", len(survivors), strings.Join(survivors, " "))
	}
}

// effect is what a script does, without the rules that it lists on the way.
func effect(name string) string { return byLine.ReplaceAllString(tell(name), "") }

// survive builds the tests of one directory, runs those that the rules name with
// all rules in force and then with each rule off, and returns the rules whose
// test passes all the same.
func survive(t *testing.T, built, dir string, list []rule) []string {
	binary := filepath.Join(built, strings.ReplaceAll(dir, "/", "_")+".test")
	build := exec.Command("go", "test", "-c", "-tags", "mutant", "-o", binary, "./"+dir)
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("build the tests of %s: %v\n%s", dir, err, out)
		return nil
	}
	run := func(test, ruleOff string) (string, error) {
		parts := strings.Split(test, "/")
		cmd := exec.Command(binary, "-test.v", "-test.run", "^"+strings.Join(parts, "$/^")+"$")
		cmd.Dir = filepath.Join("..", "..", filepath.FromSlash(dir))
		cmd.Env = append(os.Environ(), off+"="+ruleOff)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	var alive, passed []string
	for _, r := range list {
		_, _, test := r.shown(nil)
		if !slices.Contains(passed, test) {
			out, err := run(test, "")
			if err != nil || !strings.Contains(out, "--- PASS: "+test) {
				t.Errorf("%s of %s does not pass with all rules in force: %v\n%s", test, dir, err, out)
				continue
			}
			passed = append(passed, test)
		}
		if _, err := run(test, r.id); err == nil {
			alive = append(alive, r.id)
		}
	}
	return alive
}
