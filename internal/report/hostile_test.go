package report

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/long"
)

// poisoned is an envelope of a debate in which every string is bad, but for those
// that decide where things are shown.
func poisoned(bad string) Envelope {
	e := FromState(contested())
	e.source = nil // its JSON is that of the envelope
	poison(reflect.ValueOf(&e).Elem(), bad)
	e.Outcome, e.About.Head = debate.Tradeoff, strings.Repeat("0", 40) // of which people see the beginning
	for i := range e.Decisions {
		e.Decisions[i].Outcome = []debate.DecisionOutcome{debate.AwaitingHuman, debate.Adopted, debate.DecisionOutcome(bad)}[i]
		if h := e.Decisions[i].Human; h != nil {
			h.Status = debate.ItemWithdrawn
		}
		if r := e.Decisions[i].Rubric; r != nil {
			for j := range r.Sheets {
				r.Sheets[j].Valid = j == 0
			}
		}
	}
	return e
}

func poison(v reflect.Value, bad string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(bad)
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		poison(v.Elem(), bad)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				poison(v.Field(i), bad)
			}
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			poison(v.Index(i), bad)
		}
	}
}

// TestHostileDebate: every text of a debate is hostile, those of enumerations
// among them.
func TestHostileDebate(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"\x1b[31mred\x1b[0m \u202egpj.exe\n## Heading ##[add-mask]x\n::error::x\n/lgtm\n@org/team <img src=x> ![i](http://evil.test/?d=1) [l](http://evil.test) Closes #1 <!-- debate:summary v1 -->",
		"</details>\n<details open><summary>x</summary>", "| a | b |\n|---|---|\n| @c | `d|e` |", "`", "**", "_", "\n\n---\n", "| `x | @y |", `\|`, "::x", "/debate decide D0 keep", "- [ ] x",
	} {
		e := poisoned(bad)
		checkSinks(t, e)
		checkTables(t, Markdown(e))
	}
	long.Check(t, func(t *rapid.T) {
		pieces := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"::x::y", "##[x]", "\n", "\x1b[2J", "\u202e", "/lgtm", "<!--", "@a", "```", " ", "<img>", "##", "[", "\r", "|", "`", "\\", "</details>", "#1", "deadbeef"}))
		e := poisoned(strings.Join(rapid.SliceOfN(pieces, 1, 6).Draw(t, "s"), ""))
		checkSinks(t, e)
		checkTables(t, Markdown(e))
	})
}

// checkTables: the tables of the report have as many cells as they should, so
// that no cell broke out, and no text became another table.
func checkTables(t interface{ Fatalf(string, ...any) }, md []byte) {
	tables := 0
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(md))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Kind() != extast.KindTable {
			return ast.WalkContinue, nil
		}
		tables++
		want := n.FirstChild().ChildCount()
		for row := n.FirstChild(); row != nil; row = row.NextSibling() {
			if row.ChildCount() != want {
				t.Fatalf("a row has %d cells of %d in\n%s", row.ChildCount(), want, md)
			}
		}
		return ast.WalkContinue, nil
	})
	want := bytes.Count(md, []byte("\n| Finding | Where | Problem |\n"))
	if tables != want {
		t.Fatalf("%d tables, want %d in\n%s", tables, want, md)
	}
}

// TestHugeDebate: a debate that is too long keeps its outcome, its decisions and
// its counts, and says that something is left out.
func TestHugeDebate(t *testing.T) {
	t.Parallel()
	for _, long := range []string{strings.Repeat("x", 5_000), strings.Repeat("\U000E0041", 1_000), strings.Repeat("\U00020000*", 2_000)} {
		e := poisoned(long)
		for range 25 {
			e.P1, e.Unresolved = append(e.P1, e.P1[0]), append(e.Unresolved, e.Unresolved[0])
			e.NotEvaluated, e.Dismissed = append(e.NotEvaluated, e.NotEvaluated[0]), append(e.Dismissed, e.Dismissed[0])
			e.Positions, e.Deltas, e.Rounds = append(e.Positions, e.Positions[0]), append(e.Deltas, e.Deltas[0]), append(e.Rounds, e.Rounds[0])
			d := &e.Decisions[0]
			d.Triggers, d.Options, d.Grouped = append(d.Triggers, d.Triggers[0]), append(d.Options, d.Options[0]), append(d.Grouped, d.Grouped[0]+"?")
			e.Decisions = append(e.Decisions, e.Decisions[0])
		}
		out := Markdown(e)
		if len(out) > MaxMarkdown || !utf8.Valid(out) {
			t.Errorf("%d bytes", len(out))
		}
		for _, want := range []string{"has to decide", "more decisions for people.", "left out"} {
			if !bytes.Contains(out, []byte(want)) {
				t.Errorf("no %q", want)
			}
		}
		if text := Text(e, TextOptions{Verbose: true}); !bytes.Contains(text, []byte("    and 6 more\n")) {
			t.Errorf("the text has %d bytes", len(text))
		}
	}
}
