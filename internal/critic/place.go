package critic

import (
	"path"
	"strings"
)

// extension is the lower-case extension of the last element of a path, with its
// dot.
func extension(p string) string { return strings.ToLower(path.Ext(p)) }

// isFixture reports whether the file is test data, which may hold anything a
// test wants to read.
func isFixture(p string) bool {
	for dir := range strings.SplitSeq(path.Dir(p), "/") {
		switch strings.ToLower(dir) {
		case "testdata", "fixtures", "__fixtures__", "__snapshots__":
			return true
		}
	}
	return false
}
