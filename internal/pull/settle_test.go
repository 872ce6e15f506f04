package pull

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/report"
)

// tenLines is a change that adds a.go with ten lines, and removes the only one of b.go.
func tenLines() *patch.Index {
	added := &patch.Hunk{NewStart: 1, NewLines: 10}
	for i := 1; i <= 10; i++ {
		added.Lines = append(added.Lines, patch.Line{Op: '+', New: i, Text: fmt.Sprintf("line %d", i)})
	}
	removed := &patch.Hunk{OldStart: 1, OldLines: 1, Lines: []patch.Line{{Op: '-', Old: 1, Text: "old"}}}
	return patch.NewIndex(&patch.Set{Files: []*patch.File{
		{NewPath: "a.go", Hunks: []*patch.Hunk{added}}, {OldPath: "b.go", Hunks: []*patch.Hunk{removed}},
	}})
}

// thread is that of a finding of ours; other: somebody else edited its first comment.
func thread(key, f, says string, other bool) gh.Thread {
	body := comment.Mark(says+"\n"+comment.Foot+"\nfooter", comment.Marker{Kind: comment.FindingMark, Value: key, ID: f}.String())
	c := gh.Comment{ID: 300, Mine: true, Author: bot, Body: body, Edited: other, EditedBy: gh.Account{Login: "carol"}}
	return gh.Thread{Comments: []gh.Comment{c}}
}

func threaded(list ...gh.Thread) func(*Snapshot) { return func(s *Snapshot) { s.Pull.Threads = list } }

// TestSuggestion has a row for each reason to offer what a finding suggests, or not to.
func TestSuggestion(t *testing.T) {
	t.Parallel()
	at := func(line, end int) report.Finding {
		return report.Finding{Path: "a.go", Side: debate.Right, Line: line, EndLine: end, Suggestion: strings.Repeat("line\n", end-line+1)}
	}
	as := func(f report.Finding, change func(*report.Finding)) report.Finding {
		change(&f)
		return f
	}
	on := func(start, line int) comment.Inline { return comment.Inline{StartLine: start, Line: line} }
	sensitive := func(path string) []debate.Trigger { return []debate.Trigger{{Path: "c.go"}, {Path: path}} }
	rows := []struct {
		name     string
		in       comment.Inline
		f        report.Finding
		triggers []debate.Trigger
		want     bool
	}{
		{"one line", on(0, 4), at(4, 4), nil, true},
		{"several lines", on(4, 6), at(4, 6), nil, true},
		{"another path is sensitive", on(0, 4), at(4, 4), sensitive("b.go"), true},
		{"its path is sensitive", on(0, 4), at(4, 4), sensitive("a.go"), false},
		{"it suggests nothing", on(0, 4), as(at(4, 4), func(f *report.Finding) { f.Suggestion = "" }), nil, false},
		{"it suggests what is there", on(0, 4), as(at(4, 4), func(f *report.Finding) { f.Suggestion = "line 4" }), nil, false},
		{"it is about what was removed", on(0, 1), as(at(1, 1), func(f *report.Finding) { f.Path, f.Side = "b.go", debate.Left }), nil, false},
		{"the comment begins later", on(5, 6), at(4, 6), nil, false},
		{"the comment begins earlier", on(3, 6), at(4, 6), nil, false},
		{"the comment ends earlier", on(4, 5), at(4, 6), nil, false},
		{"the comment is on the last line", on(0, 6), at(4, 6), nil, false},
		{"a line does not stand in the change", on(10, 11), at(10, 11), nil, false},
	}
	for _, row := range rows {
		w := settlement{lines: tenLines(), state: debate.State{Agenda: debate.Agenda{Triggers: row.triggers}}}
		want := ""
		if row.want {
			want = "\n\nSuggested change (not tested):\n\n```suggestion\n" + row.f.Suggestion + "```\n"
		}
		if got := w.suggestion(row.in, row.f); got != want {
			t.Errorf("%s: %q", row.name, got)
		}
	}
}

