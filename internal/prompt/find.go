package prompt

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// The bounds of the search for an object. Text in which more places look like
// the start of one is no reply.
const (
	maxAttempts = 500
	maxScanned  = 4 * maxReply // bytes
)

// errNoObject says that nothing in a text looks like an object.
var errNoObject = errors.New("there is no JSON object in it")

// findObject returns the one JSON object in a text (X11). Two objects that differ
// leave open which of them is the reply.
func findObject(text string) (string, error) {
	var object, compact string
	var failed error // the first one
	attempts, scanned := 0, 0
	for at := 0; ; {
		next := strings.IndexByte(text[at:], '{')
		if next < 0 {
			break
		}
		at += next
		if !opens(text[at:]) {
			at++
			continue
		}
		if attempts++; attempts > maxAttempts || scanned > maxScanned {
			return "", unfit("too much of it looks like JSON and is not")
		}
		end, err := walk(text[at:])
		scanned += end
		if err != nil {
			if !isSyntax(err) {
				return "", err
			}
			failed = cmp.Or(failed, err)
			at++
			continue
		}
		found := text[at : at+end]
		at += end
		var b bytes.Buffer
		if err := json.Compact(&b, []byte(found)); err != nil {
			return "", syntax(err)
		}
		if object == "" {
			object, compact = found, b.String()
		}
		if b.String() != compact {
			return "", unfit("there are two different JSON objects in it")
		}
	}
	if object == "" {
		return "", cmp.Or(failed, errNoObject)
	}
	return object, nil
}

// opens reports whether an object may begin here.
func opens(text string) bool {
	rest := strings.TrimLeft(text[1:], " \t\r\n")
	return strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "}")
}

// level is one open object or list. In an object every other token is a name.
type level struct {
	names   map[string]bool // nil for a list
	entries int
	name    bool // a name comes next, never in a list
}

// walk checks the object at the start of a text and returns how many bytes it
// has. It keeps the bounds without recursion, and refuses an object that has two
// members of one name: readers differ in which of them counts.
func walk(text string) (end int, err error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var open nesting
	for values := 0; ; values++ {
		if values > maxValues {
			return 0, unfit("it has more than %d values", maxValues)
		}
		token, err := dec.Token()
		if err != nil {
			return int(dec.InputOffset()), syntax(err)
		}
		if word, _ := token.(string); len(word) > maxString {
			return 0, unfit("a string in it has more than %d bytes", maxString)
		}
		if err := open.take(token); err != nil {
			return 0, err
		}
		if len(open) == 0 {
			break
		}
	}
	end = int(dec.InputOffset())
	// A token decoder is more lenient than the grammar in places.
	if !json.Valid([]byte(text[:end])) {
		return end, syntax(errors.New("it is no valid JSON"))
	}
	return end, nil
}

// nesting are the levels that are open, the innermost last.
type nesting []level

// take notes the next token: it ends the innermost level, or is an entry of it and
// may begin another.
func (n *nesting) take(token json.Token) error {
	d, isDelim := token.(json.Delim)
	switch d {
	case '}', ']':
		*n = (*n)[:len(*n)-1]
		return nil
	}
	if len(*n) > 0 {
		isName, err := (*n)[len(*n)-1].take(token)
		if err != nil || isName {
			return err
		}
	}
	if isDelim {
		return n.begin(d)
	}
	return nil
}

// begin opens the level of an object or a list.
func (n *nesting) begin(d json.Delim) error {
	if len(*n) == maxDepth {
		return unfit("it is nested deeper than %d levels", maxDepth)
	}
	l := level{}
	if d == '{' {
		l.names, l.name = make(map[string]bool), true
	}
	*n = append(*n, l)
	return nil
}

// take notes a token of a level and reports whether it is the name of a member.
func (l *level) take(token json.Token) (isName bool, err error) {
	if l.name {
		name := token.(string)
		if l.names[name] {
			return true, unfit("one of its objects has two members of the same name")
		}
		l.names[name] = true
		l.name = false
		return true, nil
	}
	l.name = l.names != nil
	if l.entries++; l.entries > maxList {
		return false, unfit("a list or an object in it has more than %d entries", maxList)
	}
	return false, nil
}

// syntaxError says that what looked like an object is none, so that the search
// goes on behind it.
type syntaxError struct{ err error }

func (e *syntaxError) Error() string { return e.err.Error() }

func syntax(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the JSON object ends too early")
	}
	return &syntaxError{err}
}

func isSyntax(err error) bool {
	var s *syntaxError
	return errors.As(err, &s)
}

// asFormat makes one printable line of what was wrong.
func asFormat(err error) *FormatError {
	var f *FormatError
	if errors.As(err, &f) {
		return f
	}
	why := strings.Join(strings.Fields(err.Error()), " ")
	return unfit("%s", strings.ToValidUTF8(why[:min(len(why), 200)], ""))
}
