package gitrepo

import (
	"encoding/hex"
	"strings"
	"testing"
)

func TestParseRange(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in, from, to string
		ok           bool
	}{
		{"a..b", "a", "b", true}, {"a...b", "a", "b", true}, {"a..", "a", "", true}, {"..b", "", "b", true}, {"...b", "", "b", true}, {"a...", "a", "", true},
		{"v1.0..v1.1", "v1.0", "v1.1", true}, {"HEAD~3..HEAD", "HEAD~3", "HEAD", true}, {"-x..--y", "-x", "--y", true},
		{"", "", "", false}, {"a", "", "", false}, {"..", "", "", false}, {"...", "", "", false}, {"....", "", "", false},
		{"a..b..c", "", "", false}, {"a....b", "", "", false}, {"a.b", "", "", false},
	}
	for _, test := range tests {
		from, to, err := ParseRange(test.in)
		if from != test.from || to != test.to || (err == nil) != test.ok {
			t.Errorf("%q: %q, %q, %v", test.in, from, to, err)
		}
	}
}

func FuzzParseRange(f *testing.F) {
	for _, s := range []string{"a..b", "a...b", "..", "a....b", "a..b..c", "\x00..\n", "-..-", "a.b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		from, to, err := ParseRange(s)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %q", err)
			}
			return
		}
		if from+".."+to != s && from+"..."+to != s {
			t.Errorf("%q became %q and %q", s, from, to)
		}
		if strings.Contains(from, "..") || strings.Contains(to, "..") {
			t.Errorf("a side holds dots: %q, %q", from, to)
		}
	})
}

func FuzzParseTree(f *testing.F) {
	id := strings.Repeat("\x01", 20)
	f.Add([]byte("100644 a b\x00"+id+"40000 dir\x00"+id), 20)
	f.Add([]byte("100644 a\x00short"), 20)
	f.Add([]byte(" \x00"), 32)
	f.Fuzz(func(t *testing.T, raw []byte, idBytes int) {
		if idBytes != 20 && idBytes != 32 {
			return
		}
		entries, err := parseTree(raw, idBytes)
		if err != nil {
			return
		}
		for name, entry := range entries {
			if strings.ContainsRune(name, 0) {
				t.Errorf("name %q", name)
			}
			if id, err := hex.DecodeString(entry.id); err != nil || len(id) != idBytes {
				t.Errorf("id %q", entry.id)
			}
		}
	})
}

func FuzzGitsWords(f *testing.F) {
	f.Add([]byte("error: open(\"x\"): no\nfatal: Unable to process path x\n"))
	f.Add([]byte("warning: \x1b[31m\n\xff"))
	f.Fuzz(func(t *testing.T, stderr []byte) {
		if s := lastWords(stderr); strings.ContainsAny(s, "\n\r\x1b\x00") || len(s) > 1200 {
			t.Errorf("%q", s)
		}
	})
}
