package gh

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkSnapshot freezes 3,000 files with 300,000 changed lines, the answers of
// GitHub included; the budget is 2 s and 400 MB.
func BenchmarkSnapshot(b *testing.B) {
	h := &hub{blobs: map[string]string{}, changed: 3_000}
	for i := range 3_000 {
		name := fmt.Sprintf("dir%d/file%d.go", i%50, i)
		var before, after, shown strings.Builder
		shown.WriteString("@@ -1,50 +1,50 @@\n")
		for j := range 50 {
			fmt.Fprintf(&before, "\tvalue := before(%d, %d)\n", i, j)
			fmt.Fprintf(&after, "\tvalue := after(%d, %d)\n", i, j)
		}
		shown.WriteString("-" + strings.ReplaceAll(strings.TrimSuffix(before.String(), "\n"), "\n", "\n-") + "\n")
		shown.WriteString("+" + strings.ReplaceAll(strings.TrimSuffix(after.String(), "\n"), "\n", "\n+"))
		h.files = append(h.files, map[string]any{"filename": name, "status": "modified", "additions": 50, "deletions": 50, "sha": gitID(after.String()), "patch": shown.String()})
		h.tree = append(h.tree, map[string]any{"path": name, "mode": "100644", "sha": gitID(before.String()), "size": before.Len()})
		h.blobs[mergeSHA+":"+name], h.blobs[headSHA+":"+name] = before.String(), after.String()
	}
	for b.Loop() {
		s, script, err := h.snapshot(b)
		if err != nil {
			b.Fatal(err)
		}
		script.Close()
		for _, f := range s.Change.Set.Files {
			if f.Unparsed != "" {
				b.Fatal(f.Unparsed)
			}
		}
		data, err := s.Encode()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := DecodeSnapshot(data); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(data)), "bytes")
	}
}
