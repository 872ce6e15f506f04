package critic

import (
	"strconv"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// TestWhatIsNotReadIsSaid: every check of whole files says so where a file is too
// large for it, or where only a patch is at hand.
func TestWhatIsNotReadIsSaid(t *testing.T) {
	t.Parallel()
	part := "@@ -10,1 +10,2 @@\n a\n+b\n"
	tests := []struct {
		name, path string
		lines      int // of a new file, 0 for the part of an existing one
		line       string
		want       string
	}{
		{"large script", "a.sh", 30_000, "echo 0123456789", "shell"},
		{"part of a script", "a.sh", 0, "", "shell"},
		{"part of a Dockerfile", "Dockerfile", 0, "", "Dockerfile"},
		{"large RUN", "Dockerfile", 12_000, `RUN echo 0123456789 && \`, "shell"},
		{"large Terraform file", "a.tf", 90_000, "# 0123456789", "infrastructure"},
		{"large Rails migration", "db/migrate/20260101000000_a.rb", 30_000, "# 0123456789", "migration"},
		{"migration of many statements", "db/migrations/1.up.sql", 4001, "DROP TABLE t;", "migration"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			diff := "diff --git a/" + tt.path + " b/" + tt.path + "\n"
			body := strings.Repeat(tt.line+"\n", tt.lines)
			if tt.lines > 0 {
				diff += "new file mode 100644\n--- /dev/null\n+++ b/" + tt.path + "\n@@ -0,0 +1," + strconv.Itoa(tt.lines) + " @@\n" +
					strings.Repeat("+"+tt.line+"\n", tt.lines)
			} else {
				diff += "--- a/" + tt.path + "\n+++ b/" + tt.path + "\n" + part
			}
			change := patch.Change{
				Set: patch.Parse([]byte(diff), nil),
				Blob: func(path string, side debate.Side) ([]byte, bool) {
					return []byte(body), tt.lines > 0 && path == tt.path && side == debate.Right
				},
				BaseHas: func(string) bool { return false },
			}
			if why := change.Set.Files[0].Unparsed; why != "" {
				t.Fatal(why)
			}
			found := false
			for _, n := range Review(change, func(string) bool { return false }, nil).Notices {
				found = found || n.Rule == "critic/not-read" && n.Path == tt.path && strings.Contains(n.Text, "The "+tt.want+" checks")
			}
			if !found {
				t.Error("nothing is said")
			}
		})
	}
}
