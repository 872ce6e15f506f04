package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prdebate/debate/internal/bot/journal"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/store/database"
)

// Records keeps the records of debates.
type Records interface {
	BeginSession(ctx context.Context, s database.Session) (store.Log, error)
	// Sessions lists sessions, the newest first.
	Sessions(ctx context.Context, f database.SessionFilter) ([]database.Session, error)
	// Resume opens the record of a session to go on with it.
	Resume(ctx context.Context, session string) (store.Log, store.Record, error)
	EndSession(ctx context.Context, id string, s database.Session) error
	// Reserve counts the possible cost of a session as spent until it ends. It returns a
	// *database.OverError if a limit has less left.
	Reserve(ctx context.Context, session string, micro int64, limits ...database.Limit) error
	// Depart keeps a call of a model before it is made.
	Depart(ctx context.Context, f database.Flight) error
	// Arrive books the cost of a session without running calls: the cost in its record, and
	// the possible cost of its other calls.
	Arrive(ctx context.Context, session database.Session, at int64, spend []database.Spend, told func(turn string) bool) error
	Record(ctx context.Context, session string) (store.Record, error)
}

// jobRecords keeps the records of one job.
type jobRecords struct {
	records Records
	repo    database.Repo
	number  int
	subject string // of the task
	now     func() time.Time
	within  []database.Limit // limits that its debates share with all others
	begun   []string         // sessions with entries of this job
	asks    atomic.Value     // the session among them that asks models, a string
}

// current returns the session that asks models, "" before there is one. It is safe for
// concurrent use: calls and checks run during a review.
func (b *jobRecords) current() string {
	id, _ := b.asks.Load().(string)
	return id
}

// place is the address of a record for people.
func place(session string) string { return "db:" + session }

// open opens the record of a new session (pull.Runner.Record).
func (b *jobRecords) open(session string) (pull.Log, string, error) {
	log, err := b.records.BeginSession(context.Background(), database.Session{ID: session, Repo: b.repo, Pull: b.number, Subject: b.subject, Started: b.now().UnixMilli()})
	if err != nil {
		return nil, "", mask(fmt.Errorf("begin the record %s: %w", session, err))
	}
	b.begun = append(b.begun, session)
	b.asks.Store(session)
	return jobLog{log, b, session}, place(session), nil
}

// jobLog is the record of a session. It reserves the possible cost before the first question,
// so that concurrent debates do not spend the same money, and its errors hide the place of the
// database.
type jobLog struct {
	store.Log
	books   *jobRecords
	session string
}

// Append keeps an entry of the record.
func (l jobLog) Append(e debate.Entry) error {
	if first, is := e.Event.(debate.Received); is {
		if err := l.books.reserve(context.Background(), l.session, first); err != nil {
			return mask(err)
		}
	}
	return mask(l.Log.Append(e))
}

// reserve reserves the possible cost of a debate. It first books the earlier debates of
// this job: they have ended.
func (b *jobRecords) reserve(ctx context.Context, session string, first debate.Received) error {
	for _, id := range b.begun {
		if id == session {
			continue
		}
		if _, _, err := b.book(ctx, id); err != nil {
			return err
		}
	}
	may := first.Settings.MaxCostMicro
	if r := first.Recall; r != nil { // the remembered calls are paid
		spent, _ := r.Asking.Spent()
		may -= min(spent, may)
	}
	return b.records.Reserve(ctx, session, may, b.within...)
}

// reserveRest reserves the remaining cost of a resumed session. It books the spent part
// first, because the old reservation may be gone.
func (b *jobRecords) reserveRest(ctx context.Context, session string) error {
	state, ok, err := b.book(ctx, session)
	if err != nil || !ok {
		return err
	}
	spent, _ := state.Asking.Spent()
	return b.records.Reserve(ctx, session, max(state.Received.Settings.MaxCostMicro-spent, 0), b.within...)
}

// depart stores a call before it is made, for the session that asks.
func (b *jobRecords) depart(ctx context.Context, f database.Flight) error {
	f.Session = b.current()
	return b.records.Depart(ctx, f)
}

