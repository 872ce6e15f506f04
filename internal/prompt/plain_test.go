package prompt

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

func TestSaysNothing(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"", "-", "—", "None", "none.", "*None*", "**None.**", "(none)", "N/A", "n/a", "NA", "No findings", "no findings.", "No P1 issues found.",
		"No blocking issues were identified", "Nothing", "Nothing to report", "nothing found at this level", "There are no further findings.", "nil", "[]",
		"Not applicable", "None - the change is small.", "No issues: looks good to me.", "None. The change is fine",
	} {
		if !saysNothing(line) {
			t.Errorf("%q is taken for a finding", line)
		}
	}
	for _, line := range []string{
		"a.go:8", "None of the callers checks the error", "No test covers the new branch", "no validation of the amount", "nothing frees the buffer",
		"None, but a.go:8 divides by zero", "The item is not found twice", "nil map is written to", "Not every path unlocks", "issue", "x",
	} {
		if saysNothing(line) {
			t.Errorf("%q is taken for no finding", line)
		}
	}
}

func TestPlainClaim(t *testing.T) {
	t.Parallel()
	bare := func(path string, start, end int) debate.Ref { return ref(path, start, end, "") }
	for _, tt := range []struct {
		line string
		want debate.NewClaim
	}{
		{"a.go:8 divides by zero", debate.NewClaim{Title: "divides by zero", Refs: []debate.Ref{bare("a.go", 8, 8)}}},
		{"divides by zero (a.go:8-9)", debate.NewClaim{Title: "divides by zero", Refs: []debate.Ref{bare("a.go", 8, 9)}}},
		{"divides by zero at `a.go:8`.", debate.NewClaim{Title: "divides by zero", Refs: []debate.Ref{bare("a.go", 8, 8)}}},
		{"a.go#L8-L9: divides by zero", debate.NewClaim{Title: "divides by zero", Refs: []debate.Ref{bare("a.go", 8, 9)}}},
		{"a.go, line 8: divides by zero", debate.NewClaim{Title: "divides by zero", Refs: []debate.Ref{bare("a.go", 8, 8)}}},
		{"`a.go` (lines 8-9) divides by zero", debate.NewClaim{Title: "divides by zero", Refs: []debate.Ref{bare("a.go", 8, 9)}}},
		{"The division in a.go:8 by `n` fails", debate.NewClaim{Title: "The division in a.go:8 by `n` fails", Refs: []debate.Ref{bare("a.go", 8, 8)}}},
		{"a.go:8 `return sum / n` divides by zero", debate.NewClaim{Title: "`return sum / n` divides by zero",
			Refs: []debate.Ref{ref("a.go", 8, 8, "return sum / n"), bare("a.go", 8, 8)}}},
		{"a.go:8 and b.go:9 disagree", debate.NewClaim{Title: "a.go:8 and b.go:9 disagree", Refs: []debate.Ref{bare("a.go", 8, 8), bare("b.go", 9, 9)}}},
		{"[P2] [security] a.go:8 - the key is logged", debate.NewClaim{Severity: debate.P2, Category: debate.Security, Title: "the key is logged",
			Refs: []debate.Ref{bare("a.go", 8, 8)}}},
		{"F3: the loop again", debate.NewClaim{Title: "the loop again"}},
		{"Makefile:3 no such target; at 10:30, see https://x.y:8080/z and ratio 3:2", debate.NewClaim{
			Title: "no such target; at 10:30, see https://x.y:8080/z and ratio 3:2", Refs: []debate.Ref{bare("Makefile", 3, 3)}}},
		{"a.go:8", debate.NewClaim{Title: "a.go:8", Refs: []debate.Ref{bare("a.go", 8, 8)}}},
		{"a.go:8 divides by zero if the list is empty. " + strings.Repeat("It also prints the sum. ", 8), debate.NewClaim{
			Title: "divides by zero if the list is empty", Body: "a.go:8 divides by zero if the list is empty. " + strings.TrimSpace(strings.Repeat("It also prints the sum. ", 8)),
			Refs: []debate.Ref{bare("a.go", 8, 8)}}},
		{"a.go:8 " + strings.Repeat("prints ", 30) + "the sum", debate.NewClaim{Title: strings.Repeat("prints ", 30) + "the sum", Refs: []debate.Ref{bare("a.go", 8, 8)}}},
		{"a.go:8 divides by zero\nwhen the list is empty", debate.NewClaim{Title: "divides by zero", Body: "a.go:8 divides by zero\nwhen the list is empty",
			Refs: []debate.Ref{bare("a.go", 8, 8)}}},
	} {
		got, ok := plainClaim("", tt.line)
		if d := cmp.Diff(tt.want, got); !ok || d != "" {
			t.Errorf("%q: -want +got:\n%s", tt.line, d)
		}
	}
}

