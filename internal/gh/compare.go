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

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

const (
	comparedFiles = 300 // the API lists no more of a comparison
	listedFiles   = 3_000
)

// difference is GitHub's answer about two commits.
type difference struct {
	mergeBase string
	files     []*github.CommitFile
	text      []byte // as git writes it; nil if GitHub gives only the parts in files
	unlisted  int    // changed files missing in GitHub's list
	notes     []string
}

// difference reads the change between the merge base and the head. If it is too large for
// GitHub as one text, it comes in parts, file by file.
func (r *Reader) difference(ctx context.Context, what, baseTip, head string, number int) (*difference, error) {
	mergeBase, files, err := r.comparison(ctx, what, baseTip, head)
	if err != nil {
		return nil, err
	}
	d := &difference{mergeBase: mergeBase, files: files}
	if len(files) < comparedFiles {
		text, err := send(ctx, r.sender, request{what: what}, func(ctx context.Context, api api) (string, *github.Response, error) {
			return api.Repositories.CompareCommitsRaw(ctx, api.owner, api.name, baseTip, head, github.RawOptions{Type: github.Diff})
		})
		var refused *RefusedError
		tooLarge := errors.As(err, &refused) && (refused.Status == http.StatusNotAcceptable || strings.Contains(refused.Message, "too_large"))
		if err != nil && !tooLarge {
			return nil, err
		}
		d.text = []byte(text)
		if tooLarge {
			d.text = nil
		}
	}
	if d.text == nil {
		d.notes = append(d.notes, "GitHub shows the difference file by file: it is too large")
		if err := r.listFiles(ctx, what, d, head, number); err != nil {
			return nil, err
		}
	}
	for _, f := range d.files {
		isMoved := slices.Contains([]patch.Status{patch.Renamed, patch.Copied}, statuses[f.GetStatus()])
		if f.GetFilename() == "" || isMoved && f.GetPreviousFilename() == "" {
			return nil, &UnavailableError{What: what, Err: errors.New("a changed file has no name")}
		}
	}
	return d, nil
}

// comparison reads the merge base of two commits and the first files changed since.
func (r *Reader) comparison(ctx context.Context, what, baseTip, head string) (mergeBase string, files []*github.CommitFile, err error) {
	compared, err := send(ctx, r.sender, request{what: what}, func(ctx context.Context, api api) (*github.CommitsComparison, *github.Response, error) {
		// The first page has the files. Its commits are not used.
		return api.Repositories.CompareCommits(ctx, api.owner, api.name, baseTip, head, &github.ListOptions{Page: 1, PerPage: 1})
	})
	if err != nil {
		return "", nil, err
	}
	mergeBase = compared.GetMergeBaseCommit().GetSHA()
	if err := commitIDs("the merge base is missing", mergeBase); err != nil {
		return "", nil, &UnavailableError{What: what, Err: err}
	}
	return mergeBase, compared.Files, nil
}

// listFiles reads the files of a pull request and checks its head before and after.
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
	if more {
		d.unlisted = 1 // at least
	}
	d.unlisted = max(changed-len(d.files), d.unlisted)
	_, err = r.checkHead(ctx, what, head, number)
	return err
}

// checkHead returns the number of changed files of a pull request, or an error if it has
// another head.
func (r *Reader) checkHead(ctx context.Context, what, head string, number int) (changed int, err error) {
	pull, err := send(ctx, r.sender, request{what: what}, func(ctx context.Context, api api) (*github.PullRequest, *github.Response, error) {
		return api.PullRequests.Get(ctx, api.owner, api.name, number)
	})
	if err != nil {
		return 0, err
	}
	if sha := pull.GetHead().GetSHA(); sha != head {
		return 0, fmt.Errorf("%s: the head is %.12s by now", what, oneLine(sha))
	}
	return pull.GetChangedFiles(), nil
}

var statuses = map[string]patch.Status{"added": patch.Added, "removed": patch.Deleted, "renamed": patch.Renamed, "copied": patch.Copied}

