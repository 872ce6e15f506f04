package bot

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Chore is a periodic task.
type Chore struct {
	Name  string
	Every time.Duration
	Do    func(ctx context.Context) error
}

// RunChores runs each chore at once and then periodically, until the context ends. A failed
// chore runs again the next time.
func RunChores(ctx context.Context, log *slog.Logger, chores ...Chore) {
	var all sync.WaitGroup
	for _, c := range chores {
		all.Go(func() { c.run(ctx, log) })
	}
	all.Wait()
}

func (c Chore) run(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(c.Every)
	defer tick.Stop()
	for ctx.Err() == nil {
		if err := c.Do(ctx); err != nil && ctx.Err() == nil {
			log.ErrorContext(ctx, c.Name+" failed", "error", err.Error())
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}
