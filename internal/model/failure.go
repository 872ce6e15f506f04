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

// Error is a call without a reply.
type Error struct {
	Class      debate.CallStatus // never debate.CallOK
	Detail     string            // one line for people, without keys and control characters
	RetryAfter time.Duration     // the provider's request to wait; 0 if there is none
	Err        error             // the cause; may be nil
}

// Error is the detail with its cause.
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

// Classify turns any error of a call into an *Error. nil stays nil, and an *Error, also a
// wrapped one, stays the same. An error after the deadline is debate.CallTimeout, and the
// rest is debate.CallError. A canceled call is debate.CallError too: its caller knows of it
// and records no failure of the party.
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

// CutOff is the failure of a reply that ended at the limit of the model's output. In
// another try, a model can be brief.
func CutOff() *Error {
	return &Error{Class: debate.CallMalformed, Detail: "the reply was cut off at the limit of the model's output: it has to be shorter"}
}

// Unfinished is the failure of a stream without the end of its reply.
func Unfinished() *Error {
	return &Error{Class: debate.CallError, Detail: "the stream ended before the reply did"}
}

// Refusal is the failure of a call refused by the model or by a filter of the provider. Its
// reason may be empty.
func Refusal(said string) *Error {
	detail := "the model refuses to answer"
	if said = printable(said); said != "" {
		detail += ": " + said
	}
	return &Error{Class: debate.CallRefused, Detail: detail}
}
