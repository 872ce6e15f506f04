package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/model/provider"
)

// costed is a change whose estimate docs/costs.md shows.
type costed struct {
	name                   string
	files, lines, changing int // files, lines of each, and how many of them change
}

var costly = []costed{
	{"1 file, 20 changed lines", 1, 200, 20},
	{"5 files, 200 changed lines", 5, 300, 40},
	{"20 files, 1,200 changed lines", 20, 400, 60},
}

// source is a file of functions of ten lines; the last ones of it are written otherwise.
func (c costed) source(file int, changed bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package stock\n\n// File %d of the stock.\n", file)
	for line := 0; line < c.lines; line += 10 {
		verb := "adds"
		if changed && line >= c.lines-c.changing {
			verb = "subtracts"
		}
		fmt.Fprintf(&b, "// step%d of file %d %s what came in.\n", line, file, verb)
		fmt.Fprintf(&b, "func step%d_%d(all []int, least int) (sum int) { // %s\n", file, line, verb)
		fmt.Fprintf(&b, "\tfor i := range all { // %s\n\t\tif all[i] < least { // %s\n\t\t\tcontinue // %s\n\t\t} // %s\n", verb, verb, verb, verb)
		fmt.Fprintf(&b, "\t\tsum += all[i] // %s\n\t} // %s\n\treturn sum // %s\n} // %s\n", verb, verb, verb, verb)
	}
	return b.String()
}

// repository has the change, not committed, and nothing else.
func (c costed) repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(changed bool) {
		for file := range c.files {
			writeFile(t, filepath.Join(dir, fmt.Sprintf("file%d.go", file)), []byte(c.source(file, changed)), 0o600)
		}
	}
	gitIn(t, dir, "init", "-q", "-b", "main")
	write(false)
	gitIn(t, dir, "add", ".")
	gitIn(t, dir, "commit", "-q", "-m", "stock")
	write(true)
	return dir
}

var estimateLine = regexp.MustCompile(`debate: about (\$[0-9.]+) to (\$[0-9.]+) for ([0-9]+)(?: to ([0-9]+))? calls`)

// TestCostsPage: the tables of docs/costs.md are what the program says before its first
// call, and the prices that it knows. -record writes them anew.
func TestCostsPage(t *testing.T) {
	t.Parallel()
	const path = "../../docs/costs.md"
	data := readFile(t, path)
	var estimates, prices strings.Builder
	estimates.WriteString("| change | mode | one key | two keys | three keys |\n|---|---|---|---|---|\n")
	for _, c := range costly {
		dir := c.repository(t)
		for _, mode := range []string{"standard", "quick"} {
			fmt.Fprintf(&estimates, "| %s | `%s` |", c.name, mode)
			for keys := 1; keys <= 3; keys++ {
				asked := vendors(t, replying)[:keys]
				env := environment(asked)
				for _, v := range asked {
					v.secret = "another key" // the estimate is before the first call, which ends the debate
				}
				got := run(t, dir, env, "review", "--uncommitted", "--mode", mode)
				said := estimateLine.FindStringSubmatch(got.stderr)
				if said == nil {
					t.Fatalf("%s, %s, %d: no estimate:\n%s", c.name, mode, keys, got.stderr)
				}
				calls := said[3]
				if said[4] != "" {
					calls += " to " + said[4]
				}
				fmt.Fprintf(&estimates, " %s to %s, %s calls |", said[1], said[2], calls)
			}
			estimates.WriteString("\n")
		}
	}
	prices.WriteString("| model | input | input from the cache | output | as of | source |\n|---|---|---|---|---|---|\n")
	table := provider.All().Prices()
	for _, p := range provider.All() {
		if !p.Joins {
			continue
		}
		price, known := table.Of(p.Model)
		if !known {
			t.Fatalf("%s has no price", p.Model)
		}
		fmt.Fprintf(&prices, "| `%s` | $%s | $%s | $%s | %s | %s |\n",
			p.Model, dollars(price.Input), dollars(price.Cached), dollars(price.Output), price.Date, price.Source)
	}
	text := between(t, string(data), "estimates", estimates.String())
	same(t, path, between(t, text, "prices", prices.String()))
}

// dollars writes millionths of a dollar.
func dollars(micro int64) string {
	return fmt.Sprintf("%d.%02d", micro/1_000_000, micro%1_000_000/10_000)
}

// between is a page with another text between two marks.
func between(t *testing.T, page, mark, text string) string {
	t.Helper()
	begin, end := "<!-- "+mark+" -->\n", "<!-- end of "+mark+" -->\n"
	before, rest, found := strings.Cut(page, begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("the page has no part %q", mark)
	}
	return before + begin + text + end + after
}
