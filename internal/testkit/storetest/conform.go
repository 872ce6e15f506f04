// Package storetest holds what every backend of the store must do: a backend is
// one if Conform passes. What only one kind of backend can suffer, such as a
// torn line, is tested beside that backend.
package storetest

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/store"
)

// Backend keeps the logs of debates, each under the id of its session.
type Backend interface {
	// Create begins the log of a new debate. One that exists is left alone: that
	// is an error that errors.Is fs.ErrExist.
	Create(session string) (store.Log, error)
	// Open opens a log to go on with it and returns what it holds. One that does
	// not exist is an error that errors.Is fs.ErrNotExist.
	Open(session string) (store.Log, store.Record, error)
	// Read returns what a log holds and changes nothing.
	Read(session string) (store.Record, error)
}

const (
	session = "debate-20260102-030405-7"
	other   = "debate-20260102-030405-8"
)

// Conform runs the suite. Each call of fresh returns an empty backend.
func Conform(t *testing.T, fresh func(t *testing.T) Backend) {
	tests := []struct {
		name string
		run  func(t *testing.T, b Backend)
	}{
		{"round trip", roundTrip},
		{"empty log", emptyLog},
		{"create and open", createAndOpen},
		{"reopen after each event", reopen},
		{"chain", chain},
		{"debates apart", debatesApart},
		{"out of turn", outOfTurn},
		{"refused events leave nothing", refused},
		{"two writers", twoWriters},
		{"shared log", sharedLog},
		{"many writers", manyWriters},
		{"read while appending", readWhileAppending},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.run(t, fresh(t))
		})
	}
}

// roundTrip: every kind of event comes back as it was handed over.
func roundTrip(t *testing.T, b Backend) {
	want := Entries(Events(t))
	log := create(t, b, session)
	for _, e := range want {
		appendTo(t, log, e)
	}
	last := log.Last()
	closeLog(t, log)
	rec := read(t, b, session)
	same(t, rec.Entries, want)
	if rec.Last != last {
		t.Errorf("the log was sealed by %s and reads as sealed by %s", last, rec.Last)
	}
}

func emptyLog(t *testing.T, b Backend) {
	closeLog(t, create(t, b, session))
	if rec := read(t, b, session); len(rec.Entries) != 0 {
		t.Errorf("a new log holds %d entries", len(rec.Entries))
	}
	log, rec := open(t, b, session)
	defer closeLog(t, log)
	if len(rec.Entries) != 0 {
		t.Errorf("a new log opens with %d entries", len(rec.Entries))
	}
	appendTo(t, log, entry(1, "a"))
}

func createAndOpen(t *testing.T, b Backend) {
	if _, err := b.Read(session); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("read of nothing: %v", err)
	}
	if _, _, err := b.Open(session); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("open of nothing: %v", err)
	}
	log := create(t, b, session)
	defer closeLog(t, log)
	appendTo(t, log, entry(1, "a"))
	if _, err := b.Create(session); !errors.Is(err, fs.ErrExist) {
		t.Errorf("create of what exists: %v", err)
	}
	same(t, read(t, b, session).Entries, []debate.Entry{entry(1, "a")})
	appendTo(t, log, entry(2, "b"))
}

// reopen: a log that is closed after each event equals one that is not.
func reopen(t *testing.T, b Backend) {
	want := Entries(Events(t)[:6])
	closeLog(t, create(t, b, session))
	whole := create(t, b, other)
	defer closeLog(t, whole)
	for i, e := range want {
		log, rec := open(t, b, session)
		if len(rec.Entries) != i || rec.Last != log.Last() {
			t.Fatalf("opened with %d entries, want %d; sealed by %s, the log says %s", len(rec.Entries), i, rec.Last, log.Last())
		}
		appendTo(t, log, e)
		closeLog(t, log)
		appendTo(t, whole, e)
	}
	rec := read(t, b, session)
	same(t, rec.Entries, want)
	if rec.Last != whole.Last() {
		t.Errorf("the reopened log is sealed by %s, the other one by %s", rec.Last, whole.Last())
	}
}

