package admin

import (
	"context"
	"sync"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store/database"
)

// maxVerdicts bounds the remembered verdicts.
const maxVerdicts = 5000

// verdict is the result of an ended review, from its record alone.
type verdict struct {
	headline string
	check    debate.Conclusion // by the debate alone
	next     string            // before a merge
	models   []modelStats
}

// verdicts reads records, one at a time because they can be large, and remembers each
// verdict: the record of an ended review does not change.
type verdicts struct {
	records Database
	turn    chan struct{} // holds a value while a record is read

	mu   sync.Mutex
	seen map[string]verdict // by session; the zero verdict for an unreadable record
}

func newVerdicts(records Database) *verdicts {
	return &verdicts{records: records, turn: make(chan struct{}, 1), seen: make(map[string]verdict)}
}

// of returns the verdict of a review. It reports false for a running review, an unreadable
// record, or if the time is over.
func (v *verdicts) of(ctx context.Context, s database.Session) (verdict, bool) {
	if s.Ended == 0 {
		return verdict{}, false
	}
	v.mu.Lock()
	one, known := v.seen[s.ID]
	v.mu.Unlock()
	if known {
		return one, one.headline != ""
	}
	select {
	case v.turn <- struct{}{}:
		defer func() { <-v.turn }()
	case <-ctx.Done():
		return verdict{}, false
	}
	_, end, err := endOf(ctx, v.records, s.ID)
	if err != nil && ctx.Err() != nil {
		return verdict{}, false
	}
	if err == nil {
		counted := models{}
		counted.add(end)
		e := report.FromState(end)
		one = verdict{headline: report.Headline(e), check: e.Conclusion, next: report.NextStep(e), models: counted.list()}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.seen) >= maxVerdicts {
		clear(v.seen)
	}
	v.seen[s.ID] = one
	return one, err == nil
}
