package gitrepo

import (
	"bytes"
	"testing"

	"github.com/prdebate/debate/internal/patch"
)

// TestSizeHidesNothing: a text file that is too large for git to be compared is
// no binary file.
func TestSizeHidesNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	line := []byte("0123456789abcde\n")
	large := bytes.Repeat(line, bigFile/len(line)+1)
	f.commit("large", "large.go", string(large), "large.bin", "\x00"+string(large), "small.bin", "\x00")
	f.write("large.go", string(large)+"more\n", "large.bin", "\x00\x01"+string(large), "small.bin", "\x00\x01")
	set := f.snapshot(Scope{Kind: Uncommitted}).Change.Set
	want := map[string]string{"large.go": tooLargeForText, "large.bin": "", "small.bin": ""}
	if len(set.Files) != len(want) {
		t.Fatalf("%d files", len(set.Files))
	}
	for _, file := range set.Files {
		if file.Unparsed != want[file.Path()] || file.Kind != patch.Binary {
			t.Errorf("%s: %s, unparsed %q", file.Path(), file.Kind, file.Unparsed)
		}
	}
}
