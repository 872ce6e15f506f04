package segment

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/patchtest"
)

// show renders segments as "id kind path:lines [LEFT] [heading]".
func show(segments []debate.Segment) []string {
	var out []string
	for _, s := range segments {
		line := s.ID + " " + string(s.Kind) + " " + debate.Citation{Path: s.Path, StartLine: s.StartLine, EndLine: s.EndLine}.String()
		if s.Side == debate.Left {
			line += " LEFT"
		}
		if s.Heading != "" {
			line += " " + s.Heading
		}
		out = append(out, line)
	}
	return out
}

// ledger renders coverage as "id path:lines +a -d segments [excluded: detail]".
func ledger(coverage []debate.Coverage) []string {
	var out []string
	for _, c := range coverage {
		line := c.ID + " " + debate.Citation{Path: c.Path, StartLine: c.StartLine, EndLine: c.EndLine}.String()
		if c.Side == debate.Left {
			line += " LEFT"
		}
		if len(c.Segments) > 0 {
			line += " " + strings.Join(c.Segments, ",")
		}
		if c.Excluded != "" {
			line += " " + string(c.Excluded)
		}
		if c.Detail != "" {
			line += " (" + c.Detail + ")"
		}
		out = append(out, line)
	}
	return out
}

func check(t *testing.T, in Input, res Result) {
	t.Helper()
	if err := CheckSums(res.Coverage, res.Totals, in.Change.Set); err != nil {
		t.Error(err)
	}
}

