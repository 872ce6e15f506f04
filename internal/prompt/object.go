package prompt

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// maxDropped bounds the list of members that were left out.
const maxDropped = 100

// reader notes what is left out while a reply is read.
type reader struct {
	ignored int
	asked   []string // members of the reply itself that were looked for
	dropped []string
	more    int // beyond maxDropped
}

func (r *reader) drop(path string) {
	if len(r.dropped) == maxDropped {
		r.more++
		return
	}
	r.dropped = append(r.dropped, path)
}

// named returns what was dropped, bounded.
func (r *reader) named() []string {
	if r.more > 0 {
		return append(r.dropped, "and "+strconv.Itoa(r.more)+" more")
	}
	return r.dropped
}

// object is one JSON object that is being read. Reading a member takes it out;
// what is left in the end is what nobody knows.
type object struct {
	r       *reader
	path    string // with a trailing dot, "" at the top
	members map[string]json.RawMessage
}

// object opens a JSON object. Names of members are spelt in any case; of two
// that differ in case alone, the one that sorts last stands.
func (r *reader) object(path string, raw []byte) (object, bool) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(raw, &members) // nothing is set of what is no object
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
		lower := strings.ToLower(name)
		if _, twice := o.members[lower]; twice {
			r.ignored++
		}
		o.members[lower] = members[name]
	}
	return o
}

func sorted[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

// done counts the members that nobody asked for.
func (o object) done() { o.r.ignored += len(o.members) }

// has reports whether one of the members is there.
func (o object) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, ok := o.members[name]
		return ok
	})
}

// take removes a member; null is the same as none.
func (o object) take(name string) (json.RawMessage, bool) {
	if o.path == "" {
		o.r.asked = append(o.r.asked, name)
	}
	raw, ok := o.members[name]
	delete(o.members, name)
	return raw, ok && string(raw) != "null"
}

// drop leaves a member out and says so.
func (o object) drop(name string) { o.r.drop(o.path + name) }

// value reads a member into what it has to be.
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

// text reads a string.
func (o object) text(name string) string {
	s, _ := value[string](o, name)
	return s
}

// id reads the id of something in the record. Ids are spelt in any case.
func (o object) id(name string) string { return asID(o.text(name)) }

func asID(s string) string {
	s = strings.TrimSpace(s)
	if strings.EqualFold(s, "position") {
		return "position"
	}
	if smallID().MatchString(s) {
		return strings.ToUpper(s)
	}
	return s
}

// smallID is the id of something in the record, spelt with a small letter.
var smallID = lazyregexp.New(`^[a-z][0-9]+$`)

// flag reads true or false.
func (o object) flag(name string) bool {
	b, _ := value[bool](o, name)
	return b
}

// number reads an integer from low to high.
func (o object) number(name string, low, high int) (int, bool) {
	raw, ok := o.take(name)
	if !ok {
		return 0, false
	}
	i, ok := integer(string(raw))
	if !ok || i < low || i > high {
		o.drop(name)
		return 0, false
	}
	return i, true
}

// entries reads a list; each entry that is not what it has to be is dropped
// alone.
func entries[T any](o object, name string, read func(raw json.RawMessage, path string) (T, bool)) []T {
	list, ok := value[[]json.RawMessage](o, name)
	if !ok {
		return nil
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

// texts reads a list of strings.
func (o object) texts(name string) []string {
	return entries(o, name, func(raw json.RawMessage, _ string) (s string, ok bool) {
		return s, string(raw) != "null" && json.Unmarshal(raw, &s) == nil
	})
}

// ids reads a list of ids.
func (o object) ids(name string) []string {
	list := o.texts(name)
	for i, s := range list {
		list[i] = asID(s)
	}
	return list
}

// each reads a list of objects. What read cannot use is dropped.
func each[T any](o object, name string, read func(object) (T, bool)) []T {
	return entries(o, name, func(raw json.RawMessage, path string) (v T, ok bool) {
		entry, ok := o.r.object(path, raw)
		if !ok {
			return v, false
		}
		if v, ok = read(entry); ok {
			entry.done()
		}
		return v, ok
	})
}

// one reads a member that is an object, nil if it is none.
func one[T any](o object, name string, read func(object) (T, bool)) *T {
	raw, ok := o.take(name)
	if !ok {
		return nil
	}
	entry, ok := o.r.object(o.path+name, raw)
	if ok {
		var v T
		if v, ok = read(entry); ok {
			entry.done()
			return &v
		}
	}
	o.drop(name)
	return nil
}
