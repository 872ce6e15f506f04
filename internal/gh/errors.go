package gh

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/reach"
	"github.com/prdebate/debate/internal/text"
)

// PermissionError means that the token lacks a permission. It is certain: a retry
// changes nothing.
type PermissionError struct {
	What    string // the act in words
	Why     string // GitHub's reason, one bounded line
	OfToken bool   // GitHub rejects the token itself, for every request
}

func (e *PermissionError) Error() string {
	if e.OfToken {
		return e.What + ": GitHub does not take the token: " + e.Why + "; give one that is valid"
	}
	return e.What + ": GitHub does not permit it: " + e.Why + "; give the token this permission"
}

// NotFoundError means that a thing is missing or hidden from the token: GitHub does not
// tell the two apart.
type NotFoundError struct {
	What string
}

func (e *NotFoundError) Error() string { return e.What + ": GitHub finds no such thing" }

// LimitError means that GitHub's rate limit lasts longer than this program waits.
type LimitError struct {
	What  string
	Until time.Time // not before
}

func (e *LimitError) Error() string {
	return e.What + ": GitHub's rate limit is used up until " + e.Until.UTC().Format(time.RFC3339) + "; run again after that"
}

// RefusedError means that GitHub understood a request and rejected it. A retry changes
// nothing.
type RefusedError struct {
	What    string
	Status  int
	Message string // GitHub's reason, one bounded line
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s: GitHub refuses it (%d): %s", e.What, e.Status, e.Message)
}

// UnavailableError means that GitHub could not be reached, broke off, or failed at
// every try.
type UnavailableError struct {
	What string
	Err  error
}

func (e *UnavailableError) Error() string {
	if errors.Is(e.Err, errPage) {
		return e.What + ": " + errPage.Error()
	}
	var sent *url.Error
	if errors.As(e.Err, &sent) {
		if to, err := url.Parse(sent.URL); err == nil && reach.Why(to, e.Err) != "" {
			return e.What + ": GitHub cannot be reached: " + oneLine(reach.Why(to, e.Err))
		}
	}
	return e.What + ": GitHub cannot be reached or fails: " + e.Err.Error() + "; run again later"
}

func (e *UnavailableError) Unwrap() error { return e.Err }

// errPage means that an HTML page came instead of JSON.
var errPage = errors.New("a web page came instead of an answer of GitHub's API; check its address (" + addressOfAPI + "), and whether a proxy on the way wants a sign-in")

// addressOfAPI is advice about GITHUB_API_URL.
const addressOfAPI = "GITHUB_API_URL; on GitHub Enterprise Server it is https://HOST/api/v3"

// oneLine makes foreign text fit for an error message.
func oneLine(s string) string { return cmp.Or(text.Message(s), "it does not say why") }

// limit is the error for an answer that asks to come back later.
type limit struct{ after time.Duration } // 0 if GitHub names no time

func (limit) Error() string { return "rate limit" }

// refusal is the error for an answer other than success, limits excepted.
type refusal struct {
	status  int
	message string
}

func (e *refusal) Error() string { return fmt.Sprintf("status %d: %s", e.status, e.message) }

// public returns the error for callers to act on.
func (e *refusal) public(r request) error {
	switch e.status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return &PermissionError{What: r.what, Why: e.message, OfToken: e.status == http.StatusUnauthorized}
	case http.StatusNotFound, http.StatusGone:
		if r.kind == create {
			// GitHub answers 404 for a write without permission, and 410 if issues are
			// switched off.
			return &PermissionError{What: r.what, Why: e.message}
		}
		return &NotFoundError{What: r.what}
	}
	return &RefusedError{What: r.what, Status: e.status, Message: e.message}
}

// classify returns a limit or a *refusal if GitHub answered, else the error itself.
func (s *sender) classify(err error) error {
	var primary *github.RateLimitError
	var secondary *github.AbuseRateLimitError
	var refused *github.ErrorResponse
	switch {
	case errors.As(err, &primary):
		return limit{after: s.after(primary.Response.Header)}
	case errors.As(err, &secondary):
		return limit{after: s.after(secondary.Response.Header)}
	case errors.As(err, &refused):
		message := messageOf(refused)
		if isLimit(refused.Response, strings.ToLower(message)) {
			return limit{after: s.after(refused.Response.Header)}
		}
		return &refusal{status: refused.Response.StatusCode, message: message}
	}
	return err
}

// hideToken removes a token from the text of an error.
func hideToken(err error, token string) error {
	if token == "" || !strings.Contains(err.Error(), token) {
		return err
	}
	hide := func(text string) string { return strings.ReplaceAll(text, token, "***") }
	var refused *refusal
	if errors.As(err, &refused) {
		return &refusal{status: refused.status, message: hide(refused.message)}
	}
	return errors.New(hide(err.Error()))
}

// isLimit reports whether a refusal is a rate limit unknown to go-github.
func isLimit(resp *http.Response, text string) bool {
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		return true
	case http.StatusForbidden:
		return resp.Header.Get("Retry-After") != "" || says("rate limit", "abuse")
	case http.StatusUnprocessableEntity:
		return says("submitted too quickly", "abuse")
	}
	return false
}

// after returns the pause that the headers of a limit ask for plus one second, or 0 if
// they name none.
func (s *sender) after(h http.Header) time.Duration {
	if seconds, err := strconv.Atoi(strings.TrimSpace(h.Get("Retry-After"))); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, 24*60*60)+1) * time.Second
	}
	reset, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64)
	if err != nil || h.Get("X-RateLimit-Remaining") != "0" {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date")) // by GitHub's clock, not ours
	if err != nil {
		now = s.options.Now()
	}
	return min(max(time.Unix(reset, 0).Sub(now), 0), 24*time.Hour) + time.Second
}

// messageOf returns the text of a refusal on one bounded line.
func messageOf(e *github.ErrorResponse) string {
	if e.Message == "" {
		body, _ := io.ReadAll(io.LimitReader(e.Response.Body, 1<<10))
		said, _, _ := strings.Cut(string(body), "<") // it may be the HTML page of a server
		return oneLine(said)
	}
	words := []string{e.Message}
	for _, detail := range e.Errors {
		if detail.Message != "" {
			words = append(words, detail.Message)
		} else if detail.Field != "" {
			words = append(words, detail.Resource+"."+detail.Field+" "+detail.Code)
		}
	}
	return oneLine(strings.Join(words, ": "))
}
