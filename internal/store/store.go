// Package store keeps the append-only log of a debate. The log is the truth: a
// header line with the schema version, then one event a line, each with its
// number and the SHA-256 of the line before, so that a gap or an edit is
// noticed. An append is on disk before it returns. A last line that a crash
// tore is set aside and reported; every other defect is an error.
package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/prdebate/debate/internal/debate"
)

// SchemaVersion of the log's lines.
const SchemaVersion = 1

// MaxLine bounds one line of a log, in bytes.
const MaxLine = 128 << 20

// header is the first line of a log.
type header struct {
	Log           string `json:"log"`
	SchemaVersion int    `json:"schema_version"`
}

// logName stands in the header, so that another file is not taken for a log.
const logName = "debate"

// line is one event as it stands in the log.
type line struct {
	N     int              `json:"n"`
	At    int64            `json:"at"`
	Prev  string           `json:"prev"` // SHA-256 of the line before without its newline, hex
	Type  debate.EventKind `json:"type"`
	Event json.RawMessage  `json:"event"`
}

// CorruptError reports a record that was edited, cut or reordered.
type CorruptError struct {
	Line int // 1-based line of the file
	Why  string
}

func (e *CorruptError) Error() string { return fmt.Sprintf("record line %d: %s", e.Line, e.Why) }

// VersionError reports a record of another schema version.
type VersionError struct{ Got int }

func (e *VersionError) Error() string {
	return fmt.Sprintf("the record has schema version %d, this program reads version %d", e.Got, SchemaVersion)
}

// ConflictError reports that the log is longer than its writer thought.
type ConflictError struct{ Expected, Actual int }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("the record is at event %d, not at %d: somebody else wrote to it", e.Actual, e.Expected)
}

// Record is what a log holds.
type Record struct {
	Entries []debate.Entry
	Last    string // SHA-256 of the last whole line, hex
	Torn    bool   // a crash left a part of one more line, which is not counted
	size    int64  // bytes up to the end of the last whole line
}

// Decode reads a whole log and checks its chain.
func Decode(data []byte) (Record, error) {
	var rec Record
	for n := 1; len(data) > 0; n++ {
		text, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole {
			rec.Torn = true
			break
		}
		if len(text) > MaxLine {
			return rec, &CorruptError{Line: n, Why: "the line is too long"}
		}
		if n == 1 {
			if err := decodeHeader(text); err != nil {
				return rec, err
			}
		} else {
			entry, err := decodeLine(text, n, rec.Last)
			if err != nil {
				return rec, err
			}
			rec.Entries = append(rec.Entries, entry)
		}
		rec.Last = digest(text)
		rec.size += int64(len(text)) + 1
		data = rest
	}
	if rec.size == 0 {
		return rec, &CorruptError{Line: 1, Why: "this is no record of a debate: it has no header"}
	}
	return rec, nil
}

func decodeHeader(text []byte) error {
	var h header
	if err := strict(text, &h); err != nil || h.Log != logName {
		return &CorruptError{Line: 1, Why: "this is no record of a debate: its first line is not the header"}
	}
	if h.SchemaVersion != SchemaVersion {
		return &VersionError{Got: h.SchemaVersion}
	}
	return nil
}

func decodeLine(text []byte, n int, prev string) (debate.Entry, error) {
	var l line
	if err := strict(text, &l); err != nil {
		return debate.Entry{}, &CorruptError{Line: n, Why: "not an event: " + err.Error()}
	}
	if l.N != n-1 {
		return debate.Entry{}, &CorruptError{Line: n, Why: fmt.Sprintf("event %d stands where event %d belongs", l.N, n-1)}
	}
	if l.Prev != prev {
		return debate.Entry{}, &CorruptError{Line: n, Why: "the line before was changed after this one was written"}
	}
	event, err := debate.DecodeEvent(l.Type, l.Event)
	if err != nil {
		return debate.Entry{}, &CorruptError{Line: n, Why: err.Error()}
	}
	return debate.Entry{N: l.N, At: l.At, Event: event}, nil
}

func strict(text []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if dec.More() {
		return fmt.Errorf("more than one value")
	}
	return nil
}

// encodeLine returns the line of an entry without its newline.
func encodeLine(e debate.Entry, prev string) ([]byte, error) {
	event, err := debate.EncodeEvent(e.Event)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line{N: e.N, At: e.At, Prev: prev, Type: e.Event.Kind(), Event: event}); err != nil {
		return nil, fmt.Errorf("encode event %d: %w", e.N, err)
	}
	text := bytes.TrimRight(b.Bytes(), "\n")
	if len(text) > MaxLine {
		return nil, fmt.Errorf("event %d (%s) is %d bytes, a record holds at most %d in one event", e.N, e.Event.Kind(), len(text), MaxLine)
	}
	return text, nil
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
