package prompt

import (
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
	object, err := find(text)
	switch {
	case err == nil:
		reading := debate.ReadObject
		if object == text {
			reading = debate.ReadJSON
		}
		return readObject(kind, object, reading)
	case errors.Is(err, errNoObject) || isSyntax(err):
		s, ok, bound := readSections(text)
		if bound != nil {
			return Result{}, bound
		}
		if ok {
			return s.result(kind)
		}
	}
	return Result{}, asFormat(err)
}

// readObject reads the members of one JSON object.
func readObject(kind debate.CallKind, text string, reading debate.Reading) (Result, error) {
	r := &reader{}
	o, ok := r.object("", []byte(text))
	if !ok {
		return Result{}, unfit("it is not a JSON object")
	}
	common := o.has(commonMembers()...)
	reply := &debate.Reply{}
	readCommon(o, reply)
	own, shared := len(o.members), len(r.asked)
	lacks := readKind(kind, o, reply)
	own -= len(o.members)
	o.done()
	if own == 0 && !common {
		return Result{}, unfit("it has none of the members that %s reply has (%s)", named(kind), strings.Join(r.asked[shared:], ", "))
	}
	if own == 0 {
		headlines(kind, reply)
	}
	if len(reply.Claims) > maxClaims {
		return Result{}, unfit("it has more than %d claims", maxClaims)
	}
	if why := lacks(); why != "" {
		return Result{}, unfit("%s", why)
	}
	return Result{Reply: reply, Reading: reading, Ignored: r.ignored, Dropped: r.named()}, nil
}

// named is a kind of call with its article.
func named(kind debate.CallKind) string {
	if strings.IndexAny(string(kind), "AEIO") == 0 {
		return "an " + string(kind)
	}
	return "a " + string(kind)
}

// headlines makes claims of the headlines of a reply that has nothing else, for
// the calls that may raise claims.
func headlines(kind debate.CallKind, reply *debate.Reply) {
	switch kind {
	case debate.CallOpen, debate.CallLocal, debate.CallChallenge, debate.CallRebut:
	default:
		return
	}
	for _, group := range []struct {
		severity debate.Severity
		lines    []string
	}{{debate.P1, reply.P1}, {debate.P2, reply.P2}, {debate.P3, reply.P3}} {
		for _, line := range group.lines {
			if strings.TrimSpace(line) == "" {
				continue
			}
			c := debate.NewClaim{Severity: group.severity, Title: line}
			if ref, ok := refIn(line); ok {
				c.Refs = []debate.Ref{ref}
			}
			reply.Claims = append(reply.Claims, c)
		}
	}
}

// refIn finds the first path:line or path:first-last in a text.
func refIn(text string) (debate.Ref, bool) {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n`'\"()[]<>,;*", r) })
	for _, word := range words {
		word = strings.TrimRight(word, ".:!?")
		colon := strings.LastIndexByte(word, ':')
		if colon < 1 || strings.Contains(word[:colon], "://") {
			continue
		}
		first, last, ranged := strings.Cut(word[colon+1:], "-")
		start, ok := integer(first)
		if !ok || start < 1 {
			continue
		}
		end := start
		if ranged {
			if end, ok = integer(last); !ok || end < start {
				continue
			}
		}
		return debate.Ref{Citation: debate.Citation{Path: word[:colon], Side: debate.Right, StartLine: start, EndLine: end}}, true
	}
	return debate.Ref{}, false
}
