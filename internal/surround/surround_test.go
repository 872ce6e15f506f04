package surround

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/segment"
	"github.com/prdebate/debate/internal/testkit/patchtest"
)

// numbered is a text of so many lines.
func numbered(lines int, line string) string {
	var b strings.Builder
	for n := 1; n <= lines; n++ {
		fmt.Fprintf(&b, line+"\n", n)
	}
	return b.String()
}

// of chooses for a change that is packed into chunks of so many bytes.
func of(change patch.Change, chunkBytes int) (map[string][]Block, segment.Result) {
	split := segment.Split(segment.Input{Change: change, Target: debate.TargetAuto, ChunkBytes: chunkBytes})
	blocks := make(map[string][]Block)
	for id, c := range Of(Input{Change: change, Segments: split.Segments, Chunks: split.Chunks, Skip: none, Private: none}) {
		if len(c.Blocks) > 0 {
			blocks[id] = c.Blocks
		}
	}
	return blocks, split
}

// chosen writes what is shown of the first file of the first chunk as ranges.
func chosen(blocks map[string][]Block) string {
	list := blocks["X1"]
	if len(list) == 0 {
		return "nothing"
	}
	var b strings.Builder
	for _, r := range list[0].Runs {
		fmt.Fprintf(&b, "%d-%d %s, ", r.First, r.Last, [...]string{"left out", "changed", "shown"}[r.Kind])
	}
	return strings.TrimSuffix(b.String(), ", ")
}

