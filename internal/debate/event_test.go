package debate

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// every holds one event of each kind, with its members set.
func every() []Event {
	all := degraded([]CheckedHit{hit(P1, TriggerSecurity, true)}, []Trigger{{ID: TriggerSecurity, Class: ClassContent, Path: "a<b>&.go"}})
	bob := Actor{Login: "bob", Permission: WriteAccess}
	return append(all, AbortedEvent{Reason: "why"}, Checked{Runs: []Run{{Ref: "check:1", Failed: true}}},
		Replied{Ask: "OPEN/0/gpt", Status: CallOK, Reply: &Reply{Disposition: Keep, Claims: []NewClaim{{Title: "t", Refs: []Ref{{Citation: Citation{Path: "a.go"}}}}}}},
		SinkFailed{Decision: "D0", Sink: SinkIssue, Reason: "off"}, Reminded{Decision: "D0"}, Decided{Decision: "D0", Option: "keep", By: bob},
		Disputed{Claim: "F1", Text: "no", By: bob}, HeadMoved{Head: "h"}, WithdrawnEvent{Reason: "merged"}, Stopped{By: bob}, Resumed{})
}

func TestEventRoundTrip(t *testing.T) {
	t.Parallel()
	seen := make(map[EventKind]bool)
	for _, e := range every() {
		seen[KindOf(e)] = true
		data, err := EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeEvent(KindOf(e), data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(e, back); diff != "" {
			t.Errorf("%s:\n%s", KindOf(e), diff)
		}
		again, err := EncodeEvent(back)
		if err != nil || string(again) != string(data) {
			t.Errorf("%s is not canonical:\n%s\n%s", KindOf(e), data, again)
		}
	}
	if len(seen) != 19 {
		t.Errorf("%d kinds of events covered: %v", len(seen), seen)
	}
}

func TestDecodeEventRefuses(t *testing.T) {
	t.Parallel()
	var unknown *UnknownEventError
	if _, err := DecodeEvent("invented", []byte(`{}`)); !errors.As(err, &unknown) {
		t.Errorf("unknown kind: %v", err)
	}
	for _, bad := range []string{``, `[]`, `{"reason":1}`, `{"reason":"a","more":1}`, `{"reason":"a"}{}`, `{"reason":"a"}}`, `{"reason":"a"}]x`, `{"reason":"a"`} {
		if e, err := DecodeEvent(KindAbortedEvent, []byte(bad)); err == nil {
			t.Errorf("%q was read as %+v", bad, e)
		}
	}
}

func FuzzDecodeEvent(f *testing.F) {
	for _, e := range every() {
		data, err := EncodeEvent(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(KindOf(e)), []byte(data))
	}
	f.Add("received", []byte(strings.Repeat(`{"anchor":`, 5000)))
	f.Fuzz(func(t *testing.T, kind string, data []byte) {
		event, err := DecodeEvent(EventKind(kind), data)
		if err != nil {
			return
		}
		once, err := EncodeEvent(event)
		if err != nil {
			return // a number or a raw member that JSON cannot hold again
		}
		back, err := DecodeEvent(EventKind(kind), once)
		if err != nil {
			t.Fatalf("what was encoded cannot be decoded: %v\n%s", err, once)
		}
		twice, err := EncodeEvent(back)
		if err != nil || string(once) != string(twice) {
			t.Fatalf("encoding is not stable:\n%s\n%s", once, twice)
		}
	})
}
