package critic

import (
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/patch/patchtest"
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
			for _, h := range reviewAll(patchtest.Change(patchtest.Add(tt.path, tt.text))).Hits {
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

// TestNoticesHideSecrets holds that the list of changed dependencies does not
// repeat a token that stands in a URL.
func TestNoticesHideSecrets(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_NqVwYS81VP7Hb1DX8pPd5kh" + "xE3pyIgKpaUnA"
	res := reviewAll(makeChange(nil, map[string]string{"requirements.txt": "git+https://x:" + token + "@github.com/a/b.git\n"}))
	if len(res.Notices) == 0 {
		t.Fatal("no notice")
	}
	for _, n := range res.Notices {
		if strings.Contains(n.Text, token) {
			t.Errorf("%s says %q", n.Rule, n.Text)
		}
	}
}