func TestOf(t *testing.T) {
	t.Parallel()
	fields := func(n int) string { return strings.TrimPrefix(numbered(n, "\tf%d int"), "\n") }
	calls := func(n int) string { return numbered(n, "\tcall(%d)") }
	goFile := func(last string) string {
		return "// Package a does.\npackage a\n\nimport \"sync\"\n\n// T is a thing.\ntype T struct {\n" + fields(3) + "}\n\n" + // 1-11, and 12
			"func before() {\n" + calls(500) + "}\n\n" + // 13-514, and 515
			"// Do does it.\nfunc (t *T) Do() {\n" + calls(60) + last + "}\n\n" + // 516-578, 579
			"func after() {\n" + calls(500) + "}\n"
	}
	python := func(last string) string {
		return "import os\n\nclass Cart:\n    LIMIT = 3\n\n    def first(self):\n" + numbered(200, "        call(%d)") +
			"\n    def second(self):\n" + numbered(60, "        call(%d)") + last + "\n    def third(self):\n" + numbered(200, "        call(%d)")
	}
	notes := numbered(900, "note %d")
	for name, c := range map[string]struct {
		edit patchtest.Edit
		want string
	}{
		"a short file is shown whole": {
			patchtest.Modify("a.txt", numbered(400, "%d"), strings.Replace(numbered(400, "%d"), "200\n", "two hundred\n", 1)),
			"1-196 shown, 197-203 changed, 204-400 shown",
		},
		"of a long one what is near": {
			patchtest.Modify("a.txt", notes, strings.Replace(notes, "note 500\n", "note five hundred\n", 1)),
			"1-40 shown, 41-456 left out, 457-496 shown, 497-503 changed, 504-543 shown, 544-900 left out",
		},
		"the method, its type and the head": {
			patchtest.Modify("a.go", goFile("\treturn\n"), goFile("\tpanic(1)\n")),
			"1-11 shown, 12-515 left out, 516-574 shown, 575-581 changed, 582-621 shown, 622-1082 left out",
		},
		"the method and the head of its class": {
			patchtest.Modify("a.py", python("        return 1\n"), python("        return 2\n")),
			"1-17 shown, 18-207 left out, 208-265 shown, 266-272 changed, 273-312 shown, 313-471 left out",
		},
		"a new file":     {patchtest.Add("a.go", goFile("")), "nothing"},
		"a removed file": {patchtest.Remove("a.go", goFile("")), "nothing"},
		"a file of secrets": {
			patchtest.Modify(".env", numbered(50, "KEY_%d=1"), numbered(51, "KEY_%d=1")), "nothing",
		},
		"what is no text": {
			patchtest.Modify("a.txt", numbered(50, "a%d")+"\x00\n", "b\n"+numbered(50, "a%d")+"\x00\n"), "nothing",
		},
		"a line that nobody wrote": {
			patchtest.Modify("a.js", numbered(50, "a%d")+strings.Repeat("x", 1001)+"\n", "b\n"+numbered(50, "a%d")+strings.Repeat("x", 1001)+"\n"),
			"1-4 changed, 5-51 shown, 52-52 left out",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := of(patchtest.Change(c.edit), 0)
			if got := chosen(got); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// What stands in a segment of another chunk is part of the change there, and no context
// here.
func TestOfAnotherChunk(t *testing.T) {
	t.Parallel()
	old := numbered(300, "line %d")
	now := strings.NewReplacer("line 20\n", "line twenty\n", "line 200\n", "line two hundred\n").Replace(old)
	blocks, split := of(patchtest.Change(patchtest.Modify("a.txt", old, now)), 300)
	if len(split.Chunks) != 2 {
		t.Fatalf("%d chunks", len(split.Chunks))
	}
	want := "1-16 shown, 17-23 changed, 24-196 shown, 197-203 changed, 204-300 shown"
	if got := chosen(blocks); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Declarations come before what is only near, in every file, and a change with more
// around it than there is room for is within its bounds.
func TestOfIsBounded(t *testing.T) {
	t.Parallel()
	var edits []patchtest.Edit
	for i := range 40 {
		old := "package a\n\n" + numbered(30, "// "+strings.Repeat("x", 90)+" %d") + "\nfunc f() {\n" + numbered(10, "\tcall(%d)") + "}\n" +
			numbered(330, "// "+strings.Repeat("x", 90)+" %d")
		edits = append(edits, patchtest.Modify(fmt.Sprintf("a%02d.go", i), old, strings.Replace(old, "call(5)", "call(50)", 1)))
	}
	change := patchtest.Change(edits...)
	blocks, split := of(change, 0)
	room := min(60_000, max(24_000, 3*split.Chunks[0].Bytes))
	bytes := 0
	for _, b := range blocks["X1"] {
		for _, r := range b.Runs {
			for _, text := range r.Text {
				bytes += len(text) + lineOverhead
			}
		}
		if b.Lines < 5 {
			t.Errorf("%s: %d lines, the declaration is not shown", b.Path, b.Lines)
		}
	}
	if len(blocks["X1"]) != 40 || bytes > room || bytes < room-10_000 {
		t.Errorf("%d files, %d bytes of %d", len(blocks["X1"]), bytes, room)
	}
}

// Every line of a file is in exactly one run, no line of a segment is shown as context,
// and the same change gives the same lines.
func TestOfCoversEachFile(t *testing.T) {
	t.Parallel()
	line := rapid.SampledFrom([]string{"func f() {", "}", "\tx := 1", "class A:", "    def f(self):", "        pass", "", "type T struct {", "package a", "`", "/*", "\xff"})
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(line, 1, 60).Draw(t, "lines"), "\n") + "\n"
	})
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"a.go", "a.py", "a.txt"}).Draw(t, "name")
		change := patchtest.Change(patchtest.Modify(name, text.Draw(t, "before"), text.Draw(t, "after")))
		blocks, split := of(change, rapid.SampledFrom([]int{0, 300}).Draw(t, "bytes"))
		again, _ := of(change, 0)
		if len(split.Chunks) == 1 && fmt.Sprint(blocks) != fmt.Sprint(again) {
			t.Fatal("the same change has other lines around it")
		}
		content, _ := change.Blob(name, debate.Right)
		lines := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
		for _, list := range blocks {
			next := 1
			for _, r := range list[0].Runs {
				if r.First != next || r.Last < r.First {
					t.Fatalf("a run %d-%d where %d comes", r.First, r.Last, next)
				}
				next = r.Last + 1
				for i, shown := range r.Text {
					if shown != lines[r.First+i-1] {
						t.Fatalf("line %d is %q", r.First+i, shown)
					}
				}
				for _, seg := range split.Segments {
					if r.Kind == Shown && seg.Side == debate.Right && seg.StartLine <= r.Last && r.First <= seg.EndLine {
						t.Fatalf("%d-%d is shown, and in %s", r.First, r.Last, seg.ID)
					}
				}
			}
			if next != len(lines)+1 {
				t.Fatalf("%d of %d lines", next-1, len(lines))
			}
		}
	})
}

func TestSecret(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		".env", "app/.env.production", "prod.env", ".envrc", "deploy/id_rsa", "id_ed25519", "tls/server.key", "a.PEM", "ca.p12", ".npmrc", "x/.aws/credentials",
		".docker/config.json", "config/master.key", "config/secrets.yml", "secrets.json", "terraform.tfstate", "prod.tfvars", ".kube/config", "credentials.yml.enc",
	} {
		if !Secret(name) {
			t.Errorf("%s would be shown", name)
		}
	}
	for _, name := range []string{
		"main.go", "internal/secrets/find.go", "secrets.go", "secrets/doc.txt", "environment.ts", "env.go", "keys.py", "monkey.go", "id_map.go", "id_rsa.pub.go", "config.json", "credentials.py",
	} {
		if Secret(name) {
			t.Errorf("%s is withheld", name)
		}
	}
}
