package engine

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/redact"
	"github.com/prdebate/debate/internal/segment"
)

// freeze readies the frozen change for the review.
func (s *Subject) freeze(state debate.State) error {
	if s.frozen != nil {
		return nil
	}
	frozen := s.Frozen
	if recorded := state.Snapshot.Hash; recorded != "" && recorded != frozen.Event.Hash {
		return ErrChanged
	}
	frozen.Change = s.renamed(frozen.Change)
	frozen.Change.Set = s.reveal(&frozen, state.Received.Settings.Gate == debate.Required)
	frozen.index = patch.NewIndex(frozen.Change.Set)
	s.frozen = &frozen
	return nil
}

// renamed is a change without secrets in its paths. A file with a secret in its path gets
// another name everywhere, and is read by its own. Most changes stay the same.
func (s *Subject) renamed(change patch.Change) patch.Change {
	secrets, own := s.hiding(nil, nil), make(map[string]string) // by the other name
	taken := make(map[string]bool)
	for _, f := range change.Set.Files {
		taken[f.OldPath], taken[f.NewPath] = true, true
	}
	other := make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(taken)) {
		shown := showable(secrets, name)
		if shown == name {
			continue
		}
		for taken[shown] { // two files must not get one name
			shown = path.Join(path.Dir(shown), "_"+path.Base(shown))
		}
		taken[shown], own[shown], other[name] = true, name, shown
	}
	if len(own) == 0 {
		return change
	}
	change.Set = &patch.Set{Files: lists.Map(change.Set.Files, func(f *patch.File) *patch.File {
		named := *f
		named.OldPath, named.NewPath = cmp.Or(other[f.OldPath], f.OldPath), cmp.Or(other[f.NewPath], f.NewPath)
		return &named
	})}
	blob, has := change.Blob, change.BaseHas
	change.Blob = func(path string, side debate.Side) ([]byte, bool) { return blob(cmp.Or(own[path], path), side) }
	change.BaseHas = func(path string) bool { return has(cmp.Or(own[path], path)) }
	return change
}

// showable is a path without secrets. Its directories and its extension stay, because rules
// and settings use them.
func showable(secrets *redact.Redactor, name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		extension := ""
		if i == len(parts)-1 {
			extension = shortExtension().FindString(part)
		}
		if len(part) >= leastSecret {
			parts[i] = secrets.Text(strings.TrimSuffix(part, extension)) + extension
		}
	}
	return strings.Join(parts, "/")
}

// leastSecret is the length, in bytes, of the shortest name with a possible secret.
const leastSecret = 16

var shortExtension = lazyregexp.New(`\.\w{1,8}$`)

// maxRevealed bounds the search for secrets in moved files, in bytes.
const maxRevealed = 8 << 20

// reveal is the set of a change with the content of moved files. A file from an unreviewed
// path, or with a secret, counts as added. If the gate is required, reviewers read every
// other moved file whole, also one with an unreviewed new path.
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

// holdsSecret reports whether a built-in rule finds a secret in an added file.
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
