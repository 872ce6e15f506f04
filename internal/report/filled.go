package report

import "reflect"

// filled copies an envelope so that no list in its JSON is null. No list and no
// pointer of the copy is shared with the original.
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

// list is a copy that is never nil.
func list[T any](in []T) []T { return append([]T{}, in...) }
