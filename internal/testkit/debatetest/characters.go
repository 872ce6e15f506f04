package debatetest

import "github.com/prdebate/debate/internal/debate"

// Character is a way to behave, by the name of the adversary that it is.
type Character struct {
	Name  string // "honest", or the number of an odd one
	Party func(seed uint64) Party
}

// Characters lists everybody who can sit at a table, honest ones first. The seed
// decides what a character leaves to chance.
func Characters() []Character {
	is := func(party Party) func(uint64) Party { return func(uint64) Party { return party } }
	return []Character{
		{"honest", func(seed uint64) Party {
			all := Planted()
			return Honest(all[:(*random)(&seed).below(len(all)+1)]...)
		}},
		{"B01", is(RubberStamp())},
		{"B02", is(Sycophant())},
		{"B03", is(Capitulator())},
		{"B04", is(Stubborn())},
		{"B05", is(FlipFlop())},
		{"B06", is(Fabricator())},
		{"B07", is(ExecutionLiar())},
		{"B08", is(Inflater())},
		{"B09", is(Minimiser())},
		{"B10", func(seed uint64) Party { return Malformed(Malformation((*random)(&seed).below(int(Nothing) + 1))) }},
		{"B11", func(seed uint64) Party {
			kinds := []debate.CallKind{debate.CallOpen, debate.CallChallenge, debate.CallRespond, debate.CallRebut, debate.CallScore}
			kind := kinds[(*random)(&seed).below(len(kinds))]
			return FailingOnce(kind, debate.CallTimeout, EternalDissenter())
		}},
		{"B11 late", is(Late(Honest()))},
		{"B12", func(seed uint64) Party {
			status := []debate.CallStatus{debate.CallAuth, debate.CallRate, debate.CallNotFound, debate.CallTooLong}
			return Failing(status[(*random)(&seed).below(len(status))])
		}},
		{"B13", is(Injected())},
		{"B15", func(seed uint64) Party { return Spammer(1 + (*random)(&seed).below(40)) }},
		{"B16", is(Latecomer())},
		{"B17", is(EternalDissenter())},
		{"B18", func(seed uint64) Party {
			r := (*random)(&seed)
			return Rater(EternalDissenter(), debate.Rating{ValueBP: r.below(10001)})
		}},
		{"B19 dropper", is(IDDropper(EternalDissenter()))},
		{"B19 forger", is(IDForger(EternalDissenter()))},
		{"B20", is(Colluder())},
		{"B22", is(SheetGamer(EternalDissenter(), "reject"))},
		{"B22 broken", func(seed uint64) Party { return SheetBreaker(EternalDissenter(), seed%2 == 0) }},
		{"B24", is(Voting("two", "three", nil))},
		{"B26", is(ScopeCreeper(cite("cart.go", 3, "type Price float64")))},
		{"B27", is(TriggerDenier())},
		{"B28", is(TriggerFlooder())},
	}
}
