package house

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/prdebate/debate/"

// arrows lists, for each package, the packages of this module that it may
// import. Rings from the inside: pure, ports, driver, root. A package that is
// not listed here fails the test, so that a new one has to find its place.
var arrows = map[string][]string{
	// pure: values in, values out
	"internal/debate":          {"internal/debate/jury", "internal/debate/likeness", "internal/debate/rubric", "internal/text"},
	"internal/patch":           {"internal/debate"},
	"internal/segment":         {"internal/debate", "internal/patch"},
	"internal/policy":          {"internal/debate", "internal/patch"},
	"internal/comment":         {"internal/debate", "internal/redact", "internal/segment", "internal/spelling"}, // who parses Markdown
	"internal/redact":          nil,
	"internal/outline":         nil,                                                                             // which lines of a file are code, and what a declaration takes
	"internal/surround":        {"internal/debate", "internal/outline", "internal/patch"},                       // what is shown around a change
	"internal/look":            {"internal/debate", "internal/policy", "internal/segment", "internal/surround"}, // what parties ask to see
	"internal/lazyregexp":      nil,
	"internal/lists":           nil,
	"internal/report":          {"internal/debate", "internal/debate/jury", "internal/comment", "internal/text"},
	"internal/report/html":     {"internal/debate", "internal/report"},
	"internal/report/terminal": {"internal/comment", "internal/debate", "internal/report"},
	"internal/report/sarif":    {"internal/comment", "internal/debate", "internal/report"},
	"internal/config":          {"internal/debate", "internal/spelling"},
	"internal/prompt":          {"internal/debate", "internal/debate/likeness", "internal/comment", "internal/patch", "internal/redact", "internal/surround"},

	// parts of the reducer: topics with a vocabulary of their own
	"internal/debate/likeness": nil,
	"internal/debate/rubric":   {"internal/text"},
	"internal/debate/jury":     {"internal/text"},

	// cuts what others wrote
	"internal/text": nil,

	// guesses at what they meant
	"internal/spelling": nil,

	// tests that parties write: run on both sides, apart from this machine
	"internal/sandbox": nil,
	"internal/proof":   {"internal/debate", "internal/lazyregexp", "internal/sandbox"},

	// runs other programs
	"internal/child": nil,

	// says why an address does not answer
	"internal/reach": nil,

	// ports: each the only importer of what it brings in; never each other
	"internal/critic": {
		"internal/critic/check", "internal/critic/code", "internal/critic/docker", "internal/critic/infra", "internal/critic/manifest",
		"internal/critic/secrets", "internal/critic/shell", "internal/critic/sql", "internal/critic/unicode", "internal/critic/workflow",
		"internal/debate", "internal/patch", "internal/segment",
	},
	"internal/store":   {"internal/debate"},
	"internal/gitrepo": {"internal/child", "internal/debate", "internal/patch", "internal/policy", "internal/spelling", "internal/text"},
	"internal/model":   {"internal/debate", "internal/prompt", "internal/reach", "internal/text"},
	"internal/gh":      {"internal/debate", "internal/patch", "internal/policy", "internal/reach", "internal/surround", "internal/text"},

	// what a server keeps; the rows are plain values that other packages read
	"internal/store/database": {"internal/debate", "internal/event", "internal/store", "internal/text"},

	// kinds of the critic's rules: one package each, made of check; the run steps
	// of workflows and Dockerfiles are judged by the rules of shell
	"internal/critic/check":    {"internal/debate", "internal/patch"},
	"internal/critic/code":     {"internal/critic/check", "internal/debate"},
	"internal/critic/secrets":  {"internal/critic/check", "internal/debate", "internal/patch", "internal/redact"},
	"internal/critic/sql":      {"internal/critic/check", "internal/debate", "internal/patch", "internal/surround"},
	"internal/critic/shell":    {"internal/critic/check", "internal/debate", "internal/patch"},
	"internal/critic/workflow": {"internal/critic/check", "internal/critic/shell", "internal/debate"},
	"internal/critic/docker":   {"internal/critic/check", "internal/critic/shell", "internal/debate"},
	"internal/critic/infra":    {"internal/critic/check", "internal/debate"},
	"internal/critic/manifest": {"internal/critic/check", "internal/debate", "internal/patch"},
	"internal/critic/unicode":  {"internal/critic/check", "internal/debate", "internal/patch"},

	// backends of models: one package for each kind of provider
	"internal/model/tape":      {"internal/debate", "internal/model"},
	"internal/model/anthropic": {"internal/debate", "internal/model"},
	"internal/model/gemini":    {"internal/debate", "internal/model"},
	"internal/model/exec":      {"internal/debate", "internal/model", "internal/model/process"},
	"internal/model/openai":    {"internal/debate", "internal/model"},
	"internal/model/ollama":    {"internal/debate", "internal/model"},
	// clouds that serve the models of several makers, each by its maker's wire
	"internal/model/bedrock": {"internal/debate", "internal/model", "internal/model/anthropic", "internal/model/openai"},
	"internal/model/vertex":  {"internal/debate", "internal/model", "internal/model/anthropic", "internal/model/gemini"},
	"internal/model/agent":   {"internal/debate", "internal/model", "internal/model/process"},
	// the table of the providers: the only place that knows every backend
	"internal/model/provider": {
		"internal/model", "internal/model/agent", "internal/model/anthropic", "internal/model/bedrock", "internal/model/exec", "internal/model/gemini",
		"internal/model/ollama", "internal/model/openai", "internal/model/vertex",
	},

	"internal/model/process": {"internal/child", "internal/comment", "internal/debate", "internal/model"},

	// driver: pure packages and the plain values of model; it declares the
	// interfaces it needs
	"internal/engine": {
		"internal/debate", "internal/outline", "internal/patch", "internal/segment", "internal/policy", "internal/prompt", "internal/model",
		"internal/look", "internal/redact", "internal/surround", "internal/text",
	},

	// counts what a panel finds in changes whose defects are known
	"internal/bench": {"internal/comment", "internal/debate", "internal/report"},

	// what happened on GitHub, for every edge
	"internal/event": {"internal/comment"},

	// edge of GitHub Actions
	"internal/action": {"internal/comment", "internal/debate", "internal/event"},

	// reads what an action left behind as the runner does, for the tests of others
	"internal/testkit/actiontest": nil,

	// edge of coding agents and editors: the wire, and no more
	"internal/mcp": nil,

	// edge of a GitHub App: deliveries in, jobs done
	"internal/bot": {
		"internal/bot/durable", "internal/bot/journal", "internal/bot/meter", "internal/bot/spans", "internal/debate", "internal/event", "internal/gh", "internal/pull", "internal/report",
		"internal/store", "internal/store/database",
	},

	// what those who run the server see of it; samples of it, and a program that shows them
	"internal/bot/admin":               {"internal/bot/meter", "internal/debate", "internal/event", "internal/redact", "internal/report", "internal/store", "internal/store/database"},
	"internal/testkit/admintest":       {"internal/debate", "internal/report", "internal/store", "internal/store/database"},
	"internal/testkit/admintest/serve": {"internal/bot/admin", "internal/testkit/admintest", "internal/bot/meter", "internal/debate", "internal/report", "internal/report/html", "internal/store"},

	// the log of the server, with what each line is about
	"internal/bot/journal": {"internal/comment", "internal/redact"},

	// what the server does, for OpenTelemetry
	"internal/bot/spans": {"internal/debate", "internal/model"},

	// what the server counts for Prometheus
	"internal/bot/meter": {"internal/debate"},

	// the jobs of the App: handles of a database in, jobs run
	"internal/bot/durable": nil,

	// makes a GitHub App with the browser of this machine
	"internal/bot/setup": {"internal/gh"},

	// edges: what turns an event into debates
	"internal/pull": {
		"internal/comment", "internal/config", "internal/debate", "internal/engine", "internal/event", "internal/gh", "internal/model/tape", "internal/patch", "internal/policy", "internal/redact", "internal/report", "internal/text",
	},

	// plays debates for the tests of others
	"internal/testkit/debatetest": {"internal/debate", "internal/outline", "internal/patch", "internal/prompt", "internal/segment"},

	// measures debates against votes on planted changes; no code, only a study
	"internal/testkit/population": nil,

	// runs the critic's rules over cases, for the tests of the kinds
	"internal/testkit/checktest": {"internal/critic/check", "internal/debate", "internal/patch", "internal/testkit/patchtest"},

	// makes changes for the tests of others
	"internal/testkit/patchtest": {"internal/debate", "internal/patch"},

	// plays providers of models for the tests of the backends
	"internal/testkit/wiretest": {"internal/debate", "internal/model"},

	// plays GitHub for the tests of others
	"internal/testkit/ghtest": nil,

	// plays parties of a debate, as programs too
	"internal/testkit/exectest":       nil,
	"internal/testkit/exectest/party": {"internal/testkit/exectest"},

	// compares what tests make with golden files
	"internal/testkit/golden": nil,

	// tells tests whether to play everything or a fast sample
	"internal/testkit/long": nil,

	// what every backend of the store must do
	"internal/testkit/storetest": {"internal/debate", "internal/store"},

	// gives the tests of others a database of their own
	"internal/testkit/databasetest": nil,

	// no code, only these tests
	"internal/house": nil,

	// root: wiring
	"internal/cli": {
		"internal/action", "internal/bench", "internal/comment", "internal/config", "internal/critic", "internal/debate", "internal/engine", "internal/event", "internal/gh", "internal/gitrepo",
		"internal/mcp", "internal/model", "internal/model/agent", "internal/model/process", "internal/model/provider", "internal/model/tape", "internal/patch", "internal/policy", "internal/prompt", "internal/proof", "internal/pull", "internal/redact", "internal/report", "internal/report/html", "internal/report/sarif", "internal/report/terminal", "internal/sandbox", "internal/segment", "internal/store", "internal/surround",
	},
	// what debate-server has on top of it
	"internal/server": {
		"internal/bot", "internal/bot/admin", "internal/bot/durable", "internal/bot/journal", "internal/bot/meter", "internal/bot/setup", "internal/bot/spans", "internal/cli", "internal/comment", "internal/config", "internal/debate", "internal/engine", "internal/gh", "internal/model", "internal/pull", "internal/redact", "internal/report", "internal/store", "internal/store/database",
	},
	"cmd/debate-server": {"internal/cli", "internal/server"},
	"cmd/debate":        {"internal/cli"},
}

