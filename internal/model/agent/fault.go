package agent

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/process"
)

// status finds the HTTP status in the words of an agent: "unexpected status 404
// Not Found", "last status: 429 Too Many Requests", "[API Error: 401 ...]",
// "API Error: 529 ...".
var status = lazyregexp.New(`(?:status:?|API Error:) (\d{3})\b`)

// faultOf returns the fault in the words of an agent, or in a provider's own JSON. It looks
// there for the status if code is 0.
func faultOf(code int, words string) *model.Error {
	f := model.ReadFault(code, []byte(words))
	if f.Message == "" {
		f.Message = words
	}
	if f.Status == 0 {
		if found := status().FindStringSubmatch(words); found != nil {
			f.Status, _ = strconv.Atoi(found[1])
		}
	}
	return f.Failure()
}

// unread is the failure of an agent with unknown output.
func unread(result process.Result) *model.Error {
	if result.Exit != "" {
		return result.Failure()
	}
	return &model.Error{Class: debate.CallMalformed, Detail: "the output of the agent cannot be read"}
}

// reported returns the last JSON object at the beginning of a line of standard error: the
// failure report of gemini-cli and qwen, after other output.
func reported(stderr string) (words string, code int, ok bool) {
	text := "\n" + stderr
	for i := strings.LastIndex(text, "\n{"); i >= 0; i = strings.LastIndex(text[:i], "\n{") {
		var said struct {
			Error *struct {
				Message string          `json:"message"`
				Code    json.RawMessage `json:"code"`
			} `json:"error"`
		}
		if json.NewDecoder(strings.NewReader(stderr[i:])).Decode(&said) == nil && said.Error != nil {
			code, _ = strconv.Atoi(string(said.Error.Code))
			return said.Error.Message, code, true
		}
	}
	return "", 0, false
}
