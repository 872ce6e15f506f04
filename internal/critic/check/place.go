package check

import (
	"path"
	"strings"
)

// IsMarkdown reports whether the file is Markdown by its name.
func IsMarkdown(path string) bool {
	switch Extension(path) {
	case ".md", ".markdown", ".mdx", ".mdown":
		return true
	}
	return false
}

// Extension is the lower-case extension of the last element of a path, with its
// dot.
func Extension(p string) string { return strings.ToLower(path.Ext(p)) }

// IsFixture reports whether the file is test data, which may hold anything a
// test wants to read.
func IsFixture(p string) bool {
	for dir := range strings.SplitSeq(path.Dir(p), "/") {
		switch strings.ToLower(dir) {
		case "testdata", "fixtures", "__fixtures__", "__snapshots__":
			return true
		}
	}
	return false
}

// IsTest reports whether the file is a test by the conventions of languages.
func IsTest(p string) bool {
	for dir := range strings.SplitSeq(path.Dir(p), "/") {
		switch strings.ToLower(dir) {
		case "test", "tests", "__tests__", "spec", "specs", "e2e":
			return true
		}
	}
	name := strings.ToLower(path.Base(p))
	stem := strings.TrimSuffix(name, path.Ext(name))
	return strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") ||
		strings.HasSuffix(stem, "_spec") || strings.HasPrefix(stem, "test_")
}

// InFixtures reports whether a path lies among test data, which nothing runs.
func InFixtures(p string) bool {
	for _, d := range strings.Split(path.Dir(p), "/") {
		switch d {
		case "testdata", "fixtures", "__fixtures__", "__snapshots__", "node_modules", "vendor":
			return true
		}
	}
	return false
}

func IsWorkflow(p string) bool {
	ext := path.Ext(p)
	return path.Dir(p) == ".github/workflows" && (ext == ".yml" || ext == ".yaml")
}
