package model

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/tmaxmax/go-sse"
)

// Retries is the largest number of repetitions of a request.
const Retries = 2

// maxEvent bounds one event of a stream, in bytes: the last one may repeat the whole
// reply, escaped.
const maxEvent = 8 * MaxReply

// blanks is how many bytes of a reply are searched for its first character: some servers begin
// with line breaks.
const blanks = 16

// Post sends a body as JSON and returns the provider's response when it begins. It repeats a
// request if the status or the header X-Should-Retry allows it. The caller closes the body
// of the response.
func Post(ctx context.Context, client *http.Client, url string, header http.Header, body any) (*http.Response, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // code is full of < and &
	if err := encoder.Encode(body); err != nil {
		return nil, fmt.Errorf("encode the request: %w", err)
	}
	sent := bytes.TrimSpace(text.Bytes())
	send := func() (*http.Response, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(sent))
		if err != nil {
			return nil, backoff.Permanent(err)
		}
		if header != nil {
			req.Header = header.Clone()
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(req)
		switch {
		case err != nil:
			return nil, err
		case resp.StatusCode < http.StatusBadRequest:
			return resp, nil
		}
		resp.Body.Close()
		err = fmt.Errorf("status %d", resp.StatusCode)
		if !repeatable(resp) {
			err = backoff.Permanent(err)
		}
		return nil, err
	}
	waits := &backoff.ExponentialBackOff{InitialInterval: 500 * time.Millisecond, RandomizationFactor: 0.25, Multiplier: 2, MaxInterval: 8 * time.Second}
	return backoff.Retry(ctx, send, backoff.WithBackOff(waits), backoff.WithMaxTries(1+Retries), backoff.WithMaxElapsedTime(0))
}

// repeatable reports whether a request with this error answer may succeed later.
func repeatable(resp *http.Response) bool {
	switch resp.Header.Get("X-Should-Retry") {
	case "true":
		return true
	case "false":
		return false
	}
	switch resp.StatusCode {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests:
		return true
	}
	return resp.StatusCode >= http.StatusInternalServerError
}

// Events yields the JSON data of each event of a stream, up to its end. If an event reports
// an error or is not JSON, it is the last one and yields an error. A server that streams nothing
// answers with one JSON object, which is the only event then.
func Events(body io.Reader) iter.Seq2[[]byte, error] {
	stream := bufio.NewReader(body)
	return func(yield func([]byte, error) bool) {
		head, _ := stream.Peek(blanks) // the reader reports an error later
		if strings.HasPrefix(strings.TrimSpace(string(head)), "{") {
			data, err := io.ReadAll(io.LimitReader(stream, maxEvent+1))
			switch {
			case err != nil:
			case len(data) > maxEvent:
				err = TooLong()
			case !json.Valid(data):
				err = Unfinished()
			}
			yield(data, cmp.Or(err, ErrorIn(data)))
			return
		}
		for event, err := range sse.Read(stream, &sse.ReadConfig{MaxEventSize: maxEvent}) {
			data := []byte(strings.TrimSpace(event.Data))
			switch {
			case errors.Is(err, sse.ErrUnexpectedEOF): // the backend sees that the reply has no end
				return
			case err != nil:
				yield(nil, err)
				return
			case string(data) == "[DONE]":
				return
			case len(data) == 0:
				continue
			case event.Type == "error":
				yield(nil, ReadFault(0, data).Failure())
				return
			case !json.Valid(data):
				yield(nil, errors.New("an event of its stream is no JSON"))
				return
			}
			if err := ErrorIn(data); err != nil {
				yield(nil, err)
				return
			}
			if !yield(data, nil) {
				return
			}
		}
	}
}

// ErrorIn returns the failure in an event, nil if it has none.
func ErrorIn(data []byte) error {
	var said struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(data, &said) // an event of another shape reports no error
	if said.Type == "error" || hasError(data) {
		return ReadFault(0, data).Failure()
	}
	return nil
}
