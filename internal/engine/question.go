package engine

import (
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/segment"
	"github.com/prdebate/debate/internal/surround"
)

// asks reports whether a question is debated in the place of a change.
func (r *Review) asks() bool { return r.state.Received.Inquiry != nil }

// splitUp splits what was frozen.
func (r *Review) splitUp() segment.Result {
	anchor := r.state.Received.Anchor
	if r.asks() {
		return segment.Question(anchor.Intent, r.frozen.Change.Set)
	}
	files, carried := r.carried()
	split := segment.Split(segment.Input{
		Change:         r.frozen.Change,
		Title:          anchor.Title,
		Body:           anchor.Intent,
		Target:         r.state.Received.Target,
		Ignore:         r.Ignore,
		Proposal:       r.Proposals,
		BaseAttributes: r.frozen.Attributes,
		MaxChunks:      r.maxChunks(),
		Sensitive:      r.sensitive(),
		Carried:        carried,
	})
	split.Files = files
	return split
}

// carried names the files of a pull request as reviewers read them, and the heads on
// which some were read that need not be sent again (M24). Nobody comes back to any other
// change.
func (r *Review) carried() (files []debate.FileKey, heads map[string]string) {
	if r.state.Received.Anchor.PR == 0 {
		return nil, nil
	}
	files = surround.Keys(r.frozen.Change.Set)
	terms := r.state.Received.Terms(r.Participants)
	return files, r.state.Received.Previous.ReadBefore.Unchanged(r.frozen.Event.BaseSHA, terms, files)
}

// maxChunks bounds the chunks by the calls that the debate may make (S13). Where
// nobody can challenge, none is asked about a chunk and none is left out.
func (r *Review) maxChunks() int {
	n, lacks := 0, 0
	for _, p := range r.Participants {
		debates := p.Role == debate.Primary || p.Role == debate.Challenger
		switch {
		case debates && p.Status != debate.PartyOK:
			lacks = 1
		case p.Role == debate.Challenger:
			n++
		}
	}
	n = max(n, lacks) // a second context takes the place of the last one that is lost (M19)
	if n == 0 {
		return 0
	}
	return r.state.Received.MaxChunks(n)
}

// sensitive tells the files that policy knows as sensitive (S13).
func (r *Review) sensitive() func(path string) bool {
	paths := make(map[string]bool)
	for _, t := range r.Rules.Triggers(r.frozen.Change, nil) {
		paths[t.Path] = true
	}
	return func(path string) bool { return paths[path] }
}

// criticised is the change that the critic reads. It looks at what is new, and
// nothing is in what a question shows; but it must find the secrets there,
// so that all of it is new to the critic.
func (r *Review) criticised() patch.Change {
	change := r.frozen.Change
	if r.asks() {
		set := &patch.Set{Files: []*patch.File{patch.Shown(debate.BodyPath, r.state.Received.Anchor.Intent)}}
		set.Files = append(set.Files, change.Set.Files...)
		change.Set = patch.AsAdded(set)
	}
	return change
}
