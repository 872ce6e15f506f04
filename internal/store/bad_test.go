package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

const head = `{"log":"debate","schema_version":1}` + "\n"

// forged makes a log whose chain and checksums hold, whatever its lines say. A
// line is the text of an event up to its checksum; PREV stands for the digest of
// the line before.
func forged(lines ...string) string {
	all, prev := head, digest([]byte(strings.TrimSuffix(head, "\n")))
	for _, l := range lines {
		l = strings.ReplaceAll(l, "PREV", prev)
		l += sumStart + digest([]byte(l)) + `"}`
		prev = digest([]byte(l))
		all += l + "\n"
	}
	return all
}

// eventLine is a line for forged.
func eventLine(n int, kind, event string) string {
	return fmt.Sprintf(`{"n":%d,"at":1,"prev":"PREV","type":%q,"event":%s`, n, kind, event)
}

// typed reports whether an error is one of those that a caller can tell apart.
func typed(err error) bool {
	return errors.As(err, new(*CorruptError)) || errors.As(err, new(*VersionError))
}

// beginning fails the test unless a record holds the first entries of the sample.
func beginning(t *testing.T, what string, rec Record) {
	t.Helper()
	all := sample()
	if len(rec.Entries) > len(all) {
		t.Fatalf("%s: %d entries", what, len(rec.Entries))
	}
	if diff := cmp.Diff(all[:len(rec.Entries)], rec.Entries); len(rec.Entries) > 0 && diff != "" {
		t.Errorf("%s: an edit was adopted:\n%s", what, diff)
	}
}

