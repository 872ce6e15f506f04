package gh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/patch"
)

const (
	comparedFiles = 300 // the API lists no more of a comparison
	listedFiles   = 3_000
)

// MovedError means that a pull request has another head than the one that is
// reviewed.
type MovedError struct {
	What string
	Head string // now
}

func (e *MovedError) Error() string {
	return fmt.Sprintf("%s: the head is %.12s by now", e.What, e.Head)
}

// difference is what GitHub says about two commits.
type difference struct {
	mergeBase string
	files     []*github.CommitFile
	text      []byte // nil where GitHub has no whole text: then it is in the files
	more      int    // changed files that GitHub does not list
	notes     []string

	base      map[string]treeEntry // of the merge base
	baseWhole bool
	head      map[string]treeEntry // nil where the text tells the modes
}

// difference reads what lies between the merge base and the head.
func (r *Reader) difference(ctx context.Context, what, baseTip, head string, number int) (*difference, error) {
	d, err := r.compare(ctx, what, baseTip, head, number)
	if err != nil {
		return nil, err
	}
	for _, f := range d.files {
		isMoved := slices.Contains([]patch.Status{patch.Renamed, patch.Copied}, statuses[f.GetStatus()])
		if f.GetFilename() == "" || isMoved && f.GetPreviousFilename() == "" {
			return nil, &UnavailableError{What: what, Err: errors.New("a changed file has no name")}
		}
	}
	if d.base, d.baseWhole, err = r.tree(ctx, what, d.mergeBase); err != nil {
		return nil, err
	}
	if d.text == nil {
		if d.head, _, err = r.tree(ctx, what, head); err != nil {
			return nil, err
		}
		d.text = d.assemble()
	}
	return d, nil
}

// compare reads the list of the files, and the text as far as GitHub has it.
func (r *Reader) compare(ctx context.Context, what, baseTip, head string, number int) (*difference, error) {
	compared, err := send(ctx, r.sender, request{what: what}, func(ctx context.Context, api api) (*github.CommitsComparison, *github.Response, error) {
		// The files come with the first page, of commits that nobody here reads.
		return api.Repositories.CompareCommits(ctx, api.owner, api.name, baseTip, head, &github.ListOptions{Page: 1, PerPage: 1})
	})
	if err != nil {
		return nil, err
	}
	d := &difference{mergeBase: compared.GetMergeBaseCommit().GetSHA(), files: compared.Files}
	if err := commitIDs("the merge base is missing", d.mergeBase); err != nil {
		return nil, &UnavailableError{What: what, Err: err}
	}
	if len(d.files) >= comparedFiles {
		d.notes = append(d.notes, "GitHub shows the difference file by file: it has 300 files or more")
		return d, r.listFiles(ctx, what, d, head, number)
	}
	text, err := send(ctx, r.sender, request{what: what}, func(ctx context.Context, api api) (string, *github.Response, error) {
		return api.Repositories.CompareCommitsRaw(ctx, api.owner, api.name, baseTip, head, github.RawOptions{Type: github.Diff})
	})
	if tooLarge(err) {
		d.notes = append(d.notes, "GitHub shows the difference file by file: it is too large")
		return d, nil
	}
	d.text = []byte(text)
	return d, err
}

func tooLarge(err error) bool {
	var refused *RefusedError
	return errors.As(err, &refused) && (refused.Status == http.StatusNotAcceptable || strings.Contains(refused.Message, "too_large"))
}

// listFiles reads the files of a pull request, and that it is at the head before
// and after.
func (r *Reader) listFiles(ctx context.Context, what string, d *difference, head string, number int) error {
	changed, err := r.checkHead(ctx, what, head, number)
	if err != nil {
		return err
	}
	files, more, err := pages(ctx, r.sender, what, listedFiles/perPage, func(ctx context.Context, api api, at github.ListOptions) ([]*github.CommitFile, *github.Response, error) {
		return api.PullRequests.ListFiles(ctx, api.owner, api.name, number, &at)
	})
	if err != nil {
		return err
	}
	d.files = files
	if d.more = max(changed-len(d.files), 0); d.more == 0 && more {
		d.more = 1
	}
	_, err = r.checkHead(ctx, what, head, number)
	return err
}

// checkHead reads how many files a pull request changes, and that its head is the
// one.
func (r *Reader) checkHead(ctx context.Context, what, head string, number int) (changed int, err error) {
	pull, err := send(ctx, r.sender, request{what: what}, func(ctx context.Context, api api) (*github.PullRequest, *github.Response, error) {
		return api.PullRequests.Get(ctx, api.owner, api.name, number)
	})
	if err != nil {
		return 0, err
	}
	if sha := pull.GetHead().GetSHA(); sha != head {
		return 0, &MovedError{What: what, Head: oneLine(sha)}
	}
	return pull.GetChangedFiles(), nil
}

