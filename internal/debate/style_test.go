package debate

// style is how a party behaves through a whole debate. Numbers are percentages.
type style struct {
	name      string
	fails     int      // of its calls come to nothing
	malformed int      // of its replies cannot be read
	found     int      // of its citations point at something that is there
	cites     int      // of what it says cites something
	argues    int      // of what it says has a text
	speaks    int      // of the claims and challenges before it get its word
	agrees    int      // of its evaluations agree
	yields    int      // of its answers give in
	asserts   int      // of its replies assert triggers
	claims    int      // it raises at most, in one reply
	only      Severity // of its claims; "": any
	gain      int      // its truth-gain in basis points; -1: any
	follows   bool     // it recommends what the position says
	stands    bool     // it gives in to nothing, and escalates
	forges    bool     // it answers for ids that are not its own
}

// styles are the parties that play: a plain one that does anything, an honest
// one, and the odd ones of Part 8 as far as a reply can be odd.
func styles() []style { return allStyles }

var allStyles = func() []style {
	plain := style{name: "plain", fails: 4, malformed: 4, found: 75, cites: 66, argues: 66, speaks: 75, agrees: 50, yields: 33, asserts: 20, claims: 4, gain: -1}
	honest := style{name: "honest", fails: 1, malformed: 1, found: 97, cites: 95, argues: 97, speaks: 97, agrees: 85, yields: 60, asserts: 5, claims: 2, gain: -1, follows: true}
	return []style{
		plain,
		honest,
		{name: "silent", fails: 100},
		{name: "garbled", malformed: 100},
		{name: "rubber stamp", agrees: 100, yields: 100, follows: true}, // agrees and looks at nothing
		{name: "sycophant", found: 90, cites: 90, argues: 40, speaks: 100, agrees: 60, yields: 100, claims: 2, gain: 0, follows: true},
		{name: "stubborn", found: 95, cites: 95, argues: 100, speaks: 100, agrees: 10, claims: 3, gain: -1, stands: true},
		{name: "fabricator", cites: 100, argues: 90, speaks: 90, agrees: 50, yields: 30, asserts: 30, claims: 4, gain: -1},
		{name: "inflater", found: 60, cites: 80, argues: 90, speaks: 90, agrees: 40, yields: 20, claims: 4, only: P1, gain: 10000},
		{name: "minimiser", found: 60, cites: 80, argues: 90, speaks: 90, agrees: 60, yields: 50, claims: 4, only: P3, gain: 0},
		{name: "dropper", found: 90, cites: 90, argues: 90, speaks: 15, agrees: 30, yields: 20, claims: 3, gain: -1},
		{name: "forger", found: 90, cites: 90, argues: 90, speaks: 80, agrees: 40, yields: 50, claims: 2, gain: -1, forges: true},
		{name: "flooder", found: 80, cites: 90, argues: 90, speaks: 90, agrees: 40, yields: 30, asserts: 100, claims: 9, gain: -1},
	}
}()

func styleNamed(name string) style {
	for _, s := range styles() {
		if s.name == name {
			return s
		}
	}
	panic("no style " + name)
}