// TestGone has a row for each finding that was published, and for what is said of it now.
func TestGone(t *testing.T) {
	t.Parallel()
	remembered := func(s *Snapshot) {
		s.checkpoint.Debate.Book.Claims = []debate.Claim{{ID: "F2", Title: "another"}, {ID: "F1", Title: "a leak"}}
	}
	fixed := debate.Claim{ID: "F1", Title: "the leak", Bucket: debate.Dismissed, Why: debate.Why{Code: debate.WhyTold, Words: "it was fixed"}}
	carried := fixed
	carried.Carried = "F1"
	recalled := func(claims ...debate.Claim) debate.State {
		return debate.State{Received: debate.Received{Recall: &debate.Memory{}}, Book: debate.Book{Claims: claims}}
	}
	anew := func(claims ...debate.Claim) debate.State {
		return debate.State{Book: debate.Book{Claims: claims}}
	}
	silent := carried
	silent.Why = debate.Why{}
	why := report.WhySettled(debate.State{}, fixed)
	const noMore = "the latest review does not report it"
	f1 := Name{F: "F1", Key: "aa-0", Gone: true}
	rows := []struct {
		name  string
		s     scene
		n     Name
		state debate.State
		want  report.GoneFinding // the zero value: nothing is said
	}{
		{"it stands", reviewed().set(remembered), Name{F: "F1", Key: "aa-0"}, anew(), report.GoneFinding{}},
		{"it was gone before", reviewed().set(remembered), Name{F: "F2", Key: "bb-0", Gone: true}, anew(), report.GoneFinding{}},
		{"nobody says it any more", reviewed().set(remembered), f1, anew(), report.GoneFinding{ID: "F1", Title: "a leak", Why: noMore}},
		{"it was carried, and is fixed", reviewed().set(remembered), f1, anew(debate.Claim{ID: "F9"}, carried), report.GoneFinding{ID: "F1", Title: "the leak", Why: why}},
		{"it was carried, and nobody says why it is gone", reviewed().set(remembered), f1, anew(silent), report.GoneFinding{ID: "F1", Title: "the leak", Why: noMore}},
		{"it was raised again, and is fixed", reviewed().set(remembered), f1, anew(fixed), report.GoneFinding{ID: "F1", Title: "the leak", Why: why}},
		{"it was recalled, and is fixed", reviewed().set(remembered), f1, recalled(fixed), report.GoneFinding{ID: "F1", Title: "the leak", Why: why}},
		{"what it said is forgotten", reviewed(), f1, anew(), report.GoneFinding{ID: "F1", Why: noMore}},
		{"nobody remembers it", reviewed(), Name{F: "F8", Key: "zz-0", Gone: true}, anew(), report.GoneFinding{ID: "F8", Why: noMore}},
		{"nobody remembers it, and it is fixed", reviewed(), Name{F: "F8", Key: "zz-0", Gone: true}, anew(debate.Claim{ID: "F8", Title: "old", Carried: "F8"}), report.GoneFinding{ID: "F8", Title: "old", Why: noMore}},
	}
	for _, row := range rows {
		g, ok := settled(row.s, row.state).gone(row.n)
		if ok != (row.want != report.GoneFinding{}) || ok && g != row.want {
			t.Errorf("%s: %t, %+v, want %+v", row.name, ok, g, row.want)
		}
	}
}

