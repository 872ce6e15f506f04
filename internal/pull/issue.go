package pull

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// wantItem is the issue for the decisions of the state: one for all decisions for people
// (M22), open while any of them awaits a person; nil to leave it.
func (w settlement) wantItem() *comment.Item {
	decisions := w.state.Agenda.Decisions
	asked := inIssue(decisions)
	decided := lists.Keep(decisions, func(d debate.Decision) bool {
		_, isThere := questionIn(w.posts.issue, d.Fingerprint)
		return isThere && d.Outcome == debate.HumanDecided
	})
	// A person closed an issue that still has this label, and has to read the result.
	labelled := slices.ContainsFunc(w.posts.issue.Labels, func(l string) bool { return strings.EqualFold(l, w.snap.config.Escalation.Label) })
	switch {
	case len(asked) > 0:
		return w.openItem(asked, decided)
	case w.posts.issue.Number == 0:
		return nil
	case len(idsWith(decisions, debate.Withdrawn)) > 0:
		return takenBack(w.snap)
	case len(decided) > 0:
		stays := func(o debate.Option) bool { return o.StatusQuo && o.ID == decided[0].Human.Option }
		return &comment.Item{
			Status: debate.ItemDecided, NotPlanned: slices.ContainsFunc(decided[0].Options, stays),
			Labels: []string{labelDecided}, Unlabel: []string{w.snap.config.Escalation.Label},
			Notes: append(w.decisionNotes(decided, false), w.outcomes.undone...),
		}
	case w.snap.asksForMore(w.state, w.posts.issue), !w.posts.issue.Open && !labelled:
		return nil
	case w.snap.isOpen():
		return w.supersededItem(w.snap.Pull.HeadSHA)
	}
	return takenBack(w.snap)
}

// supersededItem is the issue if a newer head no longer asks its questions.
func (w settlement) supersededItem(head string) *comment.Item {
	return &comment.Item{
		Status: debate.ItemSuperseded, Unlabel: []string{w.snap.config.Escalation.Label},
		Notes: []comment.Note{{Key: "superseded-" + short(head), Body: string(report.IssueSuperseded(w.view(), head))}},
	}
}

// decisionNotes tell the decisions of people, one each.
func (w settlement) decisionNotes(decided []debate.Decision, more bool) []comment.Note {
	var notes []comment.Note
	e, view := report.FromState(w.state), w.view()
	for _, d := range decided {
		key := fmt.Sprintf("decided-%d-%s", d.Human.At, d.Fingerprint[:min(8, len(d.Fingerprint))])
		notes = append(notes, comment.Note{Key: key, Body: string(report.IssueDecided(e, d.ID, view, more))})
	}
	return notes
}

// openItem is the issue while it has an open question. Decided ones are named in it and
// no longer asked. If its text is written again, a note says so.
func (w settlement) openItem(asked, decided []debate.Decision) *comment.Item {
	item := &comment.Item{
		Status: debate.ItemAwaiting, Labels: []string{w.snap.config.Escalation.Label}, Unlabel: []string{labelDecided},
		Notes: append(w.decisionNotes(decided, true), w.outcomes.undone...),
	}
	if at := slices.IndexFunc(asked, func(d debate.Decision) bool { return d.Human.Reminded }); at >= 0 {
		item.Notes = append(item.Notes, comment.Note{Key: "reminder", Body: string(report.Reminder(int(w.runner.Now().Sub(time.UnixMilli(asked[at].Human.AskedAt)).Hours() / 24)))})
	}
	issue, marks := w.posts.issue, w.marks(asked, decided)
	restored := w.restores(issue)
	sameBase := slices.Contains([]string{"", w.snap.Pull.BaseRef}, w.snap.checkpoint.BaseRef) // else an answer lapsed, which the text has to say
	if !restored && sameBase && slices.Equal(questionsIn(issue.Body), marks) {                // it shows the question as it was asked
		isTold := slices.ContainsFunc(asked, func(d debate.Decision) bool { return told(w.snap.about(d.Fingerprint)) })
		item.Rests = isTold && len(w.outcomes.undone) == 0
		return item
	}
	isNew := func(d debate.Decision) bool { m, _ := questionIn(issue, d.Fingerprint); return m.Text != w.textOf(d) }
	if issue.Number != 0 && (restored || slices.ContainsFunc(asked, isNew)) {
		editor, at := "", int64(0)
		if restored {
			editor, at = issue.EditedBy.Login, millis(issue.EditedAt)
		}
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %q", at, lists.Map(asked, w.textOf)))
		item.Notes = append(item.Notes, comment.Note{
			Key: "asked-" + hex.EncodeToString(sum[:8]), Body: string(report.AskedAnew(w.asking(asked), w.snap.Pull.HeadSHA, editor)),
		})
	}
	item.Title, item.Body = w.itemBody(asked, decided)
	return item
}

// marks are the markers of the questions of an issue.
func (w settlement) marks(asked, decided []debate.Decision) []comment.Marker {
	mark := func(d debate.Decision, text string) comment.Marker {
		return w.snap.sign(d.Fingerprint, d.ID, w.snap.Pull.HeadSHA, text)
	}
	return append(
		lists.Map(asked, func(d debate.Decision) comment.Marker { return mark(d, w.textOf(d)) }),
		lists.Map(decided, func(d debate.Decision) comment.Marker { return mark(d, comment.AnsweredText) })...)
}

// restores reports whether a review rewrites an issue after an edit by another account.
func (w settlement) restores(issue gh.Issue) bool {
	return w.state.Received.Recall == nil && tampered(issue)
}

