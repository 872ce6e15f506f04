package comment

import (
	"bytes"
	"compress/flate"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Bounds of a sealed block.
const (
	MaxSealed   = 40 << 10 // bytes of the whole block
	MaxUnsealed = 4 << 20  // bytes of the payload
)

// Bind is the owner of a sealed block or a MAC. A copy from another pull request, repository or
// purpose is not authentic.
type Bind struct {
	RepositoryID int64
	Number       int // of the pull request
	Purpose      string
}

// TooLargeError is the error for a block of more than MaxSealed bytes.
type TooLargeError struct{ Size int }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the state has %d bytes, and a comment holds at most %d of it", e.Size, MaxSealed)
}

// ErrNoSeal is the error for a body without a sealed block.
var ErrNoSeal = errors.New("the comment holds no state")

const (
	sealStart = "<!-- debate:state v1 "
	noMAC     = "-"
	lenMAC    = 43
)

// encoding has no "-": two of them in a row end a comment for some parsers.
var encoding = base64.RawStdEncoding

// Derive makes the key for a repository of the key to a model.
func Derive(modelKey string, repositoryID int64) []byte {
	if modelKey == "" {
		return nil
	}
	return sum([]byte(modelKey), "debate state key v1\n"+strconv.FormatInt(repositoryID, 10))
}

// macOf authenticates a text of a binding, in 43 characters; "-" without a key.
func macOf(key []byte, bind Bind, text string) string {
	if len(key) == 0 {
		return noMAC
	}
	bound := fmt.Sprintf("debate v1\nrepository %d\npull request %d\npurpose %q\n", bind.RepositoryID, bind.Number, bind.Purpose)
	return base64.RawURLEncoding.EncodeToString(sum(key, bound+text))
}

// authentic reports whether mac authenticates the text. Without a key nothing is
// authentic.
func authentic(key []byte, bind Bind, text, mac string) bool {
	return len(key) > 0 && hmac.Equal([]byte(macOf(key, bind, text)), []byte(mac))
}

func sum(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text)) // a hash never fails
	return h.Sum(nil)
}

// Signed is the marker of a decision with a MAC over all its facts.
func Signed(key []byte, bind Bind, m Marker) Marker {
	m.MAC = macOf(key, bind, m.said())
	return m
}

// IsSigned reports whether the MAC of a marker is authentic.
func IsSigned(key []byte, bind Bind, m Marker) bool { return authentic(key, bind, m.said(), m.MAC) }

func (m Marker) said() string {
	text := fmt.Sprintf("%q %q %d %q %q", m.Kind, m.Value, m.PR, m.ID, m.Head)
	if m.Text != "" {
		text += fmt.Sprintf(" %q", m.Text)
	}
	return text
}

// Seal packs a payload into one hidden line for a comment. Without a key the line says so, and
// its payload is never trusted. A line above MaxSealed gives a *TooLargeError: the caller prunes
// and tries again.
func Seal(key []byte, bind Bind, payload []byte) (string, error) {
	if len(payload) > MaxUnsealed {
		return "", &TooLargeError{Size: len(payload)}
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return "", fmt.Errorf("packing the state: %w", err)
	}
	_, err = w.Write(payload)
	if err := errors.Join(err, w.Close()); err != nil {
		return "", fmt.Errorf("packing the state: %w", err)
	}
	text := encoding.EncodeToString(packed.Bytes())
	block := sealStart + text + " " + macOf(key, bind, text) + markerEnd
	if len(block) > MaxSealed {
		return "", &TooLargeError{Size: len(block)}
	}
	return block, nil
}

// Resealed is a body with another block in place of its first one, the one read by Open. A body
// without a block stays as it is.
func Resealed(body, block string) string {
	for i, line := range liveLines(body) {
		if strings.HasPrefix(line, sealStart) {
			lines := strings.Split(body, "\n")
			lines[i] = block
			return strings.Join(lines, "\n")
		}
	}
	return body
}

// Open returns the payload of the first block of a body, and whether it is trusted: it was sealed
// with this key for this binding. ErrNoSeal: there is no block. Another error: it is garbled. A
// well-formed block that is not authentic is returned untrusted; it may only suppress repeats.
func Open(key []byte, bind Bind, body string) (payload []byte, trusted bool, err error) {
	for _, line := range liveLines(body) {
		if inner, ok := strings.CutPrefix(line, sealStart); ok {
			return unseal(key, bind, inner, len(line))
		}
	}
	return nil, false, ErrNoSeal
}

func unseal(key []byte, bind Bind, inner string, size int) (payload []byte, trusted bool, err error) {
	garbled := func(why string) ([]byte, bool, error) {
		return nil, false, errors.New("the state in the comment cannot be read: " + why)
	}
	inner, closed := strings.CutSuffix(inner, markerEnd)
	text, mac, _ := strings.Cut(inner, " ")
	isMAC := mac == noMAC || len(mac) == lenMAC
	switch {
	case !closed, !isMAC, size > MaxSealed:
		return garbled("it has another form")
	}
	packed, err := encoding.Strict().DecodeString(text)
	if err != nil {
		return garbled("it is no base64")
	}
	r := bytes.NewReader(packed)
	payload, err = io.ReadAll(io.LimitReader(flate.NewReader(r), MaxUnsealed+1))
	switch {
	case err != nil:
		return garbled("it does not unpack")
	case len(payload) > MaxUnsealed:
		return garbled("it unpacks to too much")
	case r.Len() > 0:
		return garbled("something follows it")
	}
	return payload, authentic(key, bind, text, mac), nil
}
