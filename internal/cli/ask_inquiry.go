package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// The bounds of the files with a question.
const (
	maxShownFiles = 10
	maxShownBytes = 120_000
)

// inquiry is a question with its files, read before the record opens: a missing file leaves
// no record behind.
type inquiry struct {
	anchor  debate.Anchor
	request debate.Inquiry
	repo    *gitrepo.Repo // nil outside a repository
	head    string        // commit, "" if there is none
	files   []*patch.File
	notes   []string
	left    int // bytes for further files
	sum     [sha256.Size]byte
	beside  *frozenChange // what parties may look at, nil for nothing
}

// freeze reads the files that the flags and the question name. A question without names
// gets no files (R175).
func (q *inquiry) freeze(r *run, flags []string) error {
	var err error
	q.repo, err = gitrepo.Open(r.ctx, r.Dir)
	switch {
	case errors.As(err, new(*gitrepo.NotRepositoryError)), errors.As(err, new(*gitrepo.GitMissingError)):
		q.repo = nil
	case err != nil:
		return err
	default:
		if q.head, _, err = q.repo.Head(r.ctx); err != nil {
			return err
		}
	}
	q.left = maxShownBytes
	for _, name := range flags {
		if err := q.readFlag(r, name); err != nil {
			return err
		}
	}
	paths, identifiers := mentions(q.anchor.Intent)
	var named []gitrepo.Named
	if q.repo != nil && len(paths)+len(identifiers) > 0 {
		if named, err = q.repo.Named(r.ctx, paths, identifiers, maxShownBytes); err != nil {
			return err
		}
	}
	for _, f := range named {
		q.add(f)
	}
	for _, word := range paths {
		isFile := strings.Contains(word, "/") && path.Ext(word) != ""
		isNamed := slices.ContainsFunc(named, func(f gitrepo.Named) bool { return strings.HasSuffix("/"+f.Path, path.Clean("/"+word)) })
		if isFile && !isNamed && len(q.notes) < 2*maxShownFiles {
			q.notes = append(q.notes, word+" was not found; nothing of it is shown")
		}
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q %+v\n", q.anchor.Intent, q.request.Framing, q.request.Options)
	for _, f := range q.files {
		fmt.Fprintf(sum, "%q\n", f.NewPath)
		for _, h := range f.Hunks {
			for _, l := range h.Lines {
				fmt.Fprintf(sum, "%t %q\n", l.NoEOL, l.Text)
			}
		}
	}
	sum.Sum(q.sum[:0])
	return nil
}

// open freezes what parties may look at: the work tree, or HEAD in a bare repository. A
// question without files gets nothing (R175). If freezing fails, a note says so.
func (q *inquiry) open(r *run, set settings) error {
	if q.repo == nil || len(q.files) == 0 || set.looks() == 0 {
		return nil
	}
	scope := scopeFlags{Uncommitted: true}
	if q.repo.Top() == "" {
		scope = scopeFlags{Range: "HEAD..HEAD"}
	}
	snapshot, err := scope.freeze(r.ctx, q.repo)
	switch {
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case err != nil:
		q.notes = append(q.notes, "the parties cannot look at other files: "+oneLine(err))
		return nil
	}
	q.beside = newFrozen(q.repo, snapshot)
	tree := snapshot.Tree()
	q.sum = sha256.Sum256(fmt.Appendf(q.sum[:], "%s %s\n", tree.Name(debate.Left), tree.Name(debate.Right)))
	return nil
}

// readFlag reads a file of --file. It must fit whole.
func (q *inquiry) readFlag(r *run, name string) error {
	refuse := func(why string) error { return usage(fmt.Errorf("cannot show --file %s: %s", name, why)) }
	if isStandard(name) {
		return refuse("it is no file")
	}
	data, err := r.readLimited(name, maxShownBytes)
	if err != nil {
		return err
	}
	shown := filepath.ToSlash(filepath.Clean(name))
	if q.repo != nil && q.repo.Top() != "" {
		if rel, err := filepath.Rel(q.repo.Top(), resolveLink(r.path(name))); err == nil && filepath.IsLocal(rel) {
			shown = filepath.ToSlash(rel)
		}
	}
	if why := q.show(shown, data); why != "" {
		return refuse(why)
	}
	return nil
}

// add shows a file of the question, or notes the reason against it.
func (q *inquiry) add(f gitrepo.Named) {
	why := f.Reason
	if why == "" {
		why = q.show(f.Path, f.Content)
	}
	switch {
	case why != "" && len(q.notes) < 2*maxShownFiles:
		q.notes = append(q.notes, f.Path+" is not shown: "+why)
	case why == "" && f.Commit != "":
		q.notes = append(q.notes, f.Path+" is shown as it is at HEAD, it is not in the work tree")
	}
}

// show adds a file once. It returns the reason if it cannot, else "".
func (q *inquiry) show(name string, content []byte) string {
	switch {
	case slices.ContainsFunc(q.files, func(f *patch.File) bool { return f.NewPath == name }):
		return ""
	case name == debate.BodyPath:
		return "its name is that of the question"
	case len(content) == 0:
		return "it is empty"
	case bytes.IndexByte(content, 0) >= 0:
		return "it is no text"
	case len(q.files) == maxShownFiles:
		return fmt.Sprintf("%d files are the most", maxShownFiles)
	case len(content) > q.left:
		return fmt.Sprintf("all files together have more than %d bytes", maxShownBytes)
	}
	q.left -= len(content)
	q.files = append(q.files, patch.Shown(name, strings.ToValidUTF8(string(content), "\uFFFD")))
	return ""
}

// Snapshot implements engine.Source.
func (q *inquiry) Snapshot(context.Context) (engine.Frozen, error) {
	event := debate.Snapshotted{Scope: debate.ScopeQuestion, Hash: hex.EncodeToString(q.sum[:]), Notes: q.notes}
	if len(q.files) > 0 {
		event.HeadSHA = q.head
		shown := lists.Map(q.files, func(f *patch.File) string { return f.NewPath })
		event.Notes = append([]string{"files for the models: " + strings.Join(shown, ", ")}, q.notes...)
	}
	frozen := engine.Frozen{
		Event:  event,
		Change: patch.Alone(&patch.Set{Files: q.files}),
		Err:    func() error { return nil },
	}
	if q.beside != nil {
		frozen.Tree = q.beside.snapshot.Tree()
	}
	return frozen, nil
}

// policyFile reads a file at HEAD, because only committed files configure a debate. A
// missing file or commit is nil without an error.
func (q *inquiry) policyFile(ctx context.Context, path string) ([]byte, error) {
	return policyFileAt(ctx, q.repo, q.head, path)
}
