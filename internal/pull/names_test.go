package pull

import (
	"fmt"
	"slices"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
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
		text += n.F
		if n.Gone {
			text += "=gone"
		}
		text += " "
	}
	return text
}

// TestName: a finding keeps its name and its key as long as it is seen, and no number is
// given twice.
func TestName(t *testing.T) {
	t.Parallel()
	var m Checkpoint
	steps := []struct {
		what   string
		claims []debate.Claim
		want   string
		next   int
	}{
		{"the first head", []debate.Claim{found("F1", "a.go", "x := 1", 4, ""), found("F2", "a.go", "y := 2", 9, "")}, "F1 F2 ", 3},
		{"one is gone", []debate.Claim{found("F2", "a.go", "y  :=  2", 90, "")}, "F1=gone F2 ", 3},
		{"two findings on one text", []debate.Claim{found("F2", "a.go", "y := 2", 9, ""), found("F4", "a.go", "y := 2", 9, "")}, "F1=gone F2 F4 ", 5},
		{"a carried finding whose text changed", []debate.Claim{found("F2", "a.go", "y := 3", 9, "F2")}, "F1=gone F2 F4=gone ", 5},
		{"one that was gone comes back", []debate.Claim{found("F1", "a.go", "x := 1", 4, "")}, "F1 F2=gone F4=gone ", 5},
		{"one that people do not see", []debate.Claim{{ID: "F7", Bucket: debate.Dismissed}}, "F1=gone F2=gone F4=gone ", 8},
	}
	for _, s := range steps {
		m.name(debate.State{Book: debate.Book{Claims: s.claims}})
		if got := names(m); got != s.want || m.NextF != s.next {
			t.Errorf("%s: %s, F%d is next, want %s and F%d", s.what, got, m.NextF, s.want, s.next)
		}
		if n := m.named("F1"); n.Severity != debate.P2 {
			t.Errorf("%s: %+v", s.what, n)
		}
	}
	if y := debate.Key(found("", "a.go", "y := 2", 9, "")); m.named("F2").Key != y+"-0" || m.named("F4").Key != y+"-1" {
		t.Errorf("keys: %+v", m.Names)
	}
}

// TestShown: people see what was agreed and what stayed open, and of findings that are
// one the one that goes on.
func TestShown(t *testing.T) {
	t.Parallel()
	merged := found("F1", "a.go", "x := 1", 4, "")
	merged.SameAs = "F3"
	dismissed := found("F4", "a.go", "y := 1", 9, "F4")
	dismissed.Bucket = debate.Dismissed
	var m Checkpoint
	m.name(debate.State{Book: debate.Book{Claims: []debate.Claim{merged, found("F3", "a.go", "x := 3", 4, ""), dismissed}}})
	if list := m.shown(); len(list) != 1 || list[0].F != "F3" {
		t.Errorf("shown: %+v", list)
	}
}

// TestTakeUp has a row for each name in a comment that is taken up, or is not.
func TestTakeUp(t *testing.T) {
	t.Parallel()
	known := []Name{{F: "F2", Key: "bb-0"}, {F: "F5", Key: "ee-0"}}
	rows := []struct{ name, f, key, want string }{
		{"one between", "F3", "cc-0", "F2 F3=gone F5 , then F6"},
		{"one before", "F1", "cc-0", "F1=gone F2 F5 , then F6"},
		{"one after", "F9", "cc-0", "F2 F5 F9=gone , then F10"},
		{"a name that is known", "F2", "cc-0", "F2 F5 , then F6"},
		{"a finding that is known", "F3", "bb-0", "F2 F5 , then F6"},
		{"no name", "", "cc-0", "F2 F5 , then F6"},
	}
	for _, row := range rows {
		m := Checkpoint{NextF: 6, Names: slices.Clone(known)}
		m.takeUp([]gh.Thread{thread(row.key, row.f, "it said", false)})
		if text := fmt.Sprintf("%s, then F%d", names(m), m.NextF); text != row.want {
			t.Errorf("%s: %s, want %s", row.name, text, row.want)
		}
		if m.takeUp([]gh.Thread{thread("zz-0", "F7", "it said", true)}); m.named("F7").F != "" {
			t.Errorf("%s: a comment that somebody else edited gives a name", row.name)
		}
	}
}
