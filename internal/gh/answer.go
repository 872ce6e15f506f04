package gh

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
)

// limit is the error for an answer that asks to come back later.
type limit struct{ after time.Duration } // 0 if GitHub names no time

func (limit) Error() string { return "rate limit" }

// refusal is the error for an answer other than success, limits excepted.
type refusal struct {
	status  int
	message string
}

func (e *refusal) Error() string { return fmt.Sprintf("status %d: %s", e.status, e.message) }

func (e *refusal) passes() bool { return e.status >= 500 || e.status == http.StatusRequestTimeout }

// isOfToken reports whether GitHub rejects the token itself, for every request.
func (e *refusal) isOfToken() bool {
	return e.status == http.StatusUnauthorized || e.status == http.StatusForbidden && isSuspended(e.message)
}

func isSuspended(message string) bool { return strings.Contains(message, "has been suspended") }

// typed returns the error for callers to act on.
func (e *refusal) typed(r request) error {
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

// meaning returns a limit or a *refusal if GitHub answered, else the error itself.
func (s *sender) meaning(err error) error {
	var primary *github.RateLimitError
	var secondary *github.AbuseRateLimitError
	var refused *github.ErrorResponse
	switch {
	case errors.As(err, &primary):
		return limit{after: s.after(primary.Response.Header)}
	case errors.As(err, &secondary):
		return limit{after: s.after(secondary.Response.Header)}
	case errors.As(err, &refused):
		message := said(refused)
		if limits(refused.Response, strings.ToLower(message)) {
			return limit{after: s.after(refused.Response.Header)}
		}
		return &refusal{status: refused.Response.StatusCode, message: message}
	}
	return err
}

// conceal removes a token from the text of an error.
func conceal(err error, token string) error {
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

// limits reports whether a refusal is a rate limit unknown to go-github.
func limits(resp *http.Response, text string) bool {
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

// said returns the text of a refusal on one bounded line.
func said(e *github.ErrorResponse) string {
	if e.Message == "" {
		body, _ := io.ReadAll(io.LimitReader(e.Response.Body, maxSaid))
		return oneLine(string(body))
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
