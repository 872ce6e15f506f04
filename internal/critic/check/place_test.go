package check

import "testing"

// TestPlaces holds what names of files say of them.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		is   func(string) bool
		yes  []string
		near []string
	}{
		"workflow": {IsWorkflow, []string{".github/workflows/a.yml", ".github/workflows/a.yaml"}, []string{".github/workflows/a/b.yml", "x/.github/workflows/a.yml", ".github/workflows/a.yml.txt"}},
		"fixture":  {IsFixture, []string{"testdata/a", "a/Fixtures/b", "a/__snapshots__/b.snap"}, []string{"testdata", "a/fixtures.go", "mytestdata/a", "vendor/a"}},
		"foreign":  {InFixtures, []string{"vendor/a", "a/node_modules/b", "testdata/a"}, []string{"vendors/a", "vendor"}},
		"test": {ServesTests, []string{"test/a.go", "a/Specs/b", "a_test.go", "a.test.js", "a.spec.ts", "a_spec.rb", "test_a.py", "x/test_a", "a_test", "TEST_a.py"},
			[]string{"contest/a.go", "a/latest.go", "attest_a.py", "a_test.go/b.go", "a.testing.js", "protest.go", "test.go", "rpm.spec"}},
		"markdown": {IsMarkdown, []string{"a.md", "A.MD", "a.mdx"}, []string{"a.txt", "md"}},
	} {
		for _, path := range tt.yes {
			if !tt.is(path) {
				t.Errorf("%s is no %s", path, name)
			}
		}
		for _, path := range tt.near {
			if tt.is(path) {
				t.Errorf("%s is a %s", path, name)
			}
		}
	}
}
