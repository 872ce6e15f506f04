package storetest

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// kinds holds one event of each kind, empty.
var kinds = []debate.Event{
	debate.Received{}, debate.Snapshotted{}, debate.SplitDone{}, debate.Critiqued{}, debate.Policed{},
	debate.Preflighted{}, debate.Checked{}, debate.Shown{}, debate.Looked{}, debate.Tested{}, debate.Replied{}, debate.Published{}, debate.SinkFailed{},
	debate.Reminded{}, debate.Decided{}, debate.Disputed{}, debate.HeadMoved{}, debate.WithdrawnEvent{},
	debate.Stopped{}, debate.Resumed{}, debate.AbortedEvent{}, debate.Closed{},
}

// hostile lists texts that a careless backend would change, cut or obey.
var hostile = []string{
	"", "\xff\xfe not UTF-8 \xed\xa0\x80", "\x00 zero", "two\nlines\r\nand\rmore", `"},{"n":2,"sum":"`,
	"\u2028\u2029\ufeff", "<b>&amp;</b>", `\u0000 \n \\`, "'; DROP TABLE events; --", "$1 ? %s :name",
	"\U0001F469\u200D\U0001F4BB e\u0301", "   padded\t", strings.Repeat("long ", 1000), "null", "1e400",
}

// Events returns events of every kind, as an engine hands them to a log: empty
// ones, and ones with every member set to a text or number that a backend could
// spoil. The same events come out of every call.
func Events(t *testing.T) []debate.Event {
	t.Helper()
	fill := filler{}
	var all []debate.Event
	for _, empty := range kinds {
		if closed, ok := empty.(debate.Closed); ok {
			closed.Outcome = json.RawMessage(`{}`) // an empty text is no JSON
			empty = closed
		}
		full := reflect.New(reflect.TypeOf(empty)).Elem()
		fill.value(full, 0)
		event := full.Interface().(debate.Event)
		if first, ok := event.(debate.Received); ok {
			first.Protocol = debate.ProtocolVersion
			event = first
		}
		if first, ok := empty.(debate.Received); ok {
			first.Protocol = debate.ProtocolVersion
			empty = first
		}
		all = append(all, event, empty)
	}
	all = append(all, debate.AbortedEvent{Reason: strings.Repeat("0123456789abcde\n", 1<<16)}) // 1 MiB
	for i, e := range all {
		recorded, err := debate.Recorded(e)
		if err != nil {
			t.Fatalf("%s: %v", debate.KindOf(e), err)
		}
		all[i] = recorded
	}
	return all
}

// Entries numbers events as a log demands.
func Entries(events []debate.Event) []debate.Entry {
	var all []debate.Entry
	for i, e := range events {
		all = append(all, debate.Entry{N: i + 1, At: int64(i) * 1000, Event: e})
	}
	return all
}

// filler sets every member of a value, each to something else.
type filler struct{ n int }

// value sets v. Types that hold themselves end at the given depth.
func (f *filler) value(v reflect.Value, depth int) {
	f.n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(hostile[f.n%len(hostile)])
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt([]int64{math.MaxInt64, math.MinInt64, -1, 1 << 53, 1<<53 + 1}[f.n%5])
	case reflect.Uint64:
		v.SetUint([]uint64{0, 1, math.MaxUint64, 1<<53 + 1}[f.n%4])
	case reflect.Pointer:
		if depth < 10 {
			v.Set(reflect.New(v.Type().Elem()))
			f.value(v.Elem(), depth+1)
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(`{"z":1.50,"a":[ 1 , -0 ],"t":"<&>\u2028"}`))
			return
		}
		if depth < 10 {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			f.value(v.Index(0), depth+1)
			f.value(v.Index(1), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.value(v.Field(i), depth)
		}
	default:
		panic("events have no members of kind " + v.Kind().String())
	}
}
