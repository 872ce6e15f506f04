package wiretest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Turn is what a model says in one turn, whatever the wire.
type Turn struct {
	Text   string
	Calls  []Call
	Signed string // of its thoughts, which the provider wants back
	CutOff bool   // it became too long, within its last call if it has any
}

// Call is a call of a tool.
type Call struct {
	ID        string
	Name      string
	Arguments string // JSON, or what the model takes for it
}

// Wire is a way of asking a model.
type Wire struct {
	Provider, API string // as the settings name it
	Says          func(Turn) string
	Reads         func(body []byte) Asked
}

// Wires are all that have tools.
var Wires = map[string]Wire{
	"messages":  {"anthropic", "", messages, readMessages},
	"responses": {"openai", "", responses, readResponses},
	"chat":      {"openai", "chat", chat, readChat},
	"contents":  {"gemini", "", contents, readContents},
}

// Tools are the names of the tools that a client offers on a wire. Chat Completions has no submit.
func (w Wire) Tools() []string {
	tools := []string{"read", "grep", "list"}
	if w.API == "chat" {
		return tools
	}
	return append(tools, "submit")
}

// pieces cuts a text in two, as a stream does.
func pieces(text string) []string {
	middle := len(text) / 2
	for middle > 0 && text[middle]&0xc0 == 0x80 {
		middle--
	}
	return []string{text[:middle], text[middle:]}
}

// cutOff is what came of an argument when the model was stopped.
func (t Turn) cutOff(i int) string {
	if t.CutOff && i == len(t.Calls)-1 {
		return pieces(t.Calls[i].Arguments)[0]
	}
	return t.Calls[i].Arguments
}

// Quote is a text as JSON.
func Quote(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// messages is a stream of the Messages API.
func messages(t Turn) string {
	events := []string{
		"message_start", `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,` +
			`"usage":{"input_tokens":400,"cache_read_input_tokens":600,"output_tokens":1}}}`,
	}
	index := 0
	block := func(start string, deltas ...string) {
		events = append(events, "content_block_start", fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, index, start))
		for _, delta := range deltas {
			events = append(events, "content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, index, delta))
		}
		events = append(events, "content_block_stop", fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, index))
		index++
	}
	if t.Signed != "" {
		block(`{"type":"thinking","thinking":"","signature":""}`, `{"type":"thinking_delta","thinking":"Hm."}`, `{"type":"signature_delta","signature":`+Quote(t.Signed)+`}`)
	}
	if text := pieces(t.Text); t.Text != "" || len(t.Calls) > 0 { // a text may be empty
		block(`{"type":"text","text":""}`, `{"type":"text_delta","text":`+Quote(text[0])+`}`, `{"type":"text_delta","text":`+Quote(text[1])+`}`)
	}
	stop := "end_turn"
	for i, c := range t.Calls {
		stop = "tool_use"
		var deltas []string
		for _, piece := range pieces(t.cutOff(i)) {
			deltas = append(deltas, `{"type":"input_json_delta","partial_json":`+Quote(piece)+`}`)
		}
		block(`{"type":"tool_use","id":`+Quote(c.ID)+`,"name":`+Quote(c.Name)+`,"input":{}}`, deltas...)
	}
	if t.CutOff {
		stop = "max_tokens"
	}
	return Events(append(events,
		"message_delta", `{"type":"message_delta","delta":{"stop_reason":"`+stop+`"},"usage":{"output_tokens":100}}`,
		"message_stop", `{"type":"message_stop"}`)...)
}

