package agent

import (
	"encoding/json"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/process"
)

// geminiSettings is the whole content of the agent's home, with its TOOLS. ignoreLocalEnv
// keeps it from the .env files of the directories above, memoryBoundaryMarkers from their
// GEMINI.md.
const geminiSettings = `{
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false, "maxAttempts": 3},
  "tools": {"core": TOOLS},
  "mcp": {"allowed": []},
  "skills": {"enabled": false},
  "hooksConfig": {"enabled": false},
  "experimental": {"enableAgents": false},
  "context": {"fileName": "none", "memoryBoundaryMarkers": [], "includeDirectoryTree": false, "fileFiltering": {"enableRecursiveFileSearch": false}},
  "advanced": {"ignoreLocalEnv": true}
}
`

// geminiReads are its tools for reading files of the working directory.
const geminiReads = `["read_file", "list_directory", "glob", "grep_search", "search_file_content"]`

// startGemini starts the agent of Google, as of version 0.61.0. It has no setting for the effort.
func startGemini(c call) (start, error) {
	tools := `[]`
	if c.files {
		tools = geminiReads
	}
	settings := strings.Replace(geminiSettings, "TOOLS", tools, 1)
	if _, err := c.room.Write(filepath.Join(".gemini", "settings.json"), settings); err != nil {
		return start{}, err
	}
	s := start{
		// It refuses a directory that it does not trust; this one is empty.
		args: []string{"--skip-trust", "--model", c.model, "--output-format", "json", "--approval-mode", "default"},
		env:  []string{"GEMINI_SYSTEM_MD=" + c.system, "GEMINI_CLI_NO_RELAUNCH=true"},
	}
	if c.base != "" {
		s.env = append(s.env, "GOOGLE_GEMINI_BASE_URL="+c.base)
	}
	return s, nil
}

// readGemini reads one JSON object from standard output, or if that is empty the report of a
// failure from standard error. Its exit status is that of HTTP without the high bits, and
// says less.
func readGemini(result process.Result) (reading, *model.Error) {
	var said struct {
		Response *string `json:"response"`
		Stats    struct {
			Models map[string]struct {
				Tokens struct {
					Prompt     int `json:"prompt"` // with those of a cache
					Cached     int `json:"cached"`
					Candidates int `json:"candidates"`
					Thoughts   int `json:"thoughts"`
				} `json:"tokens"`
			} `json:"models"`
		} `json:"stats"`
	}
	if json.Unmarshal([]byte(result.Stdout), &said) != nil || said.Response == nil {
		if words, code, ok := reported(result.Stderr); ok {
			if code < 100 { // another failure, or one with its status only above
				code = geminiStatus(result.Stderr)
			}
			return reading{}, faultOf(code, words)
		}
		return reading{}, unread(result)
	}
	r := reading{text: *said.Response}
	for name, m := range said.Stats.Models {
		t := m.Tokens
		r.spent = append(r.spent, spent{model: name, tokens: model.Tokens{In: t.Prompt, Cached: t.Cached, Out: t.Candidates + t.Thoughts}})
	}
	sort.Slice(r.spent, func(i, j int) bool { return r.spent[i].model < r.spent[j].model })
	return r, nil
}

// geminiCode is the status in the error that the agent prints before its report.
var geminiCode = lazyregexp.New(`(?m)^ +(?:code|status): (\d{3}),?$`)

func geminiStatus(stderr string) int {
	found := geminiCode().FindStringSubmatch(stderr)
	if found == nil {
		return 0
	}
	code, _ := strconv.Atoi(found[1])
	return code
}
