package population

import "github.com/prdebate/debate/internal/debate"

// Knobs say how simulated parties behave. Rates are in basis points.
type Knobs struct {
	Challengers int            // beside the primary, each of a family of its own
	Opening     debate.Opening // "": everybody, unseen by the others

	Hit         int // a party sees a defect when it reviews a change
	False       int // a party takes a place that looks like a defect for one
	Forged      int // what a party cites is not there, or says something else
	Skill       int // a party recognises whether a claim of another one is true
	Citing      int // a party that agrees cites lines of its own
	Sycophancy  int // a party that is contradicted gives in, whatever it thinks
	Stubborn    int // a party that is contradicted does not look again
	Correlation int // a draw of luck is one that all parties share
	Lazy        int // a challenger agrees with everything and looks at nothing
	Reckless    int // a party wants every change merged, whatever it claims

	Arguing  bool // who is contradicted looks again if lines are quoted against it, and only then
	Silent   int  // a party says nothing of a claim of another one
	Missing  int  // an honest citation is of the line below
	OwnLines int  // an objection quotes the line of the claim, and no other one
}

// Usual are the knobs of the main population. They are assumptions.
func Usual() Knobs {
	return Knobs{
		Challengers: 2, Hit: 5000, False: 800, Forged: 500, Skill: 7500, Citing: 7000,
		Sycophancy: 2000, Stubborn: 2000, Correlation: 2500, Lazy: 500, Reckless: 500,
	}
}

// Honest are the knobs of the second population: nobody gives in out of
// politeness, invents citations or agrees without looking, and nobody looks again
// unless lines are quoted against it.
func Honest() Knobs {
	return Knobs{
		Challengers: 2, Hit: 5000, False: 800, Skill: 7500, Citing: 7000, Correlation: 2500,
		Arguing: true, Silent: 1500, Missing: 1500,
	}
}

// with is the same population with another number of challengers.
func (k Knobs) with(challengers int) Knobs {
	k.Challengers = challengers
	return k
}

// parties is how many review the change.
func (k Knobs) parties() int { return 1 + k.Challengers }
