package pull

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/reason"
)

// outbox is what a run writes, and what it knows to stand on GitHub by then.
type outbox struct {
	have   comment.Have
	memo   Memo
	sealed Memo              // what the summary holds, sealed or not
	own    bool              // it is sealed, and by us
	booked cost              // of what left no memo itself, as far as the summary counts it
	links  map[string]string // F id or D id to the address of its thread or item
	inline map[string]bool   // F ids that have an inline comment
	denied map[string]bool   // what the token may not write
	notes  []string          // what was not possible
	sinks  []string
	url    string // of the summary comment
}

func (s *situation) outbox() *outbox {
	o := &outbox{have: s.have(), memo: s.memo, sealed: s.memo, own: s.sealed, links: s.links(), inline: make(map[string]bool), denied: make(map[string]bool)}
	if s.summary != nil {
		o.url = s.summary.URL
	}
	for _, item := range s.memo.Items {
		o.links[item.Decision] = item.URL
	}
	return o
}

func (o *outbox) note(text string) {
	for _, known := range o.notes {
		if known == text {
			return
		}
	}
	o.notes = append(o.notes, text)
}

func (o *outbox) reached(sink string) {
	for _, known := range o.sinks {
		if known == sink {
			return
		}
	}
	o.sinks = append(o.sinks, sink)
}

// publish writes what a debate came to (engine.Publisher). Called again it finds
// what it wrote before. A token that may not write something loses nothing: the
// text goes where it may, at the last into the step summary, and is noted.
func (s *session) publish(ctx context.Context, state debate.State) ([]string, []debate.SinkFailed, error) {
	s.state = state
	if s.deferred {
		return []string{"deferred"}, nil, nil
	}
	o := s.out
	o.memo = s.remember(state)
	if state.Outcome == debate.Skipped { // no comment (S07); what earlier heads left stays as it is
		if err := s.conclude(ctx, state); err != nil {
			return nil, nil, err
		}
		o.reached("step summary")
		return o.sinks, nil, nil
	}
	items, err := s.items(ctx, state)
	if err != nil {
		return nil, nil, err
	}
	view := s.view(state)
	want := comment.Want{HeadSHA: s.pull.HeadSHA, Items: items}
	left := s.findings(&want, state, view)
	refused, err := s.write(ctx, comment.Publish(want, o.have))
	if err != nil || len(refused) > 0 {
		return nil, refused, err
	}
	if refused, err = s.commentSinks(ctx, state); err != nil || len(refused) > 0 {
		return nil, refused, err
	}
	s.keepItems(state)
	if left > 0 {
		o.note(fmt.Sprintf("%d findings have no line in the diff that can carry a comment, or are beyond the limit of comments; they stand here in full", left))
	}
	if err := s.stillAhead(ctx); err != nil {
		return nil, nil, err
	}
	// The check goes first: a run that finds the summary takes all for written.
	if err := s.conclude(ctx, state); err != nil {
		return nil, nil, err
	}
	o.memo.Conclusion, _ = s.concluded(state)
	o.memo.Unchecked = o.denied[checks]
	if err := s.summarise(ctx, state); err != nil {
		return nil, nil, err
	}
	if len(o.sinks) == 0 {
		o.reached("step summary")
	}
	return o.sinks, nil, nil
}

// What a token may be denied, in words for people.
const (
	reviews  = "review comments (pull-requests: write)"
	comments = "comments (pull-requests: write)"
	issues   = "issues (issues: write)"
	checks   = "check runs (checks: write)"
	statuses = "commit statuses (statuses: write)"

	reactions = "reactions"
)

// view is the pull request as the renderings show it.
func (s *session) view(state debate.State) report.Pull {
	o := s.out
	p := report.Pull{
		RepositoryURL: s.pull.Repository.URL, Number: s.pull.Number, Title: s.setup.Clean(s.pull.Title), Head: s.pull.HeadSHA,
		Names: make(map[string]string), Inline: o.inline, Blocks: make(map[string]bool), Links: o.links,
		RecordURL: s.runner.DetailsURL, Unreviewed: report.Unreviewed(state),
		Notes: append(keep(s.notes, func(note string) bool { return !slices.Contains(state.Received.Notes, note) }), o.notes...), // those are shown anyhow
	}
	if s.log != nil { // a question on a head that is reviewed already has no session of the change
		p.RecordHash = s.log.Last()
	}
	micro, unpriced := o.memo.spent()
	p.Spent, p.SpentUnknown = report.USD(micro), unpriced
	for _, n := range o.memo.Names {
		switch {
		case n.Claim != "":
			p.Names[n.Claim] = n.F
		case n.Gone:
			if g, ok := s.gone(state, n); ok {
				p.Gone = append(p.Gone, g)
			}
		}
	}
	return p
}

// gone says what became of a finding that was published and is no more. One that
// was gone before is not said again.
func (s *session) gone(state debate.State, n Name) (report.GoneFinding, bool) {
	for _, before := range s.memo.Names {
		if before.F == n.F && before.Gone {
			return report.GoneFinding{}, false
		}
	}
	g := report.GoneFinding{ID: n.F, Why: "its lines are gone"}
	for _, c := range s.memo.Debate.Claims {
		if n.F == s.memo.called(c.ID) {
			g.Title = c.Title
		}
	}
	for _, c := range state.Claims {
		if c.Carried == n.F || c.ID == s.memo.claim(n.F) && state.Received.Recall != nil {
			g.Title = c.Title
			if !c.Why.IsZero() {
				g.Why = reason.Sentence(c.Why)
			}
		}
	}
	return g, g.Title != "" || s.memo.keyed(n.Key) != "" // else nobody remembers it, see stray
}

