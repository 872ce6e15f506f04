package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

// TestMergedWords: what a party found stands in the report in its words too where
// it became one with the claim of another.
func TestMergedWords(t *testing.T) {
	t.Parallel()
	claim := func(id, owner, title, into string) debate.Claim {
		return debate.Claim{
			ID: id, Owner: owner, Title: title, SameAs: into, Severity: debate.P1, Bucket: debate.Agreed, ReportedBy: []string{owner},
			Evidence: []debate.Evidence{{Cite: debate.Citation{Path: "a.go", Side: debate.Right, StartLine: 3, EndLine: 3}}},
		}
	}
	e := FromState(debate.State{Book: debate.Book{
		Claims: []debate.Claim{
			claim("F1", "red", "The sum is lost", ""), claim("F2", "blue", "Nothing is returned to @ada", "F1"), claim("F3", "green", "the sum is LOST", "F2"),
		},
	}})
	if len(e.P1) != 1 || len(e.P1[0].Duplicates) != 2 || len(e.P1[0].Wordings) != 1 {
		t.Fatalf("findings %+v", e.P1)
	}
	data, err := JSON(e)
	if err != nil {
		t.Fatal(err)
	}
	pull := Pull{}
	for name, out := range map[string][]byte{"markdown": Markdown(e), "text": Text(e, TextOptions{}), "inline": Inline(e, "F1", pull), "json": data} {
		if !bytes.Contains(out, []byte("Nothing is returned to")) || strings.Count(strings.ToLower(string(out)), "the sum is lost") == 0 {
			t.Errorf("%s does not say what was merged:\n%s", name, out)
		}
		if name != "json" && name != "text" && bytes.Contains(out, []byte(" @ada")) {
			t.Errorf("%s mentions somebody", name)
		}
	}
}

// TestAModelExplainsWhatARuleFound: one comment says what the rule found and what the
// first model that found it too says of it.
func TestAModelExplainsWhatARuleFound(t *testing.T) {
	t.Parallel()
	claim := func(id, owner, title, body string) debate.Claim {
		c := debate.Claim{ID: id, Owner: owner, Title: title, Body: body, Severity: debate.P1, Bucket: debate.Agreed, ReportedBy: []string{owner}}
		if id != "F1" {
			c.SameAs = "F1"
		}
		return c
	}
	rule := claim("F1", debate.EngineParty, "Migration drops column a", "The values are gone.")
	rule.Rule = "sql/drop-column"
	e := FromState(debate.State{Book: debate.Book{Claims: []debate.Claim{
		rule, claim("F2", "red", "Nobody says why", ""), claim("F3", "blue", "Old instances fail", "They still read the column."), claim("F4", "green", "old instances FAIL", "Again."),
	}}})
	if len(e.P1) != 1 {
		t.Fatalf("findings %+v", e.P1)
	}
	f := e.P1[0]
	if want := "The values are gone.\n\nblue: Old instances fail. They still read the column."; f.Body != want {
		t.Errorf("says %q, want %q", f.Body, want)
	}
	if want := []string{"Nobody says why"}; !slices.Equal(f.Wordings, want) {
		t.Errorf("also put as %q, want %q", f.Wordings, want)
	}
	own := claim("F1", "red", "The sum is lost", "It is not returned.")
	own.Rule = ""
	e = FromState(debate.State{Book: debate.Book{Claims: []debate.Claim{own, claim("F2", "blue", "Nothing is returned", "Why not?")}}})
	if got := e.P1[0].Body; got != own.Body {
		t.Errorf("a model's finding says %q", got)
	}
}

// TestTitleIsSaidOnce: a body does not begin with the line that is the title already.
func TestTitleIsSaidOnce(t *testing.T) {
	t.Parallel()
	e := FromState(played(t, "plain_markdown"))
	for name, page := range map[string]string{"text": string(Text(e, TextOptions{Width: 200})), "inline": string(Inline(e, "F1", Pull{}))} {
		if !strings.Contains(page, "It fails on every cart.") || strings.Contains(page, "— the loop runs") {
			t.Errorf("%s:\n%s", name, page)
		}
	}
	if page := string(HTML(e)); !strings.Contains(page, `<p class="said">It fails on every cart.</p>`) || strings.Contains(page, "U&#43;000A") {
		t.Error(page)
	}
	f := Finding{Title: "The loop", Body: "The loop\n"}
	if f.untitle(); f.Body != "" {
		t.Errorf("%q", f.Body)
	}
	f = Finding{Title: "x is nil", Body: "If the list is empty, x is nil\nand the call fails."}
	if f.untitle(); f.Body != "If the list is empty, x is nil\nand the call fails." {
		t.Errorf("%q", f.Body)
	}
	f = Finding{Title: "The loop", Body: "The loop is long"}
	if f.untitle(); f.Body != "The loop is long" {
		t.Errorf("%q", f.Body)
	}
}

// TestFates: an objection has its answer and its end, as the thread of the finding has them.
func TestFates(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"contrarian_lines": `gpt objects: "not shown" — cites cart.go:13 ✓ quote found; claude answers: "line 13 reads what line 12 lets through" — cites cart.go:12 ✓ quote found; cart.go:13 ✓ quote found; gpt insists: "no".`,
		"contrarian_words": `gpt objects: "not shown"; claude answers: "the index reaches the length" — cites cart.go:13 ✓ quote found.`,
		"tie":              `claude objects: "it is read later"; gpt answers: "no line reads it".`,
		"dispute_value":    `carol disputes it: "it is fine".`,
	} {
		if got := support(all(FromState(played(t, name)))[0]); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestCalledFixed: what stands of an earlier commit although somebody finds it fixed says
// who does, and what is wanting.
func TestCalledFixed(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"fixed_by_one": {
			"Found by claude. claude finds it fixed; a P1 needs two proofs.",
			"Found by gpt. claude finds it fixed and gpt finds it still there.", "Found by gpt. claude finds it fixed and gpt finds it still there.",
			"Found by gpt.", "Found by gpt.", // fixed
		},
		"fixed_words": slices.Repeat([]string{"Found by gpt. claude finds it fixed and gpt finds it fixed, but no changed line near it proves it."}, 3),
		"accepted":    {"Found by gpt, confirmed by claude."},
	} {
		var got []string
		for _, f := range all(FromState(played(t, name))) {
			got = append(got, StandsBehind(f))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// TestMadeUpLinesAreNoCode: a quote that does not stand where a model says is never shown as
// lines of the change.
func TestMadeUpLinesAreNoCode(t *testing.T) {
	t.Parallel()
	s := agreeing()
	cite := debate.Citation{Path: "gone.go", Side: debate.Right, StartLine: 1, EndLine: 1, Quote: "func nobodyWrote() {"}
	for _, stands := range []bool{false, true} {
		s.Book.Claims = []debate.Claim{{
			ID: "F1", Owner: "gpt", Severity: debate.P2, Title: "a", Body: "b", ReportedBy: []string{"gpt"}, Bucket: debate.Unresolved,
			Evidence: []debate.Evidence{{Type: debate.Textual, Cite: cite, CitationOK: stands, InHunk: stands}},
		}}
		e := FromState(s)
		for name, out := range map[string][]byte{"text": Text(e, TextOptions{Verbose: true}), "markdown": Markdown(e)} {
			shown, unfound := strings.Contains(string(out), cite.Quote), strings.Contains(string(out), Unfound+".")
			if shown != stands || unfound == stands {
				t.Errorf("%s: the quote stands there %v, and is shown %v, not found %v:\n%s", name, stands, shown, unfound, out)
			}
		}
	}
}
