package pull

// update changes all fitting elements of a list.
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
