package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// SignInCause is why GitHub does not let an App in.
type SignInCause string

// The causes. The first three are about the App as a whole; the others about one
// installation of it, and do not concern the others.
const (
	WrongApp          SignInCause = "wrong app"          // there is none with this id
	WrongKey          SignInCause = "wrong key"          // not the App's, or deleted
	WrongClock        SignInCause = "wrong clock"        // this machine's
	Removed           SignInCause = "removed"            // the installation is gone
	Suspended         SignInCause = "suspended"          // the installation rests
	MissingPermission SignInCause = "missing permission" // the installation grants too little
	NotIncluded       SignInCause = "not included"       // the installation is not for this repository
)

// SignInError means that GitHub does not let the App in, or not into a repository. It
// is certain: a retry fails until a person fixes the cause.
type SignInError struct {
	Cause    SignInCause
	Happened string // a sentence without its full stop
	Mend     string // the next step for a person
}

func (e *SignInError) Error() string { return e.Happened + ": " + e.Mend }

// OfApp reports whether it concerns the App as a whole, and not one installation.
func (e *SignInError) OfApp() bool {
	return slices.Contains([]SignInCause{WrongApp, WrongKey, WrongClock}, e.Cause)
}

func isOfClock(said string) bool { return ofClock().MatchString(said) }

var ofClock = lazyregexp.New(`'(exp|iat)'`)

func isOfApp(said string) bool { return strings.Contains(said, "Integration not found") }

// explain finds out why an installation gives no token, since GitHub's answer rarely
// says so. It returns an error that is not a refusal unchanged.
func (a *App) explain(ctx context.Context, at scope, full string, err error) error {
	var refused *RefusedError
	if !isOf(err, &refused, new(*PermissionError), new(*NotFoundError)) {
		return err
	}
	in, lookup := a.Installation(ctx, at.installation)
	on, there := "the installation of the App on "+in.Account, " at "+in.URL
	switch lacking := lackOf(at.permissions(), in.Permissions); {
	case errors.As(lookup, new(*NotFoundError)):
		return &SignInError{
			Cause: Removed, Happened: fmt.Sprintf("the App is not installed for %s any more: installation %d is gone", full, at.installation),
			Mend: "an owner can install it again from the App's page",
		}
	case lookup != nil:
		return err
	case in.Suspended:
		return &SignInError{Cause: Suspended, Happened: on + " is suspended", Mend: "an owner can unsuspend it" + there}
	case len(lacking) > 0:
		return &SignInError{Cause: MissingPermission, Happened: on + " does not grant " + enumerate(lacking), Mend: "an owner can accept the new permissions" + there}
	case refused != nil && refused.Status == http.StatusUnprocessableEntity:
		return &SignInError{Cause: NotIncluded, Happened: on + " does not include " + full, Mend: "an owner can add the repository" + there}
	}
	return err
}
