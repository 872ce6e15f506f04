package model

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/prompt"
)

// Tools is the use of the tools in a request. They are prompt.Tools, the same in
// every call: a provider caches requests by their start, so a party with tools in one call
// has them in all. With tools, no format of the reply is required, for the same reason, and
// since several providers refuse both together.
type Tools int

// The uses of tools.
const (
	NoTools   Tools = iota // none: this debate or this party has no looks
	ToolsHeld              // the request has them, but the model must answer without a call
	ToolsOpen              // the model may call them
)

// Dialogue is the content of a call with tool calls, in the form of its backend: providers
// require their own words in the next turn, with the names of the calls and with signed
// thoughts. Only the backend reads it, and no record holds it. A backend without a dialogue
// sends the results of looks below the turn, see Request.TurnBlock.
type Dialogue any

// Submit is the name of the tool that hands in a reply.
const Submit = prompt.Submit

// Tool is one of the tools, and ToolCall is a model's call of it.
type (
	Tool     = prompt.Tool
	ToolCall = prompt.ToolCall
)

// Offered returns the tools of a request, none if the model is known to refuse them; use is
// the parameter of an Attempt. If servers or models know no tools, no references in the schema of a
// tool, or refuse their own words of a dialogue, their refusal has one of these words.
func (r Request) Offered(use func(parameter string) bool) []Tool {
	if r.Tools == NoTools {
		return nil
	}
	words := []string{"tool", "$ref", "$defs", "function call", "function_call", "call a function"}
	if refused := slices.DeleteFunc(words, use); len(refused) > 0 {
		return nil
	}
	return prompt.Tools()
}

// Bytes is about the size of a request: its texts and the definitions of its tools.
func (r Request) Bytes() int {
	n := len(r.System) + len(r.Packet) + len(r.Turn) + len(r.Looked)
	if r.Tools == NoTools {
		return n
	}
	definitions, err := json.Marshal(prompt.Tools())
	if err != nil {
		panic("model: the definition of a tool is no JSON: " + err.Error()) // it has only texts and lists
	}
	return n + len(definitions)
}

// Result is the result of a tool call in the turn before, by its index there.
func (r Request) Result(i int) string {
	if i < len(r.Results) {
		return r.Results[i]
	}
	return "[not shown: too much was asked for at once]\n"
}

// Asking turns an answer with tool calls into that of a model without tools. The reply that a call
// hands in follows the model's own words, for the same reader to judge. Else looks become a
// reply with the same looks, and the own words stay in the dialogue. If the model must not call tools,
// or hands in nothing, its text is the answer, if it can be one: every reply is an object.
func (r Request) Asking(a Answer, calls []ToolCall, said Dialogue) Answer {
	handed, ok := prompt.Submitted(calls)
	looks := slices.ContainsFunc(calls, func(c ToolCall) bool { return c.Name != Submit })
	answers := strings.Contains(a.Text, "{") && (r.Tools == ToolsHeld || !looks)
	switch {
	case ok:
		a.Text = strings.TrimSpace(a.Text + "\n\n" + handed)
	case len(calls) > 0 && !answers:
		a.Text, a.Dialogue = prompt.LookReply(calls), said
	}
	return a
}
