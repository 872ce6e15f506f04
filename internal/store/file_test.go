package store

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

func sample() []debate.Entry {
	events := []debate.Event{
		debate.Received{Protocol: debate.ProtocolVersion, SessionID: "debate-20260102-030405-7", Seed: "00", Scope: "uncommitted"},
		debate.Snapshotted{Scope: "uncommitted", Hash: "h", Notes: []string{"<b> & more"}},
		debate.AbortedEvent{Reason: "why\nnot"},
		debate.Closed{Outcome: json.RawMessage(`{"a":1}`), Rendered: "00"},
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

func TestWriteThenRead(t *testing.T) {
	t.Parallel()
	path, data := written(t)
	rec, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample(), rec.Entries); diff != "" {
		t.Error(diff)
	}
	if rec.Torn || rec.size != int64(len(data)) {
		t.Errorf("torn %v, size %d of %d", rec.Torn, rec.size, len(data))
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v: a record quotes private code (%v)", info.Mode(), err)
	}
}

// TestSameEventsSameBytes: a record depends on nothing but its entries (A01).
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

func TestAppendOutOfTurn(t *testing.T) {
	t.Parallel()
	path, data := written(t)
	log, _, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var conflict *ConflictError
	for _, n := range []int{0, 4, 6} {
		if err := log.Append(debate.Entry{N: n, Event: debate.AbortedEvent{}}); !errors.As(err, &conflict) {
			t.Errorf("event %d was taken: %v", n, err)
		}
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(data) {
		t.Error("a refused append left bytes")
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
	if err != nil || len(rec.Entries) != 5 || rec.size <= int64(len(data)) {
		t.Errorf("%d entries, %v", len(rec.Entries), err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	_, data := written(t)
	lines := strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\n") + "\n"
	}
	join := func(parts ...string) string { return strings.Join(parts, "") }
	tests := []struct {
		name, data string
		line       int // of the CorruptError, 0 for another kind of error
		want       string
	}{
		{"empty", "", 1, "no header"},
		{"not a record", "hello\n", 1, "no record"},
		{"another log", `{"log":"other","schema_version":1}` + "\n", 1, "no record"},
		{"newer version", `{"log":"debate","schema_version":2}` + "\n", 0, "schema version 2"},
		{"edited event", strings.Replace(string(data), "uncommitted", "Uncommitted", 1), 3, "was changed"},
		{"line removed", join(lines[0], lines[1], lines[3]), 3, "event 3 stands where event 2 belongs"},
		{"first event removed", join(lines[0], lines[2]), 2, "event 2 stands where event 1 belongs"},
		{"lines swapped", join(lines[0], lines[2], lines[1]), 2, "event 2 stands where event 1 belongs"},
		{"line twice", join(lines[0], lines[1], lines[1]), 3, "event 1 stands where event 2 belongs"},
		{"garbage line", join(lines[0], "{}\n"), 2, "event 0 stands"},
		{"blank line", join(lines[0], "\n"), 2, "not an event"},
		{"two values on a line", join(lines[0], strings.TrimSuffix(lines[1], "\n"), lines[1]), 2, "more than one"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := Decode([]byte(tt.data))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, want %q", err, tt.want)
			}
			var corrupt *CorruptError
			if errors.As(err, &corrupt) != (tt.line > 0) || (corrupt != nil && corrupt.Line != tt.line) {
				t.Errorf("got %v, want line %d", err, tt.line)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	head := `{"log":"debate","schema_version":1}` + "\n"
	f.Add([]byte(head))
	f.Add([]byte(head + `{"n":1,"at":1,"prev":"","type":"aborted","event":{"reason":"a"}}` + "\n"))
	f.Add([]byte(head + `{"n":1,"at":1,"prev":"` + digest([]byte(strings.TrimSuffix(head, "\n"))) + `","type":"aborted","event":{"reason":"a"}}` + "\n"))
	f.Add([]byte(head + `{"n":1`))
	f.Fuzz(func(t *testing.T, data []byte) {
		rec, err := Decode(data)
		if err != nil {
			return
		}
		// What was read must be what a writer of the same entries writes, up to
		// the spelling of the JSON, and folding it must not panic.
		for i, e := range rec.Entries {
			if e.N != i+1 {
				t.Fatalf("entry %d has number %d", i, e.N)
			}
			if _, err := encodeLine(e, ""); err != nil {
				t.Fatalf("entry %d cannot be written again: %v", i, err)
			}
		}
		if _, err := debate.Fold(rec.Entries); err != nil {
			return
		}
	})
}

// TestSecondWriter: two programs that go on with one record must not tear it.
func TestSecondWriter(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	first, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, _, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	entry := debate.Entry{N: 1, At: 1, Event: debate.Received{Protocol: debate.ProtocolVersion}}
	if err := first.Append(entry); err != nil {
		t.Fatal(err)
	}
	if err := second.Append(entry); err == nil {
		t.Error("the second writer appended behind an event that it has not seen")
	}
	if rec, err := Read(path); err != nil || len(rec.Entries) != 1 {
		t.Errorf("the record holds %d events, %v", len(rec.Entries), err)
	}
}
