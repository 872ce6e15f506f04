package pull

import (
	"fmt"
	"slices"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report"
)

// wantItems are the issues that shall stand for the decisions of the state: one for
// each that a person decides (X27), and the end of those that nobody has to decide
// any more.
func (w settlement) wantItems() []comment.Item {
	var items []comment.Item
	wanted := make(map[string]bool)
	for _, d := range w.state.Agenda.Decisions {
		if d.Human == nil {
			continue
		}
		wanted[d.Fingerprint] = true
		if d.Outcome != debate.AwaitingHuman || d.Human.Sink == debate.SinkIssue {
			items = append(items, w.item(d))
		}
	}
	if w.snap.asksForMore(w.state, w.board.issues) {
		return items
	}
	for _, h := range w.board.have.Issues {
		switch {
		case wanted[h.Fingerprint] || !h.Open:
		case w.snap.isOpen():
			items = append(items, w.supersededItem(h.Fingerprint, w.snap.pull.HeadSHA))
		default:
			items = append(items, takenBackItem(w.snap, h.Fingerprint))
		}
	}
	return items
}

// supersededItem is the issue of a question that a newer head does not ask.
func (w settlement) supersededItem(fingerprint, head string) comment.Item {
	return comment.Item{
		Fingerprint: fingerprint, Status: debate.ItemSuperseded, Unlabel: []string{w.snap.config.Escalation.Label},
		Notes: []comment.Note{{Key: "superseded-" + short(head), Body: string(report.IssueSuperseded(w.view(), head, ""))}},
	}
}

// item is the issue of one decision as it shall be.
func (w settlement) item(d debate.Decision) comment.Item {
	switch d.Human.Status {
	case debate.ItemAwaiting:
		return w.openItem(d)
	case debate.ItemWithdrawn:
		return takenBackItem(w.snap, d.Fingerprint)
	case debate.ItemSuperseded:
		return w.supersededItem(d.Fingerprint, w.snap.pull.HeadSHA)
	}
	decided := comment.Note{
		Key: fmt.Sprintf("decided-%d", d.Human.At), Body: string(report.IssueDecided(report.FromState(w.state), d.ID, w.view())),
	}
	return comment.Item{
		Fingerprint: d.Fingerprint, Status: d.Human.Status, NotPlanned: keepsStatusQuo(d),
		Labels: []string{labelDecided}, Unlabel: []string{w.snap.config.Escalation.Label},
		Notes: append([]comment.Note{decided}, w.outcomes.undone[d.Fingerprint]...),
	}
}

// keepsStatusQuo reports whether a person decided that everything stays as it is.
func keepsStatusQuo(d debate.Decision) bool {
	return slices.ContainsFunc(d.Options, func(o debate.Option) bool { return o.StatusQuo && o.ID == d.Human.Option })
}

// openItem is the issue of a decision that awaits a person.
func (w settlement) openItem(d debate.Decision) comment.Item {
	item := comment.Item{
		Fingerprint: d.Fingerprint, Status: d.Human.Status, Labels: []string{w.snap.config.Escalation.Label}, Unlabel: []string{labelDecided},
		Notes: w.outcomes.undone[d.Fingerprint], Rests: w.timesUndone(d.Fingerprint) > maxUndone,
	}
	if d.Human.Reminded {
		item.Notes = append(slices.Clone(item.Notes), comment.Note{Key: "reminder", Body: w.reminder(d)})
	}
	issue := w.board.issues.about(d.Fingerprint)
	restored := w.restores(d.Fingerprint)
	if issue != nil && !restored && w.asksNow(*issue) {
		return item // it stands there as it was asked
	}
	if len(item.Notes) == 0 && issue != nil {
		item.Notes = w.askedAnew(*issue, restored)
	}
	item.Title, item.Body = w.itemBody(d)
	return item
}

// asksNow reports whether an issue asks about this head.
func (w settlement) asksNow(issue gh.Issue) bool {
	m := decisionMark(issue)
	return m.Head == w.snap.pull.HeadSHA && w.snap.signer().signed(m)
}