// findings puts the findings of a state where they belong, and returns how many of
// them no line can carry.
func (s *session) findings(want *comment.Want, state debate.State, view report.Pull) (left int) {
	o := s.out
	posted := make(map[string]bool)
	for _, c := range o.have.Inline {
		posted[c.Key] = true
		if f := o.memo.keyed(c.Key); f != "" {
			o.inline[f] = true
		}
	}
	e := report.Publishable(report.FromState(state))
	known := make(map[string]string) // claim to key
	for _, n := range o.memo.Names {
		if n.Claim == "" {
			continue
		}
		known[n.Claim] = n.Key
		if posted[n.Key] {
			want.Standing = append(want.Standing, comment.Standing{Key: n.Key, Body: string(report.Inline(e, n.Claim, view))})
		}
	}
	for _, c := range o.have.Inline {
		if s.unedited(c.Key) != nil && s.stray(c.Key) {
			want.Gone = append(want.Gone, comment.Gone{Key: c.Key, Note: string(report.StrayNote(s.said(c.Key))), Stray: true})
		}
	}
	for _, g := range view.Gone {
		for _, n := range o.memo.Names {
			if n.F == g.ID {
				want.Gone = append(want.Gone, comment.Gone{Key: n.Key, Note: string(report.GoneNote(g, s.said(n.Key)))})
			}
		}
	}
	floor := s.setup.Config.Publish.Inline
	fresh := make(map[string]report.Finding) // by key
	var list []comment.Inline
	for _, findings := range [][]report.Finding{e.P1, e.P2, e.P3} {
		for _, f := range findings {
			key := known[f.ID]
			if key == "" || posted[key] || !floor.Fails(f.Severity) {
				continue
			}
			fresh[key] = f
			list = append(list, comment.Inline{Key: key, FID: view.Names[f.ID], Path: f.Path, Side: f.Side, StartLine: f.Line, Line: f.EndLine})
		}
	}
	placed, rest := comment.Place(list, s.index().Commentable, s.setup.Config.Publish.MaxInline)
	for i := range placed {
		in, f := &placed[i], fresh[placed[i].Key]
		in.Suggestion = s.suggestion(*in, f)
		view.Blocks[in.FID] = in.Suggestion != ""
		in.Body = string(report.Inline(e, f.ID, view))
	}
	want.Inline = placed
	want.Review = reviewText(len(placed))
	return len(rest)
}

// stray reports whether no review knows of a finding that was published once.
func (s *session) stray(key string) bool {
	for _, n := range s.out.memo.Names {
		if n.Key == key {
			return n.Gone && s.memo.keyed(key) == ""
		}
	}
	return true
}

// reviewText stands above the inline comments of a review.
func reviewText(n int) string {
	if n == 1 {
		return "One finding, checked against the lines it cites. The summary comment says how the debate went.\n"
	}
	return fmt.Sprintf("%d findings, each checked against the lines it cites. The summary comment says how the debate went.\n", n)
}

// suggestion is the block that offers what a finding suggests, "" where a comment
// stands on other lines than the finding cites, or where it is to be text.
func (s *session) suggestion(in comment.Inline, f report.Finding) string {
	whole := cmp.Or(in.StartLine, in.Line) == f.Line && in.Line == f.EndLine
	if f.Suggestion == "" || f.Side != debate.Right || !whole || s.protected(f.Path) {
		return ""
	}
	var cited []string
	for line := f.Line; line <= f.EndLine && len(cited) <= 100; line++ {
		text, ok := s.index().Line(f.Path, f.Side, line)
		if !ok {
			return ""
		}
		cited = append(cited, text)
	}
	block, _ := comment.Suggestion(f.Suggestion, cited)
	return block
}

// protected reports whether policy names a path: what a machine wrote is not
// offered there for taking over with one click (T74).
func (s *session) protected(path string) bool {
	for _, t := range s.state.Triggers {
		if t.Path == path {
			return true
		}
	}
	return false
}

// unedited is the inline comment of ours about a finding, nil where there is none
// or somebody else edited it.
func (s *session) unedited(key string) *gh.Comment {
	for _, t := range s.pull.Threads {
		if len(t.Comments) == 0 {
			continue
		}
		c := &t.Comments[0]
		m, is := comment.Marked(c.Body, comment.FindingMark)
		if is && m.Value == key && c.Mine && !(c.Edited && c.EditedBy.Login != c.Author.Login) {
			return c
		}
	}
	return nil
}

// said is what our inline comment about a finding says, "" as far as we do not know.
func (s *session) said(key string) string {
	if c := s.unedited(key); c != nil {
		return comment.Said(c.Body)
	}
	return ""
}

// summarise writes the summary comment with the sealed state.
func (s *session) summarise(ctx context.Context, state debate.State) error {
	o := s.out
	if o.denied[comments] {
		return nil
	}
	block, whole, err := o.memo.seal(s.setup.Key, s.pull)
	switch {
	case err != nil:
		o.note("the state of the debate does not fit into the summary: the next run reviews this head anew (" + err.Error() + ")")
		block = ""
	case !whole:
		o.note("the debate does not fit into the state in the summary: an answer or an order has this head reviewed anew")
	}
	conclusion, why := s.verdict(state)
	view := s.view(state)
	view.Room = comment.MaxBody - len(block) - 200
	body := report.Summary(report.FromState(state), view, conclusion, why)
	want := comment.Want{Summary: comment.Mark(string(body), comment.Marker{Kind: comment.SummaryMark}.String(), block)}
	_, err = s.write(ctx, comment.Publish(want, o.have))
	if err == nil && !o.denied[comments] {
		o.sealed, o.own, o.booked = o.memo, s.setup.Key != nil && block != "", s.trigger.unbooked
	}
	return err
}
