package bot

import (
	"errors"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/store/database"
)

// withheldError is an error of the database as a pull request may show it. What a check says
// everybody can read, and where the operator's database is, is nobody else's business.
type withheldError struct{ err error }

func (e *withheldError) Error() string {
	return "the server could not keep the record of the review; its log says why"
}

func (e *withheldError) Unwrap() error { return e.err }

// withhold keeps from pull requests what the database says of itself. A limit that is used
// up is said.
func withhold(err error) error {
	if err == nil || errors.As(err, new(*database.OverError)) {
		return err
	}
	return &withheldError{err}
}

// inFull is what an error says to the operator.
func inFull(err error) string {
	var hidden *withheldError
	if errors.As(err, &hidden) {
		return hidden.err.Error()
	}
	return err.Error()
}

// discreet is a record whose faults do not tell a pull request where the database is.
type discreet struct{ store.Log }

// Append keeps an entry of the record.
func (d discreet) Append(e debate.Entry) error { return withhold(d.Log.Append(e)) }
