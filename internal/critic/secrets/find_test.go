package secrets

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/testkit/checktest"
)

func none(string) bool { return false }

// TestFind holds that what no finding is made of is hidden all the same.
func TestFind(t *testing.T) {
	t.Parallel()
	github := "ghp_" + token(alnum, 36)
	password := "Kq7x9Vz2" + "Wj4Tb8Lm5Rn"
	commit := "0b1c2d3f4b5c6d7f8b9c" + "1d0f3b2c5d4f7b6c9d8f"
	key := pem("PRIVATE KEY", 26)
	keyLine := strings.Split(key, "\n")[3]
	for _, tt := range []struct {
		name, path, base, head string
		want                   string
	}{
		{"removed line", "a.go", "t := `" + github + "`\n", "t := os.Getenv(`T`)\n", github},
		{"deleted file", "a.go", "t := `" + github + "`\n", "", github},
		{"line that was there before", "a.go", "t := `" + github + "`\nb\n", "t := `" + github + "`\nc\n", github},
		{"test", "a_test.go", "", "password := `" + password + "`\n", password},
		{"key of a test", "testdata/a.pem", "", key, keyLine},
		{"removed key", "a.pem", "a\n" + key, "a\n", keyLine},
		{"lock file", "Cargo.lock", "", `source = "git+https://x:` + github + "@example.org/a\"\n", github},
		{"picture", "a.svg", "", "<!-- password=\"" + password + "\" -->\n", password},
		{"placeholder", "a.md", "", "ghp_" + strings.Repeat("x", 36) + "\n", "ghp_" + strings.Repeat("x", 36)},
		{"example of the issuer", "a.md", "", "AKIA" + "IOSFODNN7EXAMPLE\n", "AKIA" + "IOSFODNN7EXAMPLE"},
		{"password in quotes", "a.go", "", "const dbPassword = \"summer2031x\"\n", "summer2031x"},
		{"password of settings", "app.properties", "", "spring.datasource.password=summer2031x\n", "summer2031x"},
		{"token of an image", "Dockerfile", "", "ENV TOKEN summer2031x\n", "summer2031x"},
		{"flag", "a.sh", "", "deploy --password summer2031x --force\n", "summer2031x"},
		{"element", "a.xml", "", "<password>summer2031x</password>\n", "summer2031x"},
		{"header", "a.http", "", "Authorization: Basic Ym9iOnN1bW1lcjIwMzF4\n", "Ym9iOnN1bW1lcjIwMzF4"},
		{"cookie", "a.http", "", "Cookie: session=summer2031x; a=b\n", "summer2031x"},
		{"address", "a.sh", "", "git clone https://bob:summer2031x@git.acme.net/x\n", "summer2031x"},
		{"netrc", ".netrc", "", "machine ci.acme.net login bob\n  password hunter\n", "hunter"},
		{"file of PostgreSQL's passwords", "ops/.pgpass", "", "db.acme.net:5432:*:app:hunter\n", "hunter"},
		{"file of a password", "ansible/.vault_pass", "", "hunter\n", "hunter"},
		{"flag without a blank", "a.sh", "", "mysqldump -u root -phunter shop\n", "hunter"},
		{"flag of a login", "a.yml", "", "  run: docker login -u bob -p 'hun ter' acme.net\n", "hun ter"},
		{"user and password", "a.sh", "", "curl -fsS -u bob:hunter https://acme.net/x\n", "hunter"},
		{"variable of a command", "a.sh", "", "PGPASSWORD=hunter psql shop\n", "hunter"},
		{"variable of settings", "compose.yml", "", "      - POSTGRES_PASSWORD=hunter\n", "hunter"},
		{"word of settings", "group_vars/all.yml", "", "db_password: hunter # of staging\n", "hunter"},
		{"pipe", "a.sh", "", "echo root:hunter | chpasswd\n", "hunter"},
		{"argument", "a.py", "", "connect(user='bob', password='hunter')\n", "hunter"},
		{"statement", "a.sql", "", "CREATE USER bob IDENTIFIED BY 'hunter';\n", "hunter"},
		{"short password of an address", "a.go", "", "const queue = \"amqp://bob:hunter@mq.acme.net/\"\n", "hunter"},
		{"address of Oracle", "a.java", "", "\"jdbc:oracle:thin:scott/hunter@db:1521/x\"\n", "hunter"},
		{"shared access", "a.json", "", "\"https://acme.blob.core.windows.net/c?sv=2&sig=" + token(alnum, 40) + "%3D\"\n", token(alnum, 40)},
		{"default of a variable", "a.py", "", "os.getenv(\"DB_PASSWORD\", \"hunter\")\n", "hunter"},
		{"default of a shell", "a.sh", "", "DB_PASSWORD=${DB_PASSWORD:-hunter}\n", "hunter"},
		{"name and value", "a.yml", "", "  - name: DB_PASSWORD\n    value: hunter\n", "hunter"},
		{"setter", "a.java", "", "config.setPassword(\"hunter\");\n", "hunter"},
		{"setting of a command", "a.sh", "", "helm install x --set user=bob,auth.password=hunter\n", "hunter"},
		{"directive", "redis.conf", "", "requirepass hunter\n", "hunter"},
		{"hash of a password", ".htpasswd", "", "bob:$apr1$kIPLBhtp$Ub7lZ8Xs5hXcVbNm" + "QwErT1\n", "Ub7lZ8Xs5hXcVbNm" + "QwErT1"},
		{"Secret of Kubernetes", "a.yml", "", "kind: ConfigMap\n---\nkind: Secret\ndata:\n  a: \"Ym9i\"\n  b: aHVudGVy\n", "aHVudGVy"},
		{"Secret of Kubernetes in clear", "a.yml", "", "stringData:\n  login: hunter\nkind: Secret\n", "hunter"},
		{"telegram", "a.py", "", "bot(\"1029384756:AA" + token(alnum, 33) + "\")\n", "1029384756:AA"},
		{"value that begins as a path", "a.conf", "", "aws_secret_access_key = /mBKdaM6JE3znHoq8R0xxiVb" + "NaULhejQvrCupA+r\n", "/mBKdaM6JE3znHoq8R0xxiVb" + "NaULhejQvrCupA+r"},
		{"value without a digit", "a.conf", "", "aws_secret_access_key = qMBKdaMzJEYznHoqARNxxiVb" + "NaULhejQvrCupAbr\n", "qMBKdaMzJEYznHoqARNxxiVb" + "NaULhejQvrCupAbr"},
		{"header that begins as a path", "a.http", "", "Authorization: Basic /eJ1NVE2GYQeCgTVK6tJDLvMzD" + "zGO9B3Jfj+YBVh\n", "/eJ1NVE2GYQeCgTVK6tJDLvMzD" + "zGO9B3Jfj+YBVh"},
		{"telegram in an address", "a.sh", "", "https://api.telegram.org/bot1029384756:AA" + token(alnum, 33) + "/x\n", "1029384756:AA"},
		{"private key as JSON", "jwk.json", "", "  \"d\": \"" + token(alnum, 43) + "\",\n", token(alnum, 43)},
		{"one-time password", "a.md", "", "otpauth://totp/x?secret=" + token(base32, 32) + "&issuer=y\n", token(base32, 32)},
		{"words of a wallet", ".env", "", "MNEMONIC=\"candy maple cake sugar\"\n", "candy maple cake sugar"},
		{"key of Rails", "config/master.key", "", token(hexDigits, 32) + "\n", token(hexDigits, 32)},
		{"key of Laravel", ".env", "", "APP_KEY=base64:" + token(alnum, 43) + "=\n", token(alnum, 43)},
		{"bytes", "a.py", "", "app.secret_key = b'hunter of x'\n", "hunter of x"},
		{"argument of a login", "a.py", "", "HTTPBasicAuth('bob', 'hunter')\n", "hunter"},
		{"password of an archive", "a.sh", "", "unzip -P hunter x.zip && 7z x -phunter y.7z\n", "unzip -P \x00hunter"},
		{"password in German", "a.yml", "", "passwort: hunter\n", "hunter"},
		{"airtable", "a.js", "", "key('pat" + token(alnum, 14) + "." + token(hexDigits, 64) + "')\n", "pat" + token(alnum, 14) + "." + token(hexDigits, 64)},
		{"notion", "a.js", "", "Client('secret_" + token(alnum, 43) + "')\n", "secret_" + token(alnum, 43)},
		{"sonar", "a.js", "", "scan('sqp_" + token(hexDigits, 40) + "')\n", "sqp_" + token(hexDigits, 40)},
		{"nuget", "a.sh", "", "push x oy2" + strings.ToLower(token(alnum, 43)) + "\n", "oy2" + strings.ToLower(token(alnum, 43))},
		{"crates", "a.sh", "", "cargo login cio" + token(alnum, 32) + "\n", "cio" + token(alnum, 32)},
		{"asana", "a.js", "", "use('1/1234567890123456:" + token(hexDigits, 32) + "')\n", "1/1234567890123456:" + token(hexDigits, 32)},
		{"tavily", "a.md", "", "use tvly-" + token(alnum, 32) + "\n", "tvly-" + token(alnum, 32)},
		{"firecrawl", "a.md", "", "use fc-" + token(hexDigits, 32) + "\n", "fc-" + token(hexDigits, 32)},
		{"langsmith", "a.md", "", "use lsv2_pt_" + token(hexDigits, 32) + "_" + token(hexDigits, 10) + "\n", "lsv2_pt_" + token(hexDigits, 32)},
		{"posthog", "a.md", "", "use phx_" + token(alnum, 43) + "\n", "phx_" + token(alnum, 43)},
		{"cloudflare", "a.md", "", "use cfut_" + token(alnum, 48) + "\n", "cfut_" + token(alnum, 48)},
		{"vercel", "a.md", "", "use vercel_blob_rw_" + token(alnum, 16) + "_" + token(alnum, 30) + "\n", "vercel_blob_rw_" + token(alnum, 16)},
		{"password in a sentence", "a.md", "", "The password of staging is old, the DB password is Sommer2026!, ask bob.\n", "Sommer2026!"},
		{"password after a colon in a sentence", "a.md", "", "Try user: bob, pass: Sommer2026 first\n", "Sommer2026"},
		{"password in bold", "a.md", "", "**Password:** `Sommer2026`\n", "Sommer2026"},
		{"password of a table", "a.md", "", "| password | Sommer2026! |\n", "Sommer2026!"},
		{"key in a sentence", "a.md", "", "I made a new API key `" + token(hexDigits, 32) + "` for it.\n", token(hexDigits, 32)},
		{"signed address", "a.md", "", "https://b.s3.amazonaws.com/x?X-Amz-Signature=" + token(hexDigits, 64) + "\n", token(hexDigits, 64)},
		{"digest", "a.go", "", `cacheKey := "` + commit + "\"\n", commit},
		{"id of a vendor", "a.yml", "", "discord_app: " + token(hexDigits, 64) + "\n", token(hexDigits, 64)},
		{"value below its name", "a.yml", "", "password:\n  " + password + "\n", password},
		{"command on several lines", "a.sh", "", "curl \\\n  --fail \\\n  -u \"deploy:" + password + "\" \\\n  https://ci.acme.net/\n", password},
		{"end of a long line", "a.min.js", "", strings.Repeat("var a=1;", 6000) + "k=\"" + github + "\";\n", github},
		{"after many guesses", "a.go", "", strings.Repeat("aToken := \"x1y2z3a4b5c6\"\n", maxGuesses+1) + "password := `" + password + "`\n", password},
		{"after many findings", "a.go", "", strings.Repeat("id = \"AKIA"+token(base32, 16)+"\"\n", maxSecrets+1) + "t := `" + github + "`\n", github},
		{"key after many lines", "a.pem", "", strings.Repeat("x -----BEGIN\n", spanLines) + key, keyLine},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base, head := map[string]string{tt.path: tt.base}, map[string]string{tt.path: tt.head}
			if tt.base == "" {
				base = nil
			}
			if tt.head == "" {
				head = nil
			}
			found := Find(checktest.Change(base, head), none)
			if !slices.ContainsFunc(found, func(s string) bool { return strings.Contains(s, tt.want) }) {
				t.Errorf("%q is not hidden, only %q", tt.want, found)
			}
		})
	}
}

