package prompt

import "slices"

// find is the first element of a list that fits, the zero value if none does.
func find[T any](list []T, fits func(T) bool) (found T) {
	if at := slices.IndexFunc(list, fits); at >= 0 {
		return list[at]
	}
	return found
}

// keep are the elements of a list that fit.
func keep[T any](list []T, fits func(T) bool) []T {
	var out []T
	for _, v := range list {
		if fits(v) {
			out = append(out, v)
		}
	}
	return out
}

// mapped is what becomes of each element of a list.
func mapped[T, U any](list []T, of func(T) U) []U {
	var out []U
	for _, v := range list {
		out = append(out, of(v))
	}
	return out
}
