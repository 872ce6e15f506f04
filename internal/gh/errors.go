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

// PermissionError means that the token may not do what was asked. It is certain:
// to ask again changes nothing.
type PermissionError struct {
	What    string // what was being done
	Why     string // what GitHub says, one bounded line
	OfToken bool   // it is the token that GitHub does not take, whatever is asked for
}

func (e *PermissionError) Error() string {
	if e.OfToken {
		return e.What + ": GitHub does not take the token: " + e.Why + "; give one that is valid"
	}
	return e.What + ": GitHub does not permit it: " + e.Why + "; give the token this permission"
}

// NotFoundError means that what was asked for is not there, or that the token may
// not know of it: GitHub does not tell the two apart.
type NotFoundError struct {
	What string
}

func (e *NotFoundError) Error() string { return e.What + ": GitHub finds no such thing" }

// LimitError means that GitHub takes no more requests for longer than is waited
// for here.
type LimitError struct {
	What  string
	Until time.Time // not before
}

func (e *LimitError) Error() string {
	return e.What + ": GitHub's rate limit is used up until " + e.Until.UTC().Format(time.RFC3339) + "; run again after that"
}

// RefusedError means that GitHub understood and said no: to send the same again
// changes nothing.
type RefusedError struct {
	What    string
	Status  int
	Message string // what GitHub says, one bounded line
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s: GitHub refuses it (%d): %s", e.What, e.Status, e.Message)
}

// UnavailableError means that GitHub could not be reached, broke off, or failed,
// as often as was tried.
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

// Cause is the error without what to do about it.
func (e *UnavailableError) Cause() string {
	text, _ := e.cause()
	return text
}

// cause says what failed, and why as far as that is known.
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

// errPage means that a page for people came where JSON was asked for.
var errPage = errors.New("a web page came instead of an answer of GitHub's API; check its address (" + addressOfAPI + "), and whether a proxy on the way wants a sign-in")

// addressOfAPI says which addresses GITHUB_API_URL can be.
const addressOfAPI = "GITHUB_API_URL; on GitHub Enterprise Server it is https://HOST/api/v3"

// uncertainError means that a write may have happened and may have not.
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
