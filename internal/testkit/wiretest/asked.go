package wiretest

import (
	"encoding/json"
	"strings"
)

// Asked is what a model is asked in one request, whatever the wire.
type Asked struct {
	Tools   []string // their names
	Choice  string   // auto or none; "" where nothing is said
	Format  bool     // a format of the reply is asked for
	Back    []Call   // calls of the model that are sent back to it
	Results []Call   // what came of them, in the place of the arguments
	Failed  []string // ids of results that are marked as failures
	Signed  []string // thoughts that are sent back
	Marks   int      // up to which the provider caches
	// Prefix is all of it in the order in which providers cache: tools, system, messages.
	Prefix string
}

// object is a part of a request.
type object = map[string]any

func parsed(body []byte) object {
	var o object
	if err := json.Unmarshal(body, &o); err != nil {
		panic(err)
	}
	return o
}

// rendered is what a provider reads of some members of a request, in their order. Marks of
// the cache are none of it.
func rendered(o object, names ...string) string {
	var parts []string
	for _, name := range names {
		parts = append(parts, strings.TrimSuffix(asJSON(bare(o[name])), "]")) // a list goes on
	}
	return strings.Join(parts, "\n")
}

func bare(v any) any {
	switch v := v.(type) {
	case []any:
		all := make([]any, len(v))
		for i, one := range v {
			all[i] = bare(one)
		}
		return all
	case object:
		all := object{}
		for name, one := range v {
			if name != "cache_control" {
				all[name] = bare(one)
			}
		}
		return all
	}
	return v
}

func list(v any) (all []object) {
	entries, _ := v.([]any)
	for _, one := range entries {
		if o, ok := one.(object); ok {
			all = append(all, o)
		}
	}
	return all
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func within(v any, path ...string) any {
	for _, name := range path {
		o, _ := v.(object)
		v = o[name]
	}
	return v
}

func asJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func readMessages(body []byte) (a Asked) {
	o := parsed(body)
	for _, t := range list(o["tools"]) {
		a.Tools = append(a.Tools, text(t["name"]))
	}
	a.Choice = text(within(o, "tool_choice", "type"))
	a.Format = within(o, "output_config", "format") != nil
	a.Marks = strings.Count(string(body), `"cache_control"`)
	for _, m := range list(o["messages"]) {
		for _, b := range list(m["content"]) {
			switch text(b["type"]) {
			case "thinking":
				a.Signed = append(a.Signed, text(b["signature"]))
			case "tool_use":
				a.Back = append(a.Back, Call{text(b["id"]), text(b["name"]), asJSON(b["input"])})
			case "tool_result":
				said := ""
				for _, part := range list(b["content"]) {
					said += text(part["text"])
				}
				a.Results = append(a.Results, Call{ID: text(b["tool_use_id"]), Arguments: said})
				if b["is_error"] == true {
					a.Failed = append(a.Failed, text(b["tool_use_id"]))
				}
			}
		}
	}
	a.Prefix = rendered(o, "tools", "system", "messages")
	return a
}

func readResponses(body []byte) (a Asked) {
	o := parsed(body)
	for _, t := range list(o["tools"]) {
		a.Tools = append(a.Tools, text(t["name"]))
	}
	a.Choice, a.Format = text(o["tool_choice"]), within(o, "text", "format") != nil
	for _, item := range list(o["input"]) {
		switch text(item["type"]) {
		case "reasoning":
			a.Signed = append(a.Signed, text(item["encrypted_content"]))
		case "function_call":
			a.Back = append(a.Back, Call{text(item["call_id"]), text(item["name"]), text(item["arguments"])})
		case "function_call_output":
			a.Results = append(a.Results, Call{ID: text(item["call_id"]), Arguments: text(item["output"])})
		}
	}
	a.Prefix = rendered(o, "tools", "instructions", "input")
	return a
}

func readChat(body []byte) (a Asked) {
	o := parsed(body)
	for _, t := range list(o["tools"]) {
		a.Tools = append(a.Tools, text(within(t, "function", "name")))
	}
	a.Choice, a.Format = text(o["tool_choice"]), o["response_format"] != nil
	for _, m := range list(o["messages"]) {
		if thought := text(m["reasoning_content"]); thought != "" {
			a.Signed = append(a.Signed, thought)
		}
		for _, c := range list(m["tool_calls"]) {
			a.Back = append(a.Back, Call{text(c["id"]), text(within(c, "function", "name")), text(within(c, "function", "arguments"))})
			if thought := text(within(c, "extra_content", "google", "thought_signature")); thought != "" {
				a.Signed = append(a.Signed, thought)
			}
		}
		if text(m["role"]) == "tool" {
			a.Results = append(a.Results, Call{ID: text(m["tool_call_id"]), Arguments: text(m["content"])})
		}
	}
	a.Prefix = rendered(o, "tools", "messages")
	return a
}

func readContents(body []byte) (a Asked) {
	o := parsed(body)
	for _, t := range list(o["tools"]) {
		for _, f := range list(t["functionDeclarations"]) {
			a.Tools = append(a.Tools, text(f["name"]))
		}
	}
	a.Choice = strings.ToLower(text(within(o, "toolConfig", "functionCallingConfig", "mode")))
	a.Format = within(o, "generationConfig", "responseMimeType") != nil
	for _, c := range list(o["contents"]) {
		for _, p := range list(c["parts"]) {
			if thought := text(p["thoughtSignature"]); thought != "" {
				a.Signed = append(a.Signed, thought)
			}
			if p["functionCall"] != nil {
				arguments := within(p, "functionCall", "args")
				if arguments == nil { // none are left out
					arguments = object{}
				}
				a.Back = append(a.Back, Call{text(within(p, "functionCall", "id")), text(within(p, "functionCall", "name")), asJSON(arguments)})
			}
			if p["functionResponse"] != nil {
				a.Results = append(a.Results, Call{
					ID: text(within(p, "functionResponse", "id")), Name: text(within(p, "functionResponse", "name")),
					Arguments: text(within(p, "functionResponse", "response", "output")),
				})
			}
		}
	}
	a.Prefix = rendered(o, "tools", "systemInstruction", "contents")
	return a
}
