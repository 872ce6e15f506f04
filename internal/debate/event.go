package debate

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// EventKind names an event in the log.
type EventKind string

// The kinds of events.
const (
	KindReceived     EventKind = "received"
	KindSnapshotted  EventKind = "snapshotted"
	KindSplit        EventKind = "split"
	KindCritiqued    EventKind = "critiqued"
	KindPoliced      EventKind = "policed"
	KindPreflighted  EventKind = "preflighted"
	KindPublished    EventKind = "published"
	KindAbortedEvent EventKind = "aborted"
	KindClosed       EventKind = "closed"
)

// Event is one fact of a debate. The set is closed: what the log may hold is
// what this file lists.
type Event interface{ Kind() EventKind }

// Entry is an event in its place in the log.
type Entry struct {
	N     int   // 1, 2, 3, ... without a gap
	At    int64 // Unix milliseconds, as the host measured them
	Event Event
}

// Received opens a debate: what was asked, by which settings, with which seed.
type Received struct {
	Protocol  int      `json:"protocol"`
	SessionID string   `json:"session_id"` // debate-YYYYmmdd-HHMMSS-<number> (R050)
	Seed      string   `json:"seed"`       // 128 random bits, hex, drawn by the edge (S24)
	Scope     string   `json:"scope"`      // as asked; the snapshot says what it became
	Mode      Mode     `json:"mode"`
	Target    Target   `json:"target"`
	Anchor    Anchor   `json:"anchor"`
	Settings  Settings `json:"settings"`
	Notes     []string `json:"notes,omitempty"`
}

// Anchor is what the change says it wants, verbatim. It fixes the question; its
// factual claims are unverified:author (X19).
type Anchor struct {
	Repo   string `json:"repo,omitempty"`
	PR     int    `json:"pr,omitempty"`
	Title  string `json:"title,omitempty"`
	Intent string `json:"intent,omitempty"`
}

// Settings are the settings that the reducer itself needs.
type Settings struct {
	Gate            Gate   `json:"gate"`
	FailOn          FailOn `json:"fail_on"`
	AbortIfNoParty  bool   `json:"abort_if_no_party,omitempty"` // on_no_challengers: abort (X02)
	ConfigHash      string `json:"config_hash,omitempty"`       // SHA-256 of the configuration in force, hex
	ConfigDefective bool   `json:"config_defective,omitempty"`  // the run uses defaults and can never succeed (S18)
}

// Snapshotted freezes the change.
type Snapshotted struct {
	Scope   string   `json:"scope"` // R052
	BaseSHA string   `json:"base_sha,omitempty"`
	HeadSHA string   `json:"head_sha,omitempty"`
	Hash    string   `json:"hash"` // SHA-256 over all that was frozen, hex
	Notes   []string `json:"notes,omitempty"`
}

// SplitDone is the split of the change and its coverage ledger.
type SplitDone struct {
	Target     Target     `json:"target"`
	Downgraded bool       `json:"downgraded,omitempty"` // R070
	Assumption string     `json:"assumption,omitempty"` // X06
	Question   string     `json:"question,omitempty"`   // X06
	Totals     Totals     `json:"totals"`
	Segments   []Segment  `json:"segments"`
	Coverage   []Coverage `json:"coverage"`
	Chunks     []Chunk    `json:"chunks"`
}

// Critiqued is what the embedded critic found, each hit with the engine's own
// finding about its citation.
type Critiqued struct {
	Hits    []CheckedHit `json:"hits"`
	Notices []Notice     `json:"notices,omitempty"`
	Missing []string     `json:"missing,omitempty"`
	Omitted int          `json:"omitted,omitempty"` // hits beyond the critic's bound
}

// CheckedHit is a hit after the engine looked at the lines that it cites.
type CheckedHit struct {
	Hit
	CitationOK  bool `json:"citation_ok"`
	Commentable bool `json:"commentable"` // the lines may carry a review comment
}

// Policed is what policy says: the triggers, and why nothing needs review.
type Policed struct {
	Triggers []Trigger `json:"triggers"`
	Skip     string    `json:"skip,omitempty"` // "" to go on (S07)
}

