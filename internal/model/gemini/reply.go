package gemini

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// streamed is a part of a streamed reply.
type streamed struct {
	ID         string       `json:"responseId"`
	Model      string       `json:"modelVersion"`
	Candidates []*candidate `json:"candidates"`
	Feedback   struct {
		Blocked string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage *struct {
		Prompt   int `json:"promptTokenCount"`
		ToolUse  int `json:"toolUsePromptTokenCount"`
		Cached   int `json:"cachedContentTokenCount"`
		Out      int `json:"candidatesTokenCount"`
		Thoughts int `json:"thoughtsTokenCount"`
	} `json:"usageMetadata"`
}

type candidate struct {
	Index   int     `json:"index"`
	Content content `json:"content"`
	Finish  string  `json:"finishReason"`
}

// reply is a reply, as far as the stream has come.
type reply struct {
	text    strings.Builder
	model   string
	id      string
	tokens  *model.Tokens
	blocked string
	finish  string
	tools   bool    // the call offers tools
	parts   []*part // to be sent back
	called  []*call
	size    int // of the arguments of tool calls
}

// take takes the next part of the stream.
func (r *reply) take(said streamed) error {
	r.model = cmp.Or(said.Model, r.model)
	r.id = cmp.Or(said.ID, r.id)
	if u := said.Usage; u != nil { // the whole sum again
		r.tokens = &model.Tokens{In: u.Prompt + u.ToolUse, Cached: u.Cached, Out: u.Out + u.Thoughts}
	}
	r.blocked = cmp.Or(said.Feedback.Blocked, r.blocked)
	if slices.Contains(said.Candidates, nil) {
		return errShape
	}
	// The request asks for one candidate.
	first := slices.IndexFunc(said.Candidates, func(c *candidate) bool { return c.Index == 0 })
	if first < 0 {
		return nil
	}
	c := said.Candidates[first]
	r.keep(c.Content)
	if c.Finish != "FINISH_REASON_UNSPECIFIED" {
		r.finish = cmp.Or(c.Finish, r.finish)
	}
	if r.text.Len()+r.size > model.MaxReply {
		return model.TooLong()
	}
	return nil
}

func (r *reply) answer() model.Answer {
	return model.Answer{Text: r.text.String(), Model: r.model, Tokens: r.tokens, RequestID: r.id}
}

// stops are the errors for the reasons to stop; nil for a complete reply.
var stops = map[string]error{
	"":                   model.Unfinished(),
	"STOP":               nil,
	"MAX_TOKENS":         model.CutOff(),
	"CONTINUATION":       model.CutOff(),
	"SAFETY":             blocked("SAFETY"),
	"RECITATION":         blocked("RECITATION"),
	"BLOCKLIST":          blocked("BLOCKLIST"),
	"PROHIBITED_CONTENT": blocked("PROHIBITED_CONTENT"),
	"SPII":               blocked("SPII"),
	"LANGUAGE":           blocked("LANGUAGE"),
}

// malformedCall is the reason to stop at a call that the provider could not read.
const malformedCall = "MALFORMED_FUNCTION_CALL"

// blocked is the error for a reply that a filter of the provider refuses.
func blocked(reason string) error { return model.Refusal("the reply is blocked: " + reason) }

// fault returns the reason why a complete stream holds no reply; nil if it does.
func (r *reply) fault() error {
	fault, known := stops[r.finish]
	switch {
	case r.blocked != "":
		return model.Refusal("the request is blocked: " + r.blocked)
	case r.tools && r.finish == malformedCall:
		return nil
	case known:
		return fault
	}
	return &model.Error{Class: debate.CallMalformed, Detail: fmt.Sprintf("the model stopped, but not because all is said: %.40q", r.finish)}
}
