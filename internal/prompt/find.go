package prompt

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// The bounds of the search for objects. A text with more places like the start of an object
// is no reply.
const (
	maxAttempts = 500
	maxScanned  = 4 * maxReply // bytes
)

// answerIn is a reply without the thoughts of its model, unquoted if it is one JSON string.
func answerIn(text string) string {
	text = strings.TrimSpace(withoutThoughts(strings.TrimPrefix(text, "\ufeff")))
	var inside string
	if strings.HasPrefix(text, `"`) && json.Unmarshal([]byte(text), &inside) == nil {
		return strings.TrimSpace(inside)
	}
	return text
}

// thought and thoughtEnd are the lines around the thoughts that some models write before an
// answer. The answer may begin on the last one.
var (
	thought    = lazyregexp.New(`(?i)^\s*<(?:think|thinking|thought|thoughts|reasoning|scratchpad)>`)
	thoughtEnd = lazyregexp.New(`(?i)</(?:think|thinking|thought|thoughts|reasoning|scratchpad)>`)
)

// withoutThoughts leaves out blocks of thoughts. A block without its first mark begins with
// the text: servers leave out this mark. A mark inside a line is only a mention of it.
func withoutThoughts(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	var said strings.Builder
	thinking := false
	for line := range strings.Lines(text) {
		begins := thought().MatchString(line)
		thinking = thinking || begins
		if end := thoughtEnd().FindStringIndex(line); end != nil {
			around := [2]string{strings.TrimSpace(line[:end[0]]), strings.TrimSpace(line[end[1]:])}
			if !thinking && (around[0] == "" || around[1] == "") {
				said.Reset()
				thinking = true
			}
			if thinking {
				line, thinking = line[end[1]:], false
			}
		}
		if !thinking {
			said.WriteString(line)
		}
	}
	return said.String()
}

// found is an object in a text.
type found struct {
	text    string          // if it is whole
	members map[string]bool // the complete members, by their names in small letters
	fenced  bool            // it is in a json block of Markdown
	err     error           // why it is not whole
}

// findObjects returns the objects of a text in order. An object inside another one is a part
// of it, also if the outer one is broken.
func findObjects(text string) ([]found, error) {
	var list []found
	f := fence{}
	attempts, scanned, last, parts := 0, 0, 0, false
	for at := 0; ; {
		next := strings.IndexByte(text[at:], '{')
		if next < 0 {
			return list, nil
		}
		at += next
		if !strings.HasPrefix(strings.TrimLeft(text[at+1:], " \t\r\n"), `"`) { // no member can follow
			at++
			continue
		}
		if attempts++; attempts > maxAttempts || scanned > maxScanned {
			return nil, unfit("too much of it looks like JSON and is not")
		}
		f.pass(text[last:at])
		end, members, err := walk(text[at:])
		// A broken object that goes on with such a sign only names a form, such as
		// {"disposition": "keep", ...} and {"disposition": "keep" | "reject"}.
		rest := strings.TrimLeft(text[at+end:], " \t\r\n,:")
		isForm := err != nil && hasAny(strings.HasPrefix, rest, ".", "…", "|", "<")
		// After a broken object, this one may be a member or an entry of it.
		before := strings.TrimRight(text[:at], " \t\r\n")
		isPart := parts && hasAny(strings.HasSuffix, before, `":`, ",", "[")
		if !isForm && !isPart {
			list = append(list, found{text[at : at+end], members, f.json, err})
		}
		if err != nil {
			whole, closed := extent(text[at:])
			scanned += whole
			if closed {
				end = whole
			}
			parts = parts || !closed
		}
		scanned += end
		at += max(end, 1)
		last = at
	}
}

// hasAny reports whether has is true of a text and one of some signs.
func hasAny(has func(s, sign string) bool, text string, signs ...string) bool {
	return slices.ContainsFunc(signs, func(sign string) bool { return has(text, sign) })
}

// fence says whether a text, so far, ends inside a block of Markdown.
type fence struct{ open, json bool }

func (f *fence) pass(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.ToLower(strings.TrimSpace(line))
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			f.open = !f.open
			f.json = f.open && strings.HasPrefix(strings.TrimLeft(line, "`~ "), "json")
		}
	}
}

// extent finds the end of a broken object by its brackets.
func extent(text string) (end int, closed bool) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			if depth--; depth == 0 {
				return i + 1, true
			}
		}
	}
	return len(text), false
}

// level is one open object or list. In an object every other token is a name.
type level struct {
	names   map[string]bool // nil for a list
	entries int
	name    bool // the next token is a name, never in a list
}

// walk checks the object at the start of a text. It returns the number of its bytes, up to
// its end or about up to its first fault, and its complete members. It keeps the bounds
// without recursion. It refuses two members with one name, since readers differ in the one
// that counts.
func walk(text string) (end int, members map[string]bool, err error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	members = make(map[string]bool)
	var open nesting
	name := ""
	for values := 0; ; values++ {
		token, err := dec.Token()
		end = int(dec.InputOffset())
		if err != nil {
			return end, members, faultOf(text)
		}
		word, isWord := token.(string)
		switch {
		case values > maxValues:
			return end, members, unfit("it has more than %d values", maxValues)
		case len(word) > maxString:
			return end, members, unfit("a string in it has more than %d bytes", maxString)
		case isWord && len(open) == 1 && open[0].name:
			name = strings.ToLower(word)
		}
		if err := open.take(token); err != nil {
			return end, members, err
		}
		if len(open) == 0 {
			break
		}
		if len(open) == 1 && open[0].name && values > 0 {
			members[name] = true
		}
	}
	// A token decoder is more lenient than the grammar in places.
	if !json.Valid([]byte(text[:end])) {
		return end, members, faultOf(text)
	}
	return end, members, nil
}

// nesting are the open levels, the innermost last.
type nesting []level

// take notes the next token: it ends the innermost level, or is an entry of it and may begin
// another level.
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
	if !isDelim {
		return nil
	}
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

// faultOf returns the place of the first JSON fault in the first value of a text, counted
// from its start, or nil.
func faultOf(text string) error {
	err := json.NewDecoder(strings.NewReader(text)).Decode(new(json.RawMessage))
	if err == nil {
		return nil
	}
	var wrong *json.SyntaxError
	if !errors.As(err, &wrong) {
		return unfit("the JSON object ends too early")
	}
	before := text[:max(int(wrong.Offset)-1, 0)]
	column := 1 + utf8.RuneCountInString(before[strings.LastIndex(before, "\n")+1:])
	why := wrong.Error()
	if r, size := utf8.DecodeRuneInString(text[len(before):]); size > 1 { // the decoder names its first byte alone
		why = strings.Replace(why, "'"+string(rune(text[len(before)]))+"'", "'"+string(r)+"'", 1)
	}
	return unfit("line %d, column %d of the JSON object: %s", 1+strings.Count(before, "\n"), column, why)
}
