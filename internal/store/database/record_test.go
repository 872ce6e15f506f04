package database

import (
	"errors"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/store"
)

// TestWordOfACommitIsLost: an entry that was kept although its writer was not told can be
// appended again, which keeps it once. Another one in its place is a conflict.
func TestWordOfACommitIsLost(t *testing.T) {
	t.Parallel()
	db := openTest(t)
	made, err := db.BeginSession(t.Context(), Session{ID: "debate-1", Started: 1})
	if err != nil {
		t.Fatal(err)
	}
	told := made.(*log)
	untold := &log{db: db, session: "debate-1", end: told.end, unsure: true}
	other := &log{db: db, session: "debate-1", end: told.end, unsure: true}
	sure := &log{db: db, session: "debate-1", end: told.end}
	first := debate.Entry{N: 1, At: 1, Event: debate.Resumed{}}
	if err := told.Append(first); err != nil {
		t.Fatal(err)
	}
	if err := untold.Append(first); err != nil || untold.Last() != told.Last() {
		t.Errorf("once more: %v", err)
	}
	if err := untold.Append(debate.Entry{N: 2, At: 2, Event: debate.Resumed{}}); err != nil {
		t.Errorf("the next one: %v", err)
	}
	for what, err := range map[string]error{
		"another entry":                 other.Append(debate.Entry{N: 1, At: 9, Event: debate.Resumed{}}),
		"the same, of another writer":   sure.Append(first),
		"an entry that another follows": other.Append(first),
	} {
		if !errors.As(err, new(*store.ConflictError)) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if rec, err := db.Record(t.Context(), "debate-1"); err != nil || len(rec.Entries) != 2 {
		t.Errorf("it holds %d entries, %v", len(rec.Entries), err)
	}
}
