package comment

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
)

// hunks takes the lines of two hunks of one file.
func hunks(path string, side debate.Side, start, end int) bool {
	in := func(from, to int) bool { return from <= start && start <= end && end <= to }
	return path == "a.go" && side == debate.Right && (in(3, 9) || in(20, 29))
}

func TestPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		start, line int
		wantStart   int
		wantLine    int
		refused     bool
	}{
		{"one line", 0, 5, 0, 5, false},
		{"the same twice", 5, 5, 0, 5, false},
		{"several", 3, 9, 3, 9, false},
		{"begins above the hunk", 1, 4, 3, 4, false},
		{"ends below the hunk", 8, 12, 8, 9, false},
		{"over both hunks", 5, 21, 20, 21, false},
		{"one line of it", 1, 3, 0, 3, false},
		{"between", 10, 19, 0, 0, true},
		{"backwards", 6, 5, 0, 0, true},
		{"no line", 0, 0, 0, 0, true},
		{"negative", -1, 4, 0, 0, true},
		{"without end", 3, 1 << 40, 0, 0, true},
	} {
		f := Inline{Key: "k-0", FID: "F1", Path: "a.go", Side: debate.Right, StartLine: c.start, Line: c.line}
		placed, rest := Place([]Inline{f}, hunks, 9)
		if c.refused {
			if diff := cmp.Diff([]Inline{f}, rest); diff != "" || len(placed) > 0 {
				t.Errorf("%s: placed %+v, and of the rest:\n%s", c.name, placed, diff)
			}
			continue
		}
		f.StartLine, f.Line = c.wantStart, c.wantLine
		if diff := cmp.Diff([]Inline{f}, placed); diff != "" || len(rest) > 0 {
			t.Errorf("%s: left over %+v, and placed:\n%s", c.name, rest, diff)
		}
	}
	good := Inline{Key: "k-0", FID: "F1", Path: "a.go", Side: debate.Right, Line: 5}
	bad := []Inline{{Key: "k-0", FID: "F1", Path: "a.go", Side: "MIDDLE", Line: 5}, {Key: "k-0", FID: "F1", Side: debate.Right, Line: 5}, {Key: "K 0", FID: "F1", Path: "a.go", Side: debate.Right, Line: 5}}
	everywhere := func(string, debate.Side, int, int) bool { return true }
	if placed, rest := Place(bad, everywhere, 9); len(placed) > 0 || len(rest) != 3 {
		t.Errorf("placed %+v", placed)
	}
	if placed, rest := Place([]Inline{{Key: "k-0", FID: "F1", Path: "b.go", Side: debate.Right, Line: 5}}, hunks, 9); len(placed) > 0 || len(rest) != 1 {
		t.Errorf("placed %+v in a file that the change does not show", placed)
	}
	long := Inline{Key: "k-0", FID: "F1", Path: "a.go", Side: debate.Right, StartLine: 1, Line: maxSpan}
	if placed, _ := Place([]Inline{long}, everywhere, 9); len(placed) != 1 {
		t.Errorf("%d lines are too many", maxSpan)
	}
	long.Line++
	if placed, _ := Place([]Inline{long}, everywhere, 9); len(placed) > 0 {
		t.Errorf("%d lines are not too many", maxSpan+1)
	}
	many := make([]Inline, maxInline+5)
	for i := range many {
		many[i] = good
	}
	if placed, rest := Place(many, hunks, 1000); len(placed) != maxInline || len(rest) != 5 {
		t.Errorf("placed %d, left %d", len(placed), len(rest))
	}
	if placed, rest := Place(many[:3], hunks, 1); len(placed) != 1 || len(rest) != 2 {
		t.Errorf("placed %d, left %d", len(placed), len(rest))
	}
}

func TestPlaceProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var list []Inline
		for range rapid.IntRange(0, 8).Draw(t, "n") {
			list = append(list, Inline{Key: "k-0", FID: "F1", Path: "a.go", Side: debate.Right, StartLine: rapid.IntRange(0, 35).Draw(t, "start"), Line: rapid.IntRange(0, 35).Draw(t, "line")})
		}
		placed, rest := Place(list, hunks, rapid.IntRange(0, 8).Draw(t, "most"))
		if len(placed)+len(rest) != len(list) {
			t.Fatalf("%d of %d findings are left", len(placed)+len(rest), len(list))
		}
		for _, f := range placed {
			start := f.StartLine
			if start == 0 {
				start = f.Line
			}
			if !hunks(f.Path, f.Side, start, f.Line) || f.StartLine == f.Line {
				t.Fatalf("%+v is placed", f)
			}
		}
	})
}

func TestLink(t *testing.T) {
	t.Parallel()
	hosts := []string{"github.com", "127.0.0.1:8080"}
	for _, c := range []struct{ text, address, want string }{
		{"F3", "https://github.com/o/r/pull/7#discussion_r1", "[F3](<https://github.com/o/r/pull/7#discussion_r1>)"},
		{"a [b](c)", "https://github.com/o/r/blob/x/a(1).go?a=1&copy=2", `[a \[b\](c)](<https://github.com/o/r/blob/x/a(1).go?a=1&amp;copy=2>)`},
		{"see @user", "http://127.0.0.1:8080/x", "[see `@user`](<http://127.0.0.1:8080/x>)"},
		{"", "https://github.com/x", "[`github.com`](<https://github.com/x>)"},
		{"x", "https://github.com/a b<c>`d\\", "[x](<https://github.com/a%20b%3Cc%3E%60d%5C>)"},
		{"x", "https://evil.test/", "x"}, {"x", "https://github.com.evil.test/", "x"}, {"x", "https://github.com@evil.test/", "x"}, {"x", "https://u:p@github.com/", "x"},
		{"x", "https://github.com:444/", "x"}, {"x", "javascript:alert(1)", "x"}, {"x", "ftp://github.com/", "x"}, {"x", "//github.com/", "x"}, {"x", "/o/r", "x"}, {"x", "", "x"},
		{"x", "https://GitHub.com/", "x"}, {"x", "https://github.com/\n", "x"}, {"x", "https://github.com/?" + strings.Repeat("x", maxURL), "x"}, {"x", "https://github.com/?\u202e", "x"}, {"x", "https://github.com/?a b", "x"}, {"x", "https:github.com/", "x"},
		{"https://evil.test", "https://github.com/x", "[`https://evil.test`](<https://github.com/x>)"},
	} {
		if got := Link("", c.text, c.address, hosts); got != c.want {
			t.Errorf("Link(%q, %.60q) = %q, want %q", c.text, c.address, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text, tail := hostile().Draw(t, "text"), hostile().Draw(t, "tail")
		got := Link("", text, "https://github.com/"+tail, hosts)
		checkLink(t, text, "x "+got+" y")
	})
}