func body(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

func TestSplit(t *testing.T) {
	t.Parallel()
	design := body("# RFC", "", "Intro.", "", "## Design", "", "We cache.", "", "```go", "x := 1", "```", "", "More.", "", "## Test plan", "", "Run it.")
	tests := []struct {
		name     string
		in       Input
		segments []string
		coverage []string
	}{
		{"nothing", Input{Change: patchtest.Change()}, nil, nil},
		{
			"text of the pull request",
			Input{Change: patchtest.Change(), Title: "Cache", Body: body("Intro", "", "## Design", "We cache.", "", "```go", "x := 1", "```", "", "More.", "", "## Test plan", "run it", "~~~", "go test", "~~~")},
			[]string{"S1 context @pr:0", "S2 context @pr:1-2", "S3 proposal @pr:3-5 Design", "S4 code @pr:6-8", "S5 proposal @pr:9-11 Design", "S6 context @pr:12-13", "S7 code @pr:14-16"},
			[]string{"H1 @pr:3-11 S3,S4,S5"},
		},
		{
			"text without a signal",
			Input{Change: patchtest.Change(patchtest.Modify("a.go", "a\n", "b\n")), Body: "Fix it.\n"},
			[]string{"S1 context @pr:1", "S2 code a.go:1"},
			[]string{"H1 a.go:1 S2"},
		},
		{
			"text without a signal, target forced (X25)",
			Input{Change: patchtest.Change(patchtest.Modify("a.go", "a\n", "b\n")), Body: "Fix it.\n```\nx\n```\n", Target: debate.TargetMixed},
			[]string{"S1 proposal @pr:1", "S2 code @pr:2-4", "S3 code a.go:1"},
			[]string{"H1 @pr:1-4 S1,S2", "H2 a.go:1 S3"},
		},
		{
			"two sections of the same name",
			Input{Change: patchtest.Change(), Body: body("# Design", "a", "# Design", "b")},
			[]string{"S1 proposal @pr:1-2 Design", "S2 proposal @pr:3-4 Design"},
			[]string{"H1 @pr:1-2 S1", "H2 @pr:3-4 S2"},
		},
		{
			"code, one segment a hunk",
			Input{Change: patchtest.Change(patchtest.Modify("a.go", numbered(9), numbered(9)+"y\n"), patchtest.Add("b.go", "a\nb\n"), patchtest.Remove("c.go", "a\nb\n"))},
			[]string{"S1 code a.go:7-10", "S2 code b.go:1-2", "S3 code c.go:1-2 LEFT"},
			[]string{"H1 a.go:7-10 S1", "H2 b.go:1-2 S2", "H3 c.go:1-2 LEFT S3"},
		},
		{
			"new proposal",
			Input{Change: patchtest.Change(patchtest.Add("rfcs/1.md", design))},
			[]string{"S1 context rfcs/1.md:1-4", "S2 proposal rfcs/1.md:5-8 Design", "S3 code rfcs/1.md:9-11", "S4 proposal rfcs/1.md:12-14 Design", "S5 context rfcs/1.md:15-17"},
			[]string{"H1 rfcs/1.md:1-17 S1,S2,S3,S4,S5"},
		},
		{
			"proposal moved out and edited",
			Input{Change: patchtest.Change(patchtest.Move("rfcs/1.md", "docs/1.md", "# Design\na\nb\nc\n", "# Design\na\nb\nd\n"))},
			[]string{"S1 proposal docs/1.md:1-4 Design"},
			[]string{"H1 docs/1.md:1-4 S1 (renamed from rfcs/1.md)"},
		},
		{
			"deleted proposal",
			Input{Change: patchtest.Change(patchtest.Remove("rfcs/1.md", design))},
			[]string{"S1 context rfcs/1.md:1-4 LEFT", "S2 proposal rfcs/1.md:5-8 LEFT Design", "S3 code rfcs/1.md:9-11 LEFT", "S4 proposal rfcs/1.md:12-14 LEFT Design", "S5 context rfcs/1.md:15-17 LEFT"},
			[]string{"H1 rfcs/1.md:1-17 LEFT S1,S2,S3,S4,S5"},
		},
		{
			"line of a section whose heading the hunk does not show",
			Input{Change: patchtest.Change(patchtest.Modify("rfcs/1.md", "# Design\n"+strings.Repeat("same\n", 20)+"old\n", "# Design\n"+strings.Repeat("same\n", 20)+"new\n"))},
			[]string{"S1 proposal rfcs/1.md:19-22 Design"},
			[]string{"H1 rfcs/1.md:19-22 S1"},
		},
		{
			"line of a fence that the hunk does not show",
			Input{Change: patchtest.Change(patchtest.Modify("README.md", "```\n"+numbered(20)+"old\n```\n", "```\n"+numbered(20)+"new\n```\n"))},
			[]string{"S1 code README.md:19-23"},
			[]string{"H1 README.md:19-23 S1"},
		},
		{
			"line that leaves a fence",
			Input{Change: patchtest.Change(patchtest.Modify("README.md", "```\nx\n```\n", "```\n```\ny\n"))},
			[]string{"S1 code README.md:1-2", "S2 context README.md:3"},
			[]string{"H1 README.md:1-3 S1,S2"},
		},
		{
			"other Markdown is context",
			Input{Change: patchtest.Change(patchtest.Add("README.md", design))},
			[]string{"S1 context README.md:1-8", "S2 code README.md:9-11", "S3 context README.md:12-17"},
			[]string{"H1 README.md:1-17 S1,S2,S3"},
		},
		{
			"configured proposal path",
			Input{Change: patchtest.Change(patchtest.Add("ideas/x/1.markdown", "# Approach\ntext\n")), Proposal: []string{"ideas/**", "[bad"}},
			[]string{"S1 proposal ideas/x/1.markdown:1-2 Approach"},
			[]string{"H1 ideas/x/1.markdown:1-2 S1"},
		},
		{
			"proposal path that is no Markdown",
			Input{Change: patchtest.Change(patchtest.Add("rfcs/x.go", "# Design\ntext\n"), patchtest.Add("rfcs/y.mdx", "# Design\ntext\n"))},
			[]string{"S1 code rfcs/x.go:1-2", "S2 code rfcs/y.mdx:1-2"},
			[]string{"H1 rfcs/x.go:1-2 S1", "H2 rfcs/y.mdx:1-2 S2"},
		},
		{
			"a blank line is covered",
			Input{Change: patchtest.Change(patchtest.Modify("README.md", "a\nb\n", "a\n\nb\n"))},
			[]string{"S1 context README.md:1-3"},
			[]string{"H1 README.md:1-3 S1"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := Split(tt.in)
			same(t, tt.segments, show(res.Segments), "segments")
			same(t, tt.coverage, ledger(res.Coverage), "coverage")
			check(t, tt.in, res)
		})
	}
}

func TestProposalPaths(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"rfcs/1.md": true, "rfcs/a/b/1.md": true, "proposals/x.md": true, "adr/1.md": true, "docs/adr/1.md": true,
		"docs/design.md": true, "docs/design/a.md": true, "docs/design-notes/a.md": true, "docs/rfcs/a.md": true,
		"README.md": false, "docs/howto.md": false, "src/adr/1.md": false, "design/1.md": false, "rfcs.md": false,
	} {
		res := Split(Input{Change: patchtest.Change(patchtest.Add(name, "# Design\ntext\n"))})
		if got := res.Segments[0].Kind == debate.ProposalSegment; got != want {
			t.Errorf("%s is a proposal: %v, want %v", name, got, want)
		}
	}
}

