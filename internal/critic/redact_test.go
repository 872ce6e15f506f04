package critic

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/critic/checktest"
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
	res := reviewAll(checktest.Change(nil, map[string]string{"requirements.txt": "git+https://x:" + token + "@github.com/a/b.git\n"}))
	if len(res.Notices) == 0 {
		t.Fatal("no notice")
	}
	for _, n := range res.Notices {
		if strings.Contains(n.Text, token) {
			t.Errorf("%s says %q", n.Rule, n.Text)
		}
	}
}

// A line with a token that breaks another rule must not tell the token there.
func TestOtherHitsRedactTheSecret(t *testing.T) {
	t.Parallel()
	secret := "ghp_" + "NqVwYS81VP7Hb1DX8pPd5kh" + "xE3pyIgKpaUnA"
	res := reviewAll(checktest.Change(nil, map[string]string{"a.go": "const a = \"" + secret + "\" // x\u202e\n"}))
	var rules []string
	for _, h := range res.Hits {
		rules = append(rules, h.Rule)
		if !slices.Contains(h.Redact, secret) {
			t.Errorf("%s does not redact the secret that it quotes", h.Rule)
		}
	}
	slices.Sort(rules)
	if d := cmp.Diff([]string{"secrets/github-pat", "unicode/bidi-control"}, rules); d != "" {
		t.Error(d)
	}
}
