package engine

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/look"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/prompt"
	"github.com/prdebate/debate/internal/redact"
	"github.com/prdebate/debate/internal/segment"
	"github.com/prdebate/debate/internal/surround"
)

// asksToSee returns the looks of a party instead of an answer, none if it answers or may
// not look.
func (r *Review) asksToSee(a answer) []debate.Look {
	if model.Classify(a.err) != nil || len(a.response.Text) > model.MaxReply || r.state.MayLook(a.ask) == 0 {
		return nil
	}
	looks, _ := prompt.Looks([]byte(a.response.Text))
	return looks
}

// see makes the looks of a party and records them. It returns the results for the party,
// one text for each look; then the call goes on.
func (r *Review) see(ctx context.Context, a answer, looks []debate.Look) (parts []string, err error) {
	left := r.state.MayLook(a.ask)
	most := left
	if r.Subject.frozen.Tree == nil || r.spentOn(a) {
		most = 0
	}
	var seen []debate.Seen
	if p := r.played; p == nil {
		seen = r.viewer().See(ctx, looks, most)
	} else if seen, err = r.viewer().Again(ctx, looks, most, p.seen); err != nil {
		return nil, err
	}
	r.test(ctx, a, seen[:min(most, len(seen))])
	if err := ctx.Err(); err != nil { // a canceled test has no outcome
		return nil, err
	}
	ev := debate.Looked{
		Ask:       a.ask.ID,
		Seen:      seen,
		Raw:       clip(r.Subject.redactor.Text(a.response.Text), model.MaxReply),
		ReplyHash: digest(a.response.Text),
		Started:   a.started,
		Ended:     a.ended,
		Usage:     bounded(a.response.Usage),
	}
	left -= len(ev.Seen)
	ev.Last = most == 0 || left <= 0 || len(r.state.LooksOf(a.ask))+1 == debate.LookTurns
	if ev.Last {
		left = 0
	}
	for _, part := range r.packet.Looked(ev.Seen, left) {
		parts = append(parts, r.Subject.redactor.Text(part))
	}
	text := shown(strings.Join(parts, ""))
	if err := r.show([]debate.ShownText{text}); err != nil {
		return nil, err
	}
	ev.Text = text.Hash
	return parts, r.append(ev)
}

// tools returns the tools of a call for looking. A debater, also one that acts as a judge,
// has them in all its calls, because its provider caches them with the packet. A party that
// never looks has none, so its provider can require a format of its reply.
func (r *Review) tools(ask debate.Ask) model.Tools {
	p := partyOf(r.state.Table.Parties, ask.Party)
	switch {
	case r.Subject.frozen.Tree == nil, r.state.Received.Settings.Looks <= 0:
		return model.NoTools
	case r.state.MayLook(ask) > 0:
		return model.ToolsOpen
	case p.Debates(), p.Debater != "":
		return model.ToolsHeld
	}
	return model.NoTools
}

// spentOn reports whether a call has used up its time, or the debate its money: then its
// party must answer.
func (r *Review) spentOn(a answer) bool {
	micro, _ := r.state.Asking.Spent()
	began := a.started
	micro += a.response.Usage.CostMicro
	for i, l := range r.state.LooksOf(a.ask) {
		micro += l.Usage.CostMicro
		if i == 0 {
			began = l.Started
		}
	}
	most := r.state.Received.Settings.MaxCostMicro
	return most > 0 && micro >= most || a.ended-began >= 1000*int64(r.state.Timeout(a.ask))
}

// viewer returns a viewer of both sides of the change.
func (r *Review) viewer() *look.Viewer {
	private, secrets := segment.Matching(r.Subject.Private), r.Subject.hiding(nil, nil)
	return &look.Viewer{
		Tree: r.Subject.frozen.Tree, Shown: r.asShown,
		Private: func(path string) bool { return private(path) || showable(secrets, path) != path },
	}
}

// asShown returns the lines of a file for parties: without the secrets of the process and
// of the change, and without the secrets that the critic finds in it. A record cannot name
// a path outside UTF-8, so no line of such a file is shown.
func (r *Review) asShown(path string, content []byte) (lines []string, ok bool) {
	set := patch.AsAdded(&patch.Set{Files: []*patch.File{patch.Shown(path, string(content))}})
	if !utf8.ValidString(path) || !set.Files[0].Searchable() {
		return nil, false
	}
	ofFile := redact.New(nil, r.Subject.Critic.secretsOf(set), nil)
	for line := range strings.SplitSeq(strings.TrimSuffix(string(content), "\n"), "\n") {
		lines = append(lines, r.packet.Line(ofFile.Text(line)))
	}
	return lines, true
}

// seenIndex indexes the lines of looks and the uses of changed declarations, as they were shown.
func seenIndex(all []debate.Seen, around map[string]surround.Chunk, line func(raw string) string) *patch.Index {
	lines := make(shownLines)
	for _, c := range around {
		for _, use := range c.Uses.Lines {
			lines.put(line(use.Path), debate.Right, use.Line, line(use.Text))
		}
	}
	for _, s := range all {
		for _, run := range s.Runs {
			lines.put(run.Path, s.Side, run.First, run.Lines...)
		}
	}
	return patch.NewIndex(lines.set())
}
