package anthropic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// event is one event of a stream.
type event struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message struct {
		Model string          `json:"model"`
		Usage json.RawMessage `json:"usage"`
	} `json:"message"`
	Block json.RawMessage `json:"content_block"`
	Delta struct {
		Text      string `json:"text"`
		Thinking  string `json:"thinking"`
		Signature string `json:"signature"`
		JSON      string `json:"partial_json"`
		Stop      string `json:"stop_reason"`
		Details   struct {
			Category string `json:"category"`
		} `json:"stop_details"`
	} `json:"delta"`
	Usage json.RawMessage `json:"usage"`
}

// reply is a message of the model, as far as it came.
type reply struct {
	model, stop, category string

	blocks   []part
	size     int // of the texts and the arguments, in bytes
	usage    *usage
	complete bool
}

// part is a block of a reply.
type part struct {
	index     int
	start     json.RawMessage // the block as it began
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	arguments string          // in place of the input, if any came
}

type usage struct {
	In         int `json:"input_tokens"`
	CacheWrite int `json:"cache_creation_input_tokens"`
	CacheRead  int `json:"cache_read_input_tokens"`
	Out        int `json:"output_tokens"`
}

// add adds an event.
func (m *reply) add(e event) {
	for _, counted := range []json.RawMessage{e.Message.Usage, e.Usage} { // the last event corrects the first
		if len(counted) > 0 {
			m.usage = cmp.Or(m.usage, &usage{})
			_ = json.Unmarshal(counted, m.usage) // a member with another shape is left out
		}
	}
	m.model = cmp.Or(e.Message.Model, m.model)
	switch e.Type {
	case "content_block_start":
		b := part{index: e.Index, start: e.Block}
		_ = json.Unmarshal(e.Block, &b) // a member with another shape is left out
		m.blocks = append(m.blocks, b)
		m.size += len(b.Text)
	case "content_block_delta":
		at := slices.IndexFunc(m.blocks, func(b part) bool { return b.index == e.Index })
		if at < 0 {
			return
		}
		b, d := &m.blocks[at], e.Delta
		b.Text, b.Thinking, b.Signature, b.arguments = b.Text+d.Text, b.Thinking+d.Thinking, b.Signature+d.Signature, b.arguments+d.JSON
		m.size += len(d.Text) + len(d.JSON)
	case "message_delta":
		m.stop, m.category = cmp.Or(e.Delta.Stop, m.stop), cmp.Or(e.Delta.Details.Category, m.category)
	case "message_stop":
		m.complete = true
	}
}

// answer returns the text of a reply, as far as it came. The provider counts input tokens
// from the cache, or written to it, apart from the rest of the input.
func (m reply) answer() model.Answer {
	var text strings.Builder
	for _, b := range m.blocks {
		text.WriteString(b.Text)
	}
	a := model.Answer{Text: text.String(), Model: m.model}
	if u := m.usage; u != nil {
		a.Tokens = &model.Tokens{In: u.In + u.CacheRead + u.CacheWrite, Cached: u.CacheRead, CacheWrite: u.CacheWrite, Out: u.Out}
	}
	return a
}

// ended returns the reason why a complete message holds no reply; nil if it does. A message
// that ends with tool calls is a question, if tools were offered.
func (m reply) ended(tools bool) error {
	switch {
	case m.stop == "refusal":
		return model.Refusal(m.category)
	case !m.complete:
		return model.Unfinished()
	case m.stop == "end_turn", m.stop == "stop_sequence", m.stop == "tool_use" && tools:
		return nil
	case m.stop == "max_tokens":
		return model.CutOff()
	case m.stop == "model_context_window_exceeded":
		return &model.Error{Class: debate.CallTooLong, Detail: "the request and the reply are longer than the model can take"}
	}
	return &model.Error{Class: debate.CallMalformed, Detail: fmt.Sprintf("the model stopped, but not because all is said: %.40q", m.stop)}
}
