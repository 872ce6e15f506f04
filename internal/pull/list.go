package pull

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
	var kept []T
	for _, v := range list {
		if fits(v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// mapped is what becomes of each element of a list.
func mapped[T, U any](list []T, of func(T) U) []U {
	var out []U
	for _, v := range list {
		out = append(out, of(v))
	}
	return out
}

// update changes the elements of a list that fit.
func update[T any](list []T, fits func(T) bool, change func(*T)) {
	for i := range list {
		if fits(list[i]) {
			change(&list[i])
		}
	}
}

// last is the last element of a list, the zero value if there is none.
func last[T any](list []T) (v T) {
	if len(list) > 0 {
		v = list[len(list)-1]
	}
	return v
}
