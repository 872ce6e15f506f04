package gemini

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/genai"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// reply is what a stream has said up to now.
type reply struct {
	text    strings.Builder
	model   string
	id      string
	tokens  *model.Tokens
	blocked genai.BlockedReason
	finish  genai.FinishReason
	tools   bool          // are offered
	parts   []*genai.Part // to be sent back
	called  []*genai.FunctionCall
	size    int // of the arguments of tool calls
}

// take takes the next part of the stream.
func (r *reply) take(chunk *genai.GenerateContentResponse) error {
	r.model = cmp.Or(chunk.ModelVersion, r.model)
	r.id = cmp.Or(chunk.ResponseID, r.id)
	if u := chunk.UsageMetadata; u != nil { // the whole sum again
		r.tokens = &model.Tokens{
			In:     int(u.PromptTokenCount) + int(u.ToolUsePromptTokenCount),
			Cached: int(u.CachedContentTokenCount),
			Out:    int(u.CandidatesTokenCount) + int(u.ThoughtsTokenCount),
		}
	}
	feedback := cmp.Or(chunk.PromptFeedback, &genai.GenerateContentResponsePromptFeedback{})
	r.blocked = cmp.Or(feedback.BlockReason, r.blocked)
	// Only one candidate is asked for.
	first := slices.IndexFunc(chunk.Candidates, func(c *genai.Candidate) bool { return c != nil && c.Index == 0 })
	if first < 0 {
		return nil
	}
	candidate := chunk.Candidates[first]
	r.keep(candidate.Content)
	if candidate.FinishReason != genai.FinishReasonUnspecified {
		r.finish = cmp.Or(candidate.FinishReason, r.finish)
	}
	if r.text.Len()+r.size > model.MaxReply {
		return model.TooLong()
	}
	return nil
}

func (r *reply) answer() model.Answer {
	return model.Answer{Text: r.text.String(), Model: r.model, Tokens: r.tokens, RequestID: r.id}
}

// stops are what the reasons to stop a model mean; nil where it has said all.
var stops = map[genai.FinishReason]error{
	"":                                  model.Unfinished(),
	genai.FinishReasonStop:              nil,
	genai.FinishReasonMaxTokens:         model.CutOff(),
	genai.FinishReasonContinuation:      model.CutOff(),
	genai.FinishReasonSafety:            blocked(genai.FinishReasonSafety),
	genai.FinishReasonRecitation:        blocked(genai.FinishReasonRecitation),
	genai.FinishReasonBlocklist:         blocked(genai.FinishReasonBlocklist),
	genai.FinishReasonProhibitedContent: blocked(genai.FinishReasonProhibitedContent),
	genai.FinishReasonSPII:              blocked(genai.FinishReasonSPII),
	genai.FinishReasonLanguage:          blocked(genai.FinishReasonLanguage),
}

// blocked is the failure of a reply that a filter of the provider refuses.
func blocked(reason genai.FinishReason) error {
	return model.Refusal("the reply is blocked: " + string(reason))
}

// fault is why a stream that ended without an error holds no reply; nil if it
// does.
func (r *reply) fault() error {
	fault, known := stops[r.finish]
	switch {
	case r.blocked != "":
		return model.Refusal("the request is blocked: " + string(r.blocked))
	case r.tools && r.finish == genai.FinishReasonMalformedFunctionCall:
		return nil
	case known:
		return fault
	}
	return &model.Error{Class: debate.CallMalformed, Detail: fmt.Sprintf("the model stopped, but not because all is said: %.40q", r.finish)}
}
