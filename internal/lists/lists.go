// Package lists adds filter and map functions to package slices, and sets of words.
package lists

import (
	"slices"
	"strings"
)

// Find returns the first element that fits, or the zero value.
func Find[T any](list []T, fits func(T) bool) (found T) {
	if at := slices.IndexFunc(list, fits); at >= 0 {
		return list[at]
	}
	return found
}

// Keep returns the elements that fit, in order; nil for none.
func Keep[T any](list []T, fits func(T) bool) []T {
	var kept []T
	for _, v := range list {
		if fits(v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// Map applies a function to each element, in order; nil for an empty list.
func Map[T, U any](list []T, of func(T) U) []U {
	var all []U
	for _, v := range list {
		all = append(all, of(v))
	}
	return all
}

// Words returns the set of the words in a text.
func Words(text string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}
