package prompt

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// maxAttempts bounds the search for objects. A text with more places like the start of an
// object is no reply.
const maxAttempts = 500

// answerIn is a reply without the thoughts of its model, unquoted if it is one JSON string.
func answerIn(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.Contains(text, "<") {
		text = thoughtsBefore().ReplaceAllString(thoughts().ReplaceAllString(text, ""), "")
	}
	text = strings.TrimSpace(text)
	var inside string
	if strings.HasPrefix(text, `"`) && json.Unmarshal([]byte(text), &inside) == nil {
		return strings.TrimSpace(inside)
	}
	return text
}

// Some models write their thoughts before an answer, between marks. Servers leave out the first one.
// A mark inside a line is only a mention of it.
var (
	thoughts       = lazyregexp.New(`(?ims)^[ \t]*<` + thinking + `.*?(?:</` + thinking + `|\z)`)
	thoughtsBefore = lazyregexp.New(`(?ims)\A.*(?:^[ \t]*</` + thinking + `|</` + thinking + `[ \t\r]*$)`)
)

const thinking = `(?:think|thinking|thought|thoughts|reasoning|scratchpad)>`

// found is an object in a text.
type found struct {
	text   string          // up to its end or its first fault
	names  map[string]bool // of its members, in the form of bareWord; of a broken object, also those inside
	fenced bool            // it is in a json block of Markdown
	aside  bool            // it is a piece of code in a sentence, such as return {"summary": text}
	code   bool            // it is in a block of another language
	err    error           // why it cannot be read
}

// findObjects returns the objects of a text in order. It ends with a broken object that has
// members of the call, unless it is a piece of code: what follows may be a part of it.
func findObjects(kind debate.CallKind, text string) ([]found, error) {
	var list []found
	f := fence{}
	attempts, last := 0, 0
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
		if attempts++; attempts > maxAttempts {
			return nil, unfit("too much of it looks like JSON and is not")
		}
		f.pass(text[last:at])
		o := objectAt(text[at:])
		o.fenced, o.code = f.json, f.code
		code := pieceOfCode().FindString(text[at:])
		begun := text[strings.LastIndex(text[:at], "\n")+1 : at]
		o.aside = o.err != nil && !f.open && code != "" && strings.TrimSpace(begun) != ""
		list = append(list, o)
		switch _, says := speaks(kind, o.names); {
		case o.aside:
			last, at = at, at+len(code)
			continue
		case o.code && o.err != nil:
			last, at = at, at+1
			continue
		case says && o.err != nil:
			return list, nil
		}
		last, at = at, at+len(o.text)
	}
}

// pieceOfCode is an object without another one in it.
var pieceOfCode = lazyregexp.New(`^\{[^{}]*\}`)

// fence says whether a text, so far, ends inside a block of Markdown.
type fence struct{ open, json, code bool }

func (f *fence) pass(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.ToLower(strings.TrimSpace(line))
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			f.open = !f.open
			language := strings.TrimLeft(line, "`~ ")
			f.json = f.open && strings.HasPrefix(language, "json")
			f.code = f.open && !f.json && language != ""
		}
	}
}

// objectAt reads the object at the start of a text.
func objectAt(text string) found {
	o := found{text: text, names: make(map[string]bool)}
	dec := json.NewDecoder(strings.NewReader(text))
	var members map[string]json.RawMessage
	if err := dec.Decode(&members); err != nil {
		var wrong *json.SyntaxError
		if errors.As(err, &wrong) {
			o.text = text[:max(int(wrong.Offset)-1, 1)]
		}
		for _, name := range memberName().FindAllStringSubmatch(o.text, -1) {
			o.names[bareWord(name[1])] = true
		}
		o.err = fault(text, err)
		return o
	}
	o.text = text[:dec.InputOffset()]
	for name := range members {
		o.names[bareWord(name)] = true
	}
	dec = json.NewDecoder(strings.NewReader(o.text))
	dec.UseNumber()
	values := 0
	o.err = checkBounds(dec, 0, &values)
	return o
}

var memberName = lazyregexp.New(`"(\w{1,40})"\s*:`)

// checkBounds keeps the next value of a valid text within the bounds. It refuses two members
// with one name, since readers differ in the one that counts.
func checkBounds(dec *json.Decoder, depth int, values *int) error {
	token, err := dec.Token()
	if err != nil {
		return unfit("it is no JSON")
	}
	*values++
	text, _ := token.(string)
	delim, isOpen := token.(json.Delim)
	switch {
	case *values > maxValues:
		return unfit("it has more than %d values", maxValues)
	case len(text) > maxString:
		return unfit("a string in it has more than %d bytes", maxString)
	case !isOpen:
		return nil
	case depth == maxDepth:
		return unfit("it is nested deeper than %d levels", maxDepth)
	}
	names := make(map[json.Token]bool)
	for entries := 0; dec.More(); entries++ {
		if entries == maxList {
			return unfit("a list or an object in it has more than %d entries", maxList)
		}
		if delim == '{' {
			name, _ := dec.Token() // the text is valid
			if names[name] {
				return unfit("one of its objects has two members of the same name")
			}
			names[name] = true
		}
		if err := checkBounds(dec, depth+1, values); err != nil {
			return err
		}
	}
	_, _ = dec.Token() // the end of the list or the object
	return nil
}

// fault names the place of an error of JSON, counted from the start of its object.
func fault(text string, err error) error {
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