// PartyStatus is whether a party can take part.
type PartyStatus string

// The statuses of a party before a debate.
const (
	PartyOK       PartyStatus = "ok"
	PartyNotFound PartyStatus = "not_found"
)

// Party is one participant of a debate.
type Party struct {
	ID       string      `json:"id"`
	Role     string      `json:"role"`
	Provider string      `json:"provider,omitempty"`
	Model    string      `json:"model,omitempty"`
	Family   string      `json:"family,omitempty"`
	Status   PartyStatus `json:"status"`
	Detail   string      `json:"detail,omitempty"` // why it cannot take part
}

// Preflighted is the party table. It rests on configuration alone: preflight
// makes no network call (S14).
type Preflighted struct {
	Parties []Party `json:"parties"`
}

// Published says that the outcome was handed to its sinks.
type Published struct {
	Sinks []string `json:"sinks"`
}

// AbortedEvent ends a debate that cannot go on.
type AbortedEvent struct {
	Reason string `json:"reason"`
}

// Closed is the last event: the canonical outcome, which a replay must
// reproduce (S24), and the digest of what was rendered from it.
type Closed struct {
	Outcome  json.RawMessage `json:"outcome"`
	Rendered string          `json:"rendered"` // SHA-256 of the text, markdown and SARIF renderings, hex
}

// Kind implements Event.
func (Received) Kind() EventKind { return KindReceived }

// Kind implements Event.
func (Snapshotted) Kind() EventKind { return KindSnapshotted }

// Kind implements Event.
func (SplitDone) Kind() EventKind { return KindSplit }

// Kind implements Event.
func (Critiqued) Kind() EventKind { return KindCritiqued }

// Kind implements Event.
func (Policed) Kind() EventKind { return KindPoliced }

// Kind implements Event.
func (Preflighted) Kind() EventKind { return KindPreflighted }

// Kind implements Event.
func (Published) Kind() EventKind { return KindPublished }

// Kind implements Event.
func (AbortedEvent) Kind() EventKind { return KindAbortedEvent }

// Kind implements Event.
func (Closed) Kind() EventKind { return KindClosed }

// UnknownEventError reports an event that this protocol version does not know.
type UnknownEventError struct{ Kind EventKind }

func (e *UnknownEventError) Error() string {
	return fmt.Sprintf("unknown event %q: the record is from another version of debate", e.Kind)
}

// EncodeEvent returns the canonical JSON of an event.
func EncodeEvent(e Event) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return nil, fmt.Errorf("encode event %s: %w", e.Kind(), err)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// DecodeEvent reads the event of a kind. Unknown members are errors: a record
// that this version cannot read whole is not read in part.
func DecodeEvent(kind EventKind, data []byte) (Event, error) {
	switch kind {
	case KindReceived:
		return decode[Received](kind, data)
	case KindSnapshotted:
		return decode[Snapshotted](kind, data)
	case KindSplit:
		return decode[SplitDone](kind, data)
	case KindCritiqued:
		return decode[Critiqued](kind, data)
	case KindPoliced:
		return decode[Policed](kind, data)
	case KindPreflighted:
		return decode[Preflighted](kind, data)
	case KindPublished:
		return decode[Published](kind, data)
	case KindAbortedEvent:
		return decode[AbortedEvent](kind, data)
	case KindClosed:
		return decode[Closed](kind, data)
	}
	return nil, &UnknownEventError{Kind: kind}
}

// Recorded returns an event as a record gives it back. A path or a quoted line that
// is not UTF-8 does not survive JSON, and what is folded while it happens must
// equal what is folded from the record.
func Recorded(e Event) (Event, error) {
	data, err := EncodeEvent(e)
	if err != nil {
		return nil, err
	}
	return DecodeEvent(e.Kind(), data)
}

func decode[E Event](kind EventKind, data []byte) (Event, error) {
	var e E
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil {
		return nil, fmt.Errorf("decode event %s: %w", kind, err)
	}
	if dec.More() {
		return nil, fmt.Errorf("decode event %s: more than one value", kind)
	}
	return e, nil
}
