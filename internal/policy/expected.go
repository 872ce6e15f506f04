package policy

import (
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// Expect tells of a text that this program itself writes into a file. Where a change adds
// the file with exactly this text, policy asks nobody about it: what it says is known. A
// text that names code to run, as a workflow does, must name it by a commit that is known
// to be good: a commit of a fork can be named by the name of the repository, too.
func (r *Rules) Expect(name, text string) {
	if r.expected == nil {
		r.expected = map[string][]string{}
	}
	r.expected[name] = append(r.expected[name], text)
}

// expects reports whether a file is new and has a text that is expected there.
func (r *Rules) expects(change patch.Change, f *patch.File) bool {
	texts := r.expected[f.NewPath]
	switch {
	case len(texts) == 0, f.Status != patch.Added, change.BaseHas(f.NewPath):
		return false
	}
	content, ok := change.Blob(f.NewPath, debate.Right)
	return ok && slices.Contains(texts, string(content))
}
