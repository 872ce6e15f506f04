package agent

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/process"
)

// startClaude starts the agent of Anthropic, as of version 2.1.330: restricted ignores the settings of projects, which could redirect the key, and
// confines tools to the working directory; bare runs no hooks and reads no CLAUDE.md; an
// empty list of tools means no tools.
func startClaude(c call) (start, error) {
	tools := ""
	if c.files {
		tools = "Read,Grep,Glob"
	}
	s := start{
		args: []string{
			"--print", "--output-format", "json", "--model", c.model, "--system-prompt-file", c.system,
			"--bare", "--restricted", "--strict-mcp-config", "--disable-slash-commands", "--no-session-persistence", "--tools", tools,
		},
		env: []string{
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_MAX_RETRIES=2",
			"API_TIMEOUT_MS=" + strconv.FormatInt(max(c.left.Milliseconds(), 1), 10),
		},
	}
	if c.effort != "" {
		s.args = append(s.args, "--effort", c.effort)
	}
	if c.base != "" {
		s.env = append(s.env, "ANTHROPIC_BASE_URL="+c.base)
	}
	return s, nil
}

// readClaude reads one JSON object. Its subtype is "success" even if the provider failed:
// is_error and the provider's status count.
func readClaude(result process.Result) (reading, *model.Error) {
	var said struct {
		Type    string  `json:"type"`
		IsError bool    `json:"is_error"`
		Status  int     `json:"api_error_status"`
		Kind    string  `json:"api_error_type"`
		Result  string  `json:"result"`
		Stopped string  `json:"stop_reason"`
		Turns   int     `json:"num_turns"`
		Cost    float64 `json:"total_cost_usd"`
		Models  map[string]struct {
			Basis string `json:"costBasis"`
		} `json:"modelUsage"`
		Usage struct {
			In         int `json:"input_tokens"` // without those of a cache
			Cached     int `json:"cache_read_input_tokens"`
			CacheWrite int `json:"cache_creation_input_tokens"`
			Out        int `json:"output_tokens"`
		} `json:"usage"`
	}
	if json.Unmarshal([]byte(result.Stdout), &said) != nil || said.Type != "result" {
		return reading{}, unread(result)
	}
	u := said.Usage
	r := reading{
		text:   said.Result,
		spent:  []spent{{tokens: model.Tokens{In: u.In + u.Cached + u.CacheWrite, Cached: u.Cached, CacheWrite: u.CacheWrite, Out: u.Out}}},
		cost:   int64(math.Ceil(math.Min(said.Cost, 1e6) * 1e6)),
		priced: said.Cost > 0,
	}
	for _, m := range said.Models {
		if m.Basis == "unknown" { // it guesses the price of an unknown model
			r.priced = false
		}
	}
	switch {
	case said.IsError:
		fault := model.Fault{Status: said.Status, Code: said.Kind, Message: said.Result}
		return r, fault.Failure()
	case said.Stopped == "refusal":
		return r, &model.Error{Class: debate.CallRefused, Detail: "the model refuses"}
	case said.Stopped == "max_tokens":
		return r, &model.Error{Class: debate.CallTooLong, Detail: "the reply reached the model's limit of output"}
	case said.Turns == 0:
		return r, &model.Error{Class: debate.CallMalformed, Detail: "the agent asked no model"}
	}
	return r, nil
}
