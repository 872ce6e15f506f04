package prompt

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/debate"
)

// The bounds of a reply. Beyond them it is a failure.
const (
	maxReply  = 1 << 20 // bytes
	maxDepth  = 32      // of nested objects and lists
	maxClaims = 200
	maxString = 64 << 10 // bytes of one decoded string
	maxList   = 4096     // entries of a list, members of an object
	maxValues = 100_000  // of the whole reply
)

// Result is a reply that could be read.
type Result struct {
	Reply   *debate.Reply
	Reading debate.Reading
	Ignored int      // members that nobody knows
	Dropped []string // members left out because of their value, such as claims[2].severity
}

// FormatError says why a reply cannot be read, in one line that can be sent
// back to its party (X11).
type FormatError struct{ Why string }

func (e *FormatError) Error() string { return "the reply cannot be read: " + e.Why }

func unfit(format string, args ...any) *FormatError {
	return &FormatError{Why: fmt.Sprintf(format, args...)}
}

// Read reads the reply to a call: as JSON, as the one JSON object in a text, or
// as Markdown sections (X11). Any bytes give a result or a *FormatError.
// What is wrong with one member costs that member alone.
func Read(kind debate.CallKind, raw []byte) (Result, error) {
	if len(raw) > maxReply {
		return Result{}, unfit("it has more than %d bytes", maxReply)
	}
	if !utf8.Valid(raw) {
		return Result{}, unfit("it is not valid UTF-8")
	}
	text := strings.TrimSpace(strings.TrimPrefix(string(raw), "\ufeff"))
	if text == "" {
		return Result{}, unfit("it is empty")
	}
	object, err := findObject(text)
	switch {
	case err == nil:
		reading := debate.ReadObject
		if object == text {
			reading = debate.ReadJSON
		}
		return readObject(kind, object, reading)
	case errors.Is(err, errNoObject) || isSyntax(err):
		s, bound := readSections(text)
		if bound != nil {
			return Result{}, bound
		}
		if len(s) > 0 {
			return readMembers(kind, s.members(), debate.ReadSections)
		}
	}
	return Result{}, asFormat(err)
}

// readObject reads the members of one JSON object.
func readObject(kind debate.CallKind, text string, reading debate.Reading) (Result, error) {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &members) != nil {
		return Result{}, unfit("it is not a JSON object")
	}
	if err := unfold(members); err != nil {
		return Result{}, err
	}
	return readMembers(kind, members, reading)
}

// readMembers reads what a reply is made of, in whatever form it came.
func readMembers(kind debate.CallKind, members map[string]json.RawMessage, reading debate.Reading) (Result, error) {
	r := &reader{}
	o := r.opened("", members)
	if asksToLook(o) {
		return Result{}, unfit("it asks to look further, which it may not now, and answers nothing")
	}
	common := o.has(commonMembers()...)
	reply := &debate.Reply{}
	plain := readCommon(o, reply)
	own, shared := len(o.members), len(r.asked)
	lacks := readKind(kind, o, reply)
	own -= len(o.members)
	o.done()
	if own == 0 && !common {
		return Result{}, unfit("it has none of the members that %s reply has (%s)", named(kind), strings.Join(r.asked[shared:], ", "))
	}
	if raises(kind) {
		placed(plain, reply.Evidence)
		reply.Claims = added(reply.Claims, plain, reply.Evaluations)
	}
	if len(reply.Claims) > maxClaims {
		return Result{}, unfit("it has more than %d claims", maxClaims)
	}
	if why := lacks(); why != "" {
		return Result{}, unfit("%s", why)
	}
	return Result{Reply: reply, Reading: reading, Ignored: r.ignored, Dropped: r.named()}, nil
}

// raises reports whether a call of this kind may raise claims.
func raises(kind debate.CallKind) bool {
	switch kind {
	case debate.CallOpen, debate.CallLocal, debate.CallChallenge, debate.CallPress, debate.CallRespond, debate.CallRebut:
		return true
	}
	return false
}

// named is a kind of call with its article.
func named(kind debate.CallKind) string {
	if strings.IndexAny(string(kind), "AEIO") == 0 {
		return "an " + string(kind)
	}
	return "a " + string(kind)
}