// everywhere are the packages that all may import, as they may import regexp and slices.
var everywhere = []string{"internal/lazyregexp", "internal/lists"}

// outside lists libraries with the packages that alone may import them; "" for
// one that only tests need, or that nothing needs yet.
var outside = map[string]string{
	"github.com/sourcegraph/go-diff":  "internal/patch",
	"github.com/h2non/filetype":       "internal/segment",
	"github.com/yuin/goldmark":        "internal/segment internal/critic",
	"github.com/zricethezav/gitleaks": "", // its rules are copied; its reader brings a framework of settings
	"github.com/rhysd/actionlint":     "internal/critic/workflow",
	"go.yaml.in/yaml":                 "internal/policy", // the reader of actionlint, for workflows of strangers
	"mvdan.cc/sh":                     "internal/critic/shell",
	"github.com/owenrumney/go-sarif":  "internal/report/sarif",
	"github.com/alecthomas/kong":      "internal/cli",
	"github.com/modelcontextprotocol": "internal/mcp",
	"github.com/google/jsonschema-go": "internal/mcp",
	"github.com/google/go-github":     "internal/event internal/gh",
	"github.com/bradleyfalzon":        "internal/gh", // signs in as an App
	"github.com/golang-jwt":           "internal/gh",
	"github.com/prometheus":           "internal/bot/meter",
	"go.opentelemetry.io":             "internal/bot/journal internal/bot/spans",
	"github.com/sethvargo":            "internal/action",
	"github.com/dbos-inc":             "internal/bot/durable",
	"github.com/jackc/pgx":            "internal/bot/durable internal/store/database internal/testkit/databasetest",
	"modernc.org/sqlite":              "internal/bot/durable internal/store/database",
	"github.com/aws":                  "internal/model/bedrock",
	"golang.org/x/oauth2":             "internal/model/vertex",
	"github.com/cenkalti/backoff":     "internal/gh internal/model internal/store/database",
	"github.com/tmaxmax/go-sse":       "internal/model",
	"golang.org/x/time":               "internal/model",
	"github.com/pressly/goose":        "internal/store/database",
	"os/exec":                         "internal/child internal/gitrepo internal/model/process internal/sandbox",
	"github.com/santhosh-tekuri":      "",
	"github.com/invopop/jsonschema":   "",
	"github.com/rogpeppe/go-internal": "internal/bench internal/testkit/checktest internal/testkit/debatetest internal/testkit/ghtest internal/testkit/patchtest",
	"github.com/vektah/gqlparser":     "internal/testkit/ghtest",
	"pgregory.net/rapid":              "internal/testkit/long",
	"github.com/google/go-cmp":        "internal/testkit/checktest internal/testkit/golden internal/testkit/storetest",
	"go.uber.org/goleak":              "",
	"testing":                         "internal/testkit/checktest internal/testkit/golden internal/testkit/ghtest internal/testkit/long internal/testkit/wiretest internal/testkit/databasetest internal/testkit/storetest",
}

