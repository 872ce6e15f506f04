package store

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

func sample() []debate.Entry {
	events := []debate.Event{
		debate.Received{Protocol: debate.ProtocolVersion, SessionID: "debate-20260102-030405-7", Seed: "00", Scope: "uncommitted"},
		debate.Snapshotted{Scope: "uncommitted", Hash: "h", Notes: []string{"<b> & more"}},
		debate.AbortedEvent{Reason: "why\nnot"},
		debate.Closed{Outcome: json.RawMessage(`{"a":1}`)},
	}
	var all []debate.Entry
	for i, e := range events {
		all = append(all, debate.Entry{N: i + 1, At: int64(i), Event: e})
	}
	return all
}

// written makes a record of the sample entries and returns its path and bytes.
func written(t *testing.T) (path string, data []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "deep", "record.jsonl")
	log, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range sample() {
		if err := log.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if data, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return path, data
}

func TestFileIsPrivate(t *testing.T) {
	t.Parallel()
	path, data := written(t)
	rec, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Torn || rec.end.size != int64(len(data)) {
		t.Errorf("torn %v, size %d of %d", rec.Torn, rec.end.size, len(data))
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v: a record quotes private code (%v)", info.Mode(), err)
	}
}

// TestSameEventsSameBytes: a record depends on nothing but its entries.
func TestSameEventsSameBytes(t *testing.T) {
	t.Parallel()
	_, one := written(t)
	_, two := written(t)
	if string(one) != string(two) {
		t.Errorf("\n%s\n%s", one, two)
	}
}

func TestCreateNeverOverwrites(t *testing.T) {
	t.Parallel()
	path, data := written(t)
	if _, err := Create(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("create on an existing record: %v", err)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(data) {
		t.Error("the existing record was touched")
	}
}

func TestResumeAfterTornLine(t *testing.T) {
	t.Parallel()
	path, data := written(t)
	lines := strings.SplitAfter(string(data), "\n")
	upTo := len(lines[0]) + len(lines[1]) + len(lines[2])
	for _, cut := range []int{upTo, upTo + 1, upTo + len(lines[3]) - 1} {
		if err := os.WriteFile(path, data[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		log, rec, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(rec.Entries) != 2 || rec.Torn != (cut > upTo) {
			t.Errorf("cut at %d: %d entries, torn %v", cut, len(rec.Entries), rec.Torn)
		}
		for _, e := range sample()[2:] {
			if err := log.Append(e); err != nil {
				t.Fatal(err)
			}
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != string(data) {
			t.Errorf("cut at %d: the resumed record differs from the uninterrupted one", cut)
		}
	}
}

// TestFailedWrite: a write that fails is reported, and nothing counts as written.
func TestFailedWrite(t *testing.T) {
	t.Parallel()
	path, data := written(t)
	log, _, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	readOnly, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer readOnly.Close()
	working := log.f
	log.f = readOnly
	next := debate.Entry{N: 5, Event: debate.AbortedEvent{Reason: "r"}}
	if err := log.Append(next); err == nil {
		t.Fatal("a write to a read-only file succeeded")
	}
	log.f = working
	if err := log.Append(next); err != nil {
		t.Fatalf("after the disk recovered: %v", err)
	}
	rec, err := Read(path)
	if err != nil || len(rec.Entries) != 5 || rec.end.size <= int64(len(data)) {
		t.Errorf("%d entries, %v", len(rec.Entries), err)
	}
}
