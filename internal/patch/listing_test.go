package patch

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

var listings = []struct {
	name, raw, numstat string
	want               []Entry
	err                string
}{
	{name: "nothing", want: []Entry{}},
	{
		name:    "each status",
		raw:     ":000000 100644 0000000 1111111 A\x00new\x00:100644 000000 1111111 0000000 D\x00gone\x00:100644 100755 1111111 2222222 M\x00edit\x00:100644 120000 1111111 2222222 T\x00type\x00:100644 100644 1111111 2222222 R086\x00from\x00to\x00:100644 100644 1111111 2222222 C100\x00src\x00copy\x00",
		numstat: "1\t0\tnew\x000\t2\tgone\x00-\t-\tedit\x001\t3\ttype\x004\t5\t\x00from\x00to\x000\t0\t\x00src\x00copy\x00",
		want: []Entry{
			{NewPath: "new", NewMode: 0o100644, Status: Added, Additions: 1},
			{OldPath: "gone", OldMode: 0o100644, Status: Deleted, Deletions: 2},
			{OldPath: "edit", NewPath: "edit", OldMode: 0o100644, NewMode: 0o100755, Status: Modified, BinaryByGit: true},
			{OldPath: "type", NewPath: "type", OldMode: 0o100644, NewMode: 0o120000, Status: TypeChanged, Additions: 1, Deletions: 3},
			{OldPath: "from", NewPath: "to", OldMode: 0o100644, NewMode: 0o100644, Status: Renamed, Additions: 4, Deletions: 5},
			{OldPath: "src", NewPath: "copy", OldMode: 0o100644, NewMode: 0o100644, Status: Copied},
		},
	},
	{
		name:    "binary files that only moved",
		raw:     ":100644 100644 1111111 1111111 R100\x00a.png\x00b.png\x00:100644 100755 2222222 2222222 M\x00tool\x00",
		numstat: "-\t-\t\x00a.png\x00b.png\x00-\t-\ttool\x00",
		want: []Entry{
			{OldPath: "a.png", NewPath: "b.png", OldMode: 0o100644, NewMode: 0o100644, Status: Renamed, SameContent: true},
			{OldPath: "tool", NewPath: "tool", OldMode: 0o100644, NewMode: 0o100755, Status: Modified, SameContent: true},
		},
	},
	{
		name:    "names of every kind",
		raw:     ":100644 100644 1 2 M\x00a\tb\nc \"\xff\x00:160000 160000 1 2 M\x00 sub \x00",
		numstat: "1\t1\ta\tb\nc \"\xff\x001\t1\t sub \x00",
		want: []Entry{
			{OldPath: "a\tb\nc \"\xff", NewPath: "a\tb\nc \"\xff", OldMode: 0o100644, NewMode: 0o100644, Status: Modified, Additions: 1, Deletions: 1},
			{OldPath: " sub ", NewPath: " sub ", OldMode: 0o160000, NewMode: 0o160000, Status: Modified, Additions: 1, Deletions: 1},
		},
	},
	{name: "cut in the raw head", raw: ":100644", err: "git diff --raw: entry 1 cannot be read"},
	{name: "cut in the raw name", raw: ":100644 100644 1 2 M\x00na", err: "git diff --raw: entry 1 cannot be read"},
	{name: "one name of two", raw: ":100644 100644 1 2 R100\x00a\x00", err: "git diff --raw: entry 1 cannot be read"},
	{name: "a merge", raw: "::100644 100644 100644 1 2 3 MM\x00a\x00", err: "git diff --raw: entry 1 cannot be read"},
	{name: "no mode", raw: ":1006x4 100644 1 2 M\x00a\x00", err: "git diff --raw: entry 1 cannot be read"},
	{name: "unresolved", raw: ":000000 100644 1 2 U\x00a\nb\x00", err: "git diff --raw: entry 1 cannot be read"},
	{name: "no counts", raw: ":100644 100644 1 2 M\x00a\x00", err: `git diff --numstat: entry 1 is not that of "a"`},
	{name: "another name", raw: ":100644 100644 1 2 M\x00a\x00", numstat: "1\t1\tb\x00", err: `git diff --numstat: entry 1 is not that of "a"`},
	{name: "another old name", raw: ":100644 100644 1 2 R90\x00a\x00b\x00", numstat: "1\t1\t\x00x\x00b\x00", err: `git diff --numstat: entry 1 is not that of "b"`},
	{name: "one count a dash", raw: ":100644 100644 1 2 M\x00a\x00", numstat: "-\t1\ta\x00", err: `git diff --numstat: entry 1 is not that of "a"`},
	{name: "more counts than files", raw: "", numstat: "1\t1\ta\x00", err: "git diff --numstat: entry 1: --raw does not list it"},
}

