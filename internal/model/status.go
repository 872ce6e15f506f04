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

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/text"
)

// statusOverloaded is the status of some overloaded providers.
const statusOverloaded = 529

// maxSaid bounds a provider's words in our messages, in bytes.
const maxSaid = 300

// Fault is a provider's error: an HTTP status with an error body, or an error inside a
// stream.
type Fault struct {
	Status  int    // of HTTP; 0 inside a stream
	Code    string // the provider's names for it, separated by spaces
	Param   string // the wrong parameter
	Message string // for people; untrusted

	Keyless    bool          // no key was sent, so the message cannot repeat it
	RetryAfter time.Duration // the wait requested in the body; 0 if there is none
}

// word is a JSON string, or any other value as JSON.
type word string

// UnmarshalJSON accepts every value.
func (w *word) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		text = string(data)
	}
	*w = word(text)
	return nil
}

// ReadFault reads an error body in any shape of the providers.
func ReadFault(status int, body []byte) Fault {
	f := Fault{Status: status}
	var list []json.RawMessage // Gemini wraps the error of a stream in a list
	if json.Unmarshal(body, &list) == nil {
		body = slices.Concat(list...)
	}
	var outer struct {
		Error json.RawMessage `json:"error"`
	}
	_ = json.Unmarshal(body, &outer) // another value has no error
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
	_ = json.Unmarshal(body, &said) // without members of another shape
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

// hasError reports whether a JSON object has an error as a member: some gateways answer 200
// with one inside.
func hasError(body []byte) bool {
	var outer struct {
		Error any `json:"error"`
	}
	_ = json.Unmarshal(body, &outer) // another value has no error
	return outer.Error != nil
}

// signs are the words of providers for a class of faults. The first match counts, before any
// status: providers answer 400 and 429 to many things.
var signs = [...]struct {
	class debate.CallStatus
	codes []string // words of the code
	texts []string // parts of the message
}{
	{debate.CallTooLong,
		[]string{"context_length_exceeded", "string_above_max_length", "request_too_large"},
		[]string{"maximum context length", "context window", "prompt is too long", "input token count", "request too large", "exceeds the context size", "exceed context limit", "exceeds the context length", "input is too long"}},
	{debate.CallRefused,
		[]string{"content_filter", "content_policy_violation", "invalid_prompt", "prohibited_content"},
		[]string{"content filtering policy"}},
	{debate.CallAuth, // a wrong key, or an account without money: no wait helps
		[]string{"insufficient_quota", "billing_not_active", "billing_hard_limit_reached", "invalid_api_key", "authentication_error",
			"permission_error", "billing_error", "api_key_invalid", "unauthenticated", "permission_denied", "payment_required"},
		[]string{"credit balance is too low", "api key not valid", "user location is not supported"}},
	{debate.CallNotFound, []string{"model_not_found", "not_found_error", "not_found"}, nil},
	{debate.CallOverloaded, []string{"overloaded_error", "overloaded", "server_is_overloaded", "slow_down", "unavailable", "serviceunavailableexception"}, nil},
	{debate.CallRate, []string{"rate_limit_exceeded", "rate_limit_error", "resource_exhausted", "throttlingexception"}, nil},
	{debate.CallTimeout, []string{"timeout_error", "deadline_exceeded", "modeltimeoutexception"}, nil},
}

// statuses are the classes of HTTP statuses. Every other one is debate.CallError.
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

// class is the status of a call with this fault.
func (f Fault) class() debate.CallStatus {
	codes, message := strings.Fields(strings.ToLower(f.Code)), strings.ToLower(f.Message)
	inCodes := func(word string) bool { return slices.Contains(codes, word) }
	inMessage := func(part string) bool { return strings.Contains(message, part) }
	for _, s := range signs {
		if slices.ContainsFunc(s.codes, inCodes) || slices.ContainsFunc(s.texts, inMessage) {
			return s.class
		}
	}
	status := f.Status
	for _, code := range codes {
		if n, err := strconv.Atoi(code); err == nil && n >= http.StatusBadRequest {
			status = n // a gateway repeats the status of its provider
		}
	}
	return cmp.Or(statuses[status], debate.CallError)
}

// Failure is the fault as the failure of a call. It leaves out a message about a wrong key
// if one was sent: some providers repeat a part of it.
func (f Fault) Failure() *Error {
	detail := "the provider reports an error"
	if f.Status != 0 {
		detail = strings.TrimSpace(fmt.Sprintf("the provider answers %d %s", f.Status, http.StatusText(f.Status)))
	}
	if code := printable(f.Code); code != "" {
		detail += fmt.Sprintf(" (%s)", code)
	}
	class := f.class()
	repeatable := f.Keyless || class != debate.CallAuth && f.Status != http.StatusUnauthorized
	if said := printable(strings.TrimRight(f.Message, ". \n")); said != "" && repeatable { // our sentence continues after it
		detail += ": " + said
	}
	return &Error{Class: class, Detail: detail}
}

// printable makes one line of at most maxSaid bytes of a text from outside.
func printable(s string) string {
	return text.Clip(text.OneLine(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)), maxSaid)
}
