package prompt

import (
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// Submit is the name of the tool that hands in a reply: its arguments are the reply.
const Submit = "submit"

// submitting is that tool. Its schema has the members of all replies of parties that may look, since
// a provider caches a request only if its tools are the same in each. It is part of every request, so
// it is short: it describes citations, claims, evaluations and answers, and the request of a call names
// the members of any other entry. It has no enumeration and no required member, because a server that
// holds a model to them would refuse replies that Read understands. Every object has a member, as
// Gemini requires, and a reference is alone in its object, as Gemini and Moonshot require. The lists p1,
// p2 and p3 are left out: a model with a schema can write claims.
func submitting() Tool {
	type schema = map[string]any
	list := func(of schema) schema { return schema{"type": "array", "items": of} }
	shared := func(name string) schema { return schema{"$ref": "#/$defs/" + name} }
	object := func(members schema, texts string) schema {
		for _, name := range strings.Fields(texts) {
			members[name] = schema{"type": "string"}
		}
		return schema{"type": "object", "properties": members}
	}
	number := schema{"type": "integer"}
	entry := object(schema{"ref": shared("ref")}, "")
	entry["additionalProperties"] = true
	members := schema{
		"claims": shared("claims"), "new_claims": shared("claims"),
		"evaluations": list(object(schema{"ref": shared("ref")}, "claim class flaw supports severity upgrade_if same_as")),
		"answers":     list(object(schema{"ref": shared("ref"), "amend": shared("entry")}, "challenge move text limit")),
	}
	for _, name := range strings.Fields("acknowledged_changes carried checked critical_because deadlock decisions final_options repairs self_challenges") {
		members[name] = shared("entries")
	}
	for _, name := range strings.Fields("delta overview position proposal_review strongest_objection") {
		members[name] = shared("entry")
	}
	for _, name := range strings.Fields("assumptions assumptions_challenged missing reasoning weaknesses") {
		members[name] = list(schema{"type": "string"})
	}
	whole := object(members, `summary recommendation disposition confidence verdict objection_strength alternative final_option
		why_disagree right_if core_assumption testable_by`)
	whole["$defs"] = schema{
		"ref":     list(object(schema{"start_line": number, "end_line": number}, "path side quote run_ref")),
		"claims":  list(object(schema{"ref": shared("ref")}, "segment kind severity category title body suggestion same_as")),
		"entry":   entry,
		"entries": list(shared("entry")),
	}
	return Tool{Submit, strings.TrimSuffix(text("tool_submit"), "\n"), whole}
}

// Submitted is the reply that one of some tool calls hands in, as the model wrote it; ok is false if
// none does.
func Submitted(calls []ToolCall) (reply string, ok bool) {
	c := lists.Find(calls, func(c ToolCall) bool { return c.Name == Submit && c.arguments() != "{}" })
	return c.Arguments, c.Name != ""
}
