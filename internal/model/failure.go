package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
)

// Error is a call that gave no reply.
type Error struct {
	Class      debate.CallStatus // never debate.CallOK
	Detail     string            // one line for people, without keys and control characters
	RetryAfter time.Duration     // how long the provider asks to wait; 0: it does not say
	Err        error             // what lies behind it; may be nil
}

// Error is the detail and, where it adds something, what lies behind it.
func (e *Error) Error() string {
	var said []string
	if e.Detail != "" {
		said = append(said, e.Detail)
	}
	if e.Err != nil {
		said = append(said, e.Err.Error())
	}
	return cmp.Or(strings.Join(said, ": "), "the call failed: "+string(e.Class))
}

func (e *Error) Unwrap() error { return e.Err }

// Classify turns any error of a call into an *Error: nil stays nil, one that is
// or wraps an *Error gives that, everything that ran out of time is
// debate.CallTimeout, and the rest is debate.CallError. A call that was
// cancelled is debate.CallError too: whoever cancelled it knows, and records no
// failure of the party.
func Classify(err error) *Error {
	if err == nil {
		return nil
	}
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	var timer interface{ Timeout() bool }
	switch {
	case errors.Is(err, context.Canceled):
		return &Error{Class: debate.CallError, Detail: "cancelled", Err: err}
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timer) && timer.Timeout():
		return &Error{Class: debate.CallTimeout, Detail: "no reply in time", Err: err}
	}
	return &Error{Class: debate.CallError, Detail: "the call failed", Err: err}
}

// TooLong is the failure of a reply beyond MaxReply.
func TooLong() *Error {
	return &Error{Class: debate.CallMalformed, Detail: fmt.Sprintf("the reply is larger than %d bytes", MaxReply)}
}

// CutOff is the failure of a reply that ended where the model may write no more.
// Asked again, a model can be brief.
func CutOff() *Error {
	return &Error{Class: debate.CallMalformed, Detail: "the reply was cut off at the limit of the model's output: it has to be shorter"}
}

// Unfinished is the failure of a reply whose stream ended without its end.
func Unfinished() *Error {
	return &Error{Class: debate.CallError, Detail: "the stream ended before the reply did"}
}

// Refusal is the failure of a call that the model or a filter of the provider
// refuses. What was said about it may be empty.
func Refusal(said string) *Error {
	detail := "the model refuses to answer"
	if said = printable(said, maxSaid); said != "" {
		detail += ": " + said
	}
	return &Error{Class: debate.CallRefused, Detail: detail}
}
