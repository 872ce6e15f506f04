package debate

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// UnknownEventError reports an event of another protocol version.
type UnknownEventError struct{ Kind EventKind }

func (e *UnknownEventError) Error() string {
	return fmt.Sprintf("unknown event %q: the record is from another version of debate", e.Kind)
}

// KindOf names the kind of an event.
func KindOf(e Event) EventKind { return e.kind() }

// EncodeEvent returns the canonical JSON of an event.
func EncodeEvent(e Event) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return nil, fmt.Errorf("encode event %s: %w", KindOf(e), err)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// DecodeEvent reads the event of a kind. Unknown members are errors: a record is read whole or
// not at all.
func DecodeEvent(kind EventKind, data []byte) (Event, error) {
	read := rules[kind].read
	if read == nil {
		return nil, &UnknownEventError{Kind: kind}
	}
	return read(kind, data)
}

// Recorded returns an event in the form of a record. A path or a quoted line that is not UTF-8
// changes in JSON, and a live debate must equal its replay.
func Recorded(e Event) (Event, error) {
	data, err := EncodeEvent(e)
	if err != nil {
		return nil, err
	}
	return DecodeEvent(KindOf(e), data)
}

func decode[E Event](kind EventKind, data []byte) (Event, error) {
	var e E
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil {
		return nil, fmt.Errorf("decode event %s: %w", kind, err)
	}
	if len(bytes.TrimSpace(data[dec.InputOffset():])) > 0 {
		return nil, fmt.Errorf("decode event %s: more than one value", kind)
	}
	return e, nil
}
