package policy

import (
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// pathHits finds the path classes of a file's names (S03). Such a hit is shown and forbids
// skipping; it is never critical. Either name counts.
func pathHits(f *patch.File) []debate.Trigger {
	var hits []debate.Trigger
	places := lists.Map(f.Names(), newLocation)
	for _, class := range pathClasses {
		if slices.ContainsFunc(places, class.match) {
			hits = append(hits, debate.Trigger{ID: class.id, Class: debate.ClassPath, Path: f.Path(), Detail: class.detail})
		}
	}
	return hits
}

// location is a path with the parts that the classes read.
type location struct {
	name  string
	base  string // last element, lower case
	ext   string
	dirs  []string // the elements before, lower case; "." at the root
	prose bool     // a document: text about a subject is not the subject
	test  bool     // tests and their data are not shipped
}

func newLocation(name string) location {
	lower := strings.ToLower(name)
	l := location{name: name, base: path.Base(lower), ext: path.Ext(lower), dirs: strings.Split(path.Dir(lower), "/")}
	l.prose = slices.Contains([]string{".md", ".markdown", ".rst", ".adoc", ".asciidoc"}, l.ext)
	stem := strings.TrimSuffix(l.base, l.ext)
	l.test = l.in(testDirs...) || testStem().MatchString(stem)
	return l
}

var (
	testDirs = strings.Fields("test tests testdata __tests__ spec specs fixtures e2e")
	testStem = lazyregexp.New(`^test_|[_.](?:test|spec)$`)
)

// in reports whether the path goes through one of the directories.
func (l location) in(dirs ...string) bool {
	return slices.ContainsFunc(l.dirs, func(d string) bool { return slices.Contains(dirs, d) })
}

// pathClass is one kind of sensitive path.
type pathClass struct {
	id     debate.TriggerID
	detail string
	match  func(l location) bool
}

// pathClasses lists the sensitive paths.
var pathClasses = []pathClass{
	{debate.TriggerDeploy, "a deployment file", isDeploy},
	{debate.TriggerSecurity, "a path about authentication, secrets or cryptography", func(l location) bool { return l.speaksOf(securityWords) }},
	{debate.TriggerMoney, "a path about money", func(l location) bool { return l.speaksOf(moneyWords) }},
	{debate.TriggerDestructiveSchema, "a schema or a migration of it", isSchema},
	{debate.TriggerArchitecture, "an architecture record", func(l location) bool { return architecturePath().MatchString(strings.ToLower(l.name)) }},
	{debate.TriggerGovernance, "a document of the project's governance", func(l location) bool { return governancePage().MatchString(strings.ToLower(l.name)) }},
}

func isDeploy(l location) bool {
	isSettings := settingsExtensions[l.ext]
	switch {
	case l.prose:
		return false
	case deployPath().MatchString(strings.ToLower(l.name)):
		return true
	case l.test:
		return false
	case deployNames[l.base], deployFile().MatchString(l.base):
		return true
	case isSettings && (l.in(deployDirs...) || composeFile().MatchString(l.base)):
		return true
	case isSettings && l.ext != ".json" && l.in("charts", "manifests"): // JSON there belongs to diagrams and web apps
		return true
	}
	return strings.HasPrefix(l.base, "dockerfile.") && !codeExtensions[l.ext] // of an image
}

var settingsExtensions = lists.Words(".yml .yaml .tpl .json")

var (
	deployPath  = lazyregexp.New(`^(?:\.github/workflows|\.github/actions|\.circleci)/`)
	deployFile  = lazyregexp.New(`^(?:docker|container)file$|\.(?:dockerfile|tf|tfvars|tf\.json|bicep)$|^pulumi\.`)
	composeFile = lazyregexp.New(`^(?:docker-)?compose\.`)
	deployDirs  = strings.Fields("k8s kubernetes helm kustomize deploy deployment deployments ansible argocd infra infrastructure cloudformation")
)

var deployNames = lists.Words(`procfile fly.toml serverless.yml serverless.yaml vercel.json netlify.toml render.yaml heroku.yml
	app.yaml jenkinsfile .gitlab-ci.yml azure-pipelines.yml cloudbuild.yaml skaffold.yaml cdk.json
	kustomization.yml kustomization.yaml chart.yaml terragrunt.hcl`)

// speaksOf reports whether a word of the path is in the list. A part of a word does not count:
// author.go is not about auth.
func (l location) speaksOf(list map[string]bool) bool {
	switch {
	case l.prose, l.test, looks[l.ext], l.in("i18n", "locale", "locales", "translations"):
		return false
	}
	// "src/OAuthClient_v2.go" has the words src, o, auth, client, v2 and go.
	name := lastCapital().ReplaceAllString(firstCapital().ReplaceAllString(l.name, "$1 $2"), "$1 $2")
	words := word().FindAllString(strings.ToLower(name), -1)
	syntax := slices.ContainsFunc(words, func(w string) bool { return syntaxWords[w] })
	return slices.ContainsFunc(words, func(w string) bool {
		ofLanguage := syntax && strings.HasPrefix(w, "token")
		return list[w] && !ofLanguage
	})
}

// looks are the extensions of files about appearance only.
var looks = lists.Words(".css .scss .sass .less .svg .png .jpg .jpeg .gif .webp .ico .woff .woff2 .ttf")

// syntaxWords occur next to the tokens of a language or a design, which are no secrets.
var syntaxWords = lists.Words("lexer lexers lex parser parsers ast syntax grammar compiler tokenizer design theme themes")

var securityWords = lists.Words(`auth auth2 authn authz oauth oauth2 authentication authenticate authenticator authorization authorisation
	authorize authorizer login signin sso saml oidc jwt jwks mfa totp 2fa webauthn
	crypto cryptography cipher encrypt encryption decrypt decryption keystore
	password passwords passwd session sessions token tokens credential credentials secret secrets
	rbac acl csrf iam tls ssl x509 permission permissions`)

var moneyWords = lists.Words(`payment payments payout payouts billing invoice invoices invoicing pricing ledger ledgers
	refund refunds money currency accounting tax taxes credits valuation valuations stripe paypal wallet wallets`)

var (
	firstCapital = lazyregexp.New(`(\P{Lu})(\p{Lu})`)
	lastCapital  = lazyregexp.New(`(\p{Lu})(\p{Lu}\p{Ll})`) // of several, before the rest of its word
	word         = lazyregexp.New(`[\p{L}\p{Nd}]+`)
)

func isSchema(l location) bool {
	switch {
	case l.prose, l.test:
		return false
	case schemaNames[l.base], l.in("migrations", "migration", "migrate"):
		return true
	}
	return l.in("alembic") && l.in("versions")
}

var schemaNames = lists.Words("schema.sql schema.rb structure.sql schema.prisma")

var architecturePath = lazyregexp.New(`(?:^|/)architecture\.(?:md|markdown|rst|adoc|asciidoc)$|(?:^|/)adrs?/|^(?:rfcs|docs/(?:rfcs|architecture|decisions))/`)

var governancePage = lazyregexp.New(`^(?:\.github/|docs/)?(?:security|governance|maintainers|owners)(?:\.(?:md|markdown|rst|adoc|asciidoc|txt))?$`)
