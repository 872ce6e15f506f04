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

// blobsAtOnce limits the files of one query.
const blobsAtOnce = 100

// entryFields are of an entry of a tree with its blob.
const entryFields = `{ mode oid object ` + blobFields + ` }`

// wireSide is a file at one side of a change.
type wireSide struct {
	wireFile
	OID string
}

// object returns the blob of an entry of any mode, else nil.
func (w *wireSide) object() *wireBlob {
	if w == nil || w.Object.Typename != "Blob" {
		return nil
	}
	return &w.Object
}

// blob returns the blob of a regular file, else nil.
func (w *wireSide) blob() *wireBlob {
	if w == nil {
		return nil
	}
	return w.wireFile.blob()
}

// entries reads files at the two sides of a change, nil for a missing file. It leaves
// out paths that a query cannot name. For a pull request (0: none) it also returns the
// number of changed files.
func (r *Reader) entries(ctx context.Context, what, base, head string, sides []sidePath, number int) (found map[sidePath]*wireSide, changed int, err error) {
	named := make([]sidePath, 0, len(sides))
	for _, at := range sides {
		if plainPath(at.path) && utf8.ValidString(at.path) {
			named = append(named, at)
		}
	}
	found = make(map[sidePath]*wireSide, len(named))
	var read func(part []sidePath) error
	read = func(part []sidePath) error {
		document, v := entriesQuery(base, head, part, number)
		v["owner"], v["name"] = r.sender.options.Owner, r.sender.options.Repo
		var data struct {
			Repository struct {
				Base, Head map[string]*wireSide
				Pull       *struct{ ChangedFiles int }
			}
		}
		err := r.sender.query(ctx, what, document, v, &data)
		if errors.As(err, new(*UnavailableError)) && len(part) > 1 { // it may be too much at once
			half := len(part) / 2
			if err := read(part[:half]); err != nil {
				return err
			}
			return read(part[half:])
		}
		if err != nil {
			return err
		}
		if data.Repository.Pull != nil {
			changed = data.Repository.Pull.ChangedFiles
		}
		for i, at := range part {
			commit := data.Repository.Head
			if at.side == debate.Left {
				commit = data.Repository.Base
			}
			found[at] = commit[fmt.Sprintf("b%d", i)]
		}
		return nil
	}
	for part := range slices.Chunk(named, blobsAtOnce) {
		if err := read(part); err != nil {
			return nil, 0, err
		}
	}
	return found, changed, nil
}

// entriesQuery asks for entries of the two commits. Each path is a variable $e0, $e1 and
// so on, and each answer is named b0, b1 and so on.
func entriesQuery(base, head string, sides []sidePath, number int) (document string, v variables) {
	v = variables{}
	var declared, left, right, within strings.Builder
	for i, at := range sides {
		to := &right
		if at.side == debate.Left {
			to = &left
		}
		v[fmt.Sprintf("e%d", i)] = at.path
		fmt.Fprintf(&declared, ", $e%d: String!", i)
		fmt.Fprintf(to, "    b%d: file(path: $e%d) %s\n", i, i, entryFields)
	}
	add := func(name, commit string, fields *strings.Builder) {
		if fields.Len() == 0 {
			return
		}
		v[name] = commit
		fmt.Fprintf(&declared, ", $%s: String!", name)
		fmt.Fprintf(&within, "  %s: object(expression: $%s) { ... on Commit {\n%s  } }\n", name, name, fields)
	}
	add("base", base, &left)
	add("head", head, &right)
	if number > 0 {
		v["number"] = number
		declared.WriteString(", $number: Int!")
		within.WriteString("  pull: pullRequest(number: $number) { changedFiles }\n")
	}
	return fmt.Sprintf("query Blobs($owner: String!, $name: String!%s) {\n  repository(owner: $owner, name: $name) {\n%s  }\n}", &declared, &within), v
}
