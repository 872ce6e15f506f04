package engine

import (
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/segment"
)

// maxRevealed bounds the bytes of moved files that are searched for secrets.
const maxRevealed = 8 << 20

// reveal is the set of a change in which no moved file hides what it holds. A file that
// comes from a path that is not reviewed, or that holds a secret, counts as added. If the
// gate is required, reviewers read every other moved file whole, also one that moves to a
// path that is not reviewed.
func (s *Subject) reveal(frozen *Frozen, required bool) *patch.Set {
	set := &patch.Set{Files: slices.Clone(frozen.Change.Set.Files)}
	isExcused := segment.Excused(s.Ignore, frozen.Attributes)
	left := maxRevealed
	for i, f := range set.Files {
		if f.Status != patch.Renamed {
			continue
		}
		added := f.Whole(frozen.Change.Blob, '+')
		switch {
		case isExcused(f.OldPath) && !isExcused(f.NewPath):
			set.Files[i] = added
		case len(f.Hunks) > 0, isExcused(f.OldPath), isExcused(f.NewPath) && !required:
		case s.holdsSecret(added, &left):
			set.Files[i] = added
		case required:
			set.Files[i] = f.Whole(frozen.Change.Blob, ' ')
		}
	}
	return set
}

// holdsSecret reports whether a built-in rule finds a secret in a file that counts as
// added.
func (s *Subject) holdsSecret(f *patch.File, left *int) bool {
	for l := range f.Lines() {
		*left -= len(l.Text)
	}
	if !f.IsNew() || *left < 0 || s.Critic == nil {
		return false
	}
	found := s.Critic(patch.Alone(patch.AsAdded(&patch.Set{Files: []*patch.File{f}})), func(string) bool { return false }, nil)
	return slices.ContainsFunc(found.Hits, func(h debate.Hit) bool { return len(h.Redact) > 0 })
}
