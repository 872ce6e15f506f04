package secrets

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/testkit/checktest"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

func TestSecretRulesEqualTheLibrary(t *testing.T) {
	t.Parallel()
	s := loadRules()
	loaded := []string{"secrets/" + keyStoreRule} // about names of files, which no expression finds
	for _, r := range s.rules {
		loaded = append(loaded, "secrets/"+r.id)
	}
	slices.Sort(loaded)
	var documented []string
	for _, r := range rules() {
		documented = append(documented, r.ID)
	}
	slices.Sort(documented)
	if d := cmp.Diff(loaded, documented); d != "" {
		t.Errorf("rules of the library (-) and documented ones (+):\n%s", d)
	}
}

// The alphabets of tokens.
const (
	hexDigits = "0123456789abcdef"
	digits    = "0123456789"
	upper     = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lower     = "abcdefghijklmnopqrstuvwxyz"
	alnum     = digits + upper + lower
	base32    = upper + "234567"
)

// token makes n characters of an alphabet that look random and are the same in
// every run.
func token(alphabet string, n int) string {
	var b strings.Builder
	state := uint32(n)*2654435761 + uint32(len(alphabet))
	for range n {
		state = state*1664525 + 1013904223
		b.WriteByte(alphabet[int(state>>16)%len(alphabet)])
	}
	return b.String()
}

// jwt makes a signed-looking token over a payload.
func jwt(payload string, signature int) string {
	enc := base64.RawURLEncoding.EncodeToString
	return enc([]byte(`{"alg":"RS256","typ":"JWT"}`)) + "." + enc([]byte(payload)) + "." + token(alnum, signature)
}

// pem makes a key of n lines of base64.
func pem(label string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(token(alnum+"+/", 60+i%4) + "\n")
	}
	return pemOf(label, b.String())
}

func pemOf(label, body string) string {
	return fmt.Sprintf("-----BEGIN %s-----\n%s-----END %s-----\n", label, body, label)
}

