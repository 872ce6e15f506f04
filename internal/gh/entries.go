package gh

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/debate"
)

// blobsAtOnce bounds the files of one query.
const blobsAtOnce = 100

// entryFields are of an entry of a tree, with what it holds.
const entryFields = `{ mode oid object ` + blobFields + ` }`

// wireSide is a file at one side of a change.
type wireSide struct {
	wireFile
	OID string
}

// object is what a file holds, whatever its mode, nil where it holds no blob.
func (w *wireSide) object() *wireBlob {
	if w == nil || w.Object.Typename != "Blob" {
		return nil
	}
	return &w.Object
}

// blob is that of a regular file, nil where there is none.
func (w *wireSide) blob() *wireBlob {
	if w == nil {
		return nil
	}
	return w.wireFile.blob()
}

// lookup is what is asked about the two sides of a change: files at either, with their
// modes and their text, folders at the merge base, and how much its pull request changes.
type lookup struct {
	base, head string
	number     int // of the pull request; 0: nobody asks about it
	sides      []sidePath
	dirs       []string
	found      map[sidePath]*wireSide // nil for what is not there
	folders    folders
	changed    changedFiles // of none where it is not known
}

// changedFiles says how many files a pull request changes.
type changedFiles struct{ ChangedFiles int }

// entries asks for files at the two sides of a change. What no query can name is left
// out.
func (r *Reader) entries(ctx context.Context, what, base, head string, sides []sidePath) (map[sidePath]*wireSide, error) {
	l := &lookup{base: base, head: head, sides: sides}
	err := r.answer(ctx, what, l)
	return l.found, err
}

// answer asks what a lookup is about.
func (r *Reader) answer(ctx context.Context, what string, l *lookup) error {
	named := make([]sidePath, 0, len(l.sides))
	for _, at := range l.sides {
		if plainPath(at.path) && utf8.ValidString(at.path) {
			named = append(named, at)
		}
	}
	l.found, l.folders = make(map[sidePath]*wireSide, len(named)), folders{}
	dirs := l.dirs
	for part := range slices.Chunk(named, blobsAtOnce) {
		if err := r.describe(ctx, what, l, part, dirs); err != nil {
			return err
		}
		dirs = nil
	}
	return nil
}

// describe asks for a part of a lookup. What GitHub cannot answer at once it is asked in
// halves, and without the folders.
func (r *Reader) describe(ctx context.Context, what string, l *lookup, sides []sidePath, dirs []string) error {
	document, v := l.query(sides, dirs)
	v["owner"], v["name"] = r.sender.options.Owner, r.sender.options.Repo
	var data struct {
		Repository struct {
			Base, Head map[string]*wireSide
			Folders    map[string]*struct {
				wireFolder             // of the top
				Object     *wireFolder // of an entry
			}
			Pull *changedFiles
		}
	}
	err := r.sender.query(ctx, what, document, v, &data)
	if errors.As(err, new(*UnavailableError)) && len(sides) > 1 {
		half := len(sides) / 2
		if err := r.describe(ctx, what, l, sides[:half], nil); err != nil {
			return err
		}
		return r.describe(ctx, what, l, sides[half:], nil)
	}
	if err != nil {
		return err
	}
	if data.Repository.Pull != nil {
		l.changed = *data.Repository.Pull
	}
	for i, at := range sides {
		commit := data.Repository.Head
		if at.side == debate.Left {
			commit = data.Repository.Base
		}
		l.found[at] = commit[fmt.Sprintf("b%d", i)]
	}
	if top := data.Repository.Folders["top"]; top != nil {
		l.folders.take(".", top.wireFolder)
	}
	for i, dir := range dirs {
		w := data.Repository.Folders[fmt.Sprintf("d%d", i)]
		switch {
		case w == nil:
			l.folders.take(dir, wireFolder{})
		case w.Object != nil:
			l.folders.take(dir, *w.Object)
		}
	}
	return nil
}

// query asks for entries of the two commits. Each path is a variable, $e0 of a file and
// $d0 of a folder, and each answer is named b0 or d0.
func (l *lookup) query(sides []sidePath, dirs []string) (document string, v variables) {
	v = variables{}
	var declared, left, right, around strings.Builder
	for i, at := range sides {
		to := &right
		if at.side == debate.Left {
			to = &left
		}
		v[fmt.Sprintf("e%d", i)] = at.path
		fmt.Fprintf(&declared, ", $e%d: String!", i)
		fmt.Fprintf(to, "    b%d: file(path: $e%d) %s\n", i, i, entryFields)
	}
	for i, dir := range dirs {
		v[fmt.Sprintf("d%d", i)] = dir
		fmt.Fprintf(&declared, ", $d%d: String!", i)
		fmt.Fprintf(&around, "    d%d: file(path: $d%d) { object { ... on Tree { %s } } }\n", i, i, nearFields)
	}
	if len(dirs) > 0 {
		fmt.Fprintf(&around, "    top: tree { %s }\n", nearFields)
	}
	var within strings.Builder
	for _, part := range []struct {
		name, commit, id string
		fields           *strings.Builder
	}{{"base", "base", l.base, &left}, {"head", "head", l.head, &right}, {"folders", "base", l.base, &around}} {
		if part.fields.Len() == 0 {
			continue
		}
		if _, known := v[part.commit]; !known {
			v[part.commit] = part.id
			fmt.Fprintf(&declared, ", $%s: String!", part.commit)
		}
		fmt.Fprintf(&within, "  %s: object(expression: $%s) { ... on Commit {\n%s  } }\n", part.name, part.commit, part.fields)
	}
	if l.number > 0 {
		v["number"] = l.number
		declared.WriteString(", $number: Int!")
		within.WriteString("  pull: pullRequest(number: $number) { changedFiles }\n")
	}
	return fmt.Sprintf("query Blobs($owner: String!, $name: String!%s) {\n  repository(owner: $owner, name: $name) {\n%s  }\n}", &declared, &within), v
}
