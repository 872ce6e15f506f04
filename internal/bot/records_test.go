package bot

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store/database"
)

// TestSpendOfAnAnswer: a session that goes on from an earlier one, such as after a comment,
// costs what it asks itself: what it remembers was booked before.
func TestSpendOfAnAnswer(t *testing.T) {
	t.Parallel()
	call := func(ask string, micro int64) debate.Call {
		return debate.Call{Ask: ask, Party: "gpt", Usage: debate.Usage{TokensIn: 1000, CostMicro: micro}}
	}
	before := []debate.Call{call("A1", 400_000), call("A2", 500_000)}
	state := debate.State{
		Received: debate.Received{Recall: &debate.Memory{Asking: debate.Asking{Calls: before}}},
		Table:    debate.Table{Parties: []debate.Party{{ID: "gpt", Provider: "openai", Model: "gpt-5"}}},
		Asking:   debate.Asking{Calls: append(slices.Clone(before), call("A3", 30_000))},
	}
	repo := database.Repo{Installation: 1, ID: 2, Owner: "acme", Name: "shop"}
	want := database.Spend{Session: "debate-1", Repo: repo, Pull: 7, Model: "gpt-5", Provider: "openai", Calls: 1, TokensIn: 1000, Micro: 30_000, At: 9}
	if got := spends(repo, 7, "debate-1", state, 9); !slices.Equal(got, []database.Spend{want}) {
		t.Errorf("spent %+v, want %+v", got, want)
	}
	if s := summary(repo, 7, "debate-1", state, report.Envelope{}); s.Micro != 30_000 || s.Calls != 1 {
		t.Errorf("the page says %d calls for %d", s.Calls, s.Micro)
	}
}

// TestAnswered: a review that somebody asked for by hand is held once, whatever fails after
// it; one that did not come to its end is held again.
func TestAnswered(t *testing.T) {
	t.Parallel()
	repo := database.Repo{Installation: 1, ID: 2, Owner: "acme", Name: "shop"}
	const asked = 1000
	for _, tt := range []struct {
		name    string
		started int64
		outcome string // "" while it runs
		pull    int
		want    bool
	}{
		{name: "it ended since", started: asked + 1, outcome: string(debate.Consensus), pull: 7, want: true},
		{name: "it ended before", started: asked - 1, outcome: string(debate.Consensus), pull: 7},
		{name: "it was aborted", started: asked + 1, outcome: string(debate.Aborted), pull: 7},
		{name: "it was lost", started: asked + 1, outcome: outcomeLost, pull: 7},
		{name: "it goes on", started: asked + 1, pull: 7},
		{name: "that of another pull request", started: asked + 1, outcome: string(debate.Consensus), pull: 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			now := func() time.Time { return time.UnixMilli(tt.started) }
			db := ledgerAt(t, now)
			b := &jobRecords{records: db, repo: repo, number: tt.pull, now: now}
			if _, _, err := b.open("debate-1"); err != nil {
				t.Fatal(err)
			}
			if tt.outcome != "" {
				if err := db.EndSession(t.Context(), "debate-1", database.Session{Outcome: tt.outcome}); err != nil {
					t.Fatal(err)
				}
			}
			b.number = 7
			if got, err := b.answered(t.Context(), asked); got != tt.want || err != nil {
				t.Errorf("answered = %v, %v", got, err)
			}
		})
	}
}

// TestGoOnWithin: a session of a task that was given up holds no money; one that goes on
// reserves anew what it may still cost, and where so much is not left the review begins anew.
func TestGoOnWithin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		others int64 // reserved by others meanwhile
		goesOn bool
	}{
		{name: "enough is left", others: 3_000_000, goesOn: true},
		{name: "others took it", others: 4_000_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			now := func() time.Time { return time.UnixMilli(1000) }
			db := ledgerAt(t, now)
			repo := database.Repo{Installation: 1, ID: 2, Owner: "acme", Name: "shop"}
			limit := database.Limit{Installation: 1, Micro: 5_000_000}
			b := &jobRecords{records: db, repo: repo, number: 7, subject: "2/pull/7", now: now, within: []database.Limit{limit}}
			log, _, err := b.open("debate-1")
			if err != nil {
				t.Fatal(err)
			}
			first := debate.Received{Protocol: debate.ProtocolVersion, SessionID: "debate-1", Settings: debate.Settings{MaxCostMicro: 2_000_000}}
			if err := log.Append(debate.Entry{N: 1, At: 1000, Event: first}); err != nil {
				t.Fatal(err)
			}
			if err := db.Want(t.Context(), repo, event.Trigger{Event: "pull_request", Number: 7}); err != nil {
				t.Fatal(err)
			}
			reserved := func(want int64) {
				t.Helper()
				if micro, _, err := db.Spent(t.Context(), 1, 0, 0, ""); err != nil || micro != want {
					t.Errorf("%d counts as spent, want %d (%v)", micro, want, err)
				}
			}
			reserved(2_000_000)
			if err := db.Fail(t.Context(), "2/pull/7", database.Failure{Wanted: 1, Park: true}); err != nil {
				t.Fatal(err)
			}
			reserved(0)
			if _, err := db.BeginSession(t.Context(), database.Session{ID: "debate-2", Repo: repo, Pull: 8, Subject: "2/pull/8", Started: 1}); err != nil {
				t.Fatal(err)
			}
			if err := db.Reserve(t.Context(), "debate-2", tt.others, limit); err != nil {
				t.Fatal(err)
			}
			again := &jobRecords{records: db, repo: repo, number: 7, subject: "2/pull/7", now: now, within: b.within}
			left, err := again.left(t.Context(), 7)
			if err != nil || (left != nil) != tt.goesOn {
				t.Fatalf("left %v, %v", left, err)
			}
			if tt.goesOn {
				reserved(tt.others + 2_000_000)
			} else {
				reserved(tt.others)
			}
		})
	}
}

