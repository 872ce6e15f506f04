package engine

import (
	"encoding/json"
	"reflect"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/redact"
)

// recorded is the recorded form of an event: its texts have no strings with the form of a
// secret. The secrets of this process and of the change stay in it here: another process
// must get the same event.
func (s *Subject) recorded(event debate.Event) (debate.Event, error) {
	event, err := debate.Recorded(event)
	if err != nil || s.Find == nil {
		return event, err
	}
	secrets, v := s.hiding(nil, nil), reflect.New(reflect.TypeOf(event)).Elem()
	v.Set(reflect.ValueOf(event))
	visit(v, func(v reflect.Value) bool {
		if v.Type() == reflect.TypeFor[string]() {
			v.SetString(secrets.Text(v.String()))
		}
		return v.Type() != reflect.TypeFor[json.RawMessage]() // it follows from the events before
	})
	return v.Interface().(debate.Event), nil
}

// redactReply takes the secrets out of every text of a reply. Enumerations stay, so that a
// secret of the change cannot remove a verdict. The paths of found citations stay too: the
// record has them anyway.
func redactReply(reply *debate.Reply, secrets *redact.Redactor) {
	visit(reflect.ValueOf(reply), func(v reflect.Value) bool {
		switch {
		case v.Type() == reflect.TypeFor[debate.Ref]():
			ref := v.Addr().Interface().(*debate.Ref)
			ref.Quote = secrets.Text(ref.Quote)
			ref.RunRef = secrets.Text(ref.RunRef)
			ref.Found.Text = secrets.Text(ref.Found.Text)
			if !ref.Found.OK {
				ref.Path = secrets.Text(ref.Path)
			}
			return false
		case v.Type() == reflect.TypeFor[string]():
			v.SetString(secrets.Text(v.String()))
		}
		return true
	})
}

// refsOf lists every reference of a reply, in the order of its members.
func refsOf(reply *debate.Reply) []*debate.Ref {
	var refs []*debate.Ref
	visit(reflect.ValueOf(reply), func(v reflect.Value) bool {
		if v.Type() == reflect.TypeFor[debate.Ref]() {
			refs = append(refs, v.Addr().Interface().(*debate.Ref))
			return false
		}
		return true
	})
	return refs
}

// visit calls f for a value and, if f returns true, for all its parts. It finds the
// members of a reply by their types, so it also finds a new member.
func visit(v reflect.Value, f func(reflect.Value) bool) {
	if v.Kind() == reflect.Pointer {
		if !v.IsNil() {
			visit(v.Elem(), f)
		}
		return
	}
	if !f(v) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			visit(v.Field(i), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), f)
		}
	}
}
