package look

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plainViewer shows files of a grove as they are, but for one word.
func plainViewer(g *grove) *Viewer {
	return &Viewer{
		Tree: g, Private: func(path string) bool { return strings.HasPrefix(path, "inner") },
		Shown: func(_ string, content []byte) ([]string, bool) {
			text := strings.ReplaceAll(strings.TrimSuffix(string(content), "\n"), "hunter2", "[redacted]")
			return strings.Split(text, "\n"), !strings.Contains(text, "unsearchable")
		},
	}
}

// TestHead: a program gets regular files as a look would show them, those of the named
// directories first, and nothing that is kept or that an agent obeys, whatever its case
// and wherever it lies.
func TestHead(t *testing.T) {
	t.Parallel()
	kept := []string{
		"AGENTS.md", "a/Claude.md", "GEMINI.MD", "b/QWEN.md", ".cursor/rules/x.md", ".cursorrules", ".github/copilot-instructions.md", "pkg/.github/instructions/go.md", "CONVENTIONS.md", ".openhands/microagents/repo.md",
		".claude/settings.json", "deep/in/.CLAUDE/hooks/run.sh", ".codex/config.toml", ".gemini/settings.json", ".qwen/settings.json", ".mcp.json", ".vscode/tasks.json",
		".husky/pre-commit", ".git/config", "sub/.git/HEAD", ".gitattributes", ".gitmodules", ".gitignore", ".geminiignore", ".envrc", ".env", "id_rsa", "inner/x.go",
		"AGENTS.md.", "CLAUDE.md ", "CLAUDE~1.MD", "CLAUDE.md::$DATA", "CLA\u200cUDE.md", "../up.go", "/abs.go", "a//b.go", `a\b.go`,
	}
	g := &grove{files: map[string]string{
		"main.go": "package main // hunter2\n", "lib/a.go": "package lib", "docs/agents.md.txt": "read", ".github/workflows/ci.yml": "on: push\n", "é.go": "package e\n",
		"lib/link": "!symlink", "sub/module": "!submodule", "lib/large.bin": "version https://git-lfs.github.com/spec/v1\n", "lib/pic.png": "a\x00b",
		"lib/long.go": "unsearchable", "huge.txt": strings.Repeat("huge text\n", largeText/10+1),
	}}
	for _, name := range kept {
		g.files[name] = "canary\n"
	}
	got := plainViewer(g).Head(t.Context(), []string{"lib"})
	want := []File{
		{"lib/a.go", "package lib\n"}, {".github/workflows/ci.yml", "on: push\n"}, {"docs/agents.md.txt", "read\n"},
		{"main.go", "package main // [redacted]\n"}, {"é.go", "package e\n"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(g.fetched) != 1 {
		t.Errorf("fetched: %v", g.fetched)
	}
}

// TestHeadIsBounded: no more files and bytes are handed out than are meant to be, and of
// a tree that cannot be searched none.
func TestHeadIsBounded(t *testing.T) {
	t.Parallel()
	many, much := &grove{files: map[string]string{}}, &grove{files: map[string]string{}}
	for i := range mostFiles + 10 {
		many.files[fmt.Sprintf("%05d.go", i)] = "x\n"
	}
	for i := range 40 {
		much.files[fmt.Sprintf("%05d.go", i)] = strings.Repeat("half a megabyte\n", 1<<15)
	}
	if got := plainViewer(many).Head(t.Context(), []string{"near"}); len(got) != mostFiles {
		t.Errorf("%d files", len(got))
	}
	size := 0
	for _, f := range plainViewer(much).Head(t.Context(), nil) {
		size += len(f.Text)
	}
	if size > mostText || size < mostText/2 {
		t.Errorf("%d bytes", size)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if got := plainViewer(&grove{slow: true}).Head(ended, nil); len(got) > 0 {
		t.Errorf("of a tree that cannot be listed in time: %v", got)
	}
}
