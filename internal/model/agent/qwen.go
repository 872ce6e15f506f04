package agent

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/process"
)

// qwenMargin is the time before the deadline that lets the agent stop by itself and report the
// reason.
const qwenMargin = 2 * time.Second

// startQwen starts the agent of Alibaba, as of version 0.24.4. It speaks Chat Completions to any
// server, and has no setting for the effort. Bare runs no hooks, reads no context files and makes no further calls. The agent
// retries up to 28 times; only the time limits that.
func startQwen(c call) (start, error) {
	seconds := max(int((c.left-qwenMargin)/time.Second), 1)
	return start{
		args: []string{
			"--bare", "--output-format", "json", "--auth-type", "openai", "--model", c.model, "--approval-mode", "default",
			"--max-wall-time", strconv.Itoa(seconds) + "s", "--max-tool-calls", "0",
			"--exclude-tools", "read_file", "edit", "notebook_edit", "run_shell_command", "get_goal", "update_goal",
		},
		env: []string{
			"OPENAI_BASE_URL=" + c.base, "OPENAI_MODEL=" + c.model, "QWEN_SYSTEM_MD=" + c.system, "QWEN_CODE_NO_RELAUNCH=1",
			"QWEN_USAGE_STATISTICS_ENABLED=false", // not a setting: bare reads none
		},
	}, nil
}

// readQwen reads a list of events from standard output with the result at its end, or if that
// is empty the report of a failure from standard error.
func readQwen(result process.Result) (reading, *model.Error) {
	var events []struct {
		Type    string `json:"type"`
		IsError bool   `json:"is_error"`
		Result  string `json:"result"`
		Error   struct {
			Message string `json:"message"`
		} `json:"error"`
		Usage struct {
			In     int `json:"input_tokens"` // with those of a cache
			Cached int `json:"cache_read_input_tokens"`
			Out    int `json:"output_tokens"`
		} `json:"usage"`
	}
	if json.Unmarshal([]byte(result.Stdout), &events) != nil || len(events) == 0 || events[len(events)-1].Type != "result" {
		words, _, ok := reported(result.Stderr)
		switch {
		case !ok:
			return reading{}, unread(result)
		case strings.Contains(words, "--max-wall-time"):
			return reading{}, &model.Error{Class: debate.CallTimeout, Detail: "no reply in time"}
		case strings.Contains(words, "--max-tool-calls"):
			return reading{}, &model.Error{Class: debate.CallMalformed, Detail: "the model called a tool, and there are none"}
		}
		return reading{}, faultOf(0, words)
	}
	said := events[len(events)-1]
	u := said.Usage
	r := reading{text: said.Result, spent: []spent{{tokens: model.Tokens{In: u.In, Cached: u.Cached, Out: u.Out}}}}
	if said.IsError {
		return r, faultOf(0, said.Error.Message)
	}
	return r, nil
}
