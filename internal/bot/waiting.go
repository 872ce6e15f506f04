package bot

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/store/database"
)

// The bounds of waiting for an absent database.
const (
	askAgain      = time.Second
	longestOutage = 10 * time.Minute
)

// waitingLedger is a ledger that waits while the database is away: otherwise paid answers and the
// ends of jobs would be lost. The end of the job ends the wait.
type waitingLedger struct {
	Ledger
	job <-chan struct{} // closed when the job has to end
	log *slog.Logger
}

// persist calls do again until the database works.
func (p waitingLedger) persist(ctx context.Context, do func() error) error {
	var enough <-chan time.Time
	for {
		err := do()
		if !errors.As(err, new(*database.FaultError)) {
			return err
		}
		if enough == nil {
			p.log.WarnContext(ctx, "a job waits for the database", "error", err.Error())
			timer := time.NewTimer(longestOutage)
			defer timer.Stop()
			enough = timer.C
		}
		again := time.NewTimer(askAgain)
		select {
		case <-again.C:
			continue
		case <-p.job:
		case <-enough:
		}
		again.Stop()
		return err
	}
}

func (p waitingLedger) Task(ctx context.Context, subject string) (task database.Task, known bool, err error) {
	err = p.persist(ctx, func() (err error) {
		task, known, err = p.Ledger.Task(ctx, subject)
		return err
	})
	return task, known, err
}

func (p waitingLedger) Done(ctx context.Context, subject string, wanted int64) error {
	return p.persist(ctx, func() error { return p.Ledger.Done(ctx, subject, wanted) })
}

func (p waitingLedger) Fail(ctx context.Context, subject string, f database.Failure) error {
	return p.persist(ctx, func() error { return p.Ledger.Fail(ctx, subject, f) })
}

func (p waitingLedger) SetItems(ctx context.Context, repo database.Repo, number int, items []database.Item) error {
	return p.persist(ctx, func() error { return p.Ledger.SetItems(ctx, repo, number, items) })
}

func (p waitingLedger) BeginSession(ctx context.Context, s database.Session) (log store.Log, err error) {
	err = p.persist(ctx, func() (err error) {
		log, err = p.Ledger.BeginSession(ctx, s)
		return err
	})
	return waitingLog{log, p}, err
}

func (p waitingLedger) Sessions(ctx context.Context, f database.SessionFilter) (list []database.Session, err error) {
	err = p.persist(ctx, func() (err error) {
		list, err = p.Ledger.Sessions(ctx, f)
		return err
	})
	return list, err
}

func (p waitingLedger) Resume(ctx context.Context, session string) (log store.Log, rec store.Record, err error) {
	err = p.persist(ctx, func() (err error) {
		log, rec, err = p.Ledger.Resume(ctx, session)
		return err
	})
	return waitingLog{log, p}, rec, err
}

func (p waitingLedger) EndSession(ctx context.Context, id string, s database.Session) error {
	return p.persist(ctx, func() error { return p.Ledger.EndSession(ctx, id, s) })
}

func (p waitingLedger) Reserve(ctx context.Context, session string, micro int64, limits ...database.Limit) error {
	return p.persist(ctx, func() error { return p.Ledger.Reserve(ctx, session, micro, limits...) })
}

func (p waitingLedger) Depart(ctx context.Context, f database.Flight) error {
	return p.persist(ctx, func() error { return p.Ledger.Depart(ctx, f) })
}

func (p waitingLedger) Arrive(ctx context.Context, session database.Session, at int64, spend []database.Spend, told func(turn string) bool) error {
	return p.persist(ctx, func() error { return p.Ledger.Arrive(ctx, session, at, spend, told) })
}

func (p waitingLedger) Record(ctx context.Context, session string) (rec store.Record, err error) {
	err = p.persist(ctx, func() (err error) {
		rec, err = p.Ledger.Record(ctx, session)
		return err
	})
	return rec, err
}

// waitingLog is a session's record that waits like its ledger.
type waitingLog struct {
	store.Log
	patient waitingLedger
}

// Append keeps an entry of the record.
func (l waitingLog) Append(e debate.Entry) error {
	return l.patient.persist(context.Background(), func() error { return l.Log.Append(e) })
}
