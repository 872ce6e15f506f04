// Package store keeps the append-only log of a debate. The log is the truth: a
// header line with the schema version, then one event a line, each with its
// number, the SHA-256 of the line before and a checksum of its own, so that a
// gap or an edit is noticed. An append is on disk before it returns. A last line
// that a crash tore is set aside and reported; every other defect is a typed
// error, and what such a log holds is not handed out.
package store

import (
	"fmt"
	"time"

	"github.com/prdebate/debate/internal/debate"
)

// SchemaVersion of the log's lines.
const SchemaVersion = 1

// The bounds of a log. What would exceed them is refused when it is appended, so
// that everything that was appended can be read.
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
	// Append writes the entry behind the last one and returns once it is durable.
	// The number of the entry is the expected version: an entry that is not the
	// next one, because this or another writer was faster, is a *ConflictError. An
	// entry that is refused leaves nothing. Goroutines may share a log.
	Append(e debate.Entry) error
	// Last is the digest of the last line: it seals all entries before it.
	Last() string
	Close() error
}

// Record is what a log holds.
type Record struct {
	Entries []debate.Entry
	Last    string // SHA-256 of the last whole line, hex
	Torn    bool   // a crash left a part of one more line, which is not counted
	end     Chain  // behind the last whole line
}

// End is where the record goes on.
func (r Record) End() Chain { return r.end }

// CorruptError reports a record that was edited, cut or reordered.
type CorruptError struct {
	Line int // 1-based line of the file
	Why  string
	Err  error // what said so, or nil; a *debate.UnknownEventError for an event that nobody knows
}

func (e *CorruptError) Error() string { return fmt.Sprintf("record line %d: %s", e.Line, e.Why) }

func (e *CorruptError) Unwrap() error { return e.Err }

// VersionError reports a record of another schema version.
type VersionError struct{ Got int }

func (e *VersionError) Error() string {
	return fmt.Sprintf("the record has schema version %d, this program reads version %d", e.Got, SchemaVersion)
}

// ProtocolError reports a record of a debate under another protocol version:
// its events do not mean here what they meant there.
type ProtocolError struct{ Got string }

func (e *ProtocolError) Error() string {
	return fmt.Sprintf("the record has protocol version %s, this program folds version %s", e.Got, debate.ProtocolVersion)
}

// ConflictError reports that the log does not end where its writer thought.
type ConflictError struct{ Expected, Actual int }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("the record was expected to end with event %d and ends with event %d: another program wrote to it", e.Expected, e.Actual)
}

// BusyError reports that another program held the record for longer than an
// append can take.
type BusyError struct{ Waited time.Duration }

func (e *BusyError) Error() string {
	return fmt.Sprintf("another program has held the record for %s", e.Waited)
}

// TooLargeError reports an event that does not fit into a record.
type TooLargeError struct {
	N    int
	Kind debate.EventKind
	Why  string
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("event %d (%s) does not fit into the record: %s", e.N, e.Kind, e.Why)
}

// NotRegularError reports a name that is a directory, a pipe or a device. Of
// these the last two could keep a reader waiting for ever.
type NotRegularError struct{ What string }

func (e *NotRegularError) Error() string { return "it is " + e.What + ", not a file" }
