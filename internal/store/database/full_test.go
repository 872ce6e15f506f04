package database

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/prdebate/debate/internal/event"
)

// TestNoMorePages: a file that may not grow fails with one cause, keeps what was
// acknowledged, and goes on when it may grow again.
func TestNoMorePages(t *testing.T) {
	t.Parallel()
	db := openTest(t)
	var pages int
	if err := db.conns.writer.QueryRow("PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	pageLimit := func(n int) {
		if _, err := db.conns.writer.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", n)); err != nil {
			t.Fatal(err)
		}
	}
	delivery := func(n int) Delivery {
		id := fmt.Sprintf("%0200d", n)
		return Delivery{ID: id, Event: "pull_request", Content: id, At: 1, Repo: Repo{ID: 1, Owner: "acme", Name: "shop"}, Trigger: event.Trigger{Number: n + 1}}
	}
	pageLimit(pages + 10)
	kept := 0
	for ; kept < 10_000; kept++ {
		_, err := db.Accept(t.Context(), delivery(kept))
		var fault *FaultError
		if errors.As(err, &fault) && fault.Cause == Full {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if kept == 0 || kept == 10_000 {
		t.Fatalf("full after %d deliveries", kept)
	}
	pageLimit(1 << 30)
	for n := range kept + 1 {
		fresh, err := db.Accept(t.Context(), delivery(n))
		if wasKept := n < kept; err != nil || fresh == wasKept {
			t.Errorf("delivery %d of %d that were kept: fresh %v, %v", n, kept, fresh, err)
		}
	}
}

// TestEveryConnectionIsDurable: SQLite keeps what was committed through a power cut only
// where a connection says so.
func TestEveryConnectionIsDurable(t *testing.T) {
	t.Parallel()
	db := openTest(t)
	for name, handle := range map[string]interface {
		QueryRow(query string, args ...any) *sql.Row
	}{"writer": db.conns.writer, "reader": db.conns.reader} {
		for pragma, want := range map[string]string{"synchronous": "2", "journal_mode": "wal", "busy_timeout": "5000", "foreign_keys": "1"} {
			var got string
			if err := handle.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
				t.Errorf("%s: %s is %s, want %s; %v", name, pragma, got, want, err)
			}
		}
	}
	if _, err := db.conns.reader.Exec("DELETE FROM nodes"); err == nil {
		t.Error("the reader writes")
	}
}
