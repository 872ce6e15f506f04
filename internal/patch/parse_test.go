package patch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// summary is a file in one line.
func summary(f *File) string {
	s := fmt.Sprintf("%s %s %q %q %o %o +%d -%d", f.Status, f.Kind, f.OldPath, f.NewPath, f.OldMode, f.NewMode, f.Additions, f.Deletions)
	for _, h := range f.Hunks {
		s += fmt.Sprintf(" @-%d,%d+%d,%d", h.OldStart, h.OldLines, h.NewStart, h.NewLines)
	}
	if f.Unparsed != "" {
		s += " UNPARSED: " + f.Unparsed
	}
	return s
}

func summaries(set *Set) []string {
	all := []string{}
	for _, f := range set.Files {
		all = append(all, summary(f))
	}
	return all
}

// lines is the content of all hunks of a file as a diff shows it.
func lines(f *File) string {
	var b strings.Builder
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			b.WriteByte(l.Op)
			b.WriteString(l.Text)
			b.WriteByte('\n')
			if l.NoEOL {
				b.WriteString("\\\n")
			}
		}
	}
	return b.String()
}

// TestGit reads what git prints, with and without its listing: both must see
// the same files.
func TestGit(t *testing.T) {
	t.Parallel()
	nothing := func(*repo) {}
	tests := []struct {
		name          string
		before, after func(r *repo)
		options       []string
		want          []string // of both
		bare          []string // without a listing, where that differs
	}{
		{
			name:   "an edit",
			before: func(r *repo) { r.write("a.go", "1\n2\n3\n") },
			after:  func(r *repo) { r.write("a.go", "1\n2x\n3\n") },
			want:   []string{`modified text "a.go" "a.go" 100644 100644 +1 -1 @-1,3+1,3`},
		},
		{
			name:   "names with blanks, tabs, newlines, quotes, and not ASCII",
			before: nothing,
			after: func(r *repo) {
				for _, name := range []string{"a b", "tail ", "t\tab", "new\nline", `q"uote`, `back\slash`, "ünï", "bad\xff", " x", "d/e f/g h "} {
					r.write(name, "text\n")
				}
			},
			want: []string{
				`added text "" " x" 0 100644 +1 -0 @-0,0+1,1`,
				`added text "" "a b" 0 100644 +1 -0 @-0,0+1,1`,
				`added text "" "back\\slash" 0 100644 +1 -0 @-0,0+1,1`,
				`added text "" "bad\xff" 0 100644 +1 -0 @-0,0+1,1`,
				`added text "" "d/e f/g h " 0 100644 +1 -0 @-0,0+1,1`,
				`added text "" "new\nline" 0 100644 +1 -0 @-0,0+1,1`,
				`added text "" "q\"uote" 0 100644 +1 -0 @-0,0+1,1`,
				`added text "" "t\tab" 0 100644 +1 -0 @-0,0+1,1`,
				`added text "" "tail " 0 100644 +1 -0 @-0,0+1,1`,
				`added text "" "ünï" 0 100644 +1 -0 @-0,0+1,1`,
			},
		},
		{
			name:    "the same names without quotes for what is not ASCII",
			before:  nothing,
			after:   func(r *repo) { r.git("config", "core.quotePath", "false"); r.write("ünï \xff\t", "text\n") },
			options: nil,
			want:    []string{`added text "" "ünï \xff\t" 0 100644 +1 -0 @-0,0+1,1`},
		},
		{
			name:   "empty files with awkward names",
			before: func(r *repo) { r.write("old b/x", "") },
			after: func(r *repo) {
				r.remove("old b/x")
				r.write("x b/x", "")
				r.write("a b/a b", "")
			},
			options: []string{"--no-renames"},
			want: []string{
				`added text "" "a b/a b" 0 100644 +0 -0`,
				`deleted text "old b/x" "" 100644 0 +0 -0`,
				`added text "" "x b/x" 0 100644 +0 -0`,
			},
		},
		{
			name: "a mode change, a pure rename, a copy, a rename with an edit",
			before: func(r *repo) {
				r.write("run", "x\n")
				r.write("p q", poem)
				r.write("from", poem+poem)
				r.write("src", "s"+poem)
			},
			after: func(r *repo) {
				r.chmod("run", 0o755)
				r.rename("p q", "dir/p r")
				r.rename("from", "to\t")
				r.write("to\t", poem+poem+"more\n")
				r.write("copy", "s"+poem)
				r.write("src", "s"+poem+"x\n")
			},
			options: []string{"-M", "-C"},
			want: []string{
				`copied text "src" "copy" 100644 100644 +0 -0`,
				`renamed text "p q" "dir/p r" 100644 100644 +0 -0`,
				`modified text "run" "run" 100644 100755 +0 -0`,
				`modified text "src" "src" 100644 100644 +1 -0 @-6,3+6,4`,
				`renamed text "from" "to\t" 100644 100644 +1 -0 @-14,3+14,4`,
			},
			bare: []string{
				`copied text "src" "copy" 0 0 +0 -0`,
				`renamed text "p q" "dir/p r" 0 0 +0 -0`,
				`modified text "run" "run" 100644 100755 +0 -0`,
				`modified text "src" "src" 100644 100644 +1 -0 @-6,3+6,4`,
				`renamed text "from" "to\t" 100644 100644 +1 -0 @-14,3+14,4`,
			},
		},
		{
			name: "links and changes of type",
			before: func(r *repo) {
				r.symlink("one", "link")
				r.write("file", "a\nb\n")
				r.symlink("z", "zlink")
				r.write("bin", "a\x00b")
			},
			after: func(r *repo) {
				r.remove("link")
				r.symlink("two", "link")
				r.remove("file")
				r.symlink("target", "file")
				r.remove("zlink")
				r.write("zlink", "c\n")
				r.remove("bin")
				r.symlink("b", "bin")
			},
			want: []string{
				`type changed symlink "bin" "bin" 100644 120000 +0 -0 UNPARSED: one side of its change of type is binary`,
				`type changed symlink "file" "file" 100644 120000 +1 -2 @-1,2+0,0 @-0,0+1,1`,
				`modified symlink "link" "link" 120000 120000 +1 -1 @-1,1+1,1`,
				`type changed symlink "zlink" "zlink" 120000 100644 +1 -1 @-1,1+0,0 @-0,0+1,1`,
			},
			bare: []string{
				`type changed symlink "bin" "bin" 100644 120000 +1 -0 UNPARSED: one side of its change of type is binary`,
				`type changed symlink "file" "file" 100644 120000 +1 -2 @-1,2+0,0 @-0,0+1,1`,
				`modified symlink "link" "link" 120000 120000 +1 -1 @-1,1+1,1`,
				`type changed symlink "zlink" "zlink" 120000 100644 +1 -1 @-1,1+0,0 @-0,0+1,1`,
			},
		},
		{
			name:   "binary files",
			before: func(r *repo) { r.write("edit me", "\x00a"); r.write("gone", "\x00b"); r.write("mode", "\x00c") },
			after: func(r *repo) {
				r.write("edit me", "\x00z")
				r.remove("gone")
				r.chmod("mode", 0o755)
				r.write("new", "\x00qqqqqqqq")
			},
			want: []string{
				`modified binary "edit me" "edit me" 100644 100644 +0 -0`,
				`deleted binary "gone" "" 100644 0 +0 -0`,
				`modified text "mode" "mode" 100644 100755 +0 -0`,
				`added binary "" "new" 0 100644 +0 -0`,
			},
		},
		{
			name:    "a binary patch",
			before:  func(r *repo) { r.write("b", "\x00a") },
			after:   func(r *repo) { r.write("b", "\x00"+strings.Repeat("some \x01 noise", 900)); r.write("c", "c\n") },
			options: []string{"--binary"},
			want: []string{
				`modified binary "b" "b" 100644 100644 +0 -0`,
				`added text "" "c" 0 100644 +1 -0 @-0,0+1,1`,
			},
		},
		{
			name:    "names without prefixes",
			before:  func(r *repo) { r.write("a/b c", "1\n") },
			after:   func(r *repo) { r.write("a/b c", "2\n"); r.write("b/a", "x\n") },
			options: []string{"--no-prefix"},
			want: []string{
				`modified text "a/b c" "a/b c" 100644 100644 +1 -1 @-1,1+1,1`,
				`added text "" "b/a" 0 100644 +1 -0 @-0,0+1,1`,
			},
		},
		{
			name:    "other prefixes",
			before:  func(r *repo) { r.write("d/f", "1\n") },
			after:   func(r *repo) { r.write("d/f", "2\n") },
			options: []string{"--src-prefix=before/", "--dst-prefix=now/"},
			want:    []string{`modified text "d/f" "d/f" 100644 100644 +1 -1 @-1,1+1,1`},
		},
		{
			name:    "a diff the other way round",
			before:  func(r *repo) { r.write("f", "1\n") },
			after:   func(r *repo) { r.write("f", "2\n"); r.write("g", "3\n") },
			options: []string{"-R"},
			want: []string{
				`modified text "f" "f" 100644 100644 +1 -1 @-1,1+1,1`,
				`deleted text "g" "" 100644 0 +0 -1 @-1,1+0,0`,
			},
		},
		{
			name:   "nothing",
			before: nothing, after: nothing,
			want: []string{},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRepo(t)
			diff, listing := r.change(func() { tt.before(r) }, func() { tt.after(r) }, tt.options...)
			if d := cmp.Diff(tt.want, summaries(Parse(diff, listing))); d != "" {
				t.Errorf("with the listing (-want +got):\n%s\n%s", d, diff)
			}
			want := tt.want
			if tt.bare != nil {
				want = tt.bare
			}
			if d := cmp.Diff(want, summaries(Parse(diff, nil))); d != "" {
				t.Errorf("without a listing (-want +got):\n%s\n%s", d, diff)
			}
		})
	}
}

