package gh

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

const (
	maxFiles    = 100
	blobsAtOnce = 100     // files of one query
	blobLimit   = 4 << 20 // bytes of the largest file that is read whole
)

// fileFields are of an entry of a tree with its text.
const fileFields = `{ mode oid object { __typename ... on Blob { byteSize isBinary isTruncated text } } }`

// wireFile is an entry of a commit.
type wireFile struct {
	Mode   uint32
	OID    string
	Object struct {
		Typename    string `json:"__typename"`
		ByteSize    int
		IsBinary    bool // also false if GitHub does not know
		IsTruncated bool
		Text        *string
	}
}

// isRegular reports whether this is a regular file, not a link and not missing.
func (w *wireFile) isRegular() bool {
	return w != nil && w.Mode&patch.TypeMask == patch.TypeRegular && w.Object.Typename == "Blob"
}

// whole returns the exact content of a file if GraphQL gave it. GraphQL cuts long text
// and converts other encodings to UTF-8, so the content must match the id.
func (w *wireFile) whole() ([]byte, bool) {
	switch {
	case w.Object.Text == nil, w.Object.IsTruncated, !isBlob(w.OID, []byte(*w.Object.Text)):
		return nil, false
	}
	return []byte(*w.Object.Text), true
}

// entries reads files by their commits and paths, a hundred in one query; a missing one is
// nil. It leaves out paths that a query cannot name.
func (r *Reader) entries(ctx context.Context, what string, wanted []fileAt) (map[fileAt]*wireFile, error) {
	found := make(map[fileAt]*wireFile, len(wanted))
	var named []fileAt
	for _, at := range wanted {
		if _, twice := found[at]; !twice && plainPath(at.path) && utf8.ValidString(at.path) {
			named = append(named, at)
			found[at] = nil
		}
	}
	var read func(part []fileAt) error
	read = func(part []fileAt) error {
		v := variables{"owner": r.sender.options.Owner, "name": r.sender.options.Repo}
		commits := slices.Compact(slices.Sorted(slices.Values(lists.Map(part, func(at fileAt) string { return at.sha }))))
		declared, fields := "", ""
		for c, sha := range commits {
			v[fmt.Sprintf("c%d", c)] = sha
			declared += fmt.Sprintf(", $c%d: String!", c)
			fields += fmt.Sprintf("    c%d: object(expression: $c%d) { ... on Commit {\n", c, c)
			for i, at := range part {
				if at.sha == sha {
					v[fmt.Sprintf("e%d_%d", c, i)] = at.path
					declared += fmt.Sprintf(", $e%d_%d: String!", c, i)
					fields += fmt.Sprintf("      f%d: file(path: $e%d_%d) %s\n", i, c, i, fileFields)
				}
			}
			fields += "    } }\n"
		}
		document := "query Files($owner: String!, $name: String!" + declared + ") {\n  repository(owner: $owner, name: $name) {\n" + fields + "  }\n}"
		var data struct {
			Repository map[string]map[string]*wireFile
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
		for i, at := range part {
			files := data.Repository[fmt.Sprintf("c%d", slices.Index(commits, at.sha))]
			if files == nil {
				return &NotFoundError{What: what}
			}
			found[at] = files[fmt.Sprintf("f%d", i)]
		}
		return nil
	}
	for part := range slices.Chunk(named, blobsAtOnce) {
		if err := read(part); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// Files reads up to 100 files of a commit. A missing file, and one that is not regular (links
// are not followed), is nil; one over 4 MiB is an error, since it must not pass for missing.
// It is one request, or none for known files.
func (r *Reader) Files(ctx context.Context, sha string, paths []string) (map[string][]byte, error) {
	what := fmt.Sprintf("read files of %.12s", sha)
	if err := commitIDs(what, sha); err != nil {
		return nil, err
	}
	if len(paths) > maxFiles {
		return nil, fmt.Errorf("%s: %d at once are too many", what, len(paths))
	}
	found := make(map[string][]byte, len(paths))
	var ask []fileAt
	r.mu.Lock()
	for _, path := range paths {
		at := fileAt{sha, path}
		content, known := r.files[at]
		if _, twice := found[path]; !known && !twice {
			ask = append(ask, at)
		}
		found[path] = content
	}
	r.mu.Unlock()
	read, err := r.entries(ctx, what, ask)
	if err != nil {
		return nil, err
	}
	for _, at := range ask {
		file := read[at]
		if file.isRegular() {
			var exact bool
			if found[at.path], exact = file.whole(); !exact {
				if found[at.path], err = r.rawBlob(ctx, file.OID, blobLimit); err != nil {
					return nil, err
				}
			}
			if found[at.path] == nil {
				return nil, fmt.Errorf("%s: %s has more than %d bytes", what, oneLine(at.path), blobLimit)
			}
		}
		r.keep(at, found[at.path])
	}
	return found, nil
}

func (r *Reader) keep(at fileAt, content []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files[at] = content
}

// plainPath reports whether a tree can have an entry at this path.
func plainPath(path string) bool {
	if len(path) > 4096 || strings.ContainsRune(path, 0) {
		return false
	}
	leaves := func(name string) bool { return slices.Contains([]string{"", ".", ".."}, name) }
	return !slices.ContainsFunc(strings.Split(path, "/"), leaves)
}

// isBlob reports whether git gives this id to this content.
func isBlob(oid string, content []byte) bool {
	id := blobHash(oid, int64(len(content)))
	id.Write(content)
	return hex.EncodeToString(id.Sum(nil)) == oid
}

// blobHash begins the id that git gives to a content of this size. It is as long as oid.
func blobHash(oid string, size int64) hash.Hash {
	id := sha1.New()
	if len(oid) == 2*sha256.Size {
		id = sha256.New()
	}
	fmt.Fprintf(id, "blob %d\x00", size)
	return id
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
