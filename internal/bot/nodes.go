package bot

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prdebate/debate/internal/bot/durable"
)

// BeatEvery is how often a node says that it lives.
const BeatEvery = 10 * time.Second

// Nodes are the servers that share a database.
type Nodes interface {
	Beat(ctx context.Context, node string, now int64) error
	// DeadNodes are those that said nothing since a time.
	DeadNodes(ctx context.Context, before int64) ([]string, error)
	ForgetNode(ctx context.Context, node string) error
}

// Heirs takes over what a dead node was doing.
type Heirs interface {
	TakeOver(ctx context.Context, node string) (jobs int, err error)
}

// Beat says that a node lives, and takes over what dead ones were doing.
func Beat(ctx context.Context, nodes Nodes, queue Heirs, node string, now time.Time, log *slog.Logger) error {
	if err := nodes.Beat(ctx, node, now.UnixMilli()); err != nil {
		return err
	}
	dead, err := nodes.DeadNodes(ctx, now.Add(-durable.DeadAfter).UnixMilli())
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
		failed = append(failed, nodes.ForgetNode(ctx, other))
	}
	return errors.Join(failed...)
}
