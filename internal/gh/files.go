package gh

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/patch"
)

const (
	maxFiles     = 100
	maxFileBytes = 64 << 10
	regularMode  = 0o100000
	typeOfMode   = 0o170000
)

// fileFields are of an entry of a tree. The mode tells a file from a link.
const fileFields = `{ mode object ` + blobFields + ` }`

const blobFields = `{ __typename ... on Blob { oid byteSize isBinary isTruncated text } }`

type wireFile struct {
	Mode   uint32
	Object wireBlob // has no type if the file is missing
}

type wireBlob struct {
	Typename    string `json:"__typename"`
	OID         string
	ByteSize    int
	IsBinary    bool // also false if GitHub does not know
	IsTruncated bool
	Text        *string
}

// blob returns the blob of a regular file, else nil.
func (w *wireFile) blob() *wireBlob {
	switch {
	case w == nil, w.Mode&typeOfMode != regularMode, w.Object.Typename != "Blob":
		return nil
	}
	return &w.Object
}

// content returns the content of a file; nil if it is no regular file of at most most
// bytes. Known is false if the answer does not hold all of it.
func (w *wireFile) content(most int) (content []byte, known bool) {
	b := w.blob()
	if b == nil || b.ByteSize > most {
		return nil, true
	}
	return b.whole()
}

// large reports whether this is a regular file of more than most bytes.
func (w *wireFile) large(most int) bool {
	b := w.blob()
	return b != nil && b.ByteSize > most
}

// LargeFileError reports a file over the size limit.
type LargeFileError struct {
	Path string
	Size int // bytes
}

func (e *LargeFileError) Error() string {
	return fmt.Sprintf("%s has %d bytes, at most %d are read", e.Path, e.Size, maxFileBytes)
}

func (r *Reader) keep(at fileAt, content []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files[at] = content
}

// Files reads up to 100 files of a commit. A missing file, one that is not regular
// (links are not followed) and one over 64 KiB is nil. The last also returns a
// *LargeFileError, since it must not pass for missing. It is one request, or none for
// known files.
func (r *Reader) Files(ctx context.Context, sha string, paths []string) (map[string][]byte, error) {
	what := fmt.Sprintf("read files of %.12s", sha)
	if err := commitIDs(what, sha); err != nil {
		return nil, err
	}
	if len(paths) > maxFiles {
		return nil, fmt.Errorf("%s: %d at once are too many", what, len(paths))
	}
	found, ask := r.known(sha, paths)
	if len(ask) == 0 {
		return found, nil
	}
	v := variables{"commit": sha}
	document := batch("Files", "$commit: String!, ", "object(expression: $commit) { ... on Commit {", ask, v, func(i int) string {
		return fmt.Sprintf("file(path: $e%d) %s", i, fileFields)
	})
	read, err := queryOne[map[string]*wireFile](ctx, r.sender, what, document, v)
	if err != nil {
		return nil, err
	}
	var large []error
	for i, path := range ask {
		file := (*read)[fmt.Sprintf("b%d", i)]
		if file.large(maxFileBytes) {
			large = append(large, &LargeFileError{Path: path, Size: file.Object.ByteSize})
			continue
		}
		content, err := r.contentOf(ctx, file, maxFileBytes)
		if err != nil {
			return nil, err
		}
		r.keep(fileAt{sha, path}, content)
		found[path] = content
	}
	return found, errors.Join(large...)
}

// known returns the files read before, nil for the others, and the paths still to ask
// for.
func (r *Reader) known(sha string, paths []string) (found map[string][]byte, ask []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found = make(map[string][]byte, len(paths))
	for _, path := range paths {
		content, known := r.files[fileAt{sha, path}]
		_, twice := found[path]
		if !known && !twice && plainPath(path) {
			ask = append(ask, path)
		}
		found[path] = content
	}
	return found, ask
}

// batch writes a query with one field for each argument. The arguments are the
// variables $e0, $e1 and so on, the answers are named b0, b1 and so on.
func batch(name, declare, within string, arguments []string, v variables, field func(i int) string) string {
	var head, body strings.Builder
	for i, argument := range arguments {
		fmt.Fprintf(&head, ", $e%d: String!", i)
		fmt.Fprintf(&body, "    b%d: %s\n", i, field(i))
		v[fmt.Sprintf("e%d", i)] = argument
	}
	ends := strings.Repeat(" }", strings.Count(within, "{"))
	return fmt.Sprintf("query %s(%s$owner: String!, $name: String!%s) {\n  repository(owner: $owner, name: $name) { %s\n%s  %s }\n}", name, declare, head.String(), within, body.String(), ends)
}

// plainPath reports whether a tree can have an entry at this path.
func plainPath(path string) bool {
	if len(path) > 4096 || strings.ContainsRune(path, 0) {
		return false
	}
	leaves := func(name string) bool { return slices.Contains([]string{"", ".", ".."}, name) }
	return !slices.ContainsFunc(strings.Split(path, "/"), leaves)
}

// blobLimit is the size in bytes of the largest file that is read whole.
const blobLimit = 4 << 20