// TestLeftNewest: of several debates without an end the newest one goes on.
func TestLeftNewest(t *testing.T) {
	t.Parallel()
	db := ledgerAt(t, time.Now)
	repo := database.Repo{Installation: 1, ID: 2, Owner: "acme", Name: "shop"}
	heads := []string{strings.Repeat("a", 40), strings.Repeat("b", 40)}
	for i, id := range []string{"debate-1", "debate-2"} {
		b := &jobRecords{records: db, repo: repo, number: 7, now: func() time.Time { return time.UnixMilli(int64(1 + i)) }}
		if _, _, err := b.open(id); err != nil {
			t.Fatal(err)
		}
		log, _, err := db.Resume(t.Context(), id)
		if err == nil {
			err = log.Append(debate.Entry{N: 1, At: 1, Event: debate.Snapshotted{HeadSHA: heads[i]}})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	left, err := (&jobRecords{records: db, repo: repo, number: 7, now: time.Now}).left(t.Context(), 7)
	if err != nil || left.Session != "debate-2" || pull.HeadOf(left.Entries) != heads[1] {
		t.Errorf("left %+v, %v", left, err)
	}
}

// TestCallsOfACrash: a call that was under way when the server ended counts in full, whether
// its session goes on or its task is given up; of an answer that is recorded counts its cost.
func TestCallsOfACrash(t *testing.T) {
	t.Parallel()
	now := func() time.Time { return time.UnixMilli(1000) }
	db := ledgerAt(t, now)
	repo := database.Repo{Installation: 1, ID: 2, Owner: "acme", Name: "shop"}
	job := func() *jobRecords {
		return &jobRecords{records: db, repo: repo, number: 7, subject: "2/pull/7", now: now, within: []database.Limit{{Installation: 1, Micro: 5_000_000}}}
	}
	spent := func(want int64) {
		t.Helper()
		if micro, _, err := db.Spent(t.Context(), 1, 0, 0, ""); err != nil || micro != want {
			t.Errorf("%d counts as spent, want %d (%v)", micro, want, err)
		}
	}
	b := job()
	log, _, err := b.open("debate-1")
	if err != nil {
		t.Fatal(err)
	}
	first := debate.Received{Protocol: debate.ProtocolVersion, SessionID: "debate-1", Settings: debate.Settings{MaxCostMicro: 2_000_000}}
	if err := log.Append(debate.Entry{N: 1, At: 1000, Event: first}); err != nil {
		t.Fatal(err)
	}
	depart := func(b *jobRecords) {
		t.Helper()
		if err := b.depart(t.Context(), database.Flight{Ask: "OPEN/1/gpt", Provider: "openai", Model: "gpt-5", Micro: 300_000}); err != nil {
			t.Fatal(err)
		}
	}
	depart(b)
	spent(2_000_000)
	again := job() // after a crash
	if left, err := again.left(t.Context(), 7); err != nil || left == nil {
		t.Fatalf("left %v, %v", left, err)
	}
	spent(2_300_000)
	depart(again)
	w := &Worker{ledger: db, Now: now}
	task := database.Task{Repo: repo, Subject: "2/pull/7", Triggers: []event.Trigger{{Number: 7}}}
	if err := w.bookLeft(t.Context(), task); err != nil { // after another, and then it is given up
		t.Fatal(err)
	}
	spent(2_600_000)
}

// TestSpendsOfACutWave: what was answered and what was looked at before a cut is booked
// once, though its wave is not over.
func TestSpendsOfACutWave(t *testing.T) {
	t.Parallel()
	cost := func(micro int64) debate.Usage { return debate.Usage{CostMicro: micro} }
	state := debate.State{
		Received: debate.Received{Recall: &debate.Memory{Asking: debate.Asking{Calls: []debate.Call{{Ask: "OPEN/1/gpt", Usage: cost(7000)}}}}},
		Table:    debate.Table{Parties: []debate.Party{{ID: "gpt", Provider: "openai", Model: "gpt-5"}, {ID: "claude", Provider: "anthropic", Model: "opus"}}},
		Asking: debate.Asking{
			Calls: []debate.Call{{Ask: "OPEN/1/gpt", Party: "gpt", Usage: cost(7000)}, {Ask: "OPEN/2/gpt", Party: "gpt", Usage: cost(3)}},
			Wave: &debate.Wave{
				Asks:    []debate.Ask{{ID: "CHALLENGE/2/gpt", Party: "gpt"}, {ID: "CHALLENGE/2/claude", Party: "claude"}},
				Replies: []debate.Replied{{Ask: "CHALLENGE/2/gpt", Usage: cost(40)}, {}},
				Looks:   []debate.Looked{{Ask: "CHALLENGE/2/claude", Seen: []debate.Seen{{}}, Usage: cost(500)}, {Ask: "CHALLENGE/2/claude", Seen: []debate.Seen{{}}, Usage: cost(600)}},
			},
		},
	}
	got := make(map[string][2]int64)
	for _, s := range spends(database.Repo{}, 7, "debate-1", state, 9) {
		got[s.Model] = [2]int64{int64(s.Calls), s.Micro}
	}
	want := map[string][2]int64{"gpt-5": {2, 43}, "opus": {1, 1100}}
	if !maps.Equal(got, want) {
		t.Errorf("spent %v, want %v", got, want)
	}
}

// ledgerAt opens a database of its own, with a clock.
func ledgerAt(t *testing.T, now func() time.Time) *database.DB {
	t.Helper()
	db, err := database.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "debate.db"), database.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}
