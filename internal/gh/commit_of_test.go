package gh

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

// TestCommitOf: GitHub finds the commit of a tag, with a message of its own or without one.
func TestCommitOf(t *testing.T) {
	t.Parallel()
	commit := strings.Repeat("c", 40)
	_, c := newScript(t, func(w http.ResponseWriter, r *http.Request, _ string) {
		if r.URL.Path != "/repos/octo/demo/commits/tags/v1.2.3" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		give(w, http.StatusOK, `{"sha":"`+commit+`"}`)
	})
	if got, err := c.Reader.CommitOf(t.Context(), "tags/v1.2.3"); got != commit || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// TestCommitOfNone: what is no commit is not taken for one.
func TestCommitOfNone(t *testing.T) {
	t.Parallel()
	_, c := newScript(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		give(w, http.StatusNotFound, `{"message":"Not Found"}`)
	})
	if got, err := c.Reader.CommitOf(t.Context(), "tags/v9"); err == nil {
		t.Errorf("a tag that is not there: %q", got)
	}
	_, c = newScript(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		give(w, http.StatusOK, `{"sha":"main; rm -rf /"}`)
	})
	var unavailable *UnavailableError
	if got, err := c.Reader.CommitOf(t.Context(), "tags/v9"); !errors.As(err, &unavailable) {
		t.Errorf("no commit: %q, %v", got, err)
	}
}
