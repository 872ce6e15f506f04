// Package provider is the table of model providers, with one entry for each. To add one,
// write its package, its entry and its row in docs/parties.md.
package provider

import (
	"time"

	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/agent"
	"github.com/prdebate/debate/internal/model/anthropic"
	"github.com/prdebate/debate/internal/model/bedrock"
	"github.com/prdebate/debate/internal/model/exec"
	"github.com/prdebate/debate/internal/model/gemini"
	"github.com/prdebate/debate/internal/model/ollama"
	"github.com/prdebate/debate/internal/model/openai"
	"github.com/prdebate/debate/internal/model/vertex"
)

// The default models.
const (
	claude = "claude-sonnet-5-5"
	gpt    = "gpt-6.1-sol"
	flash  = "gemini-3.8-flash"
)

// All lists the providers: first those with an API, in the order of joining by
// themselves, then the programs of this machine.
func All() model.Registry {
	return model.Registry{
		{
			Name: "anthropic", Serves: "Messages",
			Input: "anthropic-api-key", Keys: []string{"ANTHROPIC_API_KEY"}, Address: "ANTHROPIC_BASE_URL", Joins: true,
			Model: claude, Family: "anthropic", Sole: true, Words: []string{"claude"}, Prices: anthropic.Prices,
			New: func(o model.Options) (model.Client, error) { return anthropic.New(o) },
		},
		{
			Name: "openai", Serves: "Responses; with `api: chat` Chat Completions, which compatible servers speak", APIs: true,
			Input: "openai-api-key", Keys: []string{"OPENAI_API_KEY"}, Address: "OPENAI_BASE_URL", Joins: true,
			Model: gpt, Family: "openai", Words: []string{"gpt", "chatgpt", "o1", "o3", "o4", "codex"}, Prices: openai.Prices,
			New: func(o model.Options) (model.Client, error) { return openai.New(o) },
		},
		{
			Name: "gemini", Serves: "generateContent",
			Input: "gemini-api-key", Keys: []string{"GEMINI_API_KEY"}, Address: "GOOGLE_GEMINI_BASE_URL", Joins: true,
			Model: flash, Family: "google", Sole: true, Words: []string{"gemini", "gemma", "codegemma"}, Prices: gemini.Prices,
			New: func(o model.Options) (model.Client, error) { return gemini.New(o) },
		},
		{
			Name: "azure", Serves: "Azure OpenAI: Responses; with `api: chat` Chat Completions", APIs: true, Placed: true,
			Keys: []string{"AZURE_OPENAI_API_KEY"}, Address: "AZURE_OPENAI_ENDPOINT",
			New: func(o model.Options) (model.Client, error) { return openai.NewAzure(o) },
		},
		{
			Name: "bedrock", Serves: "Amazon Bedrock: Messages for `anthropic.` models, Chat Completions for others", Ambient: true,
			New: func(o model.Options) (model.Client, error) { return bedrock.New(o) },
		},
		{
			Name: "vertex", Serves: "Google Vertex AI: Messages for `claude` models, generateContent for others", Ambient: true,
			New: func(o model.Options) (model.Client, error) { return vertex.New(o) },
		},
		{
			Name: "ollama", Serves: "its own `/api/chat`; takes part only where it is configured", Address: "OLLAMA_HOST", Model: "gpt-oss:20b",
			AtOnce: 1, PerMinute: 600, // more calls would only wait in a queue, which looks like silence
			Timeout: 10 * time.Minute, // it loads the model, and reads the prompt at the speed of this machine
			New:     func(o model.Options) (model.Client, error) { return ollama.New(o) },
		},
		{
			Name: "exec", Command: true, Free: true, Files: true,
			New: func(o model.Options) (model.Client, error) { return exec.New(o) },
		},
		{
			Name: "codex", Command: true, Keys: []string{"CODEX_API_KEY", "OPENAI_API_KEY"},
			Model: gpt, Family: "openai", New: agentNamed("codex"),
		},
		{
			Name: "claude", Command: true, Files: true, Keys: []string{"ANTHROPIC_API_KEY"}, Address: "ANTHROPIC_BASE_URL",
			Model: claude, Family: "anthropic", Sole: true, New: agentNamed("claude"),
		},
		{
			Name: "gemini-cli", Command: true, Files: true, Keys: []string{"GEMINI_API_KEY"}, Address: "GOOGLE_GEMINI_BASE_URL",
			Model: flash, Family: "google", Sole: true, New: agentNamed("gemini-cli"),
		},
		{
			Name: "qwen", Command: true, Keys: []string{"OPENAI_API_KEY"}, Address: "OPENAI_BASE_URL",
			Family: "qwen", Words: []string{"qwen", "qwq", "codeqwen"}, New: agentNamed("qwen"),
		},
	}
}

func agentNamed(name string) func(model.Options) (model.Client, error) {
	return func(o model.Options) (model.Client, error) { return agent.New(name, o) }
}
