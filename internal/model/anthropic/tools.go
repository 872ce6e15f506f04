package anthropic

import (
	"slices"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/prdebate/debate/internal/model"
)

// dialogue is a call up to a message of the model that calls tools.
type dialogue struct {
	messages []sdk.MessageParam
	uses     []toolUse // of the last message, in its order
}

type toolUse struct {
	id     string
	broken bool
}

// offered are tools as the API has them.
func offered(tools []model.Tool) []sdk.ToolUnionParam {
	all := make([]sdk.ToolUnionParam, len(tools))
	for i, t := range tools {
		all[i].OfTool = &sdk.ToolParam{
			Name: t.Name, Description: sdk.String(t.Description),
			InputSchema: sdk.ToolInputSchemaParam{Properties: t.Properties, Required: t.Required},
		}
	}
	return all
}

// choice says whether the model may call tools. Forbidding it makes the provider read the
// messages anew, though not the tools and the system text; but nothing else makes a model
// answer that would look for ever.
func choice(tools model.Tools) sdk.ToolChoiceUnionParam {
	if tools == model.ToolsOpen {
		return sdk.ToolChoiceUnionParam{OfAuto: &sdk.ToolChoiceAutoParam{}}
	}
	none := sdk.NewToolChoiceNoneParam()
	return sdk.ToolChoiceUnionParam{OfNone: &none}
}

// continued are the messages of a dialogue with the results of its last calls, all in one
// message, as the API wants them. The last one is marked, so that the next turn finds
// everything before it in the cache.
func (d *dialogue) continued(req model.Request) []sdk.MessageParam {
	results := make([]sdk.ContentBlockParamUnion, len(d.uses))
	for i, use := range d.uses {
		results[i] = sdk.NewToolResultBlock(use.id, req.Result(i), use.broken)
	}
	results[len(results)-1].OfToolResult.CacheControl = sdk.NewCacheControlEphemeralParam()
	return append(slices.Clone(d.messages), sdk.NewUserMessage(results...))
}

// toolCalls are the calls of a message that was said after others, and the dialogue that
// it ends; none where it calls nothing.
func toolCalls(before []sdk.MessageParam, m sdk.Message, inputs map[int]string) ([]model.ToolCall, model.Dialogue) {
	var calls []model.ToolCall
	said := &dialogue{}
	for i, block := range m.Content {
		if block.Type == "tool_use" {
			call := model.ToolCall{Name: block.Name, Arguments: inputs[i]}
			calls = append(calls, call)
			said.uses = append(said.uses, toolUse{block.ID, call.Broken()})
		}
	}
	own := m.ToParam()
	own.Role = sdk.MessageParamRoleAssistant
	// The API refuses to be sent back the empty texts that it sends.
	own.Content = slices.DeleteFunc(own.Content, func(b sdk.ContentBlockParamUnion) bool { return b.OfText != nil && b.OfText.Text == "" })
	said.messages = append(unmarked(before), own)
	return calls, said
}

// unmarked are messages without the mark of results: the API allows four marks in all,
// and the packet and the system text have theirs.
func unmarked(messages []sdk.MessageParam) []sdk.MessageParam {
	messages = slices.Clone(messages)
	for i, m := range messages {
		m.Content = slices.Clone(m.Content)
		for j, block := range m.Content {
			if block.OfToolResult != nil {
				result := *block.OfToolResult
				result.CacheControl = sdk.CacheControlEphemeralParam{}
				m.Content[j].OfToolResult = &result
			}
		}
		messages[i] = m
	}
	return messages
}
