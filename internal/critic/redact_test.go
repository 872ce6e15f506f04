package critic

import (
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// TestPasswordsAreRedacted: whatever rule finds a credential, its hit says what
// must not be shown.
func TestPasswordsAreRedacted(t *testing.T) {
	t.Parallel()
	password := "hunter2" + "secret"
	tests := []struct{ rule, path, text string }{
		{"docker/secret-env", "Dockerfile", "FROM alpine\nENV DB_PASSWORD=" + password + "\n"},
		{"workflow/hardcoded-password", ".github/workflows/ci.yml", "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n" +
			"    container:\n      image: x\n      credentials:\n        username: u\n        password: \"" + password + "\"\n    steps:\n      - run: make\n"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			snippet := &patch.File{NewPath: tt.path, NewMode: 0o100644, Status: patch.Added, Kind: patch.Text, Hunks: []*patch.Hunk{{NewStart: 1}}}
			n := 0
			for line := range strings.SplitSeq(strings.TrimSuffix(tt.text, "\n"), "\n") {
				n++
				snippet.Hunks[0].Lines = append(snippet.Hunks[0].Lines, patch.Line{Op: '+', New: n, Text: line})
			}
			snippet.Additions, snippet.Hunks[0].NewLines = n, n
			change := patch.Change{
				Set:     &patch.Set{Files: []*patch.File{snippet}},
				Blob:    func(_ string, side debate.Side) ([]byte, bool) { return []byte(tt.text), side == debate.Right },
				BaseHas: func(string) bool { return false },
			}
			for _, h := range Review(change, func(string) bool { return false }, nil).Hits {
				if h.Rule == tt.rule {
					if !slices.Contains(h.Redact, password) {
						t.Errorf("not redacted: %q", h.Redact)
					}
					return
				}
			}
			t.Error("not found")
		})
	}
}
