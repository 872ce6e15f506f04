package pull

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// answeredBy is an answer of somebody to a question.
func answeredBy(login, option string, when int64) debate.Human {
	return debate.Human{Status: debate.ItemDecided, PersonAnswer: debate.PersonAnswer{By: login, Option: option, At: when, Head: head1}}
}

// shownItem is what shall become of an issue: its status, its labels, the keys of its
// notes, and whether it is written anew.
func shownItem(i *comment.Item, label string) string {
	text := string(i.Status)
	named := func(l string) string {
		if l == label {
			return "label"
		}
		return l
	}
	add := func(is bool, says string) {
		if is {
			text += " " + says
		}
	}
	add(i.NotPlanned, "as not planned")
	add(i.Rests, "rests")
	for _, l := range i.Labels {
		add(true, "+"+named(l))
	}
	for _, l := range i.Unlabel {
		add(true, "-"+named(l))
	}
	for _, n := range i.Notes {
		key := n.Key
		if strings.HasPrefix(key, "asked-") {
			key = "asked"
		}
		add(true, "("+key+")")
		if n.Body == "" {
			text += " that says nothing"
		}
	}
	add(i.Body != "", "written")
	return text
}

// TestWantItem has a row for each thing that may become of the issue.
func TestWantItem(t *testing.T) {
	t.Parallel()
	waits, other := merging(debate.AwaitingHuman, debate.Human{}), cipher(debate.AwaitingHuman, debate.Human{})
	kept, rejected := merging(debate.HumanDecided, answeredBy("bob", "keep", 7)), merging(debate.HumanDecided, answeredBy("bob", "reject", 7))
	settled := merging(debate.Settled, debate.Human{})
	reminded := cipher(debate.AwaitingHuman, debate.Human{Reminded: true, AskedAt: millis(at(-60))})
	inComment := merging(debate.AwaitingHuman, debate.Human{})
	inComment.Human.Sink = debate.SinkComment
	one, two := func() scene { return remembers(5, waits) }, both
	closed := func(s *Snapshot) { s.Issue.Open = false }
	unlabelled := func(s *Snapshot) { s.Issue.Labels = nil }
	noIssue := func(s *Snapshot) { s.Issue = gh.Issue{} }
	pushed := func(s *Snapshot) { s.Pull.HeadSHA = head2 }
	warned := func(s *Snapshot) { tell(&s.Issue) }
	recalled := func(w *settlement) { w.state.Received.Recall = &debate.Memory{} }
	byStranger := func(w *settlement) { w.state.Received.Settings.Stranger = true }
	said := func(w *settlement) {
		w.outcomes.undone = []comment.Note{{Key: "undone-0", Body: "none"}, {Key: "undone-1", Body: "one"}}
	}
	late := func(w *settlement) { w.runner.Now = clock(at(3*24*60 - 60)) }
	rows := []struct {
		name      string
		s         scene
		decisions []debate.Decision
		change    func(*settlement)
		want      string // "": none
	}{
		{"nothing is asked", reviewed(), nil, nil, ""},
		{"a comment stands in for it", reviewed(), []debate.Decision{inComment}, nil, ""},
		{"asked for the first time", reviewed(), []debate.Decision{waits}, nil, "awaiting_human +label -human_decided written"},
		{"asked as before", one(), []debate.Decision{waits}, nil, "awaiting_human +label -human_decided"},
		{"asked as before, with what is said of answers", two(), []debate.Decision{waits, other}, said, "awaiting_human +label -human_decided (undone-0) (undone-1)"},
		{"people are reminded of one of two", remembers(5, waits, reminded), []debate.Decision{waits, reminded}, late, "awaiting_human +label -human_decided (reminder)"},
		{"closed for nothing before", two().set(warned), []debate.Decision{waits, other}, nil, "awaiting_human rests +label -human_decided"},
		{"closed for nothing before, and something is said", one().set(warned), []debate.Decision{waits}, said, "awaiting_human +label -human_decided (undone-0) (undone-1)"},
		{"closed for nothing before another commit", one().set(warned).set(pushed), []debate.Decision{waits}, nil, "awaiting_human +label -human_decided written"},
		{"edited by somebody", two().edits("carol", 1), []debate.Decision{waits, other}, nil, "awaiting_human +label -human_decided (asked) written"},
		{"edited by somebody, without a review", two().edits("carol", 1), []debate.Decision{waits, other}, recalled, "awaiting_human +label -human_decided"},
		{"edited by ourselves", two().edits(bot.Login, 1), []debate.Decision{waits, other}, nil, "awaiting_human +label -human_decided"},
		{"one of two is answered, with what is said of it", two(), []debate.Decision{kept, other}, said, "awaiting_human +label -human_decided (decided-7-f0) (undone-0) (undone-1) written"},
		{"asked again after an answer", remembers(5, kept).set(closed).set(pushed), []debate.Decision{waits}, nil, "awaiting_human +label -human_decided written"},
		{"asked again after an answer, and something is said", remembers(5, kept).set(closed).set(pushed), []debate.Decision{waits}, said, "awaiting_human +label -human_decided (undone-0) (undone-1) written"},
		{"answered", one(), []debate.Decision{kept}, nil, "decided +human_decided -label (decided-7-f0)"},
		{"answered, with what is said of it", one(), []debate.Decision{kept}, said, "decided +human_decided -label (decided-7-f0) (undone-0) (undone-1)"},
		{"answered with no", one(), []debate.Decision{rejected}, nil, "decided as not planned +human_decided -label (decided-7-f0)"},
		{"both are answered", two(), []debate.Decision{kept, cipher(debate.HumanDecided, answeredBy("bob", "aes", 8))}, nil, "decided +human_decided -label (decided-7-f0) (decided-8-f2)"},
		{"the answer stands elsewhere", one(), []debate.Decision{cipher(debate.HumanDecided, answeredBy("bob", "aes", 8))}, nil, "superseded -label (superseded-111111111111)"},
		{"nobody asks any more", one().set(pushed), nil, nil, "superseded -label (superseded-222222222222)"},
		{"models settled it", one(), []debate.Decision{settled}, nil, "superseded -label (superseded-111111111111)"},
		{"not asked any more, and a person closed it", one().set(closed), nil, nil, "superseded -label (superseded-111111111111)"},
		{"not asked any more, and we closed it", one().set(closed).set(unlabelled), nil, nil, ""},
		{"nobody asks any more, and no model saw the push of a stranger", one().set(pushed), nil, byStranger, ""},
		{"nobody asks any more, and the pull request is closed", one().set(ended(gh.Closed)), nil, nil, "withdrawn -label (withdrawn-111111111111)"},
		{"withdrawn", one().set(ended(gh.Merged)), []debate.Decision{merging(debate.Withdrawn, debate.Human{})}, nil, "withdrawn +merged_undecided -label (withdrawn-111111111111)"},
		{"withdrawn, and it is closed", one().set(closed).set(ended(gh.Closed)), []debate.Decision{merging(debate.Withdrawn, debate.Human{})}, nil, "withdrawn -label (withdrawn-111111111111)"},
		{"withdrawn, and there is no issue", one().set(noIssue).set(ended(gh.Closed)), []debate.Decision{merging(debate.Withdrawn, debate.Human{})}, nil, ""},
	}
	for _, row := range rows {
		w := settling(row.s, row.decisions...)
		if row.change != nil {
			row.change(&w)
		}
		got := ""
		if item := w.wantItem(); item != nil {
			got = shownItem(item, row.s.config.Escalation.Label)
		}
		if got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// TestWhatAnIssueSays: people are told who edited it, for how long it waits, what is new,
// and who is asked.
func TestWhatAnIssueSays(t *testing.T) {
	t.Parallel()
	waits := merging(debate.AwaitingHuman, debate.Human{AskedAt: millis(at(-60)), Reminded: true})
	notes := func(w settlement) string {
		return fmt.Sprint(lists.Map(w.wantItem().Notes, func(n comment.Note) string { return n.Body }))
	}
	w := settling(remembers(5, waits).edits("carol", 1), waits)
	w.runner.Now = clock(at(5*24*60 - 60))
	if got := notes(w); !strings.Contains(got, "carol edited this issue") || !strings.Contains(got, "waited for 5 days") {
		t.Errorf("%q", got)
	}
	changed := func(claim string) comment.Note {
		d := merging(debate.AwaitingHuman, debate.Human{Quoted: []string{claim}})
		return settling(remembers(5, merging(debate.AwaitingHuman, debate.Human{})), d).wantItem().Notes[0]
	}
	if one, two := changed("F1"), changed("F2"); !strings.HasPrefix(one.Key, "asked-") || one.Key == two.Key || !strings.Contains(one.Body, "The question changed") {
		t.Errorf("%+v, %+v", one, two)
	}

	w = settling(asking().set(func(s *Snapshot) { s.Issue = gh.Issue{} }), waits)
	w.snap.config.Escalation.Notify = []config.Handle{"@acme/dba"}
	w.posts.reviewers, w.lines = []string{"erin"}, tenLines()
	w.state.Agenda.Decisions[0].Triggers[0].Path, w.state.Agenda.Decisions[0].Triggers[0].Side = "a.go", debate.Right
	item := w.wantItem()
	for _, text := range []string{"@acme/dba", "@erin", "line 3", "drops table a"} {
		if !strings.Contains(item.Body, text) {
			t.Errorf("%q is not said in %q", text, item.Body)
		}
	}
}

// TestAsking: a question shows its lines, those of the critic in the same file, and what
// is new since an answer.
func TestAsking(t *testing.T) {
	t.Parallel()
	schema := debate.TriggerDestructiveSchema
	trigger := func(line int, detail string) debate.Trigger {
		return debate.Trigger{ID: schema, Path: "a.go", Side: debate.Right, Line: line, Detail: detail, By: []string{"P1"}}
	}
	claim := func(title string, line int, change func(*debate.Claim)) debate.Claim {
		c := found("F1", "a.go", "", line, "")
		c.Owner, c.Trigger, c.Title = debate.EngineParty, schema, title
		if change != nil {
			change(&c)
		}
		return c
	}
	was, now := merging(debate.HumanDecided, answeredBy("bob", "keep", 7)), merging(debate.AwaitingHuman, debate.Human{})
	was.Triggers, was.LinkedHash = []debate.Trigger{trigger(9, "drops it")}, "l9"
	now.Triggers = []debate.Trigger{trigger(3, "drops it"), trigger(4, "drops more"), {ID: schema, Detail: "nowhere"}}
	other := cipher(debate.AwaitingHuman, debate.Human{})
	s := remembers(5, was)
	s.clean = func(text string) string { return strings.ReplaceAll(text, "3", "[redacted]") }
	w := settling(s, now, other)
	w.state.Book.Claims = []debate.Claim{
		claim("also", 5, nil), claim("here", 3, nil), claim("of a model", 6, func(c *debate.Claim) { c.Owner = "P1" }),
		claim("of another kind", 6, func(c *debate.Claim) { c.Trigger = debate.TriggerMoney }), claim("elsewhere", 6, func(c *debate.Claim) { c.Evidence[0].Cite.Path = "c.go" }),
		claim("nowhere", 6, func(c *debate.Claim) { c.Evidence = nil }), claim("removed", 4, func(c *debate.Claim) { c.Evidence[0].Cite.Side = debate.Left }),
	}
	at := func(line int, says, text string, by ...string) report.Hit {
		return report.Hit{Path: "a.go", Side: debate.Right, Line: line, Says: says, Text: text, By: by}
	}
	removed := report.Hit{Path: "a.go", Side: debate.Left, Line: 4, Says: "removed"}
	got := w.asking([]debate.Decision{now, other})
	want := []report.Hit{
		at(3, "drops it", "line [redacted]", "P1"), at(4, "drops more", "line 4", "P1"), {Says: "nowhere"},
		at(5, "also", "line 5"), removed, at(5, "also", "line 5"), at(3, "here", "line [redacted]"), removed,
	}
	if !reflect.DeepEqual(got.Hits["D0"], want) || len(got.Hits["D2"]) != 0 || len(got.Hits) != 2 {
		t.Errorf("%+v, want %+v", got.Hits, want)
	}
	if got.Number != 7 {
		t.Errorf("of pull request %d", got.Number)
	}
}

// TestItems has a row for each way in which an item stands after a run.
func TestItems(t *testing.T) {
	t.Parallel()
	waits := merging(debate.AwaitingHuman, debate.Human{AskedAt: 50})
	answered := merging(debate.HumanDecided, answeredBy("bob", "keep", 7))
	changed := merging(debate.AwaitingHuman, debate.Human{Quoted: []string{"F1"}})
	moved := merging(debate.AwaitingHuman, debate.Human{})
	moved.LinkedHash = "l9"
	text := func(d debate.Decision) string { m, _ := questionIn(asks(reviewed(), 5, d), "f0"); return m.Text }
	pushed := func(s *Snapshot) { s.Pull.HeadSHA = head2 }
	known := func(change func(*Item)) func(*Snapshot) { return func(s *Snapshot) { change(&s.checkpoint.Items[0]) } }
	inComment := func(s *Snapshot) {
		s.Issue, s.checkpoint.Issue, s.checkpoint.Items[0].Text = gh.Issue{}, 0, ""
	}
	askedThen := func(when int64) func(*Snapshot) {
		return func(s *Snapshot) { s.checkpoint.Debate.Agenda.Decisions[0].Human.AskedAt = when }
	}
	noIssue := func(s *Snapshot) { s.Issue = gh.Issue{} }
	another := func(w *settlement) { w.posts.issue = asks(scene{w.snap}, 6, waits) } // and not issue 5
	one := func() scene {
		return remembers(5, merging(debate.AwaitingHuman, debate.Human{AskedAt: 50})).set(known(func(i *Item) { i.AskedAt = 40 }))
	}
	base := Item{Decision: "D0", Fingerprint: "f0", Head: head1, Text: text(waits), AskedAt: 40}
	as := func(change func(*Item)) Item {
		i := base
		change(&i)
		return i
	}
	anew := as(func(i *Item) { i.AskedAt = 0 })
	rows := []struct {
		name      string
		s         scene
		d         debate.Decision
		change    func(*settlement)
		want      Item
		issue     int
		recreated bool
	}{
		{"as before", one(), waits, nil, base, 5, false},
		{"on a new head with the same lines", one().set(pushed), waits, nil, as(func(i *Item) { i.Head = head2 }), 5, false},
		{"on a new head with other lines", one().set(pushed), moved, nil, as(func(i *Item) { i.Head = head2 }), 5, false},
		{"in other words", one().set(func(s *Snapshot) { s.Issue = asks(scene{s}, 5, changed) }), changed, nil, as(func(i *Item) { i.Text, i.AskedAt = text(changed), 0 }), 5, false},
		{"nothing is sealed", one().set(func(s *Snapshot) { s.sealed = false }), waits, nil, anew, 5, false},
		{"its text is restored", one().edits("carol", 1), waits, nil, anew, 5, false},
		{"its text is not restored without a review", one().edits("carol", 1), waits, func(w *settlement) { w.state.Received.Recall = &debate.Memory{} }, base, 5, false},
		{"answered", one(), answered, func(w *settlement) { w.outcomes.answered["f0"] = 9 }, as(func(i *Item) { i.Answered = 9 }), 5, false},
		{"answered before", one().set(known(func(i *Item) { i.Answered = 8 })), waits, func(w *settlement) { w.outcomes.answered["f0"] = 7 }, as(func(i *Item) { i.Answered = 8 }), 5, false},
		{"its issue took the place of another one", one().set(noIssue), waits, another, base, 6, true},
		{"its issue took the place of one that stands", one(), waits, another, base, 6, false},
		{"it has an issue for the first time", one().set(noIssue).set(func(s *Snapshot) { s.checkpoint.Issue = 0 }), waits, another, base, 6, false},
		{"its issue was made anew before", one().set(func(s *Snapshot) { s.checkpoint.Recreated = true }), waits, nil, base, 5, true},
		{"its issue is gone", one().set(noIssue), waits, nil, as(func(i *Item) { i.Text, i.AskedAt = "", 0 }), 0, false},
		{"in a comment, asked then", one().set(inComment), waits, nil, as(func(i *Item) { i.Text = "" }), 0, false},
		{"in a comment, asked anew", one().set(inComment).set(askedThen(30)), waits, nil, as(func(i *Item) { i.Text, i.AskedAt = "", 0 }), 0, false},
	}
	for _, row := range rows {
		w := settlingAfter(row.s, row.change, row.d)
		m := w.ledger.left
		w.place(&m)
		if len(m.Items) != 1 || m.Items[0] != row.want || m.Issue != row.issue || m.Recreated != row.recreated {
			t.Errorf("%s: %+v in issue %d, recreated %t", row.name, m.Items, m.Issue, m.Recreated)
		}
	}
}

// settlingAfter is settling with a change.
func settlingAfter(s scene, change func(*settlement), decisions ...debate.Decision) settlement {
	w := settling(s, decisions...)
	if change != nil {
		change(&w)
	}
	return w
}

// TestItemsOfAStranger: where no model saw the push of a stranger, what was asked about an
// earlier head stays asked.
func TestItemsOfAStranger(t *testing.T) {
	t.Parallel()
	other := cipher(debate.AwaitingHuman, debate.Human{})
	byStranger := func(w *settlement) { w.state.Received.Settings.Stranger = true }
	pushed := func() scene { return both().set(func(s *Snapshot) { s.Pull.HeadSHA = head2 }) }
	inWords := merging(debate.Settled, debate.Human{})
	inWords.Human = nil
	show := func(w settlement) string {
		w.place(&w.ledger.left)
		return strings.Join(lists.Map(w.ledger.left.Items, func(i Item) string { return i.Decision + " " + short(i.Head) }), ", ")
	}
	if got := show(settlingAfter(pushed(), byStranger, other, inWords)); got != "D0 111111111111, D2 222222222222" {
		t.Errorf("a stranger's: %s", got)
	}
	if got := show(settlingAfter(pushed(), nil, other, inWords)); got != "D2 222222222222" {
		t.Errorf("reviewed: %s", got)
	}
}

// TestTold: our note on the issue says if people without the right to decide were told.
func TestTold(t *testing.T) {
	t.Parallel()
	note := func(key string) string { return comment.Marker{Kind: comment.NoteMark, Value: key}.String() }
	for name, c := range map[string]struct {
		body string
		mine bool
		want bool
	}{
		"our note":             {note("told-5"), true, true},
		"another kind of note": {note("undone-5"), true, false},
		"a copy by a person":   {note("told-5"), false, false},
		"no note":              {"told-5", true, false},
	} {
		if got := told(gh.Issue{Comments: []gh.Comment{{}, {Body: c.body, Mine: c.mine}}}); got != c.want {
			t.Errorf("%s: told %t", name, got)
		}
	}
}
