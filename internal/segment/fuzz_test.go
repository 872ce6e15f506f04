package segment

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/patchtest"
)

// whatever the input, the split is deterministic, its segments are
// disjoint, they and the excluded parts cover it, and the sums hold.
func FuzzSplit(f *testing.F) {
	f.Add("", "", "", "")
	f.Add("# Design\ntext\n```\nx\n```\n", "", "# Design\ntext\n", "auto")
	f.Add("> ```\n> x\n```\ny\n", "# Design\na\n```\nb\n```\n", "# Design\na\n~~~\nb\n~~~\n", "mixed")
	f.Add("text", "Design\n---\r\ntext\r\n", "Design\n===\ntext", "proposal")
	f.Add(strings.Repeat(">", 50)+"\n# Design\n- ```\n  x\n\nb", "```\n", "~~~\n# Decision\n", "code")
	f.Add("# Design\n<!--\n", "\x00\n\xff\n", "<!-- # Design\n```\n-->", "nonsense")
	f.Fuzz(func(t *testing.T, body, before, after, target string) {
		edits := []patchtest.Edit{
			patchtest.Move("rfcs/a.md", "rfcs/a.md", before, after),
			patchtest.Move("README.md", "docs/readme.md", before, after),
			patchtest.Move("", "adr/new.md", "", after),
			patchtest.Move("proposals/old.md", "", before, ""),
			patchtest.Move("a.go", "a.go", before, after),
		}
		in := Input{Change: patchtest.Change(edits...), Title: before, Body: body, Target: debate.Target(target), ChunkBytes: 200}
		verify(t, in)
		in.Change.Blob = patch.Alone(nil).Blob
		in.MaxChunks = 2
		verify(t, in)
	})
}

// FuzzSplitDiff splits what the diff reader makes of any bytes.
func FuzzSplitDiff(f *testing.F) {
	f.Add([]byte("diff --git a/rfcs/a.md b/rfcs/a.md\n--- a/rfcs/a.md\n+++ b/rfcs/a.md\n@@ -1 +1,3 @@\n-a\n+# Design\n+text\n+```\n"))
	f.Add([]byte("diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n"))
	f.Add([]byte("diff --git a/@pr b/@pr\n--- a/@pr\n+++ b/@pr\n@@ -0,0 +1 @@\n+x\n"))
	f.Fuzz(func(t *testing.T, diff []byte) {
		verify(t, Input{Change: patch.Alone(patch.Parse(diff, nil)), Body: string(diff)})
	})
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// verify splits twice and holds the result to what every split promises.
func verify(t failer, in Input) {
	t.Helper()
	res := Split(in)
	if diff := cmp.Diff(res, Split(in)); diff != "" {
		t.Fatalf("not deterministic:\n%s", diff)
	}
	if err := CheckSums(res.Coverage, res.Totals, in.Change.Set); err != nil {
		t.Fatalf("%v", err)
	}
	verifyDisjoint(t, res)
	verifyLedger(t, res)
	verifyCover(t, in, res)
	verifyChunks(t, res)
	switch res.Target {
	case debate.TargetCode, debate.TargetProposal, debate.TargetMixed:
	default:
		if res.Target != in.Target {
			t.Fatalf("target %q", res.Target)
		}
	}
	if strings.ContainsAny(res.Question+res.Assumption, "\n\r") {
		t.Fatalf("question %q, assumption %q", res.Question, res.Assumption)
	}
}

func verifyDisjoint(t failer, res Result) {
	t.Helper()
	type at struct {
		source debate.SegmentSource
		path   string
		side   debate.Side
	}
	last := make(map[at]int)
	for i, s := range res.Segments {
		if s.ID != fmt.Sprintf("S%d", i+1) || len(s.TextHash) != 64 {
			t.Fatalf("segment %d is %+v", i, s)
		}
		if s.StartLine == 0 {
			continue
		}
		k := at{s.Source, s.Path, s.Side}
		if s.StartLine <= last[k] || s.EndLine < s.StartLine {
			t.Fatalf("segment %+v begins before line %d", s, last[k]+1)
		}
		last[k] = s.EndLine
	}
}

// verifyLedger checks that every segment of the diff is in one entry.
func verifyLedger(t failer, res Result) {
	t.Helper()
	in := make(map[string]int)
	for _, c := range res.Coverage {
		for _, s := range c.Segments {
			in[s]++
		}
		if len(c.Segments) == 0 && c.Excluded == debate.NotExcluded {
			t.Fatalf("entry %+v has neither a segment nor a reason", c)
		}
	}
	for _, s := range res.Segments {
		if n := in[s.ID]; n > 1 || n == 0 && (s.Source == debate.FromDiff || s.Kind == debate.ProposalSegment) {
			t.Fatalf("segment %+v is in %d entries", s, n)
		}
	}
}

// verifyCover checks that the segments of each hunk hold its changed lines. A
// line that was removed may stand in a segment of head lines: then its
// neighbours there are in the same hunk.
func verifyCover(t failer, in Input, res Result) {
	t.Helper()
	byID := make(map[string]debate.Segment)
	covered := make(map[int]bool) // lines of the text of the pull request
	for _, s := range res.Segments {
		byID[s.ID] = s
		for n := s.StartLine; s.Source == debate.FromBody && n > 0 && n <= s.EndLine; n++ {
			covered[n] = true
		}
	}
	text, _ := bounded(in.Body)
	for i, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) != "" && !covered[i+1] {
			t.Fatalf("line %d of the text is in no segment", i+1)
		}
	}
	entries := res.Coverage[len(res.Coverage)-parts(in.Change.Set):]
	for _, f := range in.Change.Set.Files {
		for _, h := range f.Hunks {
			c := entries[0]
			entries = entries[1:]
			for _, l := range h.Lines {
				if l.Op == '+' && len(c.Segments) > 0 && !slices.ContainsFunc(c.Segments, func(id string) bool {
					s := byID[id]
					return s.Side == debate.Right && s.StartLine <= l.New && l.New <= s.EndLine
				}) {
					t.Fatalf("added line %d of %s is in no segment of %+v", l.New, f.Path(), c)
				}
			}
		}
		if len(f.Hunks) == 0 {
			entries = entries[1:]
		}
	}
}

