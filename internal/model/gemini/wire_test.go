package gemini

import (
	"fmt"
	"net/http"

	"github.com/prdebate/debate/internal/testkit/wiretest"
)

const usual = `{"promptTokenCount":25,"candidatesTokenCount":15,"totalTokenCount":40}`

// chunk is one part of a streamed reply that is not the last.
func chunk(text string) string {
	return fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[{"text":%s}]},"index":0}],`+
		`"usageMetadata":{"promptTokenCount":25,"totalTokenCount":25},"modelVersion":"gemini-test","responseId":"rsp-1"}`, wiretest.Quote(text))
}

// last is the part that ends a reply.
func last(text, reason, usage string) string {
	return fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[{"text":%s}]},"finishReason":%q,"index":0}],`+
		`"usageMetadata":%s,"modelVersion":"gemini-test","responseId":"rsp-1"}`, wiretest.Quote(text), reason, usage)
}

// says answers with a reply in two parts.
func says(text string) http.HandlerFunc {
	return wiretest.SSE(wiretest.Data(chunk(text[:len(text)/2]), last(text[len(text)/2:], "STOP", usual)))
}

// ends answers with a part and then another reason to end than that all is said.
func ends(reason string) http.HandlerFunc {
	return wiretest.SSE(wiretest.Data(chunk("par"), last("t", reason, usual)))
}

// fails answers with an error as the API has them.
func fails(code int, status, message string, details ...string) http.HandlerFunc {
	return wiretest.JSON(code, errorBody(code, status, message, details...))
}

func errorBody(code int, status, message string, details ...string) string {
	list := "[]"
	if len(details) > 0 {
		list = "[" + details[0] + "]"
	}
	return fmt.Sprintf("{\n  \"error\": {\n    \"code\": %d,\n    \"message\": %s,\n    \"status\": %q,\n    \"details\": %s\n  }\n}\n",
		code, wiretest.Quote(message), status, list)
}
