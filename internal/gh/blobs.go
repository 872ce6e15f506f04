package gh

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
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
	var refused *RefusedError
	if errors.As(err, &refused) && refused.Status == http.StatusForbidden {
		return nil, nil
	}
	switch {
	case err != nil:
		return nil, err
	case !isBlob(oid, got.body):
		return nil, &UnavailableError{What: what, Err: errors.New("the answer is another content")}
	case len(got.body) > most:
		return nil, nil
	}
	return got.body, nil
}

// The media types of the API.
const (
	rawMedia  = "application/vnd.github.raw+json"
	diffMedia = "application/vnd.github.diff"
)
