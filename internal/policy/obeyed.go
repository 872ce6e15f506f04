package policy

import (
	"path"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// Obeyed reports whether command-line agents, editors or other programs read a file as
// instructions, as settings or as something to run, at any depth. A name that some file systems
// take for another one counts too.
func Obeyed(name string) bool {
	name = strings.ToLower(name)
	base := path.Base(name)
	stem, _, _ := strings.Cut(base, ".")
	isProse := proseExtensions[path.Ext(base)]
	isDocs := inDocs().MatchString(name)
	switch {
	case obeyedFiles[base], obeyedEnd().MatchString(base), obeyedOnGitHub().MatchString(name):
		return true
	case isProse && (obeyedStems[stem] || !isDocs && (obeyedWords().MatchString(stem) || obeyedTexts().MatchString(name))):
		return true
	}
	for part := range strings.SplitSeq(name, "/") {
		if obeyedDirectories[part] || ambiguous().MatchString(part) {
			return true
		}
	}
	return false
}

// obeyedDirectories are obeyed with everything in them.
var obeyedDirectories = lists.Words(`.agent .agents .aiassistant .aider .amazonq .amp .antigravity .augment .claude .claude-plugin .clinerules .codebuddy
	.codex .continue .crush .cursor .devcontainer .devin .factory .forge .gemini .git .githooks .goose .husky .idea .idx .iflow .jules .junie
	.kilocode .kiro memory-bank .opencode .openhands .qodo .qwen .replit .roo .ruler .rules .specify .tabnine .trae .vscode .void .windsurf .zed`)

// obeyedStems are the names of texts up to their first dot: CLAUDE.md and CLAUDE.local.md.
var obeyedStems = lists.Words(`agent agents ai aider amp augment best_practices bugbot claude cline codex cody constitution context conventions copilot copilot-instructions crush cursor devin droid gemini goose gpt greptile
	guidelines heartbeat iflow instructions jules junie kiro knowledge llm llms memory opencode openhands persona prompt prompts qwen replit review roo rules skill
	skills soul steering system system_prompt system-prompt trae warp windsurf zencoder`)

// obeyedFiles are the names of other files.
var obeyedFiles = lists.Words(`.aider.conf.yml .aiderignore .aiexclude .augment-guidelines .claude.json .claudeignore .clinerules .cursorignore .cursorrules .envrc
	.geminiignore .gitattributes .gitconfig .gitignore .gitmodules .goosehints .ignore .kilocoderules .mcp.json .openhands_instructions .qwenignore
	.rgignore .roorules .rules .windsurfrules firebender.json llms.txt llms-full.txt mcp.json opencode.json opencode.jsonc`)

// obeyedEnd matches the end of a file name for the instructions of editors, or for an interpreter's
// source.
var obeyedEnd = lazyregexp.New(`\.(?:instructions|prompt|chatmode|agent|coffee)\.(?:md|txt)$|\.mdc$|^\.(?:clinerules|cursorrules|roorules|windsurfrules)-`)

// obeyedWords finds a word for models in a longer name, such as ai-rules.md or CLAUDE-local.md.
var obeyedWords = lazyregexp.New(`(?:^|[-_])(?:agents?|ai|claude|codex|copilot|gemini|instructions|llms?|prompts?|rules|skills?|context)(?:[-_]|$)`)

// obeyedTexts are directories of texts for models.
var obeyedTexts = lazyregexp.New(`(?:^|/)(?:agents|ai|chatmodes|commands|droids|instructions|microagents|modes|personas|prompts|rules|skills?|steering|sub-?agents)/`)

// obeyedOnGitHub are GitHub's directories for agents.
var obeyedOnGitHub = lazyregexp.New(`(?:^|/)\.github/(?:agents|chatmodes|hooks|instructions|prompts|skills)/`)

// ambiguous matches a part of a path that may mean another one: some file systems ignore invisible
// characters, or dots and blanks at the end, or know short names, or give colons a meaning. Outside
// ASCII only letters and digits are plain.
var ambiguous = lazyregexp.New(`^$|[~:*?"<>|]|[. ]$|[^ -~\p{L}\p{Nd}]`)
