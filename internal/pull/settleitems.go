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
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/report"
)

// questions are the open and decided questions of a pull request, with the issue for
// them. They write nothing.
type questions struct {
	snap      *Snapshot
	state     debate.State
	issues    ownIssues   // by now
	one       gh.Issue    // for people, the zero value if there is none
	reviewers []string    // for the mentions of the issue
	left      *Checkpoint // for the next run
	outcomes  *outcomes
	lines     *patch.Index // nil if no change was read
	view      report.Pull
	at        time.Time
}

// questions are those of a settlement.
func (w settlement) questions() questions {
	return questions{
		snap: w.snap, state: w.state, issues: w.board.issues, one: w.board.one(), reviewers: w.board.reviewers,
		left: &w.ledger.left, outcomes: w.outcomes, lines: w.lines, view: w.view(), at: w.at,
	}
}

// wantItems is the issue for the decisions of the state: one for all decisions for people
// (M22), open while any of them awaits a person.
func (q questions) wantItems() []comment.Item {
	decisions := q.state.Agenda.Decisions
	asked := waitingIn(decisions, debate.SinkIssue)
	decided := lists.Keep(decisions, func(d debate.Decision) bool {
		_, isThere := questionIn(q.one, d.Fingerprint)
		return isThere && d.Outcome == debate.HumanDecided
	})
	withdrawn := hasOutcome(decisions, debate.Withdrawn)
	switch {
	case len(asked) > 0:
		return []comment.Item{q.openItem(asked, decided)}
	case q.one.Number == 0:
		return nil
	case withdrawn:
		return []comment.Item{takenBackItem(q.snap)}
	case len(decided) > 0:
		return []comment.Item{q.decidedItem(decided)}
	case q.snap.asksForMore(q.state, q.issues), !q.issues.anyOpen():
		return nil
	case q.snap.isOpen():
		return []comment.Item{q.supersededItem(q.snap.pull.HeadSHA)}
	}
	return []comment.Item{takenBackItem(q.snap)}
}

// supersededItem is the issue if a newer head no longer asks its questions.
func (q questions) supersededItem(head string) comment.Item {
	return comment.Item{
		Key: issueKey, Status: debate.ItemSuperseded, Unlabel: []string{q.snap.config.Escalation.Label},
		Notes: []comment.Note{{Key: "superseded-" + short(head), Body: string(report.IssueSuperseded(q.view, head, ""))}},
	}
}

// decidedItem is the issue once nothing in it awaits a person any more.
func (q questions) decidedItem(decided []debate.Decision) comment.Item {
	stays := func(o debate.Option) bool { return o.StatusQuo && o.ID == decided[0].Human.Option }
	return comment.Item{
		Key: issueKey, Status: debate.ItemDecided, NotPlanned: slices.ContainsFunc(decided[0].Options, stays),
		Labels: []string{labelDecided}, Unlabel: []string{q.snap.config.Escalation.Label},
		Notes: append(q.decisionNotes(decided, false), q.notesOn(decided)...),
	}
}

