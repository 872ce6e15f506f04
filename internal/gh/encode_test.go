package gh

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// TestDecodeHostile: what another job hands over is checked.
func TestDecodeHostile(t *testing.T) {
	t.Parallel()
	s, _, err := oneFile().snapshot(t)
	if err != nil {
		t.Fatal(err)
	}
	good, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	plain := func() saved {
		var form saved
		z, err := gzip.NewReader(bytes.NewReader(good))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.NewDecoder(z).Decode(&form); err != nil {
			t.Fatal(err)
		}
		return form
	}
	pack := func(form any) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if err := errors.Join(json.NewEncoder(z).Encode(form), z.Close()); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	if _, err := DecodeSnapshot(pack(plain())); err != nil {
		t.Fatalf("the one that it is: %v", err)
	}
	for name, change := range map[string]func(f *saved){
		"hash": func(f *saved) { f.Hash = strings.Repeat("0", 64) },
		"line": func(f *saved) {
			f.Files[0].Hunks[0].Lines = bytes.Replace(f.Files[0].Hunks[0].Lines, []byte("2"), []byte("3"), 1)
		},
		"sum":      func(f *saved) { f.Files[0].Hunks[0].OldLines = 99 },
		"sign":     func(f *saved) { f.Files[0].Hunks[0].Lines = []byte("*0x\n") },
		"no line":  func(f *saved) { f.Files[0].Hunks[0].Lines = []byte("+") },
		"content":  func(f *saved) { f.Contents[0].Data = []byte("else") },
		"other id": func(f *saved) { f.Contents[0].Data = []byte("else"); f.Contents[0].OID = gitID("else") },
		"left out": func(f *saved) { f.Files = nil },
		"head":     func(f *saved) { f.Head = mergeSHA },
		"no head":  func(f *saved) { f.Head = "main" },
		"version":  func(f *saved) { f.Version++ },
	} {
		form := plain()
		change(&form)
		if _, err := DecodeSnapshot(pack(form)); err == nil {
			t.Errorf("%s: it was taken", name)
		}
	}
	for name, data := range map[string][]byte{"nothing": nil, "text": []byte("{}"), "cut": good[:len(good)/2], "list": pack([]int{1})} {
		if _, err := DecodeSnapshot(data); err == nil {
			t.Errorf("%s: it was taken", name)
		}
	}
}

func FuzzDecodeSnapshot(f *testing.F) {
	f.Add([]byte("{}"))
	f.Add([]byte(`{"Version":1,"Files":[{"Hunks":[{"Lines":"KzB4Cg=="}]}]}`))
	f.Fuzz(func(t *testing.T, plain []byte) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(plain); err != nil || z.Close() != nil {
			t.Fatal(err)
		}
		s, err := DecodeSnapshot(b.Bytes())
		if err != nil {
			return
		}
		data, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := DecodeSnapshot(data)
		if err != nil || again.Hash != s.Hash {
			t.Errorf("it does not come back: %v", err)
		}
	})
}
