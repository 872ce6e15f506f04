package provider

import "testing"

func TestFamily(t *testing.T) {
	t.Parallel()
	tests := []struct{ provider, model, want string }{
		{"anthropic", "claude-sonnet-4-5", "anthropic"},
		{"anthropic", "", "anthropic"},
		{"anthropic", "next-thing", "anthropic"},
		{"openai", "us.anthropic.claude-opus-4", "anthropic"},
		{"openai", "anthropic/claude-3.5-haiku", "anthropic"},
		{"openai", "", "openai"},
		{"openai", "gpt-4.1-mini", "openai"},
		{"openai", "ft:gpt-4o:acme::x", "openai"},
		{"openai", "chatgpt-4o-latest", "openai"},
		{"openai", "O3", "openai"},
		{"openai", "o1-mini", "openai"},
		{"openai", "o1x", "unknown"},
		{"openai", "o5", "unknown"},
		{"openai", "our-own", "unknown"},
		{"codex", "", "openai"},
		{"codex", "codex-mini-latest", "openai"},
		{"gemini", "models/gemini-2.5-pro", "google"},
		{"gemini-cli", "", "google"},
		{"ollama", "gemma3:27b", "google"},
		{"ollama", "llama3.3:70b", "meta"},
		{"openai", "meta-llama/Llama-3.1-8B", "meta"},
		{"ollama", "llamafile", "unknown"},
		{"ollama", "mistral", "mistral"},
		{"ollama", "mixtral:8x7b", "mistral"},
		{"ollama", "qwen2.5-coder", "qwen"},
		{"qwen", "", "qwen"},
		{"openai", "deepseek-r1-distill-llama-70b", "deepseek"},
		{"openai", "x-ai/grok-4", "xai"},
		{"openai", "command-r-plus", "cohere"},
		{"openai", "commander", "unknown"},
		{"ollama", "phi4", "microsoft"},
		{"exec", "", "unknown"},
		{"exec", " ", "unknown"},
		{"exec", "claude-sonnet-4-5", "anthropic"},
		{"", "...", "unknown"},
		{"", "/", "unknown"},
	}
	for _, tt := range tests {
		if got := All().Family(tt.provider, tt.model); got != tt.want {
			t.Errorf("%s of %q: %s, want %s", tt.model, tt.provider, got, tt.want)
		}
	}
}
