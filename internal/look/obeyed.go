package look

import (
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// obeyed are the names of what command-line agents and editors take for instructions, for
// settings or for something to run, at whatever depth it lies: of directories with all
// that is in them, and of files. Nobody who reads files by itself gets them.
var obeyed = struct{ directories, files []string }{
	directories: []string{
		".agent", ".agents", ".aider", ".amazonq", ".amp", ".augment", ".claude", ".claude-plugin", ".clinerules", ".codex", ".continue", ".cursor",
		".devcontainer", ".factory", ".gemini", ".git", ".githooks", ".husky", ".idea", ".junie", ".kilocode", ".kiro", ".opencode", ".qwen", ".roo",
		".trae", ".vscode", ".windsurf", ".zed",
	},
	files: []string{
		"agent.md", "agents.md", "agents.override.md", "claude.local.md", "claude.md", "codex.md", "copilot-instructions.md", "crush.md", "gemini.md",
		"opencode.json", "opencode.jsonc", "qwen.md", "review.md", "warp.md",
		".aider.conf.yml", ".aiderignore", ".aiexclude", ".claude.json", ".claudeignore", ".clinerules", ".cursorignore", ".cursorrules", ".envrc", ".geminiignore",
		".gitattributes", ".gitconfig", ".gitignore", ".gitmodules", ".goosehints", ".ignore", ".mcp.json", ".qwenignore", ".rgignore", ".roorules", ".rules",
		".windsurfrules", "mcp.json",
	},
}

// obeyedPaths are ends of paths of such directories whose names alone say nothing.
var obeyedPaths = []string{".github/agents", ".github/chatmodes", ".github/hooks", ".github/instructions", ".github/prompts", ".github/skills"}

// mayObey reports whether somebody who finds a file would perhaps obey it or run it. A name
// that some file systems take for another one counts as such.
func mayObey(name string) bool {
	name = strings.ToLower(name)
	parts := strings.Split(name, "/")
	if slices.ContainsFunc(parts, ambiguous().MatchString) || slices.Contains(obeyed.files, path.Base(name)) {
		return true
	}
	isDirectory := func(part string) bool { return slices.Contains(obeyed.directories, part) }
	isPath := func(end string) bool { return strings.Contains("/"+name, "/"+end+"/") }
	return slices.ContainsFunc(parts, isDirectory) || slices.ContainsFunc(obeyedPaths, isPath)
}

// ambiguous is a part of a path that may mean another one: some file systems ignore
// characters that cannot be seen, or dots and blanks at the end, know short names, or have
// colons mean something. Of what is not ASCII, letters and digits alone are plain.
var ambiguous = lazyregexp.New(`^$|[~:*?"<>|]|[. ]$|[^ -~\p{L}\p{Nd}]`)
