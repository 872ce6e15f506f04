package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// header is the first line of a log.
type header struct {
	Log           string `json:"log"`
	SchemaVersion int    `json:"schema_version"`
}

// logName marks the header, so that another file is not read as a log.
const logName = "debate"

// line is one event in the log.
type line struct {
	N     int              `json:"n"`
	At    int64            `json:"at"`
	Prev  string           `json:"prev"` // SHA-256 of the line before without its newline, hex
	Type  debate.EventKind `json:"type"`
	Event json.RawMessage  `json:"event"`
	Sum   string           `json:"sum"` // SHA-256 of the line up to the comma before this member, hex
}

// sumStart begins the last member of a line. The chain cannot reveal an edit of the last
// line, because no line follows; its checksum can.
const sumStart = `,"sum":"`

// encodeHeader returns the header of a new log without its newline.
func encodeHeader() ([]byte, error) {
	return json.Marshal(header{Log: logName, SchemaVersion: SchemaVersion})
}

// decodeHeader checks the first line. A newer version may add members, so it checks the
// version before the form.
func decodeHeader(text []byte) error {
	var h header
	if err := json.Unmarshal(text, &h); err != nil || h.Log != logName {
		return &CorruptError{Line: 1, Why: "this is no record of a debate", Err: err}
	}
	if h.SchemaVersion != SchemaVersion {
		return &VersionError{Of: "schema", Got: strconv.Itoa(h.SchemaVersion), Want: strconv.Itoa(SchemaVersion)}
	}
	want, err := encodeHeader()
	if err != nil {
		return err
	}
	if !bytes.Equal(text, want) {
		return &CorruptError{Line: 1, Why: "the header was changed"}
	}
	return nil
}

// encodeLine returns the line of an entry without its newline. It refuses an event that
// could not be read again.
func encodeLine(e debate.Entry, prev string) ([]byte, error) {
	if e.Event == nil {
		return nil, fmt.Errorf("entry %d has no event", e.N)
	}
	event, err := debate.EncodeEvent(e.Event)
	if err != nil {
		return nil, err
	}
	if err := checkSize(e, int64(len(event)), values(event)); err != nil {
		return nil, err
	}
	if _, err := debate.DecodeEvent(debate.KindOf(e.Event), event); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line{N: e.N, At: e.At, Prev: prev, Type: debate.KindOf(e.Event), Event: event}); err != nil {
		return nil, fmt.Errorf("encode event %d: %w", e.N, err)
	}
	text := b.Bytes()
	text = text[:len(text)-len(sumStart+"\"}\n")]
	text = append(text, sumStart+digest(text)+`"}`...)
	return text, checkSize(e, int64(len(text)), 0)
}

// checkSize refuses an event too large for a line.
func checkSize(e debate.Entry, size int64, count int) error {
	if size > MaxLine || count > MaxValues {
		return tooLarge(e, "it is %d bytes with %d values; one event has at most %d bytes and %d values", size, count, MaxLine, MaxValues)
	}
	return nil
}

// decodeLine reads line n of a file, 1-based; prev is the digest of the line before.
func decodeLine(text []byte, n int, prev string) (debate.Entry, error) {
	corrupt := func(why string, err error) (debate.Entry, error) {
		return debate.Entry{}, &CorruptError{Line: n, Why: why, Err: err}
	}
	if !hasChecksum(text) {
		return corrupt("the line was changed: its checksum is another", nil)
	}
	var l line
	if err := strict(text, &l); err != nil {
		return corrupt("not an event: "+err.Error(), err)
	}
	if l.N != n-1 {
		return corrupt(fmt.Sprintf("event %d is in the place of event %d", l.N, n-1), nil)
	}
	if l.Prev != prev {
		return corrupt("the line before was changed after this one was written", nil)
	}
	if l.Type == debate.KindReceived {
		// The version counts before the form: the events of another version may
		// have other members.
		var first struct {
			Protocol json.RawMessage `json:"protocol"` // a number up to version 3
		}
		if err := json.Unmarshal(l.Event, &first); err == nil && string(first.Protocol) != strconv.Quote(debate.ProtocolVersion) {
			version := strings.Trim(string(first.Protocol), `"`)
			if version == "" || len(version) > 20 {
				version = "unknown"
			}
			return debate.Entry{}, &VersionError{Of: "protocol", Got: version, Want: debate.ProtocolVersion}
		}
	}
	event, err := debate.DecodeEvent(l.Type, l.Event)
	if err != nil {
		return corrupt(err.Error(), err)
	}
	return debate.Entry{N: l.N, At: l.At, Event: event}, nil
}

// hasChecksum reports whether a line ends with its checksum.
func hasChecksum(text []byte) bool {
	at := len(text) - len(sumStart) - hex.EncodedLen(sha256.Size) - len(`"}`)
	return at >= 0 && string(text[at:]) == sumStart+digest(text[:at])+`"}`
}

// starts begin a member or an element.
var starts = []byte(",{[")

// values counts the possible JSON values: the members and elements of all objects and
// arrays of a line.
func values(text []byte) int {
	n, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && bytes.IndexByte(starts, c) >= 0:
			n++
		}
	}
	return n
}

func strict(text []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one value")
	}
	return nil
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
