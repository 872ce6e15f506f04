// Package redact takes secrets out of text before the text is stored, shown or
// sent. Three kinds of secrets are taken out: those of the process itself, in every
// spelling in which they could leave; those that a check found in the change, as they
// stand there; and what looks like a secret in the text itself.
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

// Mark stands where a secret stood.
const Mark = "[redacted]"

const (
	// minOwn is the length, in bytes, from which a value of the process counts as a
	// secret. What is shorter is found everywhere.
	minOwn = 8
	// minCore is how many letters and digits a spelling needs to be looked for across
	// separators.
	minCore = 12
	// maxGap is how many bytes may stand between two characters of a secret that is
	// cut into pieces.
	maxGap = 8
)

// Redactor replaces secrets. The zero value and nil replace nothing. It is safe
// for concurrent use.
type Redactor struct {
	find  func(text string) []string
	exact *strings.Replacer
	cores []string // letters and digits of the spellings of own secrets, longest first
}

// New returns a redactor of the process's own secrets, of those that stand in the
// change, and of what find lists of a text; find may be nil.
func New(own, found []string, find func(text string) []string) *Redactor {
	r := &Redactor{find: find}
	var spellings []string
	for _, secret := range own {
		if len(secret) < minOwn {
			continue
		}
		for _, s := range spelt(secret) {
			spellings = append(spellings, s)
			if c := core(s); len(c) >= minCore {
				r.cores = append(r.cores, c)
			}
		}
	}
	for _, secret := range found {
		if !strings.Contains(Mark, secret) { // as the empty text does
			spellings = append(spellings, secret, inJSON(secret, false), inJSON(secret, true))
		}
	}
	longestFirst(r.cores)
	r.cores = slices.Compact(r.cores)
	r.exact = replacer(spellings)
	return r
}

// replacer writes the mark in the place of texts, and takes the longest of several.
func replacer(texts []string) *strings.Replacer {
	longestFirst(texts)
	pairs := make([]string, 0, 2*len(texts))
	for _, s := range slices.Compact(texts) {
		pairs = append(pairs, s, Mark)
	}
	return strings.NewReplacer(pairs...)
}

// maxPasses bounds how often a text is searched: what one secret hid may be another.
const maxPasses = 8

// Text replaces every secret in a text. Done twice it changes nothing more.
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

// once looks for what the text shows before parts of it are replaced.
func (r *Redactor) once(text string) string {
	if r.find != nil {
		found := slices.DeleteFunc(r.find(text), func(s string) bool { return strings.Contains(s, Mark) || strings.Contains(Mark, s) })
		if len(found) > 0 {
			text = replacer(found).Replace(text)
		}
	}
	return r.apart(r.exact.Replace(text))
}

// apart replaces own secrets that are cut into pieces, such as by line breaks or
// by the quotes of a concatenation: their letters and digits with at most maxGap
// other bytes between two of them.
func (r *Redactor) apart(text string) string {
	letters := make([]byte, 0, len(text))
	at := make([]int32, 0, len(text)) // where each letter stands
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

// spelt lists the ways in which a secret could be written down.
func spelt(secret string) []string {
	raw := []byte(secret)
	list := []string{
		secret, inJSON(secret, false), inJSON(secret, true), url.QueryEscape(secret), url.PathEscape(secret),
		hex.EncodeToString(raw), strings.ToUpper(hex.EncodeToString(raw)), reversed(secret),
	}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		for shift := range 3 { // a secret inside a longer text starts at any of three places
			whole := encoding.EncodeToString(append(make([]byte, shift), raw...))
			skip := (shift*8 + 5) / 6
			end := (shift + len(raw)) * 8 / 6
			list = append(list, whole[skip:end])
		}
	}
	return list
}

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// inJSON spells a text as it stands in a JSON string.
func inJSON(s string, html bool) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(html)
	_ = enc.Encode(s) // a string always encodes
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(b.String(), "\n"), `"`), `"`)
}

// core is the letters and digits of a text.
func core(s string) string {
	return strings.Join(strings.FieldsFunc(s, isGap), "")
}

// words are the letters and digits of ASCII. Whatever is beyond it counts as a letter.
const words = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// isGap reports whether a character, or a byte of one, stands between words.
func isGap(r rune) bool { return r < utf8.RuneSelf && strings.IndexByte(words, byte(r)) < 0 }

func longestFirst(list []string) {
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
}
