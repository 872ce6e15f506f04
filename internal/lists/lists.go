// Package lists has what the package slices lacks: to keep some elements of a list, and to
// make one list of another. It knows nothing of what is in them.
package lists

import "slices"

// Find is the first element of a list that fits, the zero value if none does.
func Find[T any](list []T, fits func(T) bool) (found T) {
	if at := slices.IndexFunc(list, fits); at >= 0 {
		return list[at]
	}
	return found
}

// Keep are the elements of a list that fit, in their order; nil if none does.
func Keep[T any](list []T, fits func(T) bool) []T {
	var kept []T
	for _, v := range list {
		if fits(v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// Map is what becomes of each element of a list, in their order; nil of none.
func Map[T, U any](list []T, of func(T) U) []U {
	var all []U
	for _, v := range list {
		all = append(all, of(v))
	}
	return all
}
