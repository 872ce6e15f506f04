package durable

import (
	"context"
	"fmt"
	"time"

	"github.com/dbos-inc/dbos-transact-golang/dbos"
)

// Forget deletes the jobs that were over before the given time, and returns their number.
// Without it the database grows without end. Enqueue knows that a job is over until it is
// forgotten. (DBOS deletes old jobs only for its own cloud service.)
func (q *Queue) Forget(ctx context.Context, before time.Time) (int, error) {
	c := dbos.From(q.dbos, ctx)
	deleted := 0
	for {
		found, err := dbos.ListWorkflows(c,
			dbos.WithFilterQueueName(queueName),
			dbos.WithFilterStatus(dbos.WorkflowStatusSuccess, dbos.WorkflowStatusError),
			dbos.WithFilterCompletedBefore(before),
			dbos.WithFilterLoadInput(false), dbos.WithFilterLoadOutput(false),
			dbos.WithFilterLimit(batch),
		)
		if err != nil {
			return deleted, fmt.Errorf("list the jobs to forget: %w", err)
		}
		if len(found) == 0 {
			return deleted, nil
		}
		ids := make([]string, len(found))
		for i, f := range found {
			ids[i] = f.ID
		}
		if err := dbos.DeleteWorkflows(c, ids); err != nil {
			return deleted, fmt.Errorf("forget %d jobs: %w", len(ids), err)
		}
		deleted += len(ids)
	}
}
