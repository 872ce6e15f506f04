package pull

import (
	"cmp"
	"maps"
	"slices"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/report"
)

// The labels of issues without an open question.
const (
	labelDecided = "human_decided"
	labelMerged  = "merged_undecided" // the pull request was merged before a decision
)

// settlement is the part of a session with the result: the debate, its subject and the
// current state of GitHub. It computes all texts and writes nothing.
type settlement struct {
	runner   *Runner
	snap     *Snapshot
	plan     Plan
	state    debate.State
	posts    *posts
	outcomes *outcomes
	ledger   *ledger
	lines    *patch.Index // of the change, nil if none was read
	log      Log          // of the debate; nil: a question on a reviewed head has no session of the change
	notes    []string     // unreadable parts, for people
	split    bool         // another job asks the models
}

// verdict is the conclusion of the check.
func (w settlement) verdict() (debate.Conclusion, string) {
	return conclude(w.snap.circumstancesOf(w.state, w.posts.issue, w.posts.siblings))
}

// next is the checkpoint after the debate.
func (w settlement) next() Checkpoint {
	m := *w.snap.believed()
	m.Items, m.Issue = w.snap.checkpoint.Items, w.snap.checkpoint.Issue
	m.Names, m.NextF = slices.Clone(w.ledger.left.Names), w.ledger.left.NextF // names of this run stay
	again := w.state.Received.Recall != nil
	if !again {
		m.cost = w.snap.believed().spent()
	}
	m.Stub = false
	m.cost = m.and(w.ledger.unbooked)
	m.Debate = w.state.Memory()
	m.name(w.state)
	m.takeUp(w.snap.Pull.Threads)
	m.Waived = w.plan.commands.waived
	m.Dismissed = latest(append(slices.Clone(m.Dismissed), w.plan.commands.dismissed...))
	if !again {
		waits := w.state.Received.Settings.Stranger
		stillWaits := waits && w.snap.checkpoint.Stranger && w.snap.checkpoint.Debate.HeadSHA == w.snap.Pull.HeadSHA
		if m.Stranger = waits; !stillWaits { // a commit that still waits for a maintainer has no news
			m.At = 0
		}
		m.Base, m.BaseRef, m.Target = w.snap.Pull.BaseSHA, w.snap.Pull.BaseRef, w.state.Received.Target
		m.Narrow = narrowed(w.plan.commands.run, w.state.Received, w.snap.config.Mode)
	}
	m.handle(w.outcomes.carriedOut...)
	m.handle(lists.Map(w.plan.commands.obeyed, request.id)...) // the summary says so, even if no reaction can
	return m
}

// view is the pull request as the renderings show it.
func (w settlement) view() report.Pull {
	p := report.Pull{
		RepositoryURL: w.snap.Pull.Repository.URL, Number: w.snap.Pull.Number, Title: w.snap.clean(w.snap.Pull.Title), Head: w.snap.Pull.HeadSHA,
		NoOverview: !*w.snap.config.Publish.Overview,
		Inline:     make(map[string]bool), Blocks: make(map[string]bool), Links: maps.Clone(w.posts.links),
		RecordURL: w.runner.DetailsURL,
		Author:    w.snap.Pull.Author.Login, Makers: w.snap.otherMakers(), AuthorDecides: w.snap.rules().AuthorMayDecide || w.snap.actor(w.snap.Pull.Author).OwnsRepo, Deciders: debate.Permission(w.snap.config.Escalation.Deciders),
	}
	for _, item := range w.ledger.left.Items {
		if _, isThere := questionIn(w.posts.issue, item.Fingerprint); isThere {
			p.Links[item.Decision] = w.posts.issue.URL
		}
	}
	if w.log != nil {
		p.RecordHash = w.log.Last()
	}
	shownAnyhow := func(note string) bool { return slices.Contains(w.state.Received.Notes, note) }
	p.Notes = append(slices.DeleteFunc(slices.Clone(w.notes), shownAnyhow), w.posts.failings()...)
	if len(idsWith(w.state.Agenda.Decisions, debate.Withdrawn)) > 0 && !w.snap.isOpen() {
		p.Notes = slices.Insert(p.Notes, 0, report.EndedUndecided(w.snap.Pull.State == gh.Merged, w.snap.Pull.EndedBy.Login))
	}
	for _, c := range w.posts.have.Inline {
		if f := w.ledger.left.keyed(c.Key).F; f != "" {
			p.Inline[f] = true
		}
	}
	spent := w.ledger.left.spent()
	p.Spent, p.SpentUnknown = report.USD(spent.Micro), spent.Unpriced
	for _, n := range w.ledger.left.Names {
		if g, ok := w.gone(n); ok && g.Title != "" {
			p.Gone = append(p.Gone, g)
		}
	}
	return p
}

// gone tells why a published finding is gone, once.
func (w settlement) gone(n Name) (g report.GoneFinding, ok bool) {
	before := w.snap.checkpoint.named(n.F)
	if !n.Gone || before.Gone {
		return g, false
	}
	g = report.GoneFinding{ID: n.F, Title: w.snap.checkpoint.claim(n.F).Title, Why: "the latest review does not report it"}
	for _, c := range w.state.Book.Claims {
		if c.ID == n.F {
			g.Title, g.Why = c.Title, cmp.Or(report.WhySettled(w.state, c), g.Why)
		}
	}
	return g, true
}

