package durable

import (
	"context"
	"errors"
	"fmt"

	"github.com/dbos-inc/dbos-transact-golang/dbos"
)

// batch bounds how many jobs are moved or deleted in one transaction.
const batch = 500

// TakeOver puts the jobs of a dead node back into the queue for any node, and returns their
// number. The caller knows that the node has been silent for DeadAfter. For a node with a
// database connection it returns ErrNodeAlive, also if its process hangs. The queue must
// have been started.
func (q *Queue) TakeOver(ctx context.Context, deadNode string) (int, error) {
	if deadNode == q.node {
		return 0, fmt.Errorf("take over node %q: that is this node itself", deadNode)
	}
	if !q.roster.isHeld() {
		return 0, fmt.Errorf("take over node %q: this node is not running or has lost the database", deadNode)
	}
	if !q.backend.single() { // its lock keeps the other node from starting meanwhile
		theirs, err := q.backend.lock(ctx, nodeLock+deadNode)
		if errors.Is(err, errTaken) {
			err = ErrNodeAlive
		}
		if err != nil {
			return 0, fmt.Errorf("take over node %q: %w", deadNode, err)
		}
		defer theirs.unlock()
	}
	n, err := q.putBack(dbos.From(q.dbos, ctx), nil, dbos.WithFilterExecutorIDs(deadNode))
	if err != nil {
		return n, fmt.Errorf("take over node %q: %w", deadNode, err)
	}
	return n, nil
}

// pending lists unfinished jobs that nodes have taken, at most one batch.
func (q *Queue) pending(c dbos.Client, filter ...dbos.ListWorkflowsOption) ([]dbos.WorkflowStatus, error) {
	return dbos.ListWorkflows(c, append(filter,
		dbos.WithFilterQueueName(queueName),
		dbos.WithFilterStatus(dbos.WorkflowStatusPending),
		dbos.WithFilterLoadInput(false), dbos.WithFilterLoadOutput(false),
		dbos.WithFilterLimit(batch),
	)...)
}

// putBack puts the jobs of a filter that choose accepts back into the queue. No node may be
// running them. A nil choose accepts all.
//
// DBOS moves a job back even if another node has it by then. Between the list and the move,
// the lock of the jobs' node keeps other nodes away.
func (q *Queue) putBack(c dbos.Client, choose func(dbos.WorkflowStatus) bool, filter ...dbos.ListWorkflowsOption) (int, error) {
	moved := 0
	for skip := 0; ; {
		found, err := q.pending(c, append(filter, dbos.WithFilterOffset(skip))...)
		if err != nil {
			return moved, fmt.Errorf("list the jobs to put back: %w", err)
		}
		var ids []string
		for _, f := range found {
			if choose == nil || choose(f) {
				ids = append(ids, f.ID)
			}
		}
		if err := q.resume(c, ids); err != nil {
			return moved, err
		}
		moved += len(ids)
		skip += len(found) - len(ids)
		if len(found) < batch {
			return moved, nil
		}
	}
}

func (q *Queue) resume(c dbos.Client, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	if _, err := dbos.ResumeWorkflows[string](c, ids, dbos.WithResumeQueue(queueName)); err != nil {
		return fmt.Errorf("put %d jobs back into the queue: %w", len(ids), err)
	}
	return nil
}
