package prompt

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// maxLooks bounds the looks of one reply.
const maxLooks = 40

// decisive are the members of an answer. A reply with one of them is an answer, even if it
// also asks for a look.
var decisive = []string{
	"disposition", "recommendation", "verdict", "claims", "new_claims", "evaluations", "answers", "defences", "position",
	"strongest_objection", "p0", "p1", "p2", "p3", "uncovered", "final_option", "final_options", "self_challenges", "proposal_review",
}

// Looks reads the looks of a reply; ok is false if it is an answer, or has no look.
func Looks(raw []byte) (looks []debate.Look, ok bool) {
	if len(raw) > maxReply {
		return nil, false
	}
	objects, _ := findObjects("", answerIn(string(raw)))
	r := &reader{}
	var last object
	for _, found := range objects {
		o, ok := r.object("", []byte(found.text))
		decides := slices.ContainsFunc(decisive, func(name string) bool { return o.members[bareWord(name)] != nil })
		if ok && (decides || asksToLook(o)) {
			last = o
		}
	}
	if !asksToLook(last) {
		return nil, false
	}
	looks = entries(last, "look", func(raw json.RawMessage, _ string) (debate.Look, bool) { return r.look(raw), true })
	return looks[:min(len(looks), maxLooks)], len(looks) > 0
}

// asksToLook reports whether a reply asks for a look and has no answer.
func asksToLook(o object) bool {
	says := func(name string) bool {
		switch strings.Join(strings.Fields(string(o.members[bareWord(name)])), "") {
		case "", "null", `""`, "[]", "{}", "false":
			return false
		}
		return true
	}
	return says("look") && !slices.ContainsFunc(decisive, says)
}

// look reads one look: {"read": {...}}, {"grep": {...}}, {"list": {...}} or {"test": {...}},
// or with a text instead of the inner object. It has the members of its kind. An unreadable
// look has no kind.
func (r *reader) look(raw json.RawMessage) debate.Look {
	entry, _ := r.object("look", raw)
	for _, kind := range []debate.LookKind{debate.LookRead, debate.LookGrep, debate.LookList, debate.LookTest} {
		member, there := entry.members[string(kind)]
		if !there {
			continue
		}
		o, ok := r.object("look", member)
		if !ok { // its path or its pattern
			o = r.opened("look", map[string]json.RawMessage{"path": member, "pattern": member})
		}
		l := debate.Look{Kind: kind, Path: cut(o.text("path")), Side: enum(o, "side", debate.Right, debate.Left)}
		switch kind {
		case debate.LookRead:
			l.StartLine, _ = o.number("start_line", 1, maxNumber)
			l.EndLine, _ = o.number("end_line", 1, maxNumber)
		case debate.LookGrep:
			l.Path, l.Pattern = "", cut(o.text("pattern"))
			l.Max, _ = o.number("max", 1, maxNumber)
			l.Paths = lists.Map(o.texts("paths"), cut)
			l.Paths = l.Paths[:min(len(l.Paths), maxLooks)]
		case debate.LookTest:
			content := o.text("content")
			l.Content, l.Claim, l.Side = strings.ToValidUTF8(content[:min(len(content), 4*debate.MostTestBytes)], ""), cut(o.text("claim")), ""
		}
		return l
	}
	return debate.Look{}
}

func cut(text string) string { return strings.ToValidUTF8(text[:min(len(text), 2*maxHeading)], "") }

// Tool is a tool for looking, or the one that hands in the reply. If the provider of a model has
// tool calls, the model calls it by its name, else it uses the member "look" of a reply, see Looks,
// and writes the reply as text.
type Tool struct {
	Name, Description string
	Schema            map[string]any // of its arguments, in JSON
}

// Tools returns the three tools for looking and the one for the reply, always in the same order and
// the same words: providers cache requests by their first bytes.
func Tools() []Tool {
	says := func(name string) string { return strings.TrimSuffix(text(name), "\n") }
	of := func(kind, description string) map[string]any {
		return map[string]any{"type": kind, "description": description}
	}
	number := map[string]any{"type": "integer"}
	side := map[string]any{"type": "string", "enum": []string{string(debate.Right), string(debate.Left)}} // the system text explains them
	return []Tool{
		{string(debate.LookRead), says("tool_read"), map[string]any{
			"type": "object", "required": []string{"path"},
			"properties": map[string]any{"path": map[string]any{"type": "string"}, "side": side, "start_line": number, "end_line": number},
		}},
		{string(debate.LookGrep), says("tool_grep"), map[string]any{
			"type": "object", "required": []string{"pattern"},
			"properties": map[string]any{
				"pattern": of("string", "in RE2 syntax"),
				"paths":   map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "description": "globs such as **/*.go"},
				"side":    side, "max": of("integer", "30 by default"),
			},
		}},
		{string(debate.LookList), says("tool_list"), map[string]any{
			"type": "object", "properties": map[string]any{"path": of("string", "the top by default"), "side": side},
		}},
		submitting(),
	}
}

// ToolCall is a model's call of a tool.
type ToolCall struct {
	Name      string
	Arguments string // JSON, if the model made no mistake
}

// Broken reports whether a call has an unknown tool, or arguments other than an object.
func (c ToolCall) Broken() bool {
	switch debate.LookKind(c.Name) {
	case debate.LookRead, debate.LookGrep, debate.LookList:
		return !json.Valid([]byte(c.arguments())) || !strings.HasPrefix(c.arguments(), "{")
	}
	return true
}

// arguments returns the arguments, by default an empty object.
func (c ToolCall) arguments() string {
	return cmp.Or(strings.TrimSpace(c.Arguments), "{}")
}

// LookReply returns the reply with the same looks in its member "look", so that only this
// function knows of tool calls. A broken call becomes an unknown look, and the party is
// told so.
func LookReply(calls []ToolCall) string {
	looks := make([]map[string]any, len(calls))
	for i, c := range calls {
		if c.Broken() {
			looks[i] = map[string]any{"broken_call": map[string]string{"tool": c.Name, "arguments": c.Arguments}}
		} else {
			looks[i] = map[string]any{c.Name: json.RawMessage(c.arguments())}
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(map[string]any{"look": looks}); err != nil {
		panic("prompt: a look is no JSON: " + err.Error()) // the arguments are valid
	}
	return strings.TrimRight(b.String(), "\n")
}
