package openai

import (
	"net/http"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

const canary = "sk-canary-4f1d9c07aa52"

// gpt is the price of the model that is asked.
var gpt = model.Prices{}.With(model.Price{Model: "gpt-4o", Input: 2_500_000, Cached: 1_250_000, Output: 10_000_000})

var request = model.Request{
	SchemaVersion: model.SchemaVersion, System: "the rules <&> \u2028", Packet: "fence\n+1 a := \"<b>\" && c\n\n", Turn: `{"request": "open"}`,
}

// A server in one of the languages that a client speaks.
type dialect struct {
	name   string
	path   string
	o      model.Options
	stream string // of the reply "hello there"
	whole  string // the same in one piece
	begin  string // of the stream
	delta  string // one part of it
	cutOff string // the stream of a reply that became too long
	filter string // the stream of a reply that a filter ended
	refuse string // the stream of a model that refuses
	format string // the parameter for JSON
	effort string // the parameter for the effort
}

const usage = `{"input_tokens":1000,"input_tokens_details":{"cached_tokens":600,"cache_write_tokens":0},"output_tokens":50,"output_tokens_details":{"reasoning_tokens":40},"total_tokens":1050}`

const chatUsage = `{"prompt_tokens":1000,"prompt_tokens_details":{"cached_tokens":600},"completion_tokens":50,"completion_tokens_details":{"reasoning_tokens":40},"total_tokens":1050}`

// message is the item of a response that holds the reply.
func message(part string) string {
	return `{"type":"message","id":"m1","role":"assistant","status":"completed","content":[` + part + `]}`
}

// response is a response object, as it stands in events and alone.
func response(status, members, output string) string {
	return `{"id":"r1","object":"response","model":"gpt-4o-2024-08-06","status":"` + status + `","error":null,"output":[` + output + `]` + members + `}`
}

func event(kind, response string) string {
	return wiretest.Events("response."+kind, `{"type":"response.`+kind+`","sequence_number":9,"response":`+response+`}`)
}

func textDelta(text string) string {
	return wiretest.Events("response.output_text.delta", `{"type":"response.output_text.delta","item_id":"m1","output_index":0,"content_index":0,"delta":`+wiretest.Quote(text)+`}`)
}

func chunk(delta, finish string) string {
	if finish != "" {
		finish = `,"finish_reason":"` + finish + `"`
	}
	return wiretest.Data(`{"id":"c1","object":"chat.completion.chunk","model":"gpt-4o-2024-08-06","choices":[{"index":0,"delta":{` + delta + `}` + finish + `}]}`)
}

var (
	created    = event("created", response("in_progress", "", ""))
	said       = message(`{"type":"output_text","text":"hello there","annotations":[]}`)
	chatEnd    = wiretest.Data(`{"id":"c1","object":"chat.completion.chunk","model":"gpt-4o-2024-08-06","choices":[],"usage":`+chatUsage+`}`, `[DONE]`)
	chatHello  = chunk(`"role":"assistant","content":"hello"`, "") + chunk(`"content":" there"`, "")
	own        = model.Options{Model: "gpt-4o", Key: canary, Effort: "high", Prices: gpt}
	withUsage  = `,"usage":` + usage
	incomplete = func(reason string) string { return `,"incomplete_details":{"reason":"` + reason + `"}` + withUsage }
)

var dialects = []dialect{
	{
		name: "responses", path: "/responses", o: own, format: "text.format", effort: "reasoning",
		stream: created + textDelta("hello") + textDelta(" there") + event("completed", response("completed", withUsage, said)),
		whole:  response("completed", withUsage, said),
		begin:  created + textDelta("hello"),
		delta:  textDelta(strings.Repeat("x", 4000)),
		cutOff: created + textDelta("hello") + event("incomplete", response("incomplete", incomplete("max_output_tokens"), "")),
		filter: created + textDelta("hello") + event("incomplete", response("incomplete", incomplete("content_filter"), "")),
		refuse: created + wiretest.Events("response.refusal.delta", `{"type":"response.refusal.delta","delta":"I will not"}`) +
			event("completed", response("completed", withUsage, message(`{"type":"refusal","refusal":"I will not"}`))),
	},
	{
		name: "chat", path: "/chat/completions", o: chat(own), format: "response_format", effort: "reasoning_effort",
		stream: chatHello + chunk("", "stop") + chatEnd,
		whole:  `{"id":"c1","object":"chat.completion","model":"gpt-4o-2024-08-06","choices":[{"index":0,"message":{"role":"assistant","content":"hello there","refusal":null},"finish_reason":"stop"}],"usage":` + chatUsage + `}`,
		begin:  chunk(`"role":"assistant","content":"hello"`, ""),
		delta:  chunk(`"content":"`+strings.Repeat("x", 4000)+`"`, ""),
		cutOff: chunk(`"content":"hello"`, "") + chunk("", "length") + chatEnd,
		filter: chunk(`"content":"hello"`, "") + chunk("", "content_filter") + chatEnd,
		refuse: chunk(`"refusal":"I will"`, "") + chunk(`"refusal":" not"`, "") + chunk("", "stop") + chatEnd,
	},
}

func chat(o model.Options) model.Options {
	o.API = Chat
	return o
}

// clientOf makes a client that asks a server as if it were the provider's own.
func clientOf(t *testing.T, o model.Options, answers ...http.HandlerFunc) (*Client, *wiretest.Server) {
	t.Helper()
	server := wiretest.New(t, answers...)
	o.BaseURL = server.URL
	o.HTTP = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c, server
}
