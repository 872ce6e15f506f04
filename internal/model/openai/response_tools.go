package openai

import (
	"encoding/json"
	"slices"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	"github.com/prdebate/debate/internal/model"
)

// responseDialogue is a call by the Responses API up to a response that calls tools.
type responseDialogue struct {
	items responses.ResponseInputParam
	ids   []string // of the calls of the last response, in its order
}

// offerTools puts the tools into a request that offers them, and what was said with them
// before. They are not strict, as that would make every argument one that has to be given.
func offerTools(params *responses.ResponseNewParams, req model.Request, may use) (offered bool) {
	for _, t := range req.Offered(may) {
		tool := responses.ToolParamOfFunction(t.Name, schema(t), false)
		tool.OfFunction.Description = openai.String(t.Description)
		params.Tools = append(params.Tools, tool)
	}
	if len(params.Tools) == 0 {
		return false
	}
	choice := responses.ToolChoiceOptionsNone
	if req.Tools == model.ToolsOpen {
		choice = responses.ToolChoiceOptionsAuto
	}
	params.ToolChoice.OfToolChoiceMode = openai.Opt(choice)
	if may("include") { // else what the model thought is lost, as nothing is stored
		params.Include = []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent}
	}
	if said, ok := req.Dialogue.(*responseDialogue); ok {
		params.Input.OfInputItemList = said.continued(req)
	}
	return true
}

// continued are the items of a dialogue with the results of its last calls.
func (d *responseDialogue) continued(req model.Request) responses.ResponseInputParam {
	items := slices.Clone(d.items)
	for i, id := range d.ids {
		result := responses.ResponseInputItemParamOfFunctionCallOutput(req.Result(i))
		result.OfFunctionCallOutput.CallID = openai.String(id)
		items = append(items, result)
	}
	return items
}

// askedItems makes a question of a whole answer that came with calls of tools.
func askedItems(req model.Request, params responses.ResponseNewParams, a model.Answer, items []responses.ResponseOutputItemUnion, err error) (model.Answer, error) {
	if err != nil || len(params.Tools) == 0 {
		return a, err
	}
	said := &responseDialogue{items: slices.Clone(params.Input.OfInputItemList)}
	var calls []model.ToolCall
	for _, item := range items {
		switch item.Type {
		case "function_call":
			call := model.ToolCall{Name: item.Name, Arguments: item.Arguments.OfString}
			calls = append(calls, call)
			said.ids = append(said.ids, item.CallID)
			if !json.Valid([]byte(call.Arguments)) {
				said.items = append(said.items, responses.ResponseInputItemParamOfFunctionCall(sendable(call), item.CallID, item.Name))
				continue
			}
		case "reasoning":
			if item.EncryptedContent == "" { // the provider has not kept it, and could not find it
				continue
			}
		case "message":
		default:
			continue
		}
		said.items = append(said.items, param.Override[responses.ResponseInputItemUnionParam](json.RawMessage(item.RawJSON())))
	}
	return req.Asking(a, calls, said), nil
}