// TestPlainRepliesLoseNothing: a finding that the structured form keeps comes out
// of every plain form, with its level, its place, its quote and its words, and
// nothing else does (M11).
func TestPlainRepliesLoseNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3000) {
		w := writer{rand.New(rand.NewPCG(seed, 11))}
		claims := w.claims()
		form := int(seed) % len(plainForms)
		raw := plainForms[form](w, claims)
		got, err := Read(debate.CallChallenge, []byte(raw))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, raw)
		}
		if d := cmp.Diff(essence(claims), essence(got.Reply.Claims)); d != "" {
			t.Fatalf("seed %d: -structured +plain:\n%s\n%s", seed, d, raw)
		}
	}
}

// TestOtherFormsAreAskedAgain: a reply with a finding as a block of fields, a row of a table or
// an entry below the name of its file is read whole, or its party is asked for JSON.
func TestOtherFormsAreAskedAgain(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		w := writer{rand.New(rand.NewPCG(seed, 11))}
		claims := w.claims()
		raw := w.blocks(claims)
		switch got, err := Read(debate.CallChallenge, []byte(raw)); {
		case err == nil:
			if d := cmp.Diff(essence(claims), essence(got.Reply.Claims)); d != "" {
				t.Fatalf("seed %d: -structured +plain:\n%s\n%s", seed, d, raw)
			}
		case !strings.Contains(err.Error(), "it is prose"):
			t.Fatalf("seed %d: %v\n%s", seed, err, raw)
		}
	}
}

// TestFindingsInOneTextAreAskedFor: a reply with all of its findings in one text of its object
// is not read as a reply without any.
func TestFindingsInOneTextAreAskedFor(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		w := writer{rand.New(rand.NewPCG(seed, 11))}
		raw := inOneText[int(seed)%len(inOneText)](w, w.claims())
		if got, err := Read(debate.CallChallenge, []byte(raw)); err == nil {
			t.Fatalf("seed %d: %+v\n%s", seed, got.Reply, raw)
		}
	}
}

var inOneText = []func(w writer, claims []debate.NewClaim) string{
	func(w writer, claims []debate.NewClaim) string { // everything in one text
		return asJSON(map[string]any{"verdict": "disagree", "summary": w.levelled(claims)})
	},
	func(w writer, claims []debate.NewClaim) string {
		return asJSON(map[string]any{"review": w.markdown(claims, func(name string) string { return "## " + name })})
	},
	func(w writer, claims []debate.NewClaim) string { // beside the verdict and a summary
		text, _, _ := strings.Cut(w.markdown(claims, func(name string) string { return "## " + name }), "## Recommended")
		return asJSON(map[string]any{"verdict": "disagree", "summary": "The loop is wrong.", w.pick([]string{"review", "report", "findings"}): text})
	},
}

// essence is what a finding says, in whatever form.
func essence(claims []debate.NewClaim) []string {
	var list []string
	for _, c := range claims {
		r := append(c.Refs, debate.Ref{})[0]
		list = append(list, fmt.Sprintf("%s %s:%d-%d %s", c.Severity, r.Path, r.StartLine, r.EndLine, c.Title))
	}
	return list
}

// writer writes one review in the forms in which models write them.
type writer struct{ *rand.Rand }

var (
	subjects = []string{"The loop", "a card number", "The counter", "one replica", "`Total`", "The retry", "The lock", "An empty cart", "No test", "The P1 path"}
	verbs    = []string{"runs past the end", "is logged", "is read by nobody", "drops the error", "covers the new branch", "leaks", "is not released", "waits 10:30 hours"}
	files    = []string{"cart.go", "deploy/app.yml", "internal/a_b/c-d.go", "Makefile", "src/Ünicode.java", "web/[id].tsx"}
)

func (w writer) pick(list []string) string { return list[w.IntN(len(list))] }