// secretShapes are tokens in the forms their issuers document, made at run time
// so that none stands in this file.
var secretShapes = []struct {
	name string
	path string
	text string
	want string // rule
	sev  debate.Severity
}{
	{"aws access key", "a.go", `id := "AKIA` + token(base32, 16) + `"`, "aws-access-token", debate.P1},
	{"github classic", ".env", "TOKEN=ghp_" + token(alnum, 36), "github-pat", debate.P1},
	{"github oauth", "a.py", `t = "gho_` + token(alnum, 36) + `"`, "github-oauth", debate.P1},
	{"github fine-grained", "a.rb", `t = "github_pat_` + token(alnum, 22) + "_" + token(alnum, 59) + `"`, "github-fine-grained-pat", debate.P1},
	{"github installation, old", "a.ts", `const t = "ghs_` + token(alnum, 36) + `"`, "github-app-token", debate.P1},
	{"github installation, new", "a.ts", `const t = "ghs_123456_` + jwt(`{"iss":123456,"iat":1790000000,"repositories":["`+token(lower, 180)+`"]}`, 220) + `"`, "github-token", debate.P1},
	{"github refresh, longer", "a.ts", `const t = "ghr_` + token(alnum, 76) + `"`, "github-token", debate.P1},
	{"gitlab", "a.yml", "token: glpat-" + token(alnum, 20), "gitlab-pat", debate.P1},
	{"slack bot", "a.js", `const t = "xoxb-` + token(digits, 12) + "-" + token(digits, 12) + "-" + token(alnum, 24) + `"`, "slack-bot-token", debate.P1},
	{"slack webhook", "a.js", "https://hooks.slack.com/services/T" + token(upper+digits, 9) + "/B" + token(upper+digits, 9) + "/" + token(alnum, 24), "slack-webhook-url", debate.P1},
	{"stripe live", "a.js", `stripe("sk_live_` + token(alnum, 24) + `")`, "stripe-access-token", debate.P1},
	{"stripe test", "a.js", `stripe("sk_test_` + token(alnum, 24) + `")`, "stripe-access-token", debate.P2},
	{"google", "a.html", "key=AIza" + token(alnum, 35) + " ", "gcp-api-key", debate.P1},
	{"sendgrid", "a.py", `k = "SG.` + token(alnum, 22) + "." + token(alnum, 43) + `"`, "sendgrid-api-token", debate.P1},
	{"npm", ".npmrc", "//npm.acme.net/:_authToken=npm_" + token(alnum, 36), "npm-access-token", debate.P1},
	{"pypi", ".pypirc", "password = pypi-AgEIcHlwaS5vcmc" + token(alnum, 120), "pypi-upload-token", debate.P1},
	{"hugging face", "a.py", `t = "hf_` + token(lower+upper, 34) + `"`, "huggingface-access-token", debate.P1},
	{"openai", "a.py", `k = "sk-proj-` + token(alnum, 120) + `"`, "openai-token", debate.P1},
	{"anthropic", "a.py", `k = "sk-ant-api03-` + token(alnum+"_-", 93) + `AA"`, "anthropic-api-key", debate.P1},
	{"anthropic, other length", "a.py", `k = "sk-ant-oat01-` + token(alnum+"_-", 108) + `"`, "anthropic-token", debate.P1},
	{"digitalocean", "a.tf", `token = "dop_v1_` + token(hexDigits, 64) + `"`, "digitalocean-pat", debate.P1},
	{"shopify", "a.rb", `t = "shpat_` + token(hexDigits, 32) + `"`, "shopify-access-token", debate.P1},
	{"databricks", "a.py", `t = "dapi` + token(hexDigits, 32) + `"`, "databricks-api-token", debate.P1},
	{"doppler", "a.env", "T=dp.pt." + token(alnum, 43), "doppler-api-token", debate.P1},
	{"grafana", "a.env", "T=glsa_" + token(alnum, 32) + "_" + token(hexDigits, 8), "grafana-service-account-token", debate.P1},
	{"vault", "a.env", "T=hvs." + token(alnum, 95), "vault-service-token", debate.P1},
	{"twilio", "a.php", `$k = "SK` + token(hexDigits, 32) + `";`, "twilio-api-key", debate.P1},
	{"linear", "a.ts", `const k = "lin_api_` + token(alnum, 40) + `"`, "linear-api-key", debate.P1},
	{"age", "a.txt", "AGE-SECRET-KEY-1" + token("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58), "age-secret-key", debate.P1},
	{"openrouter", "a.py", `k = "sk-or-v1-` + token(hexDigits, 64) + `"`, "issuer-token", debate.P1},
	{"docker hub", "a.yml", "login: dckr_pat_" + token(alnum, 27), "issuer-token", debate.P1},
	{"google client", "a.json", `"GOCSPX-` + token(alnum, 28) + `"`, "issuer-token", debate.P1},
	{"stripe webhook", "a.env", "HOOK=whsec_" + token(alnum, 32), "issuer-token", debate.P1},
	{"groq", "a.py", `k = "gsk_` + token(alnum, 52) + `"`, "issuer-token", debate.P1},
	{"tailscale", "a.sh", "tailscale up --authkey tskey-auth-" + token(alnum, 17) + "-" + token(alnum, 32), "issuer-token", debate.P1},
	{"supabase", "a.env", "S=sbp_" + token(hexDigits, 40), "issuer-token", debate.P1},
	{"rsa key", "id_rsa", pem("RSA PRIVATE KEY", 25), "private-key", debate.P1},
	{"openssh key", "deploy", pem("OPENSSH PRIVATE KEY", 7), "private-key", debate.P1},
	{"openssh key as ssh-keygen writes it", "deploy2", pemOf("OPENSSH PRIVATE KEY", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n"+token(alnum, 70)+"\n"+token(alnum, 30)+"fake"+token(alnum, 36)+"\n"+token(alnum, 70)+"\n"), "private-key", debate.P1},
	{"key after certificates", "bundle.pem", pem("CERTIFICATE", 30) + pem("CERTIFICATE", 30) + pem("PRIVATE KEY", 26), "private-key", debate.P1},
	{"key on one line", "sa.json", `"private_key": "` + strings.ReplaceAll(pem("PRIVATE KEY", 26), "\n", `\n`) + `",`, "private-key", debate.P1},
	{"credentials of a request", "a.sh", `curl -u "deploy:` + token(alnum, 18) + `" https://ci.acme.net/`, "curl-auth-user", debate.P2},
	{"json web token", "a.sh", `curl -H "X-Auth: ` + jwt(`{"iss":"https://id.acme.net","uid":7731}`, 86) + `"`, "jwt", debate.P2},
	{"password of a database", "config.yml", "url: postgresql://app:" + token(alnum, 20) + "@db.acme.net:5432/app", "url-password", debate.P2},
	{"password of a queue", "a.py", `broker = "amqps://worker:` + token(alnum, 24) + `@mq.acme.net"`, "url-password", debate.P2},
	{"password in code", "a.go", `dbPassword := "` + token(alnum, 28) + `"`, "generic-api-key", debate.P2},
	{"key in a long line", "app.min.js", strings.Repeat("var a=1;", 2000) + `k="AKIA` + token(base32, 16) + `";` + strings.Repeat("b();", 2000), "aws-access-token", debate.P1},
}

func TestSecretShapes(t *testing.T) {
	t.Parallel()
	for _, tt := range secretShapes {
		t.Run(tt.name, func(t *testing.T) {
			head := map[string]string{tt.path: "first\n" + tt.text + "\nlast\n"}
			var got []debate.Hit
			for _, h := range reviewed(checktest.Change(nil, head)).Hits {
				if strings.HasPrefix(h.Rule, "secrets/") {
					got = append(got, h)
				}
			}
			if len(got) != 1 {
				t.Fatalf("found %d secrets, want one: %+v", len(got), got)
			}
			h := got[0]
			if h.Rule != "secrets/"+tt.want || h.Severity != tt.sev {
				t.Errorf("found %s %s, want secrets/%s %s", h.Rule, h.Severity, tt.want, tt.sev)
			}
			if trigger := h.Trigger == debate.TriggerSecurity; trigger != (tt.sev == debate.P1) {
				t.Errorf("severity %s with trigger %q", h.Severity, h.Trigger)
			}
			checktest.Complete(t, h, head)
			if len(h.Redact) == 0 {
				t.Fatal("nothing to redact")
			}
			for _, r := range h.Redact {
				if !strings.Contains(tt.text, r) {
					t.Errorf("redacts %q, which is not in the text", r)
				}
				if strings.Contains(h.Title+h.Body, r) {
					t.Errorf("title or body repeats the secret")
				}
			}
		})
	}
}

func TestSecretNearMisses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, path, text string }{
		{"documented aws id", "a.go", `id := "AKIA` + `IOSFODNN7EXAMPLE"`},
		{"documented aws key", "a.go", `awsSecretKey := "wJalrXUtnFEMI/K7MDENG/` + `bPxRfiCYEXAMPLEKEY"`},
		{"stripe's documented key", "a.js", `stripe("sk_test_4eC39Hq` + `LyjWDarjtT1zdp7dc")`},
		{"slack placeholder", "a.js", `const t = "xoxb-` + `xxxxxxxxxxxx-xxxxxxxxxxxx-xxxxxxxxxxxxxxxxxxxxxxxx"`},
		{"slack placeholder in digits", "a.js", `const t = "xoxb-` + `123456789012-1234567890123-abcdefghijklmnopqrstuvwx"`},
		{"your key", "a.py", `api_key = "your-api-key-here-1"`},
		{"github placeholder", "a.md", "ghp_" + strings.Repeat("x", 36)},
		{"github, letters in order", "a.md", "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"},
		{"jwt.io", "a.js", `const token = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.` + `eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.` + `SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"`},
		{"angle brackets", "a.sh", `export API_TOKEN="<token-from-page-42>"`},
		{"variable", "a.sh", `export API_TOKEN="${VAULT_TOKEN_2}"`},
		{"workflow secret", ".github/workflows/a.yml", `api-key: ${{ secrets.API_KEY_2 }}`},
		{"environment", "a.py", `api_key = os.environ["SERVICE_API_KEY_2"]`},
		{"environment call", "a.js", `const apiKey = process.env.SERVICE_API_KEY2;`},
		{"getenv", "a.go", `apiKey := os.Getenv("SERVICE_API_KEY2")`},
		{"npm integrity", "package-lock.json", `"integrity": "sha512-` + token(alnum, 86) + `==",`},
		{"cargo checksum", "Cargo.lock", `checksum = "` + token(hexDigits, 64) + `"`},
		{"go checksum", "go.sum", "example.org/a v1.0.0 h1:" + token(alnum, 43) + "="},
		{"commit", "a.yml", "key: " + token(hexDigits, 40)},
		{"digest in code", "a.go", `cacheKey := "` + token(hexDigits, 64) + `"`},
		{"uuid", "a.go", `tokenID := "` + token(hexDigits, 8) + "-" + token(hexDigits, 4) + "-" + token(hexDigits, 4) + "-" + token(hexDigits, 4) + "-" + token(hexDigits, 12) + `"`},
		{"name with a number", "a.py", "RegEnumKey = win32api.RegEnumKey"},
		{"two names with numbers", "a.go", `"encryptionKey": "encryptionKey1024",`},
		{"key for tests", "testdata/server.key", pem("PRIVATE KEY", 26)},
		{"key in a test", "tls_test.go", "key := `" + pem("PRIVATE KEY", 26) + "`"},
		{"password of a local database", "compose.yml", "URL: postgres://postgres:postgres@localhost:5432/app"},
		{"password of a database by variable", "a.sh", `url="postgres://app:${DB_PASSWORD_2}@db.acme.net/app"`},
		{"password of a database in a test", "db_test.go", `url := "mysql://app:` + token(alnum, 20) + `@localhost/app"`},
		{"port of a database", "a.go", `url := "redis://cache.acme.net:6379/0@2"`},
		{"function name", "a.go", `token := newAuthorizationTokenV2(ctx)`},
		{"public key", "a.pem", pem("PUBLIC KEY", 7)},
		{"certificate", "a.pem", pem("CERTIFICATE", 20)},
		{"password in a test", "a_test.go", `dbPassword := "` + token(alnum, 28) + `"`},
		{"token in a test", "spec/a.rb", `t = "` + jwt(`{"iss":"https://id.acme.net","uid":7731}`, 86) + `"`},
		{"type annotation", "a.ts", `accessToken: AuthenticationTokenV2;`},
		{"openai placeholder", "a.py", `k = "sk-proj-` + strings.Repeat("x", 60) + `"`},
		{"anthropic placeholder", "a.py", `k = "sk-ant-api03-` + strings.Repeat("your-key-", 12) + `"`},
		{"image name", "a.go", `authority = "sk-projection-of-a-long-identifier-that-names-nothing-at-all"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, h := range reviewed(checktest.Change(nil, map[string]string{tt.path: tt.text + "\n"})).Hits {
				if strings.HasPrefix(h.Rule, "secrets/") {
					t.Errorf("%s flagged %q (%s)", h.Rule, h.Cite.Quote, h.Severity)
				}
			}
		})
	}
}

func TestSecretsOnlyOnAddedLines(t *testing.T) {
	t.Parallel()
	old := `t = "ghp_` + token(alnum, 36) + "\"\n"
	base := map[string]string{"a.py": old + "b = 1\n", "gone.py": old}
	head := map[string]string{"a.py": old + "b = 2\n"}
	for _, h := range reviewed(checktest.Change(base, head)).Hits {
		if strings.HasPrefix(h.Rule, "secrets/") {
			t.Errorf("flagged a line that was there before: %+v", h)
		}
	}
}

func TestKeyStoreNotice(t *testing.T) {
	t.Parallel()
	set := &patch.Set{Files: []*patch.File{
		{NewPath: "certs/server.p12", Status: patch.Added, Kind: patch.Binary},
		{NewPath: "certs/server.der", Status: patch.Added, Kind: patch.Binary},
	}}
	got := reported(patch.Alone(set))
	if d := cmp.Diff([]string{"secrets/pkcs12-file certs/server.p12"}, got); d != "" {
		t.Error(d)
	}
}

func TestSecretsBesideEachOther(t *testing.T) {
	t.Parallel()
	aws := "AKIA" + token(base32, 16)
	text := `ids = "` + aws + `" # -----BEGIN` + "\n" + pem("PRIVATE KEY", 26) + strings.Repeat("x\n", 80) + pem("EC PRIVATE KEY", 5) + `again = "` + aws + "\"\n" + strings.Repeat("x\n", 2*spanLines) + pem("PRIVATE KEY", 26)
	got := reported(checktest.Change(nil, map[string]string{"keys.txt": text}))
	want := []string{
		"secrets/aws-access-token keys.txt:1",
		"secrets/aws-access-token keys.txt:117",
		"secrets/private-key keys.txt:110",
		"secrets/private-key keys.txt:2",
		"secrets/private-key keys.txt:518",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestSecretsAreBoundedPerFile(t *testing.T) {
	t.Parallel()
	text := strings.Repeat(`id = "AKIA`+token(base32, 16)+"\"\n", 3*maxSecrets)
	if got := reported(checktest.Change(nil, map[string]string{"a.py": text})); len(got) != maxSecrets {
		t.Errorf("reported %d secrets, want %d", len(got), maxSecrets)
	}
}

// TestSecretsByWords holds that a value which only its surroundings make a
// secret asks nobody to decide, and that every quote of it is hidden.
func TestSecretsByWords(t *testing.T) {
	t.Parallel()
	res := reviewed(checktest.Change(nil, map[string]string{"db.tf": "resource \"aws_db_instance\" \"x\" {\n  password = \"postgres\"\n}\n"}))
	if len(res.Hits) != 1 || res.Hits[0].Severity != debate.P2 || res.Hits[0].Trigger != "" || !slices.Equal(res.Hits[0].Redact, []string{"postgres"}) {
		t.Errorf("hits %+v, want one P2 without a trigger that hides postgres", res.Hits)
	}
}

// reviewed is what the rules say of a change.
func reviewed(change patch.Change) *check.Findings { return checktest.Review(change, Kind) }

func reported(change patch.Change) []string {
	out := reviewed(change)
	// Spans of several lines overlap; the critic drops the repeats.
	return slices.Compact(checktest.Reported(out.Hits, out.Notices, "secrets"))
}

func TestCases(t *testing.T) {
	t.Parallel()
	checktest.Run(t, "secrets", Kind)
}
