// Package store keeps the append-only log of a debate. The log is the truth: a header line
// with the schema version, then one event a line, each with its number, the SHA-256 of the
// line before and its own checksum, to detect a gap or an edit. An append is on disk before
// it returns. A last line torn by a crash is dropped and reported; every other defect is a
// typed error without any entries.
package store

import (
	"fmt"
	"strconv"

	"github.com/prdebate/debate/internal/debate"
)

// SchemaVersion of the log's lines.
const SchemaVersion = 1

// The bounds of a log. Append enforces them, so every appended entry can be read.
const (
	MaxLine   = 64 << 20  // bytes of one line
	MaxRecord = 256 << 20 // bytes of all lines
	// MaxValues bounds the JSON values of all lines. A value of two bytes can ask
	// for some hundred bytes of memory: without this bound a small forged log
	// could use up any machine.
	MaxValues = 2 << 20
)

// Log is the log of one debate, open for one writer. Every backend behaves as
// storetest.Conform demands.
type Log interface {
	// Append writes the entry after the last one and returns once it is durable. The number
	// of the entry is the expected version: if another writer was faster, the result is a
	// *ConflictError. A refused entry leaves nothing. Append is safe for concurrent use.
	Append(e debate.Entry) error
	// Last is the digest of the last line: it seals all entries before it.
	Last() string
	Close() error
}

// Record is the content of a log.
type Record struct {
	Entries []debate.Entry
	Last    string // SHA-256 of the last whole line, hex
	Torn    bool   // a crash left a part of another line, which does not count
	end     Chain  // behind the last whole line
}

// End returns the chain at the end of the record.
func (r Record) End() Chain { return r.end }

// CorruptError reports an edited, cut or reordered record.
type CorruptError struct {
	Line int // 1-based line of the file
	Why  string
	Err  error // the cause, or nil; a *debate.UnknownEventError for an unknown event
}

func (e *CorruptError) Error() string { return fmt.Sprintf("record line %d: %s", e.Line, e.Why) }

func (e *CorruptError) Unwrap() error { return e.Err }

// VersionError reports a record of another version of the schema, or of the protocol, which
// gives its events another meaning.
type VersionError struct{ Of, Got, Want string }

func (e *VersionError) Error() string {
	advice := "run the review again, or read the record with the release that wrote it"
	got, _ := strconv.Atoi(e.Got)
	if want, _ := strconv.Atoi(e.Want); got > want {
		advice = "update this program"
	}
	return fmt.Sprintf("the record has %s version %s, this program reads version %s: %s", e.Of, e.Got, e.Want, advice)
}

// ConflictError reports another end of the log than its writer expected.
type ConflictError struct{ Expected, Actual int }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("the record was expected to end with event %d and ends with event %d: another program wrote to it", e.Expected, e.Actual)
}

// tooLarge reports an event that does not fit into a record.
func tooLarge(e debate.Entry, why string, args ...any) error {
	return fmt.Errorf("event %d (%s) does not fit into the record: %s", e.N, debate.KindOf(e.Event), fmt.Sprintf(why, args...))
}
