package anthropic

import (
	"fmt"
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

// ends are what reasons to stop mean; nil where the model has said all.
var ends = map[sdk.StopReason]error{
	sdk.StopReasonEndTurn:                    nil,
	sdk.StopReasonStopSequence:               nil,
	sdk.StopReasonMaxTokens:                  model.CutOff(),
	sdk.StopReasonModelContextWindowExceeded: &model.Error{Class: debate.CallTooLong, Detail: "the request and the reply are longer than the model can take"},
}

// ended reads why a message that came without an error holds no reply; nil if it
// does. One that ends with calls of tools is a question, where there are tools.
func ended(m sdk.Message, complete, tools bool) error {
	stop := m.StopReason
	fault, known := ends[stop]
	switch {
	case stop == sdk.StopReasonRefusal:
		return model.Refusal(string(m.StopDetails.Category))
	case !complete:
		return model.Unfinished()
	case tools && stop == sdk.StopReasonToolUse:
		return nil
	case !known:
		return &model.Error{Class: debate.CallMalformed, Detail: fmt.Sprintf("the model stopped, but not because all is said: %.40q", stop)}
	}
	return fault
}
