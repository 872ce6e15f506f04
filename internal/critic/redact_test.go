package critic

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/checktest"
	"github.com/prdebate/debate/internal/testkit/patchtest"
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

// TestSecretsOfEveryText: what a notice names and what a second rule quotes is
// listed as secret, so that whoever shows it can take it out.
func TestSecretsOfEveryText(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_NqVwYS81VP7Hb1DX8pPd5kh" + "xE3pyIgKpaUnA"
	for path, text := range map[string]string{
		"requirements.txt": "git+https://x:" + token + "@github.com/a/b.git\n",
		"a.go":             "const a = \"" + token + "\" // x\u202e\n",
	} {
		res := reviewAll(checktest.Change(nil, map[string]string{path: text}))
		if len(res.Hits)+len(res.Notices) < 2 || !slices.Contains(res.Secrets, token) {
			t.Errorf("%s: %d hits, %d notices, secrets %q", path, len(res.Hits), len(res.Notices), res.Secrets)
		}
	}
}

// TestSecretsBeyondBounds: neither the bound of findings nor that of a file's
// size lets a secret be quoted.
func TestSecretsBeyondBounds(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_NqVwYS81VP7Hb1DX8pPd5kh" + "xE3pyIgKpaUnA"
	res := reviewAll(checktest.Change(nil, map[string]string{"a.go": strings.Repeat(strings.Repeat("x", 1<<10)+"\n", 5<<10) + "var t = \"" + token + "\" // x\u202e\n"}))
	if !slices.Contains(res.Secrets, token) {
		t.Errorf("a large file: secrets %q", res.Secrets)
	}
	head := make(map[string]string)
	for i := range maxHits + 1 {
		head[fmt.Sprintf("a/%03d/Dockerfile", i)] = fmt.Sprintf("FROM alpine\nENV DB_PASSWORD=hunter%03dhidden\n", i)
	}
	res = reviewAll(checktest.Change(nil, head))
	if res.Omitted != 1 || !slices.Contains(res.Secrets, fmt.Sprintf("hunter%03dhidden", maxHits)) {
		t.Errorf("%d hits were left out, of %d secrets", res.Omitted, len(res.Secrets))
	}
}