func (w writer) claims() []debate.NewClaim {
	var list []debate.NewClaim
	line := 1
	for i := range 1 + w.IntN(6) {
		line += 1 + w.IntN(30)
		r := ref(w.pick(files[:5]), line, line+w.IntN(2)*w.IntN(5), "")
		title := fmt.Sprintf("%s %s in case %d", w.pick(subjects), w.pick(verbs), i)
		list = append(list, debate.NewClaim{Severity: []debate.Severity{debate.P1, debate.P2, debate.P3}[min(i/2, 2)], Title: title, Refs: []debate.Ref{r}})
		line = r.EndLine
	}
	return list
}

// line writes a finding without its level.
func (w writer) line(c debate.NewClaim) string {
	at := c.Refs[0].Citation.String()
	return []string{
		at + " " + c.Title, "`" + at + "` — " + c.Title, "**" + at + "**: " + c.Title, c.Title + " (" + at + ")", c.Title + " at " + at + ".",
		"[" + at + "] " + c.Title, "[reliability] " + at + " - " + c.Title, strings.Replace(at, ":", "#L", 1) + ": " + c.Title,
	}[w.IntN(8)]
}

func (w writer) lines(claims []debate.NewClaim, level debate.Severity) []string {
	lines := []string{}
	for _, c := range claims {
		if c.Severity == level {
			lines = append(lines, w.line(c))
		}
	}
	if len(lines) == 0 && w.IntN(2) == 0 {
		lines = append(lines, []string{"None.", "N/A", "-", "no findings", "No issues found"}[w.IntN(5)])
	}
	return lines
}

func (w writer) envelope(claims []debate.NewClaim) map[string]any {
	return map[string]any{
		"summary": "I read it.", "recommendation": "revise", "missing": []string{"none"},
		"p1": w.lines(claims, debate.P1), "p2": w.lines(claims, debate.P2), "p3": w.lines(claims, debate.P3),
	}
}

func asJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// markdown writes a section for each level; a list has one of several marks.
func (w writer) markdown(claims []debate.NewClaim, heading func(name string) string) string {
	mark := []string{"- ", "* ", "1. ", "  - ", ""}[w.IntN(5)]
	text := heading("Summary") + "\nI read it.\n\n"
	for _, level := range []debate.Severity{debate.P1, debate.P2, debate.P3} {
		text += heading(string(level)) + "\n"
		for _, line := range w.lines(claims, level) {
			text += mark + line + "\n"
			if mark == "- " && w.IntN(3) == 0 && !saysNothing(line) {
				text += "  because of what stands there,\n\n  and for no other reason\n"
			}
		}
		text += "\n"
	}
	return text + heading("Recommended Decision") + "\nrevise, please\n"
}

func (w writer) levelled(claims []debate.NewClaim) string {
	text := "I looked at the change and this is what I found.\n\n"
	for i, c := range claims {
		line := w.line(c)
		text += []string{
			fmt.Sprintf("- [%s] %s\n", c.Severity, line), fmt.Sprintf("%d. **%s** %s\n", i+1, c.Severity, line), fmt.Sprintf("%s: %s\n", c.Severity, line),
			fmt.Sprintf("### %s: %s\nWhat stands there is wrong.\n- it should not be\n\n", c.Severity, line), fmt.Sprintf("%s - %s\n\n", c.Severity, line),
		}[w.IntN(5)]
	}
	return text + "\nRecommendation: revise\n"
}

