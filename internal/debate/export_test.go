package debate

// Rulings are all rulings about a debate, in the order in which they win.
func Rulings(s State) []Ruling {
	var list []Ruling
	for _, r := range s.rulings() {
		list = append(list, Ruling{Check: r.check, Why: r.why, Next: r.next, For: r.whom})
	}
	return list
}