// itemBody renders questions with their signed markers.
func (w settlement) itemBody(asked, decided []debate.Decision) (title, body string) {
	named := lists.Map(w.snap.config.Escalation.Notify, func(who config.Handle) string { return string(who) })
	title, text := report.Issue(report.FromState(w.state), idsOf(slices.Concat(asked, decided)), w.asking(asked), append(named, w.posts.reviewers...)...)
	return title, comment.Mark(string(text), lists.Map(w.marks(asked, decided), comment.Marker.String)...)
}

// place notes where the questions are, for the next run.
func (w settlement) place(m *Checkpoint) {
	var items []Item
	for _, d := range posed(w.state.Agenda.Decisions) {
		before := w.snap.believed().decision(d.Fingerprint)
		known := lists.Find(m.Items, func(i Item) bool { return i.Fingerprint == d.Fingerprint })
		mark, _ := questionIn(w.posts.issue, d.Fingerprint)
		item := Item{
			Decision: d.ID, Fingerprint: d.Fingerprint, Head: w.snap.Pull.HeadSHA, Text: mark.Text,
			Answered: max(known.Answered, w.outcomes.answered[d.Fingerprint]),
		}
		isOld := w.snap.sealed && item.Text == known.Text && !w.restores(w.snap.about(d.Fingerprint))
		if isOld && (item.Text != "" || before.Human != nil && before.Human.AskedAt == d.Human.AskedAt) {
			item.AskedAt = w.snap.askedAt(known) // in the same words, so not asked again
		}
		items = append(items, item)
	}
	if w.snap.asksForMore(w.state, w.posts.issue) {
		items = append(lists.Keep(m.Items, func(item Item) bool {
			return decisionOf(w.state.Agenda.Decisions, item.Fingerprint).Human == nil
		}), items...)
	}
	number := w.posts.issue.Number
	replaces := m.Issue != 0 && w.snap.Issue.Number == 0 && number != 0
	m.Items, m.Issue, m.Recreated = items, number, m.Recreated || replaces
}

// asking is the pull request as a question shows it: with the lines in question and the
// news since an earlier answer.
func (w settlement) asking(asked []debate.Decision) report.Pull {
	view := w.view()
	view.Hits, view.News = make(map[string][]report.Hit), make(map[string]report.News)
	for _, d := range asked {
		view.Hits[d.ID] = w.hits(d)
		if len(d.Human.Earlier) > 0 {
			was := d.Human.Earlier[0]
			view.News[d.ID] = report.News{By: was.By, Option: was.Option, Head: was.Head, Found: w.newSince()}
			continue
		}
		if was := w.snap.checkpoint.decision(d.Fingerprint); was.Outcome == debate.HumanDecided { // on the head before
			view.News[d.ID] = report.News{By: was.Human.By, Option: was.Human.Option, Head: was.Human.Head, Found: w.reasonsBeside(was, d)}
		}
	}
	return view
}

// reasonsBeside are the reasons for a question that an answer to it did not have, or why the
// answer does not hold.
func (w settlement) reasonsBeside(was, d debate.Decision) []string {
	known := func(t debate.Trigger) bool {
		return slices.ContainsFunc(was.Triggers, func(o debate.Trigger) bool { return o.Path == t.Path && o.Detail == t.Detail })
	}
	further := slices.DeleteFunc(slices.Clone(d.Triggers), known)
	why := w.snap.lapsed(debate.PriorDecision{Fingerprint: was.Fingerprint, PersonAnswer: debate.PersonAnswer{By: was.Human.By, At: was.Human.At}})
	switch {
	case why != "":
		return []string{why}
	case len(further) == 0:
		return []string{"the lines in question changed"}
	}
	return lists.Map(further[:min(len(further), maxNews)], func(t debate.Trigger) string { return t.Path + ": " + comment.Clip(t.Detail, 120) })
}

// maxNews bounds the news since an answer.
const maxNews = 20

// newSince are the new findings since a person decided to merge, or else the accepted
// objection.
func (w settlement) newSince() []string {
	var list []string
	for _, claim := range w.state.NewSince() {
		c := lists.Find(w.state.Book.Claims, func(c debate.Claim) bool { return c.ID == claim })
		list = append(list, claim+" "+string(c.Severity)+" "+comment.Clip(c.Title, 120)+" ("+c.Cite().String()+")")
	}
	if len(list) == 0 {
		return []string{"the models accepted an objection"}
	}
	return list[:min(len(list), maxNews)]
}

// hits are the lines of a question: one for each of its triggers, and then the critic's
// findings of the same kind elsewhere in the same files.
func (w settlement) hits(d debate.Decision) []report.Hit {
	var first, further []report.Hit
	ofCritic := lists.Keep(w.state.Book.Claims, func(c debate.Claim) bool { return c.Owner == debate.EngineParty && c.Cite().Path != "" })
	for _, t := range d.Triggers {
		first = append(first, w.hit(t.Path, t.Side, t.Line, t.Detail, t.By))
		for _, c := range ofCritic {
			at := c.Cite()
			here := at.Side == t.Side && at.StartLine == t.Line
			if c.Trigger == t.ID && at.Path == t.Path && !here {
				further = append(further, w.hit(at.Path, at.Side, at.StartLine, c.Title, nil))
			}
		}
	}
	return append(first, further...)
}

// hit is a place with its line.
func (w settlement) hit(path string, side debate.Side, line int, says string, by []string) report.Hit {
	h := report.Hit{Path: path, Side: side, Line: line, Says: says, By: by}
	if text, ok := w.lines.Line(path, side, line); ok {
		h.Text = w.snap.clean(text)
	}
	return h
}
