package gh

import (
	"context"
	"errors"
	"fmt"
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
	Object *wireBlob
}

type wireBlob struct {
	Typename    string `json:"__typename"`
	OID         string
	ByteSize    int
	IsBinary    *bool
	IsTruncated bool
	Text        *string
}

// content is that of a file; nil where there is none, or no regular file of at
// most so many bytes. Known is false where it is there and was not read whole.
func (w *wireFile) content(most int) (content []byte, known bool) {
	if w == nil || w.Mode&typeOfMode != regularMode || w.Object == nil || w.Object.Typename != "Blob" || w.Object.ByteSize > most {
		return nil, true
	}
	if text, whole := w.Object.whole(); whole {
		return text, true
	}
	return nil, false
}

// large reports whether there is a regular file of more than so many bytes.
func (w *wireFile) large(most int) bool {
	return w != nil && w.Mode&typeOfMode == regularMode && w.Object != nil && w.Object.Typename == "Blob" && w.Object.ByteSize > most
}

// LargeFileError says that a file is larger than is read.
type LargeFileError struct {
	Path string
	Size int // bytes
}

func (e *LargeFileError) Error() string {
	return fmt.Sprintf("%s has %d bytes, at most %d are read", e.Path, e.Size, maxFileBytes)
}

func (c *Client) keep(at fileAt, content []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.files[at] = content
}

func (c *Client) kept(at fileAt) (content []byte, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	content, ok = c.files[at]
	return content, ok
}

// File reads one file of a commit; see Files.
func (c *Client) File(ctx context.Context, sha, path string) ([]byte, error) {
	files, err := c.Files(ctx, sha, []string{path})
	return files[path], err
}

// Files reads files of a commit, at most 100 at once. What does not exist, is no
// regular file (links are not followed, T51) or is over 64 KiB is nil; the last
// also gives a *LargeFileError, since it must not pass for missing. It is one
// request, and none for what is known.
func (c *Client) Files(ctx context.Context, sha string, paths []string) (map[string][]byte, error) {
	if err := commitID(sha); err != nil {
		return nil, err
	}
	if len(paths) > maxFiles {
		return nil, fmt.Errorf("read files of %.12s: %d at once are too many", sha, len(paths))
	}
	found := make(map[string][]byte, len(paths))
	var ask []string
	for _, path := range paths {
		if content, ok := c.kept(fileAt{sha, path}); ok {
			found[path] = content
		} else if _, twice := found[path]; !twice && plainPath(path) {
			ask = append(ask, path)
		}
		if _, ok := found[path]; !ok {
			found[path] = nil
		}
	}
	if len(ask) == 0 {
		return found, nil
	}
	what := fmt.Sprintf("read files of %.12s", sha)
	var document strings.Builder
	v := variables{"owner": c.owner, "name": c.name, "commit": sha}
	document.WriteString("query Files($owner: String!, $name: String!, $commit: String!")
	for i, path := range ask {
		fmt.Fprintf(&document, ", $p%d: String!", i)
		v[fmt.Sprintf("p%d", i)] = path
	}
	document.WriteString(") {\n  repository(owner: $owner, name: $name) { object(expression: $commit) { ... on Commit {\n")
	for i := range ask {
		fmt.Fprintf(&document, "    f%d: file(path: $p%d) %s\n", i, i, fileFields)
	}
	document.WriteString("  } } }\n}")
	var reply struct {
		Repository *struct{ Object map[string]*wireFile }
	}
	if err := c.query(ctx, what, document.String(), v, &reply); err != nil {
		return nil, err
	}
	if reply.Repository == nil || reply.Repository.Object == nil {
		return nil, &NotFoundError{What: what}
	}
	var large []error
	for i, path := range ask {
		file := reply.Repository.Object[fmt.Sprintf("f%d", i)]
		if file.large(maxFileBytes) {
			large = append(large, &LargeFileError{Path: path, Size: file.Object.ByteSize})
			continue
		}
		content, known := file.content(maxFileBytes)
		if !known {
			var err error
			if content, err = c.rawBlob(ctx, file.Object.OID, maxFileBytes); err != nil {
				return nil, err
			}
		}
		c.keep(fileAt{sha, path}, content)
		found[path] = content
	}
	return found, errors.Join(large...)
}

// plainPath reports whether a path can be one of a file in a tree (T50).
func plainPath(path string) bool {
	if path == "" || len(path) > 4096 || strings.ContainsRune(path, 0) {
		return false
	}
	for name := range strings.SplitSeq(path, "/") {
		if name == "" || name == "." || name == ".." {
			return false
		}
	}
	return true
}