// chain: the seal depends on every entry, and on nothing else.
func chain(t *testing.T, b Backend) {
	seal := func(session string, entries ...debate.Entry) string {
		log := create(t, b, session)
		defer closeLog(t, log)
		seals := []string{log.Last()}
		for _, e := range entries {
			appendTo(t, log, e)
			for _, before := range seals {
				if log.Last() == before {
					t.Errorf("event %d did not change the seal", e.N)
				}
			}
			seals = append(seals, log.Last())
		}
		return log.Last()
	}
	later := entry(2, "b")
	later.At++
	seals := make(map[string]string)
	for name, entries := range map[string][]debate.Entry{
		"as it is":            {entry(1, "a"), entry(2, "b"), entry(3, "c")},
		"another first event": {entry(1, "A"), entry(2, "b"), entry(3, "c")},
		"another time":        {entry(1, "a"), later, entry(3, "c")},
		"another kind":        {entry(1, "a"), {N: 2, At: 2, Event: debate.WithdrawnEvent{Reason: "b"}}, entry(3, "c")},
		"another last event":  {entry(1, "a"), entry(2, "b"), entry(3, "C")},
		"one event less":      {entry(1, "a"), entry(2, "b")},
	} {
		one := seal("debate-1-"+name, entries...)
		if two := seal("debate-2-"+name, entries...); one != two {
			t.Errorf("%s: the same entries are sealed by %s and %s", name, one, two)
		}
		if twin := seals[one]; twin != "" {
			t.Errorf("%s and %s have the same seal", name, twin)
		}
		seals[one] = name
	}
}

func debatesApart(t *testing.T, b Backend) {
	one, two := create(t, b, session), create(t, b, other)
	defer closeLog(t, one)
	defer closeLog(t, two)
	appendTo(t, one, entry(1, "one"))
	appendTo(t, two, entry(1, "two"))
	appendTo(t, one, entry(2, "one"))
	same(t, read(t, b, session).Entries, []debate.Entry{entry(1, "one"), entry(2, "one")})
	same(t, read(t, b, other).Entries, []debate.Entry{entry(1, "two")})
}

// outOfTurn: an entry that is not the next one is a typed conflict, and the log
// goes on as if it had not come.
func outOfTurn(t *testing.T, b Backend) {
	log := create(t, b, session)
	defer closeLog(t, log)
	for n := 1; n <= 2; n++ {
		for _, wrong := range []int{-1, 0, n - 1, n + 1, n + 2} {
			if wrong == n {
				continue
			}
			before := log.Last()
			conflict := conflicts(t, log.Append(entry(wrong, "wrong")))
			if want := (store.ConflictError{Expected: wrong - 1, Actual: n - 1}); conflict != want {
				t.Errorf("event %d at %d: %+v, want %+v", wrong, n-1, conflict, want)
			}
			if log.Last() != before {
				t.Errorf("event %d changed the seal", wrong)
			}
		}
		appendTo(t, log, entry(n, "right"))
	}
	same(t, read(t, b, session).Entries, []debate.Entry{entry(1, "right"), entry(2, "right")})
}