// book books the cost so far of a session without running calls. ok is false if there is no
// readable record.
func (b *jobRecords) book(ctx context.Context, id string) (state debate.State, ok bool, err error) {
	state, ok, err = stateOf(ctx, b.records, id)
	if err != nil {
		return state, ok, err
	}
	at, of := b.now().UnixMilli(), database.Session{ID: id, Repo: b.repo, Pull: b.number}
	return state, ok, b.records.Arrive(ctx, of, at, spends(b.repo, b.number, id, state, at), state.Asking.Tells)
}

// bookLeft books the cost of all sessions of a task without an end: after a crash they are not
// booked.
func (w *Worker) bookLeft(ctx context.Context, task database.Task) error {
	b := &jobRecords{records: w.ledger, repo: task.Repo, number: numberOf(task.Triggers), now: w.Now}
	if b.number == 0 {
		return nil
	}
	list, err := b.records.Sessions(ctx, database.SessionFilter{Repo: b.repo.ID, Pull: b.number, Running: true})
	for _, s := range list {
		_, _, failed := b.book(ctx, s.ID)
		err = errors.Join(err, failed)
	}
	return err
}

// left finds the session of a dead job (pull.Runner.Left). If it cannot be resumed, the
// review begins anew.
func (b *jobRecords) left(ctx context.Context, number int) (*pull.Left, error) {
	list, err := b.records.Sessions(ctx, database.SessionFilter{Repo: b.repo.ID, Pull: number, Running: true})
	if err != nil {
		return nil, fmt.Errorf("find the debates that were not ended: %w", err)
	}
	if len(list) == 0 {
		return nil, nil
	}
	for _, s := range list { // but for the newest a newer one took their place: they end with this job
		if !slices.Contains(b.begun, s.ID) {
			b.begun = append(b.begun, s.ID)
		}
	}
	newest := list[0].ID
	log, rec, err := b.records.Resume(ctx, newest)
	if unreadable(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = b.reserveRest(ctx, newest)
	if errors.As(err, new(*database.OverError)) { // a new review gets the rest of the limit
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	b.asks.Store(newest)
	return &pull.Left{Session: newest, Place: place(newest), Log: jobLog{log, b, newest}, Entries: rec.Entries}, nil
}

// answered reports whether a review has ended since a time (Unix ms). A later attempt must
// not repeat it.
func (b *jobRecords) answered(ctx context.Context, since int64) (bool, error) {
	list, err := b.records.Sessions(ctx, database.SessionFilter{Repo: b.repo.ID, Pull: b.number})
	if err != nil {
		return false, fmt.Errorf("find what was reviewed: %w", err)
	}
	for _, s := range list {
		outcome := s.Outcome
		if s.Started < since {
			break // so did all that follow
		}
		if s.Ended == 0 {
			state, ok, err := stateOf(ctx, b.records, s.ID)
			if err != nil {
				return false, err
			}
			if ok && state.Terminal() {
				outcome = string(state.Ending.Outcome)
			}
		}
		if !slices.Contains([]string{"", outcomeLost, string(debate.Aborted)}, outcome) {
			return true, nil
		}
	}
	return false, nil
}

// unreadable reports whether a record cannot be read by this version of the program, now
// or ever.
func unreadable(err error) bool {
	return errors.As(err, new(*store.CorruptError)) || errors.As(err, new(*store.VersionError))
}

// outcomeLost is the outcome of a session with a dead run that does not resume.
const outcomeLost = "LOST"

// keep stores the results of a run: the cost of its sessions even after a failure; without
// a failure also their outcomes and the open decisions.
func (w *Worker) keep(ctx context.Context, b *jobRecords, result pull.Result, failed error) error {
	var errs []error
	for _, id := range b.begun {
		ended, verdict, err := w.book(ctx, b, id, failed == nil)
		errs = append(errs, err)
		if ended.ID != "" {
			w.Meter.Review(debate.Outcome(ended.Outcome))
			w.Log.InfoContext(journal.Review(ctx, id), "review ended", "verdict", verdict, "outcome", ended.Outcome, "check", ended.Conclusion, "p1", ended.P1, "p2", ended.P2, "p3", ended.P3,
				"calls", ended.Calls, "cost", report.Cost(report.USD(ended.Micro), ended.Unpriced), "seconds", (ended.Ended-ended.Started)/1000)
		}
	}
	if failed == nil && result.Reviewed {
		errs = append(errs, w.ledger.SetItems(ctx, b.repo, b.number, items(b.repo, result)))
	}
	return errors.Join(errs...)
}

// book books the cost of a session. If the session is over, book ends and returns it, with its
// verdict if it has one.
func (w *Worker) book(ctx context.Context, b *jobRecords, id string, over bool) (ended database.Session, verdict string, err error) {
	state, ok, err := b.book(ctx, id)
	if err != nil || !over {
		return database.Session{}, "", err
	}
	now := w.Now().UnixMilli()
	ended = database.Session{ID: id, Repo: b.repo, Pull: b.number, Started: now, Outcome: outcomeLost}
	if ok {
		e := report.FromState(state)
		ended, verdict = summary(b.repo, b.number, id, state, e), report.Headline(e)
	}
	ended.Ended = now
	return ended, verdict, w.ledger.EndSession(ctx, id, ended)
}

// stateOf folds the record of a session. ok is false if it is empty or this version cannot
// read it.
func stateOf(ctx context.Context, records Records, id string) (state debate.State, ok bool, err error) {
	rec, err := records.Record(ctx, id)
	if unreadable(err) {
		return state, false, nil
	}
	if err != nil {
		return state, false, fmt.Errorf("read the record %s: %w", id, err)
	}
	state, err = debate.Fold(rec.Entries)
	return state, err == nil && len(rec.Entries) > 0, nil
}

// ownCalls returns the calls of a session without those of the session that it continues:
// they are booked there.
func ownCalls(state debate.State) []debate.Call {
	calls := state.Asking.Made()
	if r := state.Received.Recall; r != nil {
		calls = calls[min(len(r.Asking.Calls), len(calls)):]
	}
	return calls
}

// spends returns the cost of a session by model.
func spends(repo database.Repo, number int, id string, state debate.State, at int64) []database.Spend {
	parties := make(map[string]debate.Party)
	for _, p := range state.Table.Parties {
		parties[p.ID] = p
	}
	var list []database.Spend
	for _, c := range ownCalls(state) {
		p := parties[c.Party]
		i := slices.IndexFunc(list, func(s database.Spend) bool { return s.Model == p.Model })
		if i < 0 {
			i = len(list)
			list = append(list, database.Spend{Session: id, Repo: repo, Pull: number, Provider: p.Provider, Model: p.Model, At: at})
		}
		s := &list[i]
		s.Calls++
		s.TokensIn += int64(c.Usage.TokensIn)
		s.TokensCached += int64(c.Usage.TokensCached)
		s.TokensOut += int64(c.Usage.TokensOut)
		s.Micro += c.Usage.CostMicro
		s.Unpriced = s.Unpriced || c.Usage.CostUnknown
	}
	return list
}

// summary returns a session for the operator's pages.
func summary(repo database.Repo, number int, id string, state debate.State, e report.Envelope) database.Session {
	s := database.Session{
		ID: id, Repo: repo, Pull: number, Title: state.Received.Anchor.Title, Head: state.Snapshot.HeadSHA, Started: state.Clock.StartedAt,
		Outcome: cmp.Or(string(e.Outcome), outcomeLost), Conclusion: string(e.Conclusion), P1: len(e.P1), P2: len(e.P2), P3: len(e.P3),
	}
	calls := ownCalls(state)
	s.Calls = len(calls)
	s.Micro, s.Unpriced = debate.Asking{Calls: calls}.Spent()
	return s
}

// items returns the open and the closed decisions of a pull request that need or needed a
// person.
func items(repo database.Repo, result pull.Result) []database.Item {
	var list []database.Item
	for _, d := range result.Checkpoint.Debate.Agenda.Decisions {
		if d.Human == nil {
			continue
		}
		item := database.Item{
			Repo: repo, Pull: result.Number, Decision: d.ID, Question: report.Asks(d, result.Number), Head: result.Head, AskedAt: d.Human.AskedAt,
			URL: result.View.Links[d.ID],
		}
		if d.Outcome != debate.AwaitingHuman {
			item.ClosedAt, item.Outcome, item.By = max(d.Human.At, 1), string(d.Outcome), d.Human.By
		}
		list = append(list, item)
	}
	return list
}