// responses is a stream of the Responses API.
func responses(t Turn) string {
	var items, events []string
	done := func(item string) {
		events = append(events, "response.output_item.done", fmt.Sprintf(`{"type":"response.output_item.done","output_index":%d,"item":%s}`, len(items), item))
		items = append(items, item)
	}
	if t.Signed != "" {
		done(`{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":` + Quote(t.Signed) + `}`)
		done(`{"type":"reasoning","id":"rs_2","summary":[]}`) // not sealed: nobody could read it again
	}
	if t.Text != "" {
		for _, piece := range pieces(t.Text) {
			events = append(events, "response.output_text.delta", `{"type":"response.output_text.delta","item_id":"m1","output_index":0,"content_index":0,"delta":`+Quote(piece)+`}`)
		}
		done(`{"type":"message","id":"m1","role":"assistant","status":"completed","content":[{"type":"output_text","text":` + Quote(t.Text) + `,"annotations":[]}]}`)
	}
	for i, c := range t.Calls {
		for _, piece := range pieces(t.cutOff(i)) {
			events = append(events, "response.function_call_arguments.delta", `{"type":"response.function_call_arguments.delta","item_id":"fc","output_index":0,"delta":`+Quote(piece)+`}`)
		}
		done(`{"type":"function_call","id":"fc_` + fmt.Sprint(i) + `","call_id":` + Quote(c.ID) + `,"name":` + Quote(c.Name) + `,"arguments":` + Quote(t.cutOff(i)) + `,"status":"completed"}`)
	}
	kind, how := "completed", ""
	if t.CutOff {
		kind, how = "incomplete", `"incomplete_details":{"reason":"max_output_tokens"},`
	}
	return Events(append(events, "response."+kind, `{"type":"response.`+kind+`","sequence_number":9,"response":{"id":"r1","object":"response","model":"m","status":"`+kind+`","error":null,`+how+
		`"output":[`+strings.Join(items, ",")+`],"usage":{"input_tokens":1000,"input_tokens_details":{"cached_tokens":600},"output_tokens":100,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":1100}}}`)...)
}

// chat is a stream of Chat Completions.
func chat(t Turn) string {
	var chunks []string
	chunk := func(delta, finish string) {
		chunks = append(chunks, `{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{`+delta+`},"finish_reason":`+finish+`}]}`)
	}
	if t.Signed != "" {
		for _, piece := range pieces(t.Signed) {
			chunk(`"role":"assistant","content":null,"reasoning_content":`+Quote(piece), "null")
		}
	}
	for _, piece := range pieces(t.Text) {
		chunk(`"role":"assistant","content":`+Quote(piece), "null")
	}
	finish := `"stop"`
	for i, c := range t.Calls {
		finish = `"tool_calls"`
		text := pieces(t.cutOff(i))
		extra := ""
		if t.Signed != "" && i == 0 {
			extra = `,"extra_content":{"google":{"thought_signature":` + Quote(t.Signed) + `}}`
		}
		chunk(fmt.Sprintf(`"tool_calls":[{"index":%d,"id":%s,"type":"function","function":{"name":%s,"arguments":%s}%s}]`, i, Quote(c.ID), Quote(c.Name), Quote(text[0]), extra), "null")
		chunk(fmt.Sprintf(`"tool_calls":[{"index":%d,"function":{"arguments":%s}}]`, i, Quote(text[1])), "null")
	}
	if t.CutOff {
		finish = `"length"`
	}
	chunk("", finish)
	return Data(append(chunks,
		`{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[],"usage":{"prompt_tokens":1000,"prompt_tokens_details":{"cached_tokens":600},"completion_tokens":100,"total_tokens":1100}}`, "[DONE]")...)
}

// contents is a stream of generateContent. It has no place for a call that is no JSON:
// the provider drops it and says so.
func contents(t Turn) string {
	var chunks []string
	chunk := func(part, more string) {
		chunks = append(chunks, `{"candidates":[{"content":{"role":"model","parts":[`+part+`]}`+more+`,"index":0}],`+
			`"usageMetadata":{"promptTokenCount":1000,"cachedContentTokenCount":600,"candidatesTokenCount":100,"totalTokenCount":1100},"modelVersion":"m","responseId":"r1"}`)
	}
	for _, piece := range pieces(t.Text) {
		chunk(`{"text":`+Quote(piece)+`}`, "")
	}
	finish := "STOP"
	for i, c := range t.Calls {
		if !json.Valid([]byte(t.cutOff(i))) {
			finish = "MALFORMED_FUNCTION_CALL"
			continue
		}
		id, signed := "", ""
		if c.ID != "" {
			id = `"id":` + Quote(c.ID) + `,`
		}
		if i == 0 && t.Signed != "" {
			signed = `,"thoughtSignature":` + Quote(t.Signed)
		}
		chunk(`{"functionCall":{`+id+`"name":`+Quote(c.Name)+`,"args":`+c.Arguments+`}`+signed+`}`, "")
	}
	if t.CutOff {
		finish = "MAX_TOKENS"
	}
	chunk(`{"text":""}`, `,"finishReason":"`+finish+`"`)
	return Data(chunks...)
}
