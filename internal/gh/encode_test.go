package gh

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
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
	id := strings.Repeat("1", 40)
	empty, err := json.Marshal(savedFor(id))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(empty)
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

// savedFor is the saved form of no change, with a file to look at.
func savedFor(commit string) saved {
	oid := gitID("text\n")
	form := saved{
		Version: savedVersion, Base: commit, Policy: commit, Head: commit, Searched: true,
		Listings: []savedListing{{Side: debate.Right, Whole: true, Entries: []savedEntry{{Path: []byte("a/b"), Mode: 0o100644, OID: oid, Size: 5}}}},
		Looked:   []savedContent{{Path: []byte("a/b"), OID: oid, Data: []byte("text\n")}},
	}
	s := Snapshot{BaseSHA: commit, HeadSHA: commit}
	form.Hash = s.hash(&patch.Set{})
	return form
}

// What another job hands over to be looked at has the ids that its listing names.
func TestDecodeHostileLooks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(f *saved)
		ok     bool
	}{
		"as it is":         {func(*saved) {}, true},
		"another text":     {func(f *saved) { f.Looked[0].Data = []byte("else\n") }, false},
		"another id":       {func(f *saved) { f.Looked[0].Data, f.Looked[0].OID = []byte("else\n"), gitID("else\n") }, false},
		"another path":     {func(f *saved) { f.Looked[0].Path = []byte("a/c") }, false},
		"a path that goes": {func(f *saved) { f.Listings[0].Entries[0].Path = []byte("../b") }, false},
		"no side":          {func(f *saved) { f.Listings[0].Side = "UP" }, false},
		"a side twice":     {func(f *saved) { f.Listings = append(f.Listings, f.Listings[0]) }, false},
	} {
		form := savedFor(strings.Repeat("1", 40))
		c.change(&form)
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if err := errors.Join(json.NewEncoder(z).Encode(form), z.Close()); err != nil {
			t.Fatal(err)
		}
		s, err := DecodeSnapshot(b.Bytes())
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		if got, why := s.Tree().Read("a/b", debate.Right); string(got) != "text\n" || why != "" {
			t.Errorf("%s: %q %s", name, got, why)
		}
	}
}
