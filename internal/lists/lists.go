// Package lists adds to package slices: filter and map, pointers to elements, lists without
// repetitions, changed copies, and sets of words.
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

// Pointer returns a pointer to the first element that fits, or nil.
func Pointer[T any](list []T, fits func(*T) bool) *T {
	for i := range list {
		if fits(&list[i]) {
			return &list[i]
		}
	}
	return nil
}

// Pointers returns pointers to the elements that fit, in order.
func Pointers[T any](list []T, fit func(*T) bool) []*T {
	var found []*T
	for i := range list {
		if fit(&list[i]) {
			found = append(found, &list[i])
		}
	}
	return found
}

// Add returns a list with one more entry if it lacks it.
func Add[T comparable](list []T, entry T) []T {
	if slices.Contains(list, entry) {
		return list
	}
	return append(slices.Clip(list), entry)
}

// Once returns the entries in their order, each once.
func Once[T comparable](list []T) []T {
	var out []T
	for _, e := range list {
		out = Add(out, e)
	}
	return out
}

// First returns the first entries of a list, at most so many.
func First[T any](list []T, most int) []T { return list[:min(len(list), most):min(len(list), most)] }

// Changed returns a copy of a list with every element changed.
func Changed[T any](list []T, change func(*T)) []T {
	list = slices.Clone(list)
	for i := range list {
		change(&list[i])
	}
	return list
}

// Copied returns a changed copy, or nil for nil.
func Copied[T any](of *T, change func(*T)) *T {
	if of == nil {
		return nil
	}
	one := *of
	change(&one)
	return &one
}

// Words returns the set of the words in a text.
func Words(text string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}
