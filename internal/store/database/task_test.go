package database_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/store/database"
)

var (
	shop = database.Repo{Installation: 375706, ID: 186853002, Owner: "acme", Name: "shop"}
	docs = database.Repo{Installation: 375706, ID: 5_000_000_000, Owner: "acme", Name: "docs"} // more than 32 bits
)

const noon = int64(1_767_355_200_000)

// at is a clock that stands.
func at(ms int64) func() time.Time { return func() time.Time { return time.UnixMilli(ms) } }

// opened is a delivery for a pull request.
func opened(id string, repo database.Repo, pull int, ms int64) database.Delivery {
	return database.Delivery{
		ID: id, Event: "pull_request", Content: "content of " + id, At: ms, Repo: repo,
		Trigger: event.Trigger{Event: "pull_request", Action: "opened", Number: pull},
	}
}

func accept(t *testing.T, db *database.DB, d database.Delivery) bool {
	t.Helper()
	fresh, err := db.Accept(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return fresh
}

func task(t *testing.T, db *database.DB, subject string) database.Task {
	t.Helper()
	got, found, err := db.Task(t.Context(), subject)
	if err != nil || !found {
		t.Fatalf("task %s: found %v, %v", subject, found, err)
	}
	return got
}

func due(t *testing.T, db *database.DB, now int64) []string {
	t.Helper()
	all, err := db.Due(t.Context(), now, 10)
	if err != nil {
		t.Fatal(err)
	}
	subjects := []string{}
	for _, one := range all {
		subjects = append(subjects, one.Subject)
	}
	return subjects
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", what, diff)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestSubject(t *testing.T) {
	t.Parallel()
	for want, trigger := range map[string]event.Trigger{
		"186853002/pull/7":   {Number: 7, Issue: 31},
		"186853002/issue/31": {Issue: 31},
		"186853002/queue/ab": {QueueHead: "ab", QueueBase: "cd"},
		"186853002/sweep":    {Sweep: true},
	} {
		same(t, "subject", database.Subject(shop, trigger), want)
	}
}

func TestAccept(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{})
		first := opened("1", shop, 7, noon)
		if !accept(t, db, first) || accept(t, db, first) {
			t.Error("the first delivery is fresh once")
		}
		twin := opened("2", shop, 7, noon+1)
		twin.Content = first.Content
		if accept(t, db, twin) {
			t.Error("the same content under another id is fresh")
		}
		other := opened("1", shop, 8, noon+1)
		if accept(t, db, other) {
			t.Error("another content under the same id is fresh")
		}
		want := database.Task{Subject: "186853002/pull/7", Repo: shop, Triggers: []event.Trigger{first.Trigger}, Wanted: 1, Since: noon}
		same(t, "after one delivery", task(t, db, want.Subject), want)
		renamed := shop
		renamed.Name, renamed.Installation = "store", 2
		second := opened("3", renamed, 7, noon+5)
		second.Trigger.Action = "synchronize"
		if !accept(t, db, second) {
			t.Error("a new delivery is not fresh")
		}
		want.Repo, want.Triggers, want.Wanted = renamed, []event.Trigger{first.Trigger, second.Trigger}, 2
		same(t, "after two deliveries", task(t, db, want.Subject), want)
		if _, found, err := db.Task(t.Context(), "186853002/pull/8"); found || err != nil {
			t.Errorf("a duplicate made a task: %v, %v", found, err)
		}
	})
}

