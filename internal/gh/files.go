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

// fileFields are of an entry of a tree, whose mode tells a file from a link.
const fileFields = `{ mode object ` + blobFields + ` }`

const blobFields = `{ __typename ... on Blob { oid byteSize isBinary isTruncated text } }`

type wireFile struct {
	Mode   uint32
	Object wireBlob // without a type where there is none
}

type wireBlob struct {
	Typename    string `json:"__typename"`
	OID         string
	ByteSize    int
	IsBinary    bool // false, too, where GitHub does not know
	IsTruncated bool
	Text        *string
}

// blob is that of a regular file, nil where there is none.
func (w *wireFile) blob() *wireBlob {
	switch {
	case w == nil, w.Mode&typeOfMode != regularMode, w.Object.Typename != "Blob":
		return nil
	}
	return &w.Object
}

// content is that of a file; nil where there is no regular file of at most so many
// bytes. Known is false where it is there and was not read whole.
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

// LargeFileError says that a file is larger than is read.
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

// Files reads files of a commit, at most 100 at once. What does not exist, is no
// regular file (links are not followed) or is over 64 KiB is nil; the last also
// gives a *LargeFileError, since it must not pass for missing. It is one request,
// and none for what is known.
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

// known are the files that were read before, nil for others, and the paths that
// have to be asked for.
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

// batch writes a query that asks the same of many things: each argument is a
// variable $e0, $e1 and so on, and each answer is named b0, b1 and so on.
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
