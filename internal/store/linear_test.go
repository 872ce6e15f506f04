package store

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// long is a log of n events as bytes.
func long(tb testing.TB, n int) []byte {
	tb.Helper()
	all := []byte(head)
	prev := digest(bytes.TrimSuffix(all, []byte("\n")))
	for i := range n {
		text, err := encodeLine(debate.Entry{N: i + 1, At: int64(i), Event: debate.AbortedEvent{Reason: fmt.Sprintf("%0200d", i)}}, prev)
		if err != nil {
			tb.Fatal(err)
		}
		prev = digest(text)
		all = append(append(all, text...), '\n')
	}
	return all
}

// TestLinearRead: ten times the events cost ten times the work.
func TestLinearRead(t *testing.T) {
	work := func(n int) float64 {
		data := long(t, n)
		return testing.AllocsPerRun(1, func() {
			rec, err := Decode(bytes.NewReader(data))
			if err != nil || len(rec.Entries) != n {
				t.Fatalf("%d entries, %v", len(rec.Entries), err)
			}
		})
	}
	small, large := work(1_000), work(10_000)
	if large > 11*small {
		t.Errorf("1,000 events take %.0f allocations, 10,000 take %.0f", small, large)
	}
}