// Without the bytes of the files, or with other bytes, a hunk speaks for itself.
func TestSplitWithoutFiles(t *testing.T) {
	t.Parallel()
	change := patchtest.Change(patchtest.Modify("rfcs/1.md", "a\nb\n", "a\n# Design\ntext\n```\nx\n```\nb\n"))
	want := []string{"S1 proposal rfcs/1.md:1-3 Design", "S2 code rfcs/1.md:4-6"}
	want[0] = "S1 proposal rfcs/1.md:2-3 Design"
	for name, blob := range map[string]func(string, debate.Side) ([]byte, bool){
		"missing": func(string, debate.Side) ([]byte, bool) { return nil, false },
		"other":   func(string, debate.Side) ([]byte, bool) { return []byte("```\nother\n"), true },
		"short":   func(string, debate.Side) ([]byte, bool) { return nil, true },
	} {
		change.Blob = blob
		in := Input{Change: change}
		res := Split(in)
		if diff := cmp.Diff(want, show(res.Segments)); diff != "" {
			t.Errorf("%s: segments (-want +got):\n%s", name, diff)
		}
		check(t, in, res)
	}
}

func TestTextHash(t *testing.T) {
	t.Parallel()
	hash := func(e patchtest.Edit) string { return Split(Input{Change: patchtest.Change(e)}).Segments[0].TextHash }
	a := hash(patchtest.Modify("a.go", "one\ntwo\n", "one\n2\n"))
	if b := hash(patchtest.Modify("b.go", "0\n1\none\ntwo\nmore\n", "0\n1\none\n2\nmore\n")); a != b {
		t.Error("the hash changes with the context or the place of the lines")
	}
	if b := hash(patchtest.Modify("a.go", "one\n2\n", "one\ntwo\n")); a == b {
		t.Error("a change and its opposite have one hash")
	}
	if len(a) != 64 {
		t.Errorf("hash %q, want SHA-256 in hex", a)
	}
}

func TestLongBodyIsCutAndSaid(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("x", 99) + "\n"
	in := Input{Change: patchtest.Change(), Body: strings.Repeat(line, maxDocument/100+10) + "# Design\ntext\n"}
	res := Split(in)
	n := maxDocument / 100
	want := []string{"H1 @pr:2622 too large (the last 1014 bytes of the text of the pull request are beyond the limit of 262144 bytes)"}
	if n != 2621 {
		t.Fatalf("%d lines fit", n)
	}
	same(t, want, ledger(res.Coverage), "coverage")
	check(t, in, res)
}

