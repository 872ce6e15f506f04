package gh

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

// TestTag: the commit of a tag, with a message of its own and without one.
func TestTag(t *testing.T) {
	t.Parallel()
	commit, object := strings.Repeat("c", 40), strings.Repeat("7", 40)
	for name, answers := range map[string]map[string]string{
		"plain": {"/repos/octo/demo/git/ref/tags/v1.2.3": `{"ref":"refs/tags/v1.2.3","object":{"type":"commit","sha":"` + commit + `"}}`},
		"with a message": {
			"/repos/octo/demo/git/ref/tags/v1.2.3": `{"ref":"refs/tags/v1.2.3","object":{"type":"tag","sha":"` + object + `"}}`,
			"/repos/octo/demo/git/tags/" + object:  `{"tag":"v1.2.3","sha":"` + object + `","object":{"type":"commit","sha":"` + commit + `"}}`,
		},
	} {
		_, c := newScript(t, func(w http.ResponseWriter, r *http.Request, _ string) {
			if answers[r.URL.Path] == "" {
				t.Errorf("%s: asked for %s", name, r.URL.Path)
			}
			give(w, http.StatusOK, answers[r.URL.Path])
		})
		if got, err := c.Reader.Tag(t.Context(), "v1.2.3"); got != commit || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// TestTagThatIsNone: what is no commit is not taken for one.
func TestTagThatIsNone(t *testing.T) {
	t.Parallel()
	_, c := newScript(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		give(w, http.StatusNotFound, `{"message":"Not Found"}`)
	})
	if got, err := c.Reader.Tag(t.Context(), "v9"); err == nil {
		t.Errorf("a tag that is not there: %q", got)
	}
	_, c = newScript(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		give(w, http.StatusOK, `{"object":{"type":"commit","sha":"main; rm -rf /"}}`)
	})
	var unavailable *UnavailableError
	if got, err := c.Reader.Tag(t.Context(), "v9"); !errors.As(err, &unavailable) {
		t.Errorf("no commit: %q, %v", got, err)
	}
}
