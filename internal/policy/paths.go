package policy

import (
	"path"
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// pathHits finds what the names of a file say about it (S03). Such a hit is
// shown and forbids skipping; it is never critical. Either name counts.
func pathHits(f *patch.File) []debate.Trigger {
	var hits []debate.Trigger
	for _, class := range pathClasses {
		for _, name := range names(f) {
			if class.match(newLocation(name)) {
				hits = append(hits, debate.Trigger{ID: class.id, Class: debate.ClassPath, Path: f.Path(), Detail: class.detail})
				break
			}
		}
	}
	return hits
}

// location is a path as the classes look at it.
type location struct {
	name  string
	base  string // last element, lower case
	ext   string
	dirs  []string // the elements before, lower case
	prose bool     // a document: text about a matter is not the matter
	test  bool     // tests and their data do not ship
}

func newLocation(name string) location {
	lower := strings.ToLower(name)
	l := location{name: name, base: path.Base(lower), ext: path.Ext(lower)}
	if dir := path.Dir(lower); dir != "." {
		l.dirs = strings.Split(dir, "/")
	}
	switch l.ext {
	case ".md", ".markdown", ".rst", ".adoc", ".asciidoc":
		l.prose = true
	}
	stem := strings.TrimSuffix(l.base, l.ext)
	l.test = l.in("test", "tests", "testdata", "__tests__", "spec", "specs", "fixtures", "e2e") ||
		strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_spec") ||
		strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec")
	return l
}

// in reports whether the path goes through one of the directories.
func (l location) in(dirs ...string) bool {
	for _, d := range l.dirs {
		for _, want := range dirs {
			if d == want {
				return true
			}
		}
	}
	return false
}

// under reports whether the path begins with the directory.
func (l location) under(dir string) bool {
	return strings.HasPrefix(strings.Join(l.dirs, "/")+"/", dir+"/")
}

// pathClass is one kind of sensitive path.
type pathClass struct {
	id     debate.TriggerID
	detail string
	match  func(l location) bool
}

// pathClasses is the literal table of sensitive paths.
var pathClasses = []pathClass{
	{debate.TriggerDeploy, "a deployment file", isDeploy},
	{debate.TriggerSecurity, "a path about authentication, secrets or cryptography", func(l location) bool { return l.speaksOf(securityWords) }},
	{debate.TriggerMoney, "a path about money", func(l location) bool { return l.speaksOf(moneyWords) }},
	{debate.TriggerDestructiveSchema, "a schema or a migration of it", isSchema},
	{debate.TriggerArchitecture, "an architecture record", isArchitecture},
	{debate.TriggerGovernance, "a document of the project's governance", isGovernance},
}

func isDeploy(l location) bool {
	switch {
	case l.under(".github/workflows") || l.under(".github/actions") || l.under(".circleci"):
		return !l.prose
	case l.prose || l.test:
		return false
	case deployNames[l.base] || l.base == "dockerfile" || l.base == "containerfile":
		return true
	case strings.HasPrefix(l.base, "dockerfile.") && !codeExtensions[l.ext] || l.ext == ".dockerfile" || l.ext == ".tf" || l.ext == ".tfvars" ||
		strings.HasSuffix(l.base, ".tf.json") || strings.HasPrefix(l.base, "pulumi."):
		return true
	case l.ext == ".bicep":
		return true
	case l.ext != ".yml" && l.ext != ".yaml" && l.ext != ".tpl" && l.ext != ".json":
		return false
	}
	return l.in("k8s", "kubernetes", "helm", "kustomize", "deploy", "deployment", "deployments", "ansible", "argocd", "infra", "infrastructure", "cloudformation") ||
		l.ext != ".json" && l.in("charts", "manifests") || // JSON there belongs to diagrams and web apps
		strings.HasPrefix(l.base, "docker-compose.") || strings.HasPrefix(l.base, "compose.")
}

var deployNames = set(`procfile fly.toml serverless.yml serverless.yaml vercel.json netlify.toml render.yaml heroku.yml
	app.yaml jenkinsfile .gitlab-ci.yml azure-pipelines.yml cloudbuild.yaml skaffold.yaml cdk.json
	kustomization.yml kustomization.yaml chart.yaml terragrunt.hcl`)

// speaksOf reports whether a word of the path is in the list. Words, not parts
// of words: author.go is not about auth.
func (l location) speaksOf(list map[string]bool) bool {
	if l.prose || l.test || looks[l.ext] || l.in("i18n", "locale", "locales", "translations") {
		return false
	}
	words := pathWords(l.name)
	syntax := false
	for _, w := range words {
		syntax = syntax || syntaxWords[w]
	}
	for _, w := range words {
		if list[w] && !(syntax && (w == "token" || w == "tokens")) {
			return true
		}
	}
	return false
}

// looks end the names of files that only say how something looks.
var looks = set(".css .scss .sass .less .svg .png .jpg .jpeg .gif .webp .ico .woff .woff2 .ttf")

// syntaxWords stand beside the tokens of a language or a design, which are no
// secrets.
var syntaxWords = set("lexer lexers lex parser parsers ast syntax grammar compiler tokenizer design theme themes")

var securityWords = set(`auth authn authz oauth oauth2 authentication authenticate authenticator authorization authorisation
	authorize authorizer login signin sso saml oidc jwt jwks mfa totp 2fa webauthn
	crypto cryptography cipher encrypt encryption decrypt decryption keystore
	password passwords passwd session sessions token tokens credential credentials secret secrets
	rbac acl csrf iam tls ssl x509 permission permissions`)

var moneyWords = set(`payment payments payout payouts billing invoice invoices invoicing pricing ledger ledgers
	refund refunds money currency accounting tax taxes credits valuation valuations stripe paypal wallet wallets`)

// pathWords cuts a path into lower-case words at signs and where the letter case
// changes: "src/OAuthClient_v2.go" has src, o, auth, oauth, client, v2 and go.
func pathWords(name string) []string {
	var out []string
	runes := []rune(name)
	start := 0
	end := func(i int) {
		if i > start {
			out = append(out, strings.ToLower(string(runes[start:i])))
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end(i)
			start = i + 1
		case i > start && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			end(i)
			start = i
		}
	}
	end(len(runes))
	for i := 1; i < len(out); i++ {
		if out[i-1] == "o" && out[i] == "auth" {
			out = append(out, "oauth")
			break
		}
	}
	return out
}

func isSchema(l location) bool {
	switch {
	case l.prose || l.test:
		return false
	case l.base == "schema.sql" || l.base == "schema.rb" || l.base == "structure.sql" || l.base == "schema.prisma":
		return true
	}
	return l.in("migrations", "migration", "migrate") ||
		l.in("alembic") && l.in("versions")
}

func isArchitecture(l location) bool {
	return l.in("adr", "adrs") || l.under("rfcs") || l.under("docs/rfcs") || l.under("docs/architecture") || l.under("docs/decisions") ||
		l.prose && strings.TrimSuffix(l.base, l.ext) == "architecture"
}

func isGovernance(l location) bool {
	if len(l.dirs) > 0 && !(len(l.dirs) == 1 && (l.dirs[0] == ".github" || l.dirs[0] == "docs")) {
		return false
	}
	switch strings.TrimSuffix(l.base, l.ext) {
	case "security", "governance", "maintainers", "owners":
		return l.prose || l.ext == "" || l.ext == ".txt"
	}
	return false
}
