// Package tally says what the words of a debate come to once it is over: what the
// parties settle, what is recommended, where only a person can go on, and how sure
// all that is. It counts voices and reads results; it knows neither claims nor
// stages nor sentences.
//
//	voices ──Settled──▶ an option, or none
//	                        │
//	scores, judges ──Ballot─┴─▶ Recommended: an option, or none
//	                          └▶ Splits: why nothing may be adopted
//	Grounds ──Sure──▶ a level, and the doubts that lower it
package tally

import "slices"

// Voice is what one party holds on one decision at the end.
type Voice struct {
	Party  string
	Family string // of its model
	Option string // "": it holds none
	// Dissent: nothing but words that were answered stands behind what it holds.
	Dissent bool
	// Abstains: it has given up having a word. What it holds stands in the way of another
	// option, and settles none.
	Abstains bool
}

// Settled is the option that the voices settle, "" if they settle none (M09): at
// least two voices and more than half of them hold it, abstentions not counted, and
// whoever holds another one only dissents. Who holds nothing counts against the lenient
// option alone: it is never settled by silence. Where two families are present each has
// one voice (M02).
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

// Unanimous is the option that all voices hold, "" if one of them holds another or
// none, or if there are not two.
func Unanimous(voices []Voice) string {
	if len(voices) < 2 || slices.ContainsFunc(voices, func(v Voice) bool { return v.Option != voices[0].Option }) {
		return ""
	}
	return voices[0].Option
}

// Families counts the families that have a voice.
func Families(voices []Voice) int {
	families := make(map[string]bool)
	for _, v := range voices {
		families[v.Family] = true
	}
	return len(families)
}

// byFamily makes one voice of those of a family where two families or more are
// present. A family that is divided beyond dissent holds nothing.
func byFamily(voices []Voice) []Voice {
	if Families(voices) < 2 {
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

// weight is how much a voice says beside another one of its family: nothing, what is mere
// dissent, or what it stands by.
func (v Voice) weight() int {
	switch {
	case v.Option == "":
		return 0
	case v.Dissent:
		return 1
	}
	return 2
}
