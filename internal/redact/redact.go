// Package redact takes secrets out of a text before it is stored, shown or sent: the process's own
// secrets in every spelling in which they could leak, secrets that a check found in the change, as
// written there, and text that itself looks like a secret.
package redact

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// Mark replaces a secret.
const Mark = "[redacted]"

const (
	// minOwn is the shortest value of the process that counts as a secret, in bytes. Shorter values
	// occur everywhere.
	minOwn = 8
	// minCore is the number of letters and digits from which a spelling is also searched across
	// separators.
	minCore = 12
	// maxGap bounds the bytes between two characters of a secret in pieces.
	maxGap = 8
)

// Redactor replaces secrets. The zero value and nil replace nothing. It is safe
// for concurrent use.
type Redactor struct {
	find  func(text string) []string
	exact *strings.Replacer
	cores []string // letters and digits of own secrets' spellings, longest first
}

// New returns a redactor for the process's own secrets, for secrets found in the change, and for
// those that find lists in a text; find may be nil.
func New(own, found []string, find func(text string) []string) *Redactor {
	r := &Redactor{find: find}
	var exact []string
	for _, secret := range own {
		if len(secret) < minOwn {
			continue
		}
		for _, s := range spellings(secret) {
			exact = append(exact, s)
			if c := strings.Join(strings.FieldsFunc(s, isGap), ""); len(c) >= minCore { // its letters and digits
				r.cores = append(r.cores, c)
			}
		}
	}
	for _, secret := range found {
		before, value, placed := strings.Cut(secret, placeEnd)
		switch {
		case placed:
			exact = append(exact, secret, After(inJSON(before, false), inJSON(value, false)), After(inJSON(before, true), inJSON(value, true)))
		case !strings.Contains(Mark, secret): // as the empty text is
			exact = append(exact, secret, inJSON(secret, false), inJSON(secret, true))
		}
	}
	longestFirst(r.cores)
	r.cores = slices.Compact(r.cores)
	r.exact = replacer(exact)
	return r
}

// placeEnd is between the text before a secret and the secret itself.
const placeEnd = "\x00"

// After returns a secret to be hidden behind a text, such as "hunter" behind "--password ", and to
// be left everywhere else.
func After(before, secret string) string { return before + placeEnd + secret }

// replacer replaces texts with the mark, the longest first.
func replacer(texts []string) *strings.Replacer {
	longestFirst(texts)
	pairs := make([]string, 0, 2*len(texts))
	for _, s := range slices.Compact(texts) {
		before, value, placed := strings.Cut(s, placeEnd)
		if !placed {
			before, value = "", s
		}
		pairs = append(pairs, before+value, before+Mark)
	}
	return strings.NewReplacer(pairs...)
}

// maxPasses bounds the passes over a text: a replacement may reveal another secret.
const maxPasses = 8

// Text replaces every secret in a text. Its result has none.
func (r *Redactor) Text(text string) string {
	if r == nil || r.exact == nil {
		return text
	}
	for range maxPasses {
		next := r.once(text)
		if next == text {
			break
		}
		text = next
	}
	return text
}

// once makes one pass. It runs find before parts of the text are replaced.
func (r *Redactor) once(text string) string {
	if r.find != nil {
		found := slices.DeleteFunc(r.find(text), func(s string) bool { return strings.Contains(s, Mark) || strings.Contains(Mark, s) })
		if len(found) > 0 {
			text = replacer(found).Replace(text)
		}
	}
	return r.apart(r.exact.Replace(text))
}

// apart replaces own secrets in pieces, for example with line breaks or the quotes of a
// concatenation: their letters and digits with at most maxGap other bytes between two of them.
func (r *Redactor) apart(text string) string {
	letters := make([]byte, 0, len(text))
	at := make([]int32, 0, len(text)) // the place of each letter
	for i := 0; i < len(text); i++ {
		if !isGap(rune(text[i])) {
			letters = append(letters, text[i])
			at = append(at, int32(i))
		}
	}
	stripped := string(letters)
	var found []span
	for _, c := range r.cores {
		for from := 0; ; {
			i := strings.Index(stripped[from:], c)
			if i < 0 {
				break
			}
			i += from
			from = i + 1
			if together(at[i : i+len(c)]) {
				found = append(found, span{int(at[i]), int(at[i+len(c)-1]) + 1})
			}
		}
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	var b strings.Builder
	end := 0
	for _, f := range found {
		if f.first >= end {
			b.WriteString(text[end:f.first])
			b.WriteString(Mark)
		}
		end = max(end, f.last)
	}
	b.WriteString(text[end:])
	return b.String()
}

// span is a part of a text, in bytes.
type span struct{ first, last int }

func together(at []int32) bool {
	for i := 1; i < len(at); i++ {
		if at[i]-at[i-1] > maxGap+1 {
			return false
		}
	}
	return true
}

// spellings lists the possible spellings of a secret.
func spellings(secret string) []string {
	raw := []byte(secret)
	reversed := slices.Clone(raw)
	slices.Reverse(reversed)
	list := []string{
		secret, inJSON(secret, false), inJSON(secret, true), url.QueryEscape(secret), url.PathEscape(secret),
		hex.EncodeToString(raw), strings.ToUpper(hex.EncodeToString(raw)), string(reversed),
	}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		for shift := range 3 { // in a longer text, a secret starts at one of three offsets
			whole := encoding.EncodeToString(append(make([]byte, shift), raw...))
			skip := (shift*8 + 5) / 6
			end := (shift + len(raw)) * 8 / 6
			list = append(list, whole[skip:end])
		}
	}
	return list
}

// inJSON spells a text as part of a JSON string.
func inJSON(s string, html bool) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(html)
	_ = enc.Encode(s) // a string always encodes
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(b.String(), "\n"), `"`), `"`)
}

// words are the letters and digits of ASCII. All characters beyond ASCII count as letters.
const words = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// isGap reports whether a character, or a byte of one, is between words.
func isGap(r rune) bool { return r < utf8.RuneSelf && strings.IndexByte(words, byte(r)) < 0 }

func longestFirst(list []string) {
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
}
