package engine

import (
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/surround"
)

// surround chooses what is shown of the changed files beside the change. A question
// shows its files whole.
func (r *Review) surround() {
	if r.around == nil && !r.asks() {
		r.around = surround.Of(r.frozen.Change, r.split.Segments, r.split.Chunks)
	}
}

// secretsAround are the secrets in what is shown around the change. The critic reads
// it as if it were new, and says nothing else of it.
func (r *Review) secretsAround() []string {
	set := &patch.Set{}
	for _, c := range r.split.Chunks {
		for _, b := range r.around[c.ID] {
			f := &patch.File{NewPath: b.Path, Status: patch.Added, Kind: patch.Text}
			for _, run := range b.Runs {
				if len(run.Text) > 0 {
					f.Hunks = append(f.Hunks, asAdded(run))
				}
			}
			if len(f.Hunks) > 0 {
				set.Files = append(set.Files, f)
			}
		}
	}
	if len(set.Files) == 0 {
		return nil
	}
	nothing := patch.Change{
		Set:     set,
		Blob:    func(string, debate.Side) ([]byte, bool) { return nil, false },
		BaseHas: func(string) bool { return false },
	}
	return r.Critic(nothing, func(string) bool { return false }, nil).Secrets
}

// asAdded is a hunk of shown lines.
func asAdded(run surround.Run) *patch.Hunk {
	h := &patch.Hunk{NewStart: run.First, NewLines: len(run.Text)}
	for i, text := range run.Text {
		h.Lines = append(h.Lines, patch.Line{Op: '+', New: run.First + i, Text: text})
	}
	return h
}
