package patch

import (
	"fmt"
	"strings"
	"testing"
)

// synthetic is a change of files with 100 changed lines each, in ten hunks with
// context, and its listing.
func synthetic(files int) (text []byte, listing []Entry) {
	var b strings.Builder
	for i := range files {
		name := fmt.Sprintf("internal/area%d/file%d.go", i%97, i)
		fmt.Fprintf(&b, "diff --git a/%s b/%s\nindex 1111111..2222222 100644\n--- a/%s\n+++ b/%s\n", name, name, name, name)
		for h := range 10 {
			at := 1 + 40*h
			fmt.Fprintf(&b, "@@ -%d,11 +%d,11 @@ func section%d() {\n \tcontext := 1\n \tcontext = 2\n \tcontext = 3\n", at, at, h)
			for l := range 5 {
				fmt.Fprintf(&b, "-\tremoved line number %d of hunk %d in %s\n", l, h, name)
			}
			for l := range 5 {
				fmt.Fprintf(&b, "+\tadded line number %d of hunk %d in %s\n", l, h, name)
			}
			b.WriteString(" \tcontext = 4\n \tcontext = 5\n \treturn\n")
		}
		listing = append(listing, Entry{
			OldPath: name, NewPath: name, OldMode: 0o100644, NewMode: 0o100644, Status: Modified, Additions: 50, Deletions: 50,
		})
	}
	return []byte(b.String()), listing
}

// BenchmarkParse shows that the cost is linear in the size of the change. The
// largest one has 3,000 files and 300,000 changed lines.
func BenchmarkParse(b *testing.B) {
	for _, files := range []int{30, 300, 3000} {
		text, listing := synthetic(files)
		b.Run(fmt.Sprintf("files=%d", files), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				set := Parse(text, listing)
				if NewIndex(set); len(set.Files) != files || set.Files[files-1].Unparsed != "" {
					b.Fatal(summary(set.Files[files-1]))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(100*files), "ns/line")
		})
	}
}
