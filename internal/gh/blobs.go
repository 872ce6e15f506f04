package gh

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// blobLimit is the size in bytes of a file that is read whole.
const blobLimit = 4 << 20

// whole is the exact content of a blob, if GraphQL gave it: it cuts what is long
// and turns into UTF-8 what is none, so the id says.
func (w *wireBlob) whole() ([]byte, bool) {
	if w.Text == nil || w.IsTruncated || !isBlob(w.OID, []byte(*w.Text)) {
		return nil, false
	}
	return []byte(*w.Text), true
}

// isBlob reports whether git gives this id to this content.
func isBlob(oid string, content []byte) bool {
	header := fmt.Sprintf("blob %d\x00", len(content))
	if len(oid) == 2*sha256.Size {
		sum := sha256.Sum256(append([]byte(header), content...))
		return oid == hex.EncodeToString(sum[:])
	}
	h := sha1.New()
	h.Write([]byte(header))
	h.Write(content)
	return oid == hex.EncodeToString(h.Sum(nil))
}

// rawBlob reads a blob by its id; nil where it is over the limit.
func (c *Client) rawBlob(ctx context.Context, oid string, most int) ([]byte, error) {
	what := fmt.Sprintf("read the content %.12s", oid)
	if err := commitID(oid); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	got, err := c.send(ctx, call{what: what, method: http.MethodGet, path: c.repo("git/blobs/%s", oid), accept: rawMedia}, nil)
	switch {
	case err != nil:
		return nil, err
	case !isBlob(oid, got.body):
		return nil, &UnavailableError{What: what, Err: errors.New("the answer is another content")}
	case len(got.body) > most:
		return nil, nil
	case got.body == nil:
		return []byte{}, nil // empty, and there
	}
	return got.body, nil
}

// The media types of the API.
const (
	rawMedia  = "application/vnd.github.raw+json"
	diffMedia = "application/vnd.github.diff"
)

const (
	blobsAtOnce = 100      // in one query
	rawBlobs    = 64       // that are read in a request each, for one snapshot
	maxContent  = 96 << 20 // bytes of all files of a snapshot
)

// contents reads the files of a change at both sides and keeps them in the
// snapshot, as far as they are regular, at most 4 MiB each, and at most 96 MiB
// together. Facts are what GitHub says about each.
func (c *Client) contents(ctx context.Context, what string, s *Snapshot, set *patch.Set) (facts map[sidePath]*wireBlob, err error) {
	var wanted []sidePath
	kinds := map[sidePath]patch.Kind{}
	for _, f := range set.Files {
		for _, side := range []struct {
			at   sidePath
			mode uint32
		}{{sidePath{debate.Left, f.OldPath}, f.OldMode}, {sidePath{debate.Right, f.NewPath}, f.NewMode}} {
			regular := side.mode == 0 || side.mode&typeOfMode == regularMode
			if _, twice := kinds[side.at]; regular && !twice && plainPath(side.at.path) && utf8.ValidString(side.at.path) {
				wanted, kinds[side.at] = append(wanted, side.at), f.Kind
			}
		}
	}
	facts = make(map[sidePath]*wireBlob, len(wanted))
	for part := range slices.Chunk(wanted, blobsAtOnce) {
		if err := c.describe(ctx, what, s, part, facts); err != nil {
			return nil, err
		}
	}
	for _, at := range changedSides(set) {
		s.kept[at] = content{} // what is not regular has no content
	}
	raw, total, left := 0, 0, 0
	for _, at := range wanted {
		fact := facts[at]
		if fact == nil {
			continue
		}
		text, exact := fact.whole()
		keep := content{oid: fact.OID}
		switch {
		case fact.ByteSize > blobLimit:
		case total+fact.ByteSize > maxContent:
			left++
		case exact:
			keep.data = text
		case kinds[at] != patch.Text: // there are no lines that it would explain
		case raw >= rawBlobs:
			left++
		default:
			raw++
			if keep.data, err = c.rawBlob(ctx, fact.OID, blobLimit); err != nil {
				return nil, err
			}
		}
		fact.Text = nil
		total += len(keep.data)
		s.kept[at] = keep
	}
	if left > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("the whole content of %d changed files was not read: there is too much of it", left))
	}
	return facts, nil
}

// describe asks for the facts and the text of some files. What GitHub cannot
// answer at once it is asked in halves.
func (c *Client) describe(ctx context.Context, what string, s *Snapshot, files []sidePath, facts map[sidePath]*wireBlob) error {
	var document strings.Builder
	v := variables{"owner": c.owner, "name": c.name}
	document.WriteString("query Blobs($owner: String!, $name: String!")
	for i, at := range files {
		commit := s.HeadSHA
		if at.side == debate.Left {
			commit = s.BaseSHA
		}
		fmt.Fprintf(&document, ", $e%d: String!", i)
		v[fmt.Sprintf("e%d", i)] = commit + ":" + at.path
	}
	document.WriteString(") {\n  repository(owner: $owner, name: $name) {\n")
	for i := range files {
		fmt.Fprintf(&document, "    b%d: object(expression: $e%d) %s\n", i, i, blobFields)
	}
	document.WriteString("  }\n}")
	var reply struct{ Repository map[string]*wireBlob }
	err := c.query(ctx, what, document.String(), v, &reply)
	var unavailable *UnavailableError
	if errors.As(err, &unavailable) && len(files) > 1 {
		half := len(files) / 2
		if err := c.describe(ctx, what, s, files[:half], facts); err != nil {
			return err
		}
		return c.describe(ctx, what, s, files[half:], facts)
	}
	if err != nil {
		return err
	}
	for i, at := range files {
		if b := reply.Repository[fmt.Sprintf("b%d", i)]; b != nil && b.Typename == "Blob" {
			facts[at] = b
		}
	}
	return nil
}

// outside reads a file that a change does not touch. Entry is its place in the
// tree, or empty where the tree was cut.
func (c *Client) outside(ctx context.Context, commit string, entry treeEntry, path string) (content, error) {
	what := fmt.Sprintf("read %s at %.12s", oneLine(path), commit)
	if entry.oid != "" {
		data, err := c.rawBlob(ctx, entry.oid, blobLimit)
		return content{oid: entry.oid, data: data}, err
	}
	const document = `query Outside($owner: String!, $name: String!, $commit: String!, $path: String!) {
  repository(owner: $owner, name: $name) { object(expression: $commit) { ... on Commit {
    file(path: $path) { mode oid object ` + blobFields + ` }
  } } }
}`
	var reply struct {
		Repository *struct {
			Object *struct {
				File *struct {
					wireFile
					OID string
				}
			}
		}
	}
	v := variables{"owner": c.owner, "name": c.name, "commit": commit, "path": path}
	if err := c.query(ctx, what, document, v, &reply); err != nil {
		return content{}, err
	}
	if reply.Repository == nil || reply.Repository.Object == nil {
		return content{}, &NotFoundError{What: what}
	}
	file := reply.Repository.Object.File
	if file == nil {
		return content{}, nil
	}
	data, known := file.content(blobLimit)
	if !known {
		var err error
		if data, err = c.rawBlob(ctx, file.Object.OID, blobLimit); err != nil {
			return content{}, err
		}
	}
	return content{oid: file.OID, data: data}, nil
}
