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
	name      string
	required  bool
	enum      []string
	pattern   string
	min, max  string   // of numbers, "" for none
	above     string   // exclusive minimum of a number
	lengths   [2]int   // of text in characters; 0 for none
	items     [2]int   // of lists; 0 for none
	operator  string   // only, or above=N: what a repository cannot set (S02)
	reserved  []string // values that only an operator may use
	tagString string
}

// fieldOf reads the tags of one setting.
func fieldOf(f reflect.StructField) field {
	name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	return readTag(field{name: name, operator: f.Tag.Get("operator"), enum: values[f.Type]}, f.Tag.Get("jsonschema"))
}

// itemOf is what holds for every value of a type, also inside lists.
func itemOf(t reflect.Type) field { return readTag(field{enum: values[t]}, typeBounds(t)) }

// typeBounds are the bounds of types that stand in lists, where there is no tag.
func typeBounds(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[Glob]():
		return "minLength=1,maxLength=500"
	case reflect.TypeFor[Pattern]():
		return "minLength=1,maxLength=1000"
	case reflect.TypeFor[Handle]():
		return "pattern=^@?[A-Za-z0-9][A-Za-z0-9-]*(/[A-Za-z0-9][A-Za-z0-9_.-]*)?$,maxLength=100"
	case reflect.TypeFor[Seconds]():
		return "pattern=^[1-9][0-9]*[sm]$"
	case reflect.TypeFor[Name](), reflect.TypeFor[Argument]():
		return "minLength=1,maxLength=1000"
	}
	return ""
}

func readTag(f field, tag string) field {
	f.tagString = tag
	for _, part := range splitTag(tag) {
		key, value, _ := strings.Cut(part, "=")
		number, _ := strconv.Atoi(value)
		switch key {
		case "required":
			f.required = true
		case "enum":
			f.enum = append(f.enum, value)
		case "pattern":
			f.pattern = value
		case "minimum":
			f.min = value
		case "maximum":
			f.max = value
		case "exclusiveMinimum":
			f.above = value
		case "minLength":
			f.lengths[0] = number
		case "maxLength":
			f.lengths[1] = number
		case "minItems":
			f.items[0] = number
		case "maxItems":
			f.items[1] = number
		}
	}
	return f
}

// splitTag splits at commas that have no backslash before them.
func splitTag(tag string) []string {
	parts := strings.Split(strings.ReplaceAll(tag, `\,`, "\x00"), ",")
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], "\x00", ",")
	}
	return parts
}

// text says what is wrong with a text, or "".
func (f field) text(s string) string {
	length := utf8.RuneCountInString(s)
	switch {
	case len(f.enum) > 0 && !slices.Contains(f.enum, s):
		return fmt.Sprintf("%q is not one of %s%s", s, strings.Join(f.enum, ", "), didYouMean(s, f.enum))
	case f.lengths[0] > 0 && length < f.lengths[0]:
		return "is empty"
	case f.lengths[1] > 0 && length > f.lengths[1]:
		return fmt.Sprintf("is too long: %d characters, at most %d", length, f.lengths[1])
	case f.pattern != "" && !regexp.MustCompile(f.pattern).MatchString(s):
		return fmt.Sprintf("%q does not match %s", s, f.pattern)
	}
	return ""
}

// number says what is wrong with a number of the given unit, or "".
func (f field) number(n int64, parse func(string) int64) string {
	switch {
	case f.above != "" && n <= parse(f.above):
		return "must be more than " + f.above
	case f.min != "" && n < parse(f.min), f.max != "" && n > parse(f.max):
		if f.min == "" {
			return "is too large: at most " + f.max
		}
		return fmt.Sprintf("is out of range: %s to %s", f.min, f.max)
	case len(f.enum) > 0 && !slices.Contains(f.enum, strconv.FormatInt(n, 10)):
		return "must be " + strings.Join(f.enum, " or ")
	}
	return ""
}

// list says what is wrong with a list of n items, or "".
func (f field) list(n int) string {
	switch {
	case n < f.items[0]:
		return fmt.Sprintf("needs at least %d", f.items[0])
	case f.items[1] > 0 && n > f.items[1]:
		return fmt.Sprintf("has %d entries, at most %d are allowed", n, f.items[1])
	}
	return ""
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
		if n := levenshtein.ComputeDistance(strings.ToLower(s), c); n < limit && n < len(c) {
			best, limit = c, n
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}