// TestEveryPrefix: a log that ends anywhere is a shorter record that says so, or
// no record.
func TestEveryPrefix(t *testing.T) {
	t.Parallel()
	_, data := written(t)
	for cut := range data {
		rec, err := Decode(bytes.NewReader(data[:cut]))
		if cut < len(head) {
			if !typed(err) || rec.Torn || rec.Entries != nil {
				t.Errorf("cut at %d: %+v, %v", cut, rec, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		whole := bytes.Count(data[:cut], []byte("\n")) - 1
		if len(rec.Entries) != whole || rec.Torn != (data[cut-1] != '\n') {
			t.Errorf("cut at %d: %d entries of %d, torn %v", cut, len(rec.Entries), whole, rec.Torn)
		}
		beginning(t, fmt.Sprintf("cut at %d", cut), rec)
	}
}

// TestEveryByte: one byte that is another one, is missing or is too many is a
// typed error, or the last line counts as torn. It is never adopted.
func TestEveryByte(t *testing.T) {
	t.Parallel()
	_, data := written(t)
	last := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
	check := func(what string, at int, edited []byte) {
		if bytes.Equal(edited, data) {
			return
		}
		rec, err := Decode(bytes.NewReader(edited))
		if err != nil {
			if !typed(err) || rec.Entries != nil {
				t.Errorf("%s at %d: %v, %d entries", what, at, err, len(rec.Entries))
			}
			return
		}
		// A missing newline at the end, a zero byte in the last line, or bytes
		// behind it: all that a crash can leave too.
		if at < last || !rec.Torn {
			t.Errorf("%s at %d passed", what, at)
		}
		beginning(t, what, rec)
	}
	for at := range data {
		for _, flip := range []byte{1, 2, 0x20, 0x80, 0xff, data[at], data[at] ^ '\n', data[at] ^ ' '} {
			edited := bytes.Clone(data)
			edited[at] ^= flip
			check(fmt.Sprintf("flip %#x", flip), at, edited)
		}
		check("missing byte", at, append(bytes.Clone(data[:at]), data[at+1:]...))
		for _, more := range []byte{' ', '\r', '\n', 0, '}'} {
			check(fmt.Sprintf("one %q more", more), at, append(append(bytes.Clone(data[:at]), more), data[at:]...))
		}
	}
}

// TestEveryOrder: of all sequences of the lines of a log, also with lines twice,
// only its own beginnings are records.
func TestEveryOrder(t *testing.T) {
	t.Parallel()
	_, data := written(t)
	lines := strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
	lines[len(lines)-1] += "\n"
	valid := 0
	var try func(text string, left int)
	try = func(text string, left int) {
		rec, err := Decode(strings.NewReader(text))
		switch {
		case text != "" && strings.HasPrefix(string(data), text):
			valid++
			if err != nil || rec.Torn {
				t.Errorf("a beginning: %v, torn %v", err, rec.Torn)
			}
		case !typed(err):
			t.Errorf("%v for\n%s", err, text)
			return
		}
		for _, l := range lines {
			if left > 0 {
				try(text+l, left-1)
			}
		}
	}
	try("", len(lines))
	if valid != len(lines) {
		t.Errorf("%d beginnings, want %d", valid, len(lines))
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	_, good := written(t)
	data := string(good)
	first := eventLine(1, "aborted", `{"reason":"a"}`)
	tests := []struct {
		name, data string
		line       int // of the CorruptError, 0 for another kind of error
		want       string
	}{
		{"empty", "", 1, "no record of a debate"},
		{"only a newline", "\n", 1, "no record of a debate"},
		{"not a record", "hello\n", 1, "no record of a debate"},
		{"another log", `{"log":"other","schema_version":1}` + "\n", 1, "no record of a debate"},
		{"header missing", strings.TrimPrefix(data, head), 1, "no record of a debate"},
		{"header twice", head + data, 2, "checksum"},
		{"newer version", `{"log":"debate","schema_version":2}` + "\n", 0, "schema version 2"},
		{"newer version that says more", `{"log":"debate","schema_version":3,"codec":"x"}` + "\n\x01\x02\n", 0, "schema version 3"},
		{"no version", `{"log":"debate"}` + "\n", 0, "schema version 0"},
		{"header with more", `{"log":"debate","schema_version":1,"more":1}` + "\n", 1, "header was changed"},
		{"header in other letters", `{"LOG":"debate","schema_version":1}` + "\n", 1, "header was changed"},
		{"CRLF", strings.ReplaceAll(data, "\n", "\r\n"), 1, "header was changed"},
		{"CRLF behind the header", head + strings.ReplaceAll(strings.TrimPrefix(data, head), "\n", "\r\n"), 2, "checksum"},
		{"byte order mark", "\ufeff" + data, 1, "no record of a debate"},
		{"blank line", head + "\n", 2, "checksum"},
		{"blank line at the end", data + "\n", 6, "checksum"},
		{"a line without checksum", head + "{}\n", 2, "checksum"},
		{"forged: not an event", forged("{}"[:1] + `"n":1,"more":1`), 2, "not an event"},
		{"forged: another number", forged(eventLine(2, "aborted", `{"reason":"a"}`)), 2, "event 2 is in the place of event 1"},
		{"forged: no chain", forged(strings.ReplaceAll(first, "PREV", "00")), 2, "line before"},
		{"forged: brace before the checksum", forged(first + "}"), 2, "not an event"},
		{"forged: unknown kind", forged(eventLine(1, "invented", `{}`)), 2, "unknown event"},
		{"forged: unknown member", forged(eventLine(1, "aborted", `{"reason":"a","more":1}`)), 2, "more"},
		{"forged: event missing", forged(`{"n":1,"at":1,"prev":"PREV","type":"aborted"`), 2, "aborted"},
		{"forged: number too large", forged(`{"n":1,"at":9223372036854775808,"prev":"PREV","type":"aborted","event":{"reason":"a"}`), 2, "not an event"},
		{"forged: too many values", forged(eventLine(1, "critiqued", `{"hits":[`+strings.Repeat("0,", MaxValues)+`0]}`)), 2, "too large"},
		{"forged: too deep", forged(eventLine(1, "aborted", strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000))), 2, "not an event"},
		{"the protocol before", forged(eventLine(1, "received", `{"protocol":3,"session_id":"s"}`)), 0, "protocol version 3, this program reads version 5: run the review again, or read the record with the release that wrote it"},
		{"another protocol", forged(eventLine(1, "received", `{"protocol":99}`)), 0, "protocol version 99, this program reads version 5: update this program"},
		{"another protocol that says more", forged(eventLine(1, "received", `{"protocol":99,"invented":{}}`)), 0, "protocol version 99"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec, err := Decode(strings.NewReader(tt.data))
			if err == nil || !strings.Contains(err.Error(), tt.want) || !typed(err) {
				t.Fatalf("got %v, want %q", err, tt.want)
			}
			if rec.Entries != nil || rec.Last != "" {
				t.Errorf("%d entries were adopted", len(rec.Entries))
			}
			var corrupt *CorruptError
			if errors.As(err, &corrupt) != (tt.line > 0) || (corrupt != nil && corrupt.Line != tt.line) {
				t.Errorf("got %v, want line %d", err, tt.line)
			}
			// Nothing is lost either: who wants to go on with it changes nothing.
			path := filepath.Join(t.TempDir(), "r.jsonl")
			if err := os.WriteFile(path, []byte(tt.data), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, _, err := Open(path); !typed(err) {
				t.Errorf("open: %v", err)
			}
			if now, err := os.ReadFile(path); err != nil || string(now) != tt.data {
				t.Error("open changed the file")
			}
		})
	}
	if _, err := Decode(strings.NewReader(forged(first))); err != nil {
		t.Errorf("the forger's own line is refused: %v", err)
	}
}

// TestUnknownEvent: a caller can tell an event of another version from an edit.
func TestUnknownEvent(t *testing.T) {
	t.Parallel()
	_, err := Decode(strings.NewReader(forged(eventLine(1, "invented", `{}`))))
	var unknown *debate.UnknownEventError
	if !errors.As(err, &unknown) || unknown.Kind != "invented" {
		t.Errorf("got %v", err)
	}
}

// TestPowerCut: blocks of the last line that never reached the disk read as
// zeros. That line was never acknowledged; any other one was.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	_, data := written(t)
	last := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
	zero := func(from, to int) []byte {
		lost := bytes.Clone(data)
		clear(lost[from:to])
		return lost
	}
	for name, lost := range map[string][]byte{
		"the whole line": zero(last, len(data)),
		"its beginning":  zero(last, last+20),
		"its middle":     zero(last+20, last+40),
		"its end":        zero(last+20, len(data)),
	} {
		rec, err := Decode(bytes.NewReader(lost))
		if err != nil || !rec.Torn || len(rec.Entries) != 3 {
			t.Errorf("%s: %d entries, torn %v, %v", name, len(rec.Entries), rec.Torn, err)
		}
	}
	if _, err := Decode(bytes.NewReader(zero(last-20, last-10))); !errors.As(err, new(*CorruptError)) {
		t.Errorf("zeros in a line that was acknowledged: %v", err)
	}
}

// endless is a file of one line that never ends.
type endless struct{ read int64 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	e.read += int64(len(p))
	return len(p), nil
}

// TestBoundedRead: a line that is too long is not read to its end, and costs no
// more memory than the longest one.
func TestBoundedRead(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	long := &endless{}
	_, err := Decode(io.MultiReader(strings.NewReader(head), long))
	runtime.ReadMemStats(&after)
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) || corrupt.Line != 2 {
		t.Fatalf("got %v", err)
	}
	if long.read > MaxLine+1<<20 {
		t.Errorf("%d bytes were read", long.read)
	}
	if grown := after.Sys - before.Sys; grown > 8*MaxLine {
		t.Errorf("%d bytes of memory were taken", grown)
	}
}

func TestNotRegular(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	irregular := func(err error) bool { return err != nil && strings.HasSuffix(err.Error(), ", not a file") }
	for _, path := range []string{dir, os.DevNull} {
		if _, err := Read(path); !irregular(err) {
			t.Errorf("read %s: %v", path, err)
		}
		if _, _, err := Open(path); !irregular(err) {
			t.Errorf("open %s: %v", path, err)
		}
	}
	for _, path := range []string{loop, filepath.Join(dir, "a\x00b"), strings.Repeat("x", 5000)} {
		if _, err := Read(path); err == nil {
			t.Errorf("read %.20q succeeded", path)
		}
		if log, err := Create(path); err == nil {
			t.Errorf("create %.20q succeeded", path)
			log.Close()
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(head))
	f.Add([]byte(head + `{"n":1`))
	f.Add([]byte(forged(eventLine(1, "aborted", `{"reason":"a"}`))))
	f.Add([]byte(forged(eventLine(1, "received", `{"protocol":1}`), eventLine(2, "closed", `{"outcome":1}`))))
	f.Add([]byte(eventLine(1, "aborted", `{"reason":"a"}`) + "\n" + eventLine(2, "closed", `{"outcome":[]}`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		// As it is, and as the lines of a log whose chain and checksums hold.
		for _, text := range []string{string(data), forged(strings.Split(string(data), "\n")...)} {
			rec, err := Decode(strings.NewReader(text))
			if err != nil {
				if !typed(err) || rec.Entries != nil {
					t.Fatalf("%d entries, %v", len(rec.Entries), err)
				}
				continue
			}
			// What was read can be written, and folding it does not panic.
			for i, e := range rec.Entries {
				if e.N != i+1 {
					t.Fatalf("entry %d has number %d", i, e.N)
				}
				if _, err := encodeLine(e, ""); err != nil {
					t.Fatalf("entry %d cannot be written again: %v", i, err)
				}
			}
			if _, err := debate.Fold(rec.Entries); err != nil && !errors.As(err, new(*debate.OrderError)) {
				t.Fatalf("the fold failed otherwise than by refusing an event: %v", err)
			}
		}
	})
}
