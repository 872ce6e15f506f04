package gh

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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

// large reports whether there is a regular file of more than so many bytes.
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

// plainPath reports whether a path can be one of a file in a tree.
func plainPath(path string) bool {
	if len(path) > 4096 || strings.ContainsRune(path, 0) {
		return false
	}
	leaves := func(name string) bool { return slices.Contains([]string{"", ".", ".."}, name) }
	return !slices.ContainsFunc(strings.Split(path, "/"), leaves)
}
