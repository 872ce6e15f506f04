package main

import (
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/golden"
)

// The picture in points.
const (
	pictureWidth = 730 // 80 characters and two margins
	lineHeight   = 19
	margin       = 24
	stepMillis   = 1100 // before the next statement appears
)

var styled = regexp.MustCompile("^\x1b\\[([0-9;]+)m(.*)\x1b\\[0m$")

// uncolored is a text of the terminal without its styles.
func uncolored(text string) string {
	return regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(text, "")
}

// TestPicture draws docs/demo.svg, the picture in the README, from what debate demo prints: how a
// finding is refuted by a line, how another one is disputed, a confirmed one with its fix, and the
// result. One statement after the other becomes bright.
func TestPicture(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0], "demo", "--quick", "--color", "always")
	cmd.Env = append(os.Environ(), "BE_DEBATE=1", "HOME="+t.TempDir())
	printed, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(strings.TrimSpace(string(printed)), "\n\n")
	block := func(part string) string {
		for _, b := range blocks {
			first, _, _ := strings.Cut(b, "\n")
			if strings.Contains(first, part) {
				return b
			}
		}
		t.Fatalf("the demo prints no %q:\n%s", part, printed)
		return ""
	}
	if page := "../../docs/how-it-works.md"; !strings.Contains(string(readFile(t, page)), uncolored(block("withdrawn"))) {
		t.Errorf("%s does not show how the demo refutes a finding:\n%s", page, uncolored(block("withdrawn")))
	}
	verdict, _, _ := strings.Cut(block("changes needed"), "\n")
	y, steps := margin+lineHeight, 0
	var body strings.Builder
	for _, text := range []string{"$ debate demo", block("withdrawn"), block("disputed)"), block("F3"), verdict} {
		for i, line := range strings.Split(text, "\n") {
			style := ""
			if found := styled.FindStringSubmatch(line); found != nil {
				style, line = fmt.Sprintf(" class=%q", "s"+strings.ReplaceAll(found[1], ";", "-")), found[2]
			}
			if indent := len(line) - len(strings.TrimLeft(line, " ")); i == 0 || indent == 4 { // deeper lines go on
				if steps > 0 {
					body.WriteString("</g>\n")
				}
				fmt.Fprintf(&body, "<g style=\"animation-delay:%dms\">\n", steps*stepMillis)
				steps++
			}
			var escaped strings.Builder
			if err := xml.EscapeText(&escaped, []byte(line)); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&body, "<text x=\"%d\" y=\"%d\"%s>%s</text>\n", margin, y, style, &escaped)
			y += lineHeight
		}
		y += lineHeight / 2
	}
	body.WriteString("</g>\n")
	golden.Same(t, "../../docs/demo.svg", fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" role="img" aria-labelledby="title" xml:space="preserve">
<title id="title">debate demo: a line of code refutes a finding, two models disagree about another one, and a third one is confirmed</title>
<style>
rect { fill: #171a20 }
text { fill: #d6dae1; font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }
.s1 { font-weight: bold; fill: #ffffff }
.s2 { fill: #99a2b0 }
.s1-31 { font-weight: bold; fill: #ff8a80 }
.s33 { fill: #f0c674 }
.s36 { fill: #7fd3e6 }
g { animation: appear 500ms ease-out backwards }
@keyframes appear { from { opacity: .25 } }
@media (prefers-reduced-motion: reduce) { g { animation: none } }
</style>
<rect width="100%%" height="100%%" rx="8"/>
%[3]s</svg>
`, pictureWidth, y+margin, &body))
}
