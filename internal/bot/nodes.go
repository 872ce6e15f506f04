package bot

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prdebate/debate/internal/bot/durable"
	"github.com/prdebate/debate/internal/store/database"
)

// BeatEvery is the interval of a node's heartbeat.
const BeatEvery = 10 * time.Second

// Heirs takes over the jobs of a dead node.
type Heirs interface {
	TakeOver(ctx context.Context, node string) (jobs int, err error)
}

// Beat records a heartbeat and takes over the jobs of dead nodes.
func Beat(ctx context.Context, db *database.DB, queue Heirs, node string, now time.Time, log *slog.Logger) error {
	if err := db.Beat(ctx, node, now.UnixMilli()); err != nil {
		return err
	}
	dead, err := db.DeadNodes(ctx, now.Add(-durable.DeadAfter).UnixMilli())
	if err != nil {
		return err
	}
	var failed []error
	for _, other := range dead {
		jobs, err := queue.TakeOver(ctx, other)
		switch {
		case errors.Is(err, durable.ErrNodeAlive): // its clock is late, or it lost its words
			continue
		case err != nil:
			failed = append(failed, err)
			continue
		}
		log.WarnContext(ctx, "a node is gone, its jobs run here or elsewhere", "node", other, "jobs", jobs)
		failed = append(failed, db.ForgetNode(ctx, other))
	}
	return errors.Join(failed...)
}
