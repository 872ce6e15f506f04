package bot

import (
	"errors"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/store/database"
)

// withheldError is a database error for the public text of a check. It hides the details:
// anyone can read a check, and the place of the database is private.
type withheldError struct{ err error }

func (e *withheldError) Error() string {
	return "the server could not keep the record of the review; its log says why"
}

func (e *withheldError) Unwrap() error { return e.err }

// withhold hides the details of database errors from pull requests, except a used-up limit.
func withhold(err error) error {
	if err == nil || errors.As(err, new(*database.OverError)) {
		return err
	}
	return &withheldError{err}
}

// inFull returns the full error for the operator.
func inFull(err error) string {
	var hidden *withheldError
	if errors.As(err, &hidden) {
		return hidden.err.Error()
	}
	return err.Error()
}

// discreet is a record with errors that hide the place of the database.
type discreet struct{ store.Log }

// Append keeps an entry of the record.
func (d discreet) Append(e debate.Entry) error { return withhold(d.Log.Append(e)) }