// whole returns the exact content of a blob if GraphQL gave it. GraphQL cuts long text
// and converts other encodings to UTF-8, so the content must match the id.
func (w *wireBlob) whole() ([]byte, bool) {
	switch {
	case w.Text == nil, w.IsTruncated, !isBlob(w.OID, []byte(*w.Text)):
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

// rawBlob reads a blob by its id; nil if it is over the limit.
func (r *Reader) rawBlob(ctx context.Context, oid string, most int) ([]byte, error) {
	what := fmt.Sprintf("read the content %.12s", oid)
	if err := commitIDs(what, oid); err != nil {
		return nil, err
	}
	content, err := send(ctx, r.sender, request{what: what}, func(ctx context.Context, api api) ([]byte, *github.Response, error) {
		return api.Git.GetBlobRaw(ctx, api.owner, api.name, oid)
	})
	switch {
	case err != nil:
		return nil, err
	case !isBlob(oid, content):
		return nil, &UnavailableError{What: what, Err: errors.New("the answer is another content")}
	case len(content) > most:
		return nil, nil
	case content == nil:
		return []byte{}, nil // empty, and there
	}
	return content, nil
}

const (
	rawBlobs   = 64       // read in one request each, for one snapshot
	maxContent = 96 << 20 // bytes of all files of a snapshot
)

// contents reads the changed files at both sides into the snapshot: regular files only,
// at most 4 MiB each and 96 MiB together. Entries are GitHub's facts about each.
func (r *Reader) contents(ctx context.Context, what string, s *Snapshot, set *patch.Set, entries map[sidePath]*wireSide) error {
	var wanted []changedSide
	var unknown []sidePath
	for _, side := range changedSides(set) {
		_, twice := s.kept[side.at]
		s.kept[side.at] = content{} // nil if it is not a regular file
		isRegular := side.mode == 0 || side.mode&typeOfMode == regularMode
		if twice || !isRegular {
			continue
		}
		wanted = append(wanted, side)
		if _, known := entries[side.at]; !known {
			unknown = append(unknown, side.at)
		}
	}
	found, _, err := r.entries(ctx, what, s.BaseSHA, s.HeadSHA, unknown, 0)
	if err != nil {
		return err
	}
	maps.Copy(entries, found)
	var spent spent
	for _, side := range wanted {
		fact := entries[side.at].object()
		if fact == nil {
			continue
		}
		data, err := r.content(ctx, fact, side.file.Kind, &spent)
		if err != nil {
			return err
		}
		s.kept[side.at] = content{oid: fact.OID, data: data}
	}
	if spent.skipped > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("the whole content of %d changed files was not read: there is too much of it", spent.skipped))
	}
	return nil
}

// spent counts the content read for one snapshot.
type spent struct {
	bytes   int
	raw     int // blobs, in a request each
	skipped int // files skipped because the total is too large
}

// content returns the content of a changed file; nil if it is not read.
func (r *Reader) content(ctx context.Context, fact *wireBlob, kind patch.Kind, spent *spent) (data []byte, err error) {
	text, exact := fact.whole()
	fact.Text = nil
	switch {
	case fact.ByteSize > blobLimit:
		return nil, nil
	case spent.bytes+fact.ByteSize > maxContent:
		spent.skipped++
		return nil, nil
	case exact:
		data = text
	case kind == patch.Submodule, kind == patch.Symlink: // the content would explain no lines
		return nil, nil
	case spent.raw >= rawBlobs:
		spent.skipped++
		return nil, nil
	default:
		spent.raw++
		data, err = r.rawBlob(ctx, fact.OID, blobLimit)
	}
	spent.bytes += len(data)
	return data, err
}

const outsideQuery = `query Outside($owner: String!, $name: String!, $commit: String!, $path: String!) {
  repository(owner: $owner, name: $name) { object(expression: $commit) { ... on Commit {
    file(path: $path) ` + entryFields + `
  } } }
}`

// outside reads a file outside the change. Entry is its place in the tree, or empty if
// GitHub cut the tree.
func (r *Reader) outside(ctx context.Context, commit string, entry treeEntry, path string) (content, error) {
	what := fmt.Sprintf("read %s at %.12s", oneLine(path), commit)
	if entry.oid != "" {
		data, err := r.rawBlob(ctx, entry.oid, blobLimit)
		return content{oid: entry.oid, data: data}, err
	}
	object, err := queryOne[struct{ File *wireSide }](ctx, r.sender, what, outsideQuery, variables{"commit": commit, "path": path})
	if err != nil || object.File == nil {
		return content{}, err
	}
	data, err := r.contentOf(ctx, &object.File.wireFile, blobLimit)
	return content{oid: object.File.OID, data: data}, err
}

// contentOf returns the content of a file and reads the blob if the answer does not
// hold all of it. It is nil unless this is a regular file of at most most bytes.
func (r *Reader) contentOf(ctx context.Context, file *wireFile, most int) ([]byte, error) {
	content, known := file.content(most)
	if known {
		return content, nil
	}
	return r.rawBlob(ctx, file.Object.OID, most)
}
