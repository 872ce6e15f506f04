package engine

import (
	"context"
	"path"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// filesFor are the files of the head side that the program of a party gets for an ask:
// none unless the settings say so, and none where it may not look. The record does not say
// what it read there, so that nothing of it is shown to anybody: a line that neither the
// packet nor a look showed proves nothing.
func (r *Review) filesFor(ctx context.Context, ask debate.Ask) []model.File {
	if r.Subject.frozen.Tree == nil || r.state.MayLook(ask) == 0 || !getsFiles(r.state.Table.Parties, r.Files, ask.Party) {
		return nil
	}
	if !r.laidOut {
		r.laidOut = true
		var near []string // the directories of the changed files, or of those that a question shows
		for _, f := range r.Subject.frozen.Change.Set.Files {
			near = append(near, path.Dir(f.Path()))
		}
		slices.Sort(near)
		for _, f := range r.viewer().Head(ctx, slices.Compact(near)) {
			r.files = append(r.files, model.File{Path: f.Path, Text: f.Text})
		}
	}
	return r.files
}

// getsFiles reports whether the settings give files to a party, or to the one whose
// second context it is.
func getsFiles(parties []debate.Party, files []string, id string) bool {
	return slices.Contains(files, id) || slices.Contains(files, servedBy(parties, id))
}