// TestAcceptRefuses: what a database could not keep is refused and leaves the others be.
func TestAcceptRefuses(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{})
		for name, spoil := range map[string]func(d *database.Delivery){
			"no id":            func(d *database.Delivery) { d.ID = "" },
			"zero byte":        func(d *database.Delivery) { d.Event = "pull\x00request" },
			"no text":          func(d *database.Delivery) { d.Repo.Name = "\xff" },
			"long owner":       func(d *database.Delivery) { d.Repo.Owner = strings.Repeat("x", 300) },
			"no content":       func(d *database.Delivery) { d.Content = "" },
			"queue of no text": func(d *database.Delivery) { d.Trigger = event.Trigger{QueueHead: "a\x00"} },
		} {
			d := opened(name, shop, 1, noon)
			spoil(&d)
			if _, err := db.Accept(t.Context(), d); err == nil || !strings.Contains(err.Error(), " is empty, longer than 256 bytes or no text") {
				t.Errorf("%s: %v", name, err)
			}
		}
		hostile := opened("hostile", shop, 1, noon)
		hostile.Trigger.Action = "\x00 \xff '; DROP TABLE tasks; -- $1 ? \u2028"
		accept(t, db, hostile)
		if got := task(t, db, "186853002/pull/1").Triggers[0].Action; !strings.HasPrefix(got, "\x00 ") || !strings.HasSuffix(got, "$1 ? \u2028") {
			t.Errorf("the action came back as %q", got)
		}
	})
}

// TestAcceptAtOnce: many callers at once lose nothing and count everything once.
func TestAcceptAtOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{})
		const callers, each, subjects = 20, 10, 3
		fresh := make([]int, callers)
		var all sync.WaitGroup
		for c := range callers {
			all.Go(func() {
				for i := range each {
					d := opened(fmt.Sprint(i, " of ", c/2), shop, 1+i%subjects, noon) // each comes twice
					ok, err := db.Accept(context.Background(), d)
					if err != nil {
						t.Error(err)
					}
					if ok {
						fresh[c]++
					}
				}
			})
		}
		all.Wait()
		sum, wanted := 0, int64(0)
		for _, n := range fresh {
			sum += n
		}
		for n := 1; n <= subjects; n++ {
			wanted += task(t, db, fmt.Sprintf("186853002/pull/%d", n)).Wanted
		}
		if sum != callers*each/2 || wanted != int64(sum) {
			t.Errorf("%d fresh deliveries, %d counted, want %d", sum, wanted, callers*each/2)
		}
	})
}

func TestTaskGoesOn(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{Now: at(noon + 500)})
		const seven, eight = "186853002/pull/7", "5000000000/pull/8"
		accept(t, db, opened("1", shop, 7, noon))
		accept(t, db, opened("2", docs, 8, noon-10))
		same(t, "due, the oldest first", due(t, db, noon), []string{eight, seven})
		accept(t, db, opened("3", shop, 7, noon+100))
		must(t, db.Done(t.Context(), seven, 1))
		got := task(t, db, seven)
		if got.Done != 1 || got.Wanted != 2 || got.Since != noon+100 {
			t.Errorf("what was wanted meanwhile: %+v", got)
		}
		must(t, db.Done(t.Context(), seven, 9))
		if got := task(t, db, seven); got.Done != 1 {
			t.Errorf("done %d of %d", got.Done, got.Wanted)
		}
		must(t, db.Done(t.Context(), seven, 2))
		same(t, "due after all was done", due(t, db, noon), []string{eight})

		must(t, db.Fail(t.Context(), eight, database.Failure{Wanted: 1, Error: "no\nanswer\x00", RetryAt: noon + 1000}))
		got = task(t, db, eight)
		if got.Attempts != 1 || got.RetryAt != noon+1000 || got.Error != "no answer" {
			t.Errorf("after a failure: %+v", got)
		}
		same(t, "due before the retry", due(t, db, noon+999), []string{})
		same(t, "due at the retry", due(t, db, noon+1000), []string{eight})
		must(t, db.Fail(t.Context(), eight, database.Failure{Wanted: 1, Error: "again", Park: true}))
		if got := task(t, db, eight); got.Attempts != 2 || got.Parked != noon+500 {
			t.Errorf("after it was given up: %+v", got)
		}
		same(t, "due when parked", due(t, db, noon*2), []string{})
		parked, err := db.Tasks(t.Context(), database.TaskFilter{Parked: true})
		must(t, err)
		if len(parked) != 1 || parked[0].Subject != eight {
			t.Errorf("parked: %+v", parked)
		}
		must(t, db.Unpark(t.Context(), eight))
		if got := task(t, db, eight); got.Attempts != 0 || got.Parked != 0 || got.Wanted != 2 {
			t.Errorf("opened again: %+v", got)
		}
	})
}

