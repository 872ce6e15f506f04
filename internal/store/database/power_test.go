package database_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/databasetest"
)

// TestPowerCut: of what was written to the log of the file behind the last acknowledged
// delivery, a power cut can leave any part on disk. All that was acknowledged is there.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	const deliveries, cuts = 40, 100
	at := databasetest.SQLite(t)
	db := open(t, at, database.Options{})
	path := strings.TrimPrefix(at, "sqlite:")
	sizes := []int64{logSize(t, path)} // of the log, behind so many deliveries
	for i := range deliveries {
		accept(t, db, opened(fmt.Sprint(i), shop, 1+i%5, noon))
		sizes = append(sizes, logSize(t, path))
	}
	pages, err := os.ReadFile(path)
	must(t, err)
	log, err := os.ReadFile(path + "-wal")
	must(t, err)
	if sizes[0] == 0 || sizes[deliveries] != int64(len(log)) || sizes[1] <= sizes[0] {
		t.Fatalf("the log does not grow with what is kept: %v", sizes)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range cuts {
		kept := random.IntN(deliveries)
		after := filepath.Join(t.TempDir(), "debate.db")
		must(t, os.WriteFile(after, pages, 0o600))
		must(t, os.WriteFile(after+"-wal", cutLog(random, log, sizes[kept]), 0o600))
		survives(t, after, kept)
	}
}

func logSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path + "-wal")
	must(t, err)
	return info.Size()
}

// cutLog is a log of which everything up to safe is on disk, and of the rest any blocks.
func cutLog(random *rand.Rand, log []byte, safe int64) []byte {
	const block = 512
	end := min(len(log), int(safe)+random.IntN(30_000))
	left := append([]byte(nil), log[:end]...)
	for from := int(safe); from < end; from += block {
		if random.IntN(3) == 0 {
			clear(left[from:min(from+block, end)])
		}
	}
	return left
}

// survives opens what a power cut left.
func survives(t *testing.T, path string, kept int) {
	t.Helper()
	db, err := database.Open(t.Context(), "sqlite:"+path, database.Options{})
	must(t, err)
	var found string
	must(t, db.SQLite().QueryRow("PRAGMA integrity_check(1)").Scan(&found))
	if found != "ok" {
		t.Errorf("after %d deliveries: %s", kept, found)
	}
	var rows, wanted int64
	count(t, db, "SELECT count(*) FROM deliveries", &rows)
	count(t, db, "SELECT coalesce(sum(wanted), 0) FROM tasks", &wanted)
	if rows != wanted {
		t.Errorf("%d deliveries, %d of them wanted", rows, wanted)
	}
	for i := range kept {
		if accept(t, db, opened(fmt.Sprint(i), shop, 1, noon)) {
			t.Errorf("delivery %d of %d was acknowledged and is lost", i, kept)
		}
	}
	must(t, db.Close())
}
