package anthropic

import (
	"fmt"
	"slices"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// answer is what a message says, as far as it came.
func answer(m sdk.Message) model.Answer {
	var text strings.Builder
	for _, block := range m.Content {
		text.WriteString(block.Text)
	}
	a := model.Answer{Text: text.String(), Model: string(m.Model)}
	if u := m.Usage; m.JSON.Usage.Valid() || u.OutputTokens > 0 {
		// The provider counts what was read from a cache or written to it apart
		// from the rest of the input.
		a.Tokens = &model.Tokens{
			In:     int(u.InputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens),
			Cached: int(u.CacheReadInputTokens), CacheWrite: int(u.CacheCreationInputTokens), Out: int(u.OutputTokens),
		}
	}
	return a
}

// tooLong reports whether a message has more text, or more arguments of tools, than a
// reply may have.
func tooLong(m sdk.Message) bool {
	size := 0
	for _, block := range m.Content {
		size += len(block.Text) + len(block.Input)
	}
	return size > model.MaxReply
}

// saidAll are the reasons to stop of a model that has said all.
var saidAll = []sdk.StopReason{sdk.StopReasonEndTurn, sdk.StopReasonStopSequence}

// ended reads why a message that came without an error holds no reply; nil if it
// does. One that ends with calls of tools is a question, where there are tools.
func ended(m sdk.Message, complete, tools bool) error {
	switch stop := m.StopReason; {
	case complete && tools && stop == sdk.StopReasonToolUse:
		return nil
	case stop == sdk.StopReasonRefusal:
		return model.Refusal(string(m.StopDetails.Category))
	case !complete:
		return model.Unfinished()
	case stop == sdk.StopReasonMaxTokens:
		return model.CutOff()
	case stop == sdk.StopReasonModelContextWindowExceeded:
		return &model.Error{Class: debate.CallTooLong, Detail: "the request and the reply are longer than the model can take"}
	case !slices.Contains(saidAll, stop):
		return &model.Error{Class: debate.CallMalformed, Detail: fmt.Sprintf("the model stopped, but not because all is said: %.40q", stop)}
	}
	return nil
}