// blocks writes each finding as a block of fields, a row of a table or an entry below the name
// of its file.
func (w writer) blocks(claims []debate.NewClaim) string {
	level := func(c debate.NewClaim) string {
		return w.pick(map[debate.Severity][]string{debate.P1: {"P1", "High", "🔴 Critical"}, debate.P2: {"P2", "Medium", "🟡 Major"}, debate.P3: {"P3", "Low", "🟢 Minor"}}[c.Severity])
	}
	mark := []string{"- **%s:** %s\n", "%s: %s\n", "* %s: %s\n", "**%s**: %s\n"}[w.IntN(4)]
	form := w.IntN(7)
	text := "I looked at the change.\n\n## Findings\n\n"
	if form == 3 {
		text += "| # | Severity | File | Line(s) | Issue |\n|---|:--|---|---|---|\n"
	}
	for i, c := range claims {
		r := c.Refs[0]
		lines := fmt.Sprintf("%d-%d", r.StartLine, r.EndLine)
		field := func(label, value string) string { return fmt.Sprintf(mark, label, value) }
		text += []string{
			fmt.Sprintf("### Finding %d\n", i+1) + field("Severity", level(c)) + field("File", "`"+r.Path+"`") + field("Lines", lines) + field("Issue", c.Title),
			fmt.Sprintf("#### %d. %s\n", i+1, c.Title) + field("Priority", level(c)) + "\n" + field("Location", r.Path+", lines "+lines) + "\nSo it fails.\n\n```sh\n# why\n- " + r.Path + "\n```\n",
			"**" + c.Title + "** (" + level(c) + ", `" + r.Path + ":" + lines + "`)\n\nSo it fails:\n- always\n",
			fmt.Sprintf("| %d | %s | `%s` | %s | %s |\n", i+1, level(c), r.Path, lines, c.Title),
			fmt.Sprintf("- **%s**\n  - L%s %s (%s)\n", r.Path, lines, c.Title, c.Severity),
			"<finding>\n<severity>" + level(c) + "</severity><file>" + r.Path + "</file>\n<lines>" + lines + "</lines><title>" + c.Title + "</title>\n</finding>\n",
			fmt.Sprintf("%d. %s", i+1, strings.TrimPrefix(strings.TrimPrefix(field("Title", c.Title), "- "), "* ")) + "   " + field("Severity", level(c)) + "   " + field("Path", r.Path) + "   " + field("Line", lines),
		}[form] + "\n"
		if form == 3 {
			text = strings.TrimSuffix(text, "\n")
		}
	}
	return text + "\n## Final verdict\n**Needs changes**\n"
}

// severe are the members with findings in plain words.
var severe = []struct {
	name     string
	severity debate.Severity
}{{"p1", debate.P1}, {"p2", debate.P2}, {"p3", debate.P3}}

var plainForms = []func(w writer, claims []debate.NewClaim) string{
	func(w writer, claims []debate.NewClaim) string { return asJSON(w.envelope(claims)) },
	func(w writer, claims []debate.NewClaim) string { // the places stand in the evidence
		e := map[string]any{"recommendation": "revise"}
		var evidence []string
		for _, level := range severe {
			var titles []string
			for _, c := range claims {
				if c.Severity == level.severity {
					titles, evidence = append(titles, c.Title), append(evidence, c.Refs[0].Citation.String())
				}
			}
			e[level.name] = titles
		}
		e["evidence"] = evidence
		return asJSON(e)
	},
	func(w writer, claims []debate.NewClaim) string { // texts in the place of lists
		e := w.envelope(claims)
		for _, level := range severe {
			e[level.name] = strings.Join(e[level.name].([]string), "\n")
		}
		return "Here is my review:\n```json\n" + asJSON(e) + "\n```\n"
	},
	func(w writer, claims []debate.NewClaim) string { // structured ones as well, said twice
		e := w.envelope(claims)
		e["new_claims"] = claims
		return asJSON(e)
	},
	func(w writer, claims []debate.NewClaim) string { // lines in the place of claims, objects in that of lines
		e := map[string]any{"verdict": "disagree"}
		for _, level := range severe {
			var objects []debate.NewClaim
			for _, c := range claims {
				if c.Severity == level.severity {
					c.Severity = ""
					objects = append(objects, c)
				}
			}
			e[level.name] = objects
		}
		return asJSON(e)
	},
	func(w writer, claims []debate.NewClaim) string {
		return w.markdown(claims, func(name string) string { return "## " + name })
	},
	func(w writer, claims []debate.NewClaim) string {
		return w.markdown(claims, func(name string) string { return "**" + name + ":**" })
	},
	func(w writer, claims []debate.NewClaim) string {
		return w.markdown(claims, func(name string) string {
			if strings.HasPrefix(name, "P") {
				name += " findings"
			}
			return "### " + name
		})
	},
	func(w writer, claims []debate.NewClaim) string { return w.levelled(claims) },
	func(w writer, claims []debate.NewClaim) string {
		var lines []string
		for _, c := range claims {
			lines = append(lines, string(c.Severity)+": "+w.line(c))
		}
		return asJSON(map[string]any{"verdict": "disagree", "new_claims": lines})
	},
}
