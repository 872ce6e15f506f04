package config

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/spelling"
)

// field has the bounds of a setting's values, from its struct tags.
type field struct {
	name     string
	required bool
	enum     []string
	examples []string          // of a text with a pattern
	bounds   map[string]string // by their names in JSON Schema
	operator string            // only, or above=N: what a repository cannot set; never: not in an operator's file
	reserved []string          // values only for an operator
}

// fieldOf reads the tags of one setting.
func fieldOf(f reflect.StructField) field {
	name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	return readTag(field{name: name, operator: f.Tag.Get("operator"), enum: values[f.Type]}, f.Tag.Get("jsonschema"))
}

// itemOf returns the bounds of every value of a type, also inside lists.
func itemOf(t reflect.Type) field { return readTag(field{enum: values[t]}, typeBounds[t]) }

// typeBounds are the bounds of types in lists, which have no tag.
var typeBounds = map[reflect.Type]string{
	reflect.TypeFor[Glob]():     "minLength=1,maxLength=500",
	reflect.TypeFor[Pattern]():  "minLength=1,maxLength=1000",
	reflect.TypeFor[Handle]():   "pattern=^@?[A-Za-z0-9][A-Za-z0-9-]*(/[A-Za-z0-9][A-Za-z0-9_.-]*)?$,maxLength=100",
	reflect.TypeFor[Seconds]():  "pattern=^[1-9][0-9]*[sm]$",
	reflect.TypeFor[Name]():     "minLength=1,maxLength=1000",
	reflect.TypeFor[Argument](): "minLength=1,maxLength=1000",
	reflect.TypeFor[Header]():   "pattern=^[A-Za-z][A-Za-z0-9-]*: [!-~]([ -~]*[!-~])?$,maxLength=500",
}

// readTag adds a tag's contents to a field: whether it is required, its values, and bounds. A comma
// inside a bound has a backslash before it.
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

// count returns a bound as a number, 0 without one.
func (f field) count(bound string) int { return number(f.bounds[bound]) }

func number(bound string) int {
	n, _ := strconv.Atoi(bound) // a constant of this package
	return n
}

// text returns the problem with a text, or "".
func (f field) text(s string) string {
	if f.enum != nil && !slices.Contains(f.enum, s) {
		return fmt.Sprintf("%q is not one of %s%s", s, strings.Join(f.enum, ", "), didYouMean(s, f.enum))
	}
	size, most, pattern := utf8.RuneCountInString(s), f.count("maxLength"), f.bounds["pattern"]
	switch {
	case size < f.count("minLength"):
		return "is empty"
	case most > 0 && size > most:
		return fmt.Sprintf("is too long: %d characters, at most %d", size, most)
	case pattern == "", regexp.MustCompile(pattern).MatchString(s):
		return ""
	case len(f.examples) > 0:
		return fmt.Sprintf("%q is not allowed: write a value like %s", s, strings.Join(f.examples, " or "))
	}
	return fmt.Sprintf("%q does not match %s", s, pattern)
}

// length returns the problem with a list of so many entries, or "".
func (f field) length(n int) string {
	switch most := f.count("maxItems"); {
	case n < f.count("minItems"):
		return fmt.Sprintf("needs at least %d", f.count("minItems"))
	case most > 0 && n > most:
		return fmt.Sprintf("has %d entries, at most %d are allowed", n, most)
	}
	return ""
}

// number returns the problem with a number, or "". Read reads a bound in its unit.
func (f field) number(n int64, read func(string) int64) string {
	above, least, most := f.bounds["exclusiveMinimum"], f.bounds["minimum"], f.bounds["maximum"]
	isHigh := most != "" && n > read(most)
	switch {
	case f.enum != nil && !slices.Contains(f.enum, strconv.FormatInt(n, 10)):
		return "must be " + strings.Join(f.enum, " or ")
	case above != "" && n <= read(above):
		return "must be more than " + above
	case least == "" && isHigh:
		return "is too large: at most " + most
	case least != "" && n < read(least), isHigh:
		return fmt.Sprintf("is out of range: %s to %s", least, most)
	}
	return ""
}

// didYouMean suggests the candidate closest to s, if one is close.
func didYouMean(s string, candidates []string) string {
	if best := spelling.Nearest(s, candidates); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}
