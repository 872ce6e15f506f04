package pull

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// wantItems is the issue for the decisions of the state: one for all decisions for people
// (M22), open while any of them awaits a person.
func (w settlement) wantItems() []comment.Item {
	decisions := w.state.Agenda.Decisions
	asked := waitingIn(decisions, debate.SinkIssue)
	decided := lists.Keep(decisions, func(d debate.Decision) bool {
		_, isThere := questionIn(w.board.one(), d.Fingerprint)
		return isThere && d.Outcome == debate.HumanDecided
	})
	withdrawn := hasOutcome(decisions, debate.Withdrawn)
	switch {
	case len(asked) > 0:
		return []comment.Item{w.openItem(asked, decided)}
	case w.board.one().Number == 0:
		return nil
	case withdrawn:
		return []comment.Item{takenBackItem(w.snap)}
	case len(decided) > 0:
		return []comment.Item{w.decidedItem(decided)}
	case w.snap.asksForMore(w.state, w.board.issues), !w.board.issues.anyOpen():
		return nil
	case w.snap.isOpen():
		return []comment.Item{w.supersededItem(w.snap.pull.HeadSHA)}
	}
	return []comment.Item{takenBackItem(w.snap)}
}

// supersededItem is the issue if a newer head no longer asks its questions.
func (w settlement) supersededItem(head string) comment.Item {
	return comment.Item{
		Key: issueKey, Status: debate.ItemSuperseded, Unlabel: []string{w.snap.config.Escalation.Label},
		Notes: []comment.Note{{Key: "superseded-" + short(head), Body: string(report.IssueSuperseded(w.view(), head, ""))}},
	}
}

// decidedItem is the issue once nothing in it awaits a person any more.
func (w settlement) decidedItem(decided []debate.Decision) comment.Item {
	stays := func(o debate.Option) bool { return o.StatusQuo && o.ID == decided[0].Human.Option }
	return comment.Item{
		Key: issueKey, Status: debate.ItemDecided, NotPlanned: slices.ContainsFunc(decided[0].Options, stays),
		Labels: []string{labelDecided}, Unlabel: []string{w.snap.config.Escalation.Label},
		Notes: append(w.decisionNotes(decided, false), w.notesOn(decided)...),
	}
}

// decisionNotes tell the decisions of people, one each.
func (w settlement) decisionNotes(decided []debate.Decision, more bool) []comment.Note {
	var notes []comment.Note
	e, view := report.FromState(w.state), w.view()
	for _, d := range decided {
		key := fmt.Sprintf("decided-%d", d.Human.At)
		if d.ID != "D0" {
			key = fmt.Sprintf("decided-%d-%s", d.Human.At, d.Fingerprint[:min(8, len(d.Fingerprint))])
		}
		notes = append(notes, comment.Note{Key: key, Body: string(report.IssueDecided(e, d.ID, view, more))})
	}
	return notes
}

// notesOn are the notes about answers to questions of the issue.
func (w settlement) notesOn(list []debate.Decision) []comment.Note {
	var notes []comment.Note
	for _, d := range list {
		for _, n := range w.outcomes.undone[d.Fingerprint] {
			if !slices.ContainsFunc(notes, func(said comment.Note) bool { return said.Key == n.Key }) {
				notes = append(notes, n)
			}
		}
	}
	return notes
}

// openItem is the issue while it has an open question. Decided ones are named in it and
// no longer asked.
func (w settlement) openItem(asked, decided []debate.Decision) comment.Item {
	item := comment.Item{
		Key: issueKey, Status: debate.ItemAwaiting, Labels: []string{w.snap.config.Escalation.Label}, Unlabel: []string{labelDecided},
		Notes: append(w.decisionNotes(decided, true), w.notesOn(slices.Concat(asked, decided))...),
	}
	if at := slices.IndexFunc(asked, func(d debate.Decision) bool { return d.Human.Reminded }); at >= 0 {
		item.Notes = append(item.Notes, comment.Note{Key: "reminder", Body: string(report.Reminder(int(w.at.Sub(time.UnixMilli(asked[at].Human.AskedAt)).Hours() / 24)))})
	}
	issue, restored := w.board.one(), w.restores(w.board.one())
	if !restored && w.asksNow(issue, asked, decided) { // it shows the question as it was asked
		isTold := slices.ContainsFunc(asked, func(d debate.Decision) bool { return w.snap.checkpoint.item(d.Fingerprint).Told })
		item.Rests = isTold && len(w.notesOn(asked)) == 0
		return item
	}
	if issue.Number != 0 {
		item.Notes = append(item.Notes, w.askedAnew(issue, asked, restored, len(item.Notes) > 0)...)
	}
	item.Title, item.Body = w.itemBody(asked, decided)
	return item
}

