package check

import (
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// Extension returns the lower-case extension of a path, with its dot.
func Extension(p string) string { return strings.ToLower(path.Ext(p)) }

// IsMarkdown reports whether the file is Markdown by its name.
func IsMarkdown(p string) bool {
	return slices.Contains([]string{".md", ".markdown", ".mdx", ".mdown"}, Extension(p))
}

// IsWorkflow reports whether GitHub runs the file as a workflow.
func IsWorkflow(p string) bool { return workflowPath().MatchString(p) }

// IsFixture reports whether the file is test data, which may hold anything.
func IsFixture(p string) bool { return fixtureDir().MatchString(p) }

// InFixtures reports whether the file is test data or third-party code, which does not run here.
func InFixtures(p string) bool { return fixtureOrForeign().MatchString(p) }

// ServesTests reports whether the file is a test or test data.
func ServesTests(p string) bool { return testOrFixture().MatchString(p) }

const (
	fixtures = `(?:^|/)(?i:testdata|fixtures|__fixtures__|__snapshots__)/`
	tests    = `(?i:(?:^|/)(?:tests?|__tests__|specs?|e2e)/|(?:^|/)test_[^/]*$|_(?:test|spec)(?:\.[^./]*)?$|\.(?:test|spec)\.[^./]*$)`
)

var (
	workflowPath     = lazyregexp.New(`^\.github/workflows/[^/]*\.ya?ml$`)
	fixtureDir       = lazyregexp.New(fixtures)
	fixtureOrForeign = lazyregexp.New(fixtures + `|(?:^|/)(?:node_modules|vendor)/`)
	testOrFixture    = lazyregexp.New(fixtures + "|" + tests)
)