func TestArrows(t *testing.T) {
	t.Parallel()
	for _, pkg := range packages(t) {
		allowed, listed := arrows[pkg.dir]
		if !listed {
			t.Errorf("%s is in no ring: list it in arrows", pkg.dir)
			continue
		}
		for _, imp := range pkg.imports() {
			own, isOwn := strings.CutPrefix(imp.path, module)
			if isOwn && !slices.Contains(everywhere, own) && !slices.Contains(allowed, own) {
				t.Errorf("%s: %s must not import %s: the arrow runs against the rings", imp.at, pkg.dir, own)
			}
			for library, owners := range outside {
				if under(imp.path, library) && !slices.Contains(strings.Fields(owners), pkg.dir) {
					t.Errorf("%s: %s must not import %s; only these may: [%s]", imp.at, pkg.dir, imp.path, owners)
				}
			}
		}
	}
}

// TestSupportIsNoProduct keeps test support out of the program: only test
// support itself, and tests, import it.
func TestSupportIsNoProduct(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, pkg := range packages(t) {
		if under(pkg.dir, "internal/testkit") {
			seen++
			continue
		}
		for _, imp := range pkg.imports() {
			if under(imp.path, module+"internal/testkit") {
				t.Errorf("%s: %s is linked into the program and must not import test support", imp.at, pkg.dir)
			}
		}
	}
	if seen == 0 {
		t.Error("internal/testkit holds no package")
	}
}