// marks are the markers of the questions of an issue.
func (w settlement) marks(asked, decided []debate.Decision) []comment.Marker {
	mark := func(d debate.Decision, text string) comment.Marker {
		return w.snap.sign(d.Fingerprint, d.ID, w.snap.pull.HeadSHA, text)
	}
	return append(
		lists.Map(asked, func(d debate.Decision) comment.Marker { return mark(d, w.textOf(d)) }),
		lists.Map(decided, func(d debate.Decision) comment.Marker { return mark(d, comment.AnsweredText) })...)
}

// asksNow reports whether an issue asks these questions about this head. A single
// question by an earlier version about this head stays as it is.
func (w settlement) asksNow(issue gh.Issue, asked, decided []debate.Decision) bool {
	stands, want := questionsIn(issue.Body), w.marks(asked, decided)
	if len(stands) == 1 && len(want) == 1 && stands[0].Text == "" {
		m := stands[0]
		return m.Value == want[0].Value && m.Head == want[0].Head && w.snap.signed(m)
	}
	return slices.Equal(stands, want)
}

// news are the questions that are not in an issue in these words.
func (w settlement) news(issue gh.Issue, asked []debate.Decision) []debate.Decision {
	return lists.Keep(asked, func(d debate.Decision) bool {
		m, _ := questionIn(issue, d.Fingerprint)
		return m.Text != w.textOf(d)
	})

}

// askedAnew says on an issue why its text is written again (M22). Silent: something is
// said already about why it is open again.
func (w settlement) askedAnew(issue gh.Issue, asked []debate.Decision, restored, silent bool) []comment.Note {
	head := w.snap.pull.HeadSHA
	news := w.news(issue, asked)
	waited := func(d debate.Decision) bool {
		return w.snap.checkpoint.decision(d.Fingerprint).Outcome == debate.AwaitingHuman
	}
	switch {
	case restored:
		by, at := tampering(issue)
		return []comment.Note{{Key: fmt.Sprintf("restored-%d", millis(at)), Body: string(report.Restored(by.Login))}}
	case !issue.Open && !silent && !slices.ContainsFunc(asked, waited):
		return []comment.Note{{Key: "again-" + short(head), Body: string(report.AskedAgain(w.asking(asked), head))}}
	case len(news) > 0:
		sum := sha256.New()
		for _, d := range news {
			fmt.Fprintf(sum, "%s ", w.textOf(d))
		}
		key := "changed-" + hex.EncodeToString(sum.Sum(nil)[:8])
		isNew := func(d debate.Decision) bool { _, asks := questionIn(issue, d.Fingerprint); return !asks }
		body := report.QuestionsChanged(report.FromState(w.state), w.view(), idsOf(lists.Keep(news, isNew)), idsOf(lists.Keep(news, func(d debate.Decision) bool { return !isNew(d) })))
		return []comment.Note{{Key: key, Body: string(body)}}
	}
	return nil
}

// restores reports whether a review rewrites an issue after an edit by another account.
func (w settlement) restores(issue gh.Issue) bool {
	return w.state.Received.Recall == nil && tampered(issue)
}

// before is the answer from before a push, nil if there was none.
func (w settlement) before(d debate.Decision) *Before {
	m := w.snap.believed()
	was := lists.Find(m.Debate.Agenda.Decisions, func(x debate.Decision) bool { return x.ID == d.ID && x.Question == d.Question })
	switch {
	case was.Outcome != debate.HumanDecided, was.Human == nil:
		return m.item(was.Fingerprint).Before
	case w.state.Received.Recall != nil: // it is taken back
		return nil
	case was.Fingerprint == d.Fingerprint && was.LinkedHash == d.LinkedHash: // no push is the reason
		return nil
	}
	return &Before{By: was.Human.By, Option: was.Human.Option, Head: was.Human.Head, Hits: hitsOf(was)}
}

// hitsOf are the places of a question without line numbers, because lines move.
func hitsOf(d debate.Decision) []string {
	var hits []string
	for _, t := range d.Triggers {
		if t.Path != "" {
			hits = noted(hits, t.Path+": "+comment.Clip(t.Detail, 120))
		}
	}
	return hits[:min(len(hits), maxHits)]
}