func TestNewProposals(t *testing.T) {
	t.Parallel()
	doc := "# RFC\n## Problem\ntext\n## Design\ntext\n## Decision\ntext\n## End\n"
	tests := []struct {
		name string
		in   Input
		want []Proposal
	}{
		{"new file", Input{Change: patchtest.Change(patchtest.Add("rfcs/1.md", doc))}, []Proposal{{"rfcs/1.md", "Design", doc}}},
		{"changed file", Input{Change: patchtest.Change(patchtest.Modify("rfcs/1.md", "# RFC\n", doc))}, nil},
		{"moved file", Input{Change: patchtest.Change(patchtest.Move("a.md", "rfcs/1.md", doc, doc+"x\n"))}, nil},
		{"new file elsewhere", Input{Change: patchtest.Change(patchtest.Add("docs/1.md", doc))}, nil},
		{"new file without a signal", Input{Change: patchtest.Change(patchtest.Add("rfcs/1.md", "# RFC\ntext\n"))}, nil},
		{"text of the pull request", Input{Change: patchtest.Change(), Body: doc}, []Proposal{{"@pr", "Design", doc}}},
		{"both", Input{Change: patchtest.Change(patchtest.Add("rfcs/1.md", doc)), Body: "# Approach\ntext\n"}, []Proposal{
			{"@pr", "Approach", "# Approach\ntext\n"},
			{"rfcs/1.md", "Design", doc},
		}},
		{"ignored file", Input{Change: patchtest.Change(patchtest.Add("rfcs/1.md", doc)), Ignore: []string{"rfcs/**"}}, nil},
		{"forced", Input{Change: patchtest.Change(), Body: "text\n", Target: debate.TargetProposal}, []Proposal{{"@pr", "", "text\n"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			same(t, tt.want, Split(tt.in).NewProposals, "new proposals")
			tt.in.Change.Blob = patch.Alone(nil).Blob
			same(t, tt.want, Split(tt.in).NewProposals, "new proposals without files")
		})
	}
}

func TestTarget(t *testing.T) {
	t.Parallel()
	code := patchtest.Modify("a.go", "a\n", "b\n")
	rfc := patchtest.Add("rfcs/1.md", "# Design\ntext\n")
	doc := patchtest.Add("README.md", "text\n")
	overlapping := patchtest.Add("rfcs/1.md", "# Design\ntext\n```\nx\n```\n")
	tests := []struct {
		name       string
		edits      []patchtest.Edit
		body       string
		asked      debate.Target
		want       debate.Target
		downgraded bool
		question   bool
	}{
		{"code", []patchtest.Edit{code}, "", debate.TargetAuto, debate.TargetCode, false, false},
		{"zero value", []patchtest.Edit{code}, "", "", debate.TargetCode, false, false},
		{"proposal", []patchtest.Edit{rfc}, "", debate.TargetAuto, debate.TargetProposal, false, false},
		{"proposal in the text", nil, "# Design\ntext\n", debate.TargetAuto, debate.TargetProposal, false, false},
		{"both, apart", []patchtest.Edit{code, rfc}, "", debate.TargetAuto, debate.TargetMixed, false, false},
		{"both, apart in the text", []patchtest.Edit{code}, "# Design\ntext\n# Usage\n```\nx\n```\n", debate.TargetAuto, debate.TargetMixed, false, false},
		{"only context", []patchtest.Edit{doc}, "text\n", debate.TargetAuto, debate.TargetCode, false, false},
		{"nothing", nil, "", debate.TargetAuto, debate.TargetCode, false, false},

		{"fence in a section of the text", nil, "# Design\ntext\n```\nx\n```\n", debate.TargetAuto, debate.TargetMixed, false, true},
		{"fence in a section of a file", []patchtest.Edit{overlapping}, "", debate.TargetAuto, debate.TargetMixed, false, true},
		{"only the fence changed", []patchtest.Edit{patchtest.Modify("rfcs/1.md", "# Design\ntext\n\na\n\n```\nx\n```\n", "# Design\ntext\n\na\n\n```\ny\n```\n")}, "", debate.TargetAuto, debate.TargetCode, false, false},
		{"only the fence changed, beside another proposal", []patchtest.Edit{
			patchtest.Modify("rfcs/1.md", "# Design\ntext\n\na\n\n```\nx\n```\n", "# Design\ntext\n\na\n\n```\ny\n```\n"), patchtest.Add("rfcs/2.md", "# Design\ntext\n"),
		}, "", debate.TargetAuto, debate.TargetMixed, false, false},
		{"answered", []patchtest.Edit{overlapping}, "", debate.TargetMixed, debate.TargetMixed, false, false},
		{"answered otherwise", []patchtest.Edit{overlapping}, "", debate.TargetProposal, debate.TargetProposal, false, false},

		{"forced code", []patchtest.Edit{code, rfc}, "", debate.TargetCode, debate.TargetCode, false, false},
		{"forced code without any", []patchtest.Edit{rfc}, "", debate.TargetCode, debate.TargetProposal, true, false},
		{"forced proposal without any", []patchtest.Edit{code}, "", debate.TargetProposal, debate.TargetCode, true, false},
		{"forced proposal, text without a signal", []patchtest.Edit{code}, "text\n", debate.TargetProposal, debate.TargetProposal, false, false},
		{"forced proposal, text of a template", []patchtest.Edit{code}, "<!-- say why -->\n", debate.TargetProposal, debate.TargetCode, true, false},
		{"forced mixed, only code", []patchtest.Edit{code}, "", debate.TargetMixed, debate.TargetCode, true, false},
		{"forced mixed, only proposal", []patchtest.Edit{rfc}, "", debate.TargetMixed, debate.TargetProposal, true, false},
		{"forced on context", []patchtest.Edit{doc}, "", debate.TargetProposal, debate.TargetProposal, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := Split(Input{Change: patchtest.Change(tt.edits...), Body: tt.body, Target: tt.asked})
			if res.Target != tt.want || res.Downgraded != tt.downgraded {
				t.Errorf("target %s, downgraded %v, want %s, %v", res.Target, res.Downgraded, tt.want, tt.downgraded)
			}
			if (res.Question != "") != tt.question || (res.Assumption != "") != tt.question {
				t.Errorf("question %q, assumption %q, want one: %v", res.Question, res.Assumption, tt.question)
			}
			if tt.question && (!strings.Contains(res.Question, "set `target` to `proposal`") || strings.Contains(res.Question, "\n")) {
				t.Errorf("question %q does not say on one line how to run again", res.Question)
			}
		})
	}
}

