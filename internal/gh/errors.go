package gh

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/prdebate/debate/internal/reach"
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
	text, known := e.cause()
	if !known {
		text += "; run again later"
	}
	return text
}

// Cause returns the error without the advice.
func (e *UnavailableError) Cause() string {
	text, _ := e.cause()
	return text
}

// cause returns the failure with its reason. Known is true if the reason is known.
func (e *UnavailableError) cause() (text string, known bool) {
	if errors.Is(e.Err, errPage) {
		return e.What + ": " + errPage.Error(), true
	}
	var sent *url.Error
	if errors.As(e.Err, &sent) {
		if to, err := url.Parse(sent.URL); err == nil && reach.Why(to, e.Err) != "" {
			return e.What + ": GitHub cannot be reached: " + oneLine(reach.Why(to, e.Err)), true
		}
	}
	return e.What + ": GitHub cannot be reached or fails: " + e.Err.Error(), false
}

func (e *UnavailableError) Unwrap() error { return e.Err }

// errPage means that an HTML page came instead of JSON.
var errPage = errors.New("a web page came instead of an answer of GitHub's API; check its address (" + addressOfAPI + "), and whether a proxy on the way wants a sign-in")

// addressOfAPI is advice about GITHUB_API_URL.
const addressOfAPI = "GITHUB_API_URL; on GitHub Enterprise Server it is https://HOST/api/v3"

// uncertainError means that a write may or may not have happened.
type uncertainError struct{ err error }

func (e *uncertainError) Error() string {
	return "it is not known whether it happened: " + e.err.Error()
}
func (e *uncertainError) Unwrap() error { return e.err }

// isOf reports whether an error is one of some kinds, each given as errors.As takes it.
func isOf(err error, kinds ...any) bool {
	return slices.ContainsFunc(kinds, func(kind any) bool { return errors.As(err, kind) })
}

// maxSaid is how many bytes of GitHub's own words are kept in an error.
const maxSaid = 300

// oneLine makes text from elsewhere fit for an error message.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxSaid {
		s = strings.ToValidUTF8(s[:maxSaid], "") + "..."
	}
	return cmp.Or(s, "it does not say why")
}