// TestWantFindings has a row for each place in which a finding may be said.
func TestWantFindings(t *testing.T) {
	t.Parallel()
	finding := func(id string, line int, change func(*debate.Claim)) debate.Claim {
		c := found(id, "a.go", fmt.Sprintf("line %d", line), line, "")
		c.Title, c.Suggestion = "a leak in "+id, "line"
		if change != nil {
			change(&c)
		}
		return c
	}
	severity := func(s debate.Severity) func(*debate.Claim) { return func(c *debate.Claim) { c.Severity = s } }
	key := func(line int) string { return debate.Key(finding("", line, nil)) + "-0" }
	named := func(list ...Name) func(*ledger) { return func(l *ledger) { l.left.Names = list } }
	inline := func(floor debate.FailOn, most int) func(*Snapshot) {
		return func(s *Snapshot) { s.config.Publish.Inline, s.config.Publish.MaxInline = floor, most }
	}
	sensitive := func(s *debate.State) { s.Agenda.Triggers = []debate.Trigger{{Path: "a.go"}} }
	rows := []struct {
		name   string
		s      scene
		claims []debate.Claim
		change func(*debate.State)
		ledger func(*ledger)
		want   string // the keys with what becomes of them, and what is not placed
	}{
		{"none", reviewed(), nil, nil, named(), ""},
		{"a new one", reviewed(), []debate.Claim{finding("F1", 4, nil)}, nil, named(), "post 4 with block"},
		{"one on several lines", reviewed(), []debate.Claim{finding("F1", 4, func(c *debate.Claim) { c.Evidence[0].Cite.EndLine = 6 })}, nil, named(), "post 4-6"},
		{"one for each severity", reviewed().set(inline(debate.FailP3, 20)), []debate.Claim{finding("F1", 4, severity(debate.P3)), finding("F2", 5, severity(debate.P1)), finding("F3", 6, nil)}, nil, named(), "post 5 with block, post 6 with block, post 4 with block"},
		{"one that is not severe enough", reviewed().set(inline(debate.FailP1, 20)), []debate.Claim{finding("F1", 4, nil)}, nil, named(), ""},
		{"one that is still disputed", reviewed(), []debate.Claim{finding("F1", 4, func(c *debate.Claim) { c.Bucket = debate.Unresolved })}, nil, named(), ""},
		{"more than may be posted", reviewed().set(inline(debate.FailP3, 1)), []debate.Claim{finding("F1", 4, nil), finding("F2", 5, nil), finding("F3", 6, nil)}, nil, named(), "post 4 with block, 2 left"},
		{"one on a line that is not shown", reviewed(), []debate.Claim{finding("F1", 40, nil)}, nil, named(), "1 left"},
		{"one in a sensitive path", reviewed(), []debate.Claim{finding("F1", 4, nil)}, sensitive, named(), "post 4"},
		{"one that stands there", reviewed().set(threaded(thread(key(4), "F1", "it said", false))), []debate.Claim{finding("F1", 4, nil), finding("F2", 5, nil)}, nil, named(), "post 5 with block, keep 4"},
		{"one that stands there, edited by somebody else", reviewed().set(threaded(thread(key(4), "F1", "it said", true))), []debate.Claim{finding("F1", 4, nil)}, nil, named(), "keep 4"},
		{"one that is gone", reviewed().set(threaded(thread("aa-0", "F1", "it said", false))), nil, nil, named(Name{F: "F1", Key: "aa-0"}), "gone aa-0"},
		{"one that is gone, and was edited", reviewed().set(threaded(thread("aa-0", "F1", "it said", true))), nil, nil, named(Name{F: "F1", Key: "aa-0"}), "gone aa-0"},
		{"one that nobody knows", reviewed().set(threaded(thread("zz-0", "F9", "it said", false))), nil, nil, named(), "gone zz-0"},
		{"one that nobody knows, and was edited", reviewed().set(threaded(thread("zz-0", "F9", "it said", true))), nil, nil, named(), ""},
	}
	for _, row := range rows {
		state := debate.State{Book: debate.Book{Claims: row.claims}}
		if row.change != nil {
			row.change(&state)
		}
		w := settled(row.s, state)
		row.ledger(w.ledger)
		w.lines = tenLines()
		w.ledger.left = w.next()
		want := comment.Want{}
		left := w.wantFindings(&want)
		if got := shownFindings(t, want, left, key); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// shownFindings are the findings that are wanted, by their lines or keys; what does not
// hold together is an error.
func shownFindings(t *testing.T, want comment.Want, left int, key func(int) string) string {
	t.Helper()
	var text []string
	line := func(k string) string {
		for n := 1; n <= 10; n++ {
			if key(n) == k {
				return fmt.Sprint(n)
			}
		}
		return k
	}
	for _, in := range want.Inline {
		at := fmt.Sprint(in.Line)
		if in.StartLine != 0 {
			at = fmt.Sprintf("%d-%d", in.StartLine, in.Line)
		}
		says, block := "post "+at, in.Suggestion != ""
		if block {
			says += " with block"
		}
		if folded := strings.Contains(in.Body, "<summary>Suggested change (not tested)<"); folded == block || in.Path != "a.go" || in.Side != debate.Right || !strings.HasPrefix(at, line(in.Key)) || in.FID == "" || !strings.Contains(in.Body, "a leak in") {
			t.Errorf("%+v", in)
		}
		text = append(text, says)
	}
	if want.Review != reviewText(len(want.Inline)) {
		t.Errorf("above the comments: %q", want.Review)
	}
	for _, f := range want.Posted {
		switch {
		case f.Gone:
			text = append(text, "gone "+f.Key)
		case !strings.Contains(f.Text, "a leak in"):
			t.Errorf("%+v", f)
		default:
			text = append(text, "keep "+line(f.Key))
		}
	}
	if left > 0 {
		text = append(text, fmt.Sprintf("%d left", left))
	}
	return strings.Join(text, ", ")
}

// TestReviewText: one finding is one, and several are counted.
func TestReviewText(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{
		1: "1 finding, checked against the cited lines. The summary comment has the verdict.\n",
		2: "2 findings, checked against the cited lines. The summary comment has the verdict.\n",
	} {
		if got := reviewText(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}

// TestView: the renderings see the pull request as it is now.
func TestView(t *testing.T) {
	t.Parallel()
	s := reviewed().set(threaded(thread("aa-0", "F1", "it said", false), thread("zz-0", "F9", "it said", false)))
	s.Pull.Title, s.clean = "Add hunter2", func(text string) string { return strings.ReplaceAll(text, "hunter2", "[redacted]") }
	s.config.Escalation.Deciders, s.config.Escalation.AuthorMayDecide = "maintain", new(true)
	s.checkpoint.Debate.Book.Claims = []debate.Claim{{ID: "F1", Title: "a leak"}}
	state := debate.State{Received: debate.Received{Notes: []string{"said in the debate"}}}
	state.Split.Coverage = []debate.Coverage{{ID: "H1", Path: "a.go", StartLine: 1, EndLine: 2}}
	w := settled(s, state)
	w.posts.links, w.log, w.runner.DetailsURL, w.notes = map[string]string{"F1": "there"}, hashed{}, "https://ci", []string{"said in the debate", "not read"}
	w.posts.note("not written")
	w.ledger.left.Names = []Name{{F: "F1", Key: "aa-0", Gone: true}, {F: "F3", Key: "cc-0"}, {F: "F2", Key: "bb-0", Gone: true}}
	w.ledger.left.Micro, w.ledger.left.Unpriced = 7, true
	got := w.view()
	want := report.Pull{
		RepositoryURL: "https://github.com/acme/shop", Number: 7, Title: "Add [redacted]", Head: head1,
		Inline: map[string]bool{"F1": true}, Blocks: map[string]bool{}, Links: map[string]string{"F1": "there"},
		RecordURL: "https://ci", RecordHash: "hash", Author: "alice", AuthorDecides: true, Deciders: "maintain",
		Notes: []string{"not read", "not written"}, Spent: 7, SpentUnknown: true,
		Gone: []report.GoneFinding{{ID: "F1", Title: "a leak", Why: "the latest review does not report it"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	withdrawn := debate.State{Agenda: debate.Agenda{Decisions: []debate.Decision{{Outcome: debate.Withdrawn}}}}
	for _, row := range []struct {
		name  string
		s     scene
		state debate.State
		want  []string
	}{
		{"open", reviewed(), withdrawn, []string{"not read"}},
		{"closed, and nothing was asked", reviewed().set(ended(gh.Closed)), debate.State{}, []string{"not read"}},
		{"closed while something was asked", reviewed().set(ended(gh.Closed)), withdrawn, []string{"bob closed the pull request before a decision was made.", "not read"}},
		{"merged while something was asked", reviewed().set(ended(gh.Merged)), withdrawn, []string{"bob merged the pull request before a decision was made.", "not read"}},
	} {
		w := settled(row.s, row.state)
		w.notes = []string{"not read"}
		if got := w.view().Notes; !slices.Equal(got, row.want) {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// TestFindingOfTheBase: GitHub knows a removed line by the name that its file has at the
// head.
func TestFindingOfTheBase(t *testing.T) {
	t.Parallel()
	c := found("F1", "old.go", "check()", 2, "")
	c.Evidence[0].Cite.Side = debate.Left
	w := settled(reviewed(), debate.State{Book: debate.Book{Claims: []debate.Claim{c}}})
	w.lines = patch.NewIndex(patch.Parse([]byte("diff --git a/old.go b/new.go\nrename from old.go\nrename to new.go\n--- a/old.go\n+++ b/new.go\n@@ -1,2 +1 @@\n a\n-check()\n"), nil))
	w.ledger.left = w.next()
	want := comment.Want{}
	if left := w.wantFindings(&want); left != 0 || len(want.Inline) != 1 || want.Inline[0].Path != "new.go" || want.Inline[0].Side != debate.Left || want.Inline[0].Line != 2 {
		t.Errorf("%d left, %+v", left, want.Inline)
	}
}
