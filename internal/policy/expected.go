package policy

import (
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// Expect announces a text that this program itself writes into a file. If a change adds the file
// with exactly this text, policy asks for no human: the text is known. A text that runs other code,
// such as a workflow, must name it by a trusted commit: the name of a repository reaches the
// commits of its forks, too.
func (r *Rules) Expect(name, text string) {
	if r.expected == nil {
		r.expected = map[string][]string{}
	}
	r.expected[name] = append(r.expected[name], text)
}

// expects reports whether a file is new and has a text announced for it.
func (r *Rules) expects(change patch.Change, f *patch.File) bool {
	texts := r.expected[f.NewPath]
	switch {
	case len(texts) == 0, f.Status != patch.Added, change.BaseHas(f.NewPath):
		return false
	}
	content, ok := change.Blob(f.NewPath, debate.Right)
	return ok && slices.Contains(texts, string(content))
}
