// Package durable is the job queue of the App. A job says "look at this subject", for
// example at one pull request. The queue runs every job at least once, even if the process
// dies, and never two jobs of one subject at the same time.
//
//	          Enqueue              a worker is free and no other
//	             │                 job of the subject runs
//	             ▼                          │
//	          waiting ──────────────────────┴──────────────> running ───> over
//	             ▲                                              │
//	             └──────────────────────────────────────────────┘
//	the process died and its node starts again, or another node takes over;
//	Drain cut the job; the database was away for too long
//
// The caller's own table of tasks decides what is left to do; the queue only runs jobs. So
// a job that is over, with or without an error, stays over, and a job that runs a second
// time must find nothing left to do.
//
// DBOS Transact does the work and is hidden here. It needs this from the database:
//
//   - SQLite: a file, not a database in memory. The queue finds its path through the
//     caller's handle and uses a file of its own, "PATH.queue". It makes this file for the
//     user alone and opens it with write-ahead log, synchronous FULL, foreign keys,
//     transactions that begin with the write lock, and a wait of ten seconds for that lock.
//     One process uses the caller's file at a time; it holds a lock on an empty file,
//     "PATH.lock". If you delete the queue's file while nothing runs, no work is lost: the
//     caller's table of tasks has it.
//   - PostgreSQL: a role with the right to create a schema; the tables of DBOS are in the
//     schema "debate_queue". The queue makes its own connections from the configuration of
//     the caller's pool: up to 18, and keeps two of them (one listens, one holds the lock of
//     the node). It does not work through a pooler in transaction mode.
//
// A node is one process. It holds the lock of its name for as long as it may run jobs, and
// stops its jobs some time after it lost the lock, so that TakeOver never starts a job that
// still runs elsewhere.
package durable

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/dbos-inc/dbos-transact-golang/dbos"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	appName      = "debate"
	queueName    = "subjects"
	workflowName = "job"
	schema       = "debate_queue"

	// version is the same for every release: DBOS never runs the jobs of another version.
	version = "1"

	// pollEvery is how often DBOS looks for work. With this an idle queue starts a job after
	// 60 ms in half of all cases, and needs 1 % of a processor.
	pollEvery = 100 * time.Millisecond

	openWithin    = 30 * time.Second
	openAgain     = 100 * time.Millisecond
	shutWithin    = 5 * time.Second
	never         = 24 * time.Hour // for DBOS's unused periodic work
	maxActive     = 10_000
	maxNodeLength = 100
)

// MaxWorkers bounds the concurrent jobs of a process.
const MaxWorkers = 1000

// ErrOver is returned by Enqueue for a job that is over. The queue will not run it again: a
// caller with an open task enqueues the next attempt.
var ErrOver = errors.New("the job is already over")

// ErrCut is the cause of a job's context (context.Cause) when the queue stops the job
// before its end. The job is neither finished nor failed then: it runs again.
var ErrCut = errors.New("the job is stopped here and runs again later")

// ErrNodeInUse is returned by Start when another process works under the same name, or
// on the same SQLite file.
var ErrNodeInUse = errors.New("another process is running as this node")

// ErrNodeAlive is returned by TakeOver for a node that still holds its lock.
var ErrNodeAlive = errors.New("the node is still connected to the database")

// Options are the parts of a queue. Exactly one of SQLite and Postgres is set.
type Options struct {
	SQLite   *sql.DB
	Postgres *pgxpool.Pool
	// Node names this process. It stays the same over restarts, so that the process finds
	// its jobs again; no two running processes may share it.
	Node string
	// Workers is the number of concurrent jobs in this process. All nodes of one database
	// should use the same number: the last one to start sets the number for all.
	Workers int
	Logger  *slog.Logger
	// Do does a job. Its error, or its panic, ends the job. It must return soon after ctx
	// is done; then its result counts only if it is nil.
	Do func(ctx context.Context, j Job) error
}

// Queue is a queue of jobs. Its methods may be called from several goroutines.
type Queue struct {
	node    string
	workers int
	log     *slog.Logger
	hush    *quiet // for the log of DBOS
	do      func(ctx context.Context, j Job) error

	backend backend
	dbos    dbos.Context
	roster  *roster

	mu       sync.Mutex // guards the fields below
	started  bool
	drained  bool
	stopKeep context.CancelFunc
	kept     chan struct{} // closed when the keeper has ended
	lock     lock          // the lock of the node; the keeper's while it runs
}

// New makes a queue and brings its tables up to date. It runs nothing before Start. The
// queue holds connections until Drain.
func New(ctx context.Context, o Options) (*Queue, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	var place backend
	var err error
	if o.SQLite != nil {
		place, err = newFile(ctx, o.SQLite)
	} else {
		place, err = newServer(ctx, o.Postgres, o.Workers)
	}
	if err != nil {
		return nil, err
	}
	q := &Queue{
		node:    o.Node,
		workers: o.Workers,
		log:     o.Logger,
		hush:    &quiet{inner: o.Logger.Handler(), said: &said{}},
		do:      o.Do,
		backend: place,
		roster:  newRoster(),
	}
	if err := q.open(ctx); err != nil {
		place.close()
		return nil, err
	}
	return q, nil
}

