package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/comment"
)

// JSON renders the envelope as one indented object and a newline. No list in it is null. It loses
// no data, but invisible characters and text that the GitHub runner would take for a command
// become JSON escapes, since the object may end up in a log.
func JSON(e Envelope) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(withIDs(e)); err != nil {
		return nil, fmt.Errorf("encode the report as JSON: %w", err)
	}
	return Escaped(b.Bytes()), nil
}

// withIDs is an envelope for scripts: they know parties by their ids.
func withIDs(shown Envelope) Envelope {
	if shown.source == nil {
		return shown
	}
	n := namesOf(shown.source)
	n.parties = nil
	e := build(*shown.source, n)
	e.Record, e.Conclusion, e.ConclusionWhy = shown.Record, shown.Conclusion, shown.ConclusionWhy
	return e
}

// Escaped writes invisible characters and "##[" in the strings of a JSON text as
// escapes. Outside of strings JSON holds neither.
func Escaped(data []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(data))
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case bytes.HasPrefix(data, []byte("##[")):
			b.WriteString(`#\u0023`)
			size = 2
		case comment.Visible(r):
			b.Write(data[:size])
		case r > 0xFFFF:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		data = data[size:]
	}
	return b.Bytes()
}

// filled copies an envelope so its JSON has no null list. The copy shares no list and no pointer
// with the original.
func filled(e Envelope) Envelope {
	fill(reflect.ValueOf(&e).Elem())
	return e
}

func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && field.Tag.Get("json") != "-" {
				fill(v.Field(i))
			}
		}
	case reflect.Slice:
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(list, v)
		for i := range list.Len() {
			fill(list.Index(i))
		}
		v.Set(list)
	case reflect.Pointer:
		if !v.IsNil() {
			to := reflect.New(v.Type().Elem())
			to.Elem().Set(v.Elem())
			fill(to.Elem())
			v.Set(to)
		}
	}
}

// withhold removes lines with a secret: no rendering may show them.
func (e *Envelope) withhold() {
	var secrets []Finding // found by the critic: no other finding on such a line may quote it either
	for f := range e.Findings() {
		if path.Dir(f.Rule) == "secrets" {
			secrets = append(secrets, *f)
		}
	}
	touched := func(f Finding) bool {
		return slices.ContainsFunc(secrets, func(s Finding) bool {
			return s.Path == f.Path && s.Side == f.Side && s.Line <= Last(f) && f.Line <= Last(s)
		})
	}
	for f := range e.Findings() {
		if touched(*f) {
			f.Quote, f.Suggestion, f.Proof = withheld, "", nil
		}
		for _, l := range f.Conversation {
			for i, c := range l.Cites {
				if touched(Finding{Path: c.Path, Line: c.Line, EndLine: c.EndLine, Side: c.Side}) {
					l.Cites[i].Quote = withheld
				}
			}
		}
	}
}

// withheld replaces a quote with a secret.
const withheld = "(withheld: the lines hold a secret)"
