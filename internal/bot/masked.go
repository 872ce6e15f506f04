package bot

import (
	"errors"

	"github.com/prdebate/debate/internal/store/database"
)

// maskedError is a database error for the public text of a check. It hides the details:
// anyone can read a check, and the place of the database is private.
type maskedError struct{ err error }

func (e *maskedError) Error() string {
	return "the server could not keep the record of the review; its log says why"
}

func (e *maskedError) Unwrap() error { return e.err }

// mask hides the details of database errors from pull requests, except a used-up limit.
func mask(err error) error {
	if err == nil || errors.As(err, new(*database.OverError)) {
		return err
	}
	return &maskedError{err}
}

// unmasked returns the full error for the operator.
func unmasked(err error) string {
	var hidden *maskedError
	if errors.As(err, &hidden) {
		return hidden.err.Error()
	}
	return err.Error()
}
