package model

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/prompt"
)

// Tools says whether a model is offered the tools by which it looks further. They are
// prompt.Tools, the same in every call: a provider caches what begins with them, so
// that a party which has them in one call has them in all. For the same reason, and
// since several providers refuse both together, no format of the reply is asked for
// where they are.
type Tools int

// Whether there are tools.
const (
	NoTools   Tools = iota // none: nobody looks here, or this party never does
	ToolsHeld              // they are there and must not be called: the party has to answer
	ToolsOpen              // the model may call them
)

// Dialogue is what was said in a call in which the model called tools, as its backend
// keeps it: providers want their own words back, with the names of the calls, and signed
// thoughts. Nobody else looks into it, and no record holds it. A backend that gets none
// sends what the party looked at below the turn, see Request.TurnBlock.
type Dialogue any

// Tool is one of them, and ToolCall is a call of it as a model makes it.
type (
	Tool     = prompt.Tool
	ToolCall = prompt.ToolCall
)

// Offered are the tools that a request offers, none where the model is known not to take
// them; use is that of an Attempt. Servers and models that know no tools, or do not take
// back what they said with them, refuse with one of these words.
func (r Request) Offered(use func(parameter string) bool) []Tool {
	if r.Tools == NoTools {
		return nil
	}
	words := []string{"tool", "function call", "function_call", "call a function"}
	if refused := slices.DeleteFunc(words, use); len(refused) > 0 {
		return nil
	}
	return prompt.Tools()
}

// Bytes is about how much a request sends: its texts, and the definitions of the tools
// that it offers.
func (r Request) Bytes() int {
	n := len(r.System) + len(r.Packet) + len(r.Turn) + len(r.Looked)
	if r.Tools == NoTools {
		return n
	}
	definitions, err := json.Marshal(prompt.Tools())
	if err != nil {
		panic("model: the definition of a tool is no JSON: " + err.Error()) // it is made of texts and lists alone
	}
	return n + len(definitions)
}

// Result is what came of a call of the turn before, by its place in the turn.
func (r Request) Result(i int) string {
	if i < len(r.Results) {
		return r.Results[i]
	}
	return "[not shown: too much was asked for at once]\n"
}

// Asking makes of an answer with tool calls one that asks by its text, as replies of
// models without tools do. What the model wrote beside them stays in the dialogue. Where
// it has to answer, its text is the answer if it can be one: every reply is an object.
func (r Request) Asking(a Answer, calls []ToolCall, said Dialogue) Answer {
	answers := r.Tools == ToolsHeld && strings.Contains(a.Text, "{")
	if len(calls) > 0 && !answers {
		a.Text, a.Dialogue = prompt.LookReply(calls), said
	}
	return a
}
