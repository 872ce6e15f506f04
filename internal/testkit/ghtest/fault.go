package ghtest

import (
	"net/http"
	"time"
)

// Fault is what goes wrong with one request. The zero Fault is none.
type Fault struct {
	// Status answers with a status and a message. Headers go with it.
	Status  int
	Message string
	Header  map[string]string

	Cut   bool // the connection is reset
	Hang  bool // there is no answer until the client gives up, see Hanging
	Short bool // the answer ends in its middle

	// GraphError answers a query with an error of that type ("" for one without) and
	// Message, in an answer that is 200 as all of GraphQL's are.
	GraphError *string

	// Done lets the request take effect before it goes wrong.
	Done bool

	// Stale makes the next lists lack what is made by this request and later; so
	// many of them.
	Stale int

	// Hanging is called when a request begins to hang. Whatever it was to do is done,
	// so that a client that gives up now gives up neither too early nor too late. nil
	// is not called.
	Hanging func()

	// Slow delays the answer, which is right.
	Slow time.Duration

	// Drop lets a new review lose every so many-th of its comments without a word.
	Drop int
}

// Answer answers with a status instead of doing anything.
func Answer(status int) Fault {
	return Fault{Status: status, Message: http.StatusText(status)}
}

// DoneBut does what is asked and answers with a status that says it was not.
func DoneBut(status int) Fault {
	return Fault{Status: status, Message: http.StatusText(status), Done: true}
}

// Reset cuts the connection before anything is done.
func Reset() Fault { return Fault{Cut: true} }

// Lost does what is asked and cuts the connection instead of an answer.
func Lost() Fault { return Fault{Cut: true, Done: true} }

// Truncated does what is asked and ends the answer in its middle.
func Truncated() Fault { return Fault{Short: true, Done: true} }

// Hang answers nothing until the client gives up.
func Hang() Fault { return Fault{Hang: true} }

// DoneHang does what is asked and answers nothing until the client gives up.
func DoneHang() Fault { return Fault{Hang: true, Done: true} }

// Stale lets the next lists lack what this request makes.
func Stale(lists int) Fault { return Fault{Stale: lists} }

// Slow delays the right answer.
func Slow(d time.Duration) Fault { return Fault{Slow: d} }

// Secondary is the limit on how much is asked at once; retryAfter is in seconds, 0
// leaves the header out.
func Secondary(status, retryAfter int) Fault {
	f := Fault{Status: status, Message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to GitHub Support for help, please include the request ID.", Header: map[string]string{}}
	if retryAfter > 0 {
		f.Header["Retry-After"] = itoa(retryAfter)
	}
	return f
}

// Primary is the limit on how much is asked in an hour.
func Primary(status int, reset time.Time) Fault {
	return Fault{Status: status, Message: "API rate limit exceeded for installation ID 1. If you reach out to GitHub Support for help, please include the request ID.", Header: map[string]string{
		"X-Ratelimit-Remaining": "0", "X-Ratelimit-Reset": itoa(int(reset.Unix())),
	}}
}

// GraphLimited is the limit on how much is asked, as GraphQL tells it.
func GraphLimited() Fault {
	kind := "RATE_LIMITED"
	return Fault{GraphError: &kind, Message: "API rate limit exceeded for installation ID 1."}
}

// GraphBroken is a query that GitHub gave up on.
func GraphBroken() Fault {
	return Fault{GraphError: new(string), Message: "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug."}
}

// TooQuick is a limit in the disguise of a refusal.
func TooQuick() Fault {
	return Fault{Status: http.StatusUnprocessableEntity, Message: "Validation Failed: was submitted too quickly"}
}