// decisionNotes tell the decisions of people, one each.
func (q questions) decisionNotes(decided []debate.Decision, more bool) []comment.Note {
	var notes []comment.Note
	e, view := report.FromState(q.state), q.view
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
func (q questions) notesOn(list []debate.Decision) []comment.Note {
	var notes []comment.Note
	for _, d := range list {
		for _, n := range q.outcomes.undone[d.Fingerprint] {
			if !slices.ContainsFunc(notes, func(said comment.Note) bool { return said.Key == n.Key }) {
				notes = append(notes, n)
			}
		}
	}
	return notes
}

// openItem is the issue while it has an open question. Decided ones are named in it and
// no longer asked.
func (q questions) openItem(asked, decided []debate.Decision) comment.Item {
	item := comment.Item{
		Key: issueKey, Status: debate.ItemAwaiting, Labels: []string{q.snap.config.Escalation.Label}, Unlabel: []string{labelDecided},
		Notes: append(q.decisionNotes(decided, true), q.notesOn(slices.Concat(asked, decided))...),
	}
	if at := slices.IndexFunc(asked, func(d debate.Decision) bool { return d.Human.Reminded }); at >= 0 {
		item.Notes = append(item.Notes, comment.Note{Key: "reminder", Body: q.reminder(asked[at])})
	}
	issue, restored := q.one, q.restores(q.one)
	if !restored && q.asksNow(issue, asked, decided) { // it shows the question as it was asked
		isTold := slices.ContainsFunc(asked, func(d debate.Decision) bool { return q.snap.checkpoint.item(d.Fingerprint).Told })
		item.Rests = isTold && len(q.notesOn(asked)) == 0
		return item
	}
	if issue.Number != 0 {
		item.Notes = append(item.Notes, q.askedAnew(issue, asked, restored, len(item.Notes) > 0)...)
	}
	item.Title, item.Body = q.itemBody(asked, decided)
	return item
}

// marks are the markers of the questions of an issue.
func (q questions) marks(asked, decided []debate.Decision) []comment.Marker {
	mark := func(d debate.Decision, text string) comment.Marker {
		return q.snap.signer().sign(d.Fingerprint, d.ID, q.snap.pull.HeadSHA, text)
	}
	return append(
		lists.Map(asked, func(d debate.Decision) comment.Marker { return mark(d, q.textOf(d)) }),
		lists.Map(decided, func(d debate.Decision) comment.Marker { return mark(d, comment.AnsweredText) })...)
}

// asksNow reports whether an issue asks these questions about this head. A single
// question by an earlier version about this head stays as it is.
func (q questions) asksNow(issue gh.Issue, asked, decided []debate.Decision) bool {
	stands, want := questionsIn(issue.Body), q.marks(asked, decided)
	if len(stands) == 1 && len(want) == 1 && stands[0].Text == "" {
		m := stands[0]
		return m.Value == want[0].Value && m.Head == want[0].Head && q.snap.signer().signed(m)
	}
	return slices.Equal(stands, want)
}

// news are the questions that are not in an issue in these words.
func (q questions) news(issue gh.Issue, asked []debate.Decision) []debate.Decision {
	return lists.Keep(asked, func(d debate.Decision) bool {
		m, _ := questionIn(issue, d.Fingerprint)
		return m.Text != q.textOf(d)
	})

}

// askedAnew says on an issue why its text is written again (M22). Silent: something is
// said already about why it is open again.
func (q questions) askedAnew(issue gh.Issue, asked []debate.Decision, restored, silent bool) []comment.Note {
	head := q.snap.pull.HeadSHA
	news := q.news(issue, asked)
	waited := func(d debate.Decision) bool {
		return q.snap.checkpoint.decision(d.Fingerprint).Outcome == debate.AwaitingHuman
	}
	switch {
	case restored:
		by, at := tampering(issue)
		return []comment.Note{{Key: fmt.Sprintf("restored-%d", millis(at)), Body: string(report.Restored(by.Login))}}
	case !issue.Open && !silent && !slices.ContainsFunc(asked, waited):
		return []comment.Note{{Key: "again-" + short(head), Body: string(report.AskedAgain(q.asking(asked), head))}}
	case len(news) > 0:
		sum := sha256.New()
		for _, d := range news {
			fmt.Fprintf(sum, "%s ", q.textOf(d))
		}
		key := "changed-" + hex.EncodeToString(sum.Sum(nil)[:8])
		isNew := func(d debate.Decision) bool { _, asks := questionIn(issue, d.Fingerprint); return !asks }
		body := report.QuestionsChanged(report.FromState(q.state), q.view, idsOf(lists.Keep(news, isNew)), idsOf(lists.Keep(news, func(d debate.Decision) bool { return !isNew(d) })))
		return []comment.Note{{Key: key, Body: string(body)}}
	}
	return nil
}

// restores reports whether a review rewrites an issue after an edit by another account.
func (q questions) restores(issue gh.Issue) bool {
	return q.state.Received.Recall == nil && tampered(issue)
}

// before is the answer from before a push, nil if there was none.
func (q questions) before(d debate.Decision) *Before {
	m := q.snap.believed()
	was := lists.Find(m.Debate.Agenda.Decisions, func(x debate.Decision) bool { return x.ID == d.ID && x.Question == d.Question })
	switch {
	case was.Outcome != debate.HumanDecided, was.Human == nil:
		return m.item(was.Fingerprint).Before
	case q.state.Received.Recall != nil: // it is taken back
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
func (q questions) itemBody(asked, decided []debate.Decision) (title, body string) {
	named := lists.Map(q.snap.config.Escalation.Notify, func(who config.Handle) string { return string(who) })
	about := report.Asked{At: day(asked[0].Human.AskedAt), Notify: append(named, q.reviewers...)}
	title, text := report.Issue(report.FromState(q.state), idsOf(slices.Concat(asked, decided)), q.asking(asked), about)
	return title, comment.Mark(string(text), lists.Map(q.marks(asked, decided), comment.Marker.String)...)
}

func (q questions) reminder(d debate.Decision) string {
	return string(report.Reminder(int(q.at.Sub(time.UnixMilli(d.Human.AskedAt)).Hours() / 24)))
}

func day(at int64) string { return time.UnixMilli(at).UTC().Format("2 January 2006") }

// estranged are issues of our account with questions of now but a signature by another
// key or none. They are taken over and rewritten; earlier answers there do not count.
func (q questions) estranged(all []gh.Issue) []gh.Issue {
	if q.one.Number != 0 {
		return nil
	}
	return lists.Keep(all, func(issue gh.Issue) bool {
		if !q.snap.signer().asks(issue) {
			return false
		}
		return slices.ContainsFunc(questionsIn(issue.Body), func(m comment.Marker) bool {
			return !q.snap.signer().signed(m) && waitsIn(decisionOf(q.state.Agenda.Decisions, m.Value), debate.SinkIssue)
		})
	})

}

// mayOpenIssue reports whether an issue is to be opened, as far as is known.
func (q questions) mayOpenIssue() bool {
	return len(waitingIn(q.state.Agenda.Decisions, debate.SinkIssue)) > 0 && q.one.Number == 0
}

// items are the places of the questions, for the next run.
func (q questions) items() (items []Item) {
	if q.snap.asksForMore(q.state, q.issues) {
		items = lists.Keep(q.left.Items, func(item Item) bool {
			return decisionOf(q.state.Agenda.Decisions, item.Fingerprint).Human == nil
		})

	}
	return append(items, lists.Map(posed(q.state.Agenda.Decisions), q.standingNow)...)
}

// standingNow is the current place of a question.
func (q questions) standingNow(d debate.Decision) Item {
	known, before := q.left.item(d.Fingerprint), q.snap.believed().decision(d.Fingerprint)
	restored := q.restores(q.snap.issues.about(d.Fingerprint))
	item := Item{
		Decision: d.ID, Fingerprint: d.Fingerprint, Sink: d.Human.Sink, Head: q.snap.pull.HeadSHA,
		Answered: max(known.Answered, q.outcomes.answered[d.Fingerprint]), Told: known.Told || q.outcomes.told[d.Fingerprint],
		Recreated: known.Recreated, Heads: q.headsOf(d, known, before),
	}
	if d.Outcome == debate.AwaitingHuman {
		item.Before = q.before(d)
	}
	if issue := q.issues.about(d.Fingerprint); issue.Number != 0 {
		m, _ := questionIn(issue, d.Fingerprint)
		item.Issue, item.URL, item.Text = issue.Number, issue.URL, m.Text
		if there := append([]int{0, issue.Number}, q.snap.issues.numbers()...); !slices.Contains(there, known.Issue) {
			item.Recreated = true // it replaced a lost one
		}
	}
	switch {
	case !q.snap.sealed, restored, item.Text != known.Text:
	case item.Text != "", askedAt(before) == d.Human.AskedAt:
		item.AskedAt = q.snap.issues.askedAt(known) // in the same words, so not asked again
	}
	return item
}

// askedAt is the time of the question of a decision, -1 if it has none.
func askedAt(d debate.Decision) int64 {
	if d.Human == nil {
		return -1
	}
	return d.Human.AskedAt
}

// headsOf are the earlier heads with the same lines in question, if the summary has a
// seal.
func (q questions) headsOf(d debate.Decision, known Item, before debate.Decision) []string {
	switch {
	case before.LinkedHash != d.LinkedHash, known.Head == "":
		return nil
	case known.Head == q.snap.pull.HeadSHA:
		return known.Heads
	}
	heads := append(slices.Clone(known.Heads), known.Head)
	return heads[max(0, len(heads)-maxHeads):]
}