// askedAnew says on an issue why its text is written again.
func (w settlement) askedAnew(issue gh.Issue, restored bool) []comment.Note {
	switch {
	case restored:
		by, at := tampering(issue)
		return []comment.Note{{Key: fmt.Sprintf("restored-%d", millis(at)), Body: string(report.Restored(by.Login))}}
	case !issue.Open:
		return []comment.Note{{Key: "again-" + short(w.snap.pull.HeadSHA), Body: string(report.AskedAgain(w.view(), w.snap.pull.HeadSHA))}}
	}
	return nil
}

// restores reports whether the text of an issue is written as it was, after somebody
// else edited it.
func (w settlement) restores(fingerprint string) bool {
	item, _ := w.snap.checkpoint.item(fingerprint)
	return item.Restored < maxRestored && tampered(w.board.issues.about(fingerprint))
}

// restored are the open questions whose text is written as it was.
func (w settlement) restored() []string {
	var list []string
	for _, d := range w.state.Agenda.Decisions {
		if waitsIn(d, debate.SinkIssue) && w.restores(d.Fingerprint) {
			list = append(list, d.Fingerprint)
		}
	}
	return list
}

// timesUndone is how often the closing of an issue has decided nothing.
func (w settlement) timesUndone(fingerprint string) int {
	item, _ := w.snap.checkpoint.item(fingerprint)
	return max(item.Undone, w.outcomes.closed[fingerprint])
}

// itemBody renders an item with its signed marker.
func (w settlement) itemBody(d debate.Decision) (title, body string) {
	asked := report.Asked{At: day(d.Human.AskedAt)}
	for _, who := range w.snap.config.Escalation.Notify {
		asked.Notify = append(asked.Notify, string(who))
	}
	title, text := report.Issue(report.FromState(w.state), d.ID, w.view(), asked)
	return title, comment.Mark(string(text), w.snap.signer().sign(d.Fingerprint, d.ID, w.snap.pull.HeadSHA))
}

func (w settlement) reminder(d debate.Decision) string {
	return string(report.Reminder(int(w.at.Sub(time.UnixMilli(d.Human.AskedAt)).Hours() / 24)))
}

func day(at int64) string { return time.UnixMilli(at).UTC().Format("2 January 2006") }

// estranged are issues of our account that ask what is asked now, and that were
// signed without the key of today: there was none, or another one. They are taken
// over by being written anew; what was answered before counts for nothing then.
func (w settlement) estranged(all []gh.Issue) []gh.Issue {
	return keep(all, func(issue gh.Issue) bool {
		m := decisionMark(issue)
		if !w.snap.signer().asks(issue) || w.snap.signer().signed(m) || w.board.issues.about(m.Value) != nil {
			return false
		}
		d := decisionOf(w.state.Agenda.Decisions, m.Value)
		return d != nil && waitsIn(*d, debate.SinkIssue)
	})
}

// mayOpenIssue reports whether an issue is to be opened, as far as is known.
func (w settlement) mayOpenIssue() bool {
	return slices.ContainsFunc(w.state.Agenda.Decisions, func(d debate.Decision) bool {
		return waitsIn(d, debate.SinkIssue) && w.board.issues.about(d.Fingerprint) == nil
	})
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
		Answered: max(known.Answered, w.outcomes.answered[d.Fingerprint]), Undone: w.timesUndone(d.Fingerprint),
		Recreated: known.Recreated, Restored: known.Restored,
	}
	if before := w.snap.checkpoint.decision(d.Fingerprint); before != nil && before.Human != nil && before.Human.AskedAt == d.Human.AskedAt {
		item.AskedAt = known.AskedAt // nobody asked anew
	}
	if w.outcomes.restored[d.Fingerprint] {
		item.Restored++
	}
	if issue := w.board.issues.about(d.Fingerprint); issue != nil {
		another := known.Issue != 0 && known.Issue != issue.Number
		item.Issue, item.URL, item.Recreated = issue.Number, issue.URL, known.Recreated || another
	}
	return item
}
