package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const key = "sk-proj-4f9A/Zq+77TbWx2KmPd"

func TestOwnSecretsInEverySpelling(t *testing.T) {
	t.Parallel()
	inJSON, err := json.Marshal(map[string]string{"key": key + "\n\"<"})
	if err != nil {
		t.Fatal(err)
	}
	cut := strings.Join([]string{key[:7], key[7:15], key[15:]}, "\" +\n  \"")
	spaced := strings.Join(strings.Split(key, ""), " ")
	tests := map[string]string{
		"as it is":              "token=" + key + ";",
		"JSON":                  string(inJSON),
		"base64":                base64.StdEncoding.EncodeToString([]byte(key)),
		"base64 in a longer":    base64.StdEncoding.EncodeToString([]byte("user:" + key + ":x")),
		"base64 one further":    base64.StdEncoding.EncodeToString([]byte("userx:" + key)),
		"base64 url":            base64.RawURLEncoding.EncodeToString([]byte("ab" + key)),
		"hex":                   hex.EncodeToString([]byte(key)),
		"HEX":                   strings.ToUpper(hex.EncodeToString([]byte(key))),
		"query":                 "https://example.com/?k=" + url.QueryEscape(key),
		"path":                  "https://example.com/" + url.PathEscape(key),
		"backwards":             backwards(key),
		"concatenated":          cut,
		"one letter at a time":  spaced,
		"hex, a line at a time": hex.EncodeToString([]byte(key))[:20] + "\n\t" + hex.EncodeToString([]byte(key))[20:],
		"twice":                 key + " and " + key,
	}
	r := New([]string{key, "short"}, nil, nil)
	for name, text := range tests {
		got := r.Text(text)
		if !strings.Contains(got, Mark) {
			t.Errorf("%s: nothing is taken out of %q", name, text)
		}
		for _, part := range []string{"4f9A", "77TbWx2", "KmPd", hex.EncodeToString([]byte("77TbW"))} {
			if strings.Contains(got, part) {
				t.Errorf("%s: %q is left in %q", name, part, got)
			}
		}
	}
	if got := r.Text("a short text about shortness"); got != "a short text about shortness" {
		t.Errorf("a value too short to be a secret was taken out: %q", got)
	}
}

func TestFoundSecretsAsTheyStand(t *testing.T) {
	t.Parallel()
	r := New(nil, []string{"hunter2", "", `a"b<c`}, nil)
	if got := r.Text(`p = "hunter2"; q = {"v": "a\"b<c"}, {"v":"a\"b\u003cc"}`); got != `p = "[redacted]"; q = {"v": "[redacted]"}, {"v":"[redacted]"}` {
		t.Error(got)
	}
	var none *Redactor
	if none.Text("x") != "x" || (&Redactor{}).Text("x") != "x" {
		t.Error("without secrets, text changes")
	}
}

// TestNothingElseChanges: text without any secret stays as it is, and redacting
// twice is redacting once.
func TestNothingElseChanges(t *testing.T) {
	t.Parallel()
	r := New([]string{key}, []string{"hunter2"}, nil)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		if got := r.Text(text); got != text {
			t.Fatalf("%q became %q", text, got)
		}
		dirty := text + key + text + "hunter2"
		once := r.Text(dirty)
		if r.Text(once) != once || strings.Contains(once, key) || strings.Contains(once, "hunter2") {
			t.Fatalf("%q became %q", dirty, once)
		}
	})
}

func TestSecretInItsPlace(t *testing.T) {
	t.Parallel()
	r := New(nil, []string{After(`{"password": "`, "hunter")}, nil)
	for text, want := range map[string]string{
		`{"password": "hunter"} hunter`:        `{"password": "` + Mark + `"} hunter`,
		`"text": "{\"password\": \"hunter\"}"`: `"text": "{\"password\": \"` + Mark + `\"}"`,
	} {
		if got := r.Text(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func backwards(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}
