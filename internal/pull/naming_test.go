package pull

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
)

func found(id, path, quote string, line int, carried string) debate.Claim {
	return debate.Claim{
		ID: id, Bucket: debate.Agreed, Severity: debate.P2, Carried: carried,
		Evidence: []debate.Evidence{{CitationOK: true, Cite: debate.Citation{Path: path, Side: debate.Right, StartLine: line, EndLine: line, Quote: quote}}},
	}
}

func names(m Checkpoint) string {
	text := ""
	for _, n := range m.Names {
		state := n.Claim
		if n.Gone {
			state = "gone"
		}
		text += n.F + "=" + state + " "
	}
	return text
}

func TestName(t *testing.T) {
	t.Parallel()
	var m Checkpoint
	steps := []struct {
		what   string
		claims []debate.Claim
		want   string
	}{
		{"the first head", []debate.Claim{found("C1", "a.go", "x := 1", 4, ""), found("C2", "a.go", "y := 2", 9, "")}, "F1=C1 F2=C2 "},
		{"the same text again, under another claim and line", []debate.Claim{found("C7", "a.go", "y  :=  2", 90, "")}, "F1=gone F2=C7 "},
		{"two findings on one text", []debate.Claim{found("C1", "a.go", "y := 2", 9, ""), found("C2", "a.go", "y := 2", 9, "")}, "F1=gone F2=C1 F3=C2 "},
		{"a carried finding keeps its name though its text changed", []debate.Claim{found("C1", "a.go", "y := 3", 9, "F2")}, "F1=gone F2=C1 F3=gone "},
		{"one that was gone comes back", []debate.Claim{found("C1", "a.go", "x := 1", 4, "")}, "F1=C1 F2=gone F3=gone "},
		{"a new one never takes an old name", []debate.Claim{found("C1", "b.go", "z := 3", 4, "")}, "F1=gone F2=gone F3=gone F4=C1 "},
		{"what claims to carry a name that nobody has gets one of its own", []debate.Claim{found("C1", "c.go", "z := 3", 4, "F99")}, "F1=gone F2=gone F3=gone F4=gone F5=C1 "},
	}
	for _, s := range steps {
		m.name(s.claims)
		if got := names(m); got != s.want {
			t.Errorf("%s: %s, want %s", s.what, got, s.want)
		}
		if n := m.named("F1"); n.Severity != debate.P2 {
			t.Errorf("%s: %+v", s.what, n)
		}
	}
}

// TestNameProperty is S11: a name belongs to one text for ever, each finding has
// one name, and no name is given twice.
func TestNameProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var m Checkpoint
		owner := make(map[string]string) // F id to key
		for head := range rapid.IntRange(1, 6).Draw(t, "heads") {
			var claims []debate.Claim
			for i := range rapid.IntRange(0, 8).Draw(t, "claims") {
				carried := ""
				if rapid.Bool().Draw(t, "carried") {
					carried = fmt.Sprintf("F%d", rapid.IntRange(1, 9).Draw(t, "f"))
				}
				text := rapid.SampledFrom([]string{"one", "two", "three"}).Draw(t, "text")
				claims = append(claims, found(fmt.Sprintf("C%d", i+1), "a.go", text, rapid.IntRange(1, 5).Draw(t, "line"), carried))
			}
			m.name(claims)
			called := make(map[string]string) // claim to F id
			keys := make(map[string]bool)
			for _, n := range m.Names {
				if keys[n.Key] {
					t.Fatalf("head %d: two names for the key %s", head, n.Key)
				}
				keys[n.Key] = true
				if before, known := owner[n.F]; known && before != n.Key {
					t.Fatalf("head %d: %s moved from %s to %s", head, n.F, before, n.Key)
				}
				owner[n.F] = n.Key
				if n.Gone != (n.Claim == "") {
					t.Fatalf("head %d: %s is gone %t with claim %q", head, n.F, n.Gone, n.Claim)
				}
				if n.Claim != "" && called[n.Claim] != "" {
					t.Fatalf("head %d: %s is called %s and %s", head, n.Claim, called[n.Claim], n.F)
				}
				called[n.Claim] = n.F
			}
			for _, c := range claims {
				if called[c.ID] == "" {
					t.Fatalf("head %d: %s has no name", head, c.ID)
				}
			}
			if len(owner) != m.NextF-1 && m.NextF != 0 {
				t.Fatalf("head %d: %d names, the next is F%d", head, len(owner), m.NextF)
			}
		}
	})
}

func TestShown(t *testing.T) {
	t.Parallel()
	merged := found("C1", "a.go", "x := 1", 4, "F3")
	merged.SameAs = "C2"
	again := found("C2", "a.go", "x := 2", 4, "")
	again.SameAs = "C3"
	dismissed := found("C4", "a.go", "y := 1", 9, "F4")
	dismissed.Bucket = debate.Dismissed
	list := shown(debate.State{Book: debate.Book{Claims: []debate.Claim{merged, again, found("C3", "a.go", "x := 3", 4, ""), dismissed}}})
	if len(list) != 1 || list[0].ID != "C3" || list[0].Carried != "F3" {
		t.Errorf("shown: %+v", list)
	}
	own := found("C3", "a.go", "x := 3", 4, "F5")
	list = shown(debate.State{Book: debate.Book{Claims: []debate.Claim{merged, again, own}}})
	if len(list) != 1 || list[0].Carried != "F5" {
		t.Errorf("a finding that has a name of its own: %+v", list)
	}
	own.SameAs = "C1"
	if list = shown(debate.State{Book: debate.Book{Claims: []debate.Claim{merged, again, own}}}); len(list) > 0 {
		t.Errorf("findings that are each part of another one: %+v", list)
	}
}

// TestTakeUp has a row for each name in a comment that is taken up, or is not.
func TestTakeUp(t *testing.T) {
	t.Parallel()
	known := []Name{{F: "F2", Key: "bb-0"}, {F: "F5", Key: "ee-0", Claim: "C1"}}
	rows := []struct{ name, f, key, want string }{
		{"one between", "F3", "cc-0", "F2 F3 F5, then F6"},
		{"one before", "F1", "cc-0", "F1 F2 F5, then F6"},
		{"one after", "F9", "cc-0", "F2 F5 F9, then F10"},
		{"a name that is known", "F2", "cc-0", "F2 F5, then F6"},
		{"a finding that is known", "F3", "bb-0", "F2 F5, then F6"},
		{"no name", "", "cc-0", "F2 F5, then F6"},
		{"no number", "F0", "cc-0", "F2 F5, then F6"},
	}
	for _, row := range rows {
		m := Checkpoint{NextF: 6, Names: slices.Clone(known)}
		m.takeUp(row.f, row.key)
		var got []string
		for _, n := range m.Names {
			got = append(got, n.F)
			if taken := n.F == row.f && n.Key == row.key; taken && !n.Gone {
				t.Errorf("%s: %+v", row.name, n)
			}
		}
		if text := fmt.Sprintf("%s, then F%d", strings.Join(got, " "), m.NextF); text != row.want {
			t.Errorf("%s: %s, want %s", row.name, text, row.want)
		}
	}
}
