package bot_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/bot"
	"github.com/prdebate/debate/internal/gh"
)

// deliveries is the list that GitHub keeps.
type deliveries struct {
	list   []gh.Delivery
	bodies map[int64][]byte
	since  []time.Time
	read   []int64 // payloads
	broken bool
}

func (d *deliveries) Deliveries(_ context.Context, since time.Time) ([]gh.Delivery, bool, error) {
	d.since = append(d.since, since)
	if d.broken {
		return nil, false, errors.New("502")
	}
	return d.list, true, nil
}

func (d *deliveries) Payload(_ context.Context, id int64) ([]byte, error) {
	d.read = append(d.read, id)
	return d.bodies[id], nil
}

// TestPoll: each delivery of the list is read once, one that says nothing keeps no other
// from being kept, and what a poll could not read the next one reads.
func TestPoll(t *testing.T) {
	t.Parallel()
	h, db, _ := newHook(t)
	list := &deliveries{
		list:   []gh.Delivery{{ID: 1, GUID: "a-1", Event: "pull_request"}, {ID: 2, GUID: "a-2", Event: "pull_request"}, {ID: 3, GUID: "a-3", Event: "pull_request"}},
		bodies: map[int64][]byte{1: payload("opened", 7, nil), 2: []byte("{"), 3: payload("opened", 8, nil)},
	}
	at := noon
	p := &bot.Poller{GitHub: list, Kept: db, Hook: h, Now: func() time.Time { return at }, Log: silent()}
	poll := func(wantErr bool) {
		t.Helper()
		if err := p.Poll(t.Context()); (err != nil) != wantErr {
			t.Fatalf("Poll = %v", err)
		}
		at = at.Add(time.Minute)
	}
	poll(false)
	due, err := db.Due(t.Context(), noon.UnixMilli(), 10)
	if err != nil || len(due) != 2 {
		t.Errorf("it wants %v, %v", due, err)
	}
	list.broken = true
	poll(true)
	list.broken = false
	poll(false)
	poll(false)
	if want := []int64{1, 2, 3}; !slices.Equal(list.read, want) { // each is read, and counted, once
		t.Errorf("it read the payloads %v, want %v", list.read, want)
	}
	if want := []time.Time{noon.Add(-72 * time.Hour), noon, noon, noon.Add(2 * time.Minute)}; !slices.EqualFunc(list.since, want, time.Time.Equal) {
		t.Errorf("it read what was delivered since %v, want %v", list.since, want)
	}
}
