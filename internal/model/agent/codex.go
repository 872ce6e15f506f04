package agent

import (
	"bufio"
	"encoding/json"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/process"
)

// codexOff are the features that give a model something to do, or contact others. A version
// without one of them refuses to start.
var codexOff = [...]string{
	"apps", "goals", "hooks", "image_generation", "multi_agent", "plugins", "shell_tool", "skill_search",
	"sleep_tool", "tool_suggest", "unified_exec", "view_image",
}

// startCodex starts the agent of OpenAI, as of version 0.169.0. It speaks Responses to a provider
// defined here, since its own one has no limit of retries and no other address. It does not
// read OPENAI_BASE_URL, which may be another vendor's address: the key must not go there.
func startCodex(c call) (start, error) {
	catalogue, err := c.room.Write("models.json", codexCatalogue(c.model))
	if err != nil {
		return start{}, err
	}
	base := c.base
	if base == "" {
		base = "https://api.openai.com/v1"
	}
	args := []string{
		"exec", "--json", "--color", "never", "--ephemeral", "--ignore-user-config", "--ignore-rules", "--skip-git-repo-check",
		"--sandbox", "read-only", "--model", c.model,
	}
	settings := []string{
		"model_provider=" + toml("debate"),
		"model_providers.debate={name=" + toml("debate") + ",base_url=" + toml(base) + ",env_key=" + toml("CODEX_API_KEY") +
			`,wire_api="responses",request_max_retries=2,stream_max_retries=1}`,
		"model_catalog_json=" + toml(catalogue),
		"model_instructions_file=" + toml(c.system),
		"analytics.enabled=false",
		"include_apps_instructions=false",
		"include_collaboration_mode_instructions=false",
		"include_environment_context=false",
		"include_permissions_instructions=false",
		"project_doc_max_bytes=0", // AGENTS.md, also of the directories above
		`shell_environment_policy.inherit="none"`,
		"skills.bundled.enabled=false",
		"skills.include_instructions=false",
		"tools.experimental_request_user_input.enabled=false",
		"tools.update_plan.enabled=false",
		`web_search="disabled"`,
	}
	if c.effort != "" {
		settings = append(settings, "model_reasoning_effort="+toml(c.effort))
	}
	for _, s := range settings {
		args = append(args, "-c", s)
	}
	for _, feature := range codexOff {
		args = append(args, "--disable", feature)
	}
	return start{args: append(args, "-")}, nil
}

// codexCatalogue describes the model to the agent. The built-in descriptions of some models
// include tools, such as sub-agents, and no setting removes them.
func codexCatalogue(name string) string {
	type level struct {
		Effort      string `json:"effort"`
		Description string `json:"description"`
	}
	text, err := json.Marshal(map[string]any{"models": []any{map[string]any{
		"slug": name, "display_name": name, "base_instructions": "", "visibility": "list", "supported_in_api": true, "priority": 0,
		"default_reasoning_level": "medium", "supported_reasoning_levels": []level{{Effort: "low"}, {Effort: "medium"}, {Effort: "high"}},
		"supports_reasoning_summaries": true, "support_verbosity": false, "supports_parallel_tool_calls": false,
		"shell_type": "disabled", "experimental_supported_tools": []string{},
		"truncation_policy": map[string]any{"mode": "tokens", "limit": 10000}, "context_window": 272000,
	}}})
	if err != nil {
		panic(err) // texts and numbers can be written
	}
	return string(text)
}

// toml returns a text in TOML, which equals JSON here.
func toml(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // a text can be written
	}
	return string(text)
}

// readCodex reads a line of JSON for each event. Items of type error are mostly warnings; only
// turn.failed is a failure.
func readCodex(result process.Result) (reading, *model.Error) {
	var r reading
	var done bool
	lines := bufio.NewScanner(strings.NewReader(result.Stdout))
	lines.Buffer(nil, maxOutput+1)
	for lines.Scan() {
		var event struct {
			Type string `json:"type"`
			Item struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"item"`
			Usage struct {
				In         int `json:"input_tokens"`
				Cached     int `json:"cached_input_tokens"`
				CacheWrite int `json:"cache_write_input_tokens"`
				Out        int `json:"output_tokens"` // with reasoning
			} `json:"usage"`
			Error struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if json.Unmarshal(lines.Bytes(), &event) != nil {
			continue
		}
		switch {
		case event.Type == "item.completed" && event.Item.Type == "agent_message":
			r.text = event.Item.Text
		case event.Type == "turn.completed":
			done = true
			u := event.Usage
			r.spent = []spent{{tokens: model.Tokens{In: u.In, Cached: u.Cached, CacheWrite: u.CacheWrite, Out: u.Out}}}
		case event.Type == "turn.failed":
			return r, codexFault(event.Error.Message)
		}
	}
	if !done {
		return r, unread(result)
	}
	return r, nil
}

// codexFault reads the agent's own words for a failure of the provider.
func codexFault(words string) *model.Error {
	for _, known := range []struct {
		class debate.CallStatus
		words string
	}{
		{debate.CallOverloaded, "experiencing high demand"},
		{debate.CallOverloaded, "at capacity"},
		{debate.CallAuth, "Quota exceeded"},
		{debate.CallTooLong, "context window"},
		{debate.CallTooLong, "reason: max_output_tokens"},
		{debate.CallRefused, "reason: content_filter"},
		{debate.CallTimeout, "idle timeout"},
	} {
		if strings.Contains(words, known.words) {
			return &model.Error{Class: known.class, Detail: process.Line(words)}
		}
	}
	if strings.HasPrefix(words, "{") { // the body of a 400, as it came
		return faultOf(400, words)
	}
	return faultOf(0, words)
}
