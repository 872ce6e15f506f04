package prompt

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

// Calls of tools ask for the same as the member "look". One that cannot be read, or names
// nothing that there is, stays one look among the others, and its words are kept.
func TestLookReply(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		call ToolCall
		want debate.Look
	}{
		{ToolCall{"read", `{"path":"a.go","start_line":3,"end_line":9,"side":"LEFT"}`}, debate.Look{Kind: debate.LookRead, Path: "a.go", StartLine: 3, EndLine: 9, Side: debate.Left}},
		{ToolCall{"grep", ` {"pattern": "<A>", "paths": ["*.go"], "max": 5} `}, debate.Look{Kind: debate.LookGrep, Pattern: "<A>", Paths: []string{"*.go"}, Max: 5}},
		{ToolCall{"list", ""}, debate.Look{Kind: debate.LookList}},
		{ToolCall{"list", "{}"}, debate.Look{Kind: debate.LookList}},
		{ToolCall{"read", `{"file":"a.go"}`}, debate.Look{Kind: debate.LookRead, Path: "a.go"}},
		{ToolCall{"read", `{"path":"a.go"`}, debate.Look{}},
		{ToolCall{"read", `"a.go"`}, debate.Look{}},
		{ToolCall{"read", `null`}, debate.Look{}},
		{ToolCall{"grep", `{"pattern":"A"} and more`}, debate.Look{}},
		{ToolCall{"run", `{"path":"a.go"}`}, debate.Look{}},
		{ToolCall{"", `{"read":{"path":"a.go"}}`}, debate.Look{}},
		{ToolCall{"disposition", `{"disposition":"keep"}`}, debate.Look{}},
	} {
		other := ToolCall{"list", `{"path":"dir"}`}
		got, ok := Looks([]byte(LookReply([]ToolCall{tt.call, other})))
		if diff := cmp.Diff([]debate.Look{tt.want, {Kind: debate.LookList, Path: "dir"}}, got); diff != "" || !ok {
			t.Errorf("%+v: %v %s", tt.call, ok, diff)
		}
		if broken := tt.want.Kind == ""; tt.call.Broken() != broken {
			t.Errorf("%+v is broken: %v", tt.call, !broken)
		}
	}
	if got, want := LookReply([]ToolCall{{"run", `{"a":`}}), `{"look":[{"broken_call":{"arguments":"{\"a\":","tool":"run"}}]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Each way of looking is a tool whose arguments are those that a look is read from.
func TestToolsAreLooks(t *testing.T) {
	t.Parallel()
	known := map[string]string{"read": "path start_line end_line side", "grep": "pattern paths max side", "list": "path side"}
	for _, tool := range Tools() {
		names := make(map[string]bool)
		for name := range tool.Schema["properties"].(map[string]any) {
			names[name] = true
		}
		want := make(map[string]bool)
		for _, name := range strings.Fields(known[tool.Name]) {
			want[name] = true
		}
		if diff := cmp.Diff(want, names); diff != "" || tool.Description == "" {
			t.Errorf("%s: %s", tool.Name, diff)
		}
		required, _ := tool.Schema["required"].([]string)
		for _, name := range required {
			if !names[name] {
				t.Errorf("%s needs %s, which it does not describe", tool.Name, name)
			}
		}
		delete(known, tool.Name)
	}
	if len(known) > 0 {
		t.Errorf("no tools: %v", known)
	}
}