func TestParseListing(t *testing.T) {
	t.Parallel()
	for _, tt := range listings {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseListing([]byte(tt.raw), []byte(tt.numstat))
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Fatalf("error %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil || got == nil {
				t.Fatalf("result %v, error %v", got, err)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// TestReconcile turns the listing against the diff.
func TestReconcile(t *testing.T) {
	t.Parallel()
	const text = "diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n" +
		"diff --git a/g b/g\nindex 1..2 100644\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n"
	entry := func(name string, change func(e *Entry)) Entry {
		e := Entry{OldPath: name, NewPath: name, OldMode: 0o100644, NewMode: 0o100644, Status: Modified, Additions: 1, Deletions: 1}
		if change != nil {
			change(&e)
		}
		return e
	}
	const good = `modified text "g" "g" 100644 100644 +1 -1 @-1,1+1,1`
	tests := []struct {
		name    string
		text    string
		listing []Entry
		want    []string
	}{
		{"they agree", text, []Entry{entry("f", nil), entry("g", nil)}, []string{`modified text "f" "f" 100644 100644 +1 -1 @-1,1+1,1`, good}},
		{
			"more additions", text, []Entry{entry("f", func(e *Entry) { e.Additions = 2 }), entry("g", nil)},
			[]string{`modified text "f" "f" 100644 100644 +2 -1 UNPARSED: the diff and git's listing count its lines differently`, good},
		},
		{
			"fewer deletions", text, []Entry{entry("f", func(e *Entry) { e.Deletions = 0 }), entry("g", nil)},
			[]string{`modified text "f" "f" 100644 100644 +1 -0 UNPARSED: the diff and git's listing count its lines differently`, good},
		},
		{
			"binary in the listing", text, []Entry{entry("f", func(e *Entry) { e.Additions, e.Deletions, e.BinaryByGit = 0, 0, true }), entry("g", nil)},
			[]string{`modified binary "f" "f" 100644 100644 +0 -0 UNPARSED: git lists it as binary, but the diff has lines of it`, good},
		},
		{
			"binary in the diff", "diff --git a/f b/f\nBinary files a/f and b/f differ\n", []Entry{entry("f", nil)},
			[]string{`modified text "f" "f" 100644 100644 +1 -1 UNPARSED: the diff says that it is binary, but git counts its lines`},
		},
		{
			"a link whose target has a NUL byte", "diff --git a/f b/f\nnew file mode 120000\nindex 0..2\nBinary files /dev/null and b/f differ\n",
			[]Entry{{NewPath: "f", NewMode: 0o120000, Status: Added, BinaryByGit: true}},
			[]string{`added symlink "" "f" 0 120000 +0 -0 UNPARSED: git shows the target of the link as binary`},
		},
		{
			"a rename in the listing only", text, []Entry{entry("f", func(e *Entry) { e.OldPath, e.Status = "old", Renamed }), entry("g", nil)},
			[]string{`renamed text "old" "f" 100644 100644 +1 -1 UNPARSED: the diff and git's listing name it differently`, good},
		},
		{
			"a file in the listing only", text, []Entry{entry("f", nil), entry("lost", nil), entry("g", nil)},
			[]string{`modified text "f" "f" 100644 100644 +1 -1 @-1,1+1,1`, `modified text "lost" "lost" 100644 100644 +1 -1 UNPARSED: git lists it, but it is not in the diff`, good},
		},
		{
			"a file in the diff only", text, []Entry{entry("g", nil)},
			[]string{good, `modified text "f" "f" 100644 100644 +0 -0 UNPARSED: it is in the diff, but git does not list it`},
		},
		{
			"an empty listing", text, []Entry{},
			[]string{
				`modified text "f" "f" 100644 100644 +0 -0 UNPARSED: it is in the diff, but git does not list it`,
				`modified text "g" "g" 100644 100644 +0 -0 UNPARSED: it is in the diff, but git does not list it`,
			},
		},
		{
			"a file twice in the diff", text + text, []Entry{entry("f", nil), entry("g", nil)},
			[]string{
				`modified text "f" "f" 100644 100644 +1 -1 UNPARSED: the diff changes it more than once, one version after another`,
				`modified text "g" "g" 100644 100644 +1 -1 UNPARSED: the diff changes it more than once, one version after another`,
			},
		},
		{
			"a file twice in the listing", text, []Entry{entry("f", nil), entry("f", nil), entry("g", nil)},
			[]string{`modified text "f" "f" 100644 100644 +1 -1 UNPARSED: git lists it more than once`, good},
		},
		{
			"the diff stops within a line", text[:len(text)-1], []Entry{entry("f", nil), entry("g", nil)},
			[]string{`modified text "f" "f" 100644 100644 +1 -1 @-1,1+1,1`, `modified text "g" "g" 100644 100644 +1 -1 UNPARSED: the diff ends in the middle of it`},
		},
		{
			"an order of its own", text, []Entry{entry("g", nil), entry("f", nil)},
			[]string{good, `modified text "f" "f" 100644 100644 +1 -1 @-1,1+1,1`},
		},
		{
			"a path that climbs", "", []Entry{entry("../f", nil)},
			[]string{`modified text "../f" "../f" 100644 100644 +1 -1 UNPARSED: git lists it, but it is not in the diff`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, summaries(Parse([]byte(tt.text), tt.listing))); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}