func TestChangedLinesOfAllKindsOfFiles(t *testing.T) {
	t.Parallel()
	file := func(f patch.File) *patch.File { return &f }
	in := Input{Change: patch.Alone(&patch.Set{Files: []*patch.File{
		file(patch.File{OldPath: "a", NewPath: "b", Status: patch.Renamed, Kind: patch.Text, OldMode: 0o100644, NewMode: 0o100755}),
		file(patch.File{NewPath: "c", Status: patch.Added, Kind: patch.Text, NewMode: 0o100644}),
		file(patch.File{OldPath: "d", Status: patch.Deleted, Kind: patch.Text, OldMode: 0o100644}),
		file(patch.File{OldPath: "e", NewPath: "e", Status: patch.Modified, Kind: patch.Text, OldMode: 0o100644, NewMode: 0o100755}),
		file(patch.File{NewPath: "f.png", Status: patch.Added, Kind: patch.Binary}),
		file(patch.File{OldPath: "g", NewPath: "g", Status: patch.Modified, Kind: patch.Submodule, Additions: 1, Deletions: 1,
			Hunks: []*patch.Hunk{{OldStart: 1, OldLines: 1, NewStart: 1, NewLines: 1, Lines: []patch.Line{{Op: '-', Old: 1, Text: "Subproject commit 11"}, {Op: '+', New: 1, Text: "Subproject commit 22"}}}}}),
		file(patch.File{OldPath: "h", NewPath: "h", Status: patch.Modified, Kind: patch.Text, Additions: 7, Deletions: 9, Unparsed: "hunk is cut off"}),
		file(patch.File{OldPath: "i", NewPath: "j", Status: patch.Copied, Kind: patch.Text}),
		file(patch.File{NewPath: "k", Status: patch.Added, Kind: patch.Text, NewMode: 0o100755}),
	}})}
	in.Change.Blob = func(string, debate.Side) ([]byte, bool) { return []byte("\x7fELF"), true }
	res := Split(in)
	want := []string{
		"H1 b:0 only renamed (from a, mode 100644 to 100755)",
		"H2 c:0 no changed lines (empty file added)",
		"H3 d:0 LEFT no changed lines (empty file deleted)",
		"H4 e:0 no changed lines (mode 100644 to 100755)",
		"H5 f.png:0 binary",
		"H6 g:1 submodule (-Subproject commit 11 +Subproject commit 22)",
		"H7 h:0 unreadable (hunk is cut off)",
		"H8 j:0 no changed lines (copied from i)",
		"H9 k:0 no changed lines (empty file added, mode 100755)",
	}
	same(t, want, ledger(res.Coverage), "coverage")
	if len(res.Segments) > 0 {
		t.Errorf("segments %v, want none", show(res.Segments))
	}
	same(t, debate.Totals{Files: 9, Additions: 8, Deletions: 10, Parts: 9}, res.Totals, "totals")
	check(t, in, res)
}

