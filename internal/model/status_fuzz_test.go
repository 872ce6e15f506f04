package model

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzReadFault: whatever a provider sends as an error becomes one short
// printable line and a class.
func FuzzReadFault(f *testing.F) {
	for _, seed := range []string{
		`{"error":{"message":"m","type":"t","param":"p","code":"c","details":[{"reason":"r"}]}}`, `[{"error":{"code":429}}]`,
		`{"error":"text"}`, `{"detail":[{"msg":"m"}]}`, `{"message":{"a":[1]}}`, `null`, `[[[[`, "\xff\u202e",
	} {
		f.Add(429, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		got := ReadFault(status, body).Failure()
		if got.Class == "" || got.Class == "ok" || got.Detail == "" || len(got.Detail) > 3*maxSaid || !utf8.ValidString(got.Detail) {
			t.Errorf("%+v", got)
		}
		for _, r := range got.Detail {
			if !unicode.IsPrint(r) {
				t.Errorf("%q is not printable", got.Detail)
			}
		}
		hasError(body)
	})
}
