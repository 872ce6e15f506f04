package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/store/database"
)

// broken is records that cannot be kept.
type broken struct {
	Records
	store.Log
	err error
}

func (b broken) BeginSession(context.Context, database.Session) (store.Log, error) {
	return nil, b.err
}
func (b broken) Append(debate.Entry) error { return b.err }

// TestWithheld: where the database of the operator is shows on no pull request, and the
// operator is told. That a limit is used up is said.
func TestWithheld(t *testing.T) {
	t.Parallel()
	fault := &database.FaultError{Cause: database.Unreachable, Address: "postgres://db.internal/debate", Err: errors.New("dial 10.0.0.5")}
	records := broken{err: fault}
	b := &jobRecords{records: records, now: time.Now}
	_, _, begin := b.open("debate-1")
	for what, err := range map[string]error{
		"begin": begin, "append": jobLog{records, b, "debate-1"}.Append(debate.Entry{}),
	} {
		if err == nil || strings.Contains(err.Error(), "db.internal") || strings.Contains(err.Error(), "10.0.0.5") || !errors.Is(err, fault) {
			t.Errorf("%s: a pull request is told %q", what, err)
		}
		if told := unmasked(fmt.Errorf("review: %w", err)); !strings.Contains(told, "db.internal") {
			t.Errorf("%s: the operator is told %q", what, told)
		}
	}
	over := &database.OverError{Micro: 2, Left: 1}
	if err := mask(over); err.Error() != over.Error() {
		t.Errorf("a limit: %q", err)
	}
}