func refused(t *testing.T, b Backend) {
	log := create(t, b, session)
	defer closeLog(t, log)
	appendTo(t, log, entry(1, "a"))
	before := log.Last()
	for name, event := range map[string]debate.Event{
		"nothing":            nil,
		"no JSON":            debate.Closed{Outcome: []byte("{")},
		"more than fits":     debate.AbortedEvent{Reason: strings.Repeat("x", store.MaxLine)},
		"more than fits (2)": debate.Published{Sinks: make([]string, store.MaxValues+1)},
	} {
		err := log.Append(debate.Entry{N: 2, At: 2, Event: event})
		if err == nil {
			t.Fatalf("%s was appended", name)
		}
		if strings.HasPrefix(name, "more") && !strings.Contains(err.Error(), "does not fit into the record") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if log.Last() != before {
		t.Error("a refused event changed the seal")
	}
	same(t, read(t, b, session).Entries, []debate.Entry{entry(1, "a")})
	appendTo(t, log, entry(2, "b"))
	same(t, read(t, b, session).Entries, []debate.Entry{entry(1, "a"), entry(2, "b")})
}

// twoWriters: who lost a race cannot append until it has read what it missed.
func twoWriters(t *testing.T, b Backend) {
	first := create(t, b, session)
	defer closeLog(t, first)
	second, _ := open(t, b, session)
	defer closeLog(t, second)
	appendTo(t, first, entry(1, "first"))
	for range 2 {
		conflict := conflicts(t, second.Append(entry(1, "second")))
		if want := (store.ConflictError{Expected: 0, Actual: 1}); conflict != want {
			t.Errorf("%+v, want %+v", conflict, want)
		}
	}
	appendTo(t, first, entry(2, "first"))
	again, rec := open(t, b, session)
	defer closeLog(t, again)
	same(t, rec.Entries, []debate.Entry{entry(1, "first"), entry(2, "first")})
	appendTo(t, again, entry(3, "second"))
	conflicts(t, first.Append(entry(3, "first")))
	conflicts(t, second.Append(entry(1, "second")))
	same(t, read(t, b, session).Entries, []debate.Entry{entry(1, "first"), entry(2, "first"), entry(3, "second")})
}

// sharedLog: of goroutines that append the same number to one log, one wins.
func sharedLog(t *testing.T, b Backend) {
	log := create(t, b, session)
	defer closeLog(t, log)
	race(t, b, 8, func(writer int) store.Log { return log })
}

// manyWriters: the same with a log of its own for each, as programs have.
func manyWriters(t *testing.T, b Backend) {
	closeLog(t, create(t, b, session))
	race(t, b, 8, func(int) store.Log {
		log, _ := open(t, b, session)
		t.Cleanup(func() { closeLog(t, log) })
		return log
	})
}

// race lets writers append event 1 at once.
func race(t *testing.T, b Backend, writers int, logOf func(writer int) store.Log) {
	t.Helper()
	errs := make([]error, writers)
	var start, done sync.WaitGroup
	start.Add(1)
	for w := range writers {
		log := logOf(w)
		done.Go(func() {
			start.Wait()
			errs[w] = log.Append(entry(1, fmt.Sprint(w)))
		})
	}
	start.Done()
	done.Wait()
	winner := -1
	for w, err := range errs {
		if err != nil {
			conflicts(t, err)
			continue
		}
		if winner >= 0 {
			t.Errorf("writers %d and %d both appended event 1", winner, w)
		}
		winner = w
	}
	same(t, read(t, b, session).Entries, []debate.Entry{entry(1, fmt.Sprint(winner))})
}

// readWhileAppending: a reader sees a beginning of the log, never less than
// before, and never a defect.
func readWhileAppending(t *testing.T, b Backend) {
	log := create(t, b, session)
	defer closeLog(t, log)
	const events = 50
	var all []debate.Entry
	for n := 1; n <= events; n++ {
		all = append(all, entry(n, strings.Repeat("long ", 5000)))
	}
	written := make(chan error, 1)
	go func() {
		for _, e := range all {
			if err := log.Append(e); err != nil {
				written <- err
				return
			}
		}
		written <- nil
	}()
	seen := 0
	for running := true; running; {
		select {
		case err := <-written:
			if err != nil {
				t.Error(err)
			}
			running = false
		default:
		}
		rec := read(t, b, session)
		if len(rec.Entries) < seen {
			t.Errorf("%d entries after %d", len(rec.Entries), seen)
		}
		seen = len(rec.Entries)
		same(t, rec.Entries, all[:seen])
	}
	if seen != events {
		t.Errorf("%d entries in the end, want %d", seen, events)
	}
}

func entry(n int, reason string) debate.Entry {
	return debate.Entry{N: n, At: int64(n), Event: debate.AbortedEvent{Reason: reason}}
}

func create(t *testing.T, b Backend, session string) store.Log {
	t.Helper()
	log, err := b.Create(session)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func open(t *testing.T, b Backend, session string) (store.Log, store.Record) {
	t.Helper()
	log, rec, err := b.Open(session)
	if err != nil {
		t.Fatal(err)
	}
	return log, rec
}

func read(t *testing.T, b Backend, session string) store.Record {
	t.Helper()
	rec, err := b.Read(session)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func appendTo(t *testing.T, log store.Log, e debate.Entry) {
	t.Helper()
	if err := log.Append(e); err != nil {
		t.Fatal(err)
	}
}

func closeLog(t *testing.T, log store.Log) {
	t.Helper()
	if err := log.Close(); err != nil {
		t.Error(err)
	}
}

func conflicts(t *testing.T, err error) store.ConflictError {
	t.Helper()
	var conflict *store.ConflictError
	if !errors.As(err, &conflict) {
		t.Fatalf("got %v, want a conflict", err)
	}
	return *conflict
}

func same(t *testing.T, got, want []debate.Entry) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d entries, want %d", len(got), len(want))
	}
	for i := range want {
		if !reflect.DeepEqual(want[i], got[i]) { // cmp is slow on what is large and equal
			t.Errorf("entry %d:\n%s", i, cmp.Diff(want[i], got[i]))
		}
	}
}