// numbered is n lines of code.
func numbered(n int) string { return strings.Repeat("x := 1\n", n) }

// What has no lines is named in the packet, up to a bound: what is not named is not
// read.
func TestWhatIsNotNamedIsNotRead(t *testing.T) {
	t.Parallel()
	set := &patch.Set{}
	for n := range debate.MaxNamed + 1 {
		set.Files = append(set.Files, &patch.File{NewPath: fmt.Sprintf("empty%04d", n), Status: patch.Added, Kind: patch.Text, NewMode: 0o100644})
	}
	last := set.Files[debate.MaxNamed]
	*last = patch.File{OldPath: "tool", NewPath: "tool", Status: patch.Modified, Kind: patch.Text, OldMode: 0o100644, NewMode: 0o100755}
	in := Input{Change: patch.Alone(set)}
	res := Split(in)
	check(t, in, res)
	for n, c := range res.Coverage {
		if named := n < debate.MaxNamed; c.Excluded.Excused() != named {
			t.Fatalf("part %d of %d: %q (%s)", n+1, len(set.Files), c.Excluded, c.Detail)
		}
	}
}

// TestMovedWithAPartOfItsLines: if only the patch is at hand, the other lines of a file that takes
// effect at its new place count as not read.
func TestMovedWithAPartOfItsLines(t *testing.T) {
	t.Parallel()
	set := patch.Parse([]byte("diff --git a/old/7.sql b/migrations/7.sql\nsimilarity index 97%\nrename from old/7.sql\nrename to migrations/7.sql\n"+
		"--- a/old/7.sql\n+++ b/migrations/7.sql\n@@ -29,2 +29,2 @@\n SELECT 1;\n-SELECT 2;\n+SELECT 3;\n"), nil)
	nothing := func(string, debate.Side) ([]byte, bool) { return nil, false }
	set.Unfold(nothing, func(*patch.File) bool { return true })
	in := Input{Change: patch.Alone(set)}
	res := Split(in)
	check(t, in, res)
	if len(res.Coverage) != 2 || res.Coverage[0].Excluded != debate.NotExcluded || res.Coverage[1].Excluded != debate.Unreadable {
		t.Fatalf("%+v", res.Coverage)
	}
	if err := CheckSums(res.Coverage, res.Totals, set); err != nil {
		t.Error(err)
	}
}

// TestLinesOfBothSides: a segment knows its lines at the head and at the base.
func TestLinesOfBothSides(t *testing.T) {
	t.Parallel()
	set := patch.Parse([]byte("diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -10,3 +20,3 @@\n x\n-y\n+z\n w\n@@ -30,2 +40,0 @@\n-v\n-u\n"+
		"diff --git a/new.go b/new.go\nnew file mode 100644\n--- /dev/null\n+++ b/new.go\n@@ -0,0 +1 @@\n+a\n"+
		"diff --git a/a.md b/a.md\n--- a/a.md\n+++ b/a.md\n@@ -5,2 +5,2 @@\n-Old.\n+New.\n Same.\n"), nil)
	got := []string{}
	for _, seg := range Split(Input{Change: patch.Alone(set)}).Segments {
		rightFirst, rightLast := seg.On(debate.Right)
		leftFirst, leftLast := seg.On(debate.Left)
		got = append(got, fmt.Sprintf("%s %d-%d %d-%d", seg.Path, rightFirst, rightLast, leftFirst, leftLast))
	}
	want := []string{"a.go 20-22 10-12", "a.go 0-0 30-31", "new.go 1-1 0-0", "a.md 5-6 5-6"}
	same(t, want, got)
}

// same compares two values, and says which part differs.
func same(t testing.TB, want, got any, what ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", strings.Join(what, ""), diff)
	}
}
