package comment

import (
	"bytes"
	"compress/flate"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var (
	secret = []byte("a key of the operator")
	bound  = Bind{RepositoryID: 42, Number: 7, Purpose: "state"}
)

func TestSeal(t *testing.T) {
	t.Parallel()
	payload := []byte(`{"head":"abc","findings":[` + strings.Repeat(`{"id":"F1"},`, 500) + `{}]}`)
	block, err := Seal(secret, bound, payload)
	if err != nil || len(block) > len(payload)/2 || strings.Count(block, "--") != 2 {
		t.Fatalf("Seal = %q, %v", block, err)
	}
	again, err := Seal(secret, bound, payload)
	if err != nil || again != block {
		t.Fatalf("the same payload is sealed as %q and %q", block, again)
	}
	bare, err := Seal(nil, bound, payload)
	if err != nil || !strings.HasSuffix(bare, " - -->") {
		t.Fatalf("without a key: %q, %v", bare, err)
	}
	copied := Bind{RepositoryID: 42, Number: 8, Purpose: "state"}
	for _, c := range []struct {
		name    string
		key     []byte
		bind    Bind
		body    string
		trusted bool
	}{
		{"whole body", secret, bound, block, true},
		{"in a summary", secret, bound, Mark("# Debate\n\ntext", Marker{Kind: SummaryMark}.String(), block), true},
		{"with other line ends", secret, bound, "x\r\n" + block + "\r\ny", true},
		{"the first one counts", secret, bound, block + "\n" + bare, true},
		{"another key", []byte("x"), bound, block, false},
		{"no key", nil, bound, block, false},
		{"copied to another pull request", secret, copied, block, false},
		{"another repository", secret, Bind{RepositoryID: 1, Number: 7, Purpose: "state"}, block, false},
		{"another purpose", secret, Bind{RepositoryID: 42, Number: 7, Purpose: "decision"}, block, false},
		{"sealed without a key", secret, bound, bare, false},
		{"both without a key", nil, bound, bare, false},
	} {
		got, trusted, err := Open(c.key, c.bind, c.body)
		if err != nil || !bytes.Equal(got, payload) || trusted != c.trusted {
			t.Errorf("%s: Open = %d bytes, %v, %v", c.name, len(got), trusted, err)
		}
	}
}

func packed(t *testing.T, payload []byte, tail ...byte) string {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write(payload)
	_ = w.Close()
	return encoding.EncodeToString(append(b.Bytes(), tail...))
}

func TestOpenGarbage(t *testing.T) {
	t.Parallel()
	block, err := Seal(secret, bound, []byte("payload"))
	if err != nil {
		t.Fatal(err)
	}
	bomb := packed(t, make([]byte, MaxUnsealed+1))
	for _, c := range []struct{ name, body, why string }{
		{"two spaces", strings.Replace(block, " -->", "  -->", 1), "another form"},
		{"a MAC that runs into the end", sealStart + packed(t, []byte("x")) + " " + strings.Repeat("A", lenMAC-3) + "-->", "another form"},
		{"no MAC", sealStart + packed(t, []byte("x")) + markerEnd, "another form"},
		{"no base64", sealStart + "!!! -" + markerEnd, "no base64"},
		{"loose base64", sealStart + "QR -" + markerEnd, "no base64"},
		{"no deflate", sealStart + "AAAA -" + markerEnd, "does not unpack"},
		{"half a stream", sealStart + packed(t, []byte(strings.Repeat("payload", 9)))[:8] + " -" + markerEnd, "does not unpack"},
		{"more behind it", sealStart + packed(t, []byte("x"), 1, 2, 3) + " -" + markerEnd, "follows"},
		{"bomb", sealStart + bomb + " -" + markerEnd, "too much"},
		{"too long", sealStart + strings.Repeat("A", MaxSealed) + " -" + markerEnd, "another form"},
	} {
		payload, trusted, err := Open(secret, bound, c.body)
		if payload != nil || trusted || err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: Open = %d bytes, %v, %v", c.name, len(payload), trusted, err)
		}
	}
	for _, body := range []string{"", "text", block[:len(block)-20], "> " + block, "```\n" + block, "x" + block, strings.Replace(block, "v1", "v2", 1), Markdown(block)} {
		if payload, trusted, err := Open(secret, bound, body); payload != nil || trusted || !errors.Is(err, ErrNoSeal) {
			t.Errorf("Open(%.60q) = %d bytes, %v, %v", body, len(payload), trusted, err)
		}
	}
}

func TestSealTooLarge(t *testing.T) {
	t.Parallel()
	noise := make([]byte, MaxSealed)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	for _, payload := range [][]byte{noise, make([]byte, MaxUnsealed+1)} {
		_, err := Seal(secret, bound, payload)
		var large *TooLargeError
		if !errors.As(err, &large) || large.Size <= MaxSealed || large.Error() == "" {
			t.Errorf("%d bytes: %v", len(payload), err)
		}
	}
	if block, err := Seal(secret, bound, noise[:30_000]); err != nil || len(block) > MaxSealed {
		t.Errorf("30,000 bytes of noise: %d, %v", len(block), err)
	}
}

