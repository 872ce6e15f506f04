package database_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/long"
)

// modelTask is what a task has to be, by the rules in plain words.
type modelTask struct {
	wanted, done int64
	wantedAt     []int64 // when each wish that is not done came
	attempts     int
	retryAt      int64
	parked       bool
}

func (m *modelTask) want(now int64) {
	m.wanted++
	m.wantedAt = append(m.wantedAt, now)
	m.attempts, m.retryAt, m.parked = 0, 0, false
}

func (m *modelTask) due(now int64) bool { return m.wanted > m.done && !m.parked && m.retryAt <= now }

// TestTasksFollowTheModel compares the tasks with a model after any history.
func TestTasksFollowTheModel(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		now := noon
		db := open(t, address(t), database.Options{Now: func() time.Time { return time.UnixMilli(now) }})
		history := 0
		long.Check(t, func(r *rapid.T) {
			history++ // each has a repository of its own
			repo := database.Repo{Installation: 1, ID: int64(history), Owner: "acme", Name: "shop"}
			tasks := make(map[string]*modelTask)
			known := make(map[string]bool)
			pull := rapid.IntRange(1, 3)
			of := func(r *rapid.T) (string, *modelTask) {
				subject := database.Subject(repo, event.Trigger{Number: pull.Draw(r, "pull request")})
				if tasks[subject] == nil {
					tasks[subject] = &modelTask{}
				}
				return subject, tasks[subject]
			}
			check := func(err error) {
				if err != nil {
					r.Fatal(err)
				}
			}
			r.Repeat(map[string]func(*rapid.T){
				"accept": func(r *rapid.T) {
					n := pull.Draw(r, "pull request")
					id := fmt.Sprint(history, " ", rapid.IntRange(1, 8).Draw(r, "delivery"))
					fresh, err := db.Accept(t.Context(), opened(id, repo, n, now))
					check(err)
					if fresh == known[id] {
						r.Fatalf("delivery %s: fresh %v", id, fresh)
					}
					if fresh {
						known[id] = true
						subject := database.Subject(repo, event.Trigger{Number: n})
						if tasks[subject] == nil {
							tasks[subject] = &modelTask{}
						}
						tasks[subject].want(now)
					}
				},
				"want": func(r *rapid.T) {
					n := pull.Draw(r, "pull request")
					check(db.Want(t.Context(), repo, event.Trigger{Number: n}))
					subject := database.Subject(repo, event.Trigger{Number: n})
					if tasks[subject] == nil {
						tasks[subject] = &modelTask{}
					}
					tasks[subject].want(now)
				},
				"done": func(r *rapid.T) {
					subject, m := of(r)
					seen := rapid.Int64Range(0, m.wanted).Draw(r, "seen")
					check(db.Done(t.Context(), subject, seen))
					if seen > m.done {
						m.wantedAt = m.wantedAt[seen-m.done:]
						m.done, m.attempts, m.retryAt, m.parked = seen, 0, 0, false
					}
				},
				"fail": func(r *rapid.T) {
					subject, m := of(r)
					f := database.Failure{Wanted: rapid.Int64Range(m.done, m.wanted).Draw(r, "seen"), Error: "why", RetryAt: now + 50, Park: rapid.Bool().Draw(r, "park")}
					check(db.Fail(t.Context(), subject, f))
					if m.wanted > m.done && f.Wanted == m.wanted {
						m.attempts++
						m.retryAt, m.parked = f.RetryAt, f.Park
					}
				},
				"unpark": func(r *rapid.T) {
					subject, m := of(r)
					check(db.Unpark(t.Context(), subject))
					if m.parked {
						m.want(now)
					}
				},
				"time passes": func(r *rapid.T) { now += rapid.Int64Range(1, 60).Draw(r, "ms") },
				"":            func(r *rapid.T) { compare(t, r, db, tasks, now) },
			})
		})
	})
}

// compare holds the database to the model.
func compare(t *testing.T, r *rapid.T, db *database.DB, tasks map[string]*modelTask, now int64) {
	all, err := db.Due(t.Context(), now, 10_000)
	if err != nil {
		r.Fatal(err)
	}
	due := make(map[string]bool)
	for _, one := range all {
		due[one.Subject] = true
	}
	for subject, m := range tasks {
		got, found, err := db.Task(t.Context(), subject)
		if err != nil || found != (m.wanted > 0) {
			r.Fatalf("%s: found %v, %v", subject, found, err)
		}
		same := got.Wanted == m.wanted && got.Done == m.done && got.Attempts == m.attempts && got.RetryAt == m.retryAt && (got.Parked > 0) == m.parked
		if !same {
			r.Fatalf("%s is %+v, the model %+v", subject, got, *m)
		}
		if m.wanted > m.done && (got.Since < m.wantedAt[0] || got.Since > m.wantedAt[len(m.wantedAt)-1]) {
			r.Fatalf("%s waits since %d, its wishes came at %v", subject, got.Since, m.wantedAt)
		}
		if due[subject] != m.due(now) {
			r.Fatalf("%s is due: %v", subject, due[subject])
		}
	}
}