// TestFailLeavesWhatIsNew: an attempt that fails does not hold up, nor give up, what was
// wanted since it began.
func TestFailLeavesWhatIsNew(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{})
		const seven = "186853002/pull/7"
		accept(t, db, opened("1", shop, 7, noon))
		accept(t, db, opened("2", shop, 7, noon+1))
		must(t, db.Fail(t.Context(), seven, database.Failure{Wanted: 1, Error: "why", RetryAt: noon * 2, Park: true}))
		got := task(t, db, seven)
		if got.Parked != 0 || got.RetryAt != 0 || got.Attempts != 0 || got.Error != "why" {
			t.Errorf("the newer wish waits: %+v", got)
		}
		must(t, db.Fail(t.Context(), seven, database.Failure{Wanted: 2, Error: "why", Park: true}))
		accept(t, db, opened("3", shop, 7, noon+2))
		if got := task(t, db, seven); got.Parked != 0 || got.Attempts != 0 {
			t.Errorf("a delivery leaves it given up: %+v", got)
		}
		must(t, db.Fail(t.Context(), seven, database.Failure{Wanted: 3, Park: true}))
		must(t, db.Want(t.Context(), shop, event.Trigger{Number: 7, Sweep: true}))
		if got := task(t, db, seven); got.Parked != 0 || got.Wanted != 4 || !got.Triggers[len(got.Triggers)-1].Sweep {
			t.Errorf("a wish leaves it given up: %+v", got)
		}
		open, err := db.Tasks(t.Context(), database.TaskFilter{})
		must(t, err)
		if len(open) != 1 {
			t.Errorf("open tasks: %+v", open)
		}
	})
}

// TestTriggers: a task keeps every kind of event that wanted it until it was looked at
// after it, so that a comment does not hide a push, nor a sweep what a person asked for.
func TestTriggers(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{})
		const seven = "186853002/pull/7"
		want := func(name, action string) event.Trigger {
			trigger := event.Trigger{Event: name, Action: action, Number: 7}
			must(t, db.Want(t.Context(), shop, trigger))
			return trigger
		}
		opened := want("pull_request", "opened")
		want("pull_request", "synchronize")
		said := want("issue_comment", "created")
		pushed := want("pull_request", "synchronize")
		same(t, "all kinds, the last of each", task(t, db, seven).Triggers, []event.Trigger{opened, said, pushed})
		swept := want("schedule", "")
		must(t, db.Done(t.Context(), seven, 4))
		same(t, "what came later", task(t, db, seven).Triggers, []event.Trigger{swept})
		must(t, db.Done(t.Context(), seven, 5))
		same(t, "nothing is left", len(task(t, db, seven).Triggers), 0)
	})
}

// TestDelivered knows what was kept, and nothing else.
func TestDelivered(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{})
		accept(t, db, opened("one", shop, 7, noon))
		for id, want := range map[string]bool{"one": true, "two": false, "": false, "\x00": false} {
			if got, err := db.Delivered(t.Context(), id); got != want || err != nil {
				t.Errorf("Delivered(%q) = %v, %v", id, got, err)
			}
		}
	})
}

// TestSettingOnce: of those who begin together all get the value of one.
func TestSettingOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{})
		kept := make([]string, 8)
		var all sync.WaitGroup
		for i := range kept {
			all.Go(func() {
				value, err := db.SettingOnce(t.Context(), "state_key", fmt.Sprint("key ", i))
				if err != nil {
					t.Error(err)
				}
				kept[i] = value
			})
		}
		all.Wait()
		now, err := db.Setting(t.Context(), "state_key")
		must(t, err)
		for _, value := range kept {
			if value == "" || value != now {
				t.Errorf("kept %q, and one got %q", now, value)
			}
		}
	})
}
