package debate

import "testing"

// TestCouncilProperty checks, over random debates of parties that hold opinions,
// what the debate comes to.
func TestCouncilProperty(t *testing.T) {
	t.Parallel()
	each(t, []property{
		{"no success over a P1", noSuccessOverP1}, {"keep is held", keepIsHeld}, {"HIGH has reasons", highNames}, {"confirmed by another", confirmedByAnother},
	}, func(seed int) *world { return convene(seed).world })
}
