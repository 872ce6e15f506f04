package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/text"
)

// find returns the first matching element of a list, or nil.
func find[E any](list []E, is func(*E) bool) *E {
	for i := range list {
		if is(&list[i]) {
			return &list[i]
		}
	}
	return nil
}

// findAll returns the matching elements of a list, in their order.
func findAll[E any](list []E, are func(*E) bool) []*E {
	var found []*E
	for i := range list {
		if are(&list[i]) {
			found = append(found, &list[i])
		}
	}
	return found
}

// noted is a list with one more entry, once.
func noted[E comparable](list []E, entry E) []E {
	if slices.Contains(list, entry) {
		return list
	}
	return append(slices.Clip(list), entry)
}

// once are the entries of a list in their order, each once.
func once[E comparable](list []E) []E {
	var out []E
	for _, e := range list {
		out = noted(out, e)
	}
	return out
}

// keep is a prefix of a list.
func keep[E any](list []E, most int) []E { return list[:min(len(list), most):min(len(list), most)] }

// changed returns a copy of a list with every element changed.
func changed[E any](list []E, change func(*E)) []E {
	list = slices.Clone(list)
	for i := range list {
		change(&list[i])
	}
	return list
}

// copied returns a changed copy, or nil for nil.
func copied[E any](of *E, change func(*E)) *E {
	if of == nil {
		return nil
	}
	one := *of
	change(&one)
	return &one
}

// clip cuts a text at a byte bound, between two characters.
func clip(words string, most int) string { return text.Clip(words, most) }