// TestArrowsAreUsed keeps the tables true: an arrow that nobody takes any more
// is a permission that nobody asked for.
func TestArrowsAreUsed(t *testing.T) {
	t.Parallel()
	taken := make(map[string]bool)
	for _, pkg := range packages(t) {
		taken[pkg.dir] = true
		for _, imp := range pkg.imports() {
			taken[pkg.dir+" "+strings.TrimPrefix(imp.path, module)] = true
			for library := range outside {
				if under(imp.path, library) {
					taken[pkg.dir+" "+library] = true
				}
			}
		}
	}
	for library, owners := range outside {
		for _, owner := range strings.Fields(owners) {
			if !taken[owner+" "+library] {
				t.Errorf("%s may import %s, and does not", owner, library)
			}
		}
	}
	for dir, targets := range arrows {
		if !taken[dir] {
			t.Errorf("arrows lists %s, which does not exist", dir)
		}
		for _, target := range targets {
			if !taken[dir+" "+target] {
				t.Errorf("%s may import %s, and does not", dir, target)
			}
		}
	}
}

// TestPackageComments demands exactly one package comment in each package.
func TestPackageComments(t *testing.T) {
	t.Parallel()
	for _, pkg := range packages(t) {
		var with []string
		for _, f := range pkg.files {
			file := parsed(t, token.NewFileSet(), f, nil, parser.PackageClauseOnly|parser.ParseComments)
			if file.Doc != nil {
				with = append(with, f)
			}
		}
		if len(with) != 1 {
			t.Errorf("%s has %d package comments, in %v", pkg.dir, len(with), with)
		}
	}
}

// pkg is one package directory with its files that are no tests.
type pkg struct {
	dir   string // slash-separated, relative to the module
	files []string
}

type imported struct{ path, at string }

func (p pkg) imports() []imported {
	var all []imported
	for _, f := range p.files {
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, f, nil, parser.ImportsOnly)
		if err != nil {
			continue // the compiler says so better
		}
		for _, spec := range parsed.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			all = append(all, imported{path: path, at: set.Position(spec.Pos()).String()})
		}
	}
	return all
}

func packages(t *testing.T) []pkg {
	t.Helper()
	root := filepath.Join("..", "..")
	found := make(map[string]*pkg)
	for _, top := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "testdata" {
				return filepath.SkipDir
			}
			if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			rel, err := filepath.Rel(root, filepath.Dir(path))
			if err != nil {
				return err
			}
			dir := filepath.ToSlash(rel)
			if found[dir] == nil {
				found[dir] = &pkg{dir: dir}
			}
			found[dir].files = append(found[dir].files, path)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var all []pkg
	for _, p := range found {
		all = append(all, *p)
	}
	if len(all) < 10 {
		t.Fatalf("only %d packages found: the walk is broken", len(all))
	}
	sort.Slice(all, func(i, j int) bool { return all[i].dir < all[j].dir })
	return all
}

func under(path, library string) bool {
	return path == library || strings.HasPrefix(path, library+"/")
}
