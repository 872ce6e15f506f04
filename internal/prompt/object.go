package prompt

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// maxDropped bounds the list of dropped members; more are not named.
const maxDropped = 100

// reader counts and names the unused members of a reply.
type reader struct {
	ignored int
	unclear bool     // the recommendation is in unknown words
	unknown bool     // the verdict is
	fault   string   // the reply lacks a required member
	asked   []string // members of the reply itself, known to its kind
	dropped []string
}

func (r *reader) drop(path string) {
	if len(r.dropped) < maxDropped {
		r.dropped = append(r.dropped, path)
	}
}

// object is one JSON object. Each read takes a member out; the unknown members are left at
// the end. The names of members are in the form of bareWord: models write startLine, too.
type object struct {
	r       *reader
	path    string // with a trailing dot, "" at the top
	members map[string]json.RawMessage
}

// object opens a JSON object. Of two names with the same bareWord, the last one in sorted order
// counts.
func (r *reader) object(path string, raw []byte) (object, bool) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(raw, &members) // members stays nil if it is no object
	if members == nil {
		return object{}, false
	}
	return r.opened(path, members), true
}

func (r *reader) opened(path string, members map[string]json.RawMessage) object {
	o := object{r: r, members: make(map[string]json.RawMessage, len(members))}
	if path != "" {
		o.path = path + "."
	}
	for _, name := range sorted(members) {
		bare := bareWord(name)
		if _, twice := o.members[bare]; twice {
			r.ignored++
		}
		o.members[bare] = members[name]
	}
	return o
}