// listing converts GitHub's list to a list as git has it. GitHub gives no modes, so
// they come from the entries of the commits and the difference.
func (d *difference) listing(t *Tree) []patch.Entry {
	shown := make(map[string]*patch.File)
	for _, f := range patch.Parse(d.text, nil).Files {
		shown[f.Path()] = f
	}
	entries := make([]patch.Entry, 0, len(d.files))
	for _, f := range d.files {
		shown := cmp.Or(shown[f.GetFilename()], &patch.File{})
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
			e.OldMode = cmp.Or(t.sides[debate.Left].Entries[e.OldPath].Mode, shown.OldMode)
		}
		if e.NewPath != "" {
			e.NewMode = cmp.Or(t.sides[debate.Right].Entries[e.NewPath].Mode, shown.NewMode, e.OldMode)
		}
		if isKnown := min(e.OldMode, e.NewMode) > 0; isKnown && e.Status == patch.Modified && e.OldMode&patch.TypeMask != e.NewMode&patch.TypeMask {
			e.Status = patch.TypeChanged
		}
		e.BinaryByGit = shown.Kind == patch.Binary && e.Additions+e.Deletions == 0
		entries = append(entries, e)
	}
	return entries
}

// assemble joins the parts of a difference that GitHub shows file by file to a text as
// git writes it. A file with changed lines but without a part gets none; the listing
// then contradicts it.
func (d *difference) assemble(t *Tree) []byte {
	modeOf := func(side debate.Side, path string) uint32 {
		return cmp.Or(t.sides[side].Entries[path].Mode, patch.TypeRegular|0o644)
	}
	var b strings.Builder
	for _, f := range d.files {
		oldName, newName := cmp.Or(f.GetPreviousFilename(), f.GetFilename()), f.GetFilename()
		from, to := patch.Quote("a/"+oldName), patch.Quote("b/"+newName)
		fmt.Fprintf(&b, "diff --git %s %s\n", from, to)
		switch f.GetStatus() {
		case "added":
			fmt.Fprintf(&b, "new file mode %o\n", modeOf(debate.Right, newName))
			from = "/dev/null"
		case "removed":
			fmt.Fprintf(&b, "deleted file mode %o\n", modeOf(debate.Left, oldName))
			to = "/dev/null"
		case "renamed":
			fmt.Fprintf(&b, "rename from %s\nrename to %s\n", patch.Quote(oldName), patch.Quote(newName))
		case "copied":
			fmt.Fprintf(&b, "copy from %s\ncopy to %s\n", patch.Quote(oldName), patch.Quote(newName))
		}
		switch {
		case f.GetPatch() != "":
			fmt.Fprintf(&b, "--- %s\n+++ %s\n%s\n", from, to, strings.TrimSuffix(f.GetPatch(), "\n"))
		case f.GetAdditions()+f.GetDeletions() == 0 && !isBlob(f.GetSHA(), nil) && t.sides[debate.Left].Entries[oldName].OID != f.GetSHA():
			fmt.Fprintf(&b, "Binary files %s and %s differ\n", from, to)
		}
	}
	return []byte(b.String())
}

// MergeBase returns the merge base of a head and the tip of a branch. It changes if the
// branch takes over commits of the head.
func (r *Reader) MergeBase(ctx context.Context, baseTip, head string) (string, error) {
	what := fmt.Sprintf("find where %.12s left the base", head)
	if err := commitIDs(what, baseTip, head); err != nil {
		return "", err
	}
	mergeBase, _, err := r.comparison(ctx, what, baseTip, head)
	return mergeBase, err
}

// CommitOf returns the full commit id of a reference: heads/NAME for a branch,
// tags/NAME for a tag, or the beginning of an id.
func (r *Reader) CommitOf(ctx context.Context, ref string) (sha string, err error) {
	what := "find the commit of " + ref
	sha, err = send(ctx, r.sender, request{what: what}, func(ctx context.Context, api api) (string, *github.Response, error) {
		commit, resp, err := api.Repositories.GetCommit(ctx, api.owner, api.name, ref, &github.ListOptions{PerPage: 1}) // one of its files
		return commit.GetSHA(), resp, err
	})
	if err != nil {
		return "", err
	}
	if !objectID().MatchString(sha) {
		return "", &UnavailableError{What: what, Err: errors.New("GitHub names no commit")}
	}
	return sha, nil
}
