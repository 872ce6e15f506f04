package patch

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sourcegraph/go-diff/diff"
)

// alone is what go-diff makes of a diff without us, a line for each file. When
// one of the traps below is mended there, its test says so here.
func alone(text []byte) []string {
	files, err := diff.ParseMultiFileDiff(text)
	if err != nil {
		return []string{"error, " + fmt.Sprint(len(files)) + " files"}
	}
	all := []string{}
	for _, f := range files {
		s := fmt.Sprintf("%q %q", f.OrigName, f.NewName)
		for _, h := range f.Hunks {
			s += fmt.Sprintf(" @-%d,%d+%d,%d %q", h.OrigStartLine, h.OrigLines, h.NewStartLine, h.NewLines, h.Body)
		}
		all = append(all, s)
	}
	return all
}

// stored is a diff that git does not print.
func stored(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestTraps holds the diffs that go-diff alone reads wrongly and in silence: no
// error says that a name, a line or a file is not what the diff says.
func TestTraps(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		make  func(t *testing.T, r *repo) (text []byte, listing []Entry)
		alone []string
		want  []string
		lines map[string]string
	}{
		{
			name: "a binary edit with a change of mode loses its names",
			make: func(_ *testing.T, r *repo) ([]byte, []Entry) {
				return r.change(
					func() { r.write("bin", "\x00a"); r.write("c", "a\n") },
					func() { r.write("bin", "\x00b"); r.chmod("bin", 0o755); r.write("c", "b\n") })
			},
			alone: []string{`"" ""`, `"a/c" "b/c" @-1,1+1,1 "-a\n+b\n"`},
			want: []string{
				`modified binary "bin" "bin" 100644 100755 +0 -0`,
				`modified text "c" "c" 100644 100644 +1 -1 @-1,1+1,1`,
			},
		},
		{
			name: "a binary edit with a change of mode is dropped at the end",
			make: func(_ *testing.T, r *repo) ([]byte, []Entry) {
				return r.change(
					func() { r.write("a", "a\n"); r.write("bin", "\x00a") },
					func() { r.write("a", "b\n"); r.write("bin", "\x00b"); r.chmod("bin", 0o755) })
			},
			alone: []string{`"a/a" "b/a" @-1,1+1,1 "-a\n+b\n"`},
			want: []string{
				`modified text "a" "a" 100644 100644 +1 -1 @-1,1+1,1`,
				`modified binary "bin" "bin" 100644 100755 +0 -0`,
			},
		},
		{
			name: "a binary rename with an edit and a change of mode loses its names",
			make: func(_ *testing.T, r *repo) ([]byte, []Entry) {
				return r.change(
					func() { r.write("old", "\x00a"+poem+poem); r.write("z", "a\n") },
					func() {
						r.rename("old", "new")
						r.write("new", "\x00b"+poem+poem)
						r.chmod("new", 0o755)
						r.write("z", "b\n")
					})
			},
			alone: []string{`"" ""`, `"a/z" "b/z" @-1,1+1,1 "-a\n+b\n"`},
			want: []string{
				`renamed binary "old" "new" 100644 100755 +0 -0`,
				`modified text "z" "z" 100644 100644 +1 -1 @-1,1+1,1`,
			},
		},
		{
			name: "a blank at the end of a name is lost",
			make: func(_ *testing.T, r *repo) ([]byte, []Entry) {
				return r.change(func() { r.write("name ", "a\n") }, func() { r.write("name ", "b\n") })
			},
			alone: []string{`"a/name" "b/name" @-1,1+1,1 "-a\n+b\n"`},
			want:  []string{`modified text "name " "name " 100644 100644 +1 -1 @-1,1+1,1`},
		},
		{
			name: "content without context forges a file",
			make: func(_ *testing.T, r *repo) ([]byte, []Entry) {
				return r.change(
					func() { r.write("q.sql", "1\n-- a/etc\n3\n4\n5\n") },
					func() { r.write("q.sql", "1\n++ b/etc\n3\n4\n5x\n") }, "-U0")
			},
			alone: []string{`"a/q.sql" "b/q.sql" @-2,1+2,1 ""`, `"a/etc" "b/etc" @-5,1+5,1 "-5\n+5x\n"`},
			want:  []string{`modified text "q.sql" "q.sql" 100644 100644 +2 -2 @-2,1+2,1 @-5,1+5,1`},
			lines: map[string]string{"q.sql": "--- a/etc\n+++ b/etc\n-5\n+5x\n"},
		},
		{
			name: "a hunk that is cut short passes",
			make: func(_ *testing.T, r *repo) ([]byte, []Entry) {
				text, listing := r.change(
					func() { r.write("f", poem); r.write("g", "1\n") },
					func() { r.write("f", "x\n"+poem); r.write("g", "2\n") })
				return bytes.Replace(text, []byte(" are\n"), nil, 1), listing
			},
			alone: []string{`"a/f" "b/f" @-1,3+1,4 "+x\n roses\n red\n"`, `"a/g" "b/g" @-1,1+1,1 "-1\n+2\n"`},
			want: []string{
				`modified text "f" "f" 100644 100644 +1 -0 UNPARSED: the hunk @@ -1,3 +1,4 @@ does not have the lines that its header says`,
				`modified text "g" "g" 100644 100644 +1 -1 @-1,1+1,1`,
			},
		},
		{
			name: "a hunk with more lines than it says passes",
			make: func(_ *testing.T, r *repo) ([]byte, []Entry) {
				text, listing := r.change(func() { r.write("f", poem) }, func() { r.write("f", "x\n"+poem) })
				return append(text, "+more\n"...), listing
			},
			alone: []string{`"a/f" "b/f" @-1,3+1,4 "+x\n roses\n are\n red\n+more\n"`},
			want:  []string{`modified text "f" "f" 100644 100644 +1 -0 UNPARSED: a hunk has more lines than its header says`},
		},
		{
			name: "a combined diff is a file that did not change",
			make: func(_ *testing.T, r *repo) ([]byte, []Entry) {
				r.write("dir/f", "1\n2\n3\n")
				r.commit("base")
				r.git("checkout", "-q", "-b", "side")
				r.write("dir/f", "1\n2side\n3\n")
				r.commit("side")
				r.git("checkout", "-q", "main")
				r.write("dir/f", "1\n2main\n3\n")
				r.commit("main")
				r.run(func(code int) bool { return code == 1 }, "merge", "-q", "side")
				r.write("dir/f", "1\n2both\n3\n")
				r.commit("merge")
				return r.git("show", "--format=%s", "HEAD"), nil
			},
			alone: []string{`"a/dir/f" "b/dir/f"`},
			want:  []string{`modified text "dir/f" "dir/f" 0 0 +0 -0 UNPARSED: it is a combined diff of a merge, which has no single old side`},
		},
		{
			name: "the tail of a mail is a line of the file",
			make: func(_ *testing.T, r *repo) ([]byte, []Entry) {
				r.change(func() { r.write("f", "1\n") }, func() { r.write("f", "2\n") })
				return r.git("format-patch", "--stdout", "-1", "--signature=2.39"), nil
			},
			alone: []string{`"a/f" "b/f" @-1,1+1,1 "-1\n+2\n-- \n"`},
			want:  []string{`modified text "f" "f" 100644 100644 +1 -1 @-1,1+1,1`},
			lines: map[string]string{"f": "-1\n+2\n"},
		},
		{
			name: "the blank line between two commits is a line of the file",
			make: func(_ *testing.T, r *repo) ([]byte, []Entry) {
				r.change(func() { r.write("f", "1\n") }, func() { r.write("g", "2\n") })
				return r.git("log", "-p"), nil
			},
			alone: []string{`"/dev/null" "b/g" @-0,0+1,1 "+2\n\n"`, `"/dev/null" "b/f" @-0,0+1,1 "+1\n"`},
			want: []string{
				`added text "" "g" 0 100644 +1 -0 @-0,0+1,1`,
				`added text "" "f" 0 100644 +1 -0 @-0,0+1,1`,
			},
			lines: map[string]string{"g": "+2\n"},
		},
		{
			name: "a submodule that is shown as a log vanishes",
			make: func(_ *testing.T, r *repo) ([]byte, []Entry) {
				sub := newRepo(r.t)
				sub.write("f", "1\n")
				sub.commit("one")
				return r.change(
					func() {
						r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub.dir, "my sub")
						r.write("z", "1\n")
					},
					func() {
						in := &repo{t: r.t, dir: r.path("my sub")}
						in.write("f", "2\n")
						in.commit("two")
						r.write("z", "2\n")
					}, "--submodule=log")
			},
			alone: []string{`"a/z" "b/z" @-1,1+1,1 "-1\n+2\n"`},
			want: []string{
				`modified submodule "my sub" "my sub" 160000 160000 +1 -1 UNPARSED: git shows the submodule as a log, not as lines`,
				`modified text "z" "z" 100644 100644 +1 -1 @-1,1+1,1`,
			},
		},
		{
			name:  "one malformed header loses every file",
			make:  func(t *testing.T, _ *repo) ([]byte, []Entry) { return stored(t, "malformed.diff"), nil },
			alone: []string{"error, 0 files"},
			want: []string{
				`modified text "first" "first" 100644 100644 +1 -1 @-1,1+1,1`,
				`modified text "second" "second" 100644 100644 +0 -0 UNPARSED: one of its hunk headers cannot be read`,
				`modified text "third" "third" 100644 100644 +1 -1 @-1,1+1,1`,
			},
		},
		{
			name: "carriage returns are stripped",
			make: func(_ *testing.T, r *repo) ([]byte, []Entry) {
				return r.change(func() { r.write("f", "a\r\nb\r\n") }, func() { r.write("f", "a\nb\r\n") })
			},
			alone: []string{`"a/f" "b/f" @-1,2+1,2 "-a\n+a\n b\n"`},
			want:  []string{`modified text "f" "f" 100644 100644 +1 -1 @-1,2+1,2`},
			lines: map[string]string{"f": "-a\r\n+a\n b\r\n"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, listing := tt.make(t, newRepo(t))
			if d := cmp.Diff(tt.alone, alone(text)); d != "" {
				t.Errorf("go-diff alone is no longer wrong in the way that is expected here (-want +got):\n%s\n%s", d, text)
			}
			set := Parse(text, listing)
			if d := cmp.Diff(tt.want, summaries(set)); d != "" {
				t.Errorf("with us (-want +got):\n%s\n%s", d, text)
			}
			for path, want := range tt.lines {
				if d := cmp.Diff(want, lines(fileOf(t, set, path))); d != "" {
					t.Errorf("%s (-want +got):\n%s", path, d)
				}
			}
		})
	}
}
