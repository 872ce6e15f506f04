package pull

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report"
)

// wantItems is the issue that shall stand for the decisions of the state: one for all
// that people decide (M22), open while any of them awaits a person.
func (w settlement) wantItems() []comment.Item {
	decisions := w.state.Agenda.Decisions
	asked, decided := waitingIn(decisions, debate.SinkIssue), w.decidedHere()
	one := w.board.one()
	withdrawn := hasOutcome(decisions, debate.Withdrawn)
	switch {
	case len(asked) > 0:
		return []comment.Item{w.openItem(asked, decided)}
	case one == nil:
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

// decidedHere are the decisions that people took and that stand in the issue.
func (w settlement) decidedHere() []debate.Decision {
	one := w.board.one()
	if one == nil {
		return nil
	}
	return keep(w.state.Agenda.Decisions, func(d debate.Decision) bool {
		_, stands := questionIn(*one, d.Fingerprint)
		return stands && d.Outcome == debate.HumanDecided && d.Human != nil
	})
}

// supersededItem is the issue of questions that a newer head does not ask.
func (w settlement) supersededItem(head string) comment.Item {
	return comment.Item{
		Key: issueKey, Status: debate.ItemSuperseded, Unlabel: []string{w.snap.config.Escalation.Label},
		Notes: []comment.Note{{Key: "superseded-" + short(head), Body: string(report.IssueSuperseded(w.view(), head, ""))}},
	}
}

// decidedItem is the issue once nothing in it awaits a person any more.
func (w settlement) decidedItem(decided []debate.Decision) comment.Item {
	return comment.Item{
		Key: issueKey, Status: debate.ItemDecided, NotPlanned: keepsStatusQuo(decided[0]),
		Labels: []string{labelDecided}, Unlabel: []string{w.snap.config.Escalation.Label},
		Notes: append(w.decisionNotes(decided, false), w.notesOn(decided)...),
	}
}

// decisionNotes say what people decided, once for each decision.
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

// notesOn is what is said about answers to questions of the issue.
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

// keepsStatusQuo reports whether a person decided that everything stays as it is.
func keepsStatusQuo(d debate.Decision) bool {
	return slices.ContainsFunc(d.Options, func(o debate.Option) bool { return o.StatusQuo && o.ID == d.Human.Option })
}

// openItem is the issue while questions in it await a person. Those that people decided
// are named in it, and asked no more.
func (w settlement) openItem(asked, decided []debate.Decision) comment.Item {
	item := comment.Item{
		Key: issueKey, Status: debate.ItemAwaiting, Labels: []string{w.snap.config.Escalation.Label}, Unlabel: []string{labelDecided},
		Notes: append(w.decisionNotes(decided, true), w.notesOn(slices.Concat(asked, decided))...), Rests: w.timesUndone(asked) > maxUndone,
	}
	if at := slices.IndexFunc(asked, func(d debate.Decision) bool { return d.Human.Reminded }); at >= 0 {
		item.Notes = append(item.Notes, comment.Note{Key: "reminder", Body: w.reminder(asked[at])})
	}
	issue, restored := w.board.one(), w.restores(asked)
	if issue != nil && !restored && w.asksNow(*issue, asked, decided) {
		return item // it stands there as it was asked
	}
	if issue != nil {
		item.Notes = append(item.Notes, w.askedAnew(*issue, asked, restored, len(item.Notes) > 0)...)
	}
	item.Title, item.Body = w.itemBody(asked, decided)
	return item
}

// marks are the markers of the questions of an issue.
func (w settlement) marks(asked, decided []debate.Decision) []comment.Marker {
	var marks []comment.Marker
	add := func(d debate.Decision, text string) {
		marks = append(marks, w.snap.signer().sign(d.Fingerprint, d.ID, w.snap.pull.HeadSHA, text))
	}
	for _, d := range asked {
		add(d, w.textOf(d))
	}
	for _, d := range decided {
		add(d, comment.AnsweredText)
	}
	return marks
}

// asksNow reports whether an issue asks these questions about this head. One question
// alone that an earlier version asked about it stays as it is.
func (w settlement) asksNow(issue gh.Issue, asked, decided []debate.Decision) bool {
	stands, want := questionsIn(issue.Body), w.marks(asked, decided)
	if len(stands) == 1 && len(want) == 1 && stands[0].Text == "" {
		m := stands[0]
		return m.Value == want[0].Value && m.Head == want[0].Head && w.snap.signer().signed(m)
	}
	return slices.Equal(stands, want)
}

// news are the questions that an issue does not ask in these words yet.
func (w settlement) news(issue gh.Issue, asked []debate.Decision) []debate.Decision {
	return keep(asked, func(d debate.Decision) bool {
		m, asks := questionIn(issue, d.Fingerprint)
		return !asks || m.Text != w.textOf(d)
	})
}

// askedAnew says on an issue why its text is written again (M22). Silent: something is
// said already about why it is open again.
func (w settlement) askedAnew(issue gh.Issue, asked []debate.Decision, restored, silent bool) []comment.Note {
	head := w.snap.pull.HeadSHA
	news := w.news(issue, asked)
	waited := func(d debate.Decision) bool {
		before := w.snap.checkpoint.decision(d.Fingerprint)
		return before != nil && before.Outcome == debate.AwaitingHuman
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
		body := report.QuestionsChanged(report.FromState(w.state), w.view(), idsOf(keep(news, isNew)), idsOf(keep(news, func(d debate.Decision) bool { return !isNew(d) })))
		return []comment.Note{{Key: key, Body: string(body)}}
	}
	return nil
}

// restores reports whether the text of the issue is written as it was, after somebody
// else edited it.
func (w settlement) restores(asked []debate.Decision) bool {
	times := 0
	for _, d := range asked {
		item, _ := w.snap.checkpoint.item(d.Fingerprint)
		times = max(times, item.Restored)
	}
	return times < maxRestored && tampered(w.board.one())
}

// restored are the open questions whose text is written as it was.
func (w settlement) restored() []string {
	asked := waitingIn(w.state.Agenda.Decisions, debate.SinkIssue)
	if !w.restores(asked) {
		return nil
	}
	var list []string
	for _, d := range asked {
		list = append(list, d.Fingerprint)
	}
	return list
}

// timesUndone is how often the closing of an issue has decided none of its questions.
func (w settlement) timesUndone(asked []debate.Decision) int {
	times := 0
	for _, d := range asked {
		item, _ := w.snap.checkpoint.item(d.Fingerprint)
		times = max(times, item.Undone, w.outcomes.closed[d.Fingerprint])
	}
	return times
}

// before is what was answered before a push had a question asked again, nil if nothing
// was.
func (w settlement) before(d debate.Decision) *Before {
	checkpoint := &w.snap.checkpoint
	at := slices.IndexFunc(checkpoint.Debate.Decisions, func(x debate.Decision) bool { return x.ID == d.ID && x.Question == d.Question })
	if at < 0 || !w.snap.sealed {
		return nil
	}
	was := checkpoint.Debate.Decisions[at]
	if was.Outcome != debate.HumanDecided || was.Human == nil {
		item, _ := checkpoint.item(was.Fingerprint)
		return item.Before
	}
	same := was.Fingerprint == d.Fingerprint && was.LinkedHash == d.LinkedHash
	again := w.state.Received.Recall != nil || same // taken back, or no push is the reason
	if again {
		return nil
	}
	return &Before{By: was.Human.By, Option: was.Human.Option, Head: was.Human.Head, Hits: hitsOf(was)}
}

// hitsOf are the places that a question is about, without the numbers of their lines:
// they move.
func hitsOf(d debate.Decision) []string {
	var hits []string
	for _, t := range d.Triggers {
		hit := t.Path + ": " + comment.Clip(t.Detail, 120)
		if t.Path != "" && !slices.Contains(hits, hit) && len(hits) < maxHits {
			hits = append(hits, hit)
		}
	}
	return hits
}

// itemBody renders questions with their signed markers.
func (w settlement) itemBody(asked, decided []debate.Decision) (title, body string) {
	about := report.Asked{At: day(asked[0].Human.AskedAt)}
	for _, who := range w.snap.config.Escalation.Notify {
		about.Notify = append(about.Notify, string(who))
	}
	about.Notify = append(about.Notify, w.board.reviewers...)
	title, text := report.Issue(report.FromState(w.state), idsOf(slices.Concat(asked, decided)), w.asking(asked), about)
	var marks []string
	for _, m := range w.marks(asked, decided) {
		marks = append(marks, m.String())
	}
	return title, comment.Mark(string(text), marks...)
}

func (w settlement) reminder(d debate.Decision) string {
	return string(report.Reminder(int(w.at.Sub(time.UnixMilli(d.Human.AskedAt)).Hours() / 24)))
}

func day(at int64) string { return time.UnixMilli(at).UTC().Format("2 January 2006") }

// estranged are issues of our account that ask what is asked now, and that were
// signed without the key of today: there was none, or another one. They are taken
// over by being written anew; what was answered before counts for nothing then.
func (w settlement) estranged(all []gh.Issue) []gh.Issue {
	if w.board.one() != nil {
		return nil
	}
	return keep(all, func(issue gh.Issue) bool {
		if !w.snap.signer().asks(issue) {
			return false
		}
		return slices.ContainsFunc(questionsIn(issue.Body), func(m comment.Marker) bool {
			d := decisionOf(w.state.Agenda.Decisions, m.Value)
			return !w.snap.signer().signed(m) && d != nil && waitsIn(*d, debate.SinkIssue)
		})
	})
}

// mayOpenIssue reports whether an issue is to be opened, as far as is known.
func (w settlement) mayOpenIssue() bool {
	return len(waitingIn(w.state.Agenda.Decisions, debate.SinkIssue)) > 0 && w.board.one() == nil
}

// items notes where the items stand now, for the next run.
func (w settlement) items() []Item {
	var items []Item
	if w.snap.asksForMore(w.state, w.board.issues) {
		items = keep(w.ledger.left.Items, func(item Item) bool {
			d := decisionOf(w.state.Agenda.Decisions, item.Fingerprint)
			return d == nil || d.Human == nil
		})
	}
	for _, d := range w.state.Agenda.Decisions {
		if d.Human != nil {
			items = append(items, w.standingNow(d))
		}
	}
	return items
}

// standingNow is where the item of a decision stands now.
func (w settlement) standingNow(d debate.Decision) Item {
	known, _ := w.ledger.left.item(d.Fingerprint)
	item := Item{
		Decision: d.ID, Fingerprint: d.Fingerprint, Sink: d.Human.Sink, Head: w.snap.pull.HeadSHA,
		Answered: max(known.Answered, w.outcomes.answered[d.Fingerprint]), Undone: max(known.Undone, w.outcomes.closed[d.Fingerprint]),
		Recreated: known.Recreated, Restored: known.Restored,
	}
	if d.Outcome == debate.AwaitingHuman {
		item.Before = w.before(d)
	}
	before := w.snap.checkpoint.decision(d.Fingerprint)
	sameLines := before != nil && before.LinkedHash == d.LinkedHash && known.Head != ""
	if item.Heads = known.Heads; sameLines && known.Head != item.Head {
		item.Heads = append(slices.Clone(known.Heads), known.Head)
		item.Heads = item.Heads[max(0, len(item.Heads)-maxHeads):]
	} else if !sameLines {
		item.Heads = nil
	}
	if !w.snap.sealed {
		item.Heads = nil
	}
	restored := w.outcomes.restored[d.Fingerprint]
	if restored {
		item.Restored++
	}
	if issue := w.board.issues.about(d.Fingerprint); issue != nil {
		another := known.Issue != 0 && known.Issue != issue.Number
		item.Issue, item.URL, item.Recreated = issue.Number, issue.URL, known.Recreated || another && !w.snap.issues.has(known.Issue)
		m, _ := questionIn(*issue, d.Fingerprint)
		item.Text = m.Text
	}
	askedBefore := before != nil && before.Human != nil && before.Human.AskedAt == d.Human.AskedAt
	stands := item.Text == known.Text && (item.Text != "" || askedBefore)
	if w.snap.sealed && !restored && stands {
		item.AskedAt = w.snap.issues.askedAt(known) // in the same words: nobody asked anew
	}
	return item
}
