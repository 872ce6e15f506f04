package outline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// marked reads a file whose lines begin with "+" if they are code, with "-" if
// they are not, and with the number of the declaration that is to be found for
// them, its first line, or 0.
func marked(t *testing.T, name, text string) {
	t.Helper()
	var lines []string
	var want, got []string
	for line := range strings.Lines(strings.TrimPrefix(text, "\n")) {
		line = strings.TrimSuffix(line, "\n")
		mark, rest, _ := strings.Cut(line, "|")
		want = append(want, strings.TrimSpace(mark))
		lines = append(lines, rest)
	}
	o := Of(name, 1, lines)
	for i := range lines {
		sign := "-"
		if o.Code(i + 1) {
			sign = "+"
		}
		first, last := o.Declaration(i + 1)
		got = append(got, fmt.Sprintf("%s%d-%d", sign, first, last))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestOutline(t *testing.T) {
	t.Parallel()
	marked(t, "a.go", `
+0-0|package a
-0-0|
-0-0|// f is what it is.
+4-12|func f(
+4-12|	a int,
+4-12|) error {
-4-12|	// a comment
+4-12|	if s := "// no comment"; s != "" { // one
+4-12|		return fmt.Errorf("/* %d */", a)
-4-12|	}
+4-12|	return nil
-4-12|}
-0-0|/* a block
-0-0|   that goes on */
+15-17|type T struct {
+15-17|	x int /* here */
-15-17|}
+18-18|const raw = `+"`"+`
+0-0|// within a text
-0-0|`+"`"+`
`)
	marked(t, "a.py", `
+1-8|class A:
-1-8|    """What it is.
-1-8|    Return everything.
-1-8|    """
+5-8|    def f(self, a):
-5-8|        # a comment
+5-8|        s = """a text"""
+5-8|        return s
+0-0|x = 1  # why
-0-0|# f()
`)
	marked(t, "a.ts", `
+1-9|export class Cart {
+2-4|  async total(items: Item[]): Promise<number> {
+2-4|    for (const i of items) {} // a loop
-2-4|  }
-1-9|  /**
-1-9|   * Sums.
-1-9|   */
+8-8|  sum = (a: number) => a
-1-9|}
+10-12|const go = async () => {
+10-12|  fetch("https://example.org")
-10-12|}
`)
	marked(t, "A.java", `
+1-7|public class A
-1-7|{
+3-6|    public static int f(List<String> a)
-3-6|    {
+3-6|        return a.size();
-3-6|    }
-1-7|}
`)
	marked(t, "a.c", `
+0-0|#include <stdio.h>
+2-4|static int f(char *s) {
+2-4|	return *s; /* x
-2-4|	y */ }
`)
	marked(t, "a.rb", `
+1-5|class A
+2-4|  def f
+2-4|    x # why
+2-4|  end
+1-5|end
-0-0|# the end
`)
	marked(t, "a.sql", `
-0-0|-- drops it
+0-0|DROP TABLE t;
-0-0|/* no */
`)
	marked(t, "deploy/app.yml", `
+0-0|app: # why
-0-0|  # image: shop
+0-0|  replicas: 1
`)
	marked(t, "README.md", `
+0-0|# Title
-0-0|<!-- hidden -->
+0-0|Text.
-0-0|---
`)
	marked(t, "Dockerfile", `
-0-0|# syntax=x
+0-0|RUN make
`)
	marked(t, "what.ever", `
-0-0|; maybe
-0-0|% maybe
-0-0|-- maybe
+0-0|code
`)
}

// TestPart: a part of a file may begin within a comment and end within a
// declaration.
func TestPart(t *testing.T) {
	t.Parallel()
	o := Of("a.go", 40, []string{" the rest of it", "*/", "func f() {", "\treturn 1"})
	for line, want := range map[int]bool{39: false, 40: false, 41: false, 42: true, 43: true, 44: false} {
		if got := o.Code(line); got != want {
			t.Errorf("line %d is code: %v", line, got)
		}
	}
	if first, last := o.Declaration(43); first != 42 || last != 43 {
		t.Errorf("the declaration is %d-%d", first, last)
	}
	if first, last := o.Declaration(41); first != 0 || last != 0 {
		t.Errorf("a declaration at %d-%d", first, last)
	}
}

// TestOutlineProperty: whatever a file looks like, a blank line is no code, and a
// declaration holds the line that it is asked for.
func TestOutlineProperty(t *testing.T) {
	t.Parallel()
	line := rapid.SampledFrom([]string{
		"", " ", "func f() {", "\tfunc(a) {", "}", ") {", "{", "// x", "/* x", "*/", "\"\"\"", "`", "'", "x = \"/*\"", "# x", "class A:", "  def f(x):", "    y", "end", "<!-- a -->", "é := 1",
	})
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"a.go", "a.py", "a.rb", "a.sql", "a.html", "a", "Makefile", "a.md"}).Draw(t, "name")
		lines := rapid.SliceOfN(line, 0, 12).Draw(t, "lines")
		first := rapid.IntRange(1, 3).Draw(t, "first")
		o := Of(name, first, lines)
		for i, text := range lines {
			if o.Code(first+i) && !says(text) {
				t.Fatalf("%q is code", text)
			}
			from, to := o.Declaration(first + i)
			if from != 0 && (from > first+i || to < first+i || to >= first+len(lines)) {
				t.Fatalf("line %d is in %d-%d", first+i, from, to)
			}
		}
	})
}
