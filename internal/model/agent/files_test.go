package agent

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/model"
)

// TestFiles: an agent that has tools which only read finds the files that it is given in
// its room, has those tools and no other one, and is told what the files prove. An agent
// without such tools gets none. All of it is gone afterwards.
func TestFiles(t *testing.T) {
	reads := map[string][]string{"claude": {"Read,Grep,Glob"}, "gemini-cli": {"read_file", "list_directory", "glob", "grep_search"}}
	each(t, func(t *testing.T, agent string) {
		given := request
		given.Files = []model.File{{Path: "lib/a.go", Text: "package lib\n"}, {Path: "main.go", Text: "package main // user@host\n"}}
		for _, files := range [][]model.File{nil, given.Files} {
			given.Files = files
			got, err := client(t, agent, "dump").Ask(t.Context(), given)
			if err != nil {
				t.Fatal(err)
			}
			var saw world
			if err := json.Unmarshal([]byte(got.Text), &saw); err != nil {
				t.Fatal(err)
			}
			want := map[string]string{}
			if gets := len(reads[agent]) > 0; gets {
				for _, f := range files {
					want[f.Path] = f.Text
				}
			}
			if diff := cmp.Diff(want, saw.Repo); diff != "" {
				t.Error(diff)
			}
			if told := strings.Contains(saw.Stdin, model.FilesNote); told != (len(want) > 0) {
				t.Errorf("%d files, told of them: %t", len(files), told)
			}
			says := strings.Join(saw.Args, " ") + saw.Home[".gemini/settings.json"]
			for _, tool := range reads[agent] {
				if strings.Contains(says, tool) != (len(want) > 0) {
					t.Errorf("%d files: the tool %s: %s", len(files), tool, says)
				}
			}
			if slices.ContainsFunc([]string{"Bash", "Write", "Edit,", "run_shell", "write_file", "web_fetch"}, func(tool string) bool { return agent != "qwen" && strings.Contains(says, tool) }) {
				t.Errorf("it has more tools than it should: %s", says)
			}
			if _, err := os.Stat(filepath.Dir(saw.Dir)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the room is still there: %v", err)
			}
		}
	})
}
