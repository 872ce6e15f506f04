package pull

import (
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestLeft: only a debate that would be held now, and that has not ended, is gone on with.
func TestLeft(t *testing.T) {
	t.Parallel()
	const (
		head      = "ec26c3e57ca3a959ca5aad62de7213c562f8c821"
		change    = "3333333333333333333333333333333333333333333333333333333333333333"
		elsewhere = "4444444444444444444444444444444444444444444444444444444444444444"
	)
	began := debate.Received{
		Protocol: debate.ProtocolVersion, SessionID: "debate-20260102-030405-7", Seed: "11111111111111111111111111111111", Mode: debate.Standard, Scope: "pull:7", Target: debate.TargetAuto,
		Anchor: debate.Anchor{Repo: "acme/shop", PR: 7, Title: "Add a cache"}, Settings: debate.Settings{MaxCostMicro: 2_000_000},
	}
	older := began
	older.Protocol = "1"
	now := began
	now.SessionID, now.Seed, now.Settings.MaxCostMicro = "debate-20260102-040506-8", "22222222222222222222222222222222", 1_000_000
	frozen := debate.Snapshotted{Scope: "pull:7", HeadSHA: head, Hash: change}
	tests := []struct {
		name    string
		entries []debate.Entry
		change  func(first *debate.Received)
		hash    string
		want    bool
	}{
		{name: "nothing was recorded", hash: change},
		{name: "before the change was frozen", entries: entriesOf(began), hash: change, want: true},
		{name: "the same change", entries: entriesOf(began, frozen), hash: change, want: true},
		{name: "the same head on another base", entries: entriesOf(began, frozen), hash: elsewhere},
		{name: "another title", entries: entriesOf(began, frozen), hash: change, change: func(f *debate.Received) { f.Anchor.Title = "Add two caches" }},
		{name: "comments of its own stand by now", entries: entriesOf(began, frozen), hash: change, want: true, change: func(f *debate.Received) {
			f.Previous = debate.Previous{NextF: 1, Names: []debate.Named{{F: "F1"}}}
		}},
		{name: "another mode", entries: entriesOf(began, frozen), hash: change, change: func(f *debate.Received) { f.Mode = debate.Quick }},
		{name: "a record that begins with something else", entries: entriesOf(frozen), hash: change},
		{name: "a debate that ended", entries: entriesOf(began, debate.AbortedEvent{Reason: "it could not go on"}), hash: change},
		{name: "another version of the protocol", entries: entriesOf(older), change: func(f *debate.Received) { f.Protocol = older.Protocol }, hash: change},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			first := now
			if tt.change != nil {
				tt.change(&first)
			}
			left := &Left{Session: began.SessionID, Entries: tt.entries}
			if got := left.begins(first, tt.hash); got != tt.want {
				t.Errorf("begins = %v, want %v", got, tt.want)
			}
		})
	}
	var none *Left
	if none.begins(now, change) {
		t.Error("a debate that nobody left can be gone on with")
	}
}

func entriesOf(events ...debate.Event) []debate.Entry {
	var list []debate.Entry
	for i, e := range events {
		list = append(list, debate.Entry{N: i + 1, At: int64(i), Event: e})
	}
	return list
}