// TestFindLeavesCode holds that names, calls and variables stay to be read.
func TestFindLeavesCode(t *testing.T) {
	t.Parallel()
	text := `token := newAuthorizationToken(ctx)
export API_TOKEN="${VAULT_TOKEN}"
apiKey := os.Getenv("SERVICE_API_KEY")
const accessToken: AuthenticationToken = await auth.login(user, password);
    key: ${{ secrets.API_KEY }}
password = "changeme"
curl -u "$USER:$PASSWORD" https://example.org/
for i, key := range sortedKeys(table) {
if password == "" || token != nil2 {
password: "{{ .Values.db1.password }}"
secretKeyRef: {name: "db-1-secret"}
key: /Library/KeyChains/AcmeBilling2/ServiceProvider
tokenPath = "src/main/Token2/ServiceAccountProvider/Impl"
docker run --token=$TOKEN1234 https://example.org:8080/v1@2
see the secret handshake2 in chapter 3
	currentToken = previousToken2
	api_key = settings.API_KEY_V2
	token = tokens[index1]
nextToken = lexer.peek2
token: base64url
password varchar255
// The token is refreshed2 times, the password is base64-encoded with sha256, and the secret is old.
// The password is hashed with PBKDF2, the token is OAuth2 and the API key is in Vault2.
case secret: handle_case_v2(x)
secret = sha256sum
field = Char(PASSWORD=form.password, TOKEN=None)
cmd.Env = append(env, "DB_PASSWORD="+cfg.Pass, "HOME="+dir)
FieldPassword = "user_password"
"parse-passwd": "^1.0.0",
// Here the function identified by "repeat" is overwritten.
use --password to set it, or -u user:$PASS
PWD=dir mysql -p shop
form.setPassword(other.password) || env.TOKEN || token
env TOKEN_FILE=/run/x ${TOKEN_PATH:-/run/y}
- name: TOKEN_FILE
kind: Secret
data: {{ .Values.data }}
`
	if found := Find(checktest.Change(nil, map[string]string{"a.txt": text}), none); len(found) > 0 {
		t.Errorf("hides %q", found)
	}
}

// TestLookingLosesNothing holds for the look that spares the generic rule: what it
// turns away the rule does not detect.
func TestLookingLosesNothing(t *testing.T) {
	t.Parallel()
	var generic rule
	for _, r := range known().rules {
		if r.id == genericRule {
			generic = r
		}
	}
	parts := rapid.SampledFrom([]string{
		"api_key", "token", "Secret", "passwd", " ", "  ", "\n", "\t", "'", "\"", "`", "=", ":=", ":", "=>", "==", "||", "?=", ",", ">", "(", "{", ".", "-", "/", "+",
		"Kq7x9Vz2Wj4", "aB3dE5fG7h", "q8Zr", "x", "1", "abcdefghij/klm+n",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(parts, 2, 14).Draw(t, "parts"), "")
		if found := known().filter(generic, "", text, generic.matches(text)); len(found) > 0 && !couldMatch(genericRule, text) {
			t.Fatalf("%q in %q is turned away", found[0].secret, text)
		}
	})
}
