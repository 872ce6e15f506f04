package config

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// field is what the struct tags of a setting say about its values.
type field struct {
	name     string
	required bool
	enum     []string
	examples []string          // of a text that is bound to a pattern
	bounds   map[string]string // by their names in JSON Schema
	operator string            // only, or above=N: what a repository cannot set (S02); never: what an operator cannot
	reserved []string          // values that only an operator may use
}

// fieldOf reads the tags of one setting.
func fieldOf(f reflect.StructField) field {
	name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	return readTag(field{name: name, operator: f.Tag.Get("operator"), enum: values[f.Type]}, f.Tag.Get("jsonschema"))
}

// itemOf is what holds for every value of a type, also inside lists.
func itemOf(t reflect.Type) field { return readTag(field{enum: values[t]}, typeBounds[t]) }

// typeBounds are the bounds of types that stand in lists, where there is no tag.
var typeBounds = map[reflect.Type]string{
	reflect.TypeFor[Glob]():     "minLength=1,maxLength=500",
	reflect.TypeFor[Pattern]():  "minLength=1,maxLength=1000",
	reflect.TypeFor[Handle]():   "pattern=^@?[A-Za-z0-9][A-Za-z0-9-]*(/[A-Za-z0-9][A-Za-z0-9_.-]*)?$,maxLength=100",
	reflect.TypeFor[Seconds]():  "pattern=^[1-9][0-9]*[sm]$",
	reflect.TypeFor[Name]():     "minLength=1,maxLength=1000",
	reflect.TypeFor[Argument](): "minLength=1,maxLength=1000",
	reflect.TypeFor[Header]():   "pattern=^[A-Za-z][A-Za-z0-9-]*: [!-~]([ -~]*[!-~])?$,maxLength=500",
}

// readTag adds to a field what a tag says: what is required, which values there
// are, and bounds. A comma inside a bound has a backslash before it.
func readTag(f field, tag string) field {
	f.bounds = make(map[string]string)
	for _, part := range strings.Split(strings.ReplaceAll(tag, `\,`, "\x00"), ",") {
		key, value, _ := strings.Cut(strings.ReplaceAll(part, "\x00", ","), "=")
		switch key {
		case "required":
			f.required = true
		case "enum":
			f.enum = append(f.enum, value)
		case "example":
			f.examples = append(f.examples, value)
		default:
			f.bounds[key] = value
		}
	}
	return f
}

// count is a bound that is a number; 0 where it is not set.
func (f field) count(bound string) int { return number(f.bounds[bound]) }

// rule says when a value is within a bound, and what is wrong where it is not.
type rule[T any] struct {
	bound string
	holds func(value T, bound string) bool
	wrong func(value T, f field) string
}

// broken is what is wrong with a value by the first rule that it breaks, or "".
func broken[T any](f field, value T, rules []rule[T]) string {
	for _, r := range rules {
		if bound, set := f.bounds[r.bound]; set && !r.holds(value, bound) {
			return r.wrong(value, f)
		}
	}
	return ""
}

var texts = []rule[string]{
	{"minLength",
		func(s, bound string) bool { return utf8.RuneCountInString(s) >= number(bound) },
		func(string, field) string { return "is empty" }},
	{"maxLength",
		func(s, bound string) bool { return utf8.RuneCountInString(s) <= number(bound) },
		func(s string, f field) string {
			return fmt.Sprintf("is too long: %d characters, at most %d", utf8.RuneCountInString(s), f.count("maxLength"))
		}},
	{"pattern",
		func(s, bound string) bool { return regexp.MustCompile(bound).MatchString(s) },
		outOfForm},
}

func outOfForm(s string, f field) string {
	if len(f.examples) == 0 {
		return fmt.Sprintf("%q does not match %s", s, f.bounds["pattern"])
	}
	return fmt.Sprintf("%q is not allowed: write a value like %s", s, strings.Join(f.examples, " or "))
}

var lengths = []rule[int]{
	{"minItems",
		func(n int, bound string) bool { return n >= number(bound) },
		func(_ int, f field) string { return fmt.Sprintf("needs at least %d", f.count("minItems")) }},
	{"maxItems",
		func(n int, bound string) bool { return n <= number(bound) },
		func(n int, f field) string {
			return fmt.Sprintf("has %d entries, at most %d are allowed", n, f.count("maxItems"))
		}},
}

// quantity is a number and how a bound of its unit is read.
type quantity struct {
	n    int64
	read func(string) int64
}

var quantities = []rule[quantity]{
	{"exclusiveMinimum",
		func(q quantity, bound string) bool { return q.n > q.read(bound) },
		func(_ quantity, f field) string { return "must be more than " + f.bounds["exclusiveMinimum"] }},
	{"minimum", func(q quantity, bound string) bool { return q.n >= q.read(bound) }, outOfRange},
	{"maximum", func(q quantity, bound string) bool { return q.n <= q.read(bound) }, outOfRange},
}

func outOfRange(_ quantity, f field) string {
	if f.bounds["minimum"] == "" {
		return "is too large: at most " + f.bounds["maximum"]
	}
	return fmt.Sprintf("is out of range: %s to %s", f.bounds["minimum"], f.bounds["maximum"])
}

func number(bound string) int {
	n, _ := strconv.Atoi(bound) // it stands in this package
	return n
}

// text says what is wrong with a text, or "".
func (f field) text(s string) string {
	if f.enum != nil && !slices.Contains(f.enum, s) {
		return fmt.Sprintf("%q is not one of %s%s", s, strings.Join(f.enum, ", "), didYouMean(s, f.enum))
	}
	return broken(f, s, texts)
}

// number says what is wrong with a number of the given unit, or "".
func (f field) number(n int64, read func(string) int64) string {
	if f.enum != nil && !slices.Contains(f.enum, strconv.FormatInt(n, 10)) {
		return "must be " + strings.Join(f.enum, " or ")
	}
	return broken(f, quantity{n, read}, quantities)
}

// operatorAbove is the number that only an operator may exceed.
func (f field) operatorAbove() (string, bool) { return strings.CutPrefix(f.operator, "above=") }

// didYouMean names the candidate that is closest to s, if one is close.
func didYouMean(s string, candidates []string) string {
	best, limit := "", 3
	if len(s) > 60 {
		return "" // no setting is that long
	}
	for _, c := range candidates {
		if n := levenshtein.ComputeDistance(strings.ToLower(s), c); n < min(limit, len(c)) {
			best, limit = c, n
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}
