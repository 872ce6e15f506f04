package look

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

// grove is a tree of files by their paths. A value that begins with "!" says why there
// is no file.
type grove struct {
	files   map[string]string
	slow    bool // its search ends with its time
	lacks   bool
	read    int
	fetched []debate.Look
}

func (g *grove) Fetch(_ context.Context, looks []debate.Look) {
	g.fetched = append(g.fetched, looks...)
}

func (g *grove) Lacks(debate.LookKind, debate.Side) bool { return g.lacks }

func (g *grove) Name(debate.Side) string { return "tree" }

func (g *grove) Read(path string, _ debate.Side) ([]byte, debate.Withheld) {
	g.read++
	content, ok := g.files[path]
	switch {
	case !ok:
		return nil, debate.LookMissing
	case strings.HasPrefix(content, "!"):
		return nil, debate.Withheld(content[1:])
	}
	return []byte(content), ""
}

func (g *grove) List(path string, _ debate.Side) ([]string, debate.Withheld) {
	var names []string
	for name := range g.files {
		if rest, in := strings.CutPrefix(name, path+"/"); in || path == "" {
			if path == "" {
				rest = name
			}
			if dir, _, deep := strings.Cut(rest, "/"); deep {
				rest = dir + "/"
			}
			names = append(names, rest)
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) == 0 {
		return nil, debate.LookMissing
	}
	return names, ""
}

func (g *grove) Files(ctx context.Context, _ debate.Side, holding string, _ []string) ([]string, error) {
	if g.slow {
		<-ctx.Done()
		return []string{"first"}, ctx.Err()
	}
	var paths []string
	for name, content := range g.files {
		if strings.Contains(content, holding) {
			paths = append(paths, name)
		}
	}
	slices.Sort(paths)
	return paths, nil
}

// viewer looks at files; the word hunter2 is a secret in each, and what is in private/
// stays here.
func viewer(g *grove) *Viewer {
	return &Viewer{
		Tree:    g,
		Private: func(path string) bool { return strings.HasPrefix(path, "private/") || path == "private" },
		Shown: func(_ string, content []byte) ([]string, bool) {
			text := strings.ReplaceAll(strings.TrimSuffix(string(content), "\n"), "hunter2", "[redacted]")
			return strings.Split(text, "\n"), len(content) < 1<<20
		},
	}
}

// written is what looks showed, for comparing.
func written(all []debate.Seen) string {
	var b strings.Builder
	for _, s := range all {
		for _, run := range s.Runs {
			for i, line := range run.Lines {
				fmt.Fprintf(&b, "%s:%d %s\n", run.Path, run.First+i, line)
			}
		}
		for _, name := range s.Names {
			b.WriteString(name + "\n")
		}
		if s.Why != "" || s.Cut != "" {
			fmt.Fprintf(&b, "[%s%s]\n", s.Why, s.Cut)
		}
	}
	return b.String()
}

func read(path string, lines ...int) debate.Look {
	l := debate.Look{Kind: debate.LookRead, Path: path}
	if len(lines) == 2 {
		l.StartLine, l.EndLine = lines[0], lines[1]
	}
	return l
}

func grep(pattern string, paths ...string) debate.Look {
	return debate.Look{Kind: debate.LookGrep, Pattern: pattern, Paths: paths}
}

func list(path string) debate.Look { return debate.Look{Kind: debate.LookList, Path: path} }

func TestSee(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a.go":           "package a\n\nfunc A() {}\nvar token = \"hunter2\"\n",
		"dir/b.go":       "package b\n\nfunc B() { A() }\n",
		"dir/sub/c.txt":  "A()\n",
		".env":           "A()\nPASSWORD=canary\n",
		"private/d.go":   "A() // canary\n",
		"link":           "!symlink",
		"module":         "!submodule",
		"big":            "version https://git-lfs.github.com/spec/v1\noid sha256:0\nA()\n",
		"pic.png":        "A()\x00",
		"huge.txt":       strings.Repeat("x\n", 600_000),
		"wide.txt":       strings.Repeat("y", 3000) + "\n",
		"many/calls.txt": strings.Repeat("call()\n", 500),
	}
	for name, c := range map[string]struct {
		look debate.Look
		want string
	}{
		"lines":                    {read("a.go", 3, 4), "a.go:3 func A() {}\na.go:4 var token = \"[redacted]\"\n"},
		"from the first":           {read("./dir/b.go", 0, 1), "dir/b.go:1 package b\n"},
		"beyond the last":          {read("dir/b.go", 3, 900), "dir/b.go:3 func B() { A() }\n"},
		"no such lines":            {read("dir/b.go", 30, 40), "[missing]\n"},
		"the wrong way round":      {read("dir/b.go", 3, 2), "[missing]\n"},
		"nothing there":            {read("z.go"), "[missing]\n"},
		"out of the tree":          {read("../../etc/passwd"), "[outside]\n"},
		"out and in":               {read("dir/../a.go"), "[outside]\n"},
		"an absolute path":         {read("/etc/passwd"), "[outside]\n"},
		"another way to write it":  {read(`..\..\etc\passwd`), "[outside]\n"},
		"git's own":                {read(".git/config"), "[outside]\n"},
		"nothing at all":           {read(""), "[outside]\n"},
		"a name that is too long":  {read(strings.Repeat("x", 2000)), "[outside]\n"},
		"a link":                   {read("link"), "[symlink]\n"},
		"a submodule":              {read("module"), "[submodule]\n"},
		"a pointer to a file":      {read("big"), "[lfs]\n"},
		"a file of secrets":        {read(".env"), "[secret]\n"},
		"a private file":           {read("private/d.go"), "[private]\n"},
		"a picture":                {read("pic.png"), "[binary]\n"},
		"what cannot be searched":  {read("huge.txt"), "[too_large]\n"},
		"a very long line":         {read("wide.txt"), "wide.txt:1 " + strings.Repeat("y", 1000) + " [cut]\n"},
		"a search":                 {grep(`\bA\(\)`), "a.go:3 func A() {}\ndir/b.go:3 func B() { A() }\ndir/sub/c.txt:1 A()\n"},
		"a search in some files":   {grep(`\bA\(\)`, "dir/**/*.go"), "dir/b.go:3 func B() { A() }\n"},
		"a search for a secret":    {grep(`token = "h`), ""},
		"a search that finds none": {grep("nobody"), ""},
		"no expression":            {grep("(("), "[bad_pattern]\n"},
		"an empty expression":      {grep(""), "[bad_pattern]\n"},
		"one that grows":           {grep("((a{900}){900}){900}"), "[bad_pattern]\n"},
		"a long one":               {grep(strings.Repeat("a", 600)), "[bad_pattern]\n"},
		"wild globs":               {grep("A", "**/*a*/**/*b*/**"), "[bad_pattern]\n"},
		"the top":                  {list("."), ".env\na.go\nbig\ndir/\nhuge.txt\nlink\nmany/\nmodule\npic.png\nprivate/\nwide.txt\n"},
		"a directory":              {list("dir/"), "b.go\nsub/\n"},
		"a private directory":      {list("private"), "[private]\n"},
		"a directory above":        {list(".."), "[outside]\n"},
		"nothing that is known":    {debate.Look{Path: "a.go"}, "[unclear]\n"},
	} {
		got := written(viewer(&grove{files: files}).See(t.Context(), []debate.Look{c.look}, 1))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Only what may be shown is fetched, in one go, before the time of a turn begins.
func TestFetch(t *testing.T) {
	t.Parallel()
	g := &grove{files: map[string]string{"a.go": "A()\n"}}
	looks := []debate.Look{
		read("./a.go"), read(".env"), read("private/d.go"), read("../a.go"), list("dir/"), list("private"), list("."), grep("A"), grep("(("), {Path: "a.go"}, read("b.go"),
	}
	looks[0].Side = debate.Left
	viewer(g).See(t.Context(), looks, len(looks)-1)
	want := []debate.Look{
		{Kind: debate.LookRead, Path: "a.go", Side: debate.Left}, {Kind: debate.LookList, Path: "dir", Side: debate.Right}, {Kind: debate.LookList, Side: debate.Right},
		{Kind: debate.LookGrep, Pattern: "A", Side: debate.Right},
	}
	if diff := cmp.Diff(want, g.fetched); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	g.fetched = nil
	viewer(g).See(t.Context(), looks, 0)
	if len(g.fetched) > 0 {
		t.Errorf("fetched beyond what may be looked at: %v", g.fetched)
	}
}

// A look that does not reach all says so.
func TestLacks(t *testing.T) {
	t.Parallel()
	g := &grove{files: map[string]string{"a.go": "A()\n"}, lacks: true}
	for want, l := range map[string]debate.Look{"a.go\n[tree]\n": list(""), "a.go:1 A()\n[tree]\n": grep("A"), "a.go:1 A()\n": read("a.go")} {
		if got := written(viewer(g).See(t.Context(), []debate.Look{l}, 1)); got != want {
			t.Errorf("%s: %s", l.Kind, got)
		}
	}
}

// One look has at most 400 lines or 100 matches, one turn 24 kB, one search two seconds.
func TestBounds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(strings.Repeat("z", 59)+"\n", 1000)
	g := &grove{files: map[string]string{"short": strings.Repeat("z\n", 1000), "long": long, "calls": strings.Repeat("call()\n", 500)}}
	v := viewer(g)
	seen := v.See(t.Context(), []debate.Look{read("short"), read("long")}, 12)
	if n := len(seen[0].Runs[0].Lines); n != 400 || seen[0].Cut != debate.CutLines {
		t.Errorf("%d lines, cut %q", n, seen[0].Cut)
	}
	size := 0
	for _, s := range seen {
		for _, line := range s.Runs[0].Lines {
			size += len(line)
		}
	}
	if size > 24_000 || size < 18_000 || seen[1].Cut != debate.CutBytes {
		t.Errorf("%d bytes in a turn, cut %q", size, seen[1].Cut)
	}
	for most, want := range map[int]int{0: 30, 7: 7, 5000: 100} {
		l := grep("call")
		l.Max = most
		s := v.See(t.Context(), []debate.Look{l}, 1)[0]
		if n := strings.Count(written([]debate.Seen{s}), "call()"); n != want || s.Cut != debate.CutLines {
			t.Errorf("max %d: %d lines, cut %q", most, n, s.Cut)
		}
	}
	used := v.See(t.Context(), []debate.Look{read("short", 1, 1), read("short", 2, 2), read("short", 3, 3)}, 2)
	if got := written(used); got != "short:1 z\nshort:2 z\n[used_up]\n" {
		t.Error(got)
	}
	began := time.Now()
	if got := written(viewer(&grove{slow: true, files: map[string]string{"first": "call()\n"}}).See(t.Context(), []debate.Look{grep("call")}, 1)); got != "first:1 call()\n[time]\n" || time.Since(began) > 4*time.Second {
		t.Errorf("%s after %s", got, time.Since(began))
	}
}

// An expression that other engines take for ever over takes none, and reads no file that
// cannot have a line of it.
func TestCatastrophicPattern(t *testing.T) {
	t.Parallel()
	g := &grove{files: map[string]string{"a": strings.Repeat("a", 900) + "!\n"}}
	for i := range 3000 {
		g.files[fmt.Sprintf("more/%d", i)] = strings.Repeat("a", 500) + "\n"
	}
	began := time.Now()
	if got := written(viewer(g).See(t.Context(), []debate.Look{grep(`^(a+)+(a|aa)+\?needle$`)}, 1)); got != "" || g.read > 0 {
		t.Errorf("%d read: %s", g.read, got)
	}
	if got := written(viewer(g).See(t.Context(), []debate.Look{grep(`^(a+)+(a|aa)+\?$`)}, 1)); got != "" && got != "[time]\n" {
		t.Error(got)
	}
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestLiteral(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		`NewLimiter\(`: "NewLimiter(", `(?i)select`: "", `a|b`: "", `x*`: "", `foo(bar)+baz`: "foo", `\bLock\b.*Unlock$`: "Unlock",
		`(needle){2,}`: "needle", `(needle)?x`: "x", `[`: "", `a\nb`: "",
	} {
		if got := literal(pattern); got != want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}
