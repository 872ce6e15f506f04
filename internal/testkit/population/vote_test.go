package population

// A plain vote: every party reviews the change alone and reports what it sees.
// Nobody checks a citation and nobody hears an argument.

// reporters counts the parties that report a place by themselves.
func reporters(c Change, k Knobs, place int) int {
	n := 0
	for who := range k.parties() {
		if (mind{Knobs: k, change: c, who: who}).sees(place) {
			n++
		}
	}
	return n
}

// believers counts the parties that take a place for a defect before they hear
// anybody.
func believers(c Change, k Knobs, place int) int {
	n := 0
	for who := range k.parties() {
		n += one((mind{Knobs: k, change: c, who: who}).believes(place, 0))
	}
	return n
}

// twoReport adopts what at least two parties report.
func twoReport(c Change, k Knobs, place int) bool { return reporters(c, k, place) >= 2 }

// majority adopts what somebody reports and more than half of the parties take
// for a defect when each is asked once. Who says nothing of it has no vote.
func majority(c Change, k Knobs, place int) bool {
	if reporters(c, k, place) == 0 {
		return false
	}
	votes, speak := 0, 0
	for who := range k.parties() {
		m := mind{Knobs: k, change: c, who: who}
		if !m.sees(place) && m.silent(place, 1) {
			continue
		}
		speak++
		if m.believes(place, 0) {
			votes++
		}
	}
	return 2*votes > speak
}
