package house

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/testkit/golden"
)

// TestCommandsPage: the table of docs/commands.md is the one of package comment.
func TestCommandsPage(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "docs", "commands.md")
	data := readFile(t, path)
	page := string(data)
	begin := strings.Index(page, "| command |")
	end := begin + strings.Index(page[begin:], "\n\n") + 1
	var b strings.Builder
	b.WriteString("| command | allowed for | effect | counts | answer |\n|---|---|---|---|---|\n")
	for _, s := range comment.Commands() {
		effect := s.Effect
		if s.See != "" {
			effect += " ([more](" + s.See + "))"
		}
		var forms []string
		for _, form := range s.Forms() {
			forms = append(forms, "`"+form+"`")
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", strings.Join(forms, ", "), s.Allowed(), effect, s.Holds, s.Answer)
	}
	golden.Same(t, path, []byte(page[:begin]+b.String()+page[end:]))
}
