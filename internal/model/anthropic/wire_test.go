package anthropic

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/prdebate/debate/internal/testkit/wiretest"
)

// script is what the Messages API streams for one call.
type script struct {
	texts []string // the text blocks
	think string   // of a thinking block before them
	stop  string   // the stop reason; end_turn if it is empty
	usage string   // of message_start; a usual one if it is empty
	final string   // usage of message_delta; a usual one if it is empty
	more  string   // members of the delta of message_delta beside the stop reason
}

func (r script) events() string {
	if r.stop == "" {
		r.stop = "end_turn"
	}
	if r.usage == "" {
		r.usage = `{"input_tokens":25,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}`
	}
	if r.final == "" {
		r.final = `{"output_tokens":15}`
	}
	pairs := []string{
		"message_start", `{"type":"message_start","message":{"id":"msg_01","type":"message","role":"assistant","model":"claude-test",` +
			`"content":[],"stop_reason":null,"stop_sequence":null,"usage":` + r.usage + `}}`,
		"ping", `{"type":"ping"}`,
	}
	index := 0
	block := func(start, kind, member, text string) {
		pairs = append(pairs, "content_block_start",
			fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, index, start))
		runes := []rune(text)
		for _, piece := range []string{string(runes[:len(runes)/2]), string(runes[len(runes)/2:])} {
			pairs = append(pairs, "content_block_delta",
				fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":%q,%q:%s}}`, index, kind, member, wiretest.Quote(piece)))
		}
		pairs = append(pairs, "content_block_stop", fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, index))
		index++
	}
	if r.think != "" {
		block(`{"type":"thinking","thinking":"","signature":""}`, "thinking_delta", "thinking", r.think)
	}
	for _, text := range r.texts {
		block(`{"type":"text","text":""}`, "text_delta", "text", text)
	}
	pairs = append(pairs,
		"message_delta", fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null%s},"usage":%s}`, r.stop, r.more, r.final),
		"message_stop", `{"type":"message_stop"}`,
	)
	return wiretest.Events(pairs...)
}

// says answers with a reply of one text.
func says(text string) http.HandlerFunc { return streams(script{texts: []string{text}}) }

func streams(r script) http.HandlerFunc {
	return wiretest.SSE(r.events(), "request-id", "req_011CTest")
}

// fails answers with an error as the API has them.
func fails(status int, kind, message string, headers ...string) http.HandlerFunc {
	return wiretest.JSON(status, errorBody(kind, message), append([]string{"request-id", "req_011CFail"}, headers...)...)
}

func errorBody(kind, message string) string {
	return fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%s},"request_id":"req_011CFail"}`, kind, wiretest.Quote(message))
}

// begun is the beginning of a stream, up to and with a part of the text.
func begun(text string) string {
	events := script{texts: []string{text}}.events()
	return events[:strings.Index(events, "event: content_block_stop")]
}
