package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/debate"
)

// statusOverloaded is what some providers answer when they are.
const statusOverloaded = 529

// maxSaid bounds what is repeated of a provider's words, in bytes.
const maxSaid = 300

// Fault is how a provider says that it cannot answer: an HTTP status and an error
// body, or an error inside a stream that began well.
type Fault struct {
	Status  int    // of HTTP; 0 inside a stream
	Code    string // the provider's names for it, separated by spaces
	Param   string // the parameter that it is about
	Message string // for people; untrusted

	Keyless    bool          // no key was sent that the message could repeat
	RetryAfter time.Duration // how long it asks to wait, for providers that say so in the body; 0: it does not
}

// word is a JSON text as it is, and any other value as JSON.
type word string

// UnmarshalJSON takes everything.
func (w *word) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		text = string(data)
	}
	*w = word(text)
	return nil
}

// ReadFault reads an error body in any of the shapes that providers have.
func ReadFault(status int, body []byte) Fault {
	f := Fault{Status: status}
	var list []json.RawMessage // Gemini wraps the error of a stream in a list
	if json.Unmarshal(body, &list) == nil {
		body = slices.Concat(list...)
	}
	var outer struct {
		Error json.RawMessage `json:"error"`
	}
	_ = json.Unmarshal(body, &outer) // nothing is set of what is no object
	if outer.Error != nil {
		body = outer.Error
	}
	if json.Unmarshal(body, &f.Message) == nil {
		return f // {"error": "text"}
	}
	var said struct {
		Code    word `json:"code"`
		Type    word `json:"type"`
		Status  word `json:"status"`
		Param   word `json:"param"`
		Message word `json:"message"`
		Detail  word `json:"detail"`
		Details []struct {
			Reason     string `json:"reason"`
			RetryDelay string `json:"retryDelay"`
		} `json:"details"`
	}
	_ = json.Unmarshal(body, &said) // a member of another shape is left out
	codes := []string{string(said.Code), string(said.Type), string(said.Status)}
	for _, d := range said.Details {
		codes = append(codes, d.Reason)
		if wait, err := time.ParseDuration(d.RetryDelay); err == nil {
			f.RetryAfter = seconds(max(0, wait.Seconds()))
		}
	}
	f.Code = strings.Join(strings.Fields(strings.Join(codes, " ")), " ")
	f.Param, f.Message = string(said.Param), string(cmp.Or(said.Message, said.Detail))
	return f
}

// hidden is the fault in a body that came with a success: some gateways answer
// 200 and put the error inside.
func hidden(status int, body []byte) Fault {
	var outer struct {
		Error any `json:"error"`
	}
	_ = json.Unmarshal(body, &outer) // nothing is set of what is no object
	if outer.Error == nil {
		return Fault{}
	}
	return ReadFault(status, body)
}

// sign tells a class by words that providers use for it.
type sign struct {
	class debate.CallStatus
	codes []string // words of the code
	texts []string // parts of the message
}

// stands reports whether a fault has the sign.
func (s sign) stands(codes []string, message string) bool {
	inCodes := func(word string) bool { return slices.Contains(codes, word) }
	inMessage := func(part string) bool { return strings.Contains(message, part) }
	return slices.ContainsFunc(s.codes, inCodes) || slices.ContainsFunc(s.texts, inMessage)
}

// signs are all that are known. The first that stands counts, before any status:
// providers answer 400 and 429 to many things.
var signs = [...]sign{
	{debate.CallTooLong,
		[]string{"context_length_exceeded", "string_above_max_length", "request_too_large"},
		[]string{"maximum context length", "context window", "prompt is too long", "input token count", "request too large", "exceeds the context size", "exceed context limit", "exceeds the context length", "input is too long"}},
	{debate.CallRefused,
		[]string{"content_filter", "content_policy_violation", "invalid_prompt", "prohibited_content"},
		[]string{"content filtering policy"}},
	{debate.CallAuth, // what no waiting helps: a wrong key, and an account without money
		[]string{"insufficient_quota", "billing_not_active", "billing_hard_limit_reached", "invalid_api_key", "authentication_error",
			"permission_error", "billing_error", "api_key_invalid", "unauthenticated", "permission_denied", "payment_required"},
		[]string{"credit balance is too low", "api key not valid", "user location is not supported"}},
	{debate.CallNotFound, []string{"model_not_found", "not_found_error", "not_found"}, nil},
	{debate.CallOverloaded, []string{"overloaded_error", "overloaded", "server_is_overloaded", "slow_down", "unavailable", "serviceunavailableexception"}, nil},
	{debate.CallRate, []string{"rate_limit_exceeded", "rate_limit_error", "resource_exhausted", "throttlingexception"}, nil},
	{debate.CallTimeout, []string{"timeout_error", "deadline_exceeded", "modeltimeoutexception"}, nil},
}

// statuses are the classes of HTTP statuses; of every other it is debate.CallError.
var statuses = map[int]debate.CallStatus{
	http.StatusUnauthorized:          debate.CallAuth,
	http.StatusPaymentRequired:       debate.CallAuth,
	http.StatusForbidden:             debate.CallAuth,
	http.StatusProxyAuthRequired:     debate.CallAuth,
	http.StatusNotFound:              debate.CallNotFound,
	http.StatusRequestTimeout:        debate.CallTimeout,
	http.StatusGatewayTimeout:        debate.CallTimeout,
	http.StatusRequestEntityTooLarge: debate.CallTooLong,
	http.StatusTooManyRequests:       debate.CallRate,
	http.StatusServiceUnavailable:    debate.CallOverloaded,
	statusOverloaded:                 debate.CallOverloaded,
}

// class is what a fault means to a debate.
func (f Fault) class() debate.CallStatus {
	codes, message := strings.Fields(strings.ToLower(f.Code)), strings.ToLower(f.Message)
	for _, s := range signs {
		if s.stands(codes, message) {
			return s.class
		}
	}
	status := f.Status
	for _, code := range codes {
		if n, err := strconv.Atoi(code); err == nil && n >= http.StatusBadRequest {
			status = n // a gateway repeats what it was answered
		}
	}
	return cmp.Or(statuses[status], debate.CallError)
}

// passes reports whether a fault may be gone after a while.
func (f Fault) passes() bool {
	passing := []debate.CallStatus{debate.CallRate, debate.CallOverloaded, debate.CallTimeout, debate.CallError}
	return slices.Contains(passing, f.class())
}

// Failure is the fault as the failure of a call. What providers say to a wrong
// key is left out where one was sent: some repeat a part of it.
func (f Fault) Failure() *Error {
	detail := "the provider reports an error"
	if f.Status != 0 {
		detail = strings.TrimSpace(fmt.Sprintf("the provider answers %d %s", f.Status, http.StatusText(f.Status)))
	}
	if code := printable(f.Code, maxSaid); code != "" {
		detail += fmt.Sprintf(" (%s)", code)
	}
	class := f.class()
	repeatable := f.Keyless || class != debate.CallAuth && f.Status != http.StatusUnauthorized
	if said := printable(strings.TrimRight(f.Message, ". \n"), maxSaid); said != "" && repeatable { // a sentence of ours goes on after it
		detail += ": " + said
	}
	return &Error{Class: class, Detail: detail}
}

// printable makes one line of at most n bytes of a text from outside.
func printable(s string, n int) string {
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)), " ")
	if len(s) <= n {
		return s
	}
	for s = s[:n]; !utf8.ValidString(s); {
		s = s[:len(s)-1]
	}
	return s + "..."
}
