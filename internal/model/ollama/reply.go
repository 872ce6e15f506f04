package ollama

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// maxLine bounds one line of a stream, in bytes: a server may send a whole reply in one.
const maxLine = 4 * model.MaxReply

// line is one line of a stream.
type line struct {
	Model   string `json:"model"`
	Message struct {
		Content string `json:"content"`
	} `json:"message"`
	Done   bool            `json:"done"`
	Reason string          `json:"done_reason"`
	In     *int            `json:"prompt_eval_count"`
	Out    int             `json:"eval_count"`
	Error  json.RawMessage `json:"error"`
}

// read reads a reply from its stream.
func read(body io.Reader) (model.Answer, error) {
	var text strings.Builder
	var answer model.Answer
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var now line
		if err := json.Unmarshal(lines.Bytes(), &now); err != nil {
			return answer, errors.New("a line of its stream is no JSON")
		}
		if now.Error != nil {
			return answer, model.ReadFault(0, lines.Bytes()).Failure()
		}
		text.WriteString(now.Message.Content)
		answer.Text, answer.Model = text.String(), now.Model
		if text.Len() > model.MaxReply {
			return answer, model.TooLong()
		}
		if now.Done {
			if now.In != nil {
				answer.Tokens = &model.Tokens{In: *now.In, Out: now.Out}
			} else if now.Out > 0 {
				answer.Tokens = &model.Tokens{Out: now.Out}
			}
			return answer, ended(now.Reason)
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return answer, model.TooLong()
	}
	return answer, model.Unfinished()
}

// ended returns the error for the reason why a model stopped; nil for a complete reply. Older
// servers send no reason.
func ended(reason string) error {
	switch reason {
	case "", "stop":
		return nil
	case "length":
		return model.CutOff()
	}
	return &model.Error{Class: debate.CallMalformed, Detail: fmt.Sprintf("the model stopped, but not because all is said: %.40q", reason)}
}
