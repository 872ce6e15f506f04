package engine

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/patchtest"
)

// TestRenamed: a file with a secret in its path has another path, which no other file has,
// with the same directories and extension, and is read by its own.
func TestRenamed(t *testing.T) {
	t.Parallel()
	token := "ghp_" + strings.Repeat("Ab1", 12)
	s := &Subject{Find: func(_, text string) []string {
		if strings.Contains(text, token) {
			return []string{token}
		}
		return nil
	}}
	change := s.renamed(patchtest.Change(patchtest.Add("db/"+token+".sql", "a\n"), patchtest.Add("db/x-"+token+".sql", "b\n"), patchtest.Add("db/[redacted].sql", "c\n")))
	want := map[string]string{"db/_[redacted].sql": "a\n", "db/x-[redacted].sql": "b\n", "db/[redacted].sql": "c\n"}
	for _, f := range change.Set.Files {
		if content, ok := change.Blob(f.NewPath, debate.Right); !ok || string(content) != want[f.NewPath] {
			t.Errorf("%s holds %q", f.NewPath, content)
		}
		delete(want, f.NewPath)
	}
	if len(want) > 0 {
		t.Errorf("no file is named %v", want)
	}
}