const poem = "roses\nare\nred\nviolets\nare\nblue\nsugar\nis sweet\n"

// TestLines looks into the hunks that git prints.
// TestTheNameOfTheText: a file cannot take the path of the text of a pull request, or of
// its issues, whatever else is called so.
func TestTheNameOfTheText(t *testing.T) {
	t.Parallel()
	section := func(name string) string {
		return "diff --git a/" + name + " b/" + name + "\nnew file mode 100644\n--- /dev/null\n+++ b/" + name + "\n@@ -0,0 +1 @@\n+x\n"
	}
	for name, means := range map[string]string{"@pr": "the text of the pull request", "@issue": "the issues that the change is to close"} {
		diff := section(name) + section("./"+name) + section("a")
		entries := []Entry{
			{NewPath: name, NewMode: 0o100644, Status: Added, Additions: 1}, {NewPath: "./" + name, NewMode: 0o100644, Status: Added, Additions: 1},
			{NewPath: "a", NewMode: 0o100644, Status: Added, Additions: 1},
		}
		for added, listing := range [][]Entry{nil, entries} {
			want := []string{
				`added text "" "././` + name + `" 0 100644 +1 -0 UNPARSED: citations of its name mean ` + means,
				fmt.Sprintf(`added text "" "./%s" 0 100644 +%d -0 UNPARSED: its path leaves the repository`, name, added),
				`added text "" "a" 0 100644 +1 -0 @-0,0+1,1`,
			}
			if diff := cmp.Diff(want, summaries(Parse([]byte(diff), listing))); diff != "" {
				t.Error(diff)
			}
		}
		renamed := Parse([]byte("diff --git a/"+name+" b/b\nsimilarity index 90%\nrename from "+name+"\nrename to b\n--- a/"+name+"\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n"), nil)
		if f := renamed.Files[0]; f.OldPath != "./"+name || f.NewPath != "b" || f.Unparsed == "" {
			t.Errorf("a file that had the name: %s", summary(f))
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789", 20_000)
	tests := []struct{ name, before, after, want string }{
		{"carriage returns stay", "a\r\nb\r\n", "a\r\nc\r\n", " a\r\n-b\r\n+c\r\n"},
		{"a lone carriage return ends no line", "a\rb\n", "a\rc\n", "-a\rb\n+a\rc\n"},
		{"no newline at the old end", "a\nb", "a\nb\n", " a\n-b\n\\\n+b\n"},
		{"no newline at the new end", "a\nb\n", "a\nb", " a\n-b\n+b\n\\\n"},
		{"no newline at both ends, unchanged", "a\nb", "x\nb", "-a\n+x\n b\n\\\n"},
		{"no newline at both ends, changed", "a", "b", "-a\n\\\n+b\n\\\n"},
		{"content that looks like a marker", "\\ No newline at end of file\n", "x\n", "-\\ No newline at end of file\n+x\n"},
		{"content that looks like names", "-- a/x\n", "++ b/x\n", "--- a/x\n+++ b/x\n"},
		{"content that looks like a hunk", "@@ -1 +1 @@\n", "diff --git a/x b/x\n", "-@@ -1 +1 @@\n+diff --git a/x b/x\n"},
		{"content that looks like a mail tail", "- \n2.39\n", "x\n2.39\n", "-- \n+x\n 2.39\n"},
		{"200 KB lines", long + "a\n", long + "b\n", "-" + long + "a\n+" + long + "b\n"},
		{"bytes that are no UTF-8", "\xff\xfe\n", "\xc3\n", "-\xff\xfe\n+\xc3\n"},
		{"an empty line", "\n", "\n\n", " \n+\n"},
		{"line separators of Unicode end no line", "a\u2028b\u0085\v\f\n", "c\n", "-a\u2028b\u0085\v\f\n+c\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRepo(t)
			diff, listing := r.change(func() { r.write("f", tt.before) }, func() { r.write("f", tt.after) })
			f := fileOf(t, Parse(diff, listing), "f")
			if d := cmp.Diff(tt.want, lines(f)); d != "" || f.Unparsed != "" {
				t.Errorf("unparsed %q (-want +got):\n%s", f.Unparsed, d)
			}
		})
	}
}