// wantFindings adds the findings of the state to the wanted texts, and returns how many
// have no line for a comment.
func (w settlement) wantFindings(want *comment.Want) (left int) {
	view := w.view()
	e := report.FromState(w.state)
	posted := map[string]bool{"": true} // a finding without a name is not posted
	for _, c := range w.posts.have.Inline {
		posted[c.Key] = true
	}
	for _, n := range w.ledger.left.shown() {
		if posted[n.Key] {
			want.Posted = append(want.Posted, comment.Posted{Key: n.Key, Text: string(report.Inline(e, n.F, view))})
		}
	}
	for _, n := range w.ledger.left.Names {
		if g, ok := w.gone(n); ok {
			want.Posted = append(want.Posted, comment.Posted{Key: n.Key, Text: string(report.GoneNote(g)), Gone: true})
		}
	}
	unposted := make(map[string]report.Finding) // by key
	var list []comment.Inline
	for _, f := range slices.Concat(e.P1, e.P2, e.P3) {
		key := w.ledger.left.named(f.ID).Key
		if posted[key] || !w.snap.config.Publish.Inline.Fails(f.Severity) {
			continue
		}
		unposted[key] = f
		list = append(list, comment.Inline{Key: key, FID: f.ID, Path: w.lines.Head(f.Path, f.Side), Side: f.Side, StartLine: f.Line, Line: f.EndLine})
	}
	placed, rest := comment.Place(list, w.lines.Commentable, w.snap.config.Publish.MaxInline)
	for i := range placed {
		in, f := &placed[i], unposted[placed[i].Key]
		in.Suggestion = w.suggestion(*in, f)
		view.Blocks[in.FID] = in.Suggestion != ""
		in.Body = string(report.Inline(e, f.ID, view))
	}
	want.Inline, want.Review = placed, reviewText(len(placed))
	return len(rest)
}

// reviewText is the text above the inline comments of a review.
func reviewText(n int) string {
	return report.Count(n, "finding") + ", checked against the cited lines. The summary comment has the verdict.\n"
}

// suggestion is the suggestion block of a finding, "" if it has to be plain text: the
// comment is on other lines than the finding cites, or policy names the path, because
// there no one should accept machine text with one click.
func (w settlement) suggestion(in comment.Inline, f report.Finding) string {
	protected := slices.ContainsFunc(w.state.Agenda.Triggers, func(t debate.Trigger) bool { return t.Path == f.Path })
	switch {
	case f.Suggestion == "", f.Side != debate.Right, cmp.Or(in.StartLine, in.Line) != f.Line, in.Line != f.EndLine, protected:
		return ""
	}
	var cited []string
	for line := f.Line; line <= min(f.EndLine, f.Line+maxSuggested); line++ {
		text, ok := w.lines.Line(f.Path, f.Side, line)
		if !ok {
			return ""
		}
		cited = append(cited, text)
	}
	first, hunk := w.lines.Around(f.Path, f.Side, f.Line)
	block, _ := comment.Suggestion(f.Suggestion, comment.Cited{
		Path: f.Path, Lines: cited, Before: hunk[:f.Line-first], After: hunk[min(f.EndLine-first+1, len(hunk)):], Shown: w.lines.Like(f.Path),
	})
	return block
}

// maxSuggested bounds the lines that a suggestion replaces. One more is too many, and
// comment.Suggestion offers nothing.
const maxSuggested = 100

// wantCheck is the check run for the state.
func (w settlement) wantCheck() gh.Check {
	conclusion, why := w.verdict()
	mergedUndecided := w.snap.Pull.State == gh.Merged && len(idsWith(w.state.Agenda.Decisions, debate.Withdrawn)) > 0
	if mergedUndecided && w.posts.stood.Conclusion == string(conclusion) {
		return asItStood(w.posts.stood)
	}
	title, summary, notes := report.CheckOutput(report.FromState(w.state), w.view(), conclusion, why)
	if critical := unasked(w.state); critical != "" {
		title = critical + "; " + startable
	}
	annotations := lists.Map(notes, func(n report.CheckNote) gh.Annotation { return gh.Annotation(n) })
	return gh.Check{Conclusion: conclusion, Title: title, Summary: summary, Annotations: annotations}
}

// titleNone is the title of the check of a debate without a result.
const titleNone = "no result"

// noResult is the check of a debate without a result, so that none stays in progress
// (R29) and a required gate stays closed.
func (w settlement) noResult(why string) gh.Check {
	c := w.snap.circumstancesOfNone(w.posts.stood, w.posts.issue)
	conclusion, _ := conclude(c)
	if w.posts.stood.Done && stops(c.before) {
		return asItStood(w.posts.stood)
	}
	return gh.Check{Conclusion: conclusion, Title: titleNone, Summary: comment.MarkdownLine(why)}
}

// asItStood writes a check run as it was.
func asItStood(run gh.CheckRun) gh.Check {
	return gh.Check{Conclusion: debate.Conclusion(run.Conclusion), Title: run.Title, Summary: run.Summary, ExternalID: run.ExternalID}
}

// seal is the checkpoint as a hidden block, "" if it does not fit, and a note for people.
func (w settlement) seal() (block, note string) {
	block, whole, err := w.ledger.left.seal(w.snap.key, w.snap.Pull)
	switch {
	case err != nil:
		return "", "the memory of the debate does not fit into the summary, so the next run reviews this commit again (" + err.Error() + ")"
	case !whole:
		note = "the debate does not fit into the summary, so an answer or a command reviews this commit again"
	}
	return block, note
}

// wantSummary is the body of the summary comment with the sealed checkpoint.
func (w settlement) wantSummary(block string) string {
	conclusion, why := w.verdict()
	view := w.view()
	view.Room = comment.MaxBody - len(block) - 200
	text := report.Summary(report.FromState(w.state), view, conclusion, why)
	return comment.Mark(string(text), comment.Marker{Kind: comment.SummaryMark}.String(), block)
}
