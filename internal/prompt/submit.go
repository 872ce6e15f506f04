package prompt

import (
	"maps"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// Submit is the name of the tool that hands in a reply: its arguments are the reply.
const Submit = "submit"

// submitting is that tool. Its schema has the members of all replies of parties that may look, since
// a provider caches a request only if its tools are the same in each. The request of a call names its
// own members, with their values. The schema has no enumeration and no required member: a server that
// holds a model to them would refuse replies that Read understands. Every object has members, as
// Gemini requires.
func submitting() Tool {
	type schema = map[string]any
	said, number, flag := schema{"type": "string"}, schema{"type": "integer"}, schema{"type": "boolean"}
	list := func(of schema) schema { return schema{"type": "array", "items": of} }
	object := func(texts string, more schema) schema { // these names are texts
		members := maps.Clone(more)
		for _, name := range strings.Fields(texts) {
			members[name] = said
		}
		return schema{"type": "object", "properties": members}
	}
	refs := list(object("path side quote run_ref", schema{"start_line": number, "end_line": number}))
	citing := func(texts string) schema { return object(texts, schema{"ref": refs}) }
	claims, critical := list(citing("segment kind severity category title body suggestion same_as")), list(citing("trigger reason"))
	whole := object("summary recommendation disposition confidence verdict objection_strength alternative final_option why_disagree right_if core_assumption testable_by", schema{
		"claims": claims, "new_claims": claims, "uncovered": claims, "critical_because": critical,
		"evaluations":          list(citing("claim class flaw supports severity upgrade_if same_as")),
		"answers":              list(object("challenge move text limit", schema{"ref": refs, "amend": citing("title body severity")})),
		"strongest_objection":  citing("claim segment text fatal"),
		"checked":              list(citing("claim segment scenario")),
		"carried":              list(citing("id class")),
		"repairs":              list(citing("claim")),
		"position":             object("disposition summary confidence", schema{}),
		"final_options":        list(object("decision option needs", schema{})),
		"acknowledged_changes": list(object("claim from to because", schema{})),
		"deadlock":             list(object("challenge class measurement threshold effect", schema{})),
		"self_challenges":      list(object("text", schema{"claim_index": number})),
		"proposal_review":      object("problem_framing assumptions tradeoffs alternatives risk_controls decision_quality", schema{}),
		"overview":             object("does misses", schema{"order": list(object("topic", schema{"files": list(said)}))}),
		"decisions": list(object("question", schema{
			"options": list(object("id label description", schema{"status_quo": flag})), "scope_critical": flag, "critical_because": critical,
		})),
	})
	for _, name := range strings.Fields("p1 p2 p3 missing reasoning weaknesses assumptions assumptions_challenged") {
		whole["properties"].(schema)[name] = list(said)
	}
	return Tool{Submit, strings.TrimSuffix(text("tool_submit"), "\n"), whole}
}

// Submitted is the reply that one of some tool calls hands in, as the model wrote it; ok is false if
// none does.
func Submitted(calls []ToolCall) (reply string, ok bool) {
	c := lists.Find(calls, func(c ToolCall) bool { return c.Name == Submit && c.arguments() != "{}" })
	return c.Arguments, c.Name != ""
}