// itemBody renders questions with their signed markers.
func (w settlement) itemBody(asked, decided []debate.Decision) (title, body string) {
	named := lists.Map(w.snap.config.Escalation.Notify, func(who config.Handle) string { return string(who) })
	about := report.Asked{At: day(asked[0].Human.AskedAt), Notify: append(named, w.board.reviewers...)}
	title, text := report.Issue(report.FromState(w.state), idsOf(slices.Concat(asked, decided)), w.asking(asked), about)
	return title, comment.Mark(string(text), lists.Map(w.marks(asked, decided), comment.Marker.String)...)
}

func day(at int64) string { return time.UnixMilli(at).UTC().Format("2 January 2006") }

// estranged are issues of our account with questions of now but a signature by another
// key or none. They are taken over and rewritten; earlier answers there do not count.
func (w settlement) estranged(all []gh.Issue) []gh.Issue {
	if w.board.one().Number != 0 {
		return nil
	}
	return lists.Keep(all, func(issue gh.Issue) bool {
		if !w.snap.asks(issue) {
			return false
		}
		return slices.ContainsFunc(questionsIn(issue.Body), func(m comment.Marker) bool {
			return !w.snap.signed(m) && waitsIn(decisionOf(w.state.Agenda.Decisions, m.Value), debate.SinkIssue)
		})
	})

}

// mayOpenIssue reports whether an issue has to be opened, as far as is known.
func (w settlement) mayOpenIssue() bool {
	return len(waitingIn(w.state.Agenda.Decisions, debate.SinkIssue)) > 0 && w.board.one().Number == 0
}

// items are the places of the questions, for the next run.
func (w settlement) items() (items []Item) {
	if w.snap.asksForMore(w.state, w.board.issues) {
		items = lists.Keep(w.ledger.left.Items, func(item Item) bool {
			return decisionOf(w.state.Agenda.Decisions, item.Fingerprint).Human == nil
		})

	}
	return append(items, lists.Map(posed(w.state.Agenda.Decisions), w.standingNow)...)
}

// standingNow is the current place of a question.
func (w settlement) standingNow(d debate.Decision) Item {
	known, before := w.ledger.left.item(d.Fingerprint), w.snap.believed().decision(d.Fingerprint)
	restored := w.restores(w.snap.issues.about(d.Fingerprint))
	item := Item{
		Decision: d.ID, Fingerprint: d.Fingerprint, Sink: d.Human.Sink, Head: w.snap.pull.HeadSHA,
		Answered:  max(known.Answered, w.outcomes.answered[d.Fingerprint]),
		Recreated: known.Recreated, Heads: w.headsOf(d, known, before),
	}
	if d.Outcome == debate.AwaitingHuman {
		item.Before = w.before(d)
	}
	if issue := w.board.issues.about(d.Fingerprint); issue.Number != 0 {
		m, _ := questionIn(issue, d.Fingerprint)
		item.Issue, item.URL, item.Text = issue.Number, issue.URL, m.Text
		if known.Issue != 0 && known.Issue != issue.Number && !w.snap.issues.has(known.Issue) {
			item.Recreated = true // it replaced a lost one
		}
	}
	switch {
	case !w.snap.sealed, restored, item.Text != known.Text:
	case item.Text != "", before.Human != nil && before.Human.AskedAt == d.Human.AskedAt:
		item.AskedAt = w.snap.issues.askedAt(known) // in the same words, so not asked again
	}
	return item
}

// headsOf are the earlier heads with the same lines in question, if the summary has a
// seal.
func (w settlement) headsOf(d debate.Decision, known Item, before debate.Decision) []string {
	switch {
	case before.LinkedHash != d.LinkedHash, known.Head == "":
		return nil
	case known.Head == w.snap.pull.HeadSHA:
		return known.Heads
	}
	heads := append(slices.Clone(known.Heads), known.Head)
	return heads[max(0, len(heads)-maxHeads):]
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
			view.News[d.ID] = report.News{By: was.By, Option: was.Option, Head: was.Head, Beside: w.newSince()}
		} else if b := w.before(d); b != nil {
			further := lists.Keep(hitsOf(d), func(hit string) bool { return !slices.Contains(b.Hits, hit) })
			view.News[d.ID] = report.News{By: b.By, Option: b.Option, Head: b.Head, Hits: further}
		}
	}
	return view
}

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
	return list[:min(len(list), maxHits)]
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
