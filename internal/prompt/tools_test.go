package prompt

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

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
		if diff := gocmp.Diff([]debate.Look{tt.want, {Kind: debate.LookList, Path: "dir"}}, got); diff != "" || !ok {
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
	for _, tool := range Tools()[:3] {
		names := make(map[string]bool)
		for name := range tool.Schema["properties"].(map[string]any) {
			names[name] = true
		}
		want := make(map[string]bool)
		for _, name := range strings.Fields(known[tool.Name]) {
			want[name] = true
		}
		if diff := gocmp.Diff(want, names); diff != "" || tool.Description == "" {
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

// TestSubmitHasTheMembersOfReplies: a reply made of everything in the schema of submit has no member that
// is unknown to the reader of its call, and every member that a call asks for is in the schema. It is
// short, and each of its references is alone and leads to a definition at the top, as providers require.
func TestSubmitHasTheMembersOfReplies(t *testing.T) {
	t.Parallel()
	submit := Tools()[3]
	if submit.Name != Submit || submit.Description == "" {
		t.Fatalf("the last tool is %+v", submit)
	}
	if size := len(inJSON(t, submit)); size > 2800 {
		t.Errorf("it has %d bytes", size)
	}
	members := submit.Schema["properties"].(map[string]any)
	unasked := []string{"p0", "evidence", "defences"} // read, and asked of no model
	unasked = append(unasked, "p1", "p2", "p3")       // claims of models without a schema
	used := make(map[string]bool)
	for _, kind := range []debate.CallKind{debate.CallOpen, debate.CallLocal, debate.CallChallenge, debate.CallRespond, debate.CallRebut} {
		reply := make(map[string]any)
		common, own := membersOf(kind)
		for _, name := range slices.Concat(common, own) {
			if members[name] == nil && !slices.Contains(unasked, name) {
				t.Errorf("%s: %s is not in the schema", kind, name)
			}
			if members[name] != nil {
				used[name] = true
				reply[name] = sample(t, submit, name, members[name].(map[string]any))
			}
		}
		if kind == debate.CallChallenge { // it takes them for new_claims if those are not there
			delete(reply, "claims")
		}
		text := inJSON(t, reply)
		got, err := Read(kind, text)
		if err != nil || got.Ignored > 0 {
			t.Errorf("%s: %d unknown members, %v\n%s", kind, got.Ignored, err, text)
		}
	}
	for name := range members {
		if !used[name] {
			t.Errorf("no call has %s", name)
		}
	}
}

func inJSON(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// sample is a value of a schema, a plausible one if its name has a few values. An entry with members
// that only the request of a call names is empty.
func sample(t *testing.T, tool Tool, name string, schema map[string]any) any {
	t.Helper()
	if to, ok := schema["$ref"].(string); ok {
		defined, there := tool.Schema["$defs"].(map[string]any)[strings.TrimPrefix(to, "#/$defs/")].(map[string]any)
		if !there || len(schema) > 1 {
			t.Fatalf("%s: %v", name, schema)
		}
		return sample(t, tool, name, defined)
	}
	switch schema["type"] {
	case "array":
		return []any{sample(t, tool, name, schema["items"].(map[string]any))}
	case "integer":
		return 1
	case "string":
		return cmp.Or(map[string]string{
			"disposition": "keep", "recommendation": "keep", "final_option": "keep", "verdict": "agree",
			"challenge": "K1", "move": "ACCEPT", "class": "AGREE", "claim": "F1", "path": "a.go", "run_ref": "check:1", "title": "It panics",
		}[name], "words")
	}
	properties := schema["properties"].(map[string]any)
	if schema["type"] != "object" || len(properties) == 0 || schema["required"] != nil {
		t.Errorf("%s: %v", name, schema)
	}
	object := make(map[string]any)
	if schema["additionalProperties"] == true {
		return object
	}
	for member, of := range properties {
		object[member] = sample(t, tool, member, of.(map[string]any))
	}
	return object
}

// A call of submit is the reply, whatever it has; an empty one is none.
func TestSubmitted(t *testing.T) {
	t.Parallel()
	read := ToolCall{"read", `{"path":"a.go"}`}
	for _, tt := range []struct {
		calls []ToolCall
		want  string
	}{
		{[]ToolCall{read, {Submit, ` {"disposition":"keep"}`}}, ` {"disposition":"keep"}`},
		{[]ToolCall{{Submit, "{}"}, {Submit, `{"verdict":"agree"}`}}, `{"verdict":"agree"}`},
		{[]ToolCall{{Submit, `{"verdict":"agree",`}}, `{"verdict":"agree",`}, // the reader says what is wrong
		{[]ToolCall{{Submit, ""}, {Submit, " {} "}, read}, ""},
		{[]ToolCall{read}, ""},
		{nil, ""},
	} {
		if got, ok := Submitted(tt.calls); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%v: %q, %v", tt.calls, got, ok)
		}
	}
}