func TestMAC(t *testing.T) {
	t.Parallel()
	mac := macOf(secret, bound, "text")
	if len(mac) != 43 || !authentic(secret, bound, "text", mac) {
		t.Fatalf("MAC = %q", mac)
	}
	for _, c := range []struct {
		key  []byte
		bind Bind
		text string
		mac  string
	}{
		{secret, bound, "text.", mac}, {[]byte("y"), bound, "text", mac}, {secret, Bind{RepositoryID: 42, Number: 70, Purpose: "state"}, "text", mac},
		{secret, bound, "text", ""}, {secret, bound, "text", "-"}, {nil, bound, "text", "-"}, {nil, bound, "text", mac}, {secret, bound, "text", mac[:42]},
	} {
		if authentic(c.key, c.bind, c.text, c.mac) {
			t.Errorf("authentic(%q, %+v, %q, %q) holds", c.key, c.bind, c.text, c.mac)
		}
	}
	a, b := Derive("model key", 1), Derive("model key", 2)
	if len(a) != 32 || bytes.Equal(a, b) || bytes.Contains(a, []byte("model")) || Derive("", 1) != nil {
		t.Errorf("derived keys %x and %x", a, b)
	}
}

func TestSigned(t *testing.T) {
	t.Parallel()
	m := Signed(secret, bound, Marker{Kind: DecisionMark, Value: "abc", PR: 7, ID: "D0", Head: sha1})
	back, ok := Marked("text\n"+m.String(), DecisionMark)
	if !ok || back != m || !IsSigned(secret, bound, back) {
		t.Fatalf("%q is read as %+v", m, back)
	}
	for _, change := range []func(*Marker){
		func(m *Marker) { m.PR = 8 }, func(m *Marker) { m.ID = "D1" }, func(m *Marker) { m.Value = "abd" }, func(m *Marker) { m.MAC = "-" }, func(m *Marker) { m.Text = AnsweredText },
		func(m *Marker) { m.Head = strings.Replace(m.Head, "0", "1", 1) },
	} {
		forged := m
		change(&forged)
		if IsSigned(secret, bound, forged) {
			t.Errorf("%q counts as signed", forged)
		}
	}
	if mac := macOf(secret, bound, `"decision" "abc" 7 "D0" "`+sha1+`"`); m.MAC != mac {
		t.Errorf("a marker without a text has the MAC %q, want %q", m.MAC, mac)
	}
	if bare := Signed(nil, bound, m); bare.MAC != "-" || bare.String() == "" || IsSigned(nil, bound, bare) {
		t.Errorf("without a key: %q", bare)
	}
}

func TestSealProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		payload := rapid.SliceOfN(rapid.Byte(), 0, 2000).Draw(t, "payload")
		key := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "key")
		bind := Bind{RepositoryID: rapid.Int64().Draw(t, "repository"), Number: rapid.Int().Draw(t, "number"), Purpose: rapid.String().Draw(t, "purpose")}
		block, err := Seal(key, bind, payload)
		if err != nil {
			t.Fatal(err)
		}
		got, trusted, err := Open(key, bind, Mark(hostile().Draw(t, "body"), block))
		if err != nil || !bytes.Equal(got, payload) || trusted != (len(key) > 0) {
			t.Fatalf("Open = %d bytes, %v, %v", len(got), trusted, err)
		}
		i := rapid.IntRange(0, len(block)-1).Draw(t, "i")
		bent := block[:i] + rapid.SampledFrom([]string{"", "A", "-", " ", "\n"}).Draw(t, "with") + block[i+1:]
		if _, trusted, _ := Open(key, bind, bent); trusted && bent != block {
			t.Fatalf("%q is trusted, and was %q", bent, block)
		}
	})
}

func FuzzOpen(f *testing.F) {
	block, err := Seal(secret, bound, []byte("payload"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(block)
	f.Add(sealStart + "AAAA -" + markerEnd)
	f.Fuzz(func(t *testing.T, body string) {
		payload, trusted, err := Open(secret, bound, body)
		if err != nil && (payload != nil || trusted) {
			t.Fatalf("Open(%q) = %q, %v, %v", body, payload, trusted, err)
		}
	})
}

// A body is sealed again in the place of its block, and keeps the rest.
func TestResealed(t *testing.T) {
	t.Parallel()
	key, bind := []byte("key"), Bind{RepositoryID: 1, Number: 7, Purpose: "summary"}
	block := func(text string) string {
		b, err := Seal(key, bind, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	body := Mark("Text.\n", Marker{Kind: SummaryMark}.String(), block("one"))
	again := Resealed(body, block("two"))
	if got, trusted, err := Open(key, bind, again); string(got) != "two" || !trusted || err != nil {
		t.Errorf("Open = %q, %t, %v", got, trusted, err)
	}
	if Resealed(again, block("one")) != body {
		t.Error("the rest of the body is another one")
	}
	if bare := "Text.\n"; Resealed(bare, block("two")) != bare {
		t.Error("a body without a block has one")
	}
	// What is fenced or hidden above it is no block, for Resealed as for Open.
	for _, above := range []string{"```\n" + block("no") + "\n```\n", "<!--\n" + block("no") + "\n", "> " + block("no") + "\n"} {
		want := above + block("two") + "\nText.\n"
		if got := Resealed(above+block("one")+"\nText.\n", block("two")); got != want {
			t.Errorf("Resealed = %q, want %q", got, want)
		}
	}
}
