// Package tally counts the voices at the end of a debate: which option they settle, if any. It
// knows neither claims nor stages nor sentences.
package tally

import "slices"

// Voice is the final choice of one party in one decision.
type Voice struct {
	Party  string
	Family string // of its model
	Option string // "": it holds none
	// Dissent: only words that were answered support its choice.
	Dissent bool
	// Abstains: it has given up its word. Its choice blocks another option, and settles none.
	Abstains bool
}

// Settled is the option that the voices settle, "" if they settle none (M09): at least two
// voices and more than half of them hold it, abstentions not counted, and all others only
// dissent. A voice without a choice counts against the lenient option alone: silence never
// settles it. If there are two families, each has one voice (M02).
func Settled(voices []Voice, lenient string) string {
	words := byFamily(voices)
	holders := make(map[string]int)
	for _, v := range words {
		if !v.Abstains {
			holders[v.Option]++
		}
	}
	active, option := len(words)-holders[""], ""
	delete(holders, "")
	for _, v := range words {
		all := active
		if v.Option == lenient {
			all = len(words)
		}
		if holders[v.Option] >= max(2, all/2+1) {
			option = v.Option
		}
	}
	differs := func(v Voice) bool { return v.Option != "" && v.Option != option && !v.Dissent }
	if slices.ContainsFunc(voices, differs) {
		return ""
	}
	return option
}

// Unanimous is the option of all voices, "" if one of them differs or has none, or if there are
// fewer than two.
func Unanimous(voices []Voice) string {
	if len(voices) < 2 || slices.ContainsFunc(voices, func(v Voice) bool { return v.Option != voices[0].Option }) {
		return ""
	}
	return voices[0].Option
}

// byFamily joins the voices of each family if there are two families or more. A family that is
// divided beyond dissent holds nothing.
func byFamily(voices []Voice) []Voice {
	if !slices.ContainsFunc(voices, func(v Voice) bool { return v.Family != voices[0].Family }) {
		return voices
	}
	var joint []Voice
	for _, v := range voices {
		at := slices.IndexFunc(joint, func(have Voice) bool { return have.Family == v.Family })
		if at < 0 {
			joint = append(joint, v)
			continue
		}
		joint[at] = joined(joint[at], v)
	}
	return joint
}

// joined is the voice of two parties of one family.
func joined(a, b Voice) Voice {
	switch x, y := a.weight(), b.weight(); {
	case a.Option == b.Option:
		a.Dissent, a.Abstains = a.Dissent && b.Dissent, a.Abstains && b.Abstains
	case x < y:
		return b
	case x == y:
		a.Option = ""
	}
	return a
}

// weight ranks a voice within its family: no choice, mere dissent, or a choice with a reason.
func (v Voice) weight() int {
	switch {
	case v.Option == "":
		return 0
	case v.Dissent:
		return 1
	}
	return 2
}