func parts(set *patch.Set) int {
	n := 0
	for _, f := range set.Files {
		n += max(1, len(f.Hunks))
	}
	return n
}

// verifyChunks checks that every code segment is in at most one chunk, and in
// one unless its entry says why not.
func verifyChunks(t failer, res Result) {
	t.Helper()
	in := make(map[string]int)
	for _, c := range res.Chunks {
		for _, s := range c.Segments {
			in[s]++
		}
	}
	dropped := make(map[string]bool)
	for _, c := range res.Coverage {
		for _, s := range c.Segments {
			dropped[s] = c.Excluded == debate.OutOfBudget
		}
	}
	for _, s := range res.Segments {
		want := 0
		if s.Kind == debate.CodeSegment && res.Target != debate.TargetProposal {
			want = 1
		}
		free := s.Source == debate.FromBody && s.Kind == debate.CodeSegment
		if n := in[s.ID]; n != want && !(n == 0 && (dropped[s.ID] || free)) {
			t.Fatalf("segment %+v is in %d chunks, want %d", s, n, want)
		}
	}
}

func TestSplitProperties(t *testing.T) {
	t.Parallel()
	line := rapid.SampledFrom([]string{
		"# Design", "## Decision", "# Other", "text", "", "```", "````", "~~~", "> ```", "> x", "- ```", "  x", "    # Design",
		"Design", "---", "===", "<!--", "-->", "N/A", "\r", "> # Design", "```go",
	})
	text := rapid.Custom(func(t *rapid.T) string {
		s := strings.Join(rapid.SliceOfN(line, 0, 20).Draw(t, "lines"), "\n")
		return s + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end")
	})
	name := rapid.SampledFrom([]string{"rfcs/a.md", "README.md", "a.go", "a_test.go", "vendor/b.go", "go.sum", "x/b.go"})
	rapid.Check(t, func(t *rapid.T) {
		var edits []patchtest.Edit
		for _, n := range rapid.SliceOfNDistinct(name, 0, 5, rapid.ID[string]).Draw(t, "names") {
			edits = append(edits, patchtest.Modify(n, text.Draw(t, "before"), text.Draw(t, "after")))
		}
		verify(t, Input{
			Change:     patchtest.Change(edits...),
			Body:       text.Draw(t, "body"),
			Target:     rapid.SampledFrom([]debate.Target{"", debate.TargetAuto, debate.TargetCode, debate.TargetProposal, debate.TargetMixed}).Draw(t, "target"),
			Ignore:     rapid.SampledFrom([][]string{nil, {"x/**"}}).Draw(t, "ignore"),
			ChunkBytes: rapid.IntRange(0, 500).Draw(t, "chunk"),
			MaxChunks:  rapid.IntRange(0, 3).Draw(t, "chunks"),
		})
	})
}

// The files of a change decide for themselves: another order of them changes
// the ids and nothing else.
func TestSplitOfAFileIsItsOwn(t *testing.T) {
	t.Parallel()
	edits := []patchtest.Edit{patchtest.Add("rfcs/a.md", "# Design\ntext\n```\nx\n```\n"), patchtest.Add("a.go", "x\n"), patchtest.Add("README.md", "text\n")}
	strip := func(edits []patchtest.Edit) []string {
		var out []string
		for _, s := range Split(Input{Change: patchtest.Change(edits...)}).Segments {
			s.ID = ""
			out = append(out, fmt.Sprintf("%+v", s))
		}
		slices.Sort(out)
		return out
	}
	want := strip(edits)
	slices.Reverse(edits)
	same(t, want, strip(edits), "segments")
}
