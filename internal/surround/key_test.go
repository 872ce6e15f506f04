package surround

import (
	"testing"

	"github.com/prdebate/debate/internal/testkit/patchtest"
)

// TestKeys: a file has another key where it looks otherwise, and where the change uses
// otherwise what it declares.
func TestKeys(t *testing.T) {
	t.Parallel()
	const declares = "package a\n\nfunc Parse(s string) int {\n\treturn 1\n}\n"
	const parses = "package a\n\nfunc Parse(s string) int {\n\treturn 2\n}\n"
	key := func(files ...patchtest.Edit) string {
		change := patchtest.Change(append([]patchtest.Edit{patchtest.Modify("a.go", declares, parses)}, files...)...)
		for _, k := range Keys(change.Set) {
			if k.Path == "a.go" {
				return k.Hash
			}
		}
		t.Fatal("a.go has no key")
		return ""
	}
	alone := key()
	user := patchtest.Modify("b.go", "x := Parse(a)\n", "x := Parse(a) + 1\n")
	used := key(user)
	for name, got := range map[string]bool{
		"the same again":                        key() == alone,
		"a file that has nothing of it":         key(patchtest.Modify("c.go", "x := 1\n", "x := 2\n")) == alone,
		"a name that only begins like it":       key(patchtest.Modify("c.go", "x := Parser(a)\n", "x := Parser(b)\n")) == alone,
		"a file that uses it":                   used != alone,
		"one that uses it otherwise":            key(patchtest.Modify("b.go", "x := Parse(a)\n", "x := Parse(a) + 2\n")) != used,
		"a change next to a use":                key(patchtest.Modify("b.go", "x := Parse(a,\n\tb)\n", "x := Parse(a,\n\tc)\n")) != key(patchtest.Modify("b.go", "x := Parse(a,\n\tb)\n", "x := Parse(a,\n\td)\n")),
		"the use in another file":               key(patchtest.Modify("c.go", "x := Parse(a)\n", "x := Parse(a) + 1\n")) != used,
		"a file beside the use, without a name": key(user, patchtest.Modify("c.go", "x := 1\n", "x := 2\n")) == used,
	} {
		if !got {
			t.Errorf("%s: it is not so", name)
		}
	}
	keys := func(path, before, after string) string {
		return Keys(patchtest.Change(patchtest.Modify(path, before, after)).Set)[0].Hash
	}
	was := keys("a.go", "a\nb\n", "a\nc\n")
	for name, other := range map[string]string{
		"another line":    keys("a.go", "a\nb\n", "a\nd\n"),
		"another base":    keys("a.go", "a\ne\n", "a\nc\n"),
		"another context": keys("a.go", "f\nb\n", "f\nc\n"),
		"another name":    keys("b.go", "a\nb\n", "a\nc\n"),
		"no newline":      keys("a.go", "a\nb\n", "a\nc"),
		"further down":    keys("a.go", "1\n2\n3\n4\n5\na\nb\n", "1\n2\n3\n4\n5\na\nc\n"),
	} {
		if other == was {
			t.Errorf("%s: the key is the same", name)
		}
	}
}