func (o Options) check() error {
	oneDatabase := (o.SQLite == nil) != (o.Postgres == nil)
	switch {
	case !oneDatabase:
		return errors.New("job queue: exactly one of SQLite and Postgres must be given")
	case o.Node == "" || len(o.Node) > maxNodeLength:
		return fmt.Errorf("job queue: the name of the node must have 1 to %d bytes", maxNodeLength)
	case o.Workers < 1 || o.Workers > MaxWorkers:
		return fmt.Errorf("job queue: %d workers: give 1 to %d", o.Workers, MaxWorkers)
	case o.Logger == nil || o.Do == nil:
		return errors.New("job queue: a logger and a function that does jobs must be given")
	}
	// DBOS reads these variables, and they would overrule the settings here.
	for _, name := range []string{"DBOS__APPVERSION", "DBOS__VMID", "DBOS__CLOUD"} {
		if os.Getenv(name) != "" {
			return fmt.Errorf("job queue: the environment variable %s is set; it would select the jobs of another server: unset it", name)
		}
	}
	return nil
}

// open connects DBOS to its tables and makes missing ones. A lock ensures that only one
// process makes them: DBOS does not.
func (q *Queue) open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, openWithin)
	defer cancel()
	for {
		held, err := q.backend.lock(ctx, tablesLock)
		if err != nil && !errors.Is(err, errTaken) {
			return err
		}
		taken := err != nil
		err = q.connect(ctx, taken)
		if !taken {
			held.unlock()
		}
		switch {
		case err == nil:
			// 0: DBOS gives up on no job. How often one was started is told to Do.
			dbos.RegisterWorkflow(q.dbos, q.run, dbos.WithWorkflowName(workflowName), dbos.WithMaxRecoveryAttempts(0))
			return nil
		case !taken || pause(ctx, openAgain) != nil:
			return fmt.Errorf("job queue: prepare the tables: %w", err)
		}
	}
}

// connect gives DBOS its handle. With onlyCheck it only checks that the tables belong to
// this program.
func (q *Queue) connect(ctx context.Context, onlyCheck bool) error {
	h, err := q.backend.open(ctx)
	if err != nil {
		return err
	}
	within := openWithin
	if end, ok := ctx.Deadline(); ok {
		within = max(time.Millisecond, time.Until(end))
	}
	q.hush.set(true) // errors are returned here
	defer q.hush.set(false)
	// Not under ctx: DBOS takes the end of its context for the wish to cancel all jobs.
	made, err := dbos.NewContext(context.WithoutCancel(ctx), dbos.Config{
		AppName:                      appName,
		SQLiteSystemDB:               h.sqlite,
		SystemDBPool:                 h.postgres,
		DatabaseSchema:               schema,
		SkipMigrations:               onlyCheck,
		Logger:                       slog.New(q.hush),
		ApplicationVersion:           version,
		ExecutorID:                   q.node,
		SchedulerPollingInterval:     never,
		SystemDBStartupTimeout:       within,
		NotificationCoalesceInterval: never,
	})
	if err != nil {
		h.close()
		return err
	}
	q.dbos = made
	return nil
}

// Enqueue puts a job into the queue. It leaves a waiting or running job unchanged, and
// returns ErrOver for one that is over. If the database does not answer, Enqueue may return
// later than ctx ends.
func (q *Queue) Enqueue(ctx context.Context, j Job) error {
	if err := j.check(); err != nil {
		return err
	}
	before, err := q.lookUp(dbos.From(q.dbos, ctx), j.ID())
	if err != nil {
		return err
	}
	switch before.standing {
	case over:
		return fmt.Errorf("enqueue %s: %w", j.ID(), ErrOver)
	case here, elsewhere:
		return nil
	}
	_, err = dbos.Enqueue[string](dbos.From(q.dbos, ctx), queueName, workflowName, j,
		dbos.WithEnqueueWorkflowID(j.ID()),
		dbos.WithEnqueueQueuePartitionKey(j.Subject),
		dbos.WithEnqueuePriority(uint(j.Wanted)), // keeps the order within one millisecond
	)
	if err != nil {
		return fmt.Errorf("enqueue %s: %w", j.ID(), err)
	}
	return nil
}

// Active returns the waiting and running jobs of all nodes, the oldest first and at most
// 10,000.
func (q *Queue) Active(ctx context.Context) ([]Job, error) {
	found, err := dbos.ListWorkflows(dbos.From(q.dbos, ctx),
		dbos.WithFilterQueueName(queueName),
		dbos.WithFilterStatus(dbos.WorkflowStatusEnqueued, dbos.WorkflowStatusPending),
		dbos.WithFilterLoadInput(false), dbos.WithFilterLoadOutput(false),
		dbos.WithFilterLimit(maxActive),
	)
	if err != nil {
		return nil, fmt.Errorf("list the jobs: %w", err)
	}
	jobs := make([]Job, 0, len(found))
	for _, f := range found {
		j, err := parseID(f.ID)
		if err != nil {
			return nil, err
		}
		j.Starts = f.Attempts
		jobs = append(jobs, j)
	}
	return jobs, nil
}
