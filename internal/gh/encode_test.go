package gh

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
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
		"hash":    func(f *saved) { f.Hash = strings.Repeat("0", 64) },
		"line":    func(f *saved) { f.Parts.Text = bytes.Replace(f.Parts.Text, []byte("+2"), []byte("+3"), 1) },
		"list":    func(f *saved) { f.Parts.List[0].Additions = 99 },
		"content": func(f *saved) { f.Texts[gitID("one\n2\n")] = []byte("else") },
		"other id": func(f *saved) {
			f.Texts[gitID("else")], f.Right.Entries["a.go"] = []byte("else"), treeEntry{Mode: 0o100644, OID: gitID("else"), Size: 4}
		},
		"left out": func(f *saved) { f.Parts.List = nil },
		"head":     func(f *saved) { f.HeadSHA = mergeSHA },
		"no head":  func(f *saved) { f.HeadSHA = "main" },
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
	f.Add([]byte(`{"Version":3,"Parts":{"Text":"KzB4Cg==","List":[{"NewPath":"a"}]}}`))
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
	form := saved{
		Version: savedVersion, Snapshot: Snapshot{BaseSHA: commit, PolicySHA: commit, HeadSHA: commit, tree: newTree(nil, commit, commit)},
		Searched: true, Texts: map[string][]byte{gitID("text\n"): []byte("text\n")},
		Left: listing{Listed: true}, Right: listing{Listed: true, Whole: true, Entries: map[string]treeEntry{"a/b": {Mode: 0o100644, OID: gitID("text\n"), Size: 5}}},
	}
	form.setChange()
	return form
}

// What another job hands over to be looked at has the ids that its listing names.
func TestDecodeHostileLooks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(f *saved)
		ok     bool
	}{
		"as it is":     {func(*saved) {}, true},
		"another text": {func(f *saved) { f.Texts[gitID("text\n")] = []byte("else\n") }, false},
		"another id":   {func(f *saved) { f.Right.Entries["a/b"] = treeEntry{Mode: 0o100644, OID: gitID("else\n"), Size: 5} }, false},
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