func sorted[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

func (o object) done() { o.r.ignored += len(o.members) }

// otherNames are what models call members of ours, in the form of bareWord.
var otherNames = map[string][]string{
	"claims":      {"findings", "issues", "problems", "bugs", "defects"},
	"new_claims":  {"newfindings", "uncovered"},
	"evaluations": {"assessments", "verdicts", "reviews", "claimevaluations"},
	"answers":     {"responses", "replies", "rebuttals"},
	"defences":    {"defenses"},
	"title":       {"name", "headline", "issue", "issuetitle", "problem", "finding", "claim", "summary", "subject"},
	"body":        {"description", "detail", "details", "explanation", "message", "comment", "rationale", "impact", "why"},
	"severity":    {"priority", "level", "severitylevel", "risk", "risklevel"},
	"suggestion":  {"fix", "suggestedfix", "proposedfix", "recommendedfix", "recommendation", "remedy"},
	"ref":         {"refs", "references", "citation", "citations", "evidence", "location", "locations"},
	"path":        {"file", "filename", "filepath"},
	"start_line":  {"line", "lines", "start", "linestart", "linenumber", "lineno", "linerange", "range"},
	"end_line":    {"end", "lineend"},
	"quote":       {"code", "snippet", "codesnippet", "quotedcode", "quoted", "linecontent", "text"},
	"claim":       {"id", "claimid", "finding", "findingid"},
	"challenge":   {"id", "challengeid", "claim", "claimid"},
	"flaw":        {"reason", "reasoning", "explanation", "comment", "rationale", "why", "argument"},
	"text":        {"reason", "reasoning", "explanation", "response", "argument", "rationale", "why", "objection", "description", "message", "title", "body"},
	"fatal":       {"isfatal", "blocking", "isblocking"},
}

// raw returns a member, also under another name of it. At the top only a list or an object
// counts under another name: a text is read as a reply in plain words.
func (o object) raw(name string) json.RawMessage {
	bare := bareWord(name)
	for _, other := range otherNames[name] {
		raw := o.members[other]
		if o.members[bare] == nil && raw != nil && (o.path != "" || strings.ContainsAny(string(raw[:1]), "[{")) {
			delete(o.members, other)
			o.members[bare] = raw
		}
	}
	return o.members[bare]
}

// take removes a member; null counts as missing.
func (o object) take(name string) (json.RawMessage, bool) {
	if o.path == "" {
		o.r.asked = append(o.r.asked, name)
	}
	raw := o.raw(name)
	delete(o.members, bareWord(name))
	return raw, raw != nil && string(raw) != "null"
}

func (o object) drop(name string) { o.r.drop(o.path + name) }

// value reads a member of a type.
func value[T any](o object, name string) (v T, ok bool) {
	raw, ok := o.take(name)
	if !ok {
		return v, false
	}
	if json.Unmarshal(raw, &v) != nil {
		var none T
		o.drop(name)
		return none, false
	}
	return v, true
}

// text reads a string, or a list of its lines.
func (o object) text(name string) string {
	if raw := o.raw(name); raw != nil && raw[0] == '[' {
		return strings.Join(o.texts(name), "\n")
	}
	s, _ := value[string](o, name)
	return s
}

// id reads an id of the record, in any case, perhaps with signs or a noun before it and words behind it.
func (o object) id(name string) string {
	s := strings.TrimSpace(o.text(name))
	if strings.EqualFold(s, "position") {
		return "position"
	}
	if id := anyID().FindStringSubmatch(s); id != nil {
		return strings.ToUpper(id[1])
	}
	return s
}

// anyID is an id of the record at the start of a text.
var anyID = lazyregexp.New("^(?i:claim|finding|challenge|segment|decision)?[ #\\[(*`]*([A-Za-z][0-9]{1,9})(?:$|[:.,;)\\]*`\\s–—-])")

// flag reads true or false.
func (o object) flag(name string) bool {
	b, _ := value[bool](o, name)
	return b
}

// number reads an integer from low to high, perhaps in quotes.
func (o object) number(name string, low, high int) (int, bool) {
	raw, ok := o.take(name)
	if !ok {
		return 0, false
	}
	i, ok := integer(strings.Trim(string(raw), `" `))
	if !ok || i < low || i > high {
		o.drop(name)
		return 0, false
	}
	return i, true
}

// entries reads a list; one value counts as a list of it, an object may hold the entries by their
// ids or severities, and all of it may be JSON in a text. It drops each wrong entry alone.
func entries[T any](o object, name string, read func(raw json.RawMessage, path string) (T, bool)) []T {
	raw, ok := o.take(name)
	if !ok {
		return nil
	}
	if inText, ok := jsonIn(raw); ok {
		raw = inText
	}
	list := []json.RawMessage{raw}
	if raw[0] == '[' {
		_ = json.Unmarshal(raw, &list) // it is a list: the whole reply was read
	} else if keyed := byKey(raw); keyed != nil {
		list = keyed
	}
	var all []T
	for i, raw := range list {
		path := o.path + name + "[" + strconv.Itoa(i) + "]"
		v, ok := read(raw, path)
		if !ok {
			o.r.drop(path)
			continue
		}
		all = append(all, v)
	}
	return all
}

// jsonIn returns the list or object that a model wrote as a text.
func jsonIn(raw json.RawMessage) (json.RawMessage, bool) {
	text := ""
	_ = json.Unmarshal(raw, &text) // text stays empty if it is none
	text = strings.TrimSpace(text)
	return json.RawMessage(text), strings.ContainsAny(text[:min(1, len(text))], "[{") && json.Valid([]byte(text))
}

// wordsIn returns a text that is no JSON.
func wordsIn(raw json.RawMessage) (text string, ok bool) {
	_, isJSON := jsonIn(raw)
	ok = json.Unmarshal(raw, &text) == nil && string(raw) != "null" && !isJSON
	return text, ok
}

// byKey lists the entries of an object with ids or severities as names, such as {"F1": "AGREE"} and
// {"high": [{"title": "t"}]}. Each entry gets its name as a member. It returns nil if a name is
// anything else.
func byKey(raw json.RawMessage) []json.RawMessage {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(raw, &members) // members stays nil if it is no object
	var list []json.RawMessage
	for _, name := range sorted(members) {
		key, word := "id", "verdict"
		if levelWords[strings.ToLower(name)] != "" {
			key, word = "severity", "title"
		} else if !anyID().MatchString(name) {
			return nil
		}
		values := []json.RawMessage{members[name]}
		_ = json.Unmarshal(members[name], &values) // if it is a list
		for _, value := range values {
			entry := make(map[string]json.RawMessage)
			if json.Unmarshal(value, &entry) != nil || entry == nil {
				entry = map[string]json.RawMessage{word: value}
			}
			if entry[key] == nil {
				entry[key], _ = json.Marshal(name) // a string always marshals
			}
			one, _ := json.Marshal(entry) // it was read from JSON
			list = append(list, one)
		}
	}
	return list
}

// texts reads a list of strings.
func (o object) texts(name string) []string {
	return entries(o, name, func(raw json.RawMessage, _ string) (s string, ok bool) {
		return s, string(raw) != "null" && json.Unmarshal(raw, &s) == nil
	})
}

// entryIn reads one object. It is wrong if read returns false.
func entryIn[T any](r *reader, path string, raw []byte, read func(object) (T, bool)) (v T, ok bool) {
	o, ok := r.object(path, raw)
	if !ok {
		return v, false
	}
	if v, ok = read(o); ok {
		o.done()
	}
	return v, ok
}

// each reads a list of objects. It drops the wrong ones.
func each[T any](o object, name string, read func(object) (T, bool)) []T {
	return entries(o, name, func(raw json.RawMessage, path string) (T, bool) { return entryIn(o.r, path, raw, read) })
}

// one reads a member with an object, perhaps as JSON in a text; nil if it has none.
func one[T any](o object, name string, read func(object) (T, bool)) *T {
	raw, ok := o.take(name)
	if !ok {
		return nil
	}
	if inText, ok := jsonIn(raw); ok {
		raw = inText
	}
	v, ok := entryIn(o.r, o.path+name, raw, read)
	if !ok {
		o.drop(name)
		return nil
	}
	return &v
}

// maxDigits bounds numbers so that computations with them fit in 64 bits.
const maxDigits = 9

// integer reads a whole number, also if it is written as 7.0.
func integer(text string) (int, bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	if strings.Trim(fraction, "0") != "" || len(strings.TrimPrefix(whole, "-")) > maxDigits {
		return 0, false
	}
	n, err := strconv.Atoi(whole)
	return n, err == nil
}

// basisPoints reads a JSON number from 0 to 1 in ten-thousandths, rounded down. It uses no
// binary fraction, so 0.05 is 500 (R009).
func basisPoints(text string) (int, bool) {
	value, ok := new(big.Rat).SetString(text)
	if !ok || value.Sign() < 0 || value.Cmp(big.NewRat(1, 1)) > 0 {
		return 0, false
	}
	value.Mul(value, big.NewRat(10_000, 1))
	return int(new(big.Int).Quo(value.Num(), value.Denom()).Int64()), true
}