// complete adds a file that nobody can read for those that GitHub does not list,
// so that no review passes for a whole one.
func (d *difference) complete(set *patch.Set) {
	if d.more == 0 {
		return
	}
	name := fmt.Sprintf("(%d more files)", d.more)
	set.Files = append(set.Files, &patch.File{
		OldPath: name, NewPath: name, Status: patch.Modified, Kind: patch.Text,
		Unparsed: fmt.Sprintf("GitHub lists no more than %d files", len(d.files)),
	})
}

var statuses = map[string]patch.Status{"added": patch.Added, "removed": patch.Deleted, "renamed": patch.Renamed, "copied": patch.Copied}

// listing makes of GitHub's list what git lists. Modes, which GitHub does not
// tell, are those of the tree and of the difference.
func (d *difference) listing(read *patch.Set) []patch.Entry {
	shown := make(map[string]*patch.File, len(read.Files))
	for _, f := range read.Files {
		shown[f.Path()] = f
	}
	entries := make([]patch.Entry, 0, len(d.files))
	for _, f := range d.files {
		s := shown[f.GetFilename()]
		if s == nil {
			s = &patch.File{}
		}
		entries = append(entries, d.entry(f, s))
	}
	return entries
}

// entry is a file of GitHub's list, with what the difference shows of it.
func (d *difference) entry(f *github.CommitFile, shown *patch.File) patch.Entry {
	e := patch.Entry{
		OldPath: f.GetFilename(), NewPath: f.GetFilename(), Status: cmp.Or(statuses[f.GetStatus()], patch.Modified),
		Additions: f.GetAdditions(), Deletions: f.GetDeletions(),
	}
	switch e.Status {
	case patch.Added:
		e.OldPath = ""
	case patch.Deleted:
		e.NewPath = ""
	case patch.Renamed, patch.Copied:
		e.OldPath = f.GetPreviousFilename()
	}
	if e.OldPath != "" {
		e.OldMode = cmp.Or(d.base[e.OldPath].mode, shown.OldMode)
	}
	switch {
	case e.NewPath == "":
	case d.head != nil:
		e.NewMode = d.head[e.NewPath].mode
	default:
		e.NewMode = cmp.Or(shown.NewMode, e.OldMode)
	}
	if isKnown := min(e.OldMode, e.NewMode) > 0; isKnown && e.Status == patch.Modified && e.OldMode&typeOfMode != e.NewMode&typeOfMode {
		e.Status = patch.TypeChanged
	}
	e.BinaryByGit = shown.Kind == patch.Binary && e.Additions+e.Deletions == 0
	return e
}

// assemble puts the parts of a difference that GitHub shows file by file together
// to the text that git writes. A file that has changed lines and no part gets none,
// which the listing then contradicts.
func (d *difference) assemble() []byte {
	modeOf := func(e treeEntry) uint32 { return cmp.Or(e.mode, regularMode|0o644) }
	var b strings.Builder
	for _, f := range d.files {
		oldName, newName := cmp.Or(f.GetPreviousFilename(), f.GetFilename()), f.GetFilename()
		from, to := quoteName("a/"+oldName), quoteName("b/"+newName)
		fmt.Fprintf(&b, "diff --git %s %s\n", from, to)
		switch f.GetStatus() {
		case "added":
			fmt.Fprintf(&b, "new file mode %o\n", modeOf(d.head[newName]))
			from = "/dev/null"
		case "removed":
			fmt.Fprintf(&b, "deleted file mode %o\n", modeOf(d.base[oldName]))
			to = "/dev/null"
		case "renamed":
			fmt.Fprintf(&b, "rename from %s\nrename to %s\n", quoteName(oldName), quoteName(newName))
		case "copied":
			fmt.Fprintf(&b, "copy from %s\ncopy to %s\n", quoteName(oldName), quoteName(newName))
		}
		switch {
		case f.GetPatch() != "":
			fmt.Fprintf(&b, "--- %s\n+++ %s\n%s\n", from, to, strings.TrimSuffix(f.GetPatch(), "\n"))
		case f.GetAdditions()+f.GetDeletions() == 0 && !isBlob(f.GetSHA(), nil) && d.base[oldName].oid != f.GetSHA():
			fmt.Fprintf(&b, "Binary files %s and %s differ\n", from, to)
		}
	}
	return []byte(b.String())
}

// quoteName quotes a name as git does.
func quoteName(name string) string {
	plain := true
	var b strings.Builder
	for _, c := range []byte(name) {
		if c < ' ' || c >= 0x7f || strings.IndexByte(`"\`, c) >= 0 {
			plain = false
			fmt.Fprintf(&b, `\%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	if plain {
		return name
	}
	return `"` + b.String() + `"`
}
